"""Rulebooks: which sections there are, what stands in them, and where each part comes from."""

from __future__ import annotations

import pytest

from wongar_dsl.library import load
from wongar_dsl.prose.book import Items, Prose, Rulebook, Section, Table
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.words import Words

from .books import LANGUAGES, book, model, reading, words


def section(name: str, key: str) -> Section:
    return next(found for _, found in book(name).walk() if found.key == key)


def test_things_are_counted_as_the_set_up_fills_them_in() -> None:
    """Ten sets of fifteen cards, and what each player gets, though no line of the rules says how many that makes."""
    items = section("wongar", "contents").blocks[0]
    assert isinstance(items, Items)
    counted = {item.key: (item.counts, item.each) for item in items.items}
    assert counted["enum.token.disc"] == ((54, 72, 90), 18)
    assert counted["cards.area_card"] == ((150, 150, 150), None)
    assert counted["cards.ritual_card"] == ((43, 43, 43), None)


def test_for_one_number_of_players_only_its_counts_are_there() -> None:
    [contents] = [one for one in book("wongar", 4).sections if one.key == "contents"]
    items = contents.blocks[0]
    assert isinstance(items, Items)
    assert next(item.counts for item in items.items if item.key == "enum.token.disc") == (72,)


def test_cards_that_a_variant_took_out_are_not_listed() -> None:
    decks = {block.key: block for block in section("wongar/initiated", "contents").blocks}
    deck = decks["deck.ritual_deck"]
    assert isinstance(deck, Items)
    assert {item.count for item in deck.items} == {14, 12, 10}


def test_a_column_that_is_called_0_has_its_name() -> None:
    [piers] = [block for block in section("tongiaki", "tables").blocks if block.key == "table.piers"]
    assert isinstance(piers, Table)
    assert piers.columns == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_counted_agrees_with_its_number(language: str) -> None:
    said = reading("wongar", language)
    deck = next(b for b in section("wongar", "contents").blocks if b.key == "deck.area_deck")
    assert isinstance(deck, Items)
    lines = [f"{said.number(item)} {said.thing(item)}" for item in deck.items]
    expected = {
        "de": "2 Skorpionkarten",
        "nl": "2 schorpioenkaarten",
        "it": "2 carte scorpione",
        "en": "2 scorpion cards",
    }
    assert lines[-1] == expected[language]


CALLS = """
game toy
    players 2
    source house rule
score points
setup
    lay_out()
play
    turn(player(1))
    finish()
    end game
rule lay_out()
    book()
rule turn(who: player)
    who chooses move
        go
            nothing
    draw(who)
    book()
rule draw(who: player)
    who gains 1 points
rule book()
    quiet()
rule quiet()
    player(2) gains 1 points
rule finish()
    player(1) gains 1 points
winner p
    most points of p
"""
SAID = ("lay_out", "turn", "draw", "book", "finish")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    """A game whose rules have sentences, but one."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy.rules").write_text(CALLS, encoding="utf-8")
    (folder / "locales" / "en").mkdir(parents=True)
    entries = [f'msgctxt "toy.rule.{name}"\nmsgid "everybody [does|do] that"\nmsgstr ""\n' for name in SAID]
    (folder / "locales" / "en" / "toy.po").write_text("\n".join(entries), encoding="utf-8")
    return rulebook(load(str(folder / "toy.rules")).model, Words.load("en", [folder / "locales"]))


def test_a_rule_stands_below_what_alone_comes_to_it(toy: Rulebook) -> None:
    below = {found.key: [inner.key for inner in found.sections] for _, found in toy.walk()}
    assert below["play"] == ["rule.turn"]
    assert below["rule.turn"] == ["rule.draw"]
    assert below["rules"] == ["rule.book"]


def test_the_rules_that_the_game_ends_with_stand_under_its_end(toy: Rulebook) -> None:
    assert [inner.key for _, found in toy.walk() if found.key == "end" for inner in found.sections] == ["rule.finish"]


def test_a_rule_without_a_sentence_stands_where_it_is_called(toy: Rulebook) -> None:
    assert "rule.quiet" not in {found.key for _, found in toy.walk()}


def test_a_sentence_points_to_the_rule_that_it_calls() -> None:
    block = section("wongar", "effect.elder_card").blocks[-1]
    assert isinstance(block, Prose)
    assert [one.refers for one in reading("wongar", "en").sentences(block)][-1] == "rule.ceremony"


def test_what_has_no_words_yet_is_shown_with_its_line_and_counted() -> None:
    said = reading("wongar", "de")
    lines = [
        one for _, found in said.book.walk() for b in found.blocks if isinstance(b, Prose) for one in said.sentences(b)
    ]
    assert all((" – wongar/wongar.rules:" in one.text) == one.unsaid for one in lines)
    assert said.unsaid == sum(one.unsaid for one in lines)


def test_what_is_not_said_has_a_reason() -> None:
    """Which points are told apart for the table at the end is no rule."""
    [table] = [a for a in model("wongar").merged.articles if a.name.text == "ceremonies_in"]
    assert book("wongar").account.fates[table] == ("news", "it only says under which heading points are listed")
    assert "table.ceremonies_in" not in {block.key for block in section("wongar", "tables").blocks}


def test_rulings_and_reconstructions_are_marked_in_the_text() -> None:
    said = reading("wongar", "de")
    marks = {mark.mark for _, found in said.book.walk() for block in found.blocks for mark in said.marks(block)}
    assert marks == {"", "Auslegung", "Rekonstruktion"}


@pytest.mark.parametrize("name", ["wongar", "ubongo", "nim", "goofspiel"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_in_short_stand_in_front(name: str, language: str) -> None:
    first = book(name).sections[0]
    said = [
        line.text
        for block in first.blocks
        if isinstance(block, Prose)
        for line in reading(name, language).sentences(block)
    ]
    written = [words(language).say(f"rules.{number}", name) for number in range(1, len(said) + 1)]
    assert said == written


def test_a_paragraph_that_a_variant_changed_is_marked_and_its_own_stands_last() -> None:
    said = reading("wongar/initiated", "en")
    [block] = said.book.sections[0].blocks
    assert isinstance(block, Prose)
    lines = [line.text for line in said.sentences(block)]
    assert sum(line.startswith("Usually: ") for line in lines) == 3
    assert lines[-1] == words("en").say("rules.initiated", "wongar/initiated")

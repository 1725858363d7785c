"""Rulebooks: which sections there are, what stands in them, and where each part comes from."""

from __future__ import annotations

from functools import cache

import pytest

from wongar_dsl.library import Rules, load
from wongar_dsl.prose.book import Items, Prose, Rulebook, Section
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.reading import Reading
from wongar_dsl.words import Words

LANGUAGES = ("de", "nl", "it", "en")


@cache
def rules(name: str) -> Rules:
    return load(name)


@cache
def words(language: str) -> Words:
    return Words.load(language)


@cache
def book(name: str, players: int | None = None) -> Rulebook:
    return rulebook(rules(name).model, words("en"), players)


def reading(name: str, language: str, players: int | None = None) -> Reading:
    return Reading(book(name, players), words(language), name)


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
    items = book("wongar", 4).sections[0].blocks[0]
    assert isinstance(items, Items)
    assert next(item.counts for item in items.items if item.key == "enum.token.disc") == (72,)


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


def test_a_rule_called_from_one_place_stands_below_it_and_one_called_from_several_by_itself() -> None:
    assert "rule.play_round" in {inner.key for inner in section("wongar", "play").sections}
    assert "rule.draw_ritual" in {inner.key for inner in section("wongar", "rules").sections}


def test_the_last_scoring_stands_under_the_end_of_the_game() -> None:
    assert [inner.key for inner in section("wongar", "end").sections] == ["rule.final_scoring"]


def test_a_sentence_points_to_the_rule_that_it_calls() -> None:
    block = section("wongar", "effect.elder_card").blocks[-1]
    assert isinstance(block, Prose)
    assert [one.refers for one in reading("wongar", "en").sentences(block)][-1] == "rule.ceremony"


def test_what_has_no_words_yet_is_shown_with_its_line_and_counted() -> None:
    said = reading("wongar", "de")
    lines = [one for _, s in said.book.walk() for b in s.blocks if isinstance(b, Prose) for one in said.sentences(b)]
    assert all(one.text.startswith("[… wongar/wongar.rules:") == one.unsaid for one in lines)
    assert said.unsaid == sum(one.unsaid for one in lines)


def test_rulings_and_reconstructions_are_marked_in_the_text() -> None:
    said = reading("wongar", "de")
    marks = {mark.mark for _, found in said.book.walk() for block in found.blocks for mark in said.marks(block)}
    assert marks == {"", "Auslegung", "Rekonstruktion"}

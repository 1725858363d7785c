"""Structure of rulebooks: sections, contents and sources of each part."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import builtin_names
from wongar_dsl.nlg.prose.document.document_model import BookTable, CountList, Prose, Rulebook, Section
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import render_text
from wongar_dsl.nlg.words import Sentence, Translator

from .books import LANGUAGES, book, model, reading, rules_in, text_of_book, text_of_game, words


def section(name: str, key: str) -> Section:
    return next(candidate for _, candidate in book(name).walk() if candidate.key == key)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", builtin_names())
def test_rulebook_planned_with_english_words_has_the_same_text(name: str, language: str) -> None:
    usual = reading(name, language)
    own = RealisedRulebook(rulebook(model(name), usual.words), usual.words, usual.title)
    assert "".join(f"{line.text}\n" for line in render_text(own)) == text_of_game(name, language)


def test_component_counts_are_derived_from_the_setup() -> None:
    """The rules state only ten sets of fifteen cards and the pieces of each player, not the totals."""
    items = section("wongar", "contents").blocks[0]
    assert isinstance(items, CountList)
    counted = {item.key: (item.counts, item.each) for item in items.items}
    assert counted["enum.token.disc"] == ((54, 72, 90), 18)
    assert counted["cards.area_card"] == ((150, 150, 150), None)
    assert counted["cards.ritual_card"] == ((43, 43, 43), None)


def test_rulebook_for_one_number_of_players_has_its_counts() -> None:
    [contents] = [part for part in book("wongar", 4).sections if part.key == "contents"]
    items = contents.blocks[0]
    assert isinstance(items, CountList)
    assert next(item.counts for item in items.items if item.key == "enum.token.disc") == (72,)


def test_cards_removed_by_a_variant_are_not_listed() -> None:
    decks = {block.key: block for block in section("wongar/initiated", "contents").blocks}
    deck = decks["deck.ritual_deck"]
    assert isinstance(deck, CountList)
    assert {item.count for item in deck.items} == {14, 12, 10}


def test_table_column_0_keeps_its_name() -> None:
    [piers] = [block for block in section("tongiaki", "tables").blocks if block.key == "table.piers"]
    assert isinstance(piers, BookTable)
    assert piers.columns == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_noun_agrees_with_its_number(language: str) -> None:
    document = reading("wongar", language)
    deck = next(b for b in section("wongar", "contents").blocks if b.key == "deck.area_deck")
    assert isinstance(deck, CountList)
    lines = [f"{document.number(item)} {document.thing(item)}" for item in deck.items]
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
    """Rulebook of a game in which all rules but one have sentences."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy.rules").write_text(CALLS, encoding="utf-8")
    (folder / "locales" / "en").mkdir(parents=True)
    entries = [f'msgctxt "toy.rule.{name}"\nmsgid "everybody [does|do] that"\nmsgstr ""\n' for name in SAID]
    (folder / "locales" / "en" / "toy.po").write_text("\n".join(entries), encoding="utf-8")
    return rulebook(rules_in(folder / "toy.rules"), Translator.load("en", [folder / "locales"]))


def test_rule_is_nested_below_its_only_caller(toy: Rulebook) -> None:
    below = {part.key: [inner.key for inner in part.sections] for _, part in toy.walk()}
    assert below["play"] == ["rule.turn"]
    assert below["rule.turn"] == ["rule.draw"]
    assert below["rules"] == ["rule.book"]


def test_final_rules_are_nested_below_the_end(toy: Rulebook) -> None:
    assert [inner.key for _, part in toy.walk() if part.key == "end" for inner in part.sections] == ["rule.finish"]


def test_rule_without_a_sentence_is_inlined(toy: Rulebook) -> None:
    assert "rule.quiet" not in {part.key for _, part in toy.walk()}


def test_sentence_refers_to_the_called_rule() -> None:
    block = section("wongar", "effect.elder_card").blocks[-1]
    assert isinstance(block, Prose)
    assert [sentence.refers for sentence in reading("wongar", "en").sentences(block)][-1] == "rule.ceremony"


def test_verbatim_rules_are_marked_and_counted() -> None:
    document = reading("wongar", "de")
    lines = [
        sentence
        for _, part in document.book.walk()
        for b in part.blocks
        if isinstance(b, Prose)
        for sentence in document.sentences(b)
    ]
    assert all((" – wongar/wongar.rules:" in sentence.text) == sentence.unsaid for sentence in lines)
    assert document.missing_line_count == sum(sentence.unsaid for sentence in lines)


def test_omitted_declaration_has_a_reason() -> None:
    """A table that only labels points in the final listing is no rule."""
    [table] = [a for a in model("wongar").merged.articles if a.name.text == "ceremonies_in"]
    assert book("wongar").log.fates[table] == ("news", "it only says under which heading points are listed")
    assert "table.ceremonies_in" not in {block.key for block in section("wongar", "tables").blocks}


def test_rulings_and_reconstructions_are_marked() -> None:
    document = reading("wongar", "de")
    marks = {mark.mark for _, part in document.book.walk() for block in part.blocks for mark in document.marks(block)}
    assert marks == {"", "Auslegung", "Rekonstruktion"}


@pytest.mark.parametrize("name", ["wongar", "ubongo", "nim", "goofspiel"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_summary_is_the_first_section(name: str, language: str) -> None:
    first = book(name).sections[0]
    lines = [
        line.text
        for block in first.blocks
        if isinstance(block, Prose)
        for line in reading(name, language).sentences(block)
    ]
    written = [words(language).say(f"rules.{number}", name) for number in range(1, len(lines) + 1)]
    assert lines == written


def test_variants_summary_marks_changes_and_ends_with_its_own_text() -> None:
    document = reading("wongar/initiated", "en")
    [block] = document.book.sections[0].blocks
    assert isinstance(block, Prose)
    lines = [line.text for line in document.sentences(block)]
    assert sum(line.startswith("Usually: ") for line in lines) == 3
    assert lines[-1] == words("en").say("rules.initiated", "wongar/initiated")


@pytest.mark.parametrize(
    ("name", "key", "counts", "each"),
    [
        ("ubongo", "enum.symbol.item", (1, 1, 1), None),
        ("ubongo", "enum.field.item", (1, 1, 1), None),
        ("ubongo", "remember.standing.item", (2, 3, 4), 1),
        ("wongar", "score.points.item", (3, 4, 5), 1),
        ("wongar", "zone.bag.item", (1, 1, 1), None),
        ("connect_four", "remember.owner.item", (42,), None),
        ("kuhn_poker", "remember.stake.item", (4,), 2),
    ],
)
def test_things_that_stand_for_declarations_are_components(
    name: str, key: str, counts: tuple[int, ...], each: int | None
) -> None:
    """Dice, pawns and markers belong to the contents although no rule fills them in."""
    items = section(name, "contents").blocks[0]
    assert isinstance(items, CountList)
    assert [(item.counts, item.each) for item in items.items if item.key == key] == [(counts, each)]


PILES = """game piles
    players 2
cards card
    red
    blue
deck pack of card total 4
    2 red, 2 blue
pile stock holds card, seen as a number
heap gone holds card, seen by all
heap kept holds card, seen by all
setup
    fill stock with pack
{}
play
    for each p in player
        p chooses turn
            take(one: {})
                move one from {} to kept
            otherwise
                nothing
    nobody wins
"""


@pytest.mark.parametrize(
    ("prepared", "order"),
    [
        ("    shuffle stock", "shuffled"),
        ("    move top of stock to gone\n    shuffle stock", "shuffled"),
        ("", "in a fixed order"),
        ("    shuffle stock\n    move top of stock to gone\n    move all of gone to stock", "in a fixed order"),
        ("    shuffle stock\n    repeat 2 times\n        move top of stock to bottom of stock", "in a fixed order"),
        ("    shuffle stock\n    move all of gone to stock\n    shuffle stock", "shuffled"),
    ],
)
def test_pile_has_an_order_only_if_something_is_put_on_it_unshuffled(prepared: str, order: str, tmp_path: Path) -> None:
    table = places(tmp_path, PILES.format(prepared, "gone", "gone"))
    assert f"Stock   {order} " in table


def test_player_who_chooses_from_a_hidden_pile_sees_it(tmp_path: Path) -> None:
    hidden, seen = (places(tmp_path, PILES.format("", zone, zone)) for zone in ("gone", "stock"))
    assert "nobody (the number is known)" in hidden
    assert "only the player who chooses from it (the number is known)" in seen
    unknown = places(tmp_path, PILES.format("", "stock", "stock").replace("seen as a number", "seen by nobody"))
    assert "only the player who chooses from it" in unknown
    assert "the number is known" not in unknown.partition("who chooses from it")[2].partition("\n")[0]


def places(folder: Path, rules: str) -> str:
    """Return the table of places of a game."""
    path = folder / "piles.rules"
    path.write_text(rules, encoding="utf-8")
    return text_of_book(rules_in(path), "en", "places")


#: The rulebook's sentence about the first player if the rules leave that open, and in the words of a game.
FIRST = {
    "de": ("Die Spieler machen aus, wer beginnt;", "Der jüngste Spieler beginnt;"),
    "nl": ("De spelers spreken af wie begint;", "De jongste speler begint;"),
    "it": ("I giocatori decidono chi comincia;", "Comincia il giocatore più giovane;"),
    "en": ("The players decide who goes first;", "The youngest player goes first;"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", builtin_names())
def test_book_says_who_begins_where_the_rules_leave_it_open(name: str, language: str) -> None:
    usual, own = (text_of_game(name, language).count(sentence) for sentence in FIRST[language])
    unset = name in {"nim", "tictactoe", "connect_four", "kuhn_poker"}
    assert (usual, own) == (int(unset), int(name == "tongiaki"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", builtin_names())
def test_every_setting_is_explained(name: str, language: str) -> None:
    rules = model(name)
    assert all(words(language).has_message(f"about.{option}", rules.scope) for option in rules.settings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_that_only_count_on_are_one_row(language: str) -> None:
    document = reading("ubongo", language)
    tables = {b.key: b for _, part in book("ubongo").walk() for b in part.blocks if isinstance(b, BookTable)}
    [row] = document.rows(tables["table.ground_of"])
    assert all("1" in cell and "36" in cell for cell in row)
    for key in ("table.place_of", "table.steps", "coverings.solution"):
        assert len(document.rows(tables[key])) == len(tables[key].rows)


def test_drawings_and_solutions_come_last() -> None:
    keys = [part.key for part in book("ubongo").sections]
    assert keys[-3:] == ["terms", "options", "shapes"]


@pytest.mark.parametrize("name", builtin_names())
def test_values_that_start_over_have_a_table_of_their_own(name: str) -> None:
    """A player only has to keep track of the others between turns."""
    tables = {block.key: block for block in section(name, "places").blocks if isinstance(block, BookTable)}
    lasting, passing = (tables.get(key) for key in ("remembered", "remembered.passing"))
    assert (passing is not None) == (name == "tongiaki")
    again = Sentence("rulebook.remembered.again")
    assert lasting is None or again not in lasting.columns
    if passing is not None and lasting is not None:
        at = passing.columns.index(again)
        assert all(row.cells[at] is not None for row in passing.rows)
        assert [row.key for row in lasting.rows] == [
            "remember.waters_left",
            "remember.islands_left",
            "remember.ending",
        ]

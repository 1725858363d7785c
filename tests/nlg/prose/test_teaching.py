"""The teaching rulebook: the sentences of the reference, in the order in which players need them."""

from __future__ import annotations

import pytest

from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.nlg.narration.excerpts import read_rulebook
from wongar_dsl.nlg.prose.document.document_model import ENDING, GLANCE, BookTable, Prose
from wongar_dsl.nlg.prose.document.glance import MAX_GLANCE_LINES, glance
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import ShortRules
from wongar_dsl.nlg.prose.document.teaching import reference_only, teaching_rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Listing, Translator

from .books import variant

#: Blocks that only the reference of a game has: zones, stored values, and flags.
REFERENCE_ONLY = {
    "connect_four": ["remembered"],
    "goofspiel": ["zones"],
    "kuhn_poker": ["zones", "remembered"],
    "nim": ["zones"],
    "tictactoe": ["remembered"],
    "tongiaki": ["zones", "remembered", "remembered.passing"],
    "ubongo": ["zones", "remembered"],
    "wongar": ["zones", "remembered", "rule.end_after_this_round"],
}
#: Sentences of the reference about values that only steer the course of a game.
BOOKKEEPING: dict[str, list[str]] = {
    "tongiaki": [
        "rule.landing/body.1.body.0",
        "rule.new_land_if_needed/body.0",
        "rule.voyage/body.2.body.1.branches.0.1.1",
        "rule.voyage/body.2.body.2.branches.0.1.3.branches.0.1.2",
    ],
    "ubongo": ["rule.play_round/body.1", "rule.take_gems/body.0"],
}


def words_of(rules: Rules, language: str) -> Translator:
    """Return the words of a game in a language."""
    return Translator.load(language, rules.words_beside)


def lines(book: RealisedRulebook) -> dict[str, list[tuple[str, str]]]:
    """Return the key and the text of each sentence, by block."""
    prose = (block for _, section in book.book.walk() for block in section.blocks if isinstance(block, Prose))
    return {block.key: [(line.key, line.text) for line in book.sentences(block)] for block in prose}


def both(name: str, language: str) -> tuple[dict[str, list[tuple[str, str]]], dict[str, list[tuple[str, str]]]]:
    """Return the sentences of the teaching book and of the reference."""
    rules = load(name)
    words = words_of(rules, language)
    taught, reference = (
        lines(read_rulebook(rules.model, words, rules.name, None, style)) for style in ("teach", "reference")
    )
    return taught, reference


@pytest.mark.parametrize("name", builtin_names())
def test_book_leaves_out_only_tables_for_reference_and_has_no_empty_or_double_part(name: str) -> None:
    rules = load(name)
    words = words_of(rules, "en")
    book = teaching_rulebook(rules.model, words)
    assert reference_only(book, rulebook(rules.model, words)) == REFERENCE_ONLY[name.partition("/")[0]]
    sections = [section for _, section in book.walk()]
    assert all(section.blocks or section.sections for section in sections)
    for keys in [section.key for section in sections], [(type(b), b.key) for s in sections for b in s.blocks]:
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("name", builtin_names())
def test_each_rule_is_told_of_the_same_nodes_as_in_the_reference(name: str, language: str) -> None:
    taught, reference = both(name, language)
    told = taught.keys() & reference.keys() - {"setup", "scores", ENDING}
    left_out = {line for key in told for line, _ in reference[key]} - {line for key in told for line, _ in taught[key]}
    assert sorted(left_out) == BOOKKEEPING.get(name.partition("/")[0], [])
    # Of two sentences about one node, one may be bookkeeping.
    assert {key: list(dict.fromkeys(line for line, _ in taught[key])) for key in told} == {
        key: list(dict.fromkeys(line for line, _ in reference[key] if line not in left_out)) for key in told
    }
    known = {line for part in reference.values() for line, _ in part}
    assert len([line for line, _ in taught.get("setup", []) if line not in known]) == (
        name == "kuhn_poker"
    )  # its stake
    for key in ("setup", ENDING):
        told_here = {line.removeprefix("aim.") for line, _ in taught.get(key, taught.get(f"aim.{key}", []))}
        assert {line for line, _ in reference.get(key, [])} <= told_here


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("name", builtin_names())
def test_glance_has_at_most_eight_lines_and_each_names_the_heading_that_explains_it(name: str, language: str) -> None:
    rules = load(name)
    book = read_rulebook(rules.model, words_of(rules, language), rules.name, None, "teach")
    shown = [block for _, section in book.book.walk() for block in section.blocks if block.key == GLANCE]
    assert bool(shown) == (name not in ("nim", "tictactoe", "connect_four", "goofspiel"))
    for block in shown:
        assert isinstance(block, Prose)
        told = list(book.sentences(block))
        assert 2 <= len(told) <= MAX_GLANCE_LINES
        # The leads of loops and options refer to nothing.
        assert [line.text for line in told if line.refers is None and not line.text.endswith(":")] == []
        references = [line.refers for line in told if line.refers is not None]
        assert len(references) == len(set(references))


def test_glance_at_a_game_without_short_rules_is_its_loop_with_what_follows() -> None:
    rules, words = load("wongar"), words_of(load("wongar"), "en")
    book = teaching_rulebook(rules.model, words)
    lines = glance(book, ShortRules(rules.model, words), ())
    assert lines is not None
    shown = RealisedRulebook(book, words, rules.name)
    assert [(line.depth, line.text, line.refers) for line in shown.sentences(lines)] == [
        (0, "The following is repeated until the last round has been played:", None),
        (1, "Determine the starting player.", "rule.pass_boomerang"),
        (1, "The holder of the ancestor turns up new area cards.", "rule.turn_up_cards"),
        (1, "The elder’s privilege is exercised.", "rule.elder_privilege"),
        (1, "Every player in turn takes an area card.", "rule.play_round"),
        (0, "The final scoring takes place.", "rule.final_scoring"),
    ]


def test_glance_at_a_variant_marks_what_usually_holds_and_leaves_out_what_does_not() -> None:
    change = "set cards_bonus to 10\nreplace rule final_scoring()\n    nothing\nset now in rule scoring to early"
    taught = lines(read_rulebook(variant("wongar", change), words_of(load("wongar"), "en"), "wongar", None, "teach"))
    told = [text for _, text in taught[GLANCE]]
    assert len(told) == MAX_GLANCE_LINES - 1
    assert not any("gains further points" in text for text in told)
    assert any("Usually: The later the phase, the more a ceremony counts." in text for text in told)


def introductions(name: str, language: str) -> list[str]:
    """Return the keys of the introductions that a book shows."""
    rules = load(name)
    taught = lines(read_rulebook(rules.model, words_of(rules, language), rules.name, None, "teach"))
    return [key for key in taught if key.startswith("intro.")]


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_introductions_of_a_game_and_its_variants_come_first(language: str) -> None:
    assert introductions("wongar/initiated", language) == ["intro.wongar", "intro.wongar/initiated"]
    for name in ("tongiaki", "ubongo", "ubongo/hard", "ubongo/long"):
        assert introductions(name, language) == [f"intro.{name.partition('/')[0]}"]
    words = words_of(load("wongar"), language)
    for scope in ("wongar", "wongar/initiated", "tongiaki", "ubongo"):
        assert words.has(f"{scope}.rulebook.intro")


@pytest.mark.parametrize(
    ("game", "change", "dropped"),
    [
        ("wongar", "after rule scoring\n    nothing", {"intro.wongar"}),
        ("wongar", "set cards_bonus to 10", set()),
        ("tongiaki", "before rule found_royal\n    nothing", {"note.rule.found_royal", "note.rule.take_turn"}),
        ("tongiaki", "set worth[upolu] to 9", {"note.rule.found_royal"}),
        ("tongiaki", "before rule voyage\n    nothing", {"intro.tongiaki"}),
    ],
)
def test_variant_drops_what_an_author_wrote_about_the_rules_it_changes(
    game: str, change: str, dropped: set[str]
) -> None:
    words = words_of(load(game), "en")
    before, after = (
        {key for key in lines(read_rulebook(rules, words, game, None, "teach")) if key.startswith(("intro.", "note."))}
        for rules in (load(game).model, variant(game, change))
    )
    assert before - after == dropped


def test_note_of_an_author_stands_below_its_rule() -> None:
    rules = load("tongiaki")
    book = read_rulebook(rules.model, words_of(rules, "en"), rules.name, None, "teach")
    [blocks] = [part.blocks for _, part in book.book.walk() if part.key == "rule.found_royal"]
    assert [block.key for block in blocks] == ["rule.found_royal", "note.rule.found_royal"]
    note = blocks[-1]
    assert isinstance(note, Prose)
    [line] = book.sentences(note)
    assert line.text.startswith("Note: This is usually worth it for islands of 4 or 5 points. On others,")


def index_of(name: str, language: str) -> dict[str, list[str]]:
    """Return the headings that the index gives for each entry."""
    rules = load(name)
    book = read_rulebook(rules.model, words_of(rules, language), rules.name, None, "teach")
    tables = [block for _, section in book.book.walk() for block in section.blocks if block.key == "index"]
    rows = [row for table in tables if isinstance(table, BookTable) for row in table.rows]
    cells = [(book.text(row.heading), row.cells[0]) for row in rows]
    return {name: [book.text(place) for place in cell.items] for name, cell in cells if isinstance(cell, Listing)}


@pytest.mark.parametrize(
    ("language", "entries"),
    [
        ("de", {"Skorpion": "Der Skorpion", "Ältester": "Privileg des Ältesten", "Zeremonie": "Die Zeremonie"}),
        ("nl", {"Schorpioen": "De schorpioen", "Ceremonie": "De ceremonie"}),
        ("it", {"Scorpione": "Lo scorpione", "Anziano": "Il privilegio dell’Anziano", "Cerimonia": "La cerimonia"}),
        ("en", {"Scorpion": "The scorpion", "Ceremony": "The ceremony", "Final scoring": "Final scoring"}),
    ],
)
def test_index_leads_first_to_the_section_that_explains_a_term(language: str, entries: dict[str, str]) -> None:
    index = index_of("wongar", language)
    assert {name: index[name][0] for name in entries} == entries
    assert all(len(places) == len(set(places)) <= 3 for places in index.values())


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("name", builtin_names())
def test_every_rule_with_a_heading_is_in_the_index(name: str, language: str) -> None:
    rules = load(name)
    book = read_rulebook(rules.model, words_of(rules, language), rules.name, None, "teach")
    headings = {book.heading(part.heading) for _, part in book.book.walk() if part.key.startswith("rule.")}
    assert headings <= {places[0] for places in index_of(name, language).values()}


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["You receive the ancestor.", "You move it to an adjacent area."]),
        ("de", ["Du erhältst den Urahnen.", "Du versetzt ihn in ein angrenzendes Gebiet."]),
        ("nl", ["Je krijgt de voorvader.", "Je verplaatst hem naar een aangrenzend gebied."]),
        ("it", ["Ricevi l’Antenato.", "Sposti l’Antenato in un’area adiacente."]),
    ],
)
def test_card_addresses_the_player_who_carries_it_out(language: str, sentences: list[str]) -> None:
    taught, reference = both("wongar", language)
    assert [text for _, text in taught["effect.ancestor_card"]][:2] == sentences
    assert not {*sentences} & {text for part in reference.values() for _, text in part}


@pytest.mark.parametrize(
    ("language", "together", "in_turn"),
    [
        ("en", "Shuffle the cards set aside into the pile of ritual cards.", "You choose an area in which"),
        ("de", "Mischt die beiseitegelegten Karten in den Ritualkartenstapel.", "Du wählst ein Gebiet, in dem"),
        ("nl", "Schud de opzijgelegde kaarten door de stapel ritueelkaarten.", "Je kiest een gebied waarin"),
        ("it", "Mischiate le carte messe da parte con il mazzo delle carte rituali.", "Scegli un’area in cui"),
    ],
)
def test_readers_prepare_the_game_together_and_play_in_turn(language: str, together: str, in_turn: str) -> None:
    taught, _ = both("wongar", language)
    assert together in [text for _, text in taught["setup"]]
    assert [text for _, text in taught["rule.play_round"]][1].startswith(in_turn)


def test_things_of_a_named_player_are_moved_by_that_player() -> None:
    taught = [text for _, text in both("wongar", "de")[0]["rule.turn_up_cards"]]
    assert "Er legt diese Karte zu seinen gesammelten Gebietskarten." in taught


def test_ways_to_the_same_end_are_cases_of_one_sentence() -> None:
    lead, *cases = [text for _, text in both("wongar", "en")[0][ENDING]]
    assert lead == "The game ends after this round in each of these cases:"
    assert [case[:3] for case in cases] == ["if "] * 3


def test_a_player_whom_the_rules_name_is_not_the_reader() -> None:
    struck, revealed = (
        [text for _, text in both("wongar", "en")[0][f"rule.{name}"]] for name in ("scorpion_strikes", "turn_up_cards")
    )
    assert struck[-1].startswith("You lose as many victory points")
    assert "The holder of the ancestor turns up a scorpion in this area." in revealed
    [reached] = [text for _, text in both("ubongo", "en")[0]["rule.take_gems_before"]]
    assert reached.startswith("As long as a player has reached for gems before the caller")


def test_verb_before_its_dutch_or_behind_no_italian_pronoun_has_the_form_of_the_language() -> None:
    dutch, italian = both("tongiaki", "nl")[0], both("kuhn_poker", "it")[0]
    assert "Anders kies je een van de volgende mogelijkheden:" in [text for _, text in dutch["rule.take_turn"]]
    assert "Scegli una delle seguenti possibilità:" in [text for _, text in italian["rule.answer"]]

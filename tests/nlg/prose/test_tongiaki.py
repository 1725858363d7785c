"""Rulebook text of Tongiaki, the longest game and the one with the most program-like rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Prose

from . import books
from .books import document_of, rules_in, shipped, units_of


def lines(name: str, language: str = "en") -> tuple[str, ...]:
    """Return the indented lines of a declaration of Tongiaki."""
    return books.lines("tongiaki", name, language)


def declarations_with_sections(model: Model) -> Iterator[s.Declaration]:
    """Yield the declarations with a section of their own in the rulebook."""
    waiting = [*document_of(model).sections]
    while waiting:
        section = waiting.pop()
        waiting += section.sections
        yield from (block.article for block in section.blocks if isinstance(block, Prose))


def test_named_value_is_introduced_once() -> None:
    text = lines("voyage_end")
    assert text[0] == "The group sets out in the direction of the route."
    assert "  It reaches the next space in the sailing direction." in text


def test_named_condition_is_not_repeated() -> None:
    text = lines("voyage")
    assert "  If no card lies on the space of the group yet, the voyage leads into unknown waters:" in text
    assert "    If the voyage leads into unknown waters and all water cards are uncovered:" in text


def test_resets_of_temporary_variables_are_omitted() -> None:
    for name, words in (("put_to_sea", "any more"), ("emigrate", "next chain"), ("landing", "ship again")):
        assert not any(words in line for line in lines(name))


@pytest.mark.parametrize(
    "dropped", ["    nobody_served()\n\nrule nobody_served", "                set served of strand to yes\n    "]
)
def test_needed_resets_and_assignments_are_stated(tmp_path: Path, dropped: str) -> None:
    """If `increase` leaves beaches marked or does not mark them, the landing must state it."""
    rules = shipped("tongiaki").sources[-1].text
    assert dropped in rules
    replacement = "\n\nrule nobody_served" if "rule" in dropped else "    "
    changed = tmp_path / "tongiaki.rules"
    changed.write_text(rules.replace(dropped, replacement, 1), encoding="utf-8")
    text = [unit.text for unit in units_of(rules_in(changed), "landing", "en")]
    assert any("receive a ship again" in line or "has now received a ship" in line for line in text)


def test_assignment_of_the_choice_is_omitted() -> None:
    assert not any("has now received" in line for name in ("increase", "landing") for line in lines(name))


def test_half_rotation_is_the_opposite_direction() -> None:
    assert any(line.endswith("its crest pointing in the opposite direction.") for line in lines("seek_island"))
    assert lines("arrival")[0].endswith("in the opposite direction to the sailing direction.")


def test_card_found_by_a_condition_is_this_card() -> None:
    assert any(line.strip() == "This water card is the destination." for line in lines("voyage_end"))


def test_option_names_the_arguments_of_its_rule() -> None:
    assert "  take back a ship on an island from a beach (only if they have no ship in the supply):" in lines(
        "take_turn"
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        (
            "de",
            "Ein Strand ist komplett, wenn er auf der Insel einen Liegeplatz hat und dort kein Liegeplatz frei ist.",
        ),
        ("nl", "Een strand is vol als het op het eiland een ligplaats heeft en daar geen ligplaats vrij is."),
        ("en", "A beach is complete if it has a berth on the island and no berth is free there."),
        ("it", "Una spiaggia è completa se ha un ormeggio sull’isola e lì non c’è nessun ormeggio libero."),
    ],
)
def test_definition_uses_a_pronoun_and_a_place_adverb(language: str, line: str) -> None:
    assert lines("complete", language) == (line,)


@pytest.mark.parametrize(
    ("language", "end"),
    [
        ("de", "wenn es diese Insel ist oder eine Königsinsel ist."),
        ("nl", "als het dit eiland is of een koningseiland is."),
        ("en", "if it is this island or is a royal island."),
        ("it", "se è quest’isola o è un’isola reale."),
    ],
)
def test_repeated_subject_is_omitted(language: str, end: str) -> None:
    assert lines("leads_back", language)[0].endswith(end)


def test_all_pieces_of_a_place_are_worded_as_all() -> None:
    assert lines("stop_on_water") == (
        "Every player moves all their ships from the group of ships at sea onto the last water card of the game.",
    )


def test_mentions_are_not_shared_between_options() -> None:
    assert not any("the other island" in line for line in lines("emigrate"))


def test_unused_argument_restricts_the_other_choice() -> None:
    assert any("by a route that is open and leads to an island;" in x for x in lines("emigrate"))


def test_branches_differing_only_in_messages_are_merged() -> None:
    assert [line for line in lines("landing") if "puts" in line] == [
        "  The player puts a ship belonging to a player from the group of ships at sea onto a beach of the island "
        "that can take in a ship."
    ]


def test_player_who_may_be_the_same_is_not_another_player() -> None:
    assert any(line.endswith("back into that player’s supply.") for line in lines("landing"))


def test_repeated_action_can_be_an_option() -> None:
    assert lines("come_back")[1] == (
        "  twice put a ship from their supply onto a beach of Tonga on which a berth is free "
        "(only if Tonga is on the table);"
    )


def test_restricted_argument_is_chosen_before_its_dependents() -> None:
    assert lines("come_back")[2:] == (
        "  choose another island (not Tonga) that is on the table and is not a royal island:",
        "    They put a ship from their supply onto a beach of this island on which a berth is free.",
        "If none of this is possible, they pass.",
    )


def test_definition_has_an_indefinite_subject() -> None:
    assert lines("fails_on") == ("A route ends on a water card if the destination of this route is this water card.",)


def test_single_card_deck_is_named_by_its_card() -> None:
    assert lines("setup")[1] == "The home island is laid in the middle of the sea."


def test_loop_over_a_count_is_worded_with_each() -> None:
    assert lines("increase")[0].startswith("For every new ship, the player puts a ship ")


def test_ranking_by_a_count_is_worded_with_the_player() -> None:
    assert lines("winner")[1:] == (
        "In a tie, the player who is present on the most islands wins.",
        "If the tie remains, the player who has the most ships in the supply wins.",
        "If there is still a tie, the tied players share the victory.",
    )


def test_reset_rules_and_point_labels_have_no_section() -> None:
    names = {article.name.text for article in declarations_with_sections(shipped("tongiaki").model)}
    assert {"voyage", "landing"} <= names
    assert not names & {"something_new", "forget_ahead", "origin_of"}


def test_single_possible_card_is_not_chosen() -> None:
    assert lines("seek_island")[3] == (
        "  The player chooses a direction in which an ocean card in the South Sea is open."
    )


def test_no_other_player_is_worded_simply() -> None:
    assert lines("may_found")[0].endswith("and no other player has a ship there.")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("take_turn", "(solo se non ha nessuna nave nella riserva)"),
        ("some_open_end", "una carta oceano"),
    ],
)
def test_italian_negates_the_verb_before_nessuno(name: str, line: str) -> None:
    assert any(line in text for text in lines(name, "it"))


def test_pronoun_does_not_cross_an_impersonal_sentence() -> None:
    assert any(
        "Se così viene raggiunta un’isola e il giocatore ha una nave" in line for line in lines("resettle", "it")
    )


@pytest.mark.parametrize(
    ("language", "line"), [("de", ", die auf dem Spielplan liegt und"), ("it", "che è sul tabellone e")]
)
def test_coordinated_relative_clauses_share_a_pronoun(language: str, line: str) -> None:
    assert any(line in text for text in lines("look_ahead", language))

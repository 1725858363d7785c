"""What Tongiaki's rules read like: the longest game, and the one whose rules are most like a program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl import syntax as s
from wongar_dsl.library import load
from wongar_dsl.model import Model
from wongar_dsl.prose.book import Prose
from wongar_dsl.prose.document import text_of
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.words import Words

from . import books


def lines(name: str, language: str = "en") -> tuple[str, ...]:
    """The lines of an article of Tongiaki, deeper ones indented."""
    return books.lines("tongiaki", name, language)


def sectioned(model: Model) -> Iterator[s.Article]:
    """The articles that a section of the rulebook is about."""
    waiting = [*rulebook(model, Words.load("en")).sections]
    while waiting:
        section = waiting.pop()
        waiting += section.sections
        yield from (block.article for block in section.blocks if isinstance(block, Prose))


def test_what_a_rule_gives_a_name_is_said_once_and_called_by_that() -> None:
    said = lines("voyage_end")
    assert said[0] == "The group sets out in the direction of the route."
    assert "  It reaches the next space in the sailing direction." in said


def test_what_was_so_when_it_was_named_is_not_asked_again() -> None:
    said = lines("voyage")
    assert "  If no card lies on the space of the group yet, the voyage leads into unknown waters:" in said
    assert "    If the voyage leads into unknown waters and all water cards are uncovered:" in said


def test_what_only_counts_while_it_is_done_is_not_set_back() -> None:
    for name, words in (("put_to_sea", "any more"), ("emigrate", "next chain"), ("landing", "ship again")):
        assert not any(words in line for line in lines(name))


@pytest.mark.parametrize(
    "dropped", ["    nobody_served()\n\nrule nobody_served", "                set served of strand to yes\n    "]
)
def test_what_stays_in_mind_or_is_not_kept_there_is_said(tmp_path: Path, dropped: str) -> None:
    """Where increase leaves the beaches served, or does not say which are, the landing has to."""
    rules = load("tongiaki").sources[-1].text
    assert dropped in rules
    kept = "\n\nrule nobody_served" if "rule" in dropped else "    "
    changed = tmp_path / "tongiaki.rules"
    changed.write_text(rules.replace(dropped, kept, 1), encoding="utf-8")
    model = load(str(changed)).model
    plans, _ = plan_of(model, model.code.rules["landing"], Words.load("en"))
    said = [unit.text for unit in text_of(plans, Words.load("en"), model.name)]
    assert any("receive a ship again" in line or "has now received a ship" in line for line in said)


def test_what_was_just_chosen_is_not_said_to_be() -> None:
    assert not any("has now received" in line for name in ("increase", "landing") for line in lines(name))


def test_half_a_turn_is_the_opposite_direction() -> None:
    assert any(line.endswith("its crest pointing in the opposite direction.") for line in lines("seek_island"))
    assert lines("arrival")[0].endswith("in the opposite direction to the sailing direction.")


def test_a_card_that_a_condition_found_somewhere_is_this_card() -> None:
    assert any(line.endswith(", this water card is the destination.") for line in lines("voyage_end"))


def test_a_rule_that_is_called_says_what_it_takes() -> None:
    assert "  take back a ship from a beach of an island (only if they have no ship in the supply):" in lines(
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
def test_what_a_definition_is_about_is_a_pronoun_and_a_place_is_there(language: str, line: str) -> None:
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
def test_what_goes_on_about_the_same_has_no_subject_of_its_own(language: str, end: str) -> None:
    assert lines("leads_back", language)[0].endswith(end)


def test_as_many_tokens_as_lie_there_are_all_of_them() -> None:
    assert lines("stop_on_water") == (
        "Every player moves all their ships from the group of ships at sea onto the last water card of the game.",
    )


def test_an_option_knows_nothing_of_what_another_one_speaks_of() -> None:
    assert not any("the other island" in line for line in lines("emigrate"))


def test_what_nothing_is_done_with_says_which_of_the_others_can_be_chosen() -> None:
    assert any("by a route that is open and leads to an island;" in x for x in lines("emigrate"))


def test_branches_that_only_tell_it_differently_are_said_once() -> None:
    assert [line for line in lines("landing") if "puts" in line] == [
        "  The player puts a ship belonging to a player from the group of ships at sea onto a beach of the island "
        "that can take in a ship."
    ]


def test_nobody_is_called_another_player_who_may_be_the_same() -> None:
    assert any(line.endswith("back into that player’s supply.") for line in lines("landing"))


def test_what_is_done_several_times_is_an_option_like_what_is_done_once() -> None:
    assert lines("come_back")[1] == (
        "  twice put a ship from their supply onto a beach of Tonga on which a berth is free "
        "(only if Tonga is on the table);"
    )


def test_a_thing_with_a_clause_of_its_own_is_chosen_before_what_belongs_to_it() -> None:
    assert lines("come_back")[2:] == (
        "  choose another island (not Tonga) that is on the table and is not a royal island:",
        "    They put a ship from their supply onto a beach of this island on which a berth is free.",
        "If none of this is possible, they pass.",
    )


def test_a_definition_is_about_any_such_thing() -> None:
    assert lines("fails_on") == ("A route ends on a water card if the destination of this route is this water card.",)


def test_a_deck_of_one_card_that_is_laid_at_once_is_that_card() -> None:
    assert lines("setup")[1] == "The home island is laid in the middle of the sea."


def test_so_many_times_as_there_are_things_is_for_each_of_them() -> None:
    assert lines("increase")[0].startswith("For every new ship, the player puts a ship ")


def test_who_has_most_of_what_is_counted_wins() -> None:
    assert lines("winner")[1:] == (
        "In a tie, the player who is present on the most islands wins.",
        "If the tie remains, the player who has the most ships in the supply wins.",
        "If there is still a tie, the tied players share the victory.",
    )


def test_what_only_sets_all_back_or_says_where_points_are_listed_has_no_section() -> None:
    model = load("tongiaki").model
    found = {article.name.text for article in sectioned(model)}
    assert {"voyage", "landing"} <= found
    assert not found & {"something_new", "forget_ahead", "origin_of"}


def test_where_only_one_card_can_lie_nobody_chooses_it() -> None:
    assert lines("seek_island")[3] == (
        "  The player chooses a direction in which an ocean card in the South Sea is open."
    )


def test_nobody_else_is_no_player_who_is_somebody_else() -> None:
    assert lines("may_found")[0].endswith("and no other player has a ship there.")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("take_turn", "(solo se non ha nessuna nave nella riserva)"),
        ("some_open_end", "una carta oceano"),
    ],
)
def test_italian_denies_before_the_verb_what_is_none_behind_it(name: str, line: str) -> None:
    assert any(line in said for said in lines(name, "it"))


def test_a_pronoun_never_goes_past_a_sentence_in_which_nobody_does_anything() -> None:
    assert any(
        "Se così viene raggiunta un’isola e il giocatore ha una nave" in line for line in lines("resettle", "it")
    )


@pytest.mark.parametrize(
    ("language", "line"), [("de", ", die auf dem Spielplan liegt und"), ("it", "che è sul tabellone e")]
)
def test_two_clauses_about_a_thing_share_a_pronoun_that_would_be_the_same(language: str, line: str) -> None:
    assert any(line in said for said in lines("look_ahead", language))

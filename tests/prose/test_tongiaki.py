"""What Tongiaki's rules read like: the longest game, and the one whose rules are most like a program."""

from __future__ import annotations

from functools import cache

import pytest

from wongar_dsl.library import load
from wongar_dsl.prose.document import text_of
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.words import Words


@cache
def lines(name: str, language: str = "en") -> tuple[str, ...]:
    """The lines of an article, deeper ones indented."""
    model = load("tongiaki").model
    [article] = (a for a in model.code.articles if a.name.text == name)
    words = Words.load(language)
    plans, account = plan_of(model, article, words)
    units = [*text_of(plans, words, model.name)]
    assert not any(unit.unsaid for unit in units)
    assert [*account.left_over(article.body if hasattr(article, "body") else article.value)] == []
    return tuple("  " * unit.depth + unit.text for unit in units)


def test_what_a_rule_gives_a_name_is_said_once_and_called_by_that() -> None:
    said = lines("voyage_end")
    assert said[0] == "The sailing direction is the direction."
    assert "  The space ahead is now the space one step in the sailing direction from the space ahead." in said


def test_what_was_so_when_it_was_named_is_not_asked_again() -> None:
    said = lines("voyage")
    assert "  The voyage leads into unknown waters if no card lies on the space ahead yet." in said
    assert "    If the voyage leads into unknown waters and all water cards are uncovered:" in said


def test_as_many_tokens_as_lie_there_are_all_of_them() -> None:
    assert lines("stop_on_water") == (
        "Every player moves all their ships from the group of ships at sea onto the last water card of the game.",
    )


def test_an_option_knows_nothing_of_what_another_one_speaks_of() -> None:
    assert not any("the other island" in line for line in lines("emigrate"))


def test_what_nothing_is_done_with_is_a_condition_and_nobody_chooses_it() -> None:
    assert any(
        "(only if the route from this island in this direction leads to an island)" in x for x in lines("emigrate")
    )


def test_branches_that_only_tell_it_differently_are_said_once() -> None:
    assert [line for line in lines("landing") if "puts" in line] == [
        "  The player puts a ship of a player from the group of ships at sea onto a beach of the island on which a "
        "ship may land."
    ]


def test_nobody_is_called_another_player_who_may_be_the_same() -> None:
    assert any(line.endswith("back into that player’s supply.") for line in lines("landing"))


def test_what_is_done_several_times_is_an_option_like_what_is_done_once() -> None:
    assert lines("come_back")[1] == (
        "  put a ship from their supply onto a beach of Tonga on which a berth is free twice "
        "(only if Tonga is on the map);"
    )


def test_where_only_one_card_can_lie_nobody_chooses_it() -> None:
    assert "  The player chooses an ocean card in the South Sea and a direction" in lines("seek_island")[4]


def test_nobody_else_is_no_player_who_is_somebody_else() -> None:
    assert lines("may_found")[0].endswith("and no other player has a ship on the island.")


@pytest.mark.parametrize(
    ("name", "line"),
    [("take_turn", "(solo se non ha nessuna nave nella riserva)"), ("endless", "se in nessuna direzione un pontile")],
)
def test_italian_denies_before_the_verb_what_is_none_behind_it(name: str, line: str) -> None:
    assert any(line in said for said in lines(name, "it"))


def test_a_pronoun_never_goes_past_a_sentence_in_which_nobody_does_anything() -> None:
    assert any("Se un’isola è raggiunta e il giocatore ha una nave" in line for line in lines("resettle", "it"))

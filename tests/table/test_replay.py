"""A match walked through: what each step tells, what is marked, and that going back shows the same."""

from __future__ import annotations

import pytest

from tests.table.test_digest import played
from tests.table.test_forecast import narrator
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.narration.story import Story
from wongar_dsl.table.replay import Replay, Shown

GAMES = {"wongar": 3, "tongiaki": 3, "ubongo": 2, "kuhn_poker": 2}


def walk(match: Match, viewer: int | None) -> Replay:
    return Replay(match, narrator(match), viewer)


def texts(shown: Shown) -> list[str]:
    return [line.text for line in shown.lines]


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_shown_with_who_decided_and_the_position_after_it(name: str) -> None:
    match = played(name, GAMES[name], 2 if name == "kuhn_poker" else 30)
    replay = walk(match, EVERYTHING)
    shown = [replay.at(number) for number in range(len(replay) + 1)]
    assert [one.seat for one in shown] == [None, *(step.seat for step in match.steps)]
    assert shown[-1].state.cells == match.state.cells
    assert [one.state.cells for one in shown[:-1]] == [match.before(number) for number in range(len(match.steps))]


@pytest.mark.parametrize("name", GAMES)
def test_going_back_shows_what_was_shown_on_the_way_there(name: str) -> None:
    match = played(name, GAMES[name], 2 if name == "kuhn_poker" else 30)
    for viewer in (None, 0, EVERYTHING):
        replay = walk(match, viewer)
        there = [(texts(s), s.marked) for s in map(replay.at, range(len(replay) + 1))]
        back = [(texts(s), s.marked) for s in map(replay.at, reversed(range(len(replay) + 1)))]
        assert back == there[::-1]


def test_the_steps_together_tell_each_event_that_the_whole_story_tells() -> None:
    match = played("wongar", 3, 60)
    replay = walk(match, EVERYTHING)
    told = [at for number in range(len(replay) + 1) for line in replay.at(number).lines for at in line.told]
    whole = {at for line in Story(EVERYTHING).tell(narrator(match), match.history()) for at in line.told}
    assert set(told) >= whole
    assert len(told) == len(set(told))


def test_a_step_marks_what_it_changed_and_nothing_that_was_changed_before() -> None:
    match = played("tictactoe", 2, 3)
    replay = walk(match, 0)
    assert replay.at(0).marked == frozenset()
    for number, step in enumerate(match.steps, 1):
        assert replay.at(number).marked == {("cell", step.move.arguments[0])}


def test_there_is_no_step_before_the_first_or_behind_the_last() -> None:
    replay = walk(played("tictactoe", 2, 3), None)
    for number in (-1, 4):
        with pytest.raises(IndexError):
            replay.at(number)

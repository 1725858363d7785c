"""Replay of a match: lines and marks of each step, in both directions."""

from __future__ import annotations

import pytest

from tests.session.test_changes_since import match_after
from tests.session.test_forecast import narrator
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.session.changes import Replay, ReplayPosition

GAMES = {"wongar": 3, "tongiaki": 3, "ubongo": 2, "kuhn_poker": 2}


def replay_of(match: Match, viewer: int | None) -> Replay:
    return Replay(match, narrator(match), viewer)


def texts(shown: ReplayPosition) -> list[str]:
    return [line.text for line in shown.lines]


@pytest.mark.parametrize("name", GAMES)
def test_replay_steps_have_their_seats_and_positions_in_both_directions(name: str) -> None:
    match = match_after(name, GAMES[name], 2 if name == "kuhn_poker" else 20)
    for viewer in (None, 0, EVERYTHING):
        replay = replay_of(match, viewer)
        shown = [replay.at(number) for number in range(len(replay) + 1)]
        assert [view.seat for view in shown] == [None, *(step.seat for step in match.steps)]
        assert [view.state.cells for view in shown] == [match.state_before(n) for n in range(len(match.steps) + 1)]
        back = [(texts(s), s.marked) for s in map(replay.at, reversed(range(len(replay) + 1)))]
        assert back == [(texts(s), s.marked) for s in reversed(shown)]


def test_replay_steps_cover_all_events_of_the_story() -> None:
    match = match_after("wongar", 3, 60)
    replay = replay_of(match, EVERYTHING)
    reported = [index for number in range(len(replay) + 1) for line in replay.at(number).lines for index in line.told]
    whole = {index for line in Story(EVERYTHING).unreported(narrator(match), match.history()) for index in line.told}
    assert set(reported) >= whole
    assert len(reported) == len(set(reported))


def test_replay_step_marks_only_its_own_changes() -> None:
    match = match_after("tictactoe", 2, 3)
    replay = replay_of(match, 0)
    assert replay.at(0).marked == frozenset()
    for number, step in enumerate(match.steps, 1):
        assert replay.at(number).marked == {("cell", step.move.arguments[0])}


def test_steps_out_of_range_are_rejected() -> None:
    replay = replay_of(match_after("tictactoe", 2, 3), None)
    for number in (-1, 4):
        with pytest.raises(IndexError):
            replay.at(number)

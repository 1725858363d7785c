"""Provisional scores if the game ended now: only points counted by the rules at the end, from a seat's information."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.permuter import random_match
from tests.properties.play import game
from tests.session.test_forecast import forecasts, match
from tests.small_games import write_rules
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.engine.game import State
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores

HAND = """
score points
cards card
    plain
    fancy
deck pack of card total 6
    3 plain
    3 fancy
pile talon holds card, seen as a number
hand held of each player holds card, seen by SEEN
setup
    fill talon with pack
    shuffle talon
play
    for each me in player
        me chooses turn
            peek
                move top of talon to held of me
            rest
                nothing
    for each p in player
        p gains count of fancy in held of p points
    end game
winner p
    most points of p
"""
STEPS = """
score points
remember log: number = 0
rule settle()
    for each p in player
        p gains log * position of p points
play
    repeat
        for each me in player
            me chooses turn
                step
                    set log to log + 1
                stop
                    ENDS
    end game
winner p
    most points of p
"""


def scores_after(path: Path, *moves: str, seat: int | None = 0) -> tuple[int, ...] | None:
    """Return the provisional scores after some moves."""
    return provisional_scores(match(path, 2, 1, *moves).state, seat)


def game_with_end(folder: Path, *lines: str) -> Path:
    """Return a game that a player can end with these statements."""
    return write_rules(
        folder, STEPS.replace("ENDS", "\n                    ".join(lines)).replace("    end game\nw", "w")
    )


def test_end_scoring_is_counted(tmp_path: Path) -> None:
    path = game_with_end(tmp_path, "settle()", "end game")
    assert scores_after(path) == (0, 0)
    assert scores_after(path, "step", "step") == (2, 4)


def test_change_of_the_final_count_is_forecast(tmp_path: Path) -> None:
    first, second = forecasts(match(game_with_end(tmp_path, "settle()", "end game")))["step"].standing
    assert first[1] > 0
    assert (first[0], second) == (0, (1, 2 * first[1]))


def test_game_without_end_scoring_has_no_provisional_scores(tmp_path: Path) -> None:
    assert scores_after(game_with_end(tmp_path, "settle()", "set log to 3", "player(1) wins"), "step") is None


def test_ends_with_equal_scoring_are_counted_and_different_ones_not(tmp_path: Path) -> None:
    both = ("if log > 5", "    {}", "    end game", "settle()", "end game")
    assert scores_after(game_with_end(tmp_path, *(line.format("settle()") for line in both)), "step") == (1, 2)
    different_scoring = "player(1) gains 7 points"
    assert scores_after(game_with_end(tmp_path, *(line.format(different_scoring) for line in both)), "step") is None


def test_scoring_that_depends_on_player_or_chance_is_not_counted(tmp_path: Path) -> None:
    for gain in ("me gains 3 points", "player(1) gains position of (random p in player) points"):
        assert scores_after(game_with_end(tmp_path, gain, "end game"), "step") is None


def test_provisional_scores_need_visible_hands(tmp_path: Path) -> None:
    path = write_rules(tmp_path, HAND.replace("SEEN", "all"))
    assert scores_after(path, "peek", seat=0) in ((0, 0), (1, 0))
    assert scores_after(path, "peek", seat=None) == scores_after(path, "peek", seat=0)
    path = write_rules(tmp_path, HAND.replace("SEEN", "owner"))
    assert scores_after(path, "peek", seat=0) is None
    assert scores_after(path, seat=None) is None


@pytest.mark.parametrize(("name", "seats"), [("tongiaki", 2), ("tongiaki", 4), ("wongar", 3), ("ubongo", 2)])
def test_provisional_scores_equal_the_reference_and_change_nothing(name: str, seats: int) -> None:
    found = set[tuple[int, ...]]()
    for length in (0, 5, 20, 60, 120):
        state = random_match(game(name, seats), length, length).state
        before = state.cells.copy()
        for seat in (*range(seats), None):
            scores = provisional_scores(state, seat)
            assert state.cells == before
            if scores is not None:
                found.add(scores)
                cells = before.copy()
                cells[ir.AT_BLOCK] = state.game.program.closing
                load_backend(state.game.program, "reference").run(cells)
                assert scores == State(state.game, cells).scores
    assert (len(found) > 1) is (name == "tongiaki")

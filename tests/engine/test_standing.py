"""How everybody would stand if the game ended now: only what the rules count at its end, and what a seat can know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.permuter import random_match
from tests.properties.play import game, games
from tests.small_games import written
from tests.table.test_forecast import match
from wongar_dsl import ir
from wongar_dsl.backends import BACKENDS, load_backend
from wongar_dsl.engine.game import State
from wongar_dsl.engine.standing import standing
from wongar_dsl.library import load

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


def now(path: Path, *moves: str, seat: int | None = 0) -> tuple[int, ...] | None:
    """How everybody would stand after some moves."""
    return standing(match(path, 2, 1, *moves).state, seat)


def ends(folder: Path, *lines: str) -> Path:
    """A game in which somebody can end it with these statements."""
    return written(folder, STEPS.replace("ENDS", "\n                    ".join(lines)).replace("    end game\nw", "w"))


def test_what_is_counted_at_the_end_is_counted_now(tmp_path: Path) -> None:
    path = ends(tmp_path, "settle()", "end game")
    assert now(path) == (0, 0)
    assert now(path, "step", "step") == (2, 4)


def test_where_nothing_is_counted_at_the_end_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert now(ends(tmp_path, "settle()", "set log to 3", "player(1) wins"), "step") is None


def test_two_ends_with_the_same_count_are_one_and_with_others_none(tmp_path: Path) -> None:
    both = ("if log > 5", "    {}", "    end game", "settle()", "end game")
    assert now(ends(tmp_path, *(line.format("settle()") for line in both)), "step") == (1, 2)
    other = "player(1) gains 7 points"
    assert now(ends(tmp_path, *(line.format(other) for line in both)), "step") is None


def test_what_hangs_on_who_ends_it_or_on_chance_is_not_counted(tmp_path: Path) -> None:
    assert now(ends(tmp_path, "me gains 3 points", "end game"), "step") is None
    assert now(ends(tmp_path, "player(1) gains position of (random p in player) points", "end game"), "step") is None


def test_only_who_sees_all_hands_knows_how_everybody_stands(tmp_path: Path) -> None:
    path = written(tmp_path, HAND.replace("SEEN", "all"))
    assert now(path, "peek", seat=0) in ((0, 0), (1, 0))
    assert now(path, "peek", seat=None) == now(path, "peek", seat=0)
    path = written(tmp_path, HAND.replace("SEEN", "owner"))
    assert now(path, "peek", seat=0) is None
    assert now(path, seat=None) is None


@pytest.mark.parametrize(("name", "seats"), [(n, s) for n, s in games() if s < 5])
def test_it_is_what_the_reference_counts_and_changes_nothing(name: str, seats: int) -> None:
    told = 0
    for length in (0, 5, 20, 60, 120):
        state = random_match(game(name, seats), length, length).state
        before = state.cells.copy()
        for seat in (*range(seats), None):
            found = standing(state, seat)
            assert state.cells == before
            if found is not None:
                told += 1
                cells = before.copy()
                cells[ir.AT_BLOCK] = state.game.program.closing
                load_backend(state.game.program, "reference").run(cells)
                assert found == State(state.game, cells).scores
    assert bool(told) is (name == "tongiaki")


@pytest.mark.parametrize("backend", BACKENDS)
def test_it_is_the_same_on_every_backend(backend: str) -> None:
    cells = random_match(game("tongiaki", 3), 60, 60).state.cells
    found = standing(State(load("tongiaki").game(3, backend=backend), cells), 0)
    assert found == standing(State(game("tongiaki", 3), cells), 0)
    assert found is not None
    assert any(found)

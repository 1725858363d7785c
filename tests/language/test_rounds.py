"""Choices without going round: whoever walks in circles tries every way before it is said that there is none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.library import load

MAZE = """
game maze
    players 1
    source house rule

board room
    grid 3 by 2

figure walker on room

setup
    move walker to a1 quietly

play
    repeat
        for each p in player
            p chooses walk without going round
                go(there: room touching place of walker)
                    move walker to there
                    {exit}
                otherwise
                    forget choices
                    end game

winner p
    most {points}
"""


def maze(tmp_path: Path, backend: str, leads_out: bool) -> Game:
    path = tmp_path / "maze.rules"
    door = "if there is c2\n                        p wins" if leads_out else "nothing"
    path.write_text(MAZE.format(exit=door, points="1"), encoding="utf-8")
    return load(path).game(1, backend=backend)


@pytest.mark.parametrize("backend", ["python", "reference"])
@pytest.mark.parametrize("seed", range(10))
def test_everything_is_tried_before_nothing_is_left(tmp_path: Path, backend: str, seed: int) -> None:
    state, _ = maze(tmp_path, backend, leads_out=False).start(seed)
    dice = random.Random(seed)
    walked: list[tuple[int, str]] = []
    place = state.game.fields["place"].base
    while not state.over:
        move = dice.choice(state.legal_moves())
        walked.append((state.cells[place], state.write(move)))
        state.apply(move)
        assert len(walked) < 200
    # Seven doors, each in both directions.
    assert len(set(walked)) == 14


@pytest.mark.parametrize("seed", range(10))
def test_a_way_out_is_found(tmp_path: Path, seed: int) -> None:
    state, _ = maze(tmp_path, "python", leads_out=True).start(seed)
    steps = 0
    while not state.over:
        # Always the first door: without the memory this would go to and fro for ever.
        state.apply(state.legal_moves()[0])
        steps += 1
        assert steps < 100
    assert state.winners == (0,)


def test_choices_made_less_often_come_first(tmp_path: Path) -> None:
    state, _ = maze(tmp_path, "python", leads_out=False).start(1)
    first = [state.write(m) for m in state.legal_moves()]
    assert first == ["go(a2)", "go(b1)"]
    for text in ("go(a2)", "go(a1)"):
        state.apply(state.read(text))
    assert [state.write(m) for m in state.legal_moves()] == ["go(b1)"]


def test_a_full_memory_takes_no_option_away(tmp_path: Path) -> None:
    path = tmp_path / "maze.rules"
    text = MAZE.format(exit="nothing", points="1").replace("grid 3 by 2", "grid 12 by 12")
    path.write_text(text, encoding="utf-8")
    state, _ = load(path).game(1).start(1)
    dice = random.Random(1)
    # More choices than the memory holds, and more than there are doors.
    for _ in range(600):
        assert not state.over
        state.apply(dice.choice(state.legal_moves()))

"""Winning lines at the end of a game."""

from __future__ import annotations

import pytest

from tests.session.test_forecast import match
from wongar_dsl.session.scene import winning_lines

DRAW = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")


@pytest.mark.parametrize(
    ("game", "moves", "squares"),
    [
        ("tictactoe", ["mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)"], ["a1", "a2", "a3"]),
        ("tictactoe", ["mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"], []),
        ("tictactoe", [f"mark({square})" for square in DRAW], []),
        ("connect_four", [*(("drop(d1)", "drop(a1)") * 3), "drop(d1)"], ["d1", "d2", "d3", "d4"]),
        ("nim", ["take(heap_a, 1)"], []),
    ],
)
def test_only_the_line_that_wins_is_found(game: str, moves: list[str], squares: list[str]) -> None:
    state = match(game, 2, 1, *moves).state
    while game == "nim" and not state.over:
        state.apply(state.legal_moves()[0])
    lines = [state.game.model.boards[board].areas[area] for board, area in winning_lines(state)]
    assert sorted(lines) == squares

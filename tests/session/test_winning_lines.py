"""Winning lines at the end of a game."""

from __future__ import annotations

from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.session.ending.winning_lines import winning_lines


def state_after(game: str, *moves: str) -> State:
    state, _ = load(game).game(2).start(1)
    for move in moves:
        state.apply(state.read(move))
    return state


def line_squares(state: State) -> list[str]:
    return sorted(state.game.model.boards[board].areas[area] for board, area in winning_lines(state))


def test_winning_line_is_found() -> None:
    assert line_squares(state_after("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)")) == [
        "a1",
        "a2",
        "a3",
    ]
    columns = ("drop(d1)", "drop(a1)") * 3
    assert line_squares(state_after("connect_four", *columns, "drop(d1)")) == ["d1", "d2", "d3", "d4"]


def test_running_game_has_no_winning_line() -> None:
    assert line_squares(state_after("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")) == []


def test_draw_has_no_winning_line() -> None:
    draw = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    state = state_after("tictactoe", *(f"mark({square})" for square in draw))
    assert state.over
    assert line_squares(state) == []


def test_games_without_lines_have_no_winning_line() -> None:
    state, _ = load("nim").game(2).start(1)
    while not state.over:
        state.apply(state.legal_moves()[0])
    assert line_squares(state) == []

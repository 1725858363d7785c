"""The lines that a game was played for are known at its end."""

from __future__ import annotations

from wongar_dsl.engine import State
from wongar_dsl.library import load
from wongar_dsl.table.deciding import lines_at_the_end


def played(game: str, *moves: str) -> State:
    state, _ = load(game).game(2).start(1)
    for move in moves:
        state.apply(state.read(move))
    return state


def names(state: State) -> list[str]:
    return sorted(state.game.model.boards[board].areas[area] for board, area in lines_at_the_end(state))


def test_the_line_that_wins_is_known() -> None:
    assert names(played("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)")) == ["a1", "a2", "a3"]
    columns = ("drop(d1)", "drop(a1)") * 3
    assert names(played("connect_four", *columns, "drop(d1)")) == ["d1", "d2", "d3", "d4"]


def test_while_the_game_goes_on_there_is_none() -> None:
    assert names(played("tictactoe", "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")) == []


def test_nobody_wins_without_a_line() -> None:
    draw = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    state = played("tictactoe", *(f"mark({square})" for square in draw))
    assert state.over
    assert names(state) == []


def test_other_games_have_none() -> None:
    state, _ = load("nim").game(2).start(1)
    while not state.over:
        state.apply(state.legal_moves()[0])
    assert names(state) == []

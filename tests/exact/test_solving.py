"""Exact solvers: published values of games, and the Connect Four solver against the rules."""

from __future__ import annotations

from collections import Counter

from tests.exact.solving import (
    DRAWN,
    LOST,
    WON,
    Solver,
    drop_values,
    has_line_of_four,
    late_position,
    reachable,
    solve_four,
    to_bitboards,
)
from wongar_dsl.engine import library


def test_tic_tac_toe_is_a_draw_with_the_published_position_count() -> None:
    game = library.load("tictactoe").game(2)
    solver, states = Solver(game), list(reachable(game))
    assert solver.worth(game.start(0)[0]) == DRAWN
    # 958 of 5,478 positions are final.
    assert len(states) == 4520
    worths = Counter(solver.worth(state) for state in states)
    assert worths.keys() == {WON, DRAWN, LOST}


def test_nim_is_won_by_the_nim_sum() -> None:
    game = library.load("nim").game(2)
    solver = Solver(game)
    heaps = game.copies["matches"]
    for state in reachable(game):
        numbers = [state.cells[address] for _, _, address in heaps]
        balance = numbers[0] ^ numbers[1] ^ numbers[2]
        won = solver.worth(state) == (WON if state.seat == 0 else LOST)
        # The player who takes the last match wins.
        assert won == bool(balance)


def test_line_of_four_is_detected_without_wrapping_around() -> None:
    for step in (1, 6, 7, 8):
        assert has_line_of_four(sum(1 << 3 + 7 + index * step for index in range(4)) if step != 1 else 0b1111)
    # Three at the top of a column and one at the bottom of the next.
    assert not has_line_of_four(0b111 << 3 | 1 << 7)


def test_connect_four_solver_agrees_with_the_rules() -> None:
    cache = dict[tuple[int, int], int]()
    for seed in range(6):
        state = late_position(seed, 7)
        solver = Solver(state.game)
        worths = solver.worth_of_moves(state)
        assert solve_four(*to_bitboards(state), cache) == max(worths.values())
        by_column = {state.write(move)[5]: worth for move, worth in worths.items()}
        assert {"abcdefg"[c]: w for c, w in drop_values(*to_bitboards(state), cache, stop=False).items()} == by_column

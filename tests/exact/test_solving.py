"""The exact solvers: known games have their known worth, and the one for Connect Four agrees with the rules."""

from __future__ import annotations

from collections import Counter

from tests.exact.solving import (
    DRAWN,
    LOST,
    WON,
    Solver,
    connect_four,
    drops,
    following,
    four,
    late,
    reachable,
    solve_four,
)
from wongar_dsl import library


def test_tic_tac_toe_is_a_draw_and_has_the_positions_that_it_is_known_for() -> None:
    game = library.load("tictactoe").game(2)
    solver, states = Solver(game), list(reachable(game))
    assert solver.worth(game.start(0)[0]) == DRAWN
    # Of 5478 positions, 958 are over.
    assert len(states) == 4520
    worths = Counter(solver.worth(state) for state in states)
    assert worths.keys() == {WON, DRAWN, LOST}


def test_nim_is_won_by_the_sum_without_carrying() -> None:
    game = library.load("nim").game(2)
    solver = Solver(game)
    heaps = game.copies["matches"]
    for state in reachable(game):
        numbers = [state.cells[at] for _, _, at in heaps]
        balance = numbers[0] ^ numbers[1] ^ numbers[2]
        won = solver.worth(state) == (WON if state.seat == 0 else LOST)
        # Whoever takes the last match wins.
        assert won == bool(balance)


def test_a_line_of_four_is_seen_in_every_direction_and_not_over_the_edge() -> None:
    for step in (1, 6, 7, 8):
        assert four(sum(1 << 3 + 7 + at * step for at in range(4)) if step != 1 else 0b1111)
    # Three at the top of a column and one at the bottom of the next.
    assert not four(0b111 << 3 | 1 << 7)


def test_the_solver_for_connect_four_agrees_with_the_rules() -> None:
    known = dict[tuple[int, int], int]()
    for seed in range(6):
        state = late(seed, 7)
        solver = Solver(state.game)
        worths = solver.worth_of_moves(state)
        assert solve_four(*connect_four(state), known) == max(worths.values())
        by_column = {state.write(move)[5]: worth for move, worth in worths.items()}
        assert {"abcdefg"[c]: w for c, w in drops(*connect_four(state), known, stop=False).items()} == by_column


def test_twelve_free_squares_are_solved() -> None:
    state = late(3, 12)
    mine, everything = connect_four(state)
    known = dict[tuple[int, int], int]()
    worth = solve_four(mine, everything, known)
    after = [connect_four(next_) for _, next_ in following(state) if not next_.over]
    assert len(after) > 1
    assert all(-solve_four(*board, known) <= worth for board in after)

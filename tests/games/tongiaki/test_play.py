"""Random games of Tongiaki: they end, and no component is lost or doubled.

Thousands of games: `python -m benchmarks.soak --only pieces`.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.games.tongiaki.pieces import check
from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.library import load

SEATS = range(2, 7)
MAX_DECISIONS = 3000


@cache
def game(seats: int, backend: str = "python") -> Game:
    return load("tongiaki").game(seats, backend=backend)


def random_option(state: State, dice: random.Random) -> object:
    """Return a random option, rarely resettlement, which ends games early."""
    decision, moves = state.decision, state.legal_moves()
    assert decision is not None
    others = [m for m in moves if decision.options[m.option].name != "resettle"]
    return dice.choice(others if others and dice.random() < 0.9 else moves)


def play(seats: int, seed: int, checked: bool) -> State:
    state, _ = game(seats).start(seed)
    dice = random.Random(seed)
    for _ in range(MAX_DECISIONS):
        if state.over:
            return state
        if checked:
            check(state)
        state.apply(random_option(state, dice))  # type: ignore[arg-type]
    raise AssertionError(f"{seats} players, seed {seed}: no end after {MAX_DECISIONS} decisions")


@pytest.mark.parametrize("seats", SEATS)
def test_invariants_hold_at_every_decision(seats: int) -> None:
    for seed in range(2):
        state = play(seats, seed, checked=True)
        check(state)
        assert state.winners


@pytest.mark.parametrize("seats", SEATS)
def test_random_games_end(seats: int) -> None:
    runner = game(seats).backend
    for seed in range(1000, 1008):
        cells, dice = runner.start(seed), random.Random(seed)
        runner.run(cells)
        for _ in range(MAX_DECISIONS):
            if cells[ir.AT_DECISION] == ir.OVER:
                break
            if cells[ir.AT_DECISION] != ir.READY:
                runner.choose(cells, dice.choice(runner.options(cells)))
            runner.run(cells)
        state = State(game(seats), cells)
        assert state.over
        check(state)


@pytest.mark.parametrize("seats", [2, 5])
def test_backends_agree(seats: int) -> None:
    quick, slow = game(seats).backend, game(seats, "reference").backend
    first, second, dice = quick.start(seats), slow.start(seats), random.Random(seats)
    quick_events, slow_events = [], []
    for _ in range(MAX_DECISIONS):
        quick.run(first, quick_events)
        slow.run(second, slow_events)
        assert first == second
        if first[ir.AT_DECISION] == ir.OVER:
            break
        if first[ir.AT_DECISION] == ir.READY:
            continue
        options = quick.options(first)
        assert options == slow.options(second)
        option = dice.choice(options)
        quick.choose(first, option)
        slow.choose(second, option)
    assert quick_events == slow_events

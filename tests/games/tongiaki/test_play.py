"""Random games of Tongiaki: they end, and no component is lost or doubled.

Thousands of games: `python -m benchmarks.soak --only pieces`.
"""

from __future__ import annotations

import random

import pytest

from tests.games.tongiaki.pieces import check
from tests.properties.play import game

MAX_DECISIONS = 3000


@pytest.mark.parametrize("seats", range(2, 7))
def test_invariants_hold_at_every_decision(seats: int) -> None:
    state, _ = game("tongiaki", seats).start(seats)
    dice = random.Random(seats)
    for _ in range(MAX_DECISIONS):
        check(state)
        if state.over:
            break
        moves = state.legal_moves()
        # Resettlement ends games early.
        others = [m for m in moves if state.write(m) != "resettle"]
        state.apply(dice.choice(others if others and dice.random() < 0.9 else moves))
    assert state.winners

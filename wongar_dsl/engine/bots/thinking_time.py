"""Simulated thinking time of bots, for games with a clock."""

from __future__ import annotations

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import State
from wongar_dsl.engine.bots.protocol import is_puzzle

#: For each kind of bot (empty: all others), the bounds of its share of the time to solve a puzzle, in thousandths.
PACES = {"": (250, 1050), "quick": (120, 700), "slow": (450, 1350)}
#: Assumed length of a clock without an end, in milliseconds.
UNLIMITED_CLOCK_MS = 60_000


def thinking_time(state: State, kind: str, generator: Generator) -> int:
    """Return the bot's thinking time for the decision in milliseconds, 0 where no clock runs.

    The time is a share of the clock, drawn between two bounds and most likely near their middle. It can exceed the time
    that is left.
    """
    clock = state.clock
    if clock is None:
        return 0
    start, end = clock
    low, high = PACES.get(kind, PACES[""])
    limit = end if end is not None else UNLIMITED_CLOCK_MS
    if is_puzzle(state):
        available = limit - start
    else:
        # Other decisions take much less time than puzzles.
        low, high, available = low // 12, high // 25, limit
    span = (high - low) * available // 1000
    return low * available // 1000 + sum(generator.below(span + 1) for _ in range(3)) // 3

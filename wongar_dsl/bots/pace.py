"""How long a bot takes where a clock runs."""

from __future__ import annotations

from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots.protocol import solves
from wongar_dsl.engine import State

#: Bounds of the part of the clock that a bot of a kind takes to find a solution, in thousandths.
PACES = {"": (250, 1050), "quick": (120, 700), "slow": (450, 1350)}
#: Where the clock has no end, it counts as so long, in milliseconds.
NO_END = 60_000


def thinking_time(state: State, kind: str, generator: Generator) -> int:
    """How long a bot takes for the decision, in milliseconds: nothing where no clock runs.

    The time is a part of what the clock has left, between two bounds and most likely in the middle between them.  It
    can be more than is left.
    """
    clock = state.clock
    if clock is None:
        return 0
    shown, end = clock
    low, high = PACES.get(kind, PACES[""])
    whole = end if end is not None else NO_END
    if solves(state):
        part = whole - shown
    else:
        low, high, part = low // 12, high // 25, whole
    span = (high - low) * part // 1000
    return low * part // 1000 + sum(generator.below(span + 1) for _ in range(3)) // 3

"""Random games of an arm, played and counted as machine code: the very numbers of `counting`, many times as fast."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.backends.native import NativeBackend
from wongar_dsl.backends.native.counting import Counted, Counter, Sizes
from wongar_dsl.bots.pace import NO_END, PACES
from wongar_dsl.lab.columns import BINS, EXACT, GROUP, OCTAVES, PARTS, SPREADS, Columns
from wongar_dsl.lab.tally import Pairs, Tally


class Machine:
    """Plays and counts the games of an arm with bots that take any option."""

    def __init__(self, backend: NativeBackend, columns: Columns) -> None:
        """For the program of a game that notes what it comes to."""
        sizes = Sizes(
            len(columns.keys), 2 * GROUP * len(columns.choices), len(SPREADS), len(SPREADS) * BINS, columns.marks
        )
        self._counter = Counter(backend, _plan(columns), sizes)

    def games(self, seed: int, first: int, last: int, limit: int, rotate: bool, rows: bool) -> Counted:
        """The games of a series from the first number to before the last one.  Raises `RuleFault`."""
        return self._counter.games(seed, first, last, limit, rotate, rows)

    def pairs(self, one: Counted, other: Counted, common: Sequence[tuple[int, int]]) -> Pairs:
        """The differences between games with the same numbers; the rows of both must be there."""
        return Pairs(*self._counter.pairs(one, other, common))


def tally(counted: Counted) -> Tally:
    """The sums as a tally."""
    return Tally(counted.games, counted.ended, **counted.sums)


def _plan(columns: Columns) -> list[int]:
    """What to count, as one row of numbers."""
    low, high = PACES[""]
    head = [
        len(columns.keys), len(columns.choices), len(columns.origins), columns.whole, PARTS, EXACT, OCTAVES, low, high,
        NO_END,
    ]  # fmt: skip
    slots = [slot for decision in columns.slots for slot in decision]
    rows = [[choice, *(n for thing in things for n in thing), 0] for choice, things in slots]
    place = len(head) + len(rows)
    places = []
    for row in rows:
        places.append(place)
        place += len(row)
    return [*head, *places, *(n for row in rows for n in row)]

"""Machine-code runner for random games of an arm; it counts the same numbers as `metric_collector`, much faster."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native.counters import CountedGames, Counter, CounterSizes
from wongar_dsl.engine.bots.thinking_time import PACES, UNLIMITED_CLOCK_MS
from wongar_dsl.lab.statistics.accumulators import PairSums, Tally
from wongar_dsl.lab.statistics.metrics import BINS, EXACT, GROUP, OCTAVES, PARTS, SPREADS, MetricColumns


class NativeRunner:
    """Plays and counts the games of an arm with random bots."""

    def __init__(self, backend: NativeBackend, columns: MetricColumns) -> None:
        """Prepare for the program of a game with marks."""
        sizes = CounterSizes(
            len(columns.keys), 2 * GROUP * len(columns.choices), len(SPREADS), len(SPREADS) * BINS, columns.marks
        )
        self._counter = Counter(backend, _plan(columns), sizes)

    def games(self, seed: int, first: int, last: int, limit: int, rotate: bool, rows: bool) -> CountedGames:
        """Play the games from number `first` to before `last`; raise `RuleFault` for a fault in the rules."""
        return self._counter.games(seed, first, last, limit, rotate, rows)

    def pairs(self, one: CountedGames, other: CountedGames, common: Sequence[tuple[int, int]]) -> PairSums:
        """Return the differences between equally numbered games; both need their rows."""
        return PairSums(*self._counter.pairs(one, other, common))


def tally(counted: CountedGames) -> Tally:
    """Return the sums as a tally."""
    return Tally(counted.games, counted.ended, **counted.sums)


def _plan(columns: MetricColumns) -> list[int]:
    """Return the counting plan as one row of numbers for the machine code."""
    low, high = PACES[""]
    head = [
        len(columns.keys),
        len(columns.choices),
        len(columns.origins),
        columns.win_parts,
        PARTS,
        EXACT,
        OCTAVES,
        low,
        high,
        UNLIMITED_CLOCK_MS,
    ]
    slots = [slot for decision in columns.slots for slot in decision]
    rows = [[choice, *(n for thing in things for n in thing), 0] for choice, things in slots]
    place = len(head) + len(rows)
    places = []
    for row in rows:
        places.append(place)
        place += len(row)
    return [*head, *places, *(n for row in rows for n in row)]

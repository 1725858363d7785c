"""A stream of random numbers made many at a time: the same numbers as `chance` gives one by one.

A block of counters stands in one large integer, a lane of 128 bits for each, of which a counter takes the lower half:
what `chance.mix` does to one is done to all of them at once, and no product leaves its lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from operator import length_hint
from struct import Struct

from wongar_dsl.backends.chance import MASK, Cursor

#: How many numbers are made at first, since few may be wanted, and at most.
FEWEST, MOST = 2, 64


@cache
def _lanes(n: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """For n lanes: 1 in each, their numbers from 1 on, the lower halves, and how these are read."""
    ones = sum(1 << 128 * i for i in range(n))
    return ones, sum(i + 1 << 128 * i for i in range(n)), ones * MASK, Struct("<" + "Q8x" * n).unpack


def _mixed(counters: int, n: int) -> tuple[int, ...]:
    """What `chance.mix` makes of n counters."""
    _, _, low, read = _lanes(n)
    z = ((counters ^ counters >> 30 & low) * 0xBF58476D1CE4E5B9) & low
    z = ((z ^ z >> 27 & low) * 0x94D049BB133111EB) & low
    return read((z ^ z >> 31).to_bytes(16 * n, "little"))


def blocks(cursor: Cursor) -> Iterator[tuple[int, ...]]:
    """The numbers of 64 bits of a stream, more and more of them at a time."""
    counter, step = cursor
    n = FEWEST
    while True:
        ones, places, low, _ = _lanes(n)
        counters = (counter * ones + step * places) & low
        yield _mixed(counters, n)
        if n == MOST:
            break
        counter = (counter + step * n) & MASK
        n = min(4 * n, MOST)
    further = (step * MOST & MASK) * ones
    while True:
        counters = (counters + further) & low
        yield _mixed(counters, MOST)


class Spent(Exception):
    """More numbers are wanted than there may be."""


class Ahead:
    """The numbers of a stream from a cursor on: `next` gives one, as long as not many more than `most` are wanted.

    `used` tells how many it has given, `cursor` where the stream stands then.
    """

    def __init__(self, cursor: Cursor, most: int) -> None:
        self._counter, self._step = cursor
        self._made, self._most = 0, most
        self._block: Iterator[int] = iter(())
        self.numbers = chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterator[int]]:
        for numbers in blocks((self._counter, self._step)):
            if self._made > self._most:
                raise Spent
            self._block = iter(numbers)
            self._made += len(numbers)
            yield self._block

    @property
    def used(self) -> int:
        """How many numbers were given."""
        return self._made - length_hint(self._block)

    @property
    def cursor(self) -> Cursor:
        """Where the stream stands."""
        return (self._counter + self.used * self._step) & MASK, self._step

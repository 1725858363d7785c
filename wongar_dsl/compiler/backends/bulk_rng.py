"""Bulk generation of the random numbers of `rng`, in blocks.

A block of counters is stored in one large integer, in lanes of 128 bits with the counter in the lower half.  The steps
of `rng.mix` are applied to all lanes at once; no product leaves its lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from operator import length_hint
from struct import Struct

from wongar_dsl.compiler.backends.rng import MASK, Cursor

#: Number of values in the first block, which is small because few may be needed, and maximum per block.
MIN_BLOCK, MAX_BLOCK = 2, 64


@cache
def _lanes(n: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Return for n lanes: a 1 in each, the lane numbers from 1, a mask of the lower halves, and a reader."""
    ones = sum(1 << 128 * i for i in range(n))
    return ones, sum(i + 1 << 128 * i for i in range(n)), ones * MASK, Struct("<" + "Q8x" * n).unpack


def _mixed(counters: int, n: int) -> tuple[int, ...]:
    """Return the result of `rng.mix` for each of n counters."""
    _, _, low, read = _lanes(n)
    z = ((counters ^ counters >> 30 & low) * 0xBF58476D1CE4E5B9) & low
    z = ((z ^ z >> 27 & low) * 0x94D049BB133111EB) & low
    return read((z ^ z >> 31).to_bytes(16 * n, "little"))


def blocks(cursor: Cursor) -> Iterator[tuple[int, ...]]:
    """Yield blocks of the 64-bit numbers of a stream, of increasing size."""
    counter, step = cursor
    n = MIN_BLOCK
    while True:
        ones, places, low, _ = _lanes(n)
        counters = (counter * ones + step * places) & low
        yield _mixed(counters, n)
        if n == MAX_BLOCK:
            break
        counter = (counter + step * n) & MASK
        n = min(4 * n, MAX_BLOCK)
    further = (step * MAX_BLOCK & MASK) * ones
    while True:
        counters = (counters + further) & low
        yield _mixed(counters, MAX_BLOCK)


class Exhausted(Exception):
    """Raised when a stream is read beyond its limit."""


class BulkRng:
    """Iterator over the numbers of a stream, `numbers`, that ends soon after `most` values.

    `used` is the number of values read, `cursor` the position of the stream after them.
    """

    def __init__(self, cursor: Cursor, most: int) -> None:
        self._counter, self._step = cursor
        self._made, self._most = 0, most
        self._block: Iterator[int] = iter(())
        self.numbers = chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterator[int]]:
        for numbers in blocks((self._counter, self._step)):
            if self._made > self._most:
                raise Exhausted
            self._block = iter(numbers)
            self._made += len(numbers)
            yield self._block

    @property
    def used(self) -> int:
        """Number of values read."""
        return self._made - length_hint(self._block)

    @property
    def cursor(self) -> Cursor:
        """Position of the stream."""
        return (self._counter + self.used * self._step) & MASK, self._step

"""Native statistics of random games of a program with marks; `c/counters.c` describes the numbers."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wongar_dsl.compiler.backends.native.backend import NativeBackend
from wongar_dsl.compiler.backends.native.emit_tables import COUNT_BITS

_CELL = 8
_NOTHING = 1 << 62


class CounterSizes(NamedTuple):
    """Number of values in a row, of groups, of spreads, of all bins, and of marks."""

    row: int
    groups: int
    spreads: int
    bins: int
    marks: int


class _CounterMemory:
    """Zero-initialised memory, aligned for 128-bit numbers."""

    def __init__(self, cells: int) -> None:
        self._bytes = mmap.mmap(-1, max(1, cells) * _CELL)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes))
        self.cells = memoryview(self._bytes).cast("q")[:cells]

    def wide(self) -> list[int]:
        """Return the content as 128-bit numbers, stored with the low half first."""
        low, high = self.cells[::2].tolist(), self.cells[1::2].tolist()
        return [(above << 64) + below % (1 << 64) for below, above in zip(low, high, strict=True)]


@dataclass(frozen=True, slots=True)
class CountedGames:
    """Statistics of games.

    Number of games, number of finished ones, `sums` as in `lab.metrics.Tally`, the length of each game
    (-1 if unfinished), and the rows of the games, if requested.
    """

    games: int
    ended: int
    sums: Mapping[str, list[int]]
    lengths: array[int]
    width: int
    rows: _CounterMemory | None


#: Buffers in the order of `tally` in `c/counters.c`: 128-bit numbers, 64-bit numbers, and values per game.
_WIDE, _PLAIN, _OF_GAMES = ("sums", "squares", "groups"), ("bins", "least", "most", "marks"), ("lengths", "rows")


class _TallyStruct(ctypes.Structure):
    _fields_ = (
        ("games", ctypes.c_int64),
        ("ended", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in (*_WIDE, *_PLAIN, *_OF_GAMES)),
    )


class Counter:
    """Collector of statistics of random games; `plan` is the encoded list of metrics (see `c/counters.c`)."""

    def __init__(self, backend: NativeBackend, plan: Sequence[int], sizes: CounterSizes) -> None:
        self._backend, self._sizes = backend, sizes
        self._plan = (ctypes.c_int32 * len(plan))(*plan)

    def games(self, seed: int, first: int, last: int, limit: int, rotate: bool, rows: bool) -> CountedGames:
        """Play the games `first` to `last` (exclusive) of a series.  Raises `RuleFault`."""
        assert limit < 1 << COUNT_BITS
        rooms: dict[str, _CounterMemory] = {}
        tally = _TallyStruct()

        def play(address: ctypes.c_void_p) -> int:
            # A run that stops for lack of memory begins again, with empty sums.
            rooms.clear()
            rooms.update(self._rooms(last - first, rows))
            for name, room in rooms.items():
                setattr(tally, name, room.address)
            tally.games = tally.ended = 0
            library = self._backend.library
            return library.tally(address, self._plan, seed, first, last, limit, rotate, ctypes.byref(tally))

        self._backend.run_cancellable(play)
        sums = {name: rooms[name].wide() for name in _WIDE} | {name: rooms[name].cells.tolist() for name in _PLAIN}
        lengths = array("q")
        lengths.frombytes(rooms["lengths"].cells.cast("B"))
        return CountedGames(tally.games, tally.ended, sums, lengths, self._sizes.row, rooms.get("rows"))

    def _rooms(self, games: int, rows: bool) -> dict[str, _CounterMemory]:
        """Return empty buffers."""
        sizes = self._sizes
        rooms = {
            "sums": _CounterMemory(2 * sizes.row),
            "squares": _CounterMemory(2 * sizes.row),
            "groups": _CounterMemory(2 * sizes.groups),
            "bins": _CounterMemory(sizes.bins),
            "least": _CounterMemory(sizes.spreads),
            "most": _CounterMemory(sizes.spreads),
            "marks": _CounterMemory(sizes.marks),
            "lengths": _CounterMemory(games),
        }
        if rows:
            rooms["rows"] = _CounterMemory(games * sizes.row)
        for spread in range(sizes.spreads):
            rooms["least"].cells[spread], rooms["most"].cells[spread] = _NOTHING, -_NOTHING
        return rooms

    def pairs(
        self, one: CountedGames, other: CountedGames, common: Sequence[tuple[int, int]]
    ) -> tuple[int, list[int], list[int]]:
        """Return paired differences of games with equal numbers, second minus first, in the `common` columns.

        Returns the number of games that both finished, the sums, and the sums of squares.  Both must have rows.
        """
        assert one.rows is not None
        assert other.rows is not None
        sums, squares = _CounterMemory(2 * len(common)), _CounterMemory(2 * len(common))
        columns = (ctypes.c_int32 * (2 * len(common)))(*(column for pair in common for column in pair))
        lengths = [(ctypes.c_int64 * len(c.lengths)).from_buffer(c.lengths) for c in (one, other)]
        finished = self._backend.library.pairs(
            one.rows.address, lengths[0], one.width, other.rows.address, lengths[1], other.width, len(one.lengths),
            columns, len(common), sums.address, squares.address,
        )  # fmt: skip
        return finished, sums.wide(), squares.wide()

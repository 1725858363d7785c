"""Backend that runs a program as machine code.  Runs with events or external dice use the Python backend."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from functools import cached_property, partial
from typing import NamedTuple

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.bulk import Backend
from wongar_dsl.compiler.backends.native.generator import COUNT_BITS, ZONE_KINDS
from wongar_dsl.compiler.backends.native.library import (
    MAX_MEMORY_BYTES,
    CountedLevel,
    Library,
    OptionStatsRow,
    RunMemory,
    StopReason,
    Stream,
)
from wongar_dsl.compiler.backends.protocol import (
    CancelToken,
    CellRange,
    CycleQuery,
    Dice,
    NoCompiler,
    Option,
    OptionStats,
    PerftLevel,
    PlayoutResult,
    RawEvent,
    RuleFault,
    State,
    VisibilityMask,
    ZoneCopy,
    signed,
)
from wongar_dsl.compiler.backends.rng import Cursor

# ---- visibility ----------------------------------------------------------------------------------------------------


def mask_row(mask: VisibilityMask) -> list[int]:
    """Return the encoded sight."""
    parts = [
        [len(mask.hidden_zones), *(n for sort in mask.hidden_zones for n in _zones(sort))],
        *([*_cell_ranges(shown.ranges), *_zones(shown.sizes)] for shown in mask.visible_cells),
        *([*_cell_ranges(opened)] for opened in mask.revealed),
    ]
    head = [mask.seat, int(mask.complete)]
    place = len(head) + len(parts)
    for part in parts:
        head.append(place)
        place += len(part)
    return [*head, *(n for part in parts for n in part)]


def _cell_ranges(ranges: tuple[CellRange, ...]) -> Iterator[int]:
    yield len(ranges)
    for first, end in ranges:
        yield first
        yield end


def _zones(spots: tuple[ZoneCopy, ...]) -> Iterator[int]:
    yield len(spots)
    for spot in spots:
        place = spot.field
        yield from (ZONE_KINDS.index(place.kind), spot.at, place.width, len(place.never), *place.never)


# ---- batches -------------------------------------------------------------------------------------------------------


_LONG, _POINTER = ctypes.c_int64, ctypes.c_void_p


class NoAction(Exception):
    """Raised for a state with an option that has no action; `number` is the index of the state."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(str(number))


class BatchLayout(ctypes.Structure):
    """C struct `batch` with the addresses of the arrays."""

    _fields_ = (
        ("actions", _LONG), ("entries", _LONG), ("option_of", _POINTER), ("numberings", _POINTER), ("seen", _POINTER),
        ("cells", _POINTER), ("mask", _POINTER), ("seat", _POINTER), ("length", _POINTER), ("done", _LONG),
    )  # fmt: skip


class ArrayAddresses(NamedTuple):
    """Addresses of the arrays: action numbering, observation entries, states, masks, seats, lengths."""

    option_of: int
    numberings: int
    seen: int
    cells: int
    mask: int
    seat: int
    length: int


class BatchRunner:
    """Batch stepper, and player of random games, for one thread at a time; array arguments are addresses."""

    def __init__(
        self,
        program: ir.Program,
        library: Library,
        actions: int = 0,
        entries: int = 0,
        addresses: ArrayAddresses | None = None,
    ) -> None:
        """Set up the stepper.  The arrays must live as long as this object; random games need none."""
        self._program, self._library = program, library
        self._memory = RunMemory(library)
        self._layout = BatchLayout(actions, entries, *(addresses or (None,) * 7), 0)
        #: Address of the layout, which functions without memory of a run take first.
        self.layout = ctypes.c_void_p(ctypes.addressof(self._layout))

    def run(self, function: Callable[..., int], first: int, *arguments: int) -> None:
        """Run a function of the library over the states from `first` on.  Raises RuleFault and NoAction."""
        self._run_with_memory(lambda address, done: function(address, self.layout, done, *arguments), first)

    def playouts(self, seed: int, first: int, last: int, limit: int, addresses: int, count: int, results: int) -> None:
        """Play random games of a series; write the length, winners and some cells of each.  Raises RuleFault."""
        finished = ctypes.c_int64()
        row = 8 * (2 + count)

        def play(address: ctypes.c_void_p, game: int) -> int:
            target = results + row * (game - first)
            stopped = self._library.batch_playouts(address, seed, game, last, limit, addresses, count, target, finished)
            self._layout.done = finished.value
            return stopped

        self._run_with_memory(play, first)

    def _run_with_memory(self, function: Callable[[ctypes.c_void_p, int], int], first: int) -> None:
        """Run a function over the states; if it runs out of memory, continue from that state with twice as much."""
        self._layout.done = first
        while True:
            stopped = function(self._memory.address, self._layout.done)
            match stopped:
                case StopReason.NOT_STOPPED:
                    return
                case StopReason.FAULTED:
                    raise RuleFault(self._program.faults[self._library.fault(self._memory.address)])
                case StopReason.NO_ROOM if self._memory.room < MAX_MEMORY_BYTES:
                    self._memory = RunMemory(self._library, 2 * self._memory.room)
                case StopReason.NO_ROOM:
                    raise MemoryError
                case _:
                    raise NoAction(self._layout.done)


# ---- backend -------------------------------------------------------------------------------------------------------


class NativeBackend(Backend):
    """Backend that runs a program as machine code."""

    name = "native"
    #: Maximum number of cells for single steps in machine code; copying a larger state takes longer than Python does.
    LARGE = 20_000

    def __init__(self, program: ir.Program, cache: Cache | None, plain: Callable[[], Backend]) -> None:
        """Compile or load the program.

        `cache` stores the library; `plain` creates the backend for runs with events.  Raises NoCompiler.
        """
        self.program = program
        self.library = Library(program, cache)
        self._make_plain = plain
        try:
            self._idle = [RunMemory(self.library)]
        except OSError as error:  # There is not enough memory, while Python needs little.
            raise NoCompiler(str(error)) from error
        self._reached: set[int] = set()
        self._widths = [[1 + len(o.addresses) for o in d.options] for d in program.decisions]

    @property
    def reached_marks(self) -> set[int]:
        """Implement `Backend.reached_marks`."""
        for memory in self._idle:
            self._reached |= memory.take_marks()
        if "stepping_backend" in self.__dict__:
            self._reached |= self.stepping_backend.reached_marks
            self.stepping_backend.reached_marks.clear()
        return self._reached

    @cached_property
    def stepping_backend(self) -> Backend:
        """Implement `Backend.stepping_backend`."""
        return self._make_plain()

    @cached_property
    def _large(self) -> bool:
        return self.program.size > self.LARGE

    def start(self, seed: int) -> State:
        """Implement `Backend.start`."""
        if self._large:
            return self.stepping_backend.start(seed)
        with self._memory() as [memory]:
            self.library.start(memory.address, seed)
            return memory.state

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Implement `Backend.run`."""
        if events is not None or dice is not None or self._large:
            self.stepping_backend.run(state, events, dice)
        else:
            with self._run_with_memory(self.library.run, state):
                pass

    def advance(self, state: State) -> list[Option]:
        """Implement `Backend.advance`."""
        if self._large:
            return self.stepping_backend.advance(state)
        with self._run_with_memory(self.library.advance, state) as memory:
            return self._listed(memory, state)

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`."""
        if self._large:
            return self.stepping_backend.options(state)
        with self._run_with_memory(self.library.options, state) as memory:
            return self._listed(memory, state)

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """Implement `Backend.evaluate`."""
        return self.stepping_backend.evaluate(state, procedure, arguments)

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        fuel_left, verdict = ctypes.c_int32(), ctypes.c_int32()

        def search(address: ctypes.c_void_p) -> int:
            fuel_left.value = fuel
            return self.library.search(address, *astuple(query), fuel_left, verdict)

        with self._run_with_memory(search, state.copy()):
            return ir.CycleVerdict(verdict.value), fuel_left.value

    # ---- bulk work ----

    def playout(self, state: State, rng: Cursor, limit: int) -> tuple[int, Cursor]:
        """Implement `Backend.playout`."""
        length, stream = ctypes.c_int64(), Stream()

        def play(address: ctypes.c_void_p) -> int:
            stream.counter, stream.step = rng
            return self.library.playout(address, stream, limit, length)

        with self._run_with_memory(play, state):
            return length.value, (stream.counter, stream.step)

    def playouts(self, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """Implement `Backend.playouts`."""
        decisions, fingerprint = ctypes.c_int64(), ctypes.c_uint64()

        def play(address: ctypes.c_void_p) -> int:
            decisions.value = fingerprint.value = 0
            return self.library.playouts(address, seed, first, last, limit, decisions, fingerprint)

        self.run_cancellable(play)
        return decisions.value, fingerprint.value

    def outcomes(self, state: State, options: Sequence[Option], seed: int, limit: int) -> list[PlayoutResult]:
        """Implement `Backend.outcomes`."""
        width, seats = self.library.row, self.program.seats
        rows = _row([n for option in options for n in (*option, *(0,) * (width - len(option)))])
        results = (ctypes.c_int64 * (len(options) * (1 + seats)))()

        def play(address: ctypes.c_void_p) -> int:
            return self.library.outcomes(address, rows, len(options), seed, limit, results)

        with self._run_with_memory(play, state.copy()):
            games = (results[start : start + 1 + seats] for start in range(0, len(results), 1 + seats))
            scored = self.program.score is not None
            return [PlayoutResult(winners, tuple(scores) if scored else ()) for winners, *scores in games]

    def determinize(self, state: State, mask: VisibilityMask, rng: Cursor) -> Cursor:
        """Implement `Backend.determinize`."""
        stream = Stream()
        visibility = _row(mask_row(mask))

        def sample(address: ctypes.c_void_p) -> int:
            stream.counter, stream.step = rng
            return self.library.deal(address, visibility, stream)

        with self._run_with_memory(sample, state):
            return stream.counter, stream.step

    def evaluate_options(
        self,
        state: State,
        mask: VisibilityMask,
        worlds: Sequence[State],
        iterations: int,
        seed: int,
        cancel: CancelToken,
    ) -> list[OptionStats]:
        """Implement `Backend.evaluate_options`."""
        visibility, rows = _row(mask_row(mask)), (OptionStatsRow * len(self.options(state)))()
        cells = [cell for world in worlds for cell in signed(world.copy())]
        world_cells = (ctypes.c_int64 * len(cells))(*cells)

        def evaluate(address: ctypes.c_void_p) -> int:
            try:
                with cancel.on_cancel(partial(self.library.halt, address, True)):
                    return self.library.weigh(address, visibility, world_cells, len(worlds), iterations, seed, rows)
            finally:
                self.library.halt(address, False)

        with self._run_with_memory(evaluate, state.copy()):
            return [
                OptionStats(r.visits, r.value, r.share, (r.sure, r.sure_share) if r.sure >= 0 else None) for r in rows
            ]

    def perft(self, seed: int, depth: int, chance: bool) -> Iterator[PerftLevel]:
        """Implement `Backend.perft`."""
        levels, level_count = (CountedLevel * (depth + 1))(), ctypes.c_int32()

        def search(address: ctypes.c_void_p) -> int:
            return self.library.perft(address, seed, depth, chance, levels, level_count)

        self.run_cancellable(search)
        for level in levels[: level_count.value]:
            yield PerftLevel(_wide_number(level.courses), level.different, _wide_number(level.over))

    def run_cancellable(self, function: Callable[[ctypes.c_void_p], int]) -> None:
        """Run a long function in a thread, again with more memory if it has too little.  Raises `RuleFault`."""
        with ThreadPoolExecutor(1) as thread, self._run_with_memory(partial(self._watched, thread, function)):
            pass

    def batch_runner(self, actions: int = 0, entries: int = 0, at: ArrayAddresses | None = None) -> BatchRunner:
        """Return a batch stepper for states in arrays."""
        return BatchRunner(self.program, self.library, actions, entries, at)

    def _watched(self, thread: Executor, function: Callable[[ctypes.c_void_p], int], address: ctypes.c_void_p) -> int:
        """Run a function in a thread; if this thread is interrupted, the run is cancelled."""
        result = thread.submit(function, address)
        try:
            return result.result()
        except BaseException:
            self.library.halt(address, True)
            while not result.done():
                # The memory stays in use until the run has stopped, even after further interrupts.
                with suppress(KeyboardInterrupt):
                    wait((result,))
            self.library.halt(address, False)
            raise

    # ---- memory ----

    @contextmanager
    def _run_with_memory(
        self, function: Callable[[ctypes.c_void_p], int], state: State | None = None
    ) -> Iterator[RunMemory]:
        """Run a function on a copy of the state in memory that grows if needed; copy it back.  Raises RuleFault."""
        with self._memory() as used:
            while True:
                [memory] = used
                if state is not None:
                    memory.state = state
                stopped = function(memory.address)
                if stopped != StopReason.NO_ROOM:
                    break
                if memory.room >= MAX_MEMORY_BYTES:
                    raise MemoryError
                self._reached |= memory.take_marks()
                used[:] = [RunMemory(self.library, 2 * memory.room)]
            if state is not None:
                state[:] = memory.state
            if stopped == StopReason.FAULTED:
                raise RuleFault(self.program.faults[self.library.fault(memory.address)])
            yield memory

    @contextmanager
    def _memory(self) -> Iterator[list[RunMemory]]:
        """Reserve memory for a run, in a list, so that it can be replaced by a larger one."""
        try:
            used = [self._idle.pop()]
        except IndexError:
            used = [RunMemory(self.library)]
        try:
            yield used
        finally:
            self._idle += used

    def _listed(self, memory: RunMemory, state: State) -> list[Option]:
        decision = state[ir.AT_DECISION]
        return memory.options(self._widths[decision]) if decision >= 0 else []


def _row(values: Sequence[int]) -> ctypes.Array[ctypes.c_int32]:
    return (ctypes.c_int32 * len(values))(*values)


def _wide_number(halves: Sequence[int]) -> int:
    """Return a 128-bit number from its halves, the low one first."""
    low, high = halves
    return high << 64 | low


# ---- statistics of random games ------------------------------------------------------------------------------------


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

    Number of games, number of finished ones, `sums` as in `lab.statistics.accumulators.Tally`, the length of each game
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
        row, groups, spreads, bins, marks = self._sizes
        cells = (2 * row, 2 * row, 2 * groups, bins, spreads, spreads, marks, games)
        rooms = {name: _CounterMemory(size) for name, size in zip((*_WIDE, *_PLAIN, "lengths"), cells, strict=True)}
        if rows:
            rooms["rows"] = _CounterMemory(games * row)
        for spread in range(spreads):
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

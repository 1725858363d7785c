"""Backend that runs a program as machine code.  Runs with events or external dice use the Python backend."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import astuple
from functools import cached_property, partial

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.native.batch import ArrayAddresses, BatchRunner
from wongar_dsl.compiler.backends.native.compiler import NoCompiler
from wongar_dsl.compiler.backends.native.library import CountedLevel, Library, OptionStatsRow, StopReason, Stream
from wongar_dsl.compiler.backends.native.run_memory import MAX_MEMORY_BYTES, RunMemory
from wongar_dsl.compiler.backends.native.visibility_table import mask_row
from wongar_dsl.compiler.backends.protocol import (
    Backend,
    CancelToken,
    CycleQuery,
    Dice,
    Option,
    OptionStats,
    PerftLevel,
    PlayoutResult,
    RawEvent,
    RuleFault,
    State,
)
from wongar_dsl.compiler.backends.rng import Cursor
from wongar_dsl.compiler.backends.state_codec import signed, write_choice
from wongar_dsl.compiler.backends.visibility_mask import VisibilityMask


class NativeBackend:
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

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """Implement `Backend.choose`."""
        write_choice(self.program, state, option, time)

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

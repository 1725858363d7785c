"""Functions of a compiled library with their C types, and the memory of its runs."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable
from enum import IntEnum
from typing import Any, cast

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.native.compiler import compile_library
from wongar_dsl.compiler.backends.native.generator import generate
from wongar_dsl.compiler.backends.protocol import NoCompiler, Option, State, signed, unsigned

# ---- library -------------------------------------------------------------------------------------------------------


_INT, _LONG, _UNSIGNED, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p


class StopReason(IntEnum):
    """Reason why a run stopped; `NOT_STOPPED` if it did not, `DICE_OPEN` at a roll that the caller decides."""

    NOT_STOPPED = 0
    GAME_OVER = 1
    FAULTED = 2
    NO_ROOM = 3
    DICE_OPEN = 4
    HALTED = 5


class Stream(ctypes.Structure):
    """C struct of `rng.Cursor`, the position of a random stream."""

    _fields_ = (("counter", _UNSIGNED), ("step", _UNSIGNED))


class CountedLevel(ctypes.Structure):
    """C struct of `protocol.PerftLevel`, with 128-bit counts in halves, the low one first."""

    _fields_ = (("courses", _UNSIGNED * 2), ("different", _UNSIGNED), ("over", _UNSIGNED * 2))


class OptionStatsRow(ctypes.Structure):
    """C struct of `protocol.OptionStats`, with -1 if nothing is proven."""

    _fields_ = (("visits", _LONG), ("value", _LONG), ("share", _LONG), ("sure", _LONG), ("sure_share", _LONG))


#: Maximum number of blocks of a compiled program, and of blocks times characters of C.  A compiler takes about 5 s for
#: that, and its time grows with both.
MAX_BLOCKS, MAX_COMPILE_WORK = 2_000, 600_000_000


def too_large(program: ir.Program) -> bool:
    """Return whether a program is too large to be compiled, so that Python runs it."""
    return _source(program) is None


def _source(program: ir.Program) -> str | None:
    if len(program.blocks) > MAX_BLOCKS:
        return None
    source = generate(program)
    return source if len(program.blocks) * len(source) <= MAX_COMPILE_WORK else None


class Library:
    """Functions of a program as machine code.  Their first argument is the address of a run's memory."""

    def __init__(self, program: ir.Program, cache: Cache | None) -> None:
        """Compile or load the program.  Raises NoCompiler."""
        source = _source(program)
        if source is None:
            raise NoCompiler("too large")
        library = compile_library(source, cache)
        sizes = (_INT * 4).in_dll(library, "game_sizes")
        self.size, self.row, self.marks, self.run_bytes = sizes

        def function(name: str, result: Any, *arguments: Any) -> Callable[..., int]:
            entry = getattr(library, f"game_{name}")
            entry.restype, entry.argtypes = result, (_POINTER, *arguments)
            return cast(Callable[..., int], entry)

        self.make = function("make", None, _UNSIGNED)
        self.cells = function("cells", _POINTER)
        self.listed = function("listed", _POINTER)
        self.count = function("count", _INT)
        self.fault = function("fault", _INT)
        self.marked = function("marks", _POINTER)
        self.halt = function("halt", None, _INT)
        self.start = function("start", None, _UNSIGNED)
        self.run = function("run", _INT)
        self.advance = function("advance", _INT)
        self.options = function("options", _INT)
        numbers = (_INT, _LONG, _INT, _INT)
        self.search = function("search", _INT, *numbers, ctypes.POINTER(_INT), ctypes.POINTER(_INT))
        self.playout = function("playout", _INT, ctypes.POINTER(Stream), _LONG, ctypes.POINTER(_LONG))
        series = (_UNSIGNED, _LONG, _LONG, _LONG)
        self.playouts = function("playouts", _INT, *series, ctypes.POINTER(_LONG), ctypes.POINTER(_UNSIGNED))
        longs = ctypes.POINTER(_LONG)
        self.outcomes = function("outcomes", _INT, ctypes.POINTER(_INT), _INT, _UNSIGNED, _LONG, longs)
        sight = ctypes.POINTER(_INT)
        self.deal = function("deal", _INT, sight, ctypes.POINTER(Stream))
        tried = (ctypes.POINTER(OptionStatsRow),)
        self.weigh = function("weigh", _INT, sight, ctypes.POINTER(_LONG), _INT, _LONG, _UNSIGNED, *tried)
        if program.marks:
            games = (_UNSIGNED, _LONG, _LONG, _LONG, _INT)
            self.tally = function("tally", _INT, sight, *games, _POINTER)
            both = (_POINTER, _LONG, _POINTER, _POINTER, _LONG, _LONG)
            self.pairs = function("pairs", _LONG, *both, ctypes.POINTER(_INT), _INT, _POINTER, _POINTER)
        levels = (ctypes.POINTER(CountedLevel), ctypes.POINTER(_INT))
        self.perft = function("perft", _INT, _UNSIGNED, _INT, _INT, *levels)
        span, many = (_LONG, _LONG), (_POINTER, _LONG, _LONG)
        self.batch_start = function("batch_start", _INT, *many, _POINTER, _UNSIGNED, _POINTER)
        self.batch_step = function("batch_step", _INT, *many, _POINTER)
        self.batch_wrong = function("batch_wrong", _LONG, *span, _POINTER)
        self.batch_sample = function("batch_sample", None, *span, _POINTER, _POINTER)
        self.batch_observe = function("batch_observe", None, *span, _POINTER, _POINTER)
        playouts = (_POINTER, _LONG, _POINTER, ctypes.POINTER(_LONG))
        self.batch_playouts = function("batch_playouts", _INT, *series, *playouts)


# ---- memory of a run -----------------------------------------------------------------------------------------------


#: Size of the work area in bytes, initially and at most.
INITIAL_MEMORY_BYTES, MAX_MEMORY_BYTES = 64 << 20, 8 << 30
_CELL, _NUMBER = 8, 4


class RunMemory:
    """Memory of one run, for one thread at a time."""

    def __init__(self, library: Library, room: int = 0) -> None:
        """Allocate the memory, with a work area of `INITIAL_MEMORY_BYTES` by default.  Raises OSError if there is not
        enough.
        """
        self.library = library
        self.room = room or INITIAL_MEMORY_BYTES
        self._bytes = mmap.mmap(-1, library.run_bytes + self.room)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes))
        self.address = ctypes.c_void_p(begin)
        library.make(self.address, library.run_bytes + self.room)
        view = memoryview(self._bytes)
        cells = library.cells(self.address) - begin
        self._cells = view[cells : cells + _CELL * library.size].cast("q")
        self._options = library.listed(self.address) - begin
        self._marks = library.marked(self.address) - begin
        self._view = view

    @property
    def state(self) -> State:
        """State of the run."""
        return unsigned(self._cells.tolist())

    @state.setter
    def state(self, state: State) -> None:
        self._cells[:] = array("q", signed(state.copy()))

    def options(self, widths: list[int]) -> list[Option]:
        """Return the options that the run has listed.  `widths` are the lengths of the options of the decision."""
        row = self.library.row
        count = self.library.count(self.address)
        numbers = self._view[self._options : self._options + _NUMBER * row * count].cast("i").tolist()
        return [tuple(numbers[i : i + widths[numbers[i]]]) for i in range(0, row * count, row)]

    def take_marks(self) -> set[int]:
        """Return the marks reached by runs in this memory, and clear them."""
        marks = self._view[self._marks : self._marks + self.library.marks]
        reached = {number for number, mark in enumerate(marks) if mark}
        if reached:
            marks[:] = bytes(self.library.marks)
        return reached

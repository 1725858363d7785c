"""Memory of a native run: state, listed options, and a growing work area.

Untouched pages cost nothing, so a run begins with more memory than games need.  A run that stops for lack of memory is
repeated with twice as much.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array

from wongar_dsl.compiler.backends.native.library import Library
from wongar_dsl.compiler.backends.protocol import Option, State
from wongar_dsl.compiler.backends.state_codec import signed, unsigned

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

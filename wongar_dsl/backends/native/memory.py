"""The memory of a run: its state, what it lists, and room for what grows.

Memory that is not touched costs nothing, so that a run begins with more room than games need; what stops for want of
room is begun again with twice as much.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array

from wongar_dsl.backends.native.library import Library
from wongar_dsl.backends.protocol import Option, State
from wongar_dsl.backends.states import signed, unsigned

#: So much room, in bytes, a run has at first, and at the most.
FIRST_ROOM, MOST_ROOM = 64 << 20, 8 << 30
_CELL, _NUMBER = 8, 4


class Memory:
    """The memory of one run, used by one thread at a time."""

    def __init__(self, library: Library, room: int = 0) -> None:
        """With so much room, else with `FIRST_ROOM`; raises OSError where there is not so much."""
        self.library = library
        self.room = room or FIRST_ROOM
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
        """The state that the run has come to."""
        return unsigned(self._cells.tolist())

    @state.setter
    def state(self, state: State) -> None:
        self._cells[:] = array("q", signed(state.copy()))

    def options(self, widths: list[int]) -> list[Option]:
        """What the run has listed; `widths` are how many numbers each option of the decision has."""
        row = self.library.row
        count = self.library.count(self.address)
        numbers = self._view[self._options : self._options + _NUMBER * row * count].cast("i").tolist()
        return [tuple(numbers[i : i + widths[numbers[i]]]) for i in range(0, row * count, row)]

    def take_reached(self) -> set[int]:
        """The marks that runs in this memory have come to since they were taken last."""
        marks = self._view[self._marks : self._marks + self.library.marks]
        found = {number for number, mark in enumerate(marks) if mark}
        if found:
            marks[:] = bytes(self.library.marks)
        return found

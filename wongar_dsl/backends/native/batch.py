"""Many states side by side as machine code, in memory that others lay out: `c/batch.c` says what stands where."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import astuple, dataclass

from wongar_dsl import ir
from wongar_dsl.backends.native.library import Library, Stopped
from wongar_dsl.backends.native.memory import MOST_ROOM, Memory
from wongar_dsl.backends.protocol import RuleFault

_INT, _LONG, _UNSIGNED, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p


class NoAction(Exception):
    """A state in which an option has no action; `number` is which."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(str(number))


class Layout(ctypes.Structure):
    """Where the arrays of a batch stand: `batch` in C."""

    _fields_ = (
        ("actions", _LONG), ("entries", _LONG), ("option_of", _POINTER), ("numberings", _POINTER), ("seen", _POINTER),
        ("cells", _POINTER), ("mask", _POINTER), ("seat", _POINTER), ("length", _POINTER), ("done", _LONG),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of arrays: how actions are numbered and what seats see, then the states, masks, seats, lengths."""

    option_of: int
    numberings: int
    seen: int
    cells: int
    mask: int
    seat: int
    length: int


class Rows:
    """What carries out the steps of a batch, or whole games; used by one thread at a time."""

    def __init__(
        self, program: ir.Program, library: Library, actions: int = 0, entries: int = 0, at: Addresses | None = None
    ) -> None:
        """The arrays must live as long as this does; whole games need none."""
        self._program, self._library = program, library
        self._memory = Memory(library)
        self._layout = Layout(actions, entries, *(astuple(at) if at is not None else (None,) * 7), 0)
        self._at = ctypes.c_void_p(ctypes.addressof(self._layout))

    def start(self, first: int, last: int, marked: int, seed: int, numbers: int) -> None:
        """Begin the states that are marked; raises RuleFault and NoAction."""

        def begin(address: ctypes.c_void_p, done: int) -> int:
            return self._library.batch_start(address, self._at, done, last, marked, seed, numbers)

        self._carried_out(begin, first)

    def wrong(self, first: int, last: int, taken: int) -> int:
        """The first state that is not over and in which an action is not legal, -1 where there is none."""
        return self._library.batch_wrong(self._at, first, last, taken)

    def step(self, first: int, last: int, taken: int) -> None:
        """Take a legal action in each state that is not over; raises RuleFault and NoAction."""

        def step(address: ctypes.c_void_p, done: int) -> int:
            return self._library.batch_step(address, self._at, done, last, taken)

        self._carried_out(step, first)

    def sample(self, first: int, last: int, lucks: int, taken: int) -> None:
        """A legal action for each state."""
        self._library.batch_sample(self._at, first, last, lucks, taken)

    def observe(self, first: int, last: int, viewers: int, vectors: int) -> None:
        """What a seat sees of each state."""
        self._library.batch_observe(self._at, first, last, viewers, vectors)

    def playouts(self, seed: int, first: int, last: int, limit: int, asked: int, answers: int, told: int) -> None:
        """Random games of a series; raises RuleFault."""
        done = ctypes.c_int64()
        row = 8 * (2 + answers)

        def play(address: ctypes.c_void_p, begin: int) -> int:
            at = told + row * (begin - first)
            stopped = self._library.batch_playouts(address, seed, begin, last, limit, asked, answers, at, done)
            self._layout.done = done.value
            return stopped

        self._carried_out(play, first)

    def _carried_out(self, function: Callable[[ctypes.c_void_p, int], int], first: int) -> None:
        """Carry out what goes through the states, with more memory from where it had too little."""
        self._layout.done = first
        while True:
            stopped = function(self._memory.address, self._layout.done)
            match stopped:
                case Stopped.GOES_ON:
                    return
                case Stopped.FAULTED:
                    raise RuleFault(self._program.faults[self._library.fault(self._memory.address)])
                case Stopped.NO_ROOM if self._memory.room < MOST_ROOM:
                    self._memory = Memory(self._library, 2 * self._memory.room)
                case Stopped.NO_ROOM:
                    raise MemoryError
                case _:
                    raise NoAction(self._layout.done)

"""Native batch stepper for states in caller-owned arrays; `c/batch.c` describes the layout."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import astuple, dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.native.library import Library, StopReason
from wongar_dsl.compiler.backends.native.run_memory import MAX_MEMORY_BYTES, RunMemory
from wongar_dsl.compiler.backends.protocol import RuleFault

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


@dataclass(frozen=True, slots=True)
class ArrayAddresses:
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
        self._layout = BatchLayout(actions, entries, *(astuple(addresses) if addresses is not None else (None,) * 7), 0)
        self._layout_address = ctypes.c_void_p(ctypes.addressof(self._layout))

    def start(self, first: int, last: int, restarted: int, seed: int, numbers: int) -> None:
        """Start the marked states, each with the seed of its game number.  Raises RuleFault and NoAction."""

        def begin(address: ctypes.c_void_p, done: int) -> int:
            return self._library.batch_start(address, self._layout_address, done, last, restarted, seed, numbers)

        self._run_with_memory(begin, first)

    def first_illegal(self, first: int, last: int, chosen: int) -> int:
        """Return the first unfinished state with an illegal action, -1 if there is none."""
        return self._library.batch_wrong(self._layout_address, first, last, chosen)

    def step(self, first: int, last: int, chosen: int) -> None:
        """Apply a legal action to each unfinished state.  Raises RuleFault and NoAction."""

        def step(address: ctypes.c_void_p, done: int) -> int:
            return self._library.batch_step(address, self._layout_address, done, last, chosen)

        self._run_with_memory(step, first)

    def sample(self, first: int, last: int, streams: int, chosen: int) -> None:
        """Write a random legal action for each state."""
        self._library.batch_sample(self._layout_address, first, last, streams, chosen)

    def observe(self, first: int, last: int, viewers: int, vectors: int) -> None:
        """Write the observation of a viewer for each state."""
        self._library.batch_observe(self._layout_address, first, last, viewers, vectors)

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

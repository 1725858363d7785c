"""Stepper behind `batches.Batch`: runs the games of a batch in native code, or in Python with the same results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wongar_dsl.adapters.actions import Actions
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.auto import AutoBackend
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native.batch import ArrayAddresses, BatchRunner, NoAction
from wongar_dsl.compiler.backends.rng import Purpose, derive, draw, start
from wongar_dsl.compiler.backends.state_codec import signed, unsigned
from wongar_dsl.engine import Game

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]
Streams = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]


@dataclass
class BatchArrays:
    """Arrays of a batch: states, legal-action masks, seats to act, and numbers of decisions."""

    n: int
    size: int
    actions: int
    cells: Integers = field(init=False)
    mask: npt.NDArray[np.int8] = field(init=False)
    seat: Numbers = field(init=False)
    length: Integers = field(init=False)

    def __post_init__(self) -> None:
        self.cells = np.zeros((self.n, self.size), dtype=np.int64)
        self.mask = np.zeros((self.n, self.actions), dtype=np.int8)
        self.seat = np.full(self.n, -1, dtype=np.int32)
        self.length = np.zeros(self.n, dtype=np.int64)


class BatchStepper(Protocol):
    """Stepper for the games in the range from `first` to `last`, exclusive.

    All arrays have one row per game.  `start` and `step` raise RuleFault, and NoAction for an option without an action.
    """

    def start(self, first: int, last: int, restarted: Bytes, seed: int, numbers: Integers) -> None:
        """Start the games marked in `restarted`; `numbers` are their numbers in the series of a seed."""

    def first_illegal(self, first: int, last: int, chosen: Integers) -> int:
        """Return the first unfinished game with an illegal action, or -1."""

    def step(self, first: int, last: int, chosen: Integers) -> None:
        """Apply a legal action to each unfinished game."""

    def sample(self, first: int, last: int, rngs: Streams, chosen: Integers) -> None:
        """Write a random legal action for each game."""

    def observe(self, first: int, last: int, viewers: Numbers, vectors: Numbers) -> None:
        """Write the observation of a viewer for each game."""


#: Function that plays random games, with seed, first, last (exclusive), limit, addresses and results.  Writes a row per
#: game: its length, the winners as bits, and the cells at the addresses.
Series = Callable[[int, int, int, int, Integers, Integers], None]


def batch_stepper(actions: Actions, observations: Observations, arrays: BatchArrays) -> BatchStepper:
    """Return the fastest stepper available for a game."""
    native = _native(actions.game)
    return (
        _PythonStepper(actions, observations, arrays)
        if native is None
        else _NativeStepper(native, actions, observations, arrays)
    )


def series_stepper(game: Game) -> Series:
    """Return the fastest function that plays random games; each thread needs its own."""
    native = _native(game)
    runner = native.batch_runner() if native is not None else None

    def play_in_python(seed: int, first: int, last: int, limit: int, addresses: Integers, results: Integers) -> None:
        for number in range(first, last):
            game_seed = derive(seed, number)
            cells = game.backend.start(game_seed)
            length, _ = game.backend.playout(cells, start(game_seed, Purpose.SAMPLING), limit)
            winners = cells[ir.AT_WINNERS] if cells[ir.AT_DECISION] == ir.OVER else 0
            results[number] = [length, winners, *(cells[address] for address in addresses)]

    def play_native(seed: int, first: int, last: int, limit: int, addresses: Integers, results: Integers) -> None:
        assert runner is not None
        address = results.ctypes.data + results.strides[0] * first
        runner.playouts(seed, first, last, limit, addresses.ctypes.data, addresses.size, address)

    return play_in_python if native is None else play_native


def _native(game: Game) -> NativeBackend | None:
    """Return the native backend of a game, if it has one."""
    backend = game.backend
    if isinstance(backend, AutoBackend):
        return backend.native_backend
    return backend if isinstance(backend, NativeBackend) else None


# ---- machine code --------------------------------------------------------------------------------------------------


class _NativeStepper:
    def __init__(
        self, native: NativeBackend, actions: Actions, observations: Observations, arrays: BatchArrays
    ) -> None:
        self._arrays = arrays
        # The machine code holds pointers to these arrays, which must live as long as this object.
        self._tables = *_numbering_tables(actions), observations.table
        used = (*self._tables, arrays.cells, arrays.mask, arrays.seat, arrays.length)
        addresses = ArrayAddresses(*(array.ctypes.data for array in used))
        self._runner: BatchRunner = native.batch_runner(arrays.actions, len(observations.entries), addresses)

    def start(self, first: int, last: int, restarted: Bytes, seed: int, numbers: Integers) -> None:
        self._runner.start(first, last, restarted.ctypes.data, seed, numbers.ctypes.data)

    def first_illegal(self, first: int, last: int, chosen: Integers) -> int:
        return self._runner.first_illegal(first, last, chosen.ctypes.data)

    def step(self, first: int, last: int, chosen: Integers) -> None:
        self._runner.step(first, last, chosen.ctypes.data)

    def sample(self, first: int, last: int, rngs: Streams, chosen: Integers) -> None:
        self._runner.sample(first, last, rngs.ctypes.data, chosen.ctypes.data)

    def observe(self, first: int, last: int, viewers: Numbers, vectors: Numbers) -> None:
        self._runner.observe(first, last, viewers.ctypes.data, vectors.ctypes.data)


def _numbering_tables(actions: Actions) -> tuple[Numbers, Numbers]:
    """Return for each action the index of its range, and for each range its first action and argument ranges."""
    decisions = actions.game.program.decisions
    width = max((len(option.parameters) for decision in decisions for option in decision.options), default=0)
    numberings = np.zeros((len(actions.ranges), 1 + 2 * max(1, width)), dtype=np.int32)
    option_of = np.zeros(actions.size, dtype=np.int32)
    for number, action_range in enumerate(actions.ranges):
        option_of[action_range.first : action_range.first + action_range.size] = number
        domains = [part for domain in action_range.domains for part in (domain.first, domain.size)]
        numberings[number, : 1 + len(domains)] = [action_range.first, *domains]
    return option_of, numberings


# ---- Python --------------------------------------------------------------------------------------------------------


class _PythonStepper:
    def __init__(self, actions: Actions, observations: Observations, arrays: BatchArrays) -> None:
        self._actions, self._observations, self._arrays = actions, observations, arrays
        self._backend = actions.game.backend

    def start(self, first: int, last: int, restarted: Bytes, seed: int, numbers: Integers) -> None:
        for row in range(first, last):
            if restarted[row]:
                self._arrays.length[row] = 0
                self._advance(row, self._backend.start(derive(seed, int(numbers[row]))))

    def first_illegal(self, first: int, last: int, chosen: Integers) -> int:
        arrays = self._arrays
        for row in range(first, last):
            action = int(chosen[row])
            legal = 0 <= action < arrays.actions and arrays.mask[row, action]
            if arrays.seat[row] >= 0 and not legal:
                return row
        return -1

    def step(self, first: int, last: int, chosen: Integers) -> None:
        arrays = self._arrays
        for row in range(first, last):
            if arrays.seat[row] >= 0:
                cells = unsigned(arrays.cells[row].tolist())
                self._backend.choose(cells, self._actions.decode(int(chosen[row]))[0])
                self._advance(row, cells)
                arrays.length[row] += 1

    def _advance(self, row: int, cells: list[int]) -> None:
        arrays = self._arrays
        options = self._backend.advance(cells)
        try:
            legal = self._actions.legal(cells[ir.AT_DECISION], options)
        except ValueError:
            raise NoAction(row) from None
        arrays.mask[row] = 0
        arrays.mask[row, legal] = 1
        arrays.seat[row] = cells[ir.AT_SEAT] if cells[ir.AT_DECISION] >= 0 else -1
        arrays.cells[row] = signed(cells)

    def sample(self, first: int, last: int, rngs: Streams, chosen: Integers) -> None:
        for row in range(first, last):
            legal = np.flatnonzero(self._arrays.mask[row])
            if legal.size:
                counter, number = draw(int(rngs[row, 0]), int(rngs[row, 1]), legal.size)
                rngs[row, 0], chosen[row] = counter, legal[number]

    def observe(self, first: int, last: int, viewers: Numbers, vectors: Numbers) -> None:
        for row in range(first, last):
            vectors[row] = self._observations.observe(self._arrays.cells[row].tolist(), int(viewers[row]))

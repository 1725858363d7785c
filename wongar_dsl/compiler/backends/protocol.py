"""Values exchanged between backends and the engine, and operations on states that all backends share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.compiler.ir.containers import size_at

# ---- visibility ----------------------------------------------------------------------------------------------------


#: Range of cell addresses, end exclusive.
CellRange = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ZoneCopy:
    """One instance of an indexed field, at the address of its first cell."""

    field: ir.Field
    at: int


@dataclass(frozen=True, slots=True)
class VisibleCells:
    """Visible part of a state: cell ranges, and zones with a visible size but hidden content."""

    ranges: tuple[CellRange, ...]
    sizes: tuple[ZoneCopy, ...]


@dataclass(frozen=True, slots=True)
class VisibilityMask:
    """Information of a seat (-1: spectator) about a state and its successors.

    `hidden_zones`: zones hidden from the seat now, grouped by the type of their content, which determinization
    redistributes.  `visible_cells`: by seat, itself included, the cells both always see.  `revealed`: for each
    decision, the zones that this seat looks through because it chooses from them.  `complete`: the game has no hidden
    information.
    """

    seat: int
    hidden_zones: tuple[tuple[ZoneCopy, ...], ...]
    visible_cells: tuple[VisibleCells, ...]
    revealed: tuple[tuple[CellRange, ...], ...]
    complete: bool


# ---- values --------------------------------------------------------------------------------------------------------


State = list[int]
#: Index of an option in its decision, and its arguments.
Option = tuple[int, ...]
Values = tuple[int | tuple[int, ...], ...]
#: Index of an event, its arguments, and the seats that see its secret arguments as a bit set.
RawEvent = tuple[int, Values, int]
#: Source of chance: gets the number of outcomes n and returns one below n.
Dice = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class CycleQuery:
    """Arguments of `ir.DetectCycle`: a decision of a seat, and the range of memory cells that the search ignores."""

    decision: int
    seat: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class PerftLevel:
    """Perft result at one depth: histories, distinct nodes, and histories that have ended."""

    histories: int
    positions: int
    over: int


class PlayoutResult(NamedTuple):
    """Result of a playout: winners as bits (0 for an unfinished game), and scores, if the game has any."""

    winners: int
    scores: tuple[int, ...]


class OptionStats(NamedTuple):
    """Search statistics of an option for the acting seat: visits, and sums of values and win shares.

    Values are in units of 1/`ismcts.ONE`.  `certain` is the proven value and share, or None.
    """

    visits: int
    value: int
    share: int
    certain: tuple[int, int] | None


class CancelToken:
    """Cancellation token for long computations, usable from another thread."""

    def __init__(self) -> None:
        self.is_set = False
        self._callbacks: list[Callable[[], object]] = []
        self._lock = Lock()

    def cancel(self) -> None:
        """Request cancellation."""
        with self._lock:
            self.is_set = True
            for callback in self._callbacks:
                callback()

    @contextmanager
    def on_cancel(self, callback: Callable[[], object]) -> Iterator[None]:
        """Return a context that calls a function when cancellation is requested, at once if it already is."""
        with self._lock:
            self._callbacks.append(callback)
            if self.is_set:
                callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


#: Signature of `bulk.Backend.search`.
Search = Callable[[State, CycleQuery, int], "tuple[ir.CycleVerdict, int]"]


class RuleFault(Exception):
    """Raised when the rules cause a run-time error, described by `fault`."""

    def __init__(self, fault: ir.FaultSpec) -> None:
        self.fault = fault
        super().__init__(f"{fault.code} in {fault.rule} at {fault.span}")


class NoCompiler(Exception):
    """Raised if there is no C compiler, or if it cannot compile a program."""


class GameOver(Exception):
    """Raised inside of a backend when the rules end the game."""


# ---- states --------------------------------------------------------------------------------------------------------


#: Cells with unsigned 64-bit numbers; in machine code and arrays all cells are signed.
STREAMS = (ir.AT_CHANCE, ir.AT_PLAY_CHANCE, ir.AT_STEP)
_WRAP = rng.MASK + 1


def initial_cells(program: ir.Program) -> State:
    """Return the initial cells of a program, without random streams."""
    state = [0] * program.size
    for address, value in program.initial:
        state[address] = value
    state[ir.AT_BLOCK] = program.entry
    return state


def with_seed(state: State, seed: int) -> State:
    """Set the random streams of a state to those of a seed, and return it."""
    state[ir.AT_CHANCE], state[ir.AT_STEP] = rng.start(seed, rng.Purpose.SETUP)
    state[ir.AT_PLAY_CHANCE], _ = rng.start(seed, rng.Purpose.PLAY)
    return state


def signed(state: State) -> State:
    """Convert a state in place to signed cells, and return it."""
    for address in STREAMS:
        if state[address] >= _WRAP >> 1:
            state[address] -= _WRAP
    return state


def unsigned(state: State) -> State:
    """Convert a state in place from signed cells, and return it."""
    for address in STREAMS:
        state[address] %= _WRAP
    return state


def write_choice(program: ir.Program, state: State, option: Option, time: int) -> None:
    """Write the chosen option and the answer time (ms) into the state."""
    spec = program.decisions[state[ir.AT_DECISION]].options[option[0]]
    for address, value in zip(spec.addresses, option[1:], strict=True):
        state[address] = value
    state[ir.AT_BLOCK], state[ir.AT_TIME] = spec.block, time


def end_game(program: ir.Program, state: State) -> None:
    """Mark the game as over, and clear the rule variables."""
    state[ir.AT_DECISION] = ir.OVER
    state[ir.AT_SEAT] = -1
    state[program.frames :] = [0] * (program.size - program.frames)


def reseed(cells: State, seed: int) -> None:
    """Set the random streams of a state to those of sampled worlds, at a seed."""
    setup, _ = rng.start(seed, rng.Purpose.WORLD_SETUP)
    play, cells[ir.AT_STEP] = rng.start(seed, rng.Purpose.WORLD_PLAY)
    waits = cells[ir.AT_PLAY_CHANCE] != 0
    cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE] = (setup, play) if waits else (play, 0)


def zone_sizes(cells: State, spots: Sequence[ZoneCopy]) -> list[int]:
    """Return the number of items in each zone."""
    return [size_at(cells, spot.field, spot.at) for spot in spots]

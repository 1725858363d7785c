"""Vectorised environments for learning: batches of games as NumPy arrays, and whole random games in bulk.

With the native backend all steps run in machine code; otherwise they run in Python with the same results.  Answers take
no time, as in all playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

try:
    import numpy as np
    import numpy.typing as npt
except ImportError as error:
    raise ImportError("this needs numpy, which comes with the extra `numpy`") from error

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from wongar_dsl.adapters.actions import Actions
from wongar_dsl.adapters.episode import MAX_ACTIONS, Utility
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native.backend import ArrayAddresses, BatchRunner, NoAction
from wongar_dsl.compiler.backends.protocol import signed, unsigned
from wongar_dsl.compiler.backends.rng import MASK, Purpose, derive, draw, start
from wongar_dsl.engine import Game, play_fault

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


#: Function that plays random games, with seed, first, last (exclusive), limit, addresses and results.  Writes a row per
#: game: its length, the winners as bits, and the cells at the addresses.
Series = Callable[[int, int, int, int, Integers, Integers], None]


def batch_stepper(actions: Actions, observations: Observations, arrays: BatchArrays) -> _NativeStepper | _PythonStepper:
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
    backend = game.backend.bulk_backend
    return backend if isinstance(backend, NativeBackend) else None


# ---- machine code --------------------------------------------------------------------------------------------------


class _NativeStepper:
    """Stepper for the games in the range from `first` to `last`, exclusive; arrays have one row per game.

    `start` and `step` raise `RuleFault`, and `NoAction` for an option without an action. `first_illegal` returns -1 if
    all actions are legal.
    """

    def __init__(
        self, native: NativeBackend, actions: Actions, observations: Observations, arrays: BatchArrays
    ) -> None:
        self._arrays = arrays
        # The machine code holds pointers to these arrays, which must live as long as this object.
        self._tables = *_numbering_tables(actions), observations.table
        used = (*self._tables, arrays.cells, arrays.mask, arrays.seat, arrays.length)
        addresses = ArrayAddresses(*(array.ctypes.data for array in used))
        self._runner: BatchRunner = native.batch_runner(arrays.actions, len(observations.entries), addresses)
        self._library = native.library

    def start(self, first: int, last: int, restarted: Bytes, seed: int, numbers: Integers) -> None:
        self._runner.run(self._library.batch_start, first, last, restarted.ctypes.data, seed, numbers.ctypes.data)

    def first_illegal(self, first: int, last: int, chosen: Integers) -> int:
        return self._library.batch_wrong(self._runner.layout, first, last, chosen.ctypes.data)

    def step(self, first: int, last: int, chosen: Integers) -> None:
        self._runner.run(self._library.batch_step, first, last, chosen.ctypes.data)

    def sample(self, first: int, last: int, rngs: Streams, chosen: Integers) -> None:
        self._library.batch_sample(self._runner.layout, first, last, rngs.ctypes.data, chosen.ctypes.data)

    def observe(self, first: int, last: int, viewers: Numbers, vectors: Numbers) -> None:
        self._library.batch_observe(self._runner.layout, first, last, viewers.ctypes.data, vectors.ctypes.data)


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
    """Stepper with the methods and the results of `_NativeStepper`."""

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


Floats = npt.NDArray[np.float32]
#: Number of games per call, so that an interrupt is handled between calls.
_CHUNK_SIZE = 512


class Batch:
    """Batch of games.  All arrays have one row per game and are updated in place.

    `mask` marks legal actions with 1, and `seat` is the seat to act (-1 for a finished or truncated game).  `length` is
    the number of decisions, `broken_off` marks games truncated for their length, and `cells` are the states.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        *,
        longest: int = MAX_ACTIONS,
        utility: Utility = "win",
        threads: int = 1,
    ) -> None:
        """Start the first `n` games of the series of a seed; `threads` does not change results.

        Raises ValueError for a negative number of games and for fewer than one thread.  Here and in each step raises
        `PlayFault` if the rules fail.
        """
        parts = _parts(n, threads)
        self.game, self.n = game, n
        self.actions, self.observations = Actions(game, None), Observations(game)
        self.longest, self.utility = longest, utility
        self._seed, self._begun = seed, n
        self.arrays = BatchArrays(n, game.program.size, self.actions.size)
        self.cells, self.mask = self.arrays.cells, self.arrays.mask
        self.seat, self.length = self.arrays.seat, self.arrays.length
        self.broken_off: npt.NDArray[np.bool_] = np.zeros(n, dtype=bool)
        self._numbers: Integers = np.arange(n, dtype=np.int64)
        cursors = [start(derive(seed, number), Purpose.BOT) for number in range(n)]
        self._rngs: npt.NDArray[np.uint64] = np.array(cursors, dtype=np.uint64).reshape(n, 2)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._parts = [(batch_stepper(self.actions, self.observations, self.arrays), *part) for part in parts]
        self._start(np.ones(n, dtype=np.uint8))

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Mask of finished and truncated games."""
        return np.array(self.seat < 0)

    def step(self, actions: npt.ArrayLike) -> Floats:
        """Apply an action to each game; actions of finished games are ignored.

        Returns the returns of each seat for games that this step ends, 0 for the others.  Raises ValueError if an
        action is illegal; no game has changed then.
        """
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.n,):
            raise ValueError(f"one action for each of {self.n} games is needed, not {chosen.shape}")
        for stepper, first, last in self._parts:
            wrong = stepper.first_illegal(first, last, chosen)
            if wrong >= 0:
                raise ValueError(f"action {chosen[wrong]} is not legal in game {wrong}")
        was_running = self.seat >= 0
        self._run_on_parts(lambda stepper, first, last: stepper.step(first, last, chosen))
        if (self.length >= self.longest).any():
            too_long = (self.seat >= 0) & (self.length >= self.longest)
            self.broken_off |= too_long
            self.seat[too_long], self.mask[too_long] = -1, 0
        return self._returns(was_running & (self.seat < 0))

    def sample(self) -> Integers:
        """Return a uniformly random legal action for each game; 0 for finished games."""
        chosen = np.zeros(self.n, dtype=np.int64)
        self._run_on_parts(lambda stepper, first, last: stepper.sample(first, last, self._rngs, chosen))
        return chosen

    def observe(self, viewers: npt.ArrayLike | None = None) -> npt.NDArray[np.int32]:
        """Return an observation vector for each game.

        `viewers` is one seat for all games or one for each.  By default it is the seat to act, and seat 0 in finished
        games.
        """
        seats = np.maximum(self.seat, 0) if viewers is None else np.broadcast_to(np.asarray(viewers), (self.n,))
        seats = np.ascontiguousarray(seats, dtype=np.int32)
        if seats.size and not 0 <= seats.min() <= seats.max() < self.game.seats:
            raise ValueError(f"there are seats from 0 to {self.game.seats - 1}")
        vectors = np.empty((self.n, self.observations.size), dtype=np.int32)
        self._run_on_parts(lambda stepper, first, last: stepper.observe(first, last, seats, vectors))
        return vectors

    def restart(self) -> Integers:
        """Replace finished games by the next games of the series.  Returns the indices of their rows."""
        over = np.flatnonzero(self.seat < 0)
        self._numbers[over] = np.arange(self._begun, self._begun + over.size)
        self._begun += over.size
        restarted = np.zeros(self.n, dtype=np.uint8)
        restarted[over] = 1
        self.broken_off[over] = False
        self._start(restarted)
        return over

    def _start(self, restarted: Bytes) -> None:
        seed = self._seed & MASK
        self._run_on_parts(lambda stepper, first, last: stepper.start(first, last, restarted, seed, self._numbers))

    def _returns(self, ended: npt.NDArray[np.bool_]) -> Floats:
        """Return the utility of each seat in the `ended` games, 0 in the others."""
        returns: Floats = np.zeros((self.n, self.game.seats), dtype=np.float32)
        rows = np.flatnonzero(ended)
        if not rows.size:
            return returns
        seats = self.game.seats
        score_field = self.game.program.score if self.utility == "score" else None
        if score_field is not None:
            returns[rows] = self.cells[rows][:, [score_field.at(seat) for seat in range(seats)]]
            return returns
        finished = self.cells[rows, ir.AT_DECISION] == ir.OVER
        won = _bits(np.where(finished, self.cells[rows, ir.AT_WINNERS], 0), seats)
        if self.utility == "win":
            returns[rows] = _shares(won, finished)
        else:
            returns[rows] = np.where(won.any(axis=1, keepdims=True), np.where(won, 1.0, -1.0), 0.0)
        return returns

    def _run_on_parts(self, function: Callable[[_NativeStepper | _PythonStepper, int, int], None]) -> None:
        """Run a function for all games, one part per thread.  Raises `PlayFault` and ValueError."""
        try:
            if self._pool is None:
                for stepper, first, last in self._parts:
                    function(stepper, first, last)
            else:
                futures = [self._pool.submit(function, *part) for part in self._parts]
                for future in futures:
                    future.exception()
                for future in futures:
                    future.result()
        except RuleFault as fault:
            raise play_fault(fault) from None
        except NoAction as missing:
            raise ValueError(f"game {missing.number} offers a number that has no action: see Actions") from None


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of random games: number of decisions, winner mask, and scores (0 in a game without scores)."""

    length: Integers
    won: npt.NDArray[np.bool_]
    scores: Integers


def playouts(game: Game, n: int, seed: int = 0, *, longest: int = MAX_ACTIONS, threads: int = 1) -> Playouts:
    """Play the first `n` random games of the series of a seed; `threads` does not change results.

    Raises ValueError for a negative number of games and for fewer than one thread, and `PlayFault` if the rules fail.
    """
    parts = _parts(n, threads)
    score_field = game.program.score
    addresses = np.array(
        [score_field.at(seat) for seat in range(game.seats)] if score_field is not None else [], dtype=np.int64
    )
    results: Integers = np.zeros((n, 2 + addresses.size), dtype=np.int64)

    def part(first: int, last: int) -> None:
        play = series_stepper(game)
        for begin in range(first, last, _CHUNK_SIZE):
            play(seed & MASK, begin, min(begin + _CHUNK_SIZE, last), longest, addresses, results)

    try:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda games: part(*games), parts))
    except RuleFault as fault:
        raise play_fault(fault) from None
    scores = results[:, 2:] if score_field is not None else np.zeros((n, game.seats), dtype=np.int64)
    return Playouts(results[:, 0], _bits(results[:, 1], game.seats), scores)


def _parts(n: int, threads: int) -> list[tuple[int, int]]:
    """Return the range of games for each thread, end exclusive."""
    if n < 0 or threads < 1:
        raise ValueError(f"there cannot be {n} games on {threads} threads")
    return list(pairwise(n * number // threads for number in range(threads + 1)))


def _bits(winners: Integers, seats: int) -> npt.NDArray[np.bool_]:
    return np.array(winners[:, None] >> np.arange(seats) & 1, dtype=bool)


def _shares(won: npt.NDArray[np.bool_], finished: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the utilities of finished games, as `episode.payoffs` does."""
    number, seats = won.sum(1, keepdims=True), won.shape[1]
    if seats == 1:
        return np.where(finished[:, None], np.where(won, 1.0, -1.0), 0.0)
    shares = won / np.maximum(number, 1)
    return np.where(number > 0, (shares * seats - 1) / (seats - 1), 0.0)

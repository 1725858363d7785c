"""What every backend does, and the values that pass between backends and the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple, Protocol

from wongar_dsl import ir
from wongar_dsl.backends.chance import Cursor
from wongar_dsl.backends.sight import Sight

State = list[int]
Option = tuple[int, ...]
"""The number of an option in its decision, and its arguments."""
Values = tuple[int | tuple[int, ...], ...]
RawEvent = tuple[int, Values, int]
"""The number of the event, its arguments, and who sees the secret ones, as bits."""
Dice = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Question:
    """What `ir.Endless` asks: about a decision of a seat, with the stretch of memory that a search leaves out."""

    decision: int
    seat: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Level:
    """What there is after some number of steps: courses, different positions and rolls, and courses that are over."""

    histories: int
    positions: int
    over: int


class Outcome(NamedTuple):
    """What a game came to: who won, as bits (0 also where it goes on), and the scores, none where no points are
    counted."""

    winners: int
    scores: tuple[int, ...]


class Tried(NamedTuple):
    """What was found out of an option: how often it was tried, and the sums of results and of shares of the win, for
    the seat that chooses, in parts of `tree.ONE`.

    `certain`: the result and the share that it leads to for sure, None where that is not known.
    """

    visits: int
    value: int
    share: int
    certain: tuple[int, int] | None


class Halt:
    """Breaks off what takes long, from another thread."""

    def __init__(self) -> None:
        self.asked = False
        self._told: list[Callable[[], object]] = []
        self._lock = Lock()

    def ask(self) -> None:
        """Whatever runs with this is to come to its end now."""
        with self._lock:
            self.asked = True
            for tell in self._told:
                tell()

    @contextmanager
    def telling(self, tell: Callable[[], object]) -> Iterator[None]:
        """Call a function when the end is asked for meanwhile, or was before."""
        with self._lock:
            self._told.append(tell)
            if self.asked:
                tell()
        try:
            yield
        finally:
            with self._lock:
                self._told.remove(tell)


Search = Callable[[State, Question, int], "tuple[ir.Rounds, int]"]
"""`Backend.search`."""


class RuleFault(Exception):
    """The rules did something that they must not; `fault` says what and where."""

    def __init__(self, fault: ir.FaultSpec) -> None:
        self.fault = fault
        super().__init__(f"{fault.code} in {fault.rule} at {fault.span}")


class Over(Exception):
    """The rules have ended the game: how a run leaves what it is in.  It never leaves a backend."""


class Backend(Protocol):
    """A program made ready to run."""

    @property
    def name(self) -> str:
        """Under which it can be asked for."""

    @property
    def program(self) -> ir.Program:
        """What it runs."""

    @property
    def plain(self) -> Backend:
        """What goes step by step for it: itself, or another backend."""

    @property
    def reached(self) -> set[int]:
        """The marks that runs and questions have come to so far, but not what searches only try out.  Whoever clears it
        begins anew."""

    def start(self, seed: int) -> State:
        """A new state, before anything was done."""

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Go on until somebody must decide or the game is over; raises `RuleFault`.

        Does nothing where a decision is waited for already.

        `dice` answers instead of the state's own generator: it gets n and gives a number below n.
        """

    def advance(self, state: State) -> list[Option]:
        """As `run` without events, through the pause before play too, and then `options`: what playouts do."""

    def options(self, state: State) -> list[Option]:
        """The options of the decision that the state waits for, in their order."""

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """The value of one procedure in a state, which stays as it is."""

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """Take one of `options`, after `time` milliseconds of thought; `run` goes on from there."""

    def search(self, state: State, question: Question, fuel: int) -> tuple[ir.Rounds, int]:
        """What `ir.Endless` finds out with so much fuel, and what is left of that."""

    # ---- many steps at once ----

    def playout(self, state: State, luck: Cursor, limit: int) -> tuple[int, Cursor]:
        """Play at random to the end, in place, but no more than so many decisions: each option is as likely as any
        other.  Gives the number of decisions, and where the stream stands then.  Raises `RuleFault`."""

    def playouts(self, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """Random games of a series from its beginning, from the first number to before the last one: how many
        decisions they took, and a fingerprint of 64 bits of their last positions.  Raises `RuleFault`.

        Each has a seed that is derived from that of the series, for its chance and its choices.
        """

    def outcomes(self, state: State, options: Sequence[Option], seed: int, limit: int) -> list[Outcome]:
        """What comes of each of some options of a state, which stays as it is, if all is played at random after it with
        the same luck: so that this weighs on all alike.  Raises `RuleFault`."""

    def deal(self, state: State, sight: Sight, luck: Cursor) -> Cursor:
        """Make another state, in place, that looks the same to a seat: what that cannot see is dealt anew, and chance
        to come is another.  Gives where the stream stands then.  Raises `RuleFault`."""

    def weigh(
        self, state: State, sight: Sight, worlds: Sequence[State], iterations: int, seed: int, halt: Halt
    ) -> list[Tried]:
        """Try out the options of the decision at hand in so many games, 0: until the end is asked for: see `tree`.
        Raises `RuleFault`.

        `worlds` are states that look the same, with one of which each game begins; without any they are dealt.
        """

    def perft(self, seed: int, depth: int, chance: bool) -> Iterator[Level]:
        """For 0, 1, ... `depth` steps what there is; ends early where everything is over.  Raises `RuleFault`.

        A step is a decision; with `chance` also a roll of the dice, and without it chance falls as the seed says.
        """


def run_on(backend: Backend, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
    """Run to the next decision or the end, through the pause before play; raises `RuleFault`."""
    backend.run(state, events, dice)
    while state[ir.AT_DECISION] == ir.READY:
        backend.run(state, events, dice)

"""What every backend does, and the values that pass between backends and the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from wongar_dsl import ir

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


Search = Callable[[State, Question, int], tuple[ir.Rounds, int]]
"""`Backend.search`."""


class RuleFault(Exception):
    """The rules did something that they must not; `fault` says what and where."""

    def __init__(self, fault: ir.FaultSpec) -> None:
        self.fault = fault
        super().__init__(f"{fault.code} in {fault.rule} at {fault.span}")


class Over(Exception):
    """The rules have ended the game: how a run leaves what it is in.  It never leaves a backend."""


class Backend(Protocol):
    """A program made ready to run.

    `reached` are the marks that runs and questions have come to so far.
    """

    reached: set[int]

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


def run_on(backend: Backend, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
    """Run to the next decision or the end, through the pause before play; raises `RuleFault`."""
    backend.run(state, events, dice)
    while state[ir.AT_DECISION] == ir.READY:
        backend.run(state, events, dice)

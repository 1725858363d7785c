"""The interface of bots, their search budgets, and the moves that they consider."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import Option
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.undo.history import ChoiceHistory

#: Upper limits of a budget: iterations, and seconds (with up to three decimals).
MAX_ITERATIONS, MAX_SECONDS = 10_000_000, 3600
_BUDGET = re.compile(r"([1-9][0-9]{0,7})|([0-9]{1,4}(?:\.[0-9]{1,3})?)s")


class Bot(Protocol):
    """A player that chooses moves for a seat."""

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """Return one of the legal moves of the deciding seat.

        `past` is the history that led to the state, if available. A bot may use the hidden parts of both only through
        determinization.
        """


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """Search budget for one decision: a number of iterations or, if that is 0, a time in seconds on all processors."""

    iterations: int
    seconds: float = 0.0


def read_budget(text: str) -> SearchBudget:
    """Parse a budget such as `2000`, `1s` or `0.5s`; raise ValueError for any other text."""
    match = _BUDGET.fullmatch(text)
    if match is None:
        raise ValueError(text)
    iterations, seconds = match.groups()
    budget = SearchBudget(int(iterations)) if iterations else SearchBudget(0, float(seconds))
    if budget.iterations > MAX_ITERATIONS or budget.seconds > MAX_SECONDS or (seconds and not budget.seconds):
        raise ValueError(text)
    return budget


def reveals_solution(option: ir.OptionSpec) -> bool:
    """Return whether an option takes a covering as argument: a placement of pieces that covers an area exactly.

    Listing the moves of such an option would reveal the solutions of the puzzle.
    """
    return any(kind.kind == "coverings" for _, kind in option.parameters)


def is_puzzle_decision(decision: ir.DecisionSpec) -> bool:
    """Return whether a decision is a puzzle: one of its options takes a covering."""
    return any(map(reveals_solution, decision.options))


def is_puzzle(state: State) -> bool:
    """Return whether the pending decision is a puzzle."""
    return state.decision is not None and is_puzzle_decision(state.decision)


def options_worth_trying(state: State) -> list[Option]:
    """Return the legal moves in the form of backends; of a puzzle with solutions, only the solutions."""
    options = state.options()
    if is_puzzle(state):
        return [option for option in options if len(option) > 1] or options
    return options


def moves_worth_trying(state: State) -> list[Move]:
    """Return the moves of `options_worth_trying`."""
    return [Move.from_raw(option) for option in options_worth_trying(state)]

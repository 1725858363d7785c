"""The interface of bots, their search budgets, random streams, playouts and thinking times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import Option, PlayoutResult
from wongar_dsl.compiler.backends.rng import Generator, Purpose
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.history import ChoiceHistory


def decision_rng(seed: int, seat: int, decision: int) -> Generator:
    """Return the generator that the bot of a seat uses for one decision of a game with this seed."""
    return Generator(seed, Purpose.BOT, seat, decision)


def time_rng(seed: int, seat: int, decision: int) -> Generator:
    """Return the generator for the bot's thinking time at a decision."""
    return Generator(seed, Purpose.PACE, seat, decision)


#: Maximum number of decisions of a playout.
MAX_PLAYOUT = 5000


def playout(state: State, generator: Generator, limit: int = MAX_PLAYOUT) -> int:
    """Play at random to the end, in place and without events; return the number of decisions."""
    length, generator.cursor = state.game.backend.playout(state.cells, generator.cursor, limit)
    return length


def reward(outcome: PlayoutResult, seat: int, seats: int, fewest: bool = False) -> float:
    """Return the value of a result for a seat: its share of the win plus a small part for the score lead.

    With `fewest` the lowest score leads.
    """
    won = [outcome.winners >> p & 1 for p in range(seats)]
    scores = [-score if fewest else score for score in outcome.scores]
    scores = scores or [(1 if w else -1) if any(won) else 0 for w in won]
    rivals = [v for p, v in enumerate(scores) if p != seat]
    lead = (scores[seat] - max(rivals)) if rivals else scores[seat]
    spread = max(1, *(abs(v) for v in scores))
    share = 1 / sum(won) if won[seat] else 0.0
    return share + 0.25 * lead / spread


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


#: For each kind of bot (empty: all others), the bounds of its share of the time to solve a puzzle, in thousandths.
PACES = {"": (250, 1050), "quick": (120, 700), "slow": (450, 1350)}
#: Assumed length of a clock without an end, in milliseconds.
UNLIMITED_CLOCK_MS = 60_000


def thinking_time(state: State, kind: str, generator: Generator) -> int:
    """Return the bot's thinking time for the decision in milliseconds, 0 where no clock runs.

    The time is a share of the clock, drawn between two bounds and most likely near their middle. It can exceed the time
    that is left.
    """
    clock = state.clock
    if clock is None:
        return 0
    start, end = clock
    low, high = PACES.get(kind, PACES[""])
    limit = end if end is not None else UNLIMITED_CLOCK_MS
    if is_puzzle(state):
        available = limit - start
    else:
        # Other decisions take much less time than puzzles.
        low, high, available = low // 12, high // 25, limit
    span = (high - low) * available // 1000
    return low * available // 1000 + sum(generator.below(span + 1) for _ in range(3)) // 3

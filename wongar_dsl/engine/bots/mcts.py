"""A bot with information-set Monte Carlo tree search.

With a budget in iterations the choice is the same on every backend, machine and number of processors. For this the
number of trees depends on the budget alone, each tree has its own seed, and their results are added in a fixed order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Timer

from wongar_dsl.compiler.backends.protocol import CancelToken, OptionStats
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots.protocol import is_puzzle, moves_worth_trying
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.undo.history import ChoiceHistory

#: Maximum number of trees per decision, and minimum number of iterations per tree: one tree is stronger than two of
#: half its size (benchmarks/strength.py).
TREES, WHOLE = 8, 10_000
#: Number of determinizations per decision, where the backend cannot make one per iteration itself.
WORLDS = 16
#: Upper limits of a budget: iterations, and seconds (with up to three decimals).
MAX_ITERATIONS, MAX_SECONDS = 10_000_000, 3600
_BUDGET = re.compile(r"([1-9][0-9]{0,7})|([0-9]{1,4}(?:\.[0-9]{1,3})?)s")


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


@dataclass(frozen=True, slots=True)
class OptionEvaluation:
    """Search result for one option.

    `visits` is how often it was tried, `value` the expected share of the win in parts of `ONE`. With `certain` the
    value is proven.
    """

    move: Move
    visits: int
    value: int
    certain: bool = False


def evaluate_options(
    state: State,
    budget: SearchBudget,
    generator: Generator,
    past: ChoiceHistory | None = None,
    cancel: CancelToken | None = None,
) -> tuple[OptionEvaluation, ...]:
    """Return the options of the deciding seat, best first.

    `cancel` cancels the search. Of `state` and `past` (the history that led to it) only what the seat may know is used.
    Raises `RuleFault`.
    """
    # Imported here so that sessions without a search bot need not load it.
    from concurrent.futures import ThreadPoolExecutor

    cancel = cancel or CancelToken()
    backend, worlds = state.game.backend, SampledWorlds(state, state.seat, past)
    dealt = (
        []
        if worlds.only_zones_hidden
        else [worlds.sample(generator).cells for _ in range(min(WORLDS, budget.iterations or WORLDS))]
    )
    cells = state.cells.copy()
    seeds = [generator.seed() for _ in range(_trees(budget))]

    def grow(number: int) -> list[OptionStats]:
        share = -((number - budget.iterations) // len(seeds))
        return backend.evaluate_options(cells, worlds.sight, dealt, share, seeds[number], cancel)

    timer = Timer(budget.seconds, cancel.cancel)
    with ThreadPoolExecutor(min(len(seeds), os.cpu_count() or 1)) as threads:
        try:
            if budget.seconds:
                timer.start()
            grown = list(threads.map(grow, range(len(seeds))))
        except BaseException:
            cancel.cancel()
            raise
        finally:
            timer.cancel()
    totals = [_added(trees) for trees in zip(*grown, strict=True)]
    moves = state.legal_moves()
    weighed = [_weighed(move, tried) for move, tried in zip(moves, totals, strict=True)]
    return tuple(weighed[number] for number in sorted(range(len(totals)), key=_by_promise(totals)))


def _trees(budget: SearchBudget) -> int:
    if budget.seconds:
        return os.cpu_count() or 1
    return max(1, min(TREES, budget.iterations // WHOLE))


def _added(trees: Sequence[OptionStats]) -> OptionStats:
    """Add up the statistics of several trees for one option."""
    certain = next((tree.certain for tree in trees if tree.certain is not None), None)
    visits, value = sum(tree.visits for tree in trees), sum(tree.value for tree in trees)
    return OptionStats(visits, value, sum(tree.share for tree in trees), certain)


def _weighed(move: Move, tried: OptionStats) -> OptionEvaluation:
    if tried.certain is not None:
        return OptionEvaluation(move, tried.visits, tried.certain[1], True)
    return OptionEvaluation(move, tried.visits, tried.share // max(1, tried.visits))


def _by_promise(found: Sequence[OptionStats]) -> Callable[[int], tuple[int, ...]]:
    """Return the sort key that puts options in order of promise.

    First come proven options at least as good as the most visited one, then unproven ones by visits, then proven worse
    ones.
    """
    open_ = [tried for tried in found if tried.certain is None and tried.visits]
    promised = max(open_, key=lambda tried: tried.visits, default=None)
    mean = promised.value // promised.visits if promised is not None else -1

    def key(number: int) -> tuple[int, ...]:
        tried = found[number]
        if tried.certain is None:
            return (1, -tried.visits, -tried.value, number)
        return (0 if tried.certain[0] >= mean else 2, -tried.certain[0], -tried.visits, number)

    return key


class MctsBot:
    """Bot that takes the best option of a tree search."""

    def __init__(self, budget: SearchBudget, cancel: CancelToken | None = None) -> None:
        """Create a bot; `cancel` lets another thread stop its running search."""
        self._budget, self._halt = budget, cancel

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        moves = moves_worth_trying(state)
        # All solutions of a puzzle are equally good.
        if len(moves) == 1 or is_puzzle(state):
            return moves[generator.below(len(moves))]
        return evaluate_options(state, self._budget, generator, past, self._halt)[0].move

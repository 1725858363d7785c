"""Bots that search: greedy, which rates each option by random playouts, and information-set Monte Carlo tree search.

With a budget in iterations the choice of tree search is the same on every backend, machine and number of processors.
For this the number of trees depends on the budget alone, each tree has its own seed, and their results are added in a
fixed order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Timer

from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.ismcts import ONE as ONE
from wongar_dsl.compiler.backends.protocol import CancelToken, OptionStats
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots.protocol import MAX_PLAYOUT, SearchBudget, is_puzzle, moves_worth_trying, reward
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.history import ChoiceHistory

#: Number of playouts per decision, divided among its options; each option gets at least two.
PLAYOUTS = 24


class GreedyBot:
    """Bot that plays out each option from determinized states and takes the option with the best mean.

    The mean is taken over `reward`: 1 for a win (shared among the winners), plus a small part for the score lead.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts = playouts

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        moves = moves_worth_trying(state)
        # All solutions of a puzzle are equally good.
        if len(moves) == 1 or is_puzzle(state):
            return moves[generator.below(len(moves))]
        seat = state.seat
        totals = [0.0] * len(moves)
        counts = [0] * len(moves)
        rounds = max(2, self._playouts // len(moves))
        worlds = SampledWorlds(state, seat, past)
        for _ in range(rounds):
            # All options are tried in the same determinization with the same random seed, so that chance favours none.
            world = worlds.sample(generator)
            seed = generator.seed()
            try:
                options = {*state.game.backend.options(world.cells)}
                available = [number for number, move in enumerate(moves) if move.raw in options]
                raw_moves = [moves[number].raw for number in available]
                outcomes = state.game.backend.outcomes(world.cells, raw_moves, seed, MAX_PLAYOUT)
            except RuleFault:
                # The determinized state is impossible and says nothing about any option.
                continue
            for number, outcome in zip(available, outcomes, strict=True):
                totals[number] += reward(outcome, seat, state.game.seats, state.game.program.fewest)
                counts[number] += 1
        # An option without a playout is worse than all others; a reward is greater than -9.
        best = max(range(len(moves)), key=lambda i: (totals[i] / counts[i] if counts[i] else -9.0, -i))
        return moves[best]


#: Maximum number of trees per decision, and minimum number of iterations per tree if there are several: one tree is
#: stronger than two of half its size (benchmarks/strength.py).
MAX_TREES, MIN_ITERATIONS_PER_TREE = 8, 10_000
#: Number of determinizations per decision, where the backend cannot make one per iteration itself.
WORLDS = 16


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
    cancel = cancel or CancelToken()
    backend, worlds = state.game.backend, SampledWorlds(state, state.seat, past)
    count = 0 if worlds.only_zones_hidden else min(WORLDS, budget.iterations or WORLDS)
    determinizations = [worlds.sample(generator).cells for _ in range(count)]
    cells = state.cells.copy()
    seeds = [generator.seed() for _ in range(_trees(budget))]

    def grow_tree(number: int) -> list[OptionStats]:
        iterations = -((number - budget.iterations) // len(seeds))
        return backend.evaluate_options(
            cells, worlds.visibility_mask, determinizations, iterations, seeds[number], cancel
        )

    timer = Timer(budget.seconds, cancel.cancel)
    with ThreadPoolExecutor(min(len(seeds), os.cpu_count() or 1)) as threads:
        try:
            if budget.seconds:
                timer.start()
            stats_by_tree = list(threads.map(grow_tree, range(len(seeds))))
        except BaseException:
            cancel.cancel()
            raise
        finally:
            timer.cancel()
    totals = [_sum_stats(of_option) for of_option in zip(*stats_by_tree, strict=True)]
    moves = state.legal_moves()
    evaluations = [_evaluation(move, stats) for move, stats in zip(moves, totals, strict=True)]
    return tuple(evaluations[number] for number in sorted(range(len(totals)), key=_by_promise(totals)))


def _trees(budget: SearchBudget) -> int:
    """Return the number of trees that share a budget."""
    if budget.seconds:
        return os.cpu_count() or 1
    return max(1, min(MAX_TREES, budget.iterations // MIN_ITERATIONS_PER_TREE))


def _sum_stats(trees: Sequence[OptionStats]) -> OptionStats:
    """Add up the statistics of several trees for one option."""
    certain = next((tree.certain for tree in trees if tree.certain is not None), None)
    visits, value = sum(tree.visits for tree in trees), sum(tree.value for tree in trees)
    return OptionStats(visits, value, sum(tree.share for tree in trees), certain)


def _evaluation(move: Move, stats: OptionStats) -> OptionEvaluation:
    if stats.certain is not None:
        return OptionEvaluation(move, stats.visits, stats.certain[1], True)
    return OptionEvaluation(move, stats.visits, stats.share // max(1, stats.visits))


def _by_promise(totals: Sequence[OptionStats]) -> Callable[[int], tuple[int, ...]]:
    """Return the sort key that puts options in order of promise.

    First come proven options at least as good as the most visited one, then unproven ones by visits, then proven worse
    ones.
    """
    unproven = [stats for stats in totals if stats.certain is None and stats.visits]
    most_visited = max(unproven, key=lambda stats: stats.visits, default=None)
    mean = most_visited.value // most_visited.visits if most_visited is not None else -1

    def key(number: int) -> tuple[int, ...]:
        stats = totals[number]
        if stats.certain is None:
            return (1, -stats.visits, -stats.value, number)
        return (0 if stats.certain[0] >= mean else 2, -stats.certain[0], -stats.visits, number)

    return key


class MctsBot:
    """Bot that takes the best option of a tree search."""

    def __init__(self, budget: SearchBudget, cancel: CancelToken | None = None) -> None:
        """Create a bot; `cancel` lets another thread stop its running search."""
        self._budget, self._cancel = budget, cancel

    def choose(self, state: State, generator: Generator, past: ChoiceHistory | None = None) -> Move:
        """See `Bot.choose`."""
        moves = moves_worth_trying(state)
        # All solutions of a puzzle are equally good.
        if len(moves) == 1 or is_puzzle(state):
            return moves[generator.below(len(moves))]
        return evaluate_options(state, self._budget, generator, past, self._cancel)[0].move

"""A bot that searches: trees of the choices ahead, grown by random games from worlds that look the same to its seat.

For a budget in iterations the choice is the same on every backend, machine and number of processors: the number of
trees hangs on the budget alone, each has luck of its own, and what they find is added up in their order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Timer

from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.protocol import Halt, Tried
from wongar_dsl.bots.protocol import serious_moves, solves
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.determinization import Worlds
from wongar_dsl.engine.past import Past

#: The most trees of one decision, and how many iterations each has at least: one tree is stronger than two of half its
#: size (benchmarks/strength.py).
TREES, WHOLE = 8, 10_000
#: So many worlds are made for one decision, where they are not simply dealt anew.
WORLDS = 16
#: Budgets that are understood: iterations, and seconds with up to three decimals.
MOST_ITERATIONS, MOST_SECONDS = 10_000_000, 3600
_BUDGET = re.compile(r"([1-9][0-9]{0,7})|([0-9]{1,4}(?:\.[0-9]{1,3})?)s")


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot searches for one decision: so many iterations, or, if there are none, so many seconds on all
    processors."""

    iterations: int
    seconds: float = 0.0


def read_budget(text: str) -> Budget:
    """`2000`, `1s`, `0.5s`; raises ValueError for anything else."""
    found = _BUDGET.fullmatch(text)
    if found is None:
        raise ValueError(text)
    iterations, seconds = found.groups()
    budget = Budget(int(iterations)) if iterations else Budget(0, float(seconds))
    if budget.iterations > MOST_ITERATIONS or budget.seconds > MOST_SECONDS or (seconds and not budget.seconds):
        raise ValueError(text)
    return budget


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a search found of an option: how often it was tried, and the share of the win that it promises, in parts of
    `ONE`; `certain`: nothing else can come of it."""

    move: Move
    visits: int
    value: int
    certain: bool = False


def weigh(
    state: State, budget: Budget, generator: Generator, past: Past | None = None, halt: Halt | None = None
) -> tuple[Weighed, ...]:
    """The options of whoever decides, the best first; `halt` breaks the search off.  Raises `RuleFault`.

    Of the state only what the seat may know is used, and of `past`, how it came about.
    """
    # Who sits at a table without a bot that thinks does not wait for this.
    from concurrent.futures import ThreadPoolExecutor

    halt = halt or Halt()
    backend, worlds = state.game.backend, Worlds(state, state.seat, past)
    dealt = (
        [] if worlds.dealt else [worlds.one(generator).cells for _ in range(min(WORLDS, budget.iterations or WORLDS))]
    )
    cells = state.cells.copy()
    seeds = [generator.seed() for _ in range(_trees(budget))]

    def grow(number: int) -> list[Tried]:
        share = -((number - budget.iterations) // len(seeds))
        return backend.weigh(cells, worlds.sight, dealt, share, seeds[number], halt)

    timer = Timer(budget.seconds, halt.ask)
    with ThreadPoolExecutor(min(len(seeds), os.cpu_count() or 1)) as threads:
        try:
            if budget.seconds:
                timer.start()
            grown = list(threads.map(grow, range(len(seeds))))
        except BaseException:
            halt.ask()
            raise
        finally:
            timer.cancel()
    found = [_added(trees) for trees in zip(*grown, strict=True)]
    moves = state.legal_moves()
    weighed = [_weighed(move, tried) for move, tried in zip(moves, found, strict=True)]
    return tuple(weighed[number] for number in sorted(range(len(found)), key=_by_promise(found)))


def _trees(budget: Budget) -> int:
    if budget.seconds:
        return os.cpu_count() or 1
    return max(1, min(TREES, budget.iterations // WHOLE))


def _added(trees: Sequence[Tried]) -> Tried:
    """What several trees found out of one option."""
    certain = next((tree.certain for tree in trees if tree.certain is not None), None)
    visits, value = sum(tree.visits for tree in trees), sum(tree.value for tree in trees)
    return Tried(visits, value, sum(tree.share for tree in trees), certain)


def _weighed(move: Move, tried: Tried) -> Weighed:
    if tried.certain is not None:
        return Weighed(move, tried.visits, tried.certain[1], True)
    return Weighed(move, tried.visits, tried.share // max(1, tried.visits))


def _by_promise(found: Sequence[Tried]) -> Callable[[int], tuple[int, ...]]:
    """How options are put in order: of those that nothing is certain of, the one that was tried most comes first; what
    is certain, and at least as good, before it; what is worse, after it."""
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
    """Takes the option that its search weighs as the best."""

    def __init__(self, budget: Budget, halt: Halt | None = None) -> None:
        """`halt` breaks its search off."""
        self._budget, self._halt = budget, halt

    def choose(self, state: State, generator: Generator, past: Past | None = None) -> Move:
        """See `Bot.choose`."""
        moves = serious_moves(state)
        # A solution is as good as another.
        if len(moves) == 1 or solves(state):
            return moves[generator.below(len(moves))]
        return weigh(state, self._budget, generator, past, self._halt)[0].move

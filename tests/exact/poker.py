"""Exact analysis of two-player card games with chance only in the deal: exploitability and equilibrium.

The tree is built from the rules. A strategy gives the probability of each option per information set.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import bulk, run_on
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.history import ChoiceHistory

Known = Hashable
"""What a seat saw, was told, could choose and chose, up to a decision of its own."""
Strategy = Mapping[Known, Sequence[Fraction]]
"""How likely each option is, by what is known."""
#: Number of seeds tried to find one for each deal.
SEEDS = 10_000


@dataclass(slots=True)
class Node:
    """A decision, or an end: `value` is the gain of the first player there, and `seat` is -1."""

    seat: int
    value: int = 0
    known: Known = None
    after: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """A state of an information set with its history, to ask a bot for a choice."""

    state: State
    past: ChoiceHistory


@dataclass(frozen=True)
class Poker:
    """The whole game: each deal with its probability, and a state per information set."""

    game: Game
    deals: tuple[tuple[Fraction, Node], ...]
    places: Mapping[Known, Place]


@lru_cache
def poker(rules: str) -> Poker:
    """Return the tree of a game for two."""
    game = library.load(rules).game(2)
    deals, places = [], dict[Known, Place]()
    for probability, seed in _deals(game):
        cells = game.backend.start(seed)
        past = ChoiceHistory(game, cells.copy())
        run_on(game.backend, cells)
        deals.append((probability, _grow(game, cells, past, ((), ()), places)))
    return Poker(game, tuple(deals), places)


def _deals(game: Game) -> Iterator[tuple[Fraction, int]]:
    """Yield each deal as (probability, seed)."""
    probabilities = dict[tuple[int, ...], Fraction]()

    def add(node: bulk.Node, share: Fraction) -> None:
        if isinstance(node, bulk.ChanceNode):
            weights = sum(weight for _, weight in node.outcomes)
            for after, weight in node.outcomes:
                add(after, share * weight / weights)
        else:
            probabilities[node[ir.FIRST_FREE :]] = probabilities.get(node[ir.FIRST_FREE :], Fraction(0)) + share

    add(bulk.start_node(game.backend, 0, True), Fraction(1))
    for seed in range(SEEDS):
        cells = game.backend.start(seed)
        run_on(game.backend, cells)
        share = probabilities.pop(tuple(cells[ir.FIRST_FREE :]), None)
        if share is not None:
            yield share, seed
        if not probabilities:
            return
    raise ValueError(f"no seed for {len(probabilities)} deals")


def _grow(
    game: Game, cells: list[int], past: ChoiceHistory, chosen: tuple[tuple[int, ...], tuple[int, ...]],
    places: dict[Known, Place],
) -> Node:  # fmt: skip
    state = State(game, cells)
    if state.over:
        first, second = state.scores
        assert first == -second
        return Node(-1, first)
    seat, options = state.seat, state.options()
    information = (seat, tuple(past.views(seat)), chosen[seat])
    places.setdefault(information, Place(state, past))
    node = Node(seat, known=information)
    for number, option in enumerate(options):
        after = cells.copy()
        then = ChoiceHistory(game, past.first, [*past.choices])
        then.add(cells, option, 0)
        game.backend.choose(after, option)
        run_on(game.backend, after, dice=_no_dice)
        own_choices = (*chosen[seat], number)
        node.after.append(
            _grow(game, after, then, (own_choices, chosen[1]) if seat == 0 else (chosen[0], own_choices), places)
        )
    return node


def _no_dice(sides: int) -> int:
    raise ValueError("chance falls after the deal")


# ---- value of strategies ---------------------------------------------------------------------------------------------


def uniform(of: Poker) -> Strategy:
    """Return the strategy in which all options have equal probability."""
    counts = {information: len(place.state.options()) for information, place in of.places.items()}
    return {information: [Fraction(1, number)] * number for information, number in counts.items()}


def value(of: Poker, strategy: Strategy) -> Fraction:
    """Return the expected gain of the first player if both play this strategy."""

    def worth(node: Node) -> Fraction:
        if node.seat < 0:
            return Fraction(node.value)
        return sum(
            (share * worth(after) for share, after in zip(strategy[node.known], node.after, strict=True) if share),
            Fraction(0),
        )

    return sum((probability * worth(node) for probability, node in of.deals), Fraction(0))


def best_response(of: Poker, strategy: Strategy, seat: int) -> Fraction:
    """Return the best gain of a seat against this strategy."""
    sign = 1 if seat == 0 else -1

    def best(nodes: Sequence[tuple[Fraction, Node]]) -> Fraction:
        total, own_nodes, rest = Fraction(0), dict[Known, list[tuple[Fraction, Node]]](), list(nodes)
        while rest:
            reach, node = rest.pop()
            if node.seat < 0:
                total += reach * node.value * sign
            elif node.seat == seat:
                own_nodes.setdefault(node.known, []).append((reach, node))
            else:
                shares = strategy[node.known]
                rest += [(reach * s, after) for s, after in zip(shares, node.after, strict=True) if s]
        for same_information in own_nodes.values():
            options = range(len(same_information[0][1].after))
            total += max(best([(reach, node.after[option]) for reach, node in same_information]) for option in options)
        return total

    return best(of.deals)


def exploitability(of: Poker, strategy: Strategy) -> Fraction:
    """Return the gain of a best response over the equilibrium value, averaged over both seats; 0 for an equilibrium."""
    return sum((best_response(of, strategy, seat) for seat in (0, 1)), Fraction(0)) / 2


def sampled_strategy(of: Poker, choose: Callable[[Place, int], int], samples: int) -> Strategy:
    """Estimate a bot's strategy from `samples` choices per information set. `choose` returns the option number for a
    luck number."""
    strategy = dict[Known, Sequence[Fraction]]()
    for information, place in of.places.items():
        counts = [0] * len(place.state.options())
        for number in range(samples):
            counts[choose(place, number)] += 1
        strategy[information] = [Fraction(count, samples) for count in counts]
    return strategy


# ---- equilibrium -----------------------------------------------------------------------------------------------------


def equilibrium(of: Poker) -> tuple[float, Strategy]:
    """Return the value for the first player and an equilibrium strategy.

    Uses the linear program over sequences of choices (Koller, Megiddo and von Stengel, 1994) for each seat.
    """
    strategy = dict[Known, Sequence[Fraction]]()
    worth = 0.0
    for seat in (0, 1):
        gain, shares = _program(of, seat)
        worth = gain if seat == 0 else worth
        strategy |= shares
    return worth, strategy


def _program(of: Poker, seat: int) -> tuple[float, dict[Known, list[Fraction]]]:
    """Return the guaranteed gain of a seat and the strategy that achieves it."""
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    # For each seat: its sequences of choices with their numbers, and the sequence that leads to each information set.
    sequences: tuple[dict[Hashable, int], ...] = ({None: 0}, {None: 0})
    leading: tuple[dict[Known, tuple[int, list[int]]], ...] = ({}, {})
    payoff = dict[tuple[int, int], Fraction]()

    def walk(node: Node, likely: Fraction, at: tuple[int, int]) -> None:
        if node.seat < 0:
            key = (at[seat], at[1 - seat])
            payoff[key] = payoff.get(key, Fraction(0)) + likely * node.value * (1 if seat == 0 else -1)
            return
        owner = node.seat
        numbers = [sequences[owner].setdefault((node.known, n), len(sequences[owner])) for n in range(len(node.after))]
        leading[owner].setdefault(node.known, (at[owner], numbers))
        for number, after in zip(numbers, node.after, strict=True):
            walk(after, likely, (number, at[1]) if owner == 0 else (at[0], number))

    for likely, node in of.deals:
        walk(node, likely, (0, 0))
    mine, theirs = sequences[seat], sequences[1 - seat]
    # Variables: my plan, and the opponent's bound at each of their information sets (and at the start).
    dual_variable = {information: len(mine) + 1 + number for number, information in enumerate(leading[1 - seat])}
    size = len(mine) + 1 + len(dual_variable)
    equal, right = lil_matrix((1 + len(leading[seat]), size)), numpy.zeros(1 + len(leading[seat]))
    equal[0, 0], right[0] = 1, 1
    for row, (parent, numbers) in enumerate(leading[seat].values(), 1):
        equal[row, parent] = -1
        for number in numbers:
            equal[row, number] = 1
    # For each opponent sequence: its bound is at most its payoff plus the bounds after it.
    constraints = lil_matrix((len(theirs), size))
    constraints[0, len(mine)] = 1
    for information, (parent, numbers) in leading[1 - seat].items():
        constraints[parent, dual_variable[information]] -= 1
        for number in numbers:
            constraints[number, dual_variable[information]] += 1
    for (my_sequence, their_sequence), gain in payoff.items():
        constraints[their_sequence, my_sequence] -= float(gain)
    goal = numpy.zeros(size)
    goal[len(mine)] = -1
    bounds = [(0, None)] * len(mine) + [(None, None)] * (1 + len(dual_variable))
    solution = linprog(
        goal, constraints.tocsr(), numpy.zeros(len(theirs)), equal.tocsr(), right, bounds, method="highs"
    )
    plan = [max(0.0, float(x)) for x in solution.x[: len(mine)]]
    shares = dict[Known, list[Fraction]]()
    for information, (_, numbers) in leading[seat].items():
        weights = [Fraction(plan[number]) for number in numbers]
        total = sum(weights, Fraction(0))
        # Any strategy will do where this information set is not reached.
        shares[information] = [w / total if total else Fraction(1, len(weights)) for w in weights]
    return -float(solution.fun), shares

"""Card games for two in which all chance falls in the deal, exactly: how much a way of playing can lose, and the
equilibrium.

The tree is made of the rules themselves.  A way of playing says how likely each option is for what a seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from wongar_dsl import ir, library
from wongar_dsl.backends import courses, run_on
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.past import Past

Known = Hashable
"""What a seat saw, was told, could choose and chose, up to a decision of its own."""
Strategy = Mapping[Known, Sequence[Fraction]]
"""How likely each option is, by what is known."""
#: Deals are looked for among so many seeds.
SEEDS = 10_000


@dataclass(slots=True)
class Node:
    """A decision, or an end: `value` is what the first player gains there, `seat` is -1."""

    seat: int
    value: int = 0
    known: Known = None
    after: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """One of the states in which a seat knows the same, with how it came about: where a bot can be asked."""

    state: State
    past: Past


@dataclass(frozen=True)
class Poker:
    """The whole game: each deal with how likely it is, and for what is known, a place where it is."""

    game: Game
    deals: tuple[tuple[Fraction, Node], ...]
    places: Mapping[Known, Place]


@lru_cache
def poker(rules: str) -> Poker:
    """The tree of a game for two."""
    game = library.load(rules).game(2)
    deals, places = [], dict[Known, Place]()
    for likely, seed in _deals(game):
        cells = game.backend.start(seed)
        past = Past(game, cells.copy())
        run_on(game.backend, cells)
        deals.append((likely, _grow(game, cells, past, ((), ()), places)))
    return Poker(game, tuple(deals), places)


def _deals(game: Game) -> Iterator[tuple[Fraction, int]]:
    """Each deal with a seed that leads to it."""
    likely = dict[tuple[int, ...], Fraction]()

    def add(node: courses.Node, share: Fraction) -> None:
        if isinstance(node, courses.Roll):
            weights = sum(weight for _, weight in node.outcomes)
            for after, weight in node.outcomes:
                add(after, share * weight / weights)
        else:
            likely[node[ir.FIRST_FREE :]] = likely.get(node[ir.FIRST_FREE :], Fraction(0)) + share

    add(courses.beginning(game.backend, 0, True), Fraction(1))
    for seed in range(SEEDS):
        cells = game.backend.start(seed)
        run_on(game.backend, cells)
        share = likely.pop(tuple(cells[ir.FIRST_FREE :]), None)
        if share is not None:
            yield share, seed
        if not likely:
            return
    raise ValueError(f"no seed for {len(likely)} deals")


def _grow(
    game: Game, cells: list[int], past: Past, chosen: tuple[tuple[int, ...], tuple[int, ...]],
    places: dict[Known, Place],
) -> Node:  # fmt: skip
    state = State(game, cells)
    if state.over:
        first, second = state.scores
        assert first == -second
        return Node(-1, first)
    seat, options = state.seat, state.options()
    known = (seat, tuple(past.views(seat)), chosen[seat])
    places.setdefault(known, Place(state, past))
    node = Node(seat, known=known)
    for number, option in enumerate(options):
        after = cells.copy()
        then = Past(game, past.first, [*past.choices])
        then.add(cells, option, 0)
        game.backend.choose(after, option)
        run_on(game.backend, after, dice=_no_dice)
        own = (*chosen[seat], number)
        node.after.append(_grow(game, after, then, (own, chosen[1]) if seat == 0 else (chosen[0], own), places))
    return node


def _no_dice(sides: int) -> int:
    raise ValueError("chance falls after the deal")


# ---- what a way of playing is worth --------------------------------------------------------------------------------


def uniform(of: Poker) -> Strategy:
    """Every option as likely as any other."""
    counts = {known: len(place.state.options()) for known, place in of.places.items()}
    return {known: [Fraction(1, number)] * number for known, number in counts.items()}


def value(of: Poker, strategy: Strategy) -> Fraction:
    """What the first player gains where both play so."""

    def worth(node: Node) -> Fraction:
        if node.seat < 0:
            return Fraction(node.value)
        return sum(
            (share * worth(after) for share, after in zip(strategy[node.known], node.after, strict=True) if share),
            Fraction(0),
        )

    return sum((likely * worth(node) for likely, node in of.deals), Fraction(0))


def best_response(of: Poker, strategy: Strategy, seat: int) -> Fraction:
    """What a seat gains at best against somebody who plays so."""
    sign = 1 if seat == 0 else -1

    def best(nodes: Sequence[tuple[Fraction, Node]]) -> Fraction:
        total, own, rest = Fraction(0), dict[Known, list[tuple[Fraction, Node]]](), list(nodes)
        while rest:
            reach, node = rest.pop()
            if node.seat < 0:
                total += reach * node.value * sign
            elif node.seat == seat:
                own.setdefault(node.known, []).append((reach, node))
            else:
                shares = strategy[node.known]
                rest += [(reach * s, after) for s, after in zip(shares, node.after, strict=True) if s]
        for together in own.values():
            options = range(len(together[0][1].after))
            total += max(best([(reach, node.after[option]) for reach, node in together]) for option in options)
        return total

    return best(of.deals)


def exploitability(of: Poker, strategy: Strategy) -> Fraction:
    """How much more than in an equilibrium somebody gains at best against this way of playing, as the mean of both
    seats; nothing for an equilibrium."""
    return sum((best_response(of, strategy, seat) for seat in (0, 1)), Fraction(0)) / 2


def played_by(of: Poker, choose: Callable[[Place, int], int], samples: int) -> Strategy:
    """How likely somebody takes each option, by so many choices: `choose` gives the number of the option that is taken
    with the luck of a number."""
    found = dict[Known, Sequence[Fraction]]()
    for known, place in of.places.items():
        counts = [0] * len(place.state.options())
        for number in range(samples):
            counts[choose(place, number)] += 1
        found[known] = [Fraction(count, samples) for count in counts]
    return found


# ---- the equilibrium -----------------------------------------------------------------------------------------------


def equilibrium(of: Poker) -> tuple[float, Strategy]:
    """What the first player gains where both play as well as can be, and such a way of playing.

    By the linear program over sequences of choices (Koller, Megiddo and von Stengel, 1994), for each seat.
    """
    found = dict[Known, Sequence[Fraction]]()
    worth = 0.0
    for seat in (0, 1):
        gain, shares = _program(of, seat)
        worth = gain if seat == 0 else worth
        found |= shares
    return worth, found


def _program(of: Poker, seat: int) -> tuple[float, dict[Known, list[Fraction]]]:
    """The best that a seat can be sure of, and how it plays for that."""
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    # For both seats: sequences of own choices with their numbers, and for what is known, the sequence that leads there.
    sequences: tuple[dict[Hashable, int], ...] = ({None: 0}, {None: 0})
    leading: tuple[dict[Known, tuple[int, list[int]]], ...] = ({}, {})
    payoff = dict[tuple[int, int], Fraction]()

    def walk(node: Node, likely: Fraction, at: tuple[int, int]) -> None:
        if node.seat < 0:
            key = (at[seat], at[1 - seat])
            payoff[key] = payoff.get(key, Fraction(0)) + likely * node.value * (1 if seat == 0 else -1)
            return
        own = node.seat
        numbers = [sequences[own].setdefault((node.known, n), len(sequences[own])) for n in range(len(node.after))]
        leading[own].setdefault(node.known, (at[own], numbers))
        for number, after in zip(numbers, node.after, strict=True):
            walk(after, likely, (number, at[1]) if own == 0 else (at[0], number))

    for likely, node in of.deals:
        walk(node, likely, (0, 0))
    mine, theirs = sequences[seat], sequences[1 - seat]
    # Variables: my plan, and what the other keeps me to at each thing that they know (and at the beginning).
    held = {known: len(mine) + 1 + number for number, known in enumerate(leading[1 - seat])}
    size = len(mine) + 1 + len(held)
    equal, right = lil_matrix((1 + len(leading[seat]), size)), numpy.zeros(1 + len(leading[seat]))
    equal[0, 0], right[0] = 1, 1
    for row, (parent, numbers) in enumerate(leading[seat].values(), 1):
        equal[row, parent] = -1
        for number in numbers:
            equal[row, number] = 1
    # For each sequence of the other: what they are held to by it is no more than what comes of it and after it.
    most = lil_matrix((len(theirs), size))
    most[0, len(mine)] = 1
    for known, (parent, numbers) in leading[1 - seat].items():
        most[parent, held[known]] -= 1
        for number in numbers:
            most[number, held[known]] += 1
    for (own, other), gain in payoff.items():
        most[other, own] -= float(gain)
    goal = numpy.zeros(size)
    goal[len(mine)] = -1
    bounds = [(0, None)] * len(mine) + [(None, None)] * (1 + len(held))
    done = linprog(goal, most.tocsr(), numpy.zeros(len(theirs)), equal.tocsr(), right, bounds, method="highs")
    plan = [max(0.0, float(x)) for x in done.x[: len(mine)]]
    shares = dict[Known, list[Fraction]]()
    for known, (_, numbers) in leading[seat].items():
        weights = [Fraction(plan[number]) for number in numbers]
        total = sum(weights, Fraction(0))
        # Where it does not come to, anything will do.
        shares[known] = [w / total if total else Fraction(1, len(weights)) for w in weights]
    return -float(done.fun), shares

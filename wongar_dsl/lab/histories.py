"""Walks over the histories of games: perft counts and exact expectations, and the first divergence of two games.

The counts verify rules against published numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.bulk import ChanceNode, Node, is_over, start_node, successors
from wongar_dsl.compiler.backends.protocol import PerftLevel
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, State, play_fault


def count(game: Game, depth: int, *, chance: bool = False, seed: int = 0) -> Iterator[PerftLevel]:
    """Yield the perft level for depths 0 to `depth`; stop early if all games are over.

    A step is a decision. With `chance`, a chance outcome is a step too; without it, chance follows the seed.
    """
    try:
        yield from game.backend.perft(seed, depth, chance)
    except RuleFault as fault:
        raise play_fault(fault) from None


def endings(game: Game, *, chance: bool = False, seed: int = 0) -> dict[tuple[int, ...], int]:
    """Return the number of complete histories by their winners; only for games that always end."""
    counts: dict[tuple[int, ...], int] = {}
    for end, number in _ends(game, chance, seed, lambda _, after: [1] * len(after)):
        counts[end.winners] = counts.get(end.winners, 0) + int(number)
    return counts


def random_play_values(game: Game, value: Callable[[State], tuple[int, ...]] | None = None) -> tuple[Fraction, ...]:
    """Return the exact expected value of each seat if every player picks options uniformly at random.

    `value` gives the values of a finished game, by default its scores. Only for games that always end.
    """

    def shares(node: Node, after: list[Node]) -> list[Fraction]:
        weights = [weight for _, weight in node.outcomes] if isinstance(node, ChanceNode) else [1] * len(after)
        return [Fraction(weight, sum(weights)) for weight in weights]

    worth = value or (lambda state: state.scores)
    totals = [Fraction(0)] * game.seats
    for end, likely in _ends(game, True, 0, shares):
        totals = [total + likely * points for total, points in zip(totals, worth(end), strict=True)]
    return tuple(totals)


def _ends(
    game: Game, chance: bool, seed: int, weights: Callable[[Node, list[Node]], Sequence[int | Fraction]]
) -> Iterator[tuple[State, int | Fraction]]:
    """Yield the ends of all histories, with the product of the weights of their steps; equal nodes are merged.

    `weights` returns those of the steps from a node to its successors. Raise `PlayFault` for a fault in the rules.
    """
    try:
        layer: dict[Node, int | Fraction] = {start_node(game.backend, seed, chance): 1}
        while layer:
            following: dict[Node, int | Fraction] = {}
            for node, number in layer.items():
                if isinstance(node, tuple) and is_over(node):
                    yield State(game, list(node)), number
                after = successors(game.backend, node, chance)
                for successor, weight in zip(after, weights(node, after), strict=True):
                    following[successor] = following.get(successor, 0) + number * weight
            layer = following
    except RuleFault as fault:
        raise play_fault(fault) from None


__all__ = ["ChanceNode", "PerftLevel", "count", "endings", "random_play_values"]


#: Number of games tried, and of decisions in each, before two games count as equal.
GAMES, DECISIONS = 200, 400


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergence of two games with the same seed after the moves `moves`, given in notation.

    `one` and `other` are the states at that point.
    """

    seed: int
    moves: tuple[str, ...]
    one: State
    other: State


def first_divergence(one: Game, other: Game, seed: int = 1, games: int = GAMES) -> Divergence | None:
    """Return the first divergence of two games among random plays with seeds from `seed` on, or None."""
    for number in range(games):
        divergence = _divergence(one, other, seed + number)
        if divergence is not None:
            return divergence
    return None


def _divergence(one: Game, other: Game, seed: int) -> Divergence | None:
    (first, _), (second, _) = one.start(seed), other.start(seed)
    generator, moves = Generator(seed), list[str]()
    for _ in range(DECISIONS):
        options = _signature(first)
        if options != _signature(second):
            return Divergence(seed, tuple(moves), first, second)
        if first.over:
            return None
        written = options[2][generator.below(len(options[2]))]
        moves.append(written)
        first.apply(first.read(written))
        second.apply(second.read(written))
    return None


def _signature(state: State) -> tuple[str, int, tuple[str, ...], tuple[int, ...]]:
    """Return the decision, its seat, its options and the scores; at the end, the winners and the scores."""
    decision = state.decision
    if state.over or decision is None:
        return "", -1, (), (*state.winners, *state.scores)
    return decision.name, state.seat, tuple(sorted(state.write(move) for move in state.legal_moves())), state.scores

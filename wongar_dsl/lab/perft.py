"""Perft counts and exact expectations over all histories of a game, to verify rules against published numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from wongar_dsl.compiler.backends import RuleFault, enumeration
from wongar_dsl.compiler.backends.enumeration import ChanceNode, Node, is_over
from wongar_dsl.compiler.backends.protocol import PerftLevel
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
    layer: dict[Node, int] = {_beginning(game, chance, seed): 1}
    while layer:
        following: dict[Node, int] = {}
        for node, number in layer.items():
            if isinstance(node, tuple) and is_over(node):
                winners = State(game, list(node)).winners
                counts[winners] = counts.get(winners, 0) + number
            for after in _after(game, node, chance):
                following[after] = following.get(after, 0) + number
        layer = following
    return counts


def random_play_values(game: Game, value: Callable[[State], tuple[int, ...]] | None = None) -> tuple[Fraction, ...]:
    """Return the exact expected value of each seat if every player picks options uniformly at random.

    `value` gives the values of a finished game, by default its scores. Only for games that always end.
    """
    worth = value or (lambda state: state.scores)
    totals = [Fraction(0)] * game.seats
    layer: dict[Node, Fraction] = {_beginning(game, True, 0): Fraction(1)}
    while layer:
        following: dict[Node, Fraction] = {}
        for node, likely in layer.items():
            if isinstance(node, ChanceNode):
                weights = sum(weight for _, weight in node.outcomes)
                steps = [(after, Fraction(weight, weights)) for after, weight in node.outcomes]
            else:
                moves = _after(game, node, True)
                steps = [(after, Fraction(1, len(moves))) for after in moves]
                if is_over(node):
                    for seat, points in enumerate(worth(State(game, list(node)))):
                        totals[seat] += likely * points
            for after, share in steps:
                following[after] = following.get(after, Fraction(0)) + likely * share
        layer = following
    return tuple(totals)


def _beginning(game: Game, chance: bool, seed: int) -> Node:
    try:
        return enumeration.start_node(game.backend, seed, chance)
    except RuleFault as fault:
        raise play_fault(fault) from None


def _after(game: Game, node: Node, chance: bool) -> list[Node]:
    try:
        return enumeration.successors(game.backend, node, chance)
    except RuleFault as fault:
        raise play_fault(fault) from None


__all__ = ["ChanceNode", "PerftLevel", "count", "endings", "random_play_values"]

"""Counts and exact expectations over all courses of a game, to hold rules against numbers from elsewhere.

Courses that lead to equal positions go on alike, so each position is worked out once, with the number of courses that
lead to it.  Chance is tried out: the rules run with dice that answer from a script, and where the script ends they
branch.  Two outcomes from which everything goes on alike (two copies of the same card, say) count once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from wongar_dsl import ir
from wongar_dsl.backends import Dice, RuleFault, run_on
from wongar_dsl.engine import Game, State, play_fault

Cells = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """A place where chance decides: what can come next, each with its weight, all different."""

    outcomes: tuple[tuple[Node, int], ...]


#: A position as its cells, or chance.
Node = Cells | Roll


@dataclass(frozen=True, slots=True)
class Level:
    """What there is after some number of steps: courses, different positions, and courses that are over."""

    histories: int
    positions: int
    over: int


class _Open(Exception):
    """The script of the dice has ended at a roll of `sides`."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


def count(game: Game, depth: int, *, chance: bool = False, seed: int = 0) -> Iterator[Level]:
    """For 0, 1, ... `depth` steps what there is; ends early where everything is over.

    A step is a decision; with `chance` also a roll of the dice, and without it chance falls as the seed says.
    """
    layer: dict[Node, int] = {_beginning(game, chance, seed): 1}
    for step in range(depth + 1):
        over = sum(n for node, n in layer.items() if _is_over(node))
        yield Level(sum(layer.values()), len(layer), over)
        if step == depth or over == sum(layer.values()):
            return
        following: dict[Node, int] = {}
        for node, number in layer.items():
            for after in _after(game, node, chance):
                following[after] = following.get(after, 0) + number
        layer = following


def endings(game: Game, *, chance: bool = False, seed: int = 0) -> dict[tuple[int, ...], int]:
    """How many whole courses end with which winners; for games that always end."""
    found: dict[tuple[int, ...], int] = {}
    layer: dict[Node, int] = {_beginning(game, chance, seed): 1}
    while layer:
        following: dict[Node, int] = {}
        for node, number in layer.items():
            if isinstance(node, tuple) and _is_over(node):
                winners = State(game, list(node)).winners
                found[winners] = found.get(winners, 0) + number
            for after in _after(game, node, chance):
                following[after] = following.get(after, 0) + number
        layer = following
    return found


def uniform(game: Game, value: Callable[[State], tuple[int, ...]] | None = None) -> tuple[Fraction, ...]:
    """What each seat can expect, exactly, if everybody chooses each option as likely as any other.

    `value` is what a finished game is worth to the seats, its scores unless something else is given.  For games that
    always end.
    """
    worth = value or (lambda state: state.scores)
    totals = [Fraction(0)] * game.seats
    layer: dict[Node, Fraction] = {_beginning(game, True, 0): Fraction(1)}
    while layer:
        following: dict[Node, Fraction] = {}
        for node, likely in layer.items():
            if isinstance(node, Roll):
                weights = sum(weight for _, weight in node.outcomes)
                steps = [(after, Fraction(weight, weights)) for after, weight in node.outcomes]
            else:
                moves = _after(game, node, True)
                steps = [(after, Fraction(1, len(moves))) for after in moves]
                if _is_over(node):
                    for seat, points in enumerate(worth(State(game, list(node)))):
                        totals[seat] += likely * points
            for after, share in steps:
                following[after] = following.get(after, Fraction(0)) + likely * share
        layer = following
    return tuple(totals)


def _is_over(node: Node) -> bool:
    return isinstance(node, tuple) and node[ir.AT_DECISION] == ir.OVER


def _beginning(game: Game, chance: bool, seed: int) -> Node:
    cells = game.backend.start(seed)
    return _outcomes(game, cells) if chance else _run(game, cells, None)


def _after(game: Game, node: Node, chance: bool) -> list[Node]:
    """Everything that can come next."""
    if isinstance(node, Roll):
        return [after for after, _ in node.outcomes]
    if _is_over(node):
        return []
    found = []
    for option in game.backend.options(list(node)):
        cells = list(node)
        game.backend.choose(cells, option)
        found.append(_outcomes(game, cells) if chance else _run(game, cells, None))
    return found


def _outcomes(game: Game, cells: list[int]) -> Node:
    """The position that follows, or the tree of chance before it."""

    def grow(script: tuple[int, ...]) -> Node:
        answers = iter(script)

        def dice(sides: int) -> int:
            answer = next(answers, None)
            if answer is None:
                raise _Open(sides)
            return answer

        try:
            return _run(game, cells.copy(), dice)
        except _Open as opened:
            weights: dict[Node, int] = {}
            for answer in range(opened.sides):
                node = grow((*script, answer))
                weights[node] = weights.get(node, 0) + 1
            return Roll(tuple(weights.items()))

    return grow(())


def _run(game: Game, cells: list[int], dice: Dice | None) -> Cells:
    """The next position at which somebody decides, or the last one."""
    try:
        run_on(game.backend, cells, None, dice)
    except RuleFault as fault:
        raise play_fault(fault) from None
    return tuple(cells)


__all__ = ["Level", "Roll", "count", "endings", "uniform"]

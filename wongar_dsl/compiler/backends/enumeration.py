"""Perft enumeration and playouts on a stepping backend; the native backend does the same in C.

Histories that lead to equal positions are merged: each position is expanded once and stored with its number of
histories.  Chance is enumerated: the rules run with scripted dice, and branch where the script ends.  Outcomes that
lead to equal positions (such as two copies of a card) count once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from operator import mul

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.determinize import determinize_in_place
from wongar_dsl.compiler.backends.protocol import (
    Backend,
    CancelToken,
    Dice,
    Option,
    OptionStats,
    PerftLevel,
    PlayoutResult,
    State,
    run_on,
)
from wongar_dsl.compiler.backends.rng import Cursor, Generator, Purpose, derive, draw, start
from wongar_dsl.compiler.backends.visibility_mask import VisibilityMask

Cells = tuple[int, ...]
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ChanceNode:
    """Chance node: distinct successors with their weights."""

    outcomes: tuple[tuple[Node, int], ...]


#: Position as its cells, or chance node.
Node = Cells | ChanceNode


class ScriptEnded(Exception):
    """Raised when scripted dice run out, at a roll with `sides` outcomes."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


def scripted(script: Iterable[int]) -> Dice:
    """Return dice that return the numbers of a script and raise `ScriptEnded` at its end."""
    answers = iter(script)

    def dice(sides: int) -> int:
        answer = next(answers, None)
        if answer is None:
            raise ScriptEnded(sides)
        return answer

    return dice


def is_over(node: Node) -> bool:
    """Return whether a node is the end of a game."""
    return isinstance(node, tuple) and node[ir.AT_DECISION] == ir.OVER


def start_node(backend: Backend, seed: int, chance: bool) -> Node:
    """Return the root of the enumeration.  Raises `RuleFault`."""
    cells = backend.start(seed)
    return _outcomes(backend, cells) if chance else _run(backend, cells, None)


def successors(backend: Backend, node: Node, chance: bool) -> list[Node]:
    """Return all successors of a node.  Raises `RuleFault`."""
    if isinstance(node, ChanceNode):
        return [following for following, _ in node.outcomes]
    if is_over(node):
        return []
    successors = []
    for option in backend.options(list(node)):
        cells = list(node)
        backend.choose(cells, option)
        successors.append(_outcomes(backend, cells) if chance else _run(backend, cells, None))
    return successors


def _outcomes(backend: Backend, cells: State) -> Node:
    """Return the next position, or the tree of chance nodes before it."""

    def grow(script: tuple[int, ...]) -> Node:
        try:
            return _run(backend, cells.copy(), scripted(script))
        except ScriptEnded as opened:
            weights: dict[Node, int] = {}
            for answer in range(opened.sides):
                node = grow((*script, answer))
                weights[node] = weights.get(node, 0) + 1
            return ChanceNode(tuple(weights.items()))

    return grow(())


def _run(backend: Backend, cells: State, dice: Dice | None) -> Cells:
    """Return the next position with a decision, or the last one."""
    run_on(backend, cells, None, dice)
    return tuple(cells)


@cache
def _powers(size: int) -> tuple[int, ...]:
    """Return the factors of the fingerprint so far and of the cells of a state."""
    return tuple(pow(31, n, _WORD + 1) for n in range(size, -1, -1))


class BulkOperations:
    """Bulk operations for backends that run step by step."""

    def playout(self: Backend, state: State, rng: Cursor, limit: int) -> tuple[int, Cursor]:
        """Implement `Backend.playout`."""
        counter, step = rng
        options = self.advance(state)
        for length in range(limit):
            if not options:
                return length, (counter, step)
            counter, number = draw(counter, step, len(options))
            self.choose(state, options[number])
            options = self.advance(state)
        return limit, (counter, step)

    def playouts(self: Backend, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """Implement `Backend.playouts`."""
        decisions = fingerprint = 0
        factor, *powers = _powers(self.program.size)
        for number in range(first, last):
            game_seed = derive(seed, number)
            state = self.start(game_seed)
            decisions += self.playout(state, start(game_seed, Purpose.SAMPLING), limit)[0]
            # Only non-zero cells are summed, because most cells of a final position are 0.
            fingerprint = (fingerprint * factor + sum(map(mul, filter(None, state), compress(powers, state)))) & _WORD
        return decisions, fingerprint

    def outcomes(self: Backend, state: State, options: Sequence[Option], seed: int, limit: int) -> list[PlayoutResult]:
        """Implement `Backend.outcomes`."""
        score = self.program.score
        results = []
        for option in options:
            cells = state.copy()
            self.choose(cells, option)
            self.playout(cells, start(seed, Purpose.SAMPLING), limit)
            winners = cells[ir.AT_WINNERS] if cells[ir.AT_DECISION] == ir.OVER else 0
            scores = (cells[score.at(seat)] for seat in range(self.program.seats)) if score is not None else ()
            results.append(PlayoutResult(winners, tuple(scores)))
        return results

    def determinize(self: Backend, state: State, mask: VisibilityMask, rng: Cursor) -> Cursor:
        """Implement `Backend.determinize`."""
        generator = Generator(0)
        generator.cursor = rng
        determinize_in_place(self, state, mask, generator)
        return generator.cursor

    def evaluate_options(
        self: Backend,
        state: State,
        mask: VisibilityMask,
        worlds: Sequence[State],
        iterations: int,
        seed: int,
        cancel: CancelToken,
    ) -> list[OptionStats]:
        """Implement `Backend.evaluate_options`."""
        from wongar_dsl.compiler.backends.ismcts import SearchTree

        tree = SearchTree(self, state, mask, worlds, seed)
        tree.grow(iterations, cancel)
        return tree.option_stats()

    def perft(self: Backend, seed: int, depth: int, chance: bool) -> Iterator[PerftLevel]:
        """Implement `Backend.perft`."""
        layer: dict[Node, int] = {start_node(self, seed, chance): 1}
        for step in range(depth + 1):
            over = sum(n for node, n in layer.items() if is_over(node))
            yield PerftLevel(sum(layer.values()), len(layer), over)
            if step == depth or over == sum(layer.values()):
                return
            following: dict[Node, int] = {}
            for node, number in layer.items():
                for successor in successors(self, node, chance):
                    following[successor] = following.get(successor, 0) + number
            layer = following

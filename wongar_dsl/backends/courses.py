"""All courses of a game, and random ones, on a backend that goes step by step; `native` does the same in one go.

Courses that lead to equal positions go on alike, so each position is worked out once, with the number of courses that
lead to it.  Chance is tried out: the rules run with dice that answer from a script, and where the script ends they
branch.  Two outcomes from which everything goes on alike (two copies of the same card, say) count once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from operator import mul

from wongar_dsl import ir
from wongar_dsl.backends.chance import Cursor, Generator, Purpose, derive, draw, start
from wongar_dsl.backends.protocol import Backend, Dice, Halt, Level, Option, Outcome, State, Tried, run_on
from wongar_dsl.backends.sampling import deal
from wongar_dsl.backends.sight import Sight
from wongar_dsl.backends.tree import Tree

Cells = tuple[int, ...]
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Roll:
    """A place where chance decides: what can come next, each with its weight, all different."""

    outcomes: tuple[tuple[Node, int], ...]


#: A position as its cells, or chance.
Node = Cells | Roll


class Open(Exception):
    """The script of the dice has ended at a roll of `sides`."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


def scripted(script: Iterable[int]) -> Dice:
    """Dice that answer from a script; they raise `Open` at its end."""
    answers = iter(script)

    def dice(sides: int) -> int:
        answer = next(answers, None)
        if answer is None:
            raise Open(sides)
        return answer

    return dice


def is_over(node: Node) -> bool:
    """Whether a game has ended there."""
    return isinstance(node, tuple) and node[ir.AT_DECISION] == ir.OVER


def beginning(backend: Backend, seed: int, chance: bool) -> Node:
    """Where all courses begin.  Raises `RuleFault`."""
    cells = backend.start(seed)
    return _outcomes(backend, cells) if chance else _run(backend, cells, None)


def after(backend: Backend, node: Node, chance: bool) -> list[Node]:
    """Everything that can come next.  Raises `RuleFault`."""
    if isinstance(node, Roll):
        return [following for following, _ in node.outcomes]
    if is_over(node):
        return []
    found = []
    for option in backend.options(list(node)):
        cells = list(node)
        backend.choose(cells, option)
        found.append(_outcomes(backend, cells) if chance else _run(backend, cells, None))
    return found


def _outcomes(backend: Backend, cells: State) -> Node:
    """The position that follows, or the tree of chance before it."""

    def grow(script: tuple[int, ...]) -> Node:
        try:
            return _run(backend, cells.copy(), scripted(script))
        except Open as opened:
            weights: dict[Node, int] = {}
            for answer in range(opened.sides):
                node = grow((*script, answer))
                weights[node] = weights.get(node, 0) + 1
            return Roll(tuple(weights.items()))

    return grow(())


def _run(backend: Backend, cells: State, dice: Dice | None) -> Cells:
    """The next position at which somebody decides, or the last one."""
    run_on(backend, cells, None, dice)
    return tuple(cells)


@cache
def _powers(size: int) -> tuple[int, ...]:
    """The factors of the cells of a state in a fingerprint, after that of what was before them."""
    return tuple(pow(31, n, _WORD + 1) for n in range(size, -1, -1))


class Stepwise:
    """What a backend does that goes step by step; see `Backend` for all of it."""

    def playout(self: Backend, state: State, luck: Cursor, limit: int) -> tuple[int, Cursor]:
        """See `Backend.playout`."""
        counter, step = luck
        options = self.advance(state)
        for length in range(limit):
            if not options:
                return length, (counter, step)
            counter, number = draw(counter, step, len(options))
            self.choose(state, options[number])
            options = self.advance(state)
        return limit, (counter, step)

    def playouts(self: Backend, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """See `Backend.playouts`."""
        decisions = fingerprint = 0
        factor, *powers = _powers(self.program.size)
        for number in range(first, last):
            own = derive(seed, number)
            state = self.start(own)
            decisions += self.playout(state, start(own, Purpose.SAMPLING), limit)[0]
            # Most cells of a last position are 0.
            fingerprint = (fingerprint * factor + sum(map(mul, filter(None, state), compress(powers, state)))) & _WORD
        return decisions, fingerprint

    def outcomes(self: Backend, state: State, options: Sequence[Option], seed: int, limit: int) -> list[Outcome]:
        """See `Backend.outcomes`."""
        score = self.program.score
        found = []
        for option in options:
            cells = state.copy()
            self.choose(cells, option)
            self.playout(cells, start(seed, Purpose.SAMPLING), limit)
            winners = cells[ir.AT_WINNERS] if cells[ir.AT_DECISION] == ir.OVER else 0
            scores = (cells[score.at(seat)] for seat in range(self.program.seats)) if score is not None else ()
            found.append(Outcome(winners, tuple(scores)))
        return found

    def deal(self: Backend, state: State, sight: Sight, luck: Cursor) -> Cursor:
        """See `Backend.deal`."""
        generator = Generator(0)
        generator.cursor = luck
        deal(self, state, sight, generator)
        return generator.cursor

    def weigh(
        self: Backend, state: State, sight: Sight, worlds: Sequence[State], iterations: int, seed: int, halt: Halt
    ) -> list[Tried]:
        """See `Backend.weigh`."""
        tree = Tree(self, state, sight, worlds, seed)
        tree.grow(iterations, halt)
        return tree.tried()

    def perft(self: Backend, seed: int, depth: int, chance: bool) -> Iterator[Level]:
        """See `Backend.perft`."""
        layer: dict[Node, int] = {beginning(self, seed, chance): 1}
        for step in range(depth + 1):
            over = sum(n for node, n in layer.items() if is_over(node))
            yield Level(sum(layer.values()), len(layer), over)
            if step == depth or over == sum(layer.values()):
                return
            following: dict[Node, int] = {}
            for node, number in layer.items():
                for one in after(self, node, chance):
                    following[one] = following.get(one, 0) + number
            layer = following

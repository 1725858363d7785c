"""A tree of the choices ahead, tried out at random: Monte Carlo tree search over what seats know, in whole numbers.

Each iteration deals a world that looks the same to the seat that searches, goes down the tree to the first choice not
yet tried, and plays on from there at random.  What is learned hangs on what is seen where a choice is made: by the seat
itself, and, where another seat chooses, by both, so that neither the searcher's secrets nor those of a sampled world
guide others.  Choices at once are made one after the other without seeing each other.

Values are parts of `ONE`; roots and logarithms are tables and whole numbers: what is found is the same on every backend
and machine.  Where nothing is hidden and no chance falls, what is certain is found out and kept (as in MCTS-Solver).

Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search (2012); Winands, Björnsson and Saito,
Monte-Carlo Tree Search Solver (2008).
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from math import isqrt
from typing import NamedTuple

from wongar_dsl import ir
from wongar_dsl.backends.chance import GOLDEN, MASK, Generator, mix
from wongar_dsl.backends.protocol import Backend, Halt, Option, RuleFault, State, Tried
from wongar_dsl.backends.sampling import draw_from, sizes
from wongar_dsl.backends.sight import Sight

#: A whole win.
ONE = 1 << 16
#: How much what was tried seldom is tried again, as a part of `ONE`.
CURIOSITY = 45_000
#: The part of a result, in eighths, that is the share of the win; the rest is the lead in score.
SHARE = 7
#: A decision with more options is made argument by argument.
GROUPED = 40
#: So many choices at most are remembered of one iteration.
LONGEST = 1000
#: So many decisions at most has a game that is tried out.
LONGEST_GAME = 5000
#: The natural logarithm of 2.
LN2 = 45_426


def logarithms() -> tuple[int, ...]:
    """The logarithms to base 2 of 1, 1 + 1/256, ... as parts of `ONE`, by squaring: the same on every machine."""
    found = []
    for step in range(256):
        value, bits = (256 + step) << 24, 0
        for _ in range(16):
            value = value * value >> 32
            bits <<= 1
            if value >= 2 << 32:
                value >>= 1
                bits |= 1
        found.append(bits)
    return tuple(found)


LOGARITHMS = logarithms()


def root_of_logarithm(n: int) -> int:
    """The root of the natural logarithm of a number above 0, as a part of `ONE`."""
    bits = n.bit_length() - 1
    step = (n >> bits - 8 if bits >= 8 else n << 8 - bits) - 256
    return isqrt((bits * ONE + LOGARITHMS[step]) * LN2)


def part_of_root(n: int) -> int:
    """2^24 divided by the root of a number above 0."""
    return isqrt((1 << 48) // n)


@dataclass(slots=True)
class Result:
    """What a game came to, for each seat."""

    values: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass(slots=True)
class _Edge:
    """A choice where something is seen."""

    visits: int = 0
    available: int = 1
    value: int = 0
    share: int = 0
    part_of_root: int = 0
    certain: Result | None = None


@dataclass(slots=True)
class _Node:
    """Where choices are made, if nothing is hidden: of how many it is certain where they lead, and the best of them."""

    choices: int
    certain: int = 0
    best: Result | None = None

    def settled(self, seat: int) -> Result | None:
        """Where play goes from here for sure, if that is known."""
        if self.best is not None and (self.certain == self.choices or self.best.shares[seat] == ONE):
            return self.best
        return None


@dataclass(slots=True)
class _Taken:
    """A choice on the way down; `sure`: it leads to one position only."""

    node: int
    edge: _Edge
    seat: int
    sure: bool = True


class _Part(NamedTuple):
    """Options, from the first number to before the last, that are one choice; `key` tells it from others."""

    first: int
    end: int
    key: int


class Tree:
    """One tree for one decision."""

    def __init__(self, backend: Backend, state: State, sight: Sight, worlds: Sequence[State], seed: int) -> None:
        """`worlds` are states that look the same, one of which each iteration begins with; none: they are dealt."""
        self._backend, self._root, self._sight, self._worlds = backend, state, sight, worlds
        self._luck = Generator(seed)
        self._edges: dict[int, _Edge] = {}
        self._nodes: dict[int, _Node] = {}
        self._settled = False
        self._begun = 0
        self._score = backend.program.score

    def grow(self, iterations: int, halt: Halt) -> None:
        """Try out so many games (0: any number), fewer where all is certain or the end is asked for."""
        for _ in range(iterations) if iterations else repeat(None):
            if self._settled or halt.asked:
                return
            # A world in which the rules go wrong cannot be, and says nothing.
            with contextlib.suppress(RuleFault):
                self._try_out()

    def tried(self) -> list[Tried]:
        """What was found out of each option.  Raises `RuleFault`."""
        options = self._backend.options(self._root)
        return [self._of(options, number) for number in range(len(options))]

    def _of(self, options: list[Option], number: int) -> Tried:
        node, column, first, end = self._look(self._root, 0), 0, 0, len(options)
        edge = _Edge()
        while True:
            parts, column = _parts(node, options, first, end, column)
            if not parts:
                break
            first, end, node = next(p for p in parts if p.first <= number < p.end)
            edge = self._edges.get(node, _Edge())
        seat, sure = self._sight.seat, edge.certain
        certain = (sure.values[seat], sure.shares[seat]) if sure is not None else None
        return Tried(edge.visits, edge.value, edge.share, certain)

    # ---- one game ----

    def _try_out(self) -> None:
        backend, cells = self._backend, self._world()
        options = backend.options(cells)
        taken: list[_Taken] = []
        depth, fresh = 0, False
        while options and not fresh and len(taken) < LONGEST:
            number = 0
            if len(options) > 1:
                number, fresh = self._choice(cells, options, depth, taken)
            if number < 0:
                known = taken[-1].edge.certain
                assert known is not None
                self._learn(taken, known)
                self._settle(taken[:-1], self._nodes[taken[-1].node].settled(taken[-1].seat))
                return
            before = cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE]
            backend.choose(cells, options[number])
            options = backend.advance(cells)
            if taken and (cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE]) != before:
                taken[-1].sure = False
            depth += 1
        over = not options
        if not over:
            _, self._luck.cursor = backend.playout(cells, self._luck.cursor, LONGEST_GAME)
        result = self._result(cells)
        self._learn(taken, result)
        if over:
            self._settle(taken, result)

    def _world(self) -> State:
        """A state that looks the same.  Raises `RuleFault`."""
        if self._worlds:
            cells = self._worlds[self._begun % len(self._worlds)].copy()
            self._begun += 1
            draw_from(cells, self._luck.seed())
        else:
            cells = self._root.copy()
            self._luck.cursor = self._backend.deal(cells, self._sight, self._luck.cursor)
        return cells

    def _look(self, cells: State, depth: int) -> int:
        """A number for what is seen where a choice is made after so many others."""
        decision, seat = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        shown = self._sight.shown[seat]
        found = _number((decision, seat, depth))
        stretches = shown.stretches
        if seat == self._sight.seat:
            stretches += self._sight.opened[decision]
        for first, end in stretches:
            for cell in cells[first:end]:
                found = _fold(found, cell)
        for number in sizes(cells, shown.sizes):
            found = _fold(found, number)
        return mix(found)

    def _choice(self, cells: State, options: list[Option], depth: int, taken: list[_Taken]) -> tuple[int, bool]:
        """The number of the option to take, and whether its choice is a new one; -1 where it is known what it leads to.

        The choices on the way to it are put to those taken.
        """
        seat, node, column, first, end = cells[ir.AT_SEAT], self._look(cells, depth), 0, 0, len(options)
        while True:
            parts, column = _parts(node, options, first, end, column)
            if not parts:
                return first, False
            part = self._best(parts, seat)
            edge = self._edges.get(part.key)
            fresh = edge is None or not edge.visits
            if edge is None:
                edge = self._edges[part.key] = _Edge()
                if self._sight.complete:
                    self._nodes.setdefault(node, _Node(len(parts)))
            taken.append(_Taken(node, edge, seat))
            if edge.certain is not None:
                return -1, False
            node, first, end = part.key, part.first, part.end
            if fresh:
                return first + self._luck.below(end - first), True
            if len(taken) == LONGEST:
                return first, False

    def _best(self, parts: list[_Part], seat: int) -> _Part:
        """A choice not yet tried, each as likely as any other; else the one that promises most."""
        new, best, most, available, root = 0, parts[0], -1, 0, 0
        for part in parts:
            edge = self._edges.get(part.key)
            if edge is None or not edge.visits:
                new += 1
                if self._luck.below(new) == 0:
                    best = part
                continue
            edge.available += 1
            if new:
                continue
            if edge.certain is not None:
                promise = edge.certain.values[seat]
            else:
                if edge.available != available:
                    available, root = edge.available, CURIOSITY * root_of_logarithm(edge.available) >> 16
                promise = edge.value // edge.visits + (root * edge.part_of_root >> 24)
            if promise > most:
                best, most = part, promise
        return best

    # ---- what came of it ----

    def _result(self, cells: State) -> Result:
        """What a game came to: mostly the share of the win, a little the lead in score.

        Where nobody has won, and where a game goes on, all share.
        """
        seats = range(self._backend.program.seats)
        winners = [p for p in seats if cells[ir.AT_WINNERS] >> p & 1] if cells[ir.AT_DECISION] == ir.OVER else []
        shares = tuple(ONE // (len(winners) or len(seats)) if p in winners or not winners else 0 for p in seats)
        if self._score is None:
            return Result(shares, shares)
        sign = -1 if self._backend.program.fewest else 1
        scores = [sign * cells[self._score.at(p)] for p in seats]
        spread = max(1, *map(abs, scores))
        values = []
        for p in seats:
            lead = scores[p] - max((s for other, s in enumerate(scores) if other != p), default=0)
            lead = max(-ONE, min(ONE, lead * ONE // spread))
            values.append((shares[p] * SHARE + (ONE + lead) // 2 * (8 - SHARE)) // 8)
        return Result(tuple(values), shares)

    def _learn(self, taken: list[_Taken], result: Result) -> None:
        for one in taken:
            edge = one.edge
            edge.visits += 1
            edge.value += result.values[one.seat]
            edge.share += result.shares[one.seat]
            edge.part_of_root = part_of_root(edge.visits)

    def _settle(self, taken: list[_Taken], result: Result | None) -> None:
        """Play after the last of these choices goes to a result for sure: so may play after those before it."""
        if not self._sight.complete:
            return
        for one in reversed(taken):
            if result is None or not one.sure or one.edge.certain is not None:
                return
            one.edge.certain = result
            node = self._nodes[one.node]
            node.certain += 1
            if node.best is None or result.values[one.seat] > node.best.values[one.seat]:
                node.best = result
            result = node.settled(one.seat)
        self._settled = result is not None


def _fold(found: int, value: int) -> int:
    return ((found ^ value & MASK) * GOLDEN + (found >> 29)) & MASK


def _number(values: Sequence[int]) -> int:
    found = len(values)
    for value in values:
        found = _fold(found, value)
    return found


def _parts(node: int, options: list[Option], first: int, end: int, column: int) -> tuple[list[_Part], int]:
    """The choices between some of the options, and the argument at which the choices after them begin; none where
    nothing is left to choose.

    A few options are a choice each; many are chosen among argument by argument.
    """
    if len(options) <= GROUPED:
        if column:
            return [], column
        return [_Part(n, n + 1, mix((node + _number(option)) & MASK)) for n, option in enumerate(options)], 1
    longest = max(len(option) for option in options[first:end])
    while column < longest:
        values = [option[column] if column < len(option) else -2 for option in options[first:end]]
        begins = [n for n in range(len(values)) if n == 0 or values[n] != values[n - 1]]
        column += 1
        if len(begins) > 1:
            ends = [*begins[1:], len(values)]
            keys = [mix((node + _number((column, values[begin]))) & MASK) for begin in begins]
            places = zip(begins, ends, keys, strict=True)
            return [_Part(first + begin, first + end, key) for begin, end, key in places], column
    return [], column

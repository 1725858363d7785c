"""Information-set Monte Carlo tree search in integer arithmetic.

Each iteration samples a determinization, descends the tree to the first untried choice, and finishes with a random
playout.  Statistics are stored per information set: that of the acting seat, or, for another seat, what both it and the
searching seat can see.  Thus neither the searcher's secrets nor those of a sampled world guide other seats.
Simultaneous choices are made in sequence without seeing each other.

Values are in units of 1/`ONE`; roots and logarithms use tables and integers, so that results are the same on every
backend and machine.  In games without hidden information and chance, proven results are propagated (MCTS-Solver).

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

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.bulk import Backend
from wongar_dsl.compiler.backends.protocol import (
    CancelToken,
    Option,
    OptionStats,
    RuleFault,
    State,
    VisibilityMask,
    reseed,
    zone_sizes,
)
from wongar_dsl.compiler.backends.rng import GOLDEN, MASK, Generator, mix

#: Value of a win.
ONE = 1 << 16
#: Exploration constant of UCT, in units of 1/`ONE`.
EXPLORATION = 45_000
#: Weight of the win share in a value, in eighths; the rest is the lead in score.
SHARE = 7
#: A decision with more options is searched argument by argument.
GROUPED = 40
#: Maximum depth of the recorded path of an iteration.
MAX_PATH = 1000
#: Maximum number of decisions in a playout.
MAX_GAME = 5000
#: Natural logarithm of 2, in units of 1/`ONE`.
LN2 = 45_426


def logarithms() -> tuple[int, ...]:
    """Return the binary logarithms of 1, 1 + 1/256, ... in units of 1/`ONE`.

    They are computed by squaring, with the same result on every machine.
    """
    table = []
    for step in range(256):
        value, bits = (256 + step) << 24, 0
        for _ in range(16):
            value = value * value >> 32
            bits <<= 1
            if value >= 2 << 32:
                value >>= 1
                bits |= 1
        table.append(bits)
    return tuple(table)


LOGARITHMS = logarithms()


def root_of_logarithm(n: int) -> int:
    """Return the square root of the natural logarithm of a positive number, in units of 1/`ONE`."""
    bits = n.bit_length() - 1
    step = (n >> bits - 8 if bits >= 8 else n << 8 - bits) - 256
    return isqrt((bits * ONE + LOGARITHMS[step]) * LN2)


def inverse_root(n: int) -> int:
    """Return 2^24 divided by the square root of a positive number."""
    return isqrt((1 << 48) // n)


@dataclass(slots=True)
class SearchReward:
    """Value and win share of a game for each seat."""

    values: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass(slots=True)
class _Edge:
    """Statistics of a choice in an information set."""

    visits: int = 0
    available: int = 1
    value: int = 0
    share: int = 0
    part_of_root: int = 0
    certain: SearchReward | None = None


@dataclass(slots=True)
class _Node:
    """Number of choices at a node, of proven choices, and the best proven result."""

    choices: int
    certain: int = 0
    best: SearchReward | None = None

    def resolved(self, seat: int) -> SearchReward | None:
        """Return the proven result of the node, if any."""
        if self.best is not None and (self.certain == self.choices or self.best.shares[seat] == ONE):
            return self.best
        return None


@dataclass(slots=True)
class _PathStep:
    """Choice on the path of an iteration; `sure` if it has a single successor."""

    node: int
    edge: _Edge
    seat: int
    sure: bool = True


class _OptionGroup(NamedTuple):
    """Range of options that form one choice, and its hash key."""

    first: int
    end: int
    key: int


class SearchTree:
    """Search tree for one decision."""

    def __init__(
        self, backend: Backend, state: State, mask: VisibilityMask, worlds: Sequence[State], seed: int
    ) -> None:
        """Prepare a search.

        `worlds` are states that look the same to the seat, used in turn; if empty, worlds are sampled.
        """
        self._backend, self._root, self._mask, self._worlds = backend, state, mask, worlds
        self._rng = Generator(seed)
        self._edges: dict[int, _Edge] = {}
        self._nodes: dict[int, _Node] = {}
        self._is_proven = False
        self._worlds_used = 0
        self._score = backend.program.score

    def grow(self, iterations: int, cancel: CancelToken) -> None:
        """Run iterations (0: no limit) until the root is proven or the search is cancelled."""
        for _ in range(iterations) if iterations else repeat(None):
            if self._is_proven or cancel.is_set:
                return
            # A world in which the rules fail is impossible, and is ignored.
            with contextlib.suppress(RuleFault):
                self._iterate()

    def option_stats(self) -> list[OptionStats]:
        """Return the statistics of each option.  Raises `RuleFault`."""
        options = self._backend.options(self._root)
        return [self._stats(options, number) for number in range(len(options))]

    def _stats(self, options: list[Option], number: int) -> OptionStats:
        node, column, first, end = self._information_set(self._root, 0), 0, 0, len(options)
        edge = _Edge()
        while True:
            parts, column = _parts(node, options, first, end, column)
            if not parts:
                break
            first, end, node = next(p for p in parts if p.first <= number < p.end)
            edge = self._edges.get(node, _Edge())
        seat, sure = self._mask.seat, edge.certain
        certain = (sure.values[seat], sure.shares[seat]) if sure is not None else None
        return OptionStats(edge.visits, edge.value, edge.share, certain)

    # ---- iteration ----

    def _iterate(self) -> None:
        backend, cells = self._backend, self._world()
        options = backend.options(cells)
        path: list[_PathStep] = []
        depth, fresh = 0, False
        while options and not fresh and len(path) < MAX_PATH:
            number = 0
            if len(options) > 1:
                number, fresh = self._choice(cells, options, depth, path)
            if number < 0:
                proven = path[-1].edge.certain
                assert proven is not None
                self._backpropagate(path, proven)
                self._propagate_proof(path[:-1], self._nodes[path[-1].node].resolved(path[-1].seat))
                return
            before = cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE]
            backend.choose(cells, options[number])
            options = backend.advance(cells)
            if path and (cells[ir.AT_CHANCE], cells[ir.AT_PLAY_CHANCE]) != before:
                path[-1].sure = False
            depth += 1
        over = not options
        if not over:
            _, self._rng.cursor = backend.playout(cells, self._rng.cursor, MAX_GAME)
        result = self._result(cells)
        self._backpropagate(path, result)
        if over:
            self._propagate_proof(path, result)

    def _world(self) -> State:
        """Return a state that looks the same to the seat.  Raises `RuleFault`."""
        if self._worlds:
            cells = self._worlds[self._worlds_used % len(self._worlds)].copy()
            self._worlds_used += 1
            reseed(cells, self._rng.seed())
        else:
            cells = self._root.copy()
            self._rng.cursor = self._backend.determinize(cells, self._mask, self._rng.cursor)
        return cells

    def _information_set(self, cells: State, depth: int) -> int:
        """Return the hash of the information set at this depth."""
        decision, seat = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        shown = self._mask.visible_cells[seat]
        digest = _digest((decision, seat, depth))
        ranges = shown.ranges
        if seat == self._mask.seat:
            ranges += self._mask.revealed[decision]
        for first, end in ranges:
            for cell in cells[first:end]:
                digest = _fold(digest, cell)
        for number in zone_sizes(cells, shown.sizes):
            digest = _fold(digest, number)
        return mix(digest)

    def _choice(self, cells: State, options: list[Option], depth: int, path: list[_PathStep]) -> tuple[int, bool]:
        """Choose an option; return its index, and whether the choice is new.

        The index is -1 at a proven choice.  The choices are appended to `path`.
        """
        seat, node, column, first, end = cells[ir.AT_SEAT], self._information_set(cells, depth), 0, 0, len(options)
        while True:
            parts, column = _parts(node, options, first, end, column)
            if not parts:
                return first, False
            part = self._best(parts, seat)
            edge = self._edges.get(part.key)
            fresh = edge is None or not edge.visits
            if edge is None:
                edge = self._edges[part.key] = _Edge()
                if self._mask.complete:
                    self._nodes.setdefault(node, _Node(len(parts)))
            path.append(_PathStep(node, edge, seat))
            if edge.certain is not None:
                return -1, False
            node, first, end = part.key, part.first, part.end
            if fresh:
                return first + self._rng.below(end - first), True
            if len(path) == MAX_PATH:
                return first, False

    def _best(self, parts: list[_OptionGroup], seat: int) -> _OptionGroup:
        """Return a random untried choice, or the one with the greatest upper confidence bound."""
        new, best, most, available, root = 0, parts[0], -1, 0, 0
        for part in parts:
            edge = self._edges.get(part.key)
            if edge is None or not edge.visits:
                new += 1
                if self._rng.below(new) == 0:
                    best = part
                continue
            edge.available += 1
            if new:
                continue
            if edge.certain is not None:
                promise = edge.certain.values[seat]
            else:
                if edge.available != available:
                    available, root = edge.available, EXPLORATION * root_of_logarithm(edge.available) >> 16
                promise = edge.value // edge.visits + (root * edge.part_of_root >> 24)
            if promise > most:
                best, most = part, promise
        return best

    # ---- backpropagation ----

    def _result(self, cells: State) -> SearchReward:
        """Return the values of a game: mainly the win share, and partly the lead in score.

        Without a winner, and in an unfinished game, all seats share the win.
        """
        seats = range(self._backend.program.seats)
        winners = [p for p in seats if cells[ir.AT_WINNERS] >> p & 1] if cells[ir.AT_DECISION] == ir.OVER else []
        shares = tuple(ONE // (len(winners) or len(seats)) if p in winners or not winners else 0 for p in seats)
        if self._score is None:
            return SearchReward(shares, shares)
        sign = -1 if self._backend.program.fewest else 1
        scores = [sign * cells[self._score.at(p)] for p in seats]
        spread = max(1, *map(abs, scores))
        values = []
        for p in seats:
            lead = scores[p] - max((s for rival, s in enumerate(scores) if rival != p), default=0)
            lead = max(-ONE, min(ONE, lead * ONE // spread))
            values.append((shares[p] * SHARE + (ONE + lead) // 2 * (8 - SHARE)) // 8)
        return SearchReward(tuple(values), shares)

    def _backpropagate(self, path: list[_PathStep], result: SearchReward) -> None:
        for step in path:
            edge = step.edge
            edge.visits += 1
            edge.value += result.values[step.seat]
            edge.share += result.shares[step.seat]
            edge.part_of_root = inverse_root(edge.visits)

    def _propagate_proof(self, path: list[_PathStep], result: SearchReward | None) -> None:
        """Propagate a proven result back along the path."""
        if not self._mask.complete:
            return
        for step in reversed(path):
            if result is None or not step.sure or step.edge.certain is not None:
                return
            step.edge.certain = result
            node = self._nodes[step.node]
            node.certain += 1
            if node.best is None or result.values[step.seat] > node.best.values[step.seat]:
                node.best = result
            result = node.resolved(step.seat)
        self._is_proven = result is not None


def _fold(digest: int, value: int) -> int:
    return ((digest ^ value & MASK) * GOLDEN + (digest >> 29)) & MASK


def _digest(values: Sequence[int]) -> int:
    digest = len(values)
    for value in values:
        digest = _fold(digest, value)
    return digest


def _parts(node: int, options: list[Option], first: int, end: int, column: int) -> tuple[list[_OptionGroup], int]:
    """Return the choices among a range of options, and the next argument column.

    Returns no choices if the option is determined.  With few options each is a choice; with many the choice is made
    argument by argument.
    """
    if len(options) <= GROUPED:
        if column:
            return [], column
        return [_OptionGroup(n, n + 1, mix((node + _digest(option)) & MASK)) for n, option in enumerate(options)], 1
    longest = max(len(option) for option in options[first:end])
    while column < longest:
        values = [option[column] if column < len(option) else -2 for option in options[first:end]]
        begins = [n for n in range(len(values)) if n == 0 or values[n] != values[n - 1]]
        column += 1
        if len(begins) > 1:
            ends = [*begins[1:], len(values)]
            keys = [mix((node + _digest((column, values[begin]))) & MASK) for begin in begins]
            places = zip(begins, ends, keys, strict=True)
            return [_OptionGroup(first + begin, first + end, key) for begin, end, key in places], column
    return [], column

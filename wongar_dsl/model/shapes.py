"""Shapes of squares, and all the ways in which a set of them covers an area exactly.

A piece may be turned and turned over.  Everything is found in a fixed order, and within a budget of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.text.budget import Budget

#: How the pieces are called in drawings of coverings, by their number.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
FILLED, GAP = "x", "."
MAX_SIDE = 40

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """Squares as spots (row, column), counted from 0 at the top left, in reading order, with no empty line around."""

    spots: tuple[Spot, ...]

    @property
    def height(self) -> int:
        """How many rows there are."""
        return max(r for r, _ in self.spots) + 1

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max(c for _, c in self.spots) + 1

    @property
    def rows(self) -> tuple[str, ...]:
        """The shape as it is drawn."""
        there = set(self.spots)
        return tuple("".join(FILLED if (r, c) in there else GAP for c in range(self.width)) for r in range(self.height))


def shape(spots: Sequence[Spot]) -> Shape:
    """The shape of some squares, wherever they lie; there must be one."""
    top, left = min(r for r, _ in spots), min(c for _, c in spots)
    return Shape(tuple(sorted({(r - top, c - left) for r, c in spots})))


def drawn(rows: Sequence[str]) -> Shape | None:
    """The shape that rows of `x` and `.` draw, from the top; None where no square is filled."""
    spots = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == FILLED]
    return shape(spots) if spots else None


def turned(one: Shape) -> Shape:
    """A shape after a quarter turn clockwise."""
    return shape([(c, -r) for r, c in one.spots])


def flipped(one: Shape) -> Shape:
    """A shape turned over, left for right."""
    return shape([(r, -c) for r, c in one.spots])


def ways(one: Shape) -> tuple[Shape, ...]:
    """All ways in which a shape can lie: four turns on each side, equal ones once."""
    found: list[Shape] = []
    for side in (one, flipped(one)):
        for _ in range(4):
            if side not in found:
                found.append(side)
            side = turned(side)
    return tuple(found)


def connected(one: Shape) -> bool:
    """Whether the squares hang together by their edges."""
    left = set(one.spots)
    edge = [left.pop()]
    while edge:
        r, c = edge.pop()
        for spot in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if spot in left:
                left.remove(spot)
                edge.append(spot)
    return not left


class Fitting:
    """How each of some pieces fits into an area.  Squares of the area are bits, in reading order."""

    def __init__(self, area: Shape, pieces: Sequence[Shape], budget: Budget) -> None:
        self.area = area
        self._budget = budget
        self._stride = area.width + MAX_SIDE
        self._target = sum(1 << r * self._stride + c for r, c in area.spots)
        self._sizes = [len(p.spots) for p in pieces]
        # For each piece and each square: the ways to lie in which that square is its first one.
        self._at: list[dict[int, list[int]]] = [self._places(p) for p in pieces]

    def _places(self, piece: Shape) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        outside = ~self._target
        for way in ways(piece):
            self._budget.take(len(self.area.spots))
            mask = sum(1 << r * self._stride + c for r, c in way.spots)
            first = way.spots[0][1]
            for r, c in self.area.spots:
                shift = r * self._stride + c - first
                if c >= first and not mask << shift & outside:
                    found.setdefault(1 << r * self._stride + c, []).append(mask << shift)
        return found

    def coverings(self, pieces: Sequence[int]) -> Iterator[str]:
        """All exact coverings by these pieces, each used once, as drawings: rows of letters joined by `/`."""
        if sum(self._sizes[p] for p in pieces) != len(self.area.spots):
            return
        yield from self._cover(tuple(pieces))

    def _cover(self, pieces: tuple[int, ...]) -> Iterator[str]:
        """Lay one piece after the other on the first square that is free, by every way that fits."""
        placed: list[tuple[int, int]] = []
        # What is left to try: squares still free, pieces still to lay, and how many lie before.
        stack: list[tuple[int, tuple[int, ...], tuple[int, int] | None, int]] = [(self._target, pieces, None, 0)]
        while stack:
            left, rest, last, depth = stack.pop()
            del placed[max(depth - 1, 0) :]
            if last is not None:
                placed.append(last)
            if not left:
                yield self._draw(placed)
                continue
            first = left & -left
            found: list[tuple[int, tuple[int, ...], tuple[int, int] | None, int]] = []
            for i, piece in enumerate(rest):
                masks = self._at[piece].get(first, ())
                self._budget.take(1 + len(masks))
                fits = [mask for mask in masks if mask & left == mask]
                if fits:
                    others = (*rest[:i], *rest[i + 1 :])
                    self._budget.take(len(rest))
                    found += [(left ^ mask, others, (piece, mask), depth + 1) for mask in fits]
            stack += reversed(found)

    def _draw(self, placed: list[tuple[int, int]]) -> str:
        self._budget.take(len(self.area.spots))
        rows = [[GAP] * self.area.width for _ in range(self.area.height)]
        for piece, mask in placed:
            while mask:
                bit = mask & -mask
                mask ^= bit
                r, c = divmod(bit.bit_length() - 1, self._stride)
                rows[r][c] = LETTERS[piece]
        return "/".join("".join(row) for row in rows)


def read_drawing(text: str) -> dict[int, tuple[Spot, ...]]:
    """Where each piece of a drawn covering lies, by the number of the piece."""
    found: dict[int, list[Spot]] = {}
    for r, row in enumerate(text.split("/")):
        for c, sign in enumerate(row):
            if sign in LETTERS:
                found.setdefault(LETTERS.index(sign), []).append((r, c))
    return {piece: tuple(spots) for piece, spots in sorted(found.items())}

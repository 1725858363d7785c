"""Shapes of squares, and the solver that finds all exact covers of an area by a set of pieces.

Pieces may be rotated and reflected. The search order is fixed, and the search is limited by a budget of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: Letters of the pieces in drawings of coverings, by number.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
FILLED, GAP = "x", "."
MAX_SIDE = 40
#: Capacity of the cache of exact covers, in areas.
MAX_CACHED_AREAS = 500

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: its squares as (row, column), counted from 0 at the top left of its bounding box, in reading order."""

    spots: tuple[Spot, ...]

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.spots[-1][0] + 1

    @property
    def width(self) -> int:
        """Number of columns."""
        return max(c for _, c in self.spots) + 1

    @property
    def rows(self) -> tuple[str, ...]:
        """The shape as rows of `x` and `.`."""
        filled = set(self.spots)
        return tuple(
            "".join(FILLED if (r, c) in filled else GAP for c in range(self.width)) for r in range(self.height)
        )


#: Cache: the exact covers of an area by sets of pieces, and the work of the search.
_solved: dict[
    tuple[Shape, tuple[Shape, ...], tuple[tuple[int, ...], ...]], tuple[tuple[tuple[str, ...], ...], int]
] = {}


def shape(spots: Sequence[Spot]) -> Shape:
    """Return the shape of the given squares, moved to the origin; there must be at least one."""
    top, left = min(r for r, _ in spots), min(c for _, c in spots)
    return Shape(tuple(sorted({(r - top, c - left) for r, c in spots})))


def parse_drawing(rows: Sequence[str]) -> Shape | None:
    """Parse rows of `x` and `.`, from the top; return None if no square is filled."""
    spots = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == FILLED]
    return shape(spots) if spots else None


def rotate(one: Shape) -> Shape:
    """Return the shape after a quarter turn clockwise."""
    return shape([(c, -r) for r, c in one.spots])


def mirror(one: Shape) -> Shape:
    """Return the mirror image, left for right."""
    return shape([(r, -c) for r, c in one.spots])


def orientations(one: Shape) -> tuple[Shape, ...]:
    """Return all distinct orientations of a shape: four rotations of each side."""
    orientations: list[Shape] = []
    for side in (one, mirror(one)):
        for _ in range(4):
            if side not in orientations:
                orientations.append(side)
            side = rotate(side)
    return tuple(orientations)


class ExactCoverSolver:
    """Exact-cover search of an area with some pieces; sets of squares are bit masks in reading order."""

    def __init__(self, area: Shape, pieces: Sequence[Shape], budget: WorkBudget) -> None:
        self.area = area
        self._budget = budget
        self._stride = area.width + MAX_SIDE
        self._target = sum(1 << r * self._stride + c for r, c in area.spots)
        self._sizes = [len(p.spots) for p in pieces]
        # For each piece and each square: the placements in which that square is the piece's first one.
        self._placements: list[dict[int, list[int]]] = [self._places(p) for p in pieces]

    def _places(self, piece: Shape) -> dict[int, list[int]]:
        placements: dict[int, list[int]] = {}
        outside = ~self._target
        for orientation in orientations(piece):
            self._budget.take(len(self.area.spots))
            mask = sum(1 << r * self._stride + c for r, c in orientation.spots)
            first = orientation.spots[0][1]
            for r, c in self.area.spots:
                shift = r * self._stride + c - first
                if c >= first and not mask << shift & outside:
                    placements.setdefault(1 << r * self._stride + c, []).append(mask << shift)
        return placements

    def coverings(self, pieces: Sequence[int]) -> Iterator[str]:
        """Yield all exact covers that use each of these pieces once, as drawings: rows of letters joined by `/`."""
        if sum(self._sizes[p] for p in pieces) != len(self.area.spots):
            return
        yield from self._cover(tuple(pieces))

    def _cover(self, pieces: tuple[int, ...]) -> Iterator[str]:
        """Cover the first free square with each piece and placement that fits, depth first."""
        placed: list[tuple[int, int]] = []
        # Branches to try: free squares, pieces left, the last placement, and the number of pieces placed before it.
        stack: list[tuple[int, tuple[int, ...], tuple[int, int] | None, int]] = [(self._target, pieces, None, 0)]
        while stack:
            free, rest, last, depth = stack.pop()
            del placed[max(depth - 1, 0) :]
            if last is not None:
                placed.append(last)
            if not free:
                yield self._draw(placed)
                continue
            first = free & -free
            branches: list[tuple[int, tuple[int, ...], tuple[int, int] | None, int]] = []
            for i, piece in enumerate(rest):
                masks = self._placements[piece].get(first, ())
                self._budget.take(1 + len(masks))
                fits = [mask for mask in masks if mask & free == mask]
                if fits:
                    remaining = (*rest[:i], *rest[i + 1 :])
                    self._budget.take(len(rest))
                    branches += [(free ^ mask, remaining, (piece, mask), depth + 1) for mask in fits]
            stack += reversed(branches)

    def _draw(self, placed: list[tuple[int, int]]) -> str:
        self._budget.take(len(self.area.spots))
        rows = [[GAP] * (self._stride - MAX_SIDE) for _ in range(self.area.height)]
        for piece, mask in placed:
            while mask:
                bit = mask & -mask
                mask ^= bit
                r, c = divmod(bit.bit_length() - 1, self._stride)
                rows[r][c] = LETTERS[piece]
        return "/".join("".join(row) for row in rows)


def exact_covers(
    area: Shape, pieces: tuple[Shape, ...], sets: tuple[tuple[int, ...], ...], budget: WorkBudget
) -> tuple[tuple[str, ...], ...]:
    """Return the exact covers of an area by each set of pieces, as drawings.

    Results are cached, since most changes of a game keep its areas; a cached result is charged like the search for it.
    """
    key = (area, pieces, sets)
    if key in _solved:
        covers, work = _solved[key]
        budget.take(work)
        return covers
    before, solver = budget.left, ExactCoverSolver(area, pieces, budget)
    covers = tuple(tuple(dict.fromkeys(solver.coverings(chosen))) for chosen in sets)
    if len(_solved) >= MAX_CACHED_AREAS:
        _solved.clear()
    _solved[key] = covers, before - budget.left
    return covers


def parse_covering(text: str) -> dict[int, tuple[Spot, ...]]:
    """Parse a drawing of a covering; return the squares of each piece, by the number of the piece."""
    spots_of: dict[int, list[Spot]] = {}
    for r, row in enumerate(text.split("/")):
        for c, sign in enumerate(row):
            if sign in LETTERS:
                spots_of.setdefault(LETTERS.index(sign), []).append((r, c))
    return {piece: tuple(spots) for piece, spots in sorted(spots_of.items())}


#: One unit is a square tried in an exact-cover search, or a cell of a table of distances, rays or lines.
WORK = 6_000_000


class OverBudgetError(Exception):
    """Raised when a file causes more work than its budget allows."""


@dataclass(slots=True)
class WorkBudget:
    """Remaining work units of one file."""

    left: int = WORK

    def take(self, work: int = 1) -> None:
        """Use `work` units.  Raises `OverBudgetError` if fewer are left."""
        self.left -= work
        if self.left < 0:
            raise OverBudgetError

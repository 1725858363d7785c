"""Layout of boards without a lattice: positions of the boxes for areas so that adjacency is visible.

The rows of the rules are kept if no line runs through a third area and no lines cross. Otherwise areas are moved one by
one as long as that reduces the layout cost. All arithmetic is in integers, so the same board always looks the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wongar_dsl.language.semantics.boards import Graph

#: Maximum number of areas in a row.
COLUMNS = 12
#: Cost of a line through an area, and of two crossing lines, in units of line length.
_THROUGH, _CROSSED = 40_000, 3_000
#: Maximum number of areas of a board that is optimised, and the budget of line comparisons.
_MAX_AREAS, _BUDGET = 40, 300_000


class GridCell(NamedTuple):
    """Grid position of a box: column in half boxes, and row from the top."""

    column: int
    row: int


class BoxMeasures(NamedTuple):
    """Width and height of a box, and the gap between boxes."""

    width: int
    height: int
    gap: int

    def middle(self, cell: GridCell) -> tuple[int, int]:
        """Return the centre of a box."""
        return (
            (cell.column * (self.width + self.gap) + self.width) // 2,
            cell.row * (self.height + self.gap) + self.height // 2,
        )


def graph_layout(board: Graph, boxes: BoxMeasures) -> tuple[GridCell, ...]:
    """Return a cell for each area of a board."""
    cells = _in_rows(board)
    links = list(links_of(board))
    first = _GraphLayout(cells, links, boxes)
    if len(cells) > _MAX_AREAS or not first.has_crossings():
        return tuple(cells)
    layouts = (first, _GraphLayout(_layers(board), links, boxes), _GraphLayout(_in_ring(board), links, boxes))
    for layout in layouts:
        layout.improve()
    return min(layouts, key=_GraphLayout.cost).result()


def _in_rows(board: Graph) -> list[GridCell]:
    """Return cells in the rows of the rules; a row that is too long is wrapped, unless rows are offset."""
    if board.offset:
        return [GridCell(column, row) for column, row in board.places]
    cells: list[GridCell] = []
    top = 0
    for row in board.rows:
        cells += [GridCell(2 * (i % COLUMNS), top + i // COLUMNS) for i in range(len(row))]
        top += -(-len(row) // COLUMNS)
    return cells


def _layers(board: Graph) -> list[GridCell]:
    """Return cells in rows by distance from the area with the most neighbours."""
    rows: list[list[int]] = []
    remaining = sorted(range(len(board.areas)), key=lambda area: (-len(board.touching[area]), area))
    row: list[int] = []
    while remaining:
        # An area that is not connected starts a new search.
        row = sorted({b for a in row for b in board.touching[a] if b in remaining}) or remaining[:1]
        remaining = [area for area in remaining if area not in row]
        rows.append(row)
    most = max(map(len, rows))
    cells = {a: GridCell(2 * i + most - len(row), y) for y, row in enumerate(rows) for i, a in enumerate(row)}
    return [cells[area] for area in range(len(board.areas))]


def _in_ring(board: Graph) -> list[GridCell]:
    """Return cells along the sides of a rectangle, in depth-first order over adjacent areas."""
    order, waiting, number = list[int](), list(range(len(board.areas)))[::-1], len(board.areas)
    while waiting:
        area = waiting.pop()
        if area not in order:
            order.append(area)
            waiting += [b for b in reversed(board.touching[area]) if b not in order]
    across = max(2, (number + 3) // 4 + 1)
    down = max(1, (number - 2 * across + 1) // 2)
    walk = [GridCell(2 * x, 0) for x in range(across)]
    walk += [GridCell(2 * across - 2, 1 + y) for y in range(down)]
    walk += [GridCell(2 * x, 1 + down) for x in reversed(range(across))]
    walk += [GridCell(0, 1 + y) for y in reversed(range(down))]
    cells = dict(zip(order, walk, strict=False))
    return [cells[area] for area in range(number)]


class _GraphLayout:
    """Layout search that improves the positions of areas step by step."""

    def __init__(self, cells: list[GridCell], links: Sequence[tuple[int, int]], boxes: BoxMeasures) -> None:
        self.cells, self.links, self.boxes = cells, links, boxes
        self.at = [boxes.middle(cell) for cell in cells]
        side = math.isqrt(len(cells)) + 1
        self.free = [
            GridCell(column, row)
            for row in range(max(side, 1 + max(c.row for c in cells)))
            for column in range(max(2 * side, 1 + max(c.column for c in cells)))
        ]
        self.budget_left = _BUDGET

    def has_crossings(self) -> bool:
        """Return whether a line crosses another one or runs through a box."""
        return any(self._cost([link]) >= _CROSSED for link in self.links)

    def cost(self) -> int:
        """Return the total cost of the layout."""
        return self._cost(self.links)

    def improve(self) -> None:
        """Move or swap areas until no single change helps, or the budget is used up."""
        self.budget_left = _BUDGET
        improved = 1
        while improved and self.budget_left > 0:
            improved = sum(self._improve(area) for area in range(len(self.cells)))

    def result(self) -> tuple[GridCell, ...]:
        """Return the cells, shifted so that the first column and row are used."""
        top, left = min(c.row for c in self.cells), min(c.column for c in self.cells)
        return tuple(GridCell(c.column - left, c.row - top) for c in self.cells)

    def _improve(self, area: int) -> bool:
        """Move an area to its best cell, swapping with the area there if necessary; return whether it moved."""
        start, best = self.cells[area], 0
        occupants = {cell: occupant for occupant, cell in enumerate(self.cells)}
        choice: tuple[int | None, GridCell] | None = None
        for cell in self.free:
            occupant = occupants.get(cell)
            if self.budget_left <= 0:
                break
            if occupant == area or (occupant is None and self._overlaps(cell, area)):
                continue
            moved = [area] if occupant is None else [area, occupant]
            before = self._cost_around(moved)
            self._place(area, cell, occupant, start)
            gain = before - self._cost_around(moved)
            self._place(area, start, occupant, cell)
            if gain > best:
                best, choice = gain, (occupant, cell)
        if choice is None:
            return False
        self._place(area, choice[1], choice[0], start)
        return True

    def _place(self, area: int, cell: GridCell, other: int | None, start: GridCell) -> None:
        self.cells[area], self.at[area] = cell, self.boxes.middle(cell)
        if other is not None:
            self.cells[other], self.at[other] = start, self.boxes.middle(start)

    def _overlaps(self, cell: GridCell, area: int) -> bool:
        return any(c.row == cell.row and abs(c.column - cell.column) < 2 for b, c in enumerate(self.cells) if b != area)

    def _cost_around(self, areas: list[int]) -> int:
        """Return the cost of everything that changes when these areas move."""
        moving = [link for link in self.links if link[0] in areas or link[1] in areas]
        fixed = [link for link in self.links if link not in moving]
        through = sum(self._runs_through(link, area) for link in fixed for area in areas)
        self.budget_left -= len(fixed) * len(areas)
        return self._cost(moving) + through * _THROUGH

    def _cost(self, own: Sequence[tuple[int, int]]) -> int:
        """Return the cost of some lines: their lengths, boxes that they run through, and crossings."""
        self.budget_left -= len(own) * (len(self.links) + len(self.cells))
        middles, total = self.at, 0
        for number, link in enumerate(own):
            (x, y), (u, v) = middles[link[0]], middles[link[1]]
            total += math.isqrt((x - u) ** 2 + (y - v) ** 2)
            total += _THROUGH * sum(self._runs_through(link, area) for area in range(len(middles)))
            done = own[:number]
            total += _CROSSED * sum(self._cross(link, candidate) for candidate in self.links if candidate not in done)
        return total

    def _runs_through(self, link: tuple[int, int], area: int) -> bool:
        """Return whether a line runs through the box of an area that is not one of its ends."""
        start, end, (x, y) = self.at[link[0]], self.at[link[1]], self.at[area]
        right, down = self.boxes.width // 2 + self.boxes.gap // 4, self.boxes.height // 2 + self.boxes.gap // 4
        if (
            area in link
            or min(start[0], end[0]) >= x + right or max(start[0], end[0]) <= x - right
            or min(start[1], end[1]) >= y + down or max(start[1], end[1]) <= y - down
        ):  # fmt: skip
            return False
        # The line runs through the box unless all corners are on one side of it.
        corners = ((x - right, y - down), (x + right, y - down), (x + right, y + down), (x - right, y + down))
        turns = [_turn(start, end, corner) for corner in corners]
        return min(turns) <= 0 <= max(turns)

    def _cross(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        if one[0] in other or one[1] in other:
            return False
        a, b, c, d = self.at[one[0]], self.at[one[1]], self.at[other[0]], self.at[other[1]]
        return (_turn(a, b, c) > 0) != (_turn(a, b, d) > 0) and (_turn(c, d, a) > 0) != (_turn(c, d, b) > 0)


def _turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """Return a number whose sign tells on which side of the line from a to b the point c lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def links_of(board: Graph) -> Iterator[tuple[int, int]]:
    """Yield each pair of adjacent areas once."""
    yield from ((a, b) for a, row in enumerate(board.touching) for b in row if a < b)

"""Where the areas of a board are drawn, so that one sees which of them touch.

The rows of the rules are kept where no line between two areas runs through a third and none cross; else areas change
places, one at a time, as long as that makes the picture clearer.  Everything is counted in whole numbers, so the same
board always looks the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wongar_dsl.model.boards import Graph

#: So many areas lie beside each other.
COLUMNS = 12
#: What a line through an area, and two lines that cross, are as bad as: so much longer lines.
_THROUGH, _CROSSED = 40_000, 3_000
#: Boards with more areas keep their rows; and so often two lines are compared at most.
_LARGEST, _BUDGET = 40, 300_000


class Cell(NamedTuple):
    """Where the box of an area lies: its column, in halves of a box, and its row from the top."""

    column: int
    row: int


class Measures(NamedTuple):
    """How wide and high the box of an area is, and how much lies between two."""

    width: int
    height: int
    gap: int

    def middle(self, cell: Cell) -> tuple[int, int]:
        """The middle of a box."""
        return (
            (cell.column * (self.width + self.gap) + self.width) // 2,
            cell.row * (self.height + self.gap) + self.height // 2,
        )


def arranged(board: Graph, boxes: Measures) -> tuple[Cell, ...]:
    """A cell for each area of a board."""
    cells = _in_rows(board)
    links = list(links_of(board))
    first = _Arranging(cells, links, boxes)
    if len(cells) > _LARGEST or not first.tangled():
        return tuple(cells)
    ways = (first, _Arranging(_layers(board), links, boxes), _Arranging(_around(board), links, boxes))
    for way in ways:
        way.improve()
    return min(ways, key=_Arranging.cost).result()


def _in_rows(board: Graph) -> list[Cell]:
    """The rows of the rules; one that is too long goes on below, as long as it has no place under another."""
    if board.offset:
        return [Cell(column, row) for column, row in board.places]
    cells: list[Cell] = []
    top = 0
    for row in board.rows:
        cells += [Cell(2 * (i % COLUMNS), top + i // COLUMNS) for i in range(len(row))]
        top += -(-len(row) // COLUMNS)
    return cells


def _layers(board: Graph) -> list[Cell]:
    """The areas in rows by how many steps they are away from the one that touches most others."""
    rows: list[list[int]] = []
    left = sorted(range(len(board.areas)), key=lambda area: (-len(board.touching[area]), area))
    row: list[int] = []
    while left:
        # What touches nothing of the row before begins anew.
        row = sorted({b for a in row for b in board.touching[a] if b in left}) or left[:1]
        left = [area for area in left if area not in row]
        rows.append(row)
    most = max(map(len, rows))
    cells = {a: Cell(2 * i + most - len(row), y) for y, row in enumerate(rows) for i, a in enumerate(row)}
    return [cells[area] for area in range(len(board.areas))]


def _around(board: Graph) -> list[Cell]:
    """The areas around a rectangle, in the order in which one walks to them, each time to one that touches the last."""
    order, waiting, number = list[int](), list(range(len(board.areas)))[::-1], len(board.areas)
    while waiting:
        area = waiting.pop()
        if area not in order:
            order.append(area)
            waiting += [b for b in reversed(board.touching[area]) if b not in order]
    across = max(2, (number + 3) // 4 + 1)
    down = max(1, (number - 2 * across + 1) // 2)
    walk = [Cell(2 * x, 0) for x in range(across)]
    walk += [Cell(2 * across - 2, 1 + y) for y in range(down)]
    walk += [Cell(2 * x, 1 + down) for x in reversed(range(across))]
    walk += [Cell(0, 1 + y) for y in reversed(range(down))]
    cells = dict(zip(order, walk, strict=False))
    return [cells[area] for area in range(number)]


class _Arranging:
    """Areas on their way to better places."""

    def __init__(self, cells: list[Cell], links: Sequence[tuple[int, int]], boxes: Measures) -> None:
        self.cells, self.links, self.boxes = cells, links, boxes
        self.at = [boxes.middle(cell) for cell in cells]
        side = math.isqrt(len(cells)) + 1
        self.free = [
            Cell(column, row)
            for row in range(max(side, 1 + max(c.row for c in cells)))
            for column in range(max(2 * side, 1 + max(c.column for c in cells)))
        ]
        self.left = _BUDGET

    def tangled(self) -> bool:
        """Whether a line crosses another or runs through a box."""
        return any(self._cost([link]) >= _CROSSED for link in self.links)

    def cost(self) -> int:
        """How bad the picture is."""
        return self._cost(self.links)

    def improve(self) -> None:
        """Change places until nothing can be made better by one change, or the budget is used up."""
        self.left = _BUDGET
        improved = 1
        while improved and self.left > 0:
            improved = sum(self._improve(area) for area in range(len(self.cells)))

    def result(self) -> tuple[Cell, ...]:
        """The cells of the areas, those that lie farthest to the left and at the top in the first column and row."""
        top, left = min(c.row for c in self.cells), min(c.column for c in self.cells)
        return tuple(Cell(c.column - left, c.row - top) for c in self.cells)

    def _improve(self, area: int) -> bool:
        """Bring an area to the best place that there is for it, in exchange for another or alone."""
        start, best = self.cells[area], 0
        taken = {cell: other for other, cell in enumerate(self.cells)}
        choice: tuple[int | None, Cell] | None = None
        for cell in self.free:
            other = taken.get(cell)
            if self.left <= 0:
                break
            if other == area or (other is None and self._overlaps(cell, area)):
                continue
            moved = [area] if other is None else [area, other]
            before = self._around(moved)
            self._place(area, cell, other, start)
            gain = before - self._around(moved)
            self._place(area, start, other, cell)
            if gain > best:
                best, choice = gain, (other, cell)
        if choice is None:
            return False
        self._place(area, choice[1], choice[0], start)
        return True

    def _place(self, area: int, cell: Cell, other: int | None, start: Cell) -> None:
        self.cells[area], self.at[area] = cell, self.boxes.middle(cell)
        if other is not None:
            self.cells[other], self.at[other] = start, self.boxes.middle(start)

    def _overlaps(self, cell: Cell, area: int) -> bool:
        return any(c.row == cell.row and abs(c.column - cell.column) < 2 for b, c in enumerate(self.cells) if b != area)

    def _around(self, areas: list[int]) -> int:
        """How bad all is that changes when these areas move."""
        own = [link for link in self.links if link[0] in areas or link[1] in areas]
        others = [link for link in self.links if link not in own]
        through = sum(self._runs_through(link, area) for link in others for area in areas)
        self.left -= len(others) * len(areas)
        return self._cost(own) + through * _THROUGH

    def _cost(self, own: Sequence[tuple[int, int]]) -> int:
        """How bad some lines are: their lengths, what they run through, and what they cross."""
        self.left -= len(own) * (len(self.links) + len(self.cells))
        at, total = self.at, 0
        for number, link in enumerate(own):
            (x, y), (u, v) = at[link[0]], at[link[1]]
            total += math.isqrt((x - u) ** 2 + (y - v) ** 2)
            total += _THROUGH * sum(self._runs_through(link, area) for area in range(len(at)))
            done = own[:number]
            total += _CROSSED * sum(self._cross(link, other) for other in self.links if other not in done)
        return total

    def _runs_through(self, link: tuple[int, int], area: int) -> bool:
        """Whether a line goes through the box of an area that is none of its ends."""
        start, end, (x, y) = self.at[link[0]], self.at[link[1]], self.at[area]
        right, down = self.boxes.width // 2 + self.boxes.gap // 4, self.boxes.height // 2 + self.boxes.gap // 4
        if (
            area in link
            or min(start[0], end[0]) >= x + right or max(start[0], end[0]) <= x - right
            or min(start[1], end[1]) >= y + down or max(start[1], end[1]) <= y - down
        ):  # fmt: skip
            return False
        # The line goes through where the corners are not all on one side of it.
        corners = ((x - right, y - down), (x + right, y - down), (x + right, y + down), (x - right, y + down))
        turns = [_turn(start, end, corner) for corner in corners]
        return min(turns) <= 0 <= max(turns)

    def _cross(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        if one[0] in other or one[1] in other:
            return False
        a, b, c, d = self.at[one[0]], self.at[one[1]], self.at[other[0]], self.at[other[1]]
        return (_turn(a, b, c) > 0) != (_turn(a, b, d) > 0) and (_turn(c, d, a) > 0) != (_turn(c, d, b) > 0)


def _turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """On which side of the line from a to b the point c lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def links_of(board: Graph) -> Iterator[tuple[int, int]]:
    """Each two areas that touch, once."""
    yield from ((a, b) for a, row in enumerate(board.touching) for b in row if a < b)

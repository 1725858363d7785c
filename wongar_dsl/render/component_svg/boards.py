"""Pictures of boards: squares, hexagons, and boxes with lines between adjacent areas; of tracks and of zone rows.

Of a large board only a part is drawn; the description gives its size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wongar_dsl.base.markup import Tag
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.language.semantics.boards import HEXAGON, SQUARE, Graph
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.render.component_svg.svg import (
    ELLIPSIS,
    THICK,
    THIN,
    WASHES,
    Picture,
    PictureNames,
    Point,
    box,
    centred_text,
    circle,
    fit_text,
    line,
    path,
    polygon,
    text_width,
)

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


#: Maximum width of a board, and of a square or hexagon.
WIDEST, MAX_CELL_WIDTH = 1700, 150
#: Maximum number of squares per side, of hexagons around the central one, and of rows of areas; gap between areas.
SQUARES, STEPS, ROWS, GAP = 30, 3, 11, 60
#: Maximum number of areas whose neighbours the description lists.
MAX_LISTED_AREAS = 40
EDGE = 10
_NAMES = (44, 40, 36, 32, 28, 24, 20)
_SMALL_NAMES = (34, 30, 26, 22, 18)
#: Letter sizes of tracks and zone rows.
_LABELS = (40, 36, 32, 28, 24, 20)


def board(names: PictureNames, name: str) -> Picture:
    """Return the picture of a board; raise KeyError for an unknown name."""
    graph = names.model.boards[name]
    if graph.directions == SQUARE:
        return _squares(names, name, graph)
    if graph.directions == HEXAGON:
        return _hexagons(names, name, graph)
    return _areas(names, name, graph)


# ---- squares -------------------------------------------------------------------------------------------------------


def _squares(names: PictureNames, name: str, graph: Graph) -> Picture:
    across, up = max(x for x, _ in graph.spots), max(y for _, y in graph.spots)
    columns, rows = min(across, SQUARES), min(up, SQUARES)
    side = min(MAX_CELL_WIDTH, (WIDEST - 100) // max(columns, rows))
    left, top = 80, EDGE
    # Lines continue beyond the edge if the board does.
    right = left + columns * side + (side // 2 if columns < across else 0)
    beyond = side // 2 if rows < up else 0
    bottom = top + beyond + rows * side
    parts: list[Tag] = []
    for column in range(columns + 1):
        x = left + column * side
        parts.append(line((x, top), (x, bottom), THICK if column in (0, across) else THIN))
    for row in range(rows + 1):
        y = bottom - row * side
        parts.append(line((left, y), (right, y), THICK if row in (0, up) else THIN))
    spots = dict(zip(graph.spots, graph.areas, strict=True))
    for column in range(1, columns + 1):
        letters = spots[column, 1].rstrip("0123456789")
        parts.append(centred_text(letters, (left + (column - 1) * side, bottom + 5, side, 60), _SMALL_NAMES))
    for row in range(1, rows + 1):
        parts.append(centred_text(str(row), (0, bottom - row * side, left - 5, side), _SMALL_NAMES))
    corners = any(
        touched in touching
        for touching, steps in zip(graph.touching, graph.steps, strict=True)
        for touched in steps[1::2]
    )
    description = names.say("squares.corners" if corners else "squares", columns=across, rows=up)
    return Picture(right + EDGE, bottom + 70, names.title(name), description, tuple(parts))


# ---- hexagons ------------------------------------------------------------------------------------------------------


def hexagon(x: int, y: int, half: int) -> tuple[tuple[int, int], ...]:
    """Return the corners of a hexagon around a point, clockwise from the top; its width is twice `half`."""
    reach = half * 1155 // 1000
    return (
        (x, y - reach), (x + half, y - reach // 2), (x + half, y + reach // 2),
        (x, y + reach), (x - half, y + reach // 2), (x - half, y - reach // 2),
    )  # fmt: skip


def exit_point(corners: Sequence[Point], direction: int) -> Point:
    """Return the point where a direction of the lattice leaves a cell.

    This is the middle of an edge, or a corner for the diagonals of a square. `corners` are clockwise, and the edge of
    direction 0 follows the first of them.
    """
    if len(corners) == 4:
        if direction % 2:
            return corners[(direction + 1) // 2 % 4]
        direction //= 2
    (x, y), (u, v) = corners[direction], corners[(direction + 1) % len(corners)]
    return ((x + u) // 2, (y + v) // 2)


def _hexagons(names: PictureNames, name: str, graph: Graph) -> Picture:
    every = graph.places
    shown, rim = _section(graph, max(column for column, _ in every))
    places = {area: every[area] for area in sorted(shown | rim)}
    left, top = min(c for c, _ in places.values()), min(r for _, r in places.values())
    columns = max(c for c, _ in places.values()) - left + 2
    half = min(MAX_CELL_WIDTH // 2, (WIDEST - 2 * EDGE) // columns)
    reach = half * 1155 // 1000
    step = reach * 3 // 2
    parts: list[Tag] = []
    for area, (column, row) in places.items():
        x, y = EDGE + (column - left + 1) * half, EDGE + reach + (row - top) * step
        wash = "wash" if area in shown else "paper"
        outline = polygon(hexagon(x, y, half), wash)
        if area in shown:
            parts.append(outline)
            room = 2 * half - 20
            if fit_text(graph.areas[area], room, half, _SMALL_NAMES[-1:]).lines == (graph.areas[area],):
                parts.append(centred_text(graph.areas[area], (x - half + 10, y - half // 2, room, half), _SMALL_NAMES))
        else:
            # Hexagons beyond the section have dashed outlines.
            corners = " ".join(f"{a},{b}" for a, b in hexagon(x, y, half))
            parts.append(
                Tag("polygon", (("points", corners), ("stroke-width", str(THIN)), ("stroke-dasharray", "8 8")))
            )
    rows = max(r for _, r in places.values()) - top
    description = names.say("hexagons", n=len(graph.areas))
    return Picture(
        2 * EDGE + columns * half, 2 * EDGE + 2 * reach + rows * step, names.title(name), description, tuple(parts)
    )


def _section(graph: Graph, columns: int) -> tuple[set[int], set[int]]:
    """Return the hexagons that are drawn in full, and the ring around them if there are more."""
    if columns < 2 * SQUARES and len(graph.rows) <= SQUARES:
        return set(range(len(graph.areas))), set()
    row = graph.rows[len(graph.rows) // 2]
    shown = {graph.areas.index(row[len(row) // 2])}
    for _ in range(STEPS):
        shown |= {b for a in shown for b in graph.touching[a]}
    return shown, {b for a in shown for b in graph.touching[a]} - shown


# ---- adjacent areas ---------------------------------------------------------------------------------------------


def _areas(names: PictureNames, name: str, graph: Graph) -> Picture:
    labels = [names.words.capital(names.term(area, "short")) for area in graph.areas]
    across = min(COLUMNS, max(map(len, graph.rows)))
    room = (WIDEST - 2 * EDGE) // across - GAP
    longest = max(text_width(word, _NAMES[0], True) for label in labels for word in label.split() or [""])
    width = min(max(longest + 40, 120), room, 420)
    boxes = BoxMeasures(width, max(110, width * 2 // 5), GAP)
    cells = graph_layout(graph, boxes)
    shown = [area for area, cell in enumerate(cells) if cell.column < 2 * COLUMNS and cell.row < ROWS]
    seen = set(shown)
    middles = {area: tuple(v + EDGE for v in boxes.middle(cells[area])) for area in shown}
    parts = [
        path("M{} {}L{} {}".format(*middles[a], *middles[b]), width=THICK)
        for a, b in links_of(graph)
        if a in seen and b in seen
    ]
    for area in shown:
        left, top = middles[area][0] - boxes.width // 2, middles[area][1] - boxes.height // 2
        parts.append(box(left, top, boxes.width, boxes.height, "wash", radius=24))
        inner = (left + 12, top + 8, boxes.width - 24, boxes.height - 16)
        parts.append(centred_text(labels[area], inner, _NAMES, bold=True))
    right = max(x for x, _ in middles.values()) + boxes.width // 2 + EDGE
    bottom = max(y for _, y in middles.values()) + boxes.height // 2 + EDGE
    return Picture(right, bottom, names.title(name), _description(names, graph, labels), tuple(parts))


def _description(names: PictureNames, graph: Graph, labels: list[str]) -> str:
    """Return the number of areas and their neighbours in words."""
    if len(labels) > MAX_LISTED_AREAS:
        return names.say("areas", n=len(labels))
    sentences = [
        names.say("touches", area=Text(labels[area]), others=Listing(tuple(Text(labels[b]) for b in touching)))
        for area, touching in enumerate(graph.touching)
        if touching
    ]
    return " ".join([names.say("areas", n=len(labels)), *sentences])


SIDE, TRACK_GAP, TITLE = 100, 30, 70
#: Spaces in a row; a phase of more than MAX_SPACES_PER_PHASE shows only the first and the last ones.
IN_A_ROW, MAX_SPACES_PER_PHASE, FIRST, LAST = 16, 64, 13, 2


def track(names: PictureNames, name: str) -> Picture:
    """Return the picture of a track; raise KeyError for an unknown name."""
    phases = names.model.tracks[name]
    titles = [names.words.capital(names.term(phase)) for phase, _ in phases]
    end = sum(spaces for _, spaces in phases)
    parts: list[Tag] = []
    left, top, right = EDGE, EDGE, 0
    for number, numbers in _runs(phases):
        width = max(len(numbers), 2) * SIDE
        if left > EDGE and left + width > WIDEST:
            left, top = EDGE, top + TITLE + SIDE + TRACK_GAP
        parts.append(centred_text(titles[number], (left, top, width, TITLE - 5), _LABELS, bold=True))
        for column, text in enumerate(numbers):
            x, y = left + column * SIDE, top + TITLE
            parts.append(box(x, y, SIDE, SIDE, f"wash-{number % len(WASHES)}" if text else "paper"))
            if text == str(end):
                parts.append(box(x + 15, y + 15, SIDE - 30, SIDE - 30, f"wash-{number % len(WASHES)}"))
            parts.append(centred_text(text or ELLIPSIS, (x + 20, y, SIDE - 40, SIDE), _LABELS))
        right = max(right, left + width)
        left += width + TRACK_GAP
    phase_texts = [names.say("phase", phase=Text(title), n=n) for title, (_, n) in zip(titles, phases, strict=True)]
    description = names.say("track", n=end, phases=Listing(tuple(map(Text, phase_texts))))
    return Picture(right + EDGE, top + TITLE + SIDE + EDGE, names.title(name), description, tuple(parts))


def _runs(phases: Sequence[tuple[str, int]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the spaces of each row: the index of their phase, and their labels."""
    first = 1
    for number, (_, spaces) in enumerate(phases):
        numbers = list(_numbers(first, spaces))
        first += spaces
        for start in range(0, len(numbers), IN_A_ROW):
            yield number, numbers[start : start + IN_A_ROW]


def _numbers(first: int, spaces: int) -> Iterator[str]:
    """Yield the labels of a phase's spaces; "" stands for omitted ones."""
    labels = [str(first + i) for i in range(spaces)]
    yield from labels if spaces <= MAX_SPACES_PER_PHASE else [*labels[:FIRST], "", *labels[-LAST:]]


ROW, PLACE, STEP = 90, 32, 80
#: Maximum number of places in a row, and of rows.
MAX_PLACES_PER_ROW, MAX_ZONE_ROWS = 14, 24


def row_enumerations(model: Model) -> dict[str, str]:
    """Return the enumerations that are drawn as rows, each with the zone of limited capacity that it indexes."""
    zones: dict[str, str] = {}
    for name, zone in model.declared.zones.items():
        kinds = [index.kind for index in zone.indices]
        if kinds == ["enum"] and zone.traits.ordered and zone.capacity and zone.indices[0].name not in model.shapes:
            zones.setdefault(zone.indices[0].name, name)
    return zones


def zone_rows(names: PictureNames, enum: str) -> Picture:
    """Return the picture of an enumeration with the places of each value's row; raise KeyError if it has no rows."""
    zone = names.model.declared.zones[row_enumerations(names.model)[enum]]
    kind = Type("enum", enum)
    labels = [names.words.capital(names.short(kind, value)) for value in range(names.model.size(kind, 0))]
    width = max(140, min(420, max(text_width(name, _LABELS[0], True) for name in labels) + 40))
    places = zone.capacity or 0
    shown = min(places, MAX_PLACES_PER_ROW)
    parts: list[Tag] = []
    for row, name in enumerate(labels[:MAX_ZONE_ROWS]):
        top = EDGE + row * (ROW + 10)
        parts.append(box(EDGE, top, width, ROW, "wash", radius=16))
        parts.append(centred_text(name, (EDGE + 12, top, width - 24, ROW), _LABELS, bold=True))
        parts += [circle((EDGE + width + 50 + STEP * i, top + ROW // 2), PLACE) for i in range(shown)]
        if shown < places:
            parts.append(centred_text("…", (EDGE + width + 20 + STEP * shown, top, 60, ROW), _LABELS))
    right = EDGE + width + 20 + STEP * shown + (60 if shown < places else 0)
    bottom = EDGE + min(len(labels), MAX_ZONE_ROWS) * (ROW + 10)
    description = names.say("rows", rows=len(labels), n=places, zone=Text(names.term(zone.name)))
    return Picture(right + EDGE, bottom, names.title(enum), description, tuple(parts))

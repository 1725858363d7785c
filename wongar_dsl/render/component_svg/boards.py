"""Pictures of boards: squares, hexagons, and boxes with lines between adjacent areas.

Of a large board only a part is drawn; the description gives its size.
"""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics.boards import HEXAGON, SQUARE, Graph
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.render.component_svg.graph_layout import COLUMNS, BoxMeasures, graph_layout, links_of
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import THICK, THIN, Picture, Point, box, line, path, polygon
from wongar_dsl.render.component_svg.text_metrics import centred_text, fit_text, text_width

#: Maximum width of a board, and of a square or hexagon.
WIDEST, MAX_CELL_WIDTH = 1700, 150
#: Maximum number of squares per side, of hexagons around the central one, and of rows of areas; gap between areas.
SQUARES, STEPS, ROWS, GAP = 30, 3, 11, 60
#: Maximum number of areas whose neighbours the description lists.
MAX_LISTED_AREAS = 40
EDGE = 10
_NAMES = (44, 40, 36, 32, 28, 24, 20)
_SMALL_NAMES = (34, 30, 26, 22, 18)


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

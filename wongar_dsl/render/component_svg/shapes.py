"""Pictures of shapes of cells: a single shape, and an area covered by pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics import CoveringData, Type
from wongar_dsl.language.semantics.shapes import LETTERS, Shape, Spot, parse_covering
from wongar_dsl.language.semantics.shapes import shape as shape_of
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import THICK, THIN, WASHES, Picture, path, translate
from wongar_dsl.render.component_svg.text_metrics import centred_text

SQUARE, SMALL, EDGE = 80, 22, 10
WIDEST = 1700


def shape(names: PictureNames, sort: str, value: int) -> Picture:
    """Return the picture of a shape by its number within its sort."""
    drawn = names.model.shapes[sort][value]
    side = _side(drawn)
    parts = (translate(shape_elements(drawn.spots, side, "wash"), EDGE, EDGE),)
    title = names.short(Type("enum", sort), value)
    return Picture(
        drawn.width * side + 2 * EDGE, drawn.height * side + 2 * EDGE, title, shape_description(names, drawn), parts
    )


def covered_area(names: PictureNames, sort: str, drawing: str) -> Picture:
    """Return the picture of a covered area; a drawing has rows joined by `/` and a letter for each piece."""
    laid = parse_covering(drawing)
    area = shape_of([spot for spots in laid.values() for spot in spots])
    side = _side(area)
    parts = translate(covering_elements(laid, side), EDGE, EDGE)
    called = [names.model.enums[names.model.coverings[sort].pieces][piece] for piece in laid]
    description = names.say("covered", pieces=Text(names.words.chain(called)))
    return Picture(
        area.width * side + 2 * EDGE, area.height * side + 2 * EDGE, names.title(sort), description, (parts,)
    )


def _side(drawn: Shape) -> int:
    return min(SQUARE, (WIDEST - 2 * EDGE) // drawn.width)


def shape_description(names: PictureNames, drawn: Shape) -> str:
    """Return a shape in words: the number of its squares, and of those in each row."""
    rows = names.words.chain([str(row.count("x")) for row in drawn.rows])
    return names.say("shape", n=len(drawn.spots), rows=Text(rows))


# ---- picture elements ----------------------------------------------------------------------------------------------


def shape_elements(spots: Iterable[Spot], side: int, wash: str) -> tuple[Tag, ...]:
    """Return a shape of squares of width `side`, with thin lines between them."""
    squares = frozenset(spots)
    inner = "".join(
        [f"M{c * side} {r * side}v{side}" for r, c in sorted(squares) if (r, c - 1) in squares]
        + [f"M{c * side} {r * side}h{side}" for r, c in sorted(squares) if (r - 1, c) in squares]
    )
    filled = path(outline(squares, side), wash, THICK if side > SMALL else THIN)
    return (filled, path(inner, width=THIN if side > SMALL else 1)) if inner else (filled,)


def covering_elements(laid: Mapping[int, Sequence[Spot]], side: int) -> tuple[Tag, ...]:
    """Return placed pieces, each with its letter in its first square."""
    parts: list[Tag] = []
    for piece, spots in laid.items():
        parts += shape_elements(spots, side, f"wash-{piece % len(WASHES)}")
        row, column = min(spots)
        parts.append(centred_text(LETTERS[piece], (column * side, row * side, side, side), (side * 2 // 3,), bold=True))
    return tuple(parts)


def outline(spots: frozenset[Spot], side: int) -> str:
    """Return the boundary of a shape, including holes, as path data."""
    # Boundary edges, directed so that the shape is on their right.
    edges: dict[Spot, list[Spot]] = {}
    for r, c in sorted(spots):
        corners = ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))
        neighbours = ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
        for i in range(4):
            if neighbours[i] not in spots:
                edges.setdefault(corners[i], []).append(corners[(i + 1) % 4])
    data = []
    while edges:
        start = corner = min(edges)
        boundary: list[Spot] = []
        before = None
        while corner != start or not boundary:
            following = edges[corner]
            # If two squares meet only at a corner, the boundary stays with the square that it came along.
            next_corner = _right(before, corner, following) if before is not None else following[0]
            following.remove(next_corner)
            if not following:
                del edges[corner]
            if before is None or (corner[0] - before[0], corner[1] - before[1]) != (
                next_corner[0] - corner[0],
                next_corner[1] - corner[1],
            ):
                boundary.append(corner)
            before, corner = corner, next_corner
        data.append("M" + "L".join(f"{c * side} {r * side}" for r, c in boundary) + "Z")
    return "".join(data)


def _right(before: Spot, at: Spot, following: Sequence[Spot]) -> Spot:
    """Return the next corner that turns right, or the only one available."""
    down, along = at[0] - before[0], at[1] - before[1]
    right = (at[0] + along, at[1] - down)
    return right if right in following else following[0]


def covering_pieces(coverings: CoveringData, area: int, keys: int) -> list[tuple[int, ...]]:
    """Return the pieces of the first covering of an area, for each value of the key; empty without a covering."""
    pieces = []
    for key in range(keys):
        numbers = coverings.lists[area * keys + key]
        pieces.append(tuple(parse_covering(coverings.drawings[numbers[0]])) if numbers else ())
    return pieces

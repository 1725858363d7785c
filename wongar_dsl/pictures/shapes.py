"""Shapes of squares: one alone, an area with what is to cover it, and an area that is covered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wongar_dsl.model import CoveringData, Type
from wongar_dsl.model.shapes import LETTERS, Shape, Spot, read_drawing
from wongar_dsl.model.shapes import shape as shape_of
from wongar_dsl.pictures.lettering import centred
from wongar_dsl.pictures.naming import Names
from wongar_dsl.pictures.svg import THICK, THIN, WASHES, Picture, moved, path
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text

SQUARE, SMALL, EDGE = 80, 22, 10
WIDEST = 1700


def shape(names: Names, sort: str, value: int) -> Picture:
    """A shape of a game, by its number among those of its sort."""
    drawn = names.model.shapes[sort][value]
    side = _side(drawn)
    parts = (moved(figure(drawn.spots, side, "wash"), EDGE, EDGE),)
    title = names.short(Type("enum", sort), value)
    return Picture(drawn.width * side + 2 * EDGE, drawn.height * side + 2 * EDGE, title, told(names, drawn), parts)


def covered(names: Names, sort: str, drawing: str) -> Picture:
    """An area of a game, covered as a drawing says: rows joined by `/`, a letter for each piece."""
    laid = read_drawing(drawing)
    area = shape_of([spot for spots in laid.values() for spot in spots])
    side = _side(area)
    parts = moved(covering(laid, side), EDGE, EDGE)
    called = [names.model.enums[names.model.coverings[sort].pieces][piece] for piece in laid]
    about = names.say("covered", pieces=Text(names.words.chain(called)))
    return Picture(area.width * side + 2 * EDGE, area.height * side + 2 * EDGE, names.title(sort), about, (parts,))


def _side(drawn: Shape) -> int:
    return min(SQUARE, (WIDEST - 2 * EDGE) // drawn.width)


def told(names: Names, drawn: Shape) -> str:
    """A shape in words: how many squares it has, and its rows."""
    rows = names.words.chain([str(row.count("x")) for row in drawn.rows])
    return names.say("shape", n=len(drawn.spots), rows=Text(rows))


# ---- pieces of pictures --------------------------------------------------------------------------------------------


def figure(spots: Iterable[Spot], side: int, wash: str) -> tuple[Tag, ...]:
    """A shape of squares that are `side` wide, with thin lines between them."""
    there = frozenset(spots)
    inner = "".join(
        [f"M{c * side} {r * side}v{side}" for r, c in sorted(there) if (r, c - 1) in there]
        + [f"M{c * side} {r * side}h{side}" for r, c in sorted(there) if (r - 1, c) in there]
    )
    filled = path(outline(there, side), wash, THICK if side > SMALL else THIN)
    return (filled, path(inner, width=THIN if side > SMALL else 1)) if inner else (filled,)


def covering(laid: Mapping[int, Sequence[Spot]], side: int) -> tuple[Tag, ...]:
    """Pieces as they lie, each with its letter in its first square."""
    parts: list[Tag] = []
    for piece, spots in laid.items():
        parts += figure(spots, side, f"wash-{piece % len(WASHES)}")
        row, column = min(spots)
        parts.append(centred(LETTERS[piece], (column * side, row * side, side, side), (side * 2 // 3,), bold=True))
    return tuple(parts)


def outline(spots: frozenset[Spot], side: int) -> str:
    """The edge of a shape as a path, holes as well."""
    # The edges of squares that have no neighbour there, so directed that the shape lies on their right.
    edges: dict[Spot, list[Spot]] = {}
    for r, c in sorted(spots):
        corners = ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))
        beside = ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
        for i in range(4):
            if beside[i] not in spots:
                edges.setdefault(corners[i], []).append(corners[(i + 1) % 4])
    data = []
    while edges:
        start = at = min(edges)
        way: list[Spot] = []
        before = None
        while at != start or not way:
            following = edges[at]
            # Where two squares meet at a corner only, the edge turns back to the square that it came along.
            onward = _right(before, at, following) if before is not None else following[0]
            following.remove(onward)
            if not following:
                del edges[at]
            if before is None or (at[0] - before[0], at[1] - before[1]) != (onward[0] - at[0], onward[1] - at[1]):
                way.append(at)
            before, at = at, onward
        data.append("M" + "L".join(f"{c * side} {r * side}" for r, c in way) + "Z")
    return "".join(data)


def _right(before: Spot, at: Spot, following: Sequence[Spot]) -> Spot:
    """Of the edges that go on from a corner the one that turns right, else what there is."""
    down, along = at[0] - before[0], at[1] - before[1]
    right = (at[0] + along, at[1] - down)
    return right if right in following else following[0]


def sets(coverings: CoveringData, area: int, keys: int) -> list[tuple[int, ...]]:
    """The pieces that cover an area, for each value of the key; nothing where there is no covering."""
    found = []
    for key in range(keys):
        numbers = coverings.lists[area * keys + key]
        found.append(tuple(read_drawing(coverings.drawings[numbers[0]])) if numbers else ())
    return found

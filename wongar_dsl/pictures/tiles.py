"""Cards that are laid on a lattice: their form, and what stands at their sides."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.model import Type
from wongar_dsl.model.boards import HEXAGON, Graph
from wongar_dsl.pictures import sides as bearing
from wongar_dsl.pictures.boards import hexagon
from wongar_dsl.pictures.lettering import centred, fitted, measure, written
from wongar_dsl.pictures.naming import Names
from wongar_dsl.pictures.sides import Side, Thing, Trail
from wongar_dsl.pictures.svg import PAPER, Picture, Point, circle, line, polygon
from wongar_dsl.text.markup import Tag, tag
from wongar_dsl.words import Term, Text

#: Half of the width of a tile, and where badges stand at its sides: so many hundredths of the way to the middle.
HALF, INWARD = 340, 24
BADGE, PLACE = 34, 17
#: How the paths of a card are told apart where they cross.
_DASHES = (None, "36 22", "4 26", "60 20 4 20")
_TITLES = (52, 46, 40, 36, 32, 28, 24, 20)
_NUMBERS = (44, 36, 30, 24)
#: So many places are drawn one by one, and so many rows of them beside each other.
MOST, IN_A_COLUMN = 6, 3
#: The room of a title, and how high a row of places is.
TITLE, ROW = (330, 190), 56


def tile(names: Names, kind: Type, number: int, board: Graph) -> Picture:
    """A card of a sort that is laid on a lattice, as it lies when it is not turned."""
    six = board.directions == HEXAGON
    reach = HALF * 1155 // 1000 if six else HALF
    width, height = 2 * HALF + 20, 2 * reach + 20
    middle = (width // 2, height // 2)
    right, bottom = width - 10, height - 10
    corners = hexagon(*middle, HALF) if six else ((10, 10), (right, 10), (right, bottom), (10, bottom))
    found = bearing.sides(names.model, kind, number, board.directions)
    ends = [_end(corners, direction, six) for direction in range(board.directions)]
    parts: list[Tag] = [polygon(corners, "paper")]
    parts += [_trail(ends[at], middle, ends[side.other], side.path) for at, side in _trails(found)]
    parts += [part for at, side in enumerate(found) for part in _badge(names, side, ends[at], middle)]
    title = names.title(names.model.value_name(kind, number))
    worth = [n for _, n in bearing.worth(names.model, kind, number)]
    label = "\n".join([title, *map(names.words.number, worth)])
    rooms = bearing.rooms(names.model, kind, number)
    rows = min(len(rows_of(rooms)), IN_A_COLUMN)
    lettering = fitted(label, TITLE[0], TITLE[1], _TITLES, bold=True)
    high = lettering.height + 8
    top = middle[1] - (high + rows * ROW) // 2
    wide = max(measure(line, lettering.size, bold=True) for line in lettering.lines) + 20
    parts.append(_plate(middle[0] - wide // 2, top, wide, high))
    parts.append(written(lettering, middle[0], top, bold=True))
    parts += _places(names, rows_of(rooms), middle[0], top + high + 6)
    return Picture(width, height, title, _told(names, kind, number, board), tuple(parts))


def _end(corners: Sequence[Point], direction: int, six: bool) -> Point:
    """Where a direction leaves a tile: in the middle of a side; on a square, which has four more, at a corner."""
    if not six and direction % 2:
        return corners[(direction + 1) // 2 % 4]
    first = direction if six else direction // 2
    (x, y), (u, v) = corners[first], corners[(first + 1) % len(corners)]
    return ((x + u) // 2, (y + v) // 2)


def _trails(found: Sequence[Side]) -> list[tuple[int, Trail]]:
    """Each path once, from its first side."""
    return [(at, side) for at, side in enumerate(found) if isinstance(side, Trail) and side.other > at]


def _trail(start: Point, middle: Point, end: Point, path: int) -> Tag:
    data = f"M{start[0]} {start[1]}Q{middle[0]} {middle[1]} {end[0]} {end[1]}"
    return tag("path", d=data, stroke_width=12, stroke_dasharray=_DASHES[path % len(_DASHES)])


def _badge(names: Names, side: Side, end: Point, middle: Point) -> list[Tag]:
    """What stands at a side: the number of a path, or which thing is there."""
    number = side.number if isinstance(side, Trail) else side.value + 1 if isinstance(side, Thing) else 0
    if not number:
        return []
    at = (end[0] + (middle[0] - end[0]) * INWARD // 100, end[1] + (middle[1] - end[1]) * INWARD // 100)
    text = centred(names.words.number(number), (at[0] - 30, at[1] - 30, 60, 60), _NUMBERS, bold=True)
    bar = [line(end, at, 40)] if isinstance(side, Thing) else []
    return [*bar, circle(at, BADGE), text]


def _plate(left: int, top: int, width: int, height: int) -> Tag:
    """Clear ground for letters."""
    return tag("rect", x=left, y=top, width=width, height=height, rx=20, class_="paper", fill=PAPER, stroke="none")


def rows_of(rooms: Sequence[tuple[Type, int, int]]) -> list[tuple[int, int]]:
    """The parts of a card that are drawn with their places: the number of each, and how many places it has."""
    return [(part + 1, places) for _, part, places in rooms][: 2 * IN_A_COLUMN]


def _places(names: Names, rows: Sequence[tuple[int, int]], middle: int, top: int) -> list[Tag]:
    """Places for pieces, a row for each part of the card, behind its number."""
    parts: list[Tag] = []
    columns = [rows[at : at + IN_A_COLUMN] for at in range(0, len(rows), IN_A_COLUMN)]
    for number, column in enumerate(columns):
        wide = 50 + max(min(places, MOST) for _, places in column) * 44
        left = middle - wide // 2 if len(columns) == 1 else middle + (number - 1) * (wide + 16) + 8
        parts.append(_plate(left, top - 4, wide, len(column) * ROW + 4))
        for row, (part, places) in enumerate(column):
            y = top + row * ROW + 26
            parts.append(centred(f"{part}", (left, y - 26, 44, 52), _NUMBERS[1:], bold=True))
            shown = places if places <= MOST else 0
            parts += [circle((left + 66 + 44 * i, y), PLACE, "wash") for i in range(shown)]
            if not shown:
                many = f"× {names.words.number(places)}"
                parts.append(centred(many, (left + 44, y - 26, wide - 44, 52), _NUMBERS[1:]))
    return parts


def _told(names: Names, kind: Type, number: int, board: Graph) -> str:
    """A tile in words."""
    model, ways = names.model, [Term(way) for way in board.ways]
    worth = [names.words.number(n) for _, n in bearing.worth(model, kind, number)]
    told = [names.say("card.of", sort=Text(names.words.chain([names.title(kind.name), *worth])))]
    found = bearing.sides(model, kind, number, board.directions)
    for at, side in enumerate(found):
        if isinstance(side, Thing):
            told.append(names.say("side.thing", way=ways[at], thing=Text(names.short(side.kind, side.value))))
    for at, trail in _trails(found):
        name = "side.path.number" if trail.number else "side.path"
        told.append(names.say(name, way=ways[at], other=ways[trail.other], n=trail.number))
    for part, value, places in bearing.rooms(model, kind, number):
        told.append(names.say("places", part=Text(names.words.capital(names.short(part, value))), n=places))
    return " ".join(told)

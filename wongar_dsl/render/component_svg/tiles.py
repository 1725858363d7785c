"""Pictures of cards that are laid on a lattice: their form, and their edges."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import HEXAGON, Graph
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.boards import exit_point, hexagon
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side, Trail
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import PAPER, Picture, Point, circle, line, polygon
from wongar_dsl.render.component_svg.text_metrics import centred_text, fit_text, text_lines, text_width

#: Half the width of a tile; distance of badges from the edge in hundredths of the way to the centre.
HALF, INWARD = 340, 24
BADGE, PLACE = 34, 17
#: Dash patterns that distinguish crossing paths.
_DASHES = (None, "36 22", "4 26", "60 20 4 20")
_TITLES = (52, 46, 40, 36, 32, 28, 24, 20)
_NUMBERS = (44, 36, 30, 24)
#: Maximum number of places drawn individually, and of rows in a column.
MAX_SINGLE_PLACES, IN_A_COLUMN = 6, 3
#: Size of the title box, and height of a row of places.
TITLE, ROW = (330, 190), 56


def tile(names: PictureNames, kind: Type, number: int, board: Graph) -> Picture:
    """Return the picture of a card that is laid on a lattice, unrotated."""
    six = board.directions == HEXAGON
    reach = HALF * 1155 // 1000 if six else HALF
    width, height = 2 * HALF + 20, 2 * reach + 20
    middle = (width // 2, height // 2)
    right, bottom = width - 10, height - 10
    corners = hexagon(*middle, HALF) if six else ((10, 10), (right, 10), (right, bottom), (10, bottom))
    edges = card_data.sides(names.model, kind, number, board.directions)
    ends = [exit_point(corners, direction) for direction in range(board.directions)]
    parts: list[Tag] = [polygon(corners, "paper")]
    parts += [_trail(ends[start], middle, ends[side.other], side.path) for start, side in _trails(edges)]
    parts += [part for start, side in enumerate(edges) for part in _badge(names, side, ends[start], middle)]
    title = names.title(names.model.value_name(kind, number))
    worth = [n for _, n in card_data.card_numbers(names.model, kind, number)]
    label = "\n".join([title, *map(names.words.number, worth)])
    rooms = card_data.parts_for_tokens(names.model, kind, number)
    rows = min(len(rows_of(rooms)), IN_A_COLUMN)
    lettering = fit_text(label, TITLE[0], TITLE[1], _TITLES, bold=True)
    high = lettering.height + 8
    top = middle[1] - (high + rows * ROW) // 2
    wide = max(text_width(line, lettering.size, bold=True) for line in lettering.lines) + 20
    parts.append(_plate(middle[0] - wide // 2, top, wide, high))
    parts.append(text_lines(lettering, middle[0], top, bold=True))
    parts += _places(names, rows_of(rooms), middle[0], top + high + 6)
    return Picture(width, height, title, _description(names, kind, number, board), tuple(parts))


def _trails(found: Sequence[Side]) -> list[tuple[int, Trail]]:
    """Return each path once, from its first side."""
    return [(start, side) for start, side in enumerate(found) if isinstance(side, Trail) and side.other > start]


def _trail(start: Point, middle: Point, end: Point, path: int) -> Tag:
    data = f"M{start[0]} {start[1]}Q{middle[0]} {middle[1]} {end[0]} {end[1]}"
    return tag("path", d=data, stroke_width=12, stroke_dasharray=_DASHES[path % len(_DASHES)])


def _badge(names: PictureNames, side: Side, end: Point, middle: Point) -> list[Tag]:
    """Return the badge at a side: the number of a path or of a thing."""
    number = side.number if isinstance(side, Trail) else side.value + 1 if isinstance(side, EdgeThing) else 0
    if not number:
        return []
    centre = (end[0] + (middle[0] - end[0]) * INWARD // 100, end[1] + (middle[1] - end[1]) * INWARD // 100)
    text = centred_text(names.words.number(number), (centre[0] - 30, centre[1] - 30, 60, 60), _NUMBERS, bold=True)
    bar = [line(end, centre, 40)] if isinstance(side, EdgeThing) else []
    return [*bar, circle(centre, BADGE), text]


def _plate(left: int, top: int, width: int, height: int) -> Tag:
    """Return a plain background for letters."""
    return tag("rect", x=left, y=top, width=width, height=height, rx=20, class_="paper", fill=PAPER, stroke="none")


def rows_of(rooms: Sequence[tuple[Type, int, int]]) -> list[tuple[int, int]]:
    """Return the parts of a card whose places are drawn: number of the part, and number of places."""
    return [(part + 1, places) for _, part, places in rooms][: 2 * IN_A_COLUMN]


def _places(names: PictureNames, rows: Sequence[tuple[int, int]], middle: int, top: int) -> list[Tag]:
    """Return the places for pieces, a row for each part of the card, after its number."""
    parts: list[Tag] = []
    columns = [rows[start : start + IN_A_COLUMN] for start in range(0, len(rows), IN_A_COLUMN)]
    for number, column in enumerate(columns):
        wide = 50 + max(min(places, MAX_SINGLE_PLACES) for _, places in column) * 44
        left = middle - wide // 2 if len(columns) == 1 else middle + (number - 1) * (wide + 16) + 8
        parts.append(_plate(left, top - 4, wide, len(column) * ROW + 4))
        for row, (part, places) in enumerate(column):
            y = top + row * ROW + 26
            parts.append(centred_text(f"{part}", (left, y - 26, 44, 52), _NUMBERS[1:], bold=True))
            shown = places if places <= MAX_SINGLE_PLACES else 0
            parts += [circle((left + 66 + 44 * i, y), PLACE, "wash") for i in range(shown)]
            if not shown:
                many = f"× {names.words.number(places)}"
                parts.append(centred_text(many, (left + 44, y - 26, wide - 44, 52), _NUMBERS[1:]))
    return parts


def _description(names: PictureNames, kind: Type, number: int, board: Graph) -> str:
    model, directions = names.model, [Term(direction) for direction in board.direction_names]
    worth = [names.words.number(n) for _, n in card_data.card_numbers(model, kind, number)]
    sentences = [names.say("card.of", sort=Text(names.words.chain([names.title(kind.name), *worth])))]
    edges = card_data.sides(model, kind, number, board.directions)
    for index, side in enumerate(edges):
        if isinstance(side, EdgeThing):
            sentences.append(
                names.say("side.thing", way=directions[index], thing=Text(names.short(side.kind, side.value)))
            )
    for index, trail in _trails(edges):
        name = "side.path.number" if trail.number else "side.path"
        sentences.append(names.say(name, way=directions[index], other=directions[trail.other], n=trail.number))
    for part, value, places in card_data.parts_for_tokens(model, kind, number):
        sentences.append(names.say("places", part=Text(names.words.capital(names.short(part, value))), n=places))
    return " ".join(sentences)

"""Pictures of cards with an area to cover, and the pieces for it."""

from __future__ import annotations

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics import CoveringData, Type
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.card_data import DrawnShape
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.shapes import covering_pieces, shape_description, shape_elements
from wongar_dsl.render.component_svg.svg import WASHES, Picture, box, translate
from wongar_dsl.render.component_svg.text_metrics import centred_text

WIDTH, HEIGHT, MARGIN = 630, 880, 40
#: Maximum height of the area and of a row; width of a piece's square and of a row's name.
AREA, ROW, SQUARE, NAME = 290, 78, 22, 150
#: Maximum number of rows.
MAX_ROWS = 6
_TITLES = (48, 42, 36, 32, 28, 24)
_SIZES = (30, 28, 26, 24, 22, 20, 18)


def puzzle(names: PictureNames, kind: Type, number: int, drawn: DrawnShape) -> Picture:
    """Return the side of a card with one area and, below it, the pieces for each value of the key."""
    model = names.model
    title = names.words.capital(names.short(kind, number))
    if drawn.column is not None:
        title = f"{title} · {names.short(*drawn.column)}"
    area = model.shapes[drawn.sort][drawn.number]
    room = WIDTH - 2 * MARGIN
    side = min(60, room // area.width, AREA // area.height)
    parts: list[Tag] = [box(5, 5, WIDTH - 10, HEIGHT - 10, "paper", radius=36)]
    parts.append(centred_text(title, (MARGIN, 30, room, 60), _TITLES, bold=True))
    left, top = (WIDTH - area.width * side) // 2, 100 + (AREA - area.height * side) // 2
    parts.append(translate(shape_elements(area.spots, side, "wash"), left, top))
    described = [shape_description(names, area)]
    top = 100 + AREA + 10
    for data in model.coverings.values():
        if data.areas == drawn.sort:
            for name, pieces in _pieces_by_key(names, data, drawn.number)[:MAX_ROWS]:
                parts += _row(names, data, name, pieces, top)
                called = names.words.chain([model.enums[data.pieces][piece] for piece in pieces])
                described.append(names.say("pieces", name=Text(name), pieces=Text(called)) if name else called)
                top += ROW
    return Picture(WIDTH, HEIGHT, title, " ".join(described), tuple(parts))


def _pieces_by_key(names: PictureNames, data: CoveringData, area: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return, for each value of the key with a solution, its name and the pieces that cover an area."""
    key = Type("enum", data.key)
    keys = names.model.size(key, 0) if data.key else 1
    called = [names.words.capital(names.short(key, value)) if data.key else "" for value in range(keys)]
    return [(name, pieces) for name, pieces in zip(called, covering_pieces(data, area, keys), strict=True) if pieces]


def _row(names: PictureNames, data: CoveringData, name: str, pieces: tuple[int, ...], top: int) -> list[Tag]:
    every = [names.model.shapes[data.pieces][piece] for piece in pieces]
    room = WIDTH - 2 * MARGIN - NAME - 20 * len(every)
    side = min(SQUARE, (ROW - 12) // max(p.height for p in every), room // sum(p.width for p in every))
    parts = [centred_text(name, (MARGIN - 10, top, NAME, ROW), _SIZES)]
    x = MARGIN + NAME + 10
    for number, piece in zip(pieces, every, strict=True):
        down = top + (ROW - piece.height * side) // 2
        parts.append(translate(shape_elements(piece.spots, side, f"wash-{number % len(WASHES)}"), x, down))
        x += piece.width * side + 20
    return parts

"""A puzzle for a page: its area and pieces as data for the script, and as a picture for who has none.

Of its solutions nothing is told, not even by the order of the pieces.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from wongar_dsl.model.shapes import LETTERS, Shape
from wongar_dsl.pictures.lettering import centred
from wongar_dsl.pictures.shapes import figure
from wongar_dsl.pictures.svg import moved
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.text.markup import Tag, tag
from wongar_dsl.words import Text

from .pictures import things
from .pictures.look import Look

#: How large a square is in the picture, and what lies between the pieces.
SIDE, GAP = 40, 24
#: So many pieces lie in a row.
IN_A_ROW = 3


@dataclass(frozen=True)
class Asked:
    """What a page says of a puzzle: `data` for the script, a picture, and how an answer is written."""

    data: str
    picture: Tag
    example: str
    rows: int


def asked(puzzle: Puzzle, look: Look) -> Asked:
    """A puzzle for a page."""
    pieces = puzzle.pieces
    data = {
        "option": puzzle.option,
        "area": list(puzzle.area.rows),
        "pieces": [{"letter": LETTERS[number], "rows": list(piece.rows)} for number, piece in pieces.items()],
    }
    return Asked(
        json.dumps(data, separators=(",", ":")), _picture(puzzle.area, pieces, look), puzzle.example, puzzle.area.height
    )


def _picture(area: Shape, pieces: dict[int, Shape], look: Look) -> Tag:
    parts = [tag("g", moved(figure(area.spots, SIDE, "wash"), 4, 4), class_="area-to-cover")]
    parts += _signs(area, ".", 4, 4)
    left, top, high, width = 4, area.height * SIDE + GAP, 0, area.width * SIDE
    for place, (number, piece) in enumerate(pieces.items()):
        if place and place % IN_A_ROW == 0:
            left, top, high = 4, top + high + GAP, 0
        parts.append(
            tag(
                "g",
                *figure(piece.spots, SIDE, "wash"),
                transform=f"translate({left} {top})",
                class_=f"piece piece-{place % 6}",
            )
        )
        parts += _signs(piece, LETTERS[number], left, top)
        left += piece.width * SIDE + GAP
        high, width = max(high, piece.height * SIDE), max(width, left)
    told = look.say(
        "puzzle.told",
        n=len(area.spots),
        rows=Text(look.chain([row.replace("x", "#") for row in area.rows])),
        pieces=Text(
            look.chain([f"{LETTERS[n]} {'/'.join(p.rows).replace('x', LETTERS[n])}" for n, p in pieces.items()])
        ),
    )
    box = f"0 0 {width + 8} {top + high + 8}"
    return things.drawing(parts, box, "asked", role="img", aria_label=told, stroke="currentColor", fill="none")


def _signs(drawn: Shape, sign: str, left: int, top: int) -> list[Tag]:
    return [
        centred(sign, (left + c * SIDE, top + r * SIDE, SIDE, SIDE), (SIDE // 2,), bold=True) for r, c in drawn.spots
    ]

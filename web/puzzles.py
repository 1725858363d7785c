"""A puzzle for a page: its area and pieces as data for the script, and as a picture for who has none.

Of its solutions nothing is told, not even by the order of the pieces.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from wongar_dsl.engine.match import Match
from wongar_dsl.model.shapes import LETTERS, Shape
from wongar_dsl.pictures.lettering import centred
from wongar_dsl.pictures.shapes import figure
from wongar_dsl.pictures.svg import moved
from wongar_dsl.table.puzzle import Laying, Puzzle, lays, lost
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


@dataclass(frozen=True)
class Solved:
    """A solution of a puzzle that was lost: what is said above it, and how the pieces lie."""

    told: str
    picture: Tag


def lost_before(match: Match, viewer: int | None, since: int, now: Puzzle | None) -> Puzzle | None:
    """The puzzle that a viewer has lost with their last decision; at the end of the game, the last one of all if they
    have lost that one.  `since` is how many steps there were after that decision, `now` what they are asked."""
    if viewer is None:
        return None
    for step in reversed(match.steps[:since]):
        if step.seat != viewer:
            continue
        found = lost(match, step.number, now)
        if found is not None or not match.state.over or lays(step.decision):
            return found
    return None


def solved(laying: Laying, look: Look, told: str) -> Solved:
    """How the pieces of a puzzle lie, with a line above."""
    area = laying.puzzle.area
    parts: list[Tag] = []
    for place, number in enumerate(laying.puzzle.pieces):
        spots = laying.placed.get(number, ())
        parts.append(tag("g", moved(figure(spots, SIDE, "wash"), 4, 4), class_=f"piece piece-{place % 6}"))
        parts += [
            centred(LETTERS[number], (4 + c * SIDE, 4 + r * SIDE, SIDE, SIDE), (SIDE // 2,), bold=True)
            for r, c in spots
        ]
    box = f"0 0 {area.width * SIDE + 8} {area.height * SIDE + 8}"
    rows = look.chain(drawn_rows(laying))
    return Solved(told, things.drawing(parts, box, "solved", role="img", aria_label=rows, fill="none"))


def drawn_rows(laying: Laying) -> list[str]:
    """How the pieces lie, row by row, with a letter for each square and a dot for each gap."""
    letters = {spot: LETTERS[number] for number, spots in laying.placed.items() for spot in spots}
    area = laying.puzzle.area
    return ["".join(letters.get((r, c), ".") for c in range(area.width)) for r in range(area.height)]


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

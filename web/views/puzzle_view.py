"""View of a puzzle: area and pieces as data for the script, and as a picture without it.

Nothing reveals its solutions, not even the order of the pieces.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics.shapes import LETTERS, Shape
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.shapes import shape_elements
from wongar_dsl.render.component_svg.svg import translate
from wongar_dsl.render.component_svg.text_metrics import centred_text
from wongar_dsl.render.position_svg import svg_symbols
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session.board.puzzle import Puzzle, PuzzleLayout, lost_puzzle

#: Size of a square in the picture, and distance between pieces.
SIDE, GAP = 40, 24
#: Number of pieces per row.
IN_A_ROW = 3


@dataclass(frozen=True)
class PuzzleView:
    """View of a puzzle: `data` for the script, a picture, and an example of the notation."""

    data: str
    picture: Tag
    example: str
    rows: int


@dataclass(frozen=True)
class PuzzleSolutionView:
    """View of a solution of a lost puzzle: heading and picture."""

    heading: str
    picture: Tag


def last_lost_puzzle(match: Match, viewer: int | None, since: int, now: Puzzle | None) -> Puzzle | None:
    """Return the puzzle that the viewer lost with their last decision.

    At the end of the game, this is the last puzzle if they lost it. `since` is the number of steps after that decision,
    `now` the current puzzle.
    """
    if viewer is None:
        return None
    for step in reversed(match.steps[:since]):
        if step.seat != viewer:
            continue
        puzzle = lost_puzzle(match, step.number, now)
        if puzzle is not None or not match.state.over or is_puzzle_decision(step.decision):
            return puzzle
    return None


def solution_view(layout: PuzzleLayout, context: RenderContext, heading: str) -> PuzzleSolutionView:
    """Return the view of a solution under a heading."""
    area = layout.puzzle.area
    parts: list[Tag] = []
    for place, number in enumerate(layout.puzzle.pieces):
        spots = layout.placed.get(number, ())
        parts.append(tag("g", translate(shape_elements(spots, SIDE, "wash"), 4, 4), class_=f"piece piece-{place % 6}"))
        parts += [
            centred_text(LETTERS[number], (4 + c * SIDE, 4 + r * SIDE, SIDE, SIDE), (SIDE // 2,), bold=True)
            for r, c in spots
        ]
    box = f"0 0 {area.width * SIDE + 8} {area.height * SIDE + 8}"
    rows = context.chain(drawn_rows(layout))
    picture = svg_symbols.drawing(parts, box, "solved", role="img", aria_label=rows, fill="none")
    return PuzzleSolutionView(heading, picture)


def drawn_rows(layout: PuzzleLayout) -> list[str]:
    """Return the placement of the pieces by row, with a letter for each square and a dot for each gap."""
    letters = {spot: LETTERS[number] for number, spots in layout.placed.items() for spot in spots}
    area = layout.puzzle.area
    return ["".join(letters.get((r, c), ".") for c in range(area.width)) for r in range(area.height)]


def puzzle_view(puzzle: Puzzle, context: RenderContext) -> PuzzleView:
    """Return the view of a puzzle."""
    pieces = puzzle.pieces
    data = {
        "option": puzzle.option,
        "area": list(puzzle.area.rows),
        "pieces": [{"letter": LETTERS[number], "rows": list(piece.rows)} for number, piece in pieces.items()],
    }
    return PuzzleView(
        json.dumps(data, separators=(",", ":")),
        _picture(puzzle.area, pieces, context),
        puzzle.example,
        puzzle.area.height,
    )


def _picture(area: Shape, pieces: dict[int, Shape], context: RenderContext) -> Tag:
    parts = [tag("g", translate(shape_elements(area.spots, SIDE, "wash"), 4, 4), class_="area-to-cover")]
    parts += _square_labels(area, ".", 4, 4)
    left, top, row_height, width = 4, area.height * SIDE + GAP, 0, area.width * SIDE
    for index, (number, piece) in enumerate(pieces.items()):
        if index and index % IN_A_ROW == 0:
            left, top, row_height = 4, top + row_height + GAP, 0
        parts.append(
            tag(
                "g",
                *shape_elements(piece.spots, SIDE, "wash"),
                transform=f"translate({left} {top})",
                class_=f"piece piece-{index % 6}",
            )
        )
        parts += _square_labels(piece, LETTERS[number], left, top)
        left += piece.width * SIDE + GAP
        row_height, width = max(row_height, piece.height * SIDE), max(width, left)
    description = context.say(
        "puzzle.told",
        n=len(area.spots),
        rows=Text(context.chain([row.replace("x", "#") for row in area.rows])),
        pieces=Text(
            context.chain([f"{LETTERS[n]} {'/'.join(p.rows).replace('x', LETTERS[n])}" for n, p in pieces.items()])
        ),
    )
    box = f"0 0 {width + 8} {top + row_height + 8}"
    return svg_symbols.drawing(
        parts, box, "asked", role="img", aria_label=description, stroke="currentColor", fill="none"
    )


def _square_labels(shape: Shape, label: str, left: int, top: int) -> list[Tag]:
    return [
        centred_text(label, (left + c * SIDE, top + r * SIDE, SIDE, SIDE), (SIDE // 2,), bold=True)
        for r, c in shape.spots
    ]

"""Views of the end of a game, and of puzzles with their solutions.

Nothing reveals the solutions of an open puzzle, not even the order of its pieces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics.shapes import LETTERS, Shape, Spot
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.cards import shape_elements
from wongar_dsl.render.component_svg.svg import centred_text, translate
from wongar_dsl.render.position_svg import svg_symbols
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session import ending as game_summary
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout

from .zone_views import badge

#: Size of a square in the picture, and distance between pieces.
SIDE, GAP = 40, 24
#: Number of pieces per row.
IN_A_ROW = 3


def solution_view(layout: PuzzleLayout, context: RenderContext, heading: str) -> dict[str, Any]:
    """Return the view of a solution under a heading."""
    area = layout.puzzle.area
    parts: list[Tag] = []
    for place, number in enumerate(layout.puzzle.pieces):
        spots = layout.placed.get(number, ())
        parts.append(tag("g", translate(shape_elements(spots, SIDE, "wash"), 4, 4), class_=f"piece piece-{place % 6}"))
        parts += _square_labels(spots, LETTERS[number], 4, 4)
    box = f"0 0 {area.width * SIDE + 8} {area.height * SIDE + 8}"
    rows = context.chain(layout.rows)
    picture = svg_symbols.drawing(parts, box, "solved", role="img", aria_label=rows, fill="none")
    return {"heading": heading, "picture": picture}


def puzzle_view(puzzle: Puzzle, context: RenderContext) -> dict[str, Any]:
    """Return the view of a puzzle: `data` for the script, a picture, and an example of the notation."""
    pieces = puzzle.pieces
    data = {
        "option": puzzle.option,
        "area": list(puzzle.area.rows),
        "pieces": [{"letter": LETTERS[number], "rows": list(piece.rows)} for number, piece in pieces.items()],
    }
    return {
        "data": json.dumps(data, separators=(",", ":")),
        "picture": _picture(puzzle.area, pieces, context),
        "example": puzzle.example,
        "rows": puzzle.area.height,
    }


def _picture(area: Shape, pieces: dict[int, Shape], context: RenderContext) -> Tag:
    parts = [tag("g", translate(shape_elements(area.spots, SIDE, "wash"), 4, 4), class_="area-to-cover")]
    parts += _square_labels(area.spots, ".", 4, 4)
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
        parts += _square_labels(piece.spots, LETTERS[number], left, top)
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


def _square_labels(spots: Iterable[Spot], label: str, left: int, top: int) -> list[Tag]:
    return [
        centred_text(label, (left + c * SIDE, top + r * SIDE, SIDE, SIDE), (SIDE // 2,), bold=True) for r, c in spots
    ]


@dataclass(frozen=True)
class EndingView:
    """View of the end of a game.

    `heading` names the winners. `caption` is the heading of the columns, `below` that of the curve. `rule` explains how
    winners are determined without points, and how a tie was broken. `columns` are origins of points or tie-break
    values, with a label before each number and a mark for the sum; `results` are the rows of the players, sorted by
    winners and totals. If nothing is compared, `columns` is empty and `curve` is None. Each moment consists of a few
    sentences.
    """

    heading: str
    caption: str
    below: str
    rule: str
    columns: Sequence[dict[str, Any]]
    results: Sequence[dict[str, Any]]
    curve: Tag | None
    moments: tuple[tuple[str, ...], ...]

    def says(self, sentence: str) -> bool:
        """Return whether a sentence is already part of this view."""
        return sentence == self.heading or any(sentence in line for lines in self.moments for line in lines)


def ending(match: Match, context: RenderContext) -> EndingView:
    """Return the view of the end of a match."""
    narrator, winners = context.scene.narrator, match.state.winners
    summary = game_summary.ending(match, narrator)
    # The total is shown beside the name.
    rows = sorted(summary.rows, key=lambda row: not row.total)
    columns = [
        {"title": row.name, "total": row.total, "label": narrator.words.valued(row.name, "").rstrip()} for row in rows
    ]

    def rank(seat: int) -> tuple[object, ...]:
        return (seat not in winners, *(-row.points[seat] for row in rows if row.total), seat)

    results = [
        {
            "text": narrator.names[seat],
            "letter": badge(context, seat),
            "won": seat in winners,
            "cells": [narrator.words.number(row.points[seat]) for row in rows],
        }
        for seat in sorted(range(len(narrator.names)), key=rank)
    ]
    sentences = tuple(game_summary.moment_text(moment, narrator) for moment in summary.moments)
    if summary.line:
        sentences = ((summary.line,), *sentences)
    value = Text(game_summary.heading(summary, narrator))
    score_curve = (
        _curve(summary.history, context, value) if summary.history is not None and summary.history.has_growth else None
    )
    titles = (
        narrator.score_title() if match.game.program.score is not None else context.say("compared"),
        context.say("curve.grown", what=value),
        " ".join(text for text in (summary.rule, summary.tie) if text),
    )
    return EndingView(narrator.ending(winners), *titles, columns, results, score_curve, sentences)


def _curve(history: game_summary.ScoreHistory, context: RenderContext, value: Text) -> Tag:
    """Draw the history of the points, or of another value, by round."""
    number, seats = context.scene.narrator.words.number, range(len(history.points[0]))
    phrases = [context.owned_phrase(seat, [number(row[seat]) for row in history.points]) for seat in seats]
    description = context.say("curve.grown.told", what=value, told=Text(context.chain(phrases)))
    return svg_symbols.score_curve(context, history.points, description)

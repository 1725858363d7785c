"""One-line score summary, for screens without room for the players' table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.engine.provisional_scores import provisional_scores as counted_now
from wongar_dsl.render.text.lines import Piece, line_width, seat_style
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.status import held_figures
from wongar_dsl.session.scene import copies_of


def score_line(scene: TextScene, room: int) -> list[Piece]:
    """Return the points and pieces of each seat, in at most `room` cells.

    The provisional score is added in brackets. If there is too little room, the piece counts are omitted first, then
    letters replace names; a number is never cut. The result is empty if nothing fits, or if the game has no public
    points.
    """
    score = next((place for place in scene.fields if place.kind == "score"), None)
    if score is None:
        return []
    number = scene.narrator.words.number
    points = [number(scene.value(copy) or 0) for copy in copies_of(score)]
    if (now := counted_now(scene.position, scene.viewer)) is not None:
        points = [f"{sure} ({number(provisional)})" for sure, provisional in zip(points, now, strict=True)]
    figures = held_figures(scene) or [""] * len(points)
    between = scene.sign(" · ", " | ")
    forms = ((scene.names, figures, between), (scene.names, None, between), (scene.letters, None, " "))
    for names, held, gap in forms:
        pieces = [*_pieces(scene, names, points, held, gap)]
        if line_width(pieces) <= room:
            return pieces
    return []


def _pieces(
    scene: TextScene, names: Sequence[str], points: Sequence[str], figures: Sequence[str] | None, gap: str
) -> Iterator[Piece]:
    for seat, (name, number) in enumerate(zip(names, points, strict=True)):
        if seat:
            yield "faint", gap
        turn = scene.sign("▶", ">") if seat == scene.state.seat else ""
        yield seat_style(seat), f"{turn}{name} "
        yield "strong", number
        if figures is not None and figures[seat]:
            yield "figure", f" {figures[seat]}"

"""How everybody stands, in one line: for screens on which the table of the players has no place of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.engine.knowledge import copies
from wongar_dsl.engine.standing import standing as counted_now

from ..pictures.players import held_figures
from ..pictures.scene import Scene
from ..terminal.screen import Piece, measure, seat_style


def standing(scene: Scene, room: int) -> list[Piece]:
    """The points of each seat and the figures that it has, in at most so many cells.

    In brackets stands what everybody would have if the game ended now.  Where there is too little room, first the
    figures are left out, then letters take the place of names; a number is never cut.  Empty for a game without points
    that everybody sees, and where not even that fits.
    """
    score = next((place for place in scene.places if place.kind == "score"), None)
    if score is None:
        return []
    number = scene.narrator.words.number
    points = [number(scene.state.cells[at]) for _, at in copies(score)]
    if (now := counted_now(scene.position, scene.viewer)) is not None:
        points = [f"{sure} ({number(so_far)})" for sure, so_far in zip(points, now, strict=True)]
    figures = held_figures(scene) or [""] * len(points)
    between = scene.sign(" · ", " | ")
    forms = ((scene.names, figures, between), (scene.names, None, between), (scene.letters, None, " "))
    for names, held, gap in forms:
        pieces = [*_pieces(scene, names, points, held, gap)]
        if measure(pieces) <= room:
            return pieces
    return []


def _pieces(
    scene: Scene, names: Sequence[str], points: Sequence[str], figures: Sequence[str] | None, gap: str
) -> Iterator[Piece]:
    for seat, (name, number) in enumerate(zip(names, points, strict=True)):
        if seat:
            yield "faint", gap
        turn = scene.sign("▶", ">") if seat == scene.state.seat else ""
        yield seat_style(seat), f"{turn}{name} "
        yield "strong", number
        if figures is not None and figures[seat]:
            yield "figure", f" {figures[seat]}"

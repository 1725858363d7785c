"""A position as a picture, for whoever looks at it: boards, legend, tracks, players, hands.

Everything comes from what the rules declare (zones, boards, figures, tracks, scores) and from the words for it.  How a
board is drawn depends on what lies on it.  Each part stands alone too, for screens that place them by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl import ir
from wongar_dsl.model.boards import SQUARE, Graph

from ..terminal.screen import Line
from . import area_board, rows
from . import players as seats
from .flow import flow
from .scene import Scene
from .status import common, tracks


def picture(scene: Scene, explained: bool = True) -> list[Line]:
    """The whole table as the viewer sees it; unless `explained`, without the legend."""
    shown = legend(scene) if explained else []
    return [*board(scene), *shown, *status(scene), *players(scene), *hands(scene)]


def board(scene: Scene) -> list[Line]:
    """The boards."""
    return [line for name, graph in scene.state.game.model.boards.items() for line in _board(scene, name, graph)]


def legend(scene: Scene) -> list[Line]:
    """What the signs on the boards mean."""
    return list(_legend(scene))


def status(scene: Scene) -> list[Line]:
    """What belongs to nobody: tracks, and zones and values that lie on no board."""
    return [*tracks(scene), *rows.draw(scene), *common(scene)]


def players(scene: Scene) -> list[Line]:
    """A row for each player."""
    return seats.table(scene)


def hands(scene: Scene) -> list[Line]:
    """What the viewer holds that others do not see."""
    return seats.hands(scene)


def _board(scene: Scene, name: str, board: Graph) -> list[Line]:
    """A board: a map of hexagons or a grid where cards lie in its areas, else boxes with what belongs to them."""
    layout = _layout_on(scene, name)
    if layout is None:
        return area_board.draw(scene, board, lambda *box: area_board.inside(scene, name, *box))
    # Few games have cards laid on a board, and drawing these takes a lot.
    from . import hex_board, square_board

    if board.directions == SQUARE:
        return square_board.draw(scene, layout, name, board)
    return hex_board.draw(scene, layout, board)


def _layout_on(scene: Scene, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    zones = scene.state.game.model.declared.zones
    return next((place for place in scene.places if place.name in zones and zones[place.name].board == name), None)


def _legend(scene: Scene) -> Iterator[Line]:
    """What the symbols mean."""
    narrator, model = scene.narrator, scene.state.game.model
    shown: dict[str, str] = {}
    for place in scene.places:
        if place.kind == "tokens":
            for kind in range(model.size(place.type, 0)):
                shown[scene.token(kind)] = narrator.words.capital(narrator.short(place.type, kind))
        on_board = any(t.kind == "board" for t in place.indices)
        if on_board and place.kind == "slot":
            shown[scene.sign("▸", ">")] = scene.name(place)
        if on_board and place.kind in ("pile", "heap"):
            shown["+n"] = scene.name(place)
    if any(figure.board is not None for figure in model.declared.figures.values()):
        shown[scene.sign("♟", "@")] = narrator.words.capital(narrator.words.term("figure"))
    yield from flow(scene, [[("faint", f"{sign} {name}")] for sign, name in shown.items()], "  ")

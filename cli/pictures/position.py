"""A position as a picture, for whoever looks at it: boards, legend, tracks, players, hands.

Everything comes from what the rules declare (zones, boards, figures, tracks, scores) and from the words for it.  How a
board is drawn depends on what lies on it.  Each part stands alone too, for screens that place them by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl.engine.standing import standing
from wongar_dsl.model.boards import HEXAGON, SQUARE, Graph
from wongar_dsl.words import Text

from ..terminal.screen import Line, measure, padded
from . import area_board, rows
from . import players as seats
from .flow import flow
from .scene import Place, Scene
from .status import common, tracks

#: The lines that are left free below a picture, for the question and its options.
BELOW = 6
#: Where what a sign means takes more than so many characters, there is a sign between one and the next.
LONG = 20
#: From so many columns on the rest stands at the side, if it has so many there.
WIDE, NARROWEST_SIDE = 120, 56
#: From so many places ways are told where there is all the room in the world, and where there is none.
MOST, FEWEST = 16, 4


def picture(scene: Scene, known: Collection[str] | None = ()) -> list[Line]:
    """The whole table as the viewer sees it, with the signs explained that are not `known` (None: with no legend)."""
    if scene.height and scene.width >= WIDE:
        beside = _beside(scene, known)
        if beside:
            return beside
    shown = legend(scene, known) if known is not None else []
    state, below = status(scene), [*players(scene), *hands(scene)]
    if not scene.height:
        return [*board(scene), *shown, *state, *ways(scene), *below]
    room = scene.height - BELOW - len(state) - len(below)
    boards = board(replace(scene, height=max(1, room)))
    return [*boards, *shown, *state, *ways(scene, max(FEWEST, room - len(boards) - len(shown))), *below]


def _beside(scene: Scene, known: Collection[str] | None) -> list[Line]:
    """On a wide screen everything else at the side of the boards; nothing where these are too wide for that."""
    left = replace(scene, width=scene.width - NARROWEST_SIDE - 3, height=max(1, scene.height - BELOW))
    boards = board(left)
    wide = max(map(measure, boards), default=0) + 3
    if not boards or wide > left.width + 3 or not _whole(left):
        return []
    side = replace(scene, width=scene.width - wide, height=0)
    parts = [players(side), hands(side), status(side), legend(side, known) if known is not None else [], ways(side)]
    lines: list[Line] = []
    for part in parts:
        lines += [[], *part] if part and lines else part
    rows = max(len(boards), len(lines))
    blank: list[Line] = [[]]
    pairs = zip([*boards, *blank * (rows - len(boards))], [*lines, *blank * (rows - len(lines))], strict=True)
    return [[*padded(left, wide), *right] if right else left for left, right in pairs]


def _whole(scene: Scene) -> bool:
    """Whether nothing of a map has to stay away."""
    for name, graph in scene.state.game.model.boards.items():
        layout = _layout_on(scene, name)
        if layout is not None and graph.directions == HEXAGON:
            from . import hex_board

            if not hex_board.fits(scene, layout, name, graph):
                return False
    return True


def board(scene: Scene) -> list[Line]:
    """The boards, each as large as it fits into the height of the scene, if that says any."""
    return [line for name, graph in scene.state.game.model.boards.items() for line in _board(scene, name, graph)]


def maps(scene: Scene) -> list[Line]:
    """The boards without what is listed below them."""
    return [line for name, graph in scene.state.game.model.boards.items() for line in _board(scene, name, graph, True)]


def lists(scene: Scene, only: Container[Place] | None = None) -> list[Line]:
    """What is listed below boards, of all areas or `only` of some; nothing for boards that show it themselves."""
    found: list[Line] = []
    for name, graph in scene.state.game.model.boards.items():
        layout = _layout_on(scene, name)
        if layout is not None and graph.directions != SQUARE:
            from . import hex_board

            found += hex_board.listed(scene, layout, name, graph, only)
    return found


def shown_changes(before: Scene, now: Scene, places: frozenset[Place]) -> frozenset[Place]:
    """Of the areas where something has changed those where that can be seen: squares do not show all that they hold."""
    squares: set[Place] = set()
    drawn = set[str]()
    for name, graph in now.state.game.model.boards.items():
        if graph.directions == SQUARE and _layout_on(now, name) is None:
            from . import grid_board

            pairs = zip(grid_board.squares(before, name, graph), grid_board.squares(now, name, graph), strict=True)
            squares |= {(name, area) for area, (old, new) in enumerate(pairs) if old != new}
            drawn.add(name)
    return frozenset(squares | {place for place in places if place[0] not in drawn})


def ways(scene: Scene, most: int = MOST) -> list[Line]:
    """Where the ways over laid cards lead that begin at pieces of the viewer, from `most` places."""
    found: list[Line] = []
    for name, graph in scene.state.game.model.boards.items():
        layout = _layout_on(scene, name)
        if layout is not None and graph.directions:
            from .edges import routes

            found += routes(scene, layout, graph, most)
    return found


def legend(scene: Scene, known: Collection[str] = ()) -> list[Line]:
    """What the signs on the boards mean, but for those that are `known`, by their keys in `signs`."""
    found = signs(scene)
    items: list[Line] = [[("faint", text)] for key, text in found.items() if key not in known]
    return list(
        flow(scene, items, scene.sign(" · ", " | ") if any(len(text) > 20 for text in found.values()) else "  ")
    )


def status(scene: Scene) -> list[Line]:
    """What belongs to nobody: tracks, and zones and values that lie on no board."""
    return [*tracks(scene), *rows.draw(scene), *common(scene)]


def players(scene: Scene) -> list[Line]:
    """A row for each player."""
    return seats.table(scene)


def hands(scene: Scene) -> list[Line]:
    """What the viewer holds that others do not see."""
    return seats.hands(scene)


def _board(scene: Scene, name: str, board: Graph, alone: bool = False) -> list[Line]:
    """A board: a map of hexagons or a grid where cards lie in its areas, else boxes with what belongs to them; with or
    `alone` without a list below."""
    layout = _layout_on(scene, name)
    if layout is None and board.directions == SQUARE:
        from . import grid_board

        if grid_board.suits(scene, board):
            return grid_board.draw(scene, name, board)
    if layout is None:
        return area_board.named(scene, name, board)
    # Few games have cards laid on a board, and drawing these takes a lot.
    from . import hex_board, square_board

    if board.directions == SQUARE:
        return square_board.draw(scene, layout, name, board)
    return (hex_board.mapped if alone else hex_board.draw)(scene, layout, name, board)


def _layout_on(scene: Scene, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    zones = scene.state.game.model.declared.zones
    return next((place for place in scene.places if place.name in zones and zones[place.name].board == name), None)


def signs(scene: Scene) -> dict[str, str]:
    """What each sign on the boards means, by something that stays the same through a game."""
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
    if (scene.marked or scene.pointing) and not scene.state.over:
        shown["*"] = narrator.words.say("drawing.changed")
    found = {sign: f"{sign} {name}" for sign, name in shown.items()}
    if scene.pointing and model.boards and not scene.state.over:
        for highlight in ("lit", "led"):
            sign = " ".join(scene.brackets(highlight))
            found[highlight] = narrator.words.say(f"drawing.{highlight}", None, sign=Text(sign))
    if scene.pointing and standing(scene.position, scene.viewer) is not None:
        found["standing"] = f"(n) {narrator.words.say('standing.title')}"
    for name, graph in model.boards.items():
        layout = _layout_on(scene, name)
        if layout is not None and graph.directions:
            from .edges import legend as of_edges

            found |= of_edges(scene, layout, graph)
    return found

"""Text rendering of a position for a viewer: boards, legend, tracks, players, hands.

The content comes from the declarations of the rules (zones, boards, figures, tracks, scores) and their terms. The style
of a board depends on its contents. Each part is available as a function of its own, for screens that arrange the parts
themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores
from wongar_dsl.language.semantics.boards import SQUARE, Graph
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.scene import BoardArea, Scene, copies_of

from . import area_board, grid_board
from .lines import Line, line_text, line_width, pad_line
from .scene import TextScene, wrap_items
from .status import common, hands, hides_values, players, rows, tracks

if TYPE_CHECKING:
    from .laid_cards import CardMap

#: Lines reserved below a picture for the question and its options.
BELOW = 6
#: If a legend entry has more characters, entries are separated by a symbol rather than by spaces.
MAX_UNSEPARATED_ENTRY = 20
#: Minimum columns of the screen for a second column beside the boards, and minimum width of that column.
WIDE, NARROWEST_SIDE = 120, 56
#: Number of starting points of paths described with unlimited room, and minimum number with little room.
MAX_PATH_STARTS, MIN_PATH_STARTS = 16, 4


def picture(scene: TextScene, known: Collection[str] | None = ()) -> list[Line]:
    """Render the whole position, with a legend of the symbols whose keys are not in `known` (None: no legend)."""
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
    return [*boards, *shown, *state, *ways(scene, max(MIN_PATH_STARTS, room - len(boards) - len(shown))), *below]


def _beside(scene: TextScene, known: Collection[str] | None) -> list[Line]:
    """Render everything else beside the boards; empty if the boards are too wide for that."""
    board_scene = replace(scene, width=scene.width - NARROWEST_SIDE - 3, height=max(1, scene.height - BELOW))
    boards = board(board_scene)
    wide = max(map(line_width, boards), default=0) + 3
    if (
        not boards
        or wide > board_scene.width + 3
        or not all(cards.fits() for cards in _card_maps(board_scene).values())
    ):
        return []
    side = replace(scene, width=scene.width - wide, height=0)
    parts = [
        players(side),
        hands(side),
        status(side),
        legend(side, known) if known is not None else [],
        ways(side),
    ]
    lines: list[Line] = []
    for part in parts:
        lines += [[], *part] if part and lines else part
    pairs = zip_longest(boards, lines, fillvalue=())
    return [[*pad_line(left, wide), *right] if right else left for left, right in pairs]


def _card_maps(scene: TextScene) -> dict[str, CardMap]:
    """Return the maps of placed cards, by board; few games have any, and the module is large."""
    if not scene.card_maps:
        return {}
    from .laid_cards import card_maps

    return card_maps(scene)


def board(scene: TextScene) -> list[Line]:
    """Render the boards, each as large as the height of the scene allows."""
    return [line for name, graph in scene.state.game.model.boards.items() for line in _board(scene, name, graph)]


def plain_drawing(start: Scene, room: int, unicode: bool) -> list[str]:
    """Return the boards of a position with their legend, without styles; none if they are wider than `room` cells."""
    scene = TextScene(start.position, start.narrator, start.letters, start.viewer, room, unicode)
    drawn = board(scene)
    lines = [line_text(line).rstrip() for line in (*drawn, *legend(scene))] if drawn else []
    return lines if max(map(cells_of, lines), default=0) <= room else []


def maps(scene: TextScene) -> list[Line]:
    """Render the boards without the lists below them."""
    return [line for name, graph in scene.state.game.model.boards.items() for line in _board(scene, name, graph, True)]


def lists(scene: TextScene, only: Container[BoardArea] | None = None) -> list[Line]:
    """Render the lists below boards, for all areas or those in `only`; boards that show everything themselves have
    none.
    """
    return [line for cards in _card_maps(scene).values() for line in cards.card_lines(only)]


def shown_changes(before: TextScene, now: TextScene, places: frozenset[BoardArea]) -> frozenset[BoardArea]:
    """Return the changed areas whose change is visible: squares do not show everything they hold."""
    squares: set[BoardArea] = set()
    drawn = set[str]()
    for name, graph in now.state.game.model.boards.items():
        if graph.directions == SQUARE and now.layout_on(name) is None:
            pairs = zip(grid_board.squares(before, name, graph), grid_board.squares(now, name, graph), strict=True)
            squares |= {(name, area) for area, (old, new) in enumerate(pairs) if old != new}
            drawn.add(name)
    return frozenset(squares | {place for place in places if place[0] not in drawn})


def ways(scene: TextScene, most: int = MAX_PATH_STARTS) -> list[Line]:
    """Render the paths over placed cards that begin at the viewer's pieces, from at most `most` starting points."""
    return [line for cards in _card_maps(scene).values() for line in cards.routes(most)]


def legend(scene: TextScene, known: Collection[str] = ()) -> list[Line]:
    """Render the legend of the boards, except for symbols in `known` (keys of `signs`)."""
    entries = signs(scene)
    items: list[Line] = [[("faint", text)] for key, text in entries.items() if key not in known]
    has_long_entry = any(len(text) > MAX_UNSEPARATED_ENTRY for text in entries.values())
    return list(wrap_items(scene, items, scene.sign(" · ", " | ") if has_long_entry else "  "))


def status(scene: TextScene) -> list[Line]:
    """Render tracks, and zones and values that belong to no player and no board."""
    return [*tracks(scene), *rows(scene), *common(scene)]


def _board(scene: TextScene, name: str, board: Graph, alone: bool = False) -> list[Line]:
    """Render a board: a hexagon map or grid for placed cards, otherwise boxes with their contents.

    With `alone`, the list below is omitted.
    """
    cards = _card_maps(scene).get(name)
    if cards is not None:
        return [*cards.map_lines(), *([] if alone else cards.card_lines())]
    if grid_board.can_draw(scene, board):
        return grid_board.draw(scene, name, board)
    return area_board.named_board(scene, name, board)


def signs(scene: TextScene) -> dict[str, str]:
    """Return the meaning of each symbol on the boards, by a key that is stable during a game."""
    narrator, model = scene.narrator, scene.state.game.model
    named: dict[str, list[str]] = {}
    for place in scene.fields:
        if place.traits.tokens:
            for kind in range(model.size(place.type, 0)):
                named.setdefault(scene.token(kind), []).append(narrator.words.capital(narrator.short(place.type, kind)))
        on_board = any(t.kind == "board" for t in place.indices)
        open_copies = {*map(scene.visible, copies_of(place))} if on_board else set()
        if on_board and (place.traits.single or (place.traits.loose and True in open_copies)):
            named.setdefault(scene.sign("▸", ">"), []).append(scene.name(place))
        if on_board and (place.traits.ordered or (place.traits.loose and False in open_copies)):
            named.setdefault("+n", []).append(scene.name(place))
    for name, graph in model.boards.items():
        if scene.layout_on(name) is None and grid_board.can_draw(scene, graph):
            for sign, title in grid_board.mark_names(scene, name).items():
                named.setdefault(sign, []).append(title)
    shown = {sign: narrator.words.chain(list(dict.fromkeys(names))) for sign, names in named.items()}
    if any(t.kind == "board" for t in scene.hiding) or hides_values(scene):
        shown[scene.hidden_sign] = scene.hidden_text
    if any(figure.board is not None for figure in model.declared.figures.values()):
        shown[scene.sign("♟", "@")] = narrator.words.capital(narrator.words.term("figure"))
    if (scene.marked or scene.pointing) and not scene.state.over:
        shown["*"] = narrator.words.say("drawing.changed")
    entries = {sign: f"{sign} {name}" for sign, name in shown.items()}
    if scene.pointing and model.boards and not scene.state.over:
        for highlight in ("lit", "led"):
            sign = " ".join(scene.brackets(highlight))
            entries[highlight] = narrator.words.say(f"drawing.{highlight}", None, sign=Text(sign))
    if scene.pointing and provisional_scores(scene.position, scene.viewer) is not None:
        entries["standing"] = f"(n) {narrator.words.say('standing.title')}"
    for cards in _card_maps(scene).values():
        entries |= cards.legend()
    return entries

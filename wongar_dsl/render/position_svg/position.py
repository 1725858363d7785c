"""SVG of a position: the boards of a game, each drawn according to its contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics.boards import SQUARE

from . import area_board, laid_cards, square_board, svg_symbols
from .render_context import RenderContext


@dataclass(frozen=True)
class BoardPicture:
    """A board: its name in the rules, title, picture, and the symbol for changes if any are marked."""

    name: str
    title: str
    picture: Tag
    changed: Tag | None = None


def boards(context: RenderContext) -> Iterator[BoardPicture]:
    """Yield the boards of a game, without maps that have no cards yet."""
    for name, board in context.scene.state.game.model.boards.items():
        layout = context.scene.layout_on(name)
        if layout is not None:
            if not context.scene.placed_cards(layout):
                continue
            picture = laid_cards.draw(context, layout, name, board)
        elif board.directions == SQUARE:
            picture = square_board.draw(context, name, board)
        else:
            picture = area_board.draw(context, name, board)
        changed = svg_symbols.changed_key() if any(place[0] == name for place in context.changed) else None
        yield BoardPicture(name, context.term(name), picture, changed)

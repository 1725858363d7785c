"""SVG of a position: the boards of a game, each drawn according to its contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.model.boards import SQUARE
from wongar_dsl.text.markup import Tag

from . import area_board, laid_cards, square_board, things
from .look import Look


@dataclass(frozen=True)
class Drawn:
    """A board: its name in the rules, title, picture, and the symbol for changes if any are marked."""

    name: str
    title: str
    picture: Tag
    changed: Tag | None = None


def boards(look: Look) -> Iterator[Drawn]:
    """Yield the boards of a game, without maps that have no cards yet."""
    for name, board in look.scene.state.game.model.boards.items():
        layout = laid_cards.layout_on(look, name)
        if layout is not None:
            if not laid_cards.laid_on(look, layout):
                continue
            picture = laid_cards.draw(look, layout, name, board)
        elif board.directions == SQUARE:
            picture = square_board.draw(look, name, board)
        else:
            picture = area_board.draw(look, name, board)
        changed = things.changed_key() if any(place[0] == name for place in look.changed) else None
        yield Drawn(name, look.term(name), picture, changed)

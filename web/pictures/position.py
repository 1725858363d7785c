"""A position as pictures: the boards of a game, each drawn as what lies on it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.model.boards import SQUARE
from wongar_dsl.text.markup import Tag

from . import area_board, laid_cards, square_board, things
from .look import Look


@dataclass(frozen=True)
class Drawn:
    """A board: its name in the rules, what it is called, its picture, and the mark of what changed, if it has one."""

    name: str
    title: str
    picture: Tag
    changed: Tag | None = None


def boards(look: Look) -> Iterator[Drawn]:
    """The boards of a game; a map on which nothing lies yet is left out."""
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

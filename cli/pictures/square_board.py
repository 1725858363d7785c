"""Cards that lie on a grid: its squares as boxes, each with its card, what the card's sides bear, and what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl.ir.containers import Laid
from wongar_dsl.model.boards import Graph

from ..terminal.screen import Line, Piece, clipped, measure, padded
from . import area_board
from .laid_cards import LaidCards
from .scene import Scene

#: A larger grid is shown around its cards only.
WHOLE = 12


def draw(scene: Scene, place: ir.Field, name: str, board: Graph) -> list[Line]:
    """The grid of a layout as lines."""
    cards = LaidCards(scene, place, board)
    by_area = {laid.area: laid for laid in cards.laid}

    def inside(area: int, title: str, width: int) -> Iterator[Line]:
        yield from area_board.inside(scene, name, area, title, width)
        card = by_area.get(area, cards.tried(name, area))
        if card is not None:
            yield from _card(cards, card, width)

    return area_board.draw(scene, _around(cards, board), inside)


def _around(cards: LaidCards, board: Graph) -> Graph:
    """The rows and columns of a large grid in which cards lie, and one more on each side."""
    if len(board.rows) <= WHOLE and max(map(len, board.rows)) <= WHOLE:
        return board
    spots = [board.spots[laid.area] for laid in cards.laid] or [board.spots[0]]
    (left, right), (low, high) = ((min(line) - 1, max(line) + 1) for line in zip(*spots, strict=True))
    shown = {
        area
        for area, (x, y) in zip(board.areas, board.spots, strict=True)
        if left <= x <= right and low <= y <= high
    }  # fmt: skip
    rows = (tuple(area for area in row if area in shown) for row in board.rows)
    return replace(board, rows=tuple(row for row in rows if row))


def _card(cards: LaidCards, laid: Laid, width: int) -> Iterator[Line]:
    """A card in the box of its square: its name with what its sides bear around it, and the pieces on it."""
    north, north_east, east, south_east, south, south_west, west, north_west = cards.marks(laid)
    name = clipped(cards.title(laid.face), max(1, width - len(west) - len(east) - (west != "") - (east != "")))
    rows = [(north_west, north, north_east), (west, "", east), (south_west, south, south_east)]
    for number, (left, middle, right) in enumerate(rows):
        piece: Piece = ("card", name) if number == 1 else ("", middle)
        if piece[1] or left or right:
            before = max(0, (width - measure([piece])) // 2 - len(left))
            line: list[Piece] = [("", left + " " * before), piece]
            yield [*padded(line, width - len(right)), ("", right)] if right else line
    held = cards.crowned(laid.face) or [piece for _, pieces in cards.holds(laid.face) for piece in pieces]
    if held:
        yield held

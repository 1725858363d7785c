"""Text rendering of cards placed on a grid: squares as boxes with card, edge labels and pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics.boards import Graph

from . import area_board
from .laid_cards import LaidCards
from .lines import Line, Piece, clip, line_width, pad_line
from .scene import TextScene

#: Maximum side of a grid that is shown completely; of a larger one, only the part around the cards is shown.
WHOLE = 12


def draw(scene: TextScene, field: ir.Field, name: str, board: Graph) -> list[Line]:
    """Draw the grid of a layout."""
    cards = LaidCards(scene, field, board)
    by_area = {laid.area: laid for laid in cards.laid}

    def inside(area: int, title: str, width: int) -> Iterator[Line]:
        yield from area_board.box_content(scene, name, area, title, width)
        card = by_area.get(area, cards.previewed_card(name, area))
        if card is not None:
            yield from _card(cards, card, width)

    return area_board.draw(scene, _around(cards, board), inside)


def _around(cards: LaidCards, board: Graph) -> Graph:
    """Crop a large grid to the cards and one more row and column on each side."""
    if len(board.rows) <= WHOLE and max(map(len, board.rows)) <= WHOLE:
        return board
    spots = [board.spots[laid.area] for laid in cards.laid] or [board.spots[0]]
    (first_column, last_column), (low, high) = ((min(line) - 1, max(line) + 1) for line in zip(*spots, strict=True))
    shown = {
        area
        for area, (x, y) in zip(board.areas, board.spots, strict=True)
        if first_column <= x <= last_column and low <= y <= high
    }  # fmt: skip
    rows = (tuple(area for area in row if area in shown) for row in board.rows)
    return replace(board, rows=tuple(row for row in rows if row))


def _card(cards: LaidCards, laid: PlacedCard, width: int) -> Iterator[Line]:
    """Yield the lines of a card in its square: name with edge labels around it, and pieces."""
    north, north_east, east, south_east, south, south_west, west, north_west = cards.marks(laid)
    name = clip(cards.title(laid.face), max(1, width - len(west) - len(east) - (west != "") - (east != "")))
    rows = [(north_west, north, north_east), (west, "", east), (south_west, south, south_east)]
    for number, (left_mark, middle, right_mark) in enumerate(rows):
        piece: Piece = ("card", name) if number == 1 else ("", middle)
        if piece[1] or left_mark or right_mark:
            before = max(0, (width - line_width([piece])) // 2 - len(left_mark))
            line: list[Piece] = [("", left_mark + " " * before), piece]
            yield [*pad_line(line, width - len(right_mark)), ("", right_mark)] if right_mark else line
    if held := cards.pieces(laid.face):
        yield held

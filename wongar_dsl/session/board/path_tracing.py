"""Paths across placed cards: from a thing at a card's side, over the paths of its neighbours, to their end.

A path begins at a thing that the rules declare at a side, and continues over every card with a path there. The meaning
of paths is up to the rules of each game; numbers on them are reported but not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side, Trail, sides


@dataclass(frozen=True, slots=True)
class CardCrossing:
    """Card that a path crosses: its area, its face, and the number of the path (or 0)."""

    area: int
    card: int
    number: int


@dataclass(frozen=True, slots=True)
class TracedPath:
    """Path across cards: its first area and card, the thing there, and the direction in which it leaves.

    `crossed` are the cards that it crosses, `end` is the face of the card at which it ends; None if no card lies there.
    """

    area: int
    card: int
    thing: EdgeThing
    direction: int
    crossed: tuple[CardCrossing, ...]
    end: int | None

    @property
    def areas(self) -> tuple[int, ...]:
        """The areas from the start to the last crossed card."""
        return (self.area, *(crossing.area for crossing in self.crossed))


def trace_paths(model: Model, sort: Type, laid: Sequence[PlacedCard], board: Graph) -> Iterator[TracedPath]:
    """Yield all paths over the cards of a layout of `sort` on `board`, card by card, clockwise."""
    cards = {card.area: card for card in laid}
    card_sides = {card.area: sides(model, sort, card.face, board.directions) for card in laid}
    for card in laid:
        for direction in range(board.directions):
            side = card_sides[card.area][(direction - card.turned) % board.directions]
            if isinstance(side, EdgeThing):
                crossed, end = _follow(cards, card_sides, board, card.area, direction)
                yield TracedPath(card.area, card.face, side, direction, crossed, end)


def _follow(
    cards: Mapping[int, PlacedCard], card_sides: Mapping[int, Sequence[Side]], board: Graph, area: int, direction: int
) -> tuple[tuple[CardCrossing, ...], int | None]:
    """Return the cards crossed after leaving an area in a direction, and the card where the path ends."""
    crossed: dict[tuple[int, int], CardCrossing] = {}
    directions = board.directions
    while True:
        area = board.steps[area][direction]
        if area not in cards:
            return tuple(crossed.values()), None
        card = cards[area]
        arrival = (direction + directions // 2 - card.turned) % directions
        side = card_sides[area][arrival]
        # A repeated crossing is a cycle.
        if not isinstance(side, Trail) or (area, arrival) in crossed:
            return tuple(crossed.values()), card.face
        crossed[area, arrival] = CardCrossing(area, card.face, side.number)
        direction = (side.other + card.turned) % directions

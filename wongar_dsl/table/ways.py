"""Where the ways over laid cards lead: from a thing at a card's side, over the paths of its neighbours, to their end.

A way begins where the rules declare a thing at a side, and goes on over every card that declares a path there.  What a
way is good for, and who may take it, is a matter of the rules of a game, and nothing is said of it here: a number on a
path is told, and not compared with anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.ir.containers import Laid
from wongar_dsl.model import Model, Type
from wongar_dsl.model.boards import Graph
from wongar_dsl.pictures.sides import Side, Thing, Trail, sides


@dataclass(frozen=True, slots=True)
class Crossing:
    """A card that a way goes across: the area where it lies, its face, and the number of the path (or 0)."""

    area: int
    card: int
    number: int


@dataclass(frozen=True, slots=True)
class Way:
    """A way: the area and the card where it begins, the thing there and the direction in which it leaves, the cards
    that it crosses, and the card at which it ends; None where no card lies."""

    area: int
    card: int
    thing: Thing
    direction: int
    crossed: tuple[Crossing, ...]
    end: int | None

    @property
    def areas(self) -> tuple[int, ...]:
        """The areas from its beginning to the last card that it crosses."""
        return (self.area, *(crossing.area for crossing in self.crossed))


def ways(model: Model, sort: Type, laid: Sequence[Laid], board: Graph) -> Iterator[Way]:
    """All ways over the cards of a layout of `sort` on `board`: card by card, clockwise."""
    cards = {card.area: card for card in laid}
    borne = {card.area: sides(model, sort, card.face, board.directions) for card in laid}
    for card in laid:
        for direction in range(board.directions):
            side = borne[card.area][(direction - card.turned) % board.directions]
            if isinstance(side, Thing):
                crossed, end = _followed(cards, borne, board, card.area, direction)
                yield Way(card.area, card.face, side, direction, crossed, end)


def _followed(
    cards: Mapping[int, Laid], borne: Mapping[int, Sequence[Side]], board: Graph, area: int, direction: int
) -> tuple[tuple[Crossing, ...], int | None]:
    """The cards that are crossed by who leaves an area in a direction, and the card where that ends."""
    crossed: dict[tuple[int, int], Crossing] = {}
    directions = board.directions
    while True:
        area = board.steps[area][direction]
        if area not in cards:
            return tuple(crossed.values()), None
        card = cards[area]
        arrival = (direction + directions // 2 - card.turned) % directions
        side = borne[area][arrival]
        # Who comes the same way again would go round for ever.
        if not isinstance(side, Trail) or (area, arrival) in crossed:
            return tuple(crossed.values()), card.face
        crossed[area, arrival] = Crossing(area, card.face, side.number)
        direction = (side.other + card.turned) % directions

"""Cards that lie on a lattice: where they lie, what stands at their sides, and what lies on them."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import Laid, container
from wongar_dsl.model import Type
from wongar_dsl.model.boards import Graph
from wongar_dsl.pictures import sides

from ..terminal.screen import Piece, measure, seat_style
from .scene import Scene

PLAYER = Type("player")
#: What paths are called; no card has more sides than twice as many.
LETTERS = "abcdefgh"


def mark(side: sides.Side) -> str:
    """What stands at a side: for a path its letter and its number, for a thing which of its enumeration it is."""
    if isinstance(side, sides.Trail):
        return LETTERS[side.path] + (str(side.number) if side.number else "")
    return str(side.value + 1) if side is not None else ""


class LaidCards:
    """The cards of one layout, as the picture of its board asks for them."""

    def __init__(self, scene: Scene, place: ir.Field, board: Graph) -> None:
        self.scene, self.model, self.place, self.board = scene, scene.state.game.model, place, board
        zone = container(place)
        self.laid: tuple[Laid, ...] = zone.laid(scene.state.cells, place.base, place.width) if zone is not None else ()

    def tried(self, board: str, area: int) -> Laid | None:
        """The card that the option at hand would lay into an area of a board, as it would lie there."""
        aim = self.scene.laying
        there = aim is not None and (aim.board, aim.area, aim.zone) == (board, area, self.place.name)
        return aim.laid if aim is not None and there else None

    def parts(self, number: int) -> list[tuple[Type, int]]:
        """What a card is: its own sort, and what its parameters say."""
        return sides.parts(self.model, self.place.type, number)

    def marks(self, card: Laid) -> list[str]:
        """What stands at the card's sides, in the order of the board's directions: for a path a letter at both of its
        ends with its number, for a thing which of its enumeration it is."""
        found = sides.sides(self.model, self.place.type, card.face, self.board.directions)
        return [mark(found[(direction - card.turned) % len(found)]) for direction in range(len(found))]

    def title(self, number: int) -> str:
        """The card's short name, and its numbers."""
        worth = sides.worth(self.model, self.place.type, number)
        return " ".join([self.scene.short(self.place.type, number), *(str(n) for _, n in worth)])

    def full_name(self, number: int) -> str:
        """The card's name: where it is one of its attribute, that one's at full length."""
        parts = self.parts(number)
        if len(parts) == 2:
            return self.scene.narrator.term(self.model.value_name(*parts[1]))
        return self.scene.short(self.place.type, number)

    def full_title(self, number: int) -> str:
        """The card's name, and its numbers."""
        worth = sides.worth(self.model, self.place.type, number)
        return " ".join([self.full_name(number), *(str(n) for _, n in worth)])

    def parts_of(self, zone: ir.Field) -> Iterator[int]:
        """The cards that have something in this zone's copies: those whose sort or attribute tells the copies apart."""
        yield from (laid.face for laid in self.laid for kind, _ in self.parts(laid.face) if zone.indices[0] == kind)

    def owners(self, number: int, part: sides.Thing) -> set[int]:
        """Who has pieces on a part of a card."""
        found = set()
        for kind, value in self.parts(number):
            for place in self.scene.places:
                if place.kind == "tokens" and place.indices == (kind, part.kind, PLAYER):
                    seats = range(place.sizes[2])
                    found |= {p for p in seats if self.scene.size(place, place.at(value, part.value, p))}
        return found

    def holds(self, number: int) -> list[tuple[int, list[Piece]]]:
        """The parts of a card on which pieces lie, by number: a letter for each piece, a dot for each free place."""
        found = []
        for kind, value in self.parts(number):
            for place in self.scene.places:
                by_part = len(place.indices) == 3 and place.indices[0] == kind and place.indices[2] == PLAYER
                if place.kind == "tokens" and by_part:
                    found += list(self._held(place, value))
        return found

    def _held(self, place: ir.Field, value: int) -> Iterator[tuple[int, list[Piece]]]:
        rooms = sides.rooms_in(self.model, place.indices[:2], value)
        for part in range(place.sizes[1]):
            room = rooms[part] if rooms else 0
            pieces: list[Piece] = []
            known = all(self.scene.sized(place, (value, part, seat)) for seat in range(place.sizes[2]))
            for seat in range(place.sizes[2]):
                at = place.at(value, part, seat)
                count = self.scene.size(place, at)
                if count:
                    pieces.append((seat_style(seat), self.scene.letters[seat] * count))
            free = room - measure(pieces) if known else 0
            if room or pieces:
                yield part, [*pieces, ("faint", self.scene.sign("·", ".") * max(0, free))]

    def crowned(self, number: int) -> list[Piece]:
        """Pieces that lie on the card itself."""
        found: list[Piece] = []
        for kind, value in self.parts(number):
            for place in self.scene.places:
                if place.kind == "tokens" and place.indices == (kind, PLAYER):
                    for (index, seat), at in copies(place):
                        count = self.scene.size(place, at)
                        if index == value and count:
                            mark = self.scene.sign("♔", "^") + self.scene.letters[seat] * count
                            found.append((seat_style(seat), mark))
        return found

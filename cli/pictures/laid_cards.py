"""Cards that lie on a lattice: where they lie, what stands at their sides, and what lies on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import Laid, container
from wongar_dsl.model import TableData, Type
from wongar_dsl.model.boards import Graph

from ..terminal.screen import Piece, measure, seat_style
from .scene import Scene

PLAYER = Type("player")


def layout_on(scene: Scene, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    zones = scene.state.game.model.declared.zones
    return next((place for place in scene.places if place.name in zones and zones[place.name].board == name), None)


class LaidCards:
    """The cards of one layout, as the picture of its board asks for them."""

    def __init__(self, scene: Scene, place: ir.Field, board: Graph) -> None:
        self.scene, self.model, self.place, self.board = scene, scene.state.game.model, place, board
        zone = container(place)
        self.laid: tuple[Laid, ...] = zone.laid(scene.state.cells, place.base, place.width) if zone is not None else ()

    def parts(self, number: int) -> list[tuple[Type, int]]:
        """What a card is: its own sort, and what its parameters say."""
        sort = self.model.cards[self.place.type.name]
        known = [(kind, values[number]) for kind, values in sort.attributes.values() if values[number] >= 0]
        return [(self.place.type, number), *known]

    def tables(self, keys: int) -> Iterator[tuple[str, TableData]]:
        """The tables with a number of keys."""
        yield from ((n, t) for n, t in self.model.tables.items() if len(t.keys) == keys)

    def marks(self, card: Laid) -> list[str]:
        """What stands at the card's sides, in the order of the board's directions."""
        sides = [""] * self.board.directions
        paths = self.model.declared.paths
        numbers = {declared.numbers for declared in paths.values()}
        for kind, value in self.parts(card.face):
            for name, table in self.tables(2):
                if table.keys[0] != kind or table.keys[1].kind != "number" or table.sizes[1] > len(sides):
                    continue
                row = table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]]
                if name in paths:
                    number = paths[name].numbers
                    sides = self._trails(row, self.model.tables[number] if number else None, value, sides)
                elif name not in numbers:
                    # Enumerated things at the sides, such as what a way begins at.
                    sides = [old or (str(cell + 1) if cell >= 0 else "") for old, cell in zip(sides, row, strict=False)]
        return [sides[(direction - card.turned) % len(sides)] for direction in range(len(sides))]

    @staticmethod
    def _trails(row: Sequence[int], numbers: TableData | None, value: int, sides: list[str]) -> list[str]:
        """A letter for each path, at both of its ends, with the path's number."""
        result, letters = list(sides), iter("abcdefgh")
        for side, other in enumerate(row):
            if other > side:
                number = numbers.cells[value * numbers.sizes[1] + side] if numbers is not None else 0
                result[side] = result[other] = next(letters) + (str(number) if number else "")
        return result

    def title(self, number: int) -> str:
        """The card's name, and its numbers."""
        worth = [
            str(table.cells[value])
            for kind, value in self.parts(number)
            for _, table in self.tables(1)
            if table.keys[0] == kind and table.value.kind == "number"
        ]
        return " ".join([self.scene.narrator.short(self.place.type, number), *worth])

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
        rooms = next((t for _, t in self.tables(2) if t.keys == place.indices[:2] and t.value.kind == "number"), None)
        for part in range(place.sizes[1]):
            room = rooms.cells[value * place.sizes[1] + part] if rooms is not None else 0
            pieces: list[Piece] = []
            for seat in range(place.sizes[2]):
                at = place.at(value, part, seat)
                count = self.scene.size(place, at)
                if count:
                    pieces.append((seat_style(seat), self.scene.letters[seat] * count))
            free = room - measure(pieces)
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
                            mark = self.scene.sign("♔", "*") + self.scene.letters[seat] * count
                            found.append((seat_style(seat), mark))
        return found

"""Cards placed on a lattice: their positions, edges and pieces."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.session.board.scene import FieldCopy

from .lines import Piece, line_width, seat_style
from .scene import TextScene

#: Letters of paths; a card has at most twice as many edges.
LETTERS = "abcdefgh"


def mark(side: card_data.Side) -> str:
    """Return the label of an edge: letter and number of a trail, or the number of a thing in its enumeration."""
    if isinstance(side, card_data.Trail):
        return LETTERS[side.path] + (str(side.number) if side.number else "")
    return str(side.value + 1) if side is not None else ""


class LaidCards:
    """The placed cards of one layout, for drawing its board."""

    def __init__(self, scene: TextScene, field: ir.Field, board: Graph) -> None:
        self.scene, self.model, self.field, self.board = scene, scene.state.game.model, field, board
        self.laid = scene.placed_cards(field)

    def previewed_card(self, board: str, area: int) -> PlacedCard | None:
        """Return the card that the current option would place into an area, in its orientation."""
        aim = self.scene.placement
        matches = aim is not None and (aim.board, aim.area, aim.zone) == (board, area, self.field.name)
        return aim.laid if aim is not None and matches else None

    def card_keys(self, number: int) -> list[tuple[Type, int]]:
        """See `card_data.card_keys`."""
        return card_data.card_keys(self.model, self.field.type, number)

    def marks(self, card: PlacedCard) -> list[str]:
        """Return the edge labels of a card in the order of the board's directions."""
        edges = card_data.sides(self.model, self.field.type, card.face, self.board.directions)
        return [mark(edges[(direction - card.turned) % len(edges)]) for direction in range(len(edges))]

    def title(self, number: int) -> str:
        """Return the short name of a card and its numbers."""
        worth = card_data.card_numbers(self.model, self.field.type, number)
        return " ".join([self.scene.short(self.field.type, number), *(str(n) for _, n in worth)])

    def full_name(self, number: int) -> str:
        """Return the name of a card; for a card that is one of its attribute, the full name of the attribute."""
        parts = self.card_keys(number)
        if len(parts) == 2:
            return self.scene.narrator.term(self.model.value_name(*parts[1]))
        return self.scene.short(self.field.type, number)

    def full_title(self, number: int) -> str:
        """Return the name of a card and its numbers."""
        worth = card_data.card_numbers(self.model, self.field.type, number)
        return " ".join([self.full_name(number), *(str(n) for _, n in worth)])

    def cards_with(self, zone: ir.Field) -> Iterator[int]:
        """Yield the cards with contents in a zone that is indexed by their kind or attribute."""
        yield from (laid.face for laid in self.laid for kind, _ in self.card_keys(laid.face) if zone.indices[0] == kind)

    def owners(self, number: int, part: card_data.EdgeThing) -> set[int]:
        """Return the seats that have pieces on a part of a card."""
        seats_with_pieces = set()
        for kind, value in self.card_keys(number):
            for place in self.scene.pieces_of_cards:
                if place.indices == (kind, part.kind, PLAYER):
                    seats = range(place.sizes[2])
                    seats_with_pieces |= {p for p in seats if self.scene.size(FieldCopy(place, (value, part.value, p)))}
        return seats_with_pieces

    def occupied_parts(self, number: int) -> list[tuple[int, list[Piece]]]:
        """Return the parts of a card that hold pieces: a letter for each piece, a dot for each free place."""
        parts = []
        for kind, value in self.card_keys(number):
            for place in self.scene.pieces_of_cards:
                if len(place.indices) == 3 and place.indices[0] == kind:
                    parts += list(self._held(place, value))
        return parts

    def _held(self, field: ir.Field, value: int) -> Iterator[tuple[int, list[Piece]]]:
        rooms = card_data.part_capacities(self.model, field.indices[:2], value)
        for part in range(field.sizes[1]):
            room = rooms[part] if rooms else 0
            pieces: list[Piece] = []
            by_seat = [FieldCopy(field, (value, part, seat)) for seat in range(field.sizes[2])]
            counts_known = all(map(self.scene.knows_size, by_seat))
            for seat, count in enumerate(map(self.scene.size, by_seat)):
                if count:
                    pieces.append((seat_style(seat), self.scene.letters[seat] * count))
            free = room - line_width(pieces) if counts_known else 0
            if room or pieces:
                yield part, [*pieces, ("faint", self.scene.sign("·", ".") * max(0, free))]

    def pieces(self, number: int) -> list[Piece]:
        """Return the pieces on the card itself or, if there are none, those on its parts."""
        return self.pieces_on_card(number) or [piece for _, held in self.occupied_parts(number) for piece in held]

    def pieces_on_card(self, number: int) -> list[Piece]:
        """Return the pieces on the card itself."""
        pieces: list[Piece] = []
        for kind, value in self.card_keys(number):
            for place in self.scene.pieces_of_cards:
                if place.indices == (kind, PLAYER):
                    for seat in range(place.sizes[1]):
                        if count := self.scene.size(FieldCopy(place, (value, seat))):
                            mark = self.scene.sign("♔", "^") + self.scene.letters[seat] * count
                            pieces.append((seat_style(seat), mark))
        return pieces

"""Cards that lie on hexagons, as a map that grows: the cards with what their sides bear, and below what is on them.

What is known of a card comes from the rules: tables and paths by its sides, tables and zones by what it is.  The map is
drawn large where there is room, else small, and where that is too wide, the part in which something can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.model import TableData, Type
from wongar_dsl.model.boards import Graph
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, clipped, measure, seat_style
from .scene import Scene

LARGE, SMALL = 16, 10
PLAYER = Type("player")


@dataclass(frozen=True)
class Card:
    """A card on the map: its number, its column and row, and by how many sides it is turned."""

    number: int
    column: int
    row: int
    turned: int


def layout_on(scene: Scene, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    for place in scene.places:
        article = scene.state.game.model.articles.get(("zone", place.name))
        if place.kind == "layout" and isinstance(article, s.Zone) and article.board and article.board.text == name:
            return place
    return None


def draw(scene: Scene, name: str, board: Graph) -> list[Line]:
    """The map as lines."""
    place = layout_on(scene, name)
    assert place is not None
    return _Map(scene, place, board).lines()


class _Map:
    def __init__(self, scene: Scene, place: ir.Field, board: Graph) -> None:
        self.scene, self.model, self.place = scene, scene.state.game.model, place
        self.cards = []
        cells = scene.state.cells
        for number in range((place.width - 1) // 2):
            area, turned = cells[place.base + 1 + 2 * number : place.base + 3 + 2 * number]
            if area:
                x, y = board.spots[area - 1]
                # Doubled columns: a step along a row is 2, a step to the row above or below 1.
                self.cards.append(Card(number, 2 * x + y, y, turned))

    # ---- what a card is ----

    def parts(self, number: int) -> list[tuple[Type, int]]:
        """What a card is: its own sort, and what its parameters say."""
        sort = self.model.cards[self.place.type.name]
        known = [(kind, values[number]) for kind, values in sort.attributes.values() if values[number] >= 0]
        return [(self.place.type, number), *known]

    def tables(self, keys: int) -> Iterator[tuple[str, TableData]]:
        """The tables with a number of keys."""
        yield from ((n, t) for n, t in self.model.tables.items() if len(t.keys) == keys)

    def marks(self, card: Card) -> list[str]:
        """What stands at the card's sides, from the north-east clockwise."""
        sides = [""] * 6
        paths = {a.name.text: a for a in self.model.of_sort("paths") if isinstance(a, s.Paths)}
        numbers = {a.number.text for a in paths.values() if a.number is not None}
        for kind, value in self.parts(card.number):
            for name, table in self.tables(2):
                if table.keys[0] != kind or table.keys[1].kind != "number" or table.sizes[1] > 6:
                    continue
                row = table.cells[value * table.sizes[1] : (value + 1) * table.sizes[1]]
                if name in paths:
                    number = paths[name].number
                    sides = self._trails(row, self.model.tables[number.text] if number else None, value, sides)
                elif name not in numbers:
                    # Enumerated things at the sides, such as what a way begins at.
                    sides = [old or (str(cell + 1) if cell >= 0 else "") for old, cell in zip(sides, row, strict=False)]
        return [sides[(direction - card.turned) % 6] for direction in range(6)]

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
                at = place.base + ((value * place.sizes[1] + part) * place.sizes[2] + seat) * place.width
                count = sum(self.scene.state.cells[at : at + place.width])
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
                        count = sum(self.scene.state.cells[at : at + place.width])
                        if index == value and count:
                            mark = self.scene.sign("♔", "*") + self.scene.letters[seat] * count
                            found.append((seat_style(seat), mark))
        return found

    # ---- the map ----

    def lines(self) -> list[Line]:
        """The map, and what lies where."""
        if not self.cards:
            return []
        columns = [card.column for card in self.cards]
        left, right = min(columns), max(columns)
        for wide in (LARGE, SMALL):
            if (right - left + 2) * wide // 2 < self.scene.width:
                break
        else:
            left, right = self._window(2 * ((self.scene.width - 1) // wide) - 1)
        shown = [card for card in self.cards if left <= card.column <= right]
        result: list[Line] = []
        for row in range(max(c.row for c in self.cards), min(c.row for c in self.cards) - 1, -1):
            cards = sorted((c for c in shown if c.row == row), key=lambda c: c.column)
            blocks = [(c, self._large(c) if wide == LARGE else self._small(c)) for c in cards]
            for i in range(max((len(b) for _, b in blocks), default=0)):
                line: list[Piece] = []
                for card, block in blocks:
                    gap = (card.column - left) * wide // 2 - measure(line)
                    line += [("", " " * gap), *(block[i] if i < len(block) else [("", "")])]
                result.append(line)
        away = len(self.cards) - len(shown)
        if away:
            result.append([("faint", f"… +{away}" if self.scene.unicode else f"... +{away}")])
        return [*result, *self._list()]

    def _window(self, room: int) -> tuple[int, int]:
        """The columns to show where there is no room for all: those with most that can be done."""
        busy = self._busy()
        weight = [(c.column, 20 if c.number in busy else 1) for c in self.cards]
        starts = range(min(c for c, _ in weight), max(c for c, _ in weight) + 1)
        best = max(starts, key=lambda left: (sum(w for c, w in weight if left <= c < left + room), -left))
        return best, best + room - 1

    def _busy(self) -> set[int]:
        """The cards that the options speak of."""
        state = self.scene.state
        decision = state.decision
        if decision is None or state.seat != self.scene.viewer:
            return set()
        named = {
            (kind, argument)
            for move in state.legal_moves()
            for (_, kind), argument in zip(decision.options[move.option].parameters, move.arguments, strict=True)
        }
        return {c.number for c in self.cards if named & set(self.parts(c.number))}

    def _large(self, card: Card) -> list[Line]:
        """A card in lines of 16 cells: its sides around its name, and the pieces on it."""
        ne, e, se, sw, w, nw = self.marks(card)
        held = [pieces for _, pieces in self.holds(card.number)]
        bar: Piece = ("faint", "|")
        rows = []
        for k in range(0, len(held), 3):
            row: list[Piece] = []
            for pieces in held[k : k + 3]:
                row += [*([bar] if row else []), *pieces]
            rows.append(row)
        crown = self.crowned(card.number)
        if crown:
            rows = [crown]
        name = clipped(self.title(card.number), 10)
        style = "strong" if held else "card"
        before = (10 - cells_of(name)) // 2
        middle: list[Piece] = [
            ("", f"{w:>2}"), ("faint", "-" if w else " "), (style, pad(" " * before + name, 10)),
            ("faint", "-" if e else " "), ("", f"{e:<2}"),
        ]  # fmt: skip
        return [
            self._edge(nw, "\\", ne, "/"),
            middle,
            *(self._centred(row, LARGE) for row in rows),
            self._edge(sw, "/", se, "\\"),
        ]

    @staticmethod
    def _edge(left: str, first: str, right: str, second: str) -> Line:
        """The upper or lower sides of a card."""
        return [
            ("", f"   {left:>2}"), ("faint", first if left else " "), ("", "    "),
            ("faint", second if right else " "), ("", f"{right:<2}   "),
        ]  # fmt: skip

    @staticmethod
    def _centred(row: Line, wide: int) -> Line:
        before = max(0, (wide - measure(row)) // 2)
        return [("", " " * before), *row, ("", " " * max(0, wide - before - measure(row)))]

    def _small(self, card: Card) -> list[Line]:
        """A card in three lines of 10 cells."""
        ne, e, se, sw, w, nw = self.marks(card)
        name = self.scene.narrator.short(self.place.type, card.number)
        style = "strong" if self.holds(card.number) else "card"
        return [
            self._corner(nw, "\\", ne, "/"),
            [("", f"{w:>2}"), (style, pad(clipped(name, 6), 6)), ("", f"{e:<2}")],
            self._corner(sw, "/", se, "\\"),
        ]

    @staticmethod
    def _corner(left: str, first: str, right: str, second: str) -> Line:
        return [
            ("", f" {left:>2}"), ("faint", first if left else " "), ("", "  "),
            ("faint", second if right else " "), ("", f"{right:<2} "),
        ]  # fmt: skip

    # ---- the list below ----

    def _list(self) -> list[Line]:
        """Every card that can hold pieces: its parts with what lies there."""
        holding = [(c, self.holds(c.number)) for c in sorted(self.cards, key=lambda c: (-c.row, c.column))]
        widest = [0] * max((1 + part for _, held in holding for part, _ in held), default=0)
        for _, held in holding:
            for part, pieces in held:
                # Those on the far right hold nobody up.
                widest[part] = max(widest[part], measure(pieces)) if part < 2 else 0
        rows: list[tuple[str, Line]] = []
        for card, held in holding:
            parts: list[Piece] = []
            for part, pieces in held:
                fill = " " * (widest[part] - measure(pieces))
                parts += [("faint", f"{part + 1} "), *pieces, ("", fill + "  ")]
            crown = self.crowned(card.number)
            if crown:
                parts = list(crown)
            if parts:
                rows.append((self.title(card.number), parts))
        room = max((cells_of(title) for title, _ in rows), default=0)
        lines: list[Line] = [[("strong", pad(title, room)), ("", "  "), *parts] for title, parts in rows]
        # Two beside each other where there is room.
        half = (self.scene.width - 3) // 2
        result: list[Line] = []
        alone = False
        for line in lines:
            if alone and measure(result[-1]) <= half and measure(line) <= half:
                result[-1] = [*result[-1], ("", " " * (half + 2 - measure(result[-1]))), *line]
                alone = False
            else:
                result.append(line)
                alone = True
        return result

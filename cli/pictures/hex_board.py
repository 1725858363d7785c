"""Cards that lie on hexagons, as a map that grows: the cards with what their sides bear, and below what is on them.

What is known of a card comes from the rules: tables and paths by its sides, tables and zones by what it is.  The map is
drawn large where there is room, else small, and where that is too wide, the part in which something can be done.
"""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.ir.containers import Laid
from wongar_dsl.model import Type
from wongar_dsl.model.boards import Graph
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, clipped, measure
from .laid_cards import LaidCards
from .scene import Scene

LARGE, SMALL = 16, 10
PLAYER = Type("player")


@dataclass(frozen=True)
class Card:
    """A card on the map: its column, in halves of a card, its row from the top, and what it is."""

    laid: Laid
    column: int
    row: int

    @property
    def number(self) -> int:
        """Which card it is."""
        return self.laid.face


def draw(scene: Scene, place: ir.Field, board: Graph) -> list[Line]:
    """The map of a layout as lines."""
    return _Map(scene, place, board).lines()


class _Map(LaidCards):
    def __init__(self, scene: Scene, place: ir.Field, board: Graph) -> None:
        super().__init__(scene, place, board)
        self.cards = []
        places = board.places
        for laid in self.laid:
            # A step along a row is 2 columns, a step to the row above or below 1.
            self.cards.append(Card(laid, *places[laid.area]))

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
        for row in range(min(c.row for c in self.cards), max(c.row for c in self.cards) + 1):
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
        ne, e, se, sw, w, nw = self.marks(card.laid)
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
            self._edge(nw, "\\", ne, "/", 3, 4),
            middle,
            *(self._centred(row, LARGE) for row in rows),
            self._edge(sw, "/", se, "\\", 3, 4),
        ]

    @staticmethod
    def _edge(left: str, first: str, right: str, second: str, around: int, between: int) -> Line:
        """The upper or lower sides of a card, with so many cells around and between."""
        return [
            ("", f"{left:>{around + 2}}"), ("faint", first if left else " "), ("", " " * between),
            ("faint", second if right else " "), ("", f"{right:<{around + 2}}"),
        ]  # fmt: skip

    @staticmethod
    def _centred(row: Line, wide: int) -> Line:
        before = max(0, (wide - measure(row)) // 2)
        return [("", " " * before), *row, ("", " " * max(0, wide - before - measure(row)))]

    def _small(self, card: Card) -> list[Line]:
        """A card in three lines of 10 cells."""
        ne, e, se, sw, w, nw = self.marks(card.laid)
        name = self.scene.narrator.short(self.place.type, card.number)
        style = "strong" if self.holds(card.number) else "card"
        return [
            self._edge(nw, "\\", ne, "/", 1, 2),
            [("", f"{w:>2}"), (style, pad(clipped(name, 6), 6)), ("", f"{e:<2}")],
            self._edge(sw, "/", se, "\\", 1, 2),
        ]

    # ---- the list below ----

    def _list(self) -> list[Line]:
        """Every card that can hold pieces: its parts with what lies there."""
        holding = [(c, self.holds(c.number)) for c in sorted(self.cards, key=lambda c: (c.row, c.column))]
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

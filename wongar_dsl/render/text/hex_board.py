"""Text rendering of cards placed on hexagons, as a growing map: cards with their edges, and pieces listed below.

The content of a card comes from the rules: lookup tables and paths keyed by its edges, tables and zones keyed by its
kind. The map is drawn as large as possible. If even the smallest is too wide, only the part with the most options is
drawn. Where a card can be placed, the empty cell shows option numbers, and the card in its orientation is shown above
the map.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.base.text.width import pad
from wongar_dsl.base.text.width import width as cells_of
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics.boards import Graph

from . import area_board
from .laid_cards import LaidCards
from .lines import Line, Piece, line_text, line_width, pad_line
from .scene import TextScene


@dataclass(frozen=True)
class CardSize:
    """Size of cards: cells from one card to the next (the last stays free), and whether it shows pieces."""

    pitch: int
    large: bool

    @property
    def room(self) -> int:
        """The width of a card in cells."""
        return self.pitch - 1


#: Area of a card that is not placed yet.
NOWHERE = -1
#: Minimum cells of a name: two letters, brackets and a star.
MIN_NAME_CELLS = 5
SIZES = (CardSize(18, True), CardSize(16, True), CardSize(12, False), CardSize(10, False))


@dataclass(frozen=True)
class HexCell:
    """A hexagon of the map: area, column in half cards, row from the top.

    It holds the placed card (`laid`), or the option numbers for placing one there and the card that the current option
    would place (`previewed`).
    """

    area: int
    column: int
    row: int
    laid: PlacedCard | None
    numbers: tuple[int, ...] = ()
    previewed: PlacedCard | None = None


def draw(scene: TextScene, field: ir.Field, name: str, board: Graph) -> list[Line]:
    """Draw the map of a layout, and the list below it."""
    return _HexMap(scene, field, name, board).lines()


def map_lines(scene: TextScene, field: ir.Field, name: str, board: Graph) -> list[Line]:
    """Draw the map of a layout without the list below it."""
    return _HexMap(scene, field, name, board).map_lines()


def card_lines(
    scene: TextScene, field: ir.Field, name: str, board: Graph, only: Container[tuple[str, int]] | None = None
) -> list[Line]:
    """Return the list below the map: all cards that can hold pieces, or those in the areas `only`."""
    return _HexMap(scene, field, name, board).card_lines(only)


def fits(scene: TextScene, field: ir.Field, name: str, board: Graph) -> bool:
    """Return whether the whole map fits the screen."""
    return _HexMap(scene, field, name, board).size() is not None


class _HexMap(LaidCards):
    def __init__(self, scene: TextScene, field: ir.Field, name: str, board: Graph) -> None:
        super().__init__(scene, field, board)
        self.name, self.spots = name, list[HexCell]()
        places = board.places
        lying = {laid.area for laid in self.laid}
        # A step along a row is 2 columns, a step to the row above or below is 1.
        self.spots += [HexCell(laid.area, *places[laid.area], laid) for laid in self.laid]
        for area, numbers in scene.numbers(name).items():
            if area not in lying:
                self.spots.append(HexCell(area, *places[area], None, tuple(numbers), self.previewed_card(name, area)))

    @property
    def cards(self) -> list[HexCell]:
        """The hexagons with placed cards."""
        return [spot for spot in self.spots if spot.laid is not None]

    # ---- map ----

    def lines(self) -> list[Line]:
        """Return the map and the list below it."""
        return [*self.map_lines(), *self.card_lines()]

    def map_lines(self) -> list[Line]:
        """Return the map alone."""
        if not self.spots:
            return []
        size, (first_column, last_column) = self.size(), self._ends()
        if size is None:
            per_row = (self.scene.width - 1) // SIZES[-1].pitch
            # If some cards are not shown, the others may be larger.
            size = next(size for size in SIZES if not size.large and size.pitch * per_row < self.scene.width)
            first_column, last_column = self._window(2 * per_row - 1)
        shown = [spot for spot in self.spots if first_column <= spot.column <= last_column]
        result: list[Line] = []
        for row in range(min(s.row for s in self.spots), max(s.row for s in self.spots) + 1):
            spots = sorted((s for s in self.spots if s.row == row), key=lambda s: s.column)
            all_blocks = [(s, self._block(s, size)) for s in spots]
            blocks = [(s, block) for s, block in all_blocks if s in shown]
            # The height of a row does not depend on which part of it is visible.
            for i in range(max((len(block) for _, block in all_blocks), default=0)):
                line: list[Piece] = []
                for spot, block in blocks:
                    gap = (spot.column - first_column) * size.pitch // 2 - line_width(line)
                    line += [("", " " * gap), *(pad_line(block[i], size.room) if i < len(block) else [("", "")])]
                result.append(line)
        omitted = len(self.spots) - len(shown)
        if omitted:
            result.append([("faint", self.scene.narrator.words.say("drawing.away", n=omitted))])
        orientations = list(self._placeable_cards(size))
        if self.scene.pointing and 0 < self.scene.height < len(orientations) + len(result):
            # The current option shows in its cell how the card would be placed.
            orientations = []
        return [*orientations, *result]

    def size(self) -> CardSize | None:
        """Return the size of the cards; None if there is no room for all of them."""
        first_column, last_column = self._ends()
        sizes = (size for size in SIZES if (last_column - first_column + 2) * size.pitch // 2 < self.scene.width)
        return next((size for size in sizes if not size.large or self._has_room_for_large_cards()), None)

    def _ends(self) -> tuple[int, int]:
        """Return the first and the last column."""
        columns = [spot.column for spot in self.spots] or [0]
        return min(columns), max(columns)

    def _has_room_for_large_cards(self) -> bool:
        """Return whether a map of large cards leaves room for the rest of the table."""
        rows = max(s.row for s in self.spots) - min(s.row for s in self.spots) + 1
        return not self.scene.height or rows * 4 <= self.scene.height

    def _window(self, room: int) -> tuple[int, int]:
        """Return the columns to show if not all fit: those with the most options that contain the focus."""
        busy = self._busy()
        weight = [(s.column, 20 if s.numbers or (s.laid and s.laid.face in busy) else 1) for s in self.spots]
        starts = range(min(c for c, _ in weight), max(c for c, _ in weight) + 1)
        best = max(starts, key=lambda start: (sum(w for c, w in weight if start <= c < start + room), -start))
        focused = [s.column for s in self.spots if (self.name, s.area) in self.scene.focus]
        seen = max(starts, key=lambda start: (sum(start <= c < start + room for c in focused), -abs(start - best)))
        return seen, seen + room - 1

    def _busy(self) -> set[int]:
        """Return the placed cards that the options refer to."""
        state = self.scene.state
        decision = state.decision
        if decision is None or state.seat != self.scene.viewer:
            return set()
        named = {
            (kind, argument)
            for move in self.scene.position.legal_moves()
            for (_, kind), argument in zip(decision.options[move.option].parameters, move.arguments, strict=True)
        }
        return {laid.face for laid in self.laid if named & set(self.card_keys(laid.face))}

    # ---- one hexagon ----

    def _block(self, spot: HexCell, size: CardSize) -> list[Line]:
        if spot.laid is not None:
            return self._card(spot.laid, size)
        texts = self._numbers(spot, size)
        if spot.previewed is not None:
            return self._card(spot.previewed, size, self._centred([("number", f"[{texts[0]}]")], size.room))
        highlight = self.scene.highlight(self.name, spot.area)
        before, behind = self.scene.brackets(highlight) if highlight else ("", "")
        shown = [f"{before}[{text}]{behind}" for text in texts]
        lines: list[Line] = [self._centred([(highlight or "number", text)], size.room) for text in shown]
        # Same height as a card that the option would place, so that nothing moves.
        return [[], *lines, *([[]] * (2 + size.large - len(lines)))]

    def _numbers(self, spot: HexCell, size: CardSize) -> list[str]:
        """Return the option numbers of an empty cell in lines, as many as fit."""
        texts = [""]
        for number in spot.numbers:
            joined = f"{texts[-1]}|{number}" if texts[-1] else str(number)
            if len(joined) + 4 > size.room and texts[-1]:
                texts.append(str(number))
            else:
                texts[-1] = joined
        most = 3 if size.large else 2
        if len(texts) > most:
            texts = [*texts[: most - 1], f"{texts[most - 1]}{self.scene.sign('…', '..')}"]
        return texts

    def _card(self, card: PlacedCard, size: CardSize, below: Line | None = None) -> list[Line]:
        """Return a card: edges around its name, and if there is room its pieces, or the line `below`."""
        ne, e, se, sw, w, nw = self.marks(card)
        style = "strong" if self.pieces(card.face) else "card"
        # A line separates a digit at an edge from the name on maps of every size.
        dash = self.scene.sign("─", "-")
        west, east = w and f"{w:>{2 if size.large else 1}}{dash}", e and f"{dash}{e:<{2 if size.large else 1}}"
        if (self.name, card.area) in self.scene.lit and size.room - len(west) - len(east) < MIN_NAME_CELLS:
            # The brackets of a highlighted name separate it from the edge labels too.
            west, east = w, e
        middle = self._middle(self._name(card, style, size, west, east), west, east, size.room)
        margin = size.room // 4 - 1 if size.large else (size.room - 4) // 4
        between = size.room - 2 * margin - 6
        on_card = [] if size.large else self.pieces_on_card(card.face)
        if line_width(on_card) > between:
            on_card = []
        upper = self._edge(nw, "\\", ne, "/", margin, self._centred([], between))
        lower = self._edge(sw, "/", se, "\\", margin, self._centred(on_card, between))
        if not size.large:
            return [upper, middle, lower]
        rows = [below] if below is not None else [self._centred(row, size.room) for row in self._pieces(card.face)]
        return [upper, middle, *rows, lower]

    def _name(self, card: PlacedCard, style: str, size: CardSize, west: str, east: str) -> Piece:
        """Return the longest name of a card that fits between the edge labels, otherwise a part of it."""
        room = size.room - len(west) - len(east)
        titles = [self.full_title(card.face), self.title(card.face)] if size.large else []
        titles.append(self.scene.short(self.field.type, card.face))
        for title in titles:
            piece = self.scene.marked_name(self.name, card.area, style, title)
            free = room - cells_of(piece[1])
            # A name that ends in a digit or a symbol needs a space before the line to the edge label.
            least = bool(east) and not (piece[1][-1:].isalpha() or piece[1][-1:] in "].")
            if free >= bool(west) + bool(east) or (free >= 0 and not least):
                return piece
        return self.scene.marked_name(self.name, card.area, style, titles[-1], max(1, room))

    @staticmethod
    def _middle(name: Piece, west: str, east: str, room: int) -> Line:
        """Return the line with the name, as centred as the edge labels allow."""
        wide = cells_of(name[1])
        first, last = len(west), max(len(west), room - len(east) - wide)
        first += bool(west) and first < last
        last -= bool(east) and first < last
        before = min(max((room - wide) // 2, first), last)
        line: list[Piece] = [("", west), ("", " " * (before - len(west))), name]
        return [*line, ("", " " * (room - len(east) - before - wide)), ("", east)]

    def _pieces(self, number: int) -> list[Line]:
        """Return the pieces on a card, three parts per line."""
        on_card = self.pieces_on_card(number)
        if on_card:
            return [on_card]
        bar: Piece = ("faint", "|")
        held = [pieces for _, pieces in self.occupied_parts(number)]
        rows: list[Line] = []
        for k in range(0, len(held), 3):
            row: list[Piece] = []
            for pieces in held[k : k + 3]:
                row += [*([bar] if row else []), *pieces]
            rows.append(row)
        return rows

    @staticmethod
    def _edge(left: str, first: str, right: str, second: str, margin: int, between: Line) -> Line:
        """Return the upper or lower edges of a card, with `margin` cells at the sides and a line between."""
        return [
            ("", f"{left:>{margin + 2}}"), ("faint", first if left else " "), *between,
            ("faint", second if right else " "), ("", f"{right:<{margin + 2}}"),
        ]  # fmt: skip

    @staticmethod
    def _centred(row: Line, wide: int) -> Line:
        before = max(0, (wide - line_width(row)) // 2)
        return [("", " " * before), *row, ("", " " * max(0, wide - before - line_width(row)))]

    # ---- cards to be placed ----

    def _placeable_cards(self, size: CardSize) -> Iterator[Line]:
        """Yield the cards that could be placed, in their orientation, with their option numbers."""
        numbers_by_orientation: dict[tuple[int, int], list[int]] = {}
        for move, aim in self.scene.aims.items():
            if aim.laid is not None and aim.zone == self.field.name:
                numbers_by_orientation.setdefault((aim.laid.face, aim.laid.turned), []).append(self.scene.offers[move])
        blocks: list[list[Line]] = []
        for (face, turned), numbers in sorted(numbers_by_orientation.items()):
            lines = self._card(PlacedCard(face, NOWHERE, turned), size)
            text = " ".join(f"[{n}]" for n in sorted(numbers))
            blocks.append([*lines, *([("number", part)] for part in _wrapped(text, size.room))])
        per_row = max(1, (self.scene.width - 1) // size.pitch)
        for first in range(0, len(blocks), per_row):
            row = blocks[first : first + per_row]
            for i in range(max(map(len, row))):
                line: list[Piece] = []
                for block in row:
                    line += [*pad_line(block[i] if i < len(block) else [], size.room), ("", " ")]
                yield line
        if blocks:
            yield [("faint", self.scene.sign("─", "-") * min(self.scene.width - 1, per_row * size.pitch))]

    # ---- list below the map ----

    def card_lines(self, only: Container[tuple[str, int]] | None = None) -> list[Line]:
        """Return the cards that can hold pieces, or those in the areas `only`, with the pieces on their parts."""
        cards = [s.laid for s in sorted(self.cards, key=lambda spot: (spot.row, spot.column)) if s.laid is not None]
        holding = [(c, self.occupied_parts(c.face)) for c in cards if only is None or (self.name, c.area) in only]
        widest = [0] * max((1 + part for _, held in holding for part, _ in held), default=0)
        for _, held in holding:
            for part, pieces in held:
                # The columns on the far right need no alignment.
                widest[part] = max(widest[part], line_width(pieces)) if part < 2 else 0
        rows: list[tuple[Piece, list[Line]]] = []
        for card, held in holding:
            on_card = self.pieces_on_card(card.face)
            parts: list[Line] = [[*on_card, ("", "  ")]] if on_card else []
            for part, pieces in held:
                # Free places do not matter on a card with pieces of its own.
                if not on_card or any(style != "faint" for style, _ in pieces):
                    fill = " " * (widest[part] - line_width(pieces))
                    parts.append([("faint", f"{part + 1} "), *pieces, ("", fill + "  ")])
            parts += self._other_things(card.area)
            if parts:
                rows.append((self.scene.marked_name(self.name, card.area, "strong", self.full_title(card.face)), parts))
        lying = {card.area for card in cards}
        for area, title in enumerate(self.scene.areas_in_use(self.name)):
            if area not in lying and (only is None or (self.name, area) in only):
                name = self.scene.narrator.words.capital(self.scene.narrator.term(title))
                if things := self._other_things(area):
                    rows.append((self.scene.marked_name(self.name, area, "strong", name), things))
        room = max((cells_of(title) for (_, title), _ in rows), default=0)
        blocks = [
            _filled([(style, pad(title, room)), ("", "  ")], parts, self.scene.width) for (style, title), parts in rows
        ]
        return _in_columns(blocks, self.scene.width)

    def _other_things(self, area: int) -> list[Line]:
        """Return the things in an area that are not on a card."""
        return [[*line, ("", " ")] for line in area_board.item_lines(self.scene, self.name, area)]


def _wrapped(text: str, room: int) -> list[str]:
    """Wrap the words of a text into lines."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _filled(start: Line, parts: Sequence[Line], width: int) -> list[Line]:
    """Return parts behind a title, wrapped below the first of them."""
    indent = line_width(start)
    lines: list[list[Piece]] = [[*start]]
    for part in parts:
        # Trailing spaces of a part may be cut.
        if line_width(lines[-1]) > indent and line_width(lines[-1]) + cells_of(line_text(part).rstrip()) > width:
            lines.append([("", " " * indent)])
        lines[-1] += part
    return [_trimmed(line) if line_width(line) > width else line for line in lines]


def _trimmed(line: Line) -> Line:
    """Remove a piece of spaces at the end of a line."""
    return line[:-1] if not line[-1][1].strip() else line


def _in_columns(blocks: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Join blocks of lines, two single-line blocks side by side where they fit."""
    half = (width - 3) // 2
    result: list[Line] = []
    alone = False
    for block in blocks:
        if len(block) > 1:
            result += block
            alone = False
            continue
        (line,) = block
        if alone and line_width(result[-1]) <= half and line_width(line) <= half:
            result[-1] = [*result[-1], ("", " " * (half + 2 - line_width(result[-1]))), *line]
            alone = False
        else:
            result.append(line)
            alone = True
    return result

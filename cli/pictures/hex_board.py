"""Cards that lie on hexagons, as a map that grows: the cards with what their sides bear, and below what is on them.

What is known of a card comes from the rules: tables and paths by its sides, tables and zones by what it is.  The map is
drawn as large as there is room, and where even the smallest is too wide, the part in which something can be done.
Where a card can be laid, the numbers of the options stand in the empty places, and the card as it would lie above.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.ir.containers import Laid
from wongar_dsl.model.boards import Graph
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, measure, padded, plain
from .laid_cards import LaidCards
from .scene import Scene


@dataclass(frozen=True)
class Size:
    """How large cards are: the cells from one to the next, of which the last stays free, and whether there is room for
    what lies on them."""

    pitch: int
    large: bool

    @property
    def room(self) -> int:
        """The cells that a card takes."""
        return self.pitch - 1


#: The area of a card that does not lie yet.
NOWHERE = -1
#: The cells that a name takes at least with what can stand around it: two letters, brackets and a star.
LEAST = 5
SIZES = (Size(18, True), Size(16, True), Size(12, False), Size(10, False))


@dataclass(frozen=True)
class Spot:
    """A hexagon of the map: its area, its column, in halves of a card, its row from the top, and what lies there, or
    the numbers of the options to lay something there, and what the option at hand would lay there."""

    area: int
    column: int
    row: int
    laid: Laid | None
    numbers: tuple[int, ...] = ()
    tried: Laid | None = None


def draw(scene: Scene, place: ir.Field, name: str, board: Graph) -> list[Line]:
    """The map of a layout as lines."""
    return _Map(scene, place, name, board).lines()


def mapped(scene: Scene, place: ir.Field, name: str, board: Graph) -> list[Line]:
    """The map of a layout without what is listed below it."""
    return _Map(scene, place, name, board).mapped()


def listed(
    scene: Scene, place: ir.Field, name: str, board: Graph, only: Container[tuple[str, int]] | None = None
) -> list[Line]:
    """What is listed below the map of a layout: every card that can hold pieces, or of these `only` some areas."""
    return _Map(scene, place, name, board).listed(only)


def fits(scene: Scene, place: ir.Field, name: str, board: Graph) -> bool:
    """Whether all of the map is drawn."""
    return _Map(scene, place, name, board).size() is not None


class _Map(LaidCards):
    def __init__(self, scene: Scene, place: ir.Field, name: str, board: Graph) -> None:
        super().__init__(scene, place, board)
        self.name, self.spots = name, list[Spot]()
        places = board.places
        lying = {laid.area for laid in self.laid}
        # A step along a row is 2 columns, a step to the row above or below 1.
        self.spots += [Spot(laid.area, *places[laid.area], laid) for laid in self.laid]
        for area, numbers in scene.numbers(name).items():
            if area not in lying:
                self.spots.append(Spot(area, *places[area], None, tuple(numbers), self.tried(name, area)))

    @property
    def cards(self) -> list[Spot]:
        """The hexagons on which cards lie."""
        return [spot for spot in self.spots if spot.laid is not None]

    # ---- the map ----

    def lines(self) -> list[Line]:
        """The map, and what lies where."""
        return [*self.mapped(), *self.listed()] if self.spots else []

    def mapped(self) -> list[Line]:
        """The map alone."""
        if not self.spots:
            return []
        size, (left, right) = self.size(), self._ends()
        if size is None:
            beside = (self.scene.width - 1) // SIZES[-1].pitch
            # Where some stay away, the others can as well be larger.
            size = next(size for size in SIZES if not size.large and size.pitch * beside < self.scene.width)
            left, right = self._window(2 * beside - 1)
        shown = [spot for spot in self.spots if left <= spot.column <= right]
        result: list[Line] = []
        for row in range(min(s.row for s in self.spots), max(s.row for s in self.spots) + 1):
            spots = sorted((s for s in self.spots if s.row == row), key=lambda s: s.column)
            all_blocks = [(s, self._block(s, size)) for s in spots]
            blocks = [(s, block) for s, block in all_blocks if s in shown]
            # A row is as high where a part of it is not seen.
            for i in range(max((len(block) for _, block in all_blocks), default=0)):
                line: list[Piece] = []
                for spot, block in blocks:
                    gap = (spot.column - left) * size.pitch // 2 - measure(line)
                    line += [("", " " * gap), *(padded(block[i], size.room) if i < len(block) else [("", "")])]
                result.append(line)
        away = len(self.spots) - len(shown)
        if away:
            result.append([("faint", self.scene.narrator.words.say("drawing.away", n=away))])
        ways = list(self._ways_to_lie(size))
        if self.scene.pointing and 0 < self.scene.height < len(ways) + len(result):
            # The option at hand shows in its place how the card would lie.
            ways = []
        return [*ways, *result]

    def size(self) -> Size | None:
        """How large the cards are drawn; None where there is no room for all of them."""
        left, right = self._ends()
        sizes = (size for size in SIZES if (right - left + 2) * size.pitch // 2 < self.scene.width)
        return next((size for size in sizes if not size.large or self._fits(size)), None)

    def _ends(self) -> tuple[int, int]:
        """The first and the last column."""
        columns = [spot.column for spot in self.spots] or [0]
        return min(columns), max(columns)

    def _fits(self, size: Size) -> bool:
        """Whether a map of large cards leaves some of the screen for the rest of the table."""
        rows = max(s.row for s in self.spots) - min(s.row for s in self.spots) + 1
        return not self.scene.height or rows * 4 <= self.scene.height

    def _window(self, room: int) -> tuple[int, int]:
        """The columns to show where there is no room for all: those with most that can be done, but not without what is
        to be seen now."""
        busy = self._busy()
        weight = [(s.column, 20 if s.numbers or (s.laid and s.laid.face in busy) else 1) for s in self.spots]
        starts = range(min(c for c, _ in weight), max(c for c, _ in weight) + 1)
        best = max(starts, key=lambda left: (sum(w for c, w in weight if left <= c < left + room), -left))
        wanted = [s.column for s in self.spots if (self.name, s.area) in self.scene.focus]
        seen = max(starts, key=lambda left: (sum(left <= c < left + room for c in wanted), -abs(left - best)))
        return seen, seen + room - 1

    def _busy(self) -> set[int]:
        """The cards that the options speak of."""
        state = self.scene.state
        decision = state.decision
        if decision is None or state.seat != self.scene.viewer:
            return set()
        named = {
            (kind, argument)
            for move in self.scene.position.legal_moves()
            for (_, kind), argument in zip(decision.options[move.option].parameters, move.arguments, strict=True)
        }
        return {laid.face for laid in self.laid if named & set(self.parts(laid.face))}

    # ---- a hexagon ----

    def _block(self, spot: Spot, size: Size) -> list[Line]:
        if spot.laid is not None:
            return self._card(spot.laid, size)
        texts = self._numbers(spot, size)
        if spot.tried is not None:
            return self._card(spot.tried, size, self._centred([("number", f"[{texts[0]}]")], size.room))
        highlight = self.scene.highlight(self.name, spot.area)
        before, behind = self.scene.brackets(highlight) if highlight else ("", "")
        shown = [f"{before}[{text}]{behind}" for text in texts]
        lines: list[Line] = [self._centred([(highlight or "number", text)], size.room) for text in shown]
        # As many as a card that is tried there, so that nothing moves.
        return [[], *lines, *([[]] * (2 + size.large - len(lines)))]

    def _numbers(self, spot: Spot, size: Size) -> list[str]:
        """The numbers of the options to lay something in a place, as many as there is room for, in lines."""
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

    def _card(self, card: Laid, size: Size, below: Line | None = None) -> list[Line]:
        """A card: its sides around its name, and where there is room the pieces on it, or what else is `below`."""
        ne, e, se, sw, w, nw = self.marks(card)
        held = self.crowned(card.face) or [piece for _, pieces in self.holds(card.face) for piece in pieces]
        style = "strong" if held else "card"
        # A figure at a side never looks like one of the name: there is a line between them on maps of every size.
        dash = self.scene.sign("─", "-")
        west, east = w and f"{w:>{2 if size.large else 1}}{dash}", e and f"{dash}{e:<{2 if size.large else 1}}"
        if (self.name, card.area) in self.scene.lit and size.room - len(west) - len(east) < LEAST:
            # Its brackets part the name from what stands beside it too.
            west, east = w, e
        middle = self._middle(self._name(card, style, size, west, east), west, east, size.room)
        around = size.room // 4 - 1 if size.large else (size.room - 4) // 4
        between = size.room - 2 * around - 6
        crown = [] if size.large or measure(self.crowned(card.face)) > between else self.crowned(card.face)
        upper = self._edge(nw, "\\", ne, "/", around, self._centred([], between))
        lower = self._edge(sw, "/", se, "\\", around, self._centred(crown, between))
        if not size.large:
            return [upper, middle, lower]
        rows = [below] if below is not None else [self._centred(row, size.room) for row in self._pieces(card.face)]
        return [upper, middle, *rows, lower]

    def _name(self, card: Laid, style: str, size: Size, west: str, east: str) -> Piece:
        """The card's name with blanks to what stands at its sides, else as much of it as fits between."""
        room = size.room - len(west) - len(east)
        titles = [self.full_title(card.face), self.title(card.face)] if size.large else []
        titles.append(self.scene.short(self.place.type, card.face))
        for title in titles:
            piece = self.scene.marked_name(self.name, card.area, style, title)
            free = room - cells_of(piece[1])
            # A name that ends in a figure or a sign stands away from the line that leads to another figure.
            least = bool(east) and not (piece[1][-1:].isalpha() or piece[1][-1:] in "].")
            if free >= bool(west) + bool(east) or (free >= 0 and not least):
                return piece
        return self.scene.marked_name(self.name, card.area, style, titles[-1], max(1, room))

    @staticmethod
    def _middle(name: Piece, west: str, east: str, room: int) -> Line:
        """The line with the name: as near to the middle as what stands at the sides leaves it, and away from that."""
        wide = cells_of(name[1])
        first, last = len(west), max(len(west), room - len(east) - wide)
        first += bool(west) and first < last
        last -= bool(east) and first < last
        before = min(max((room - wide) // 2, first), last)
        line: list[Piece] = [("", west), ("", " " * (before - len(west))), name]
        return [*line, ("", " " * (room - len(east) - before - wide)), ("", east)]

    def _pieces(self, number: int) -> list[Line]:
        """The pieces on a card, three of its parts in a line."""
        crown = self.crowned(number)
        if crown:
            return [crown]
        bar: Piece = ("faint", "|")
        held = [pieces for _, pieces in self.holds(number)]
        rows: list[Line] = []
        for k in range(0, len(held), 3):
            row: list[Piece] = []
            for pieces in held[k : k + 3]:
                row += [*([bar] if row else []), *pieces]
            rows.append(row)
        return rows

    @staticmethod
    def _edge(left: str, first: str, right: str, second: str, around: int, between: Line) -> Line:
        """The upper or lower sides of a card, with so many cells around and something between."""
        return [
            ("", f"{left:>{around + 2}}"), ("faint", first if left else " "), *between,
            ("faint", second if right else " "), ("", f"{right:<{around + 2}}"),
        ]  # fmt: skip

    @staticmethod
    def _centred(row: Line, wide: int) -> Line:
        before = max(0, (wide - measure(row)) // 2)
        return [("", " " * before), *row, ("", " " * max(0, wide - before - measure(row)))]

    # ---- a card that is still to be laid ----

    def _ways_to_lie(self, size: Size) -> Iterator[Line]:
        """The cards that could be laid, turned as they would lie, and the numbers of the options for that."""
        ways: dict[tuple[int, int], list[int]] = {}
        for move, aim in self.scene.aims.items():
            if aim.laid is not None and aim.zone == self.place.name:
                ways.setdefault((aim.laid.face, aim.laid.turned), []).append(self.scene.offers[move])
        blocks: list[list[Line]] = []
        for (face, turned), numbers in sorted(ways.items()):
            lines = self._card(Laid(face, NOWHERE, turned), size)
            text = " ".join(f"[{n}]" for n in sorted(numbers))
            blocks.append([*lines, *([("number", part)] for part in _broken(text, size.room))])
        beside = max(1, (self.scene.width - 1) // size.pitch)
        for first in range(0, len(blocks), beside):
            row = blocks[first : first + beside]
            for i in range(max(map(len, row))):
                line: list[Piece] = []
                for block in row:
                    line += [*padded(block[i] if i < len(block) else [], size.room), ("", " ")]
                yield line
        if blocks:
            yield [("faint", self.scene.sign("─", "-") * min(self.scene.width - 1, beside * size.pitch))]

    # ---- the list below ----

    def listed(self, only: Container[tuple[str, int]] | None = None) -> list[Line]:
        """Every card that can hold pieces, or of these those in some areas: its parts with what lies there."""
        cards = [s.laid for s in sorted(self.cards, key=_in_reading_order) if s.laid is not None]
        holding = [(c, self.holds(c.face)) for c in cards if only is None or (self.name, c.area) in only]
        widest = [0] * max((1 + part for _, held in holding for part, _ in held), default=0)
        for _, held in holding:
            for part, pieces in held:
                # Those on the far right hold nobody up.
                widest[part] = max(widest[part], measure(pieces)) if part < 2 else 0
        rows: list[tuple[Piece, list[Line]]] = []
        for card, held in holding:
            parts: list[Line] = []
            for part, pieces in held:
                fill = " " * (widest[part] - measure(pieces))
                parts.append([("faint", f"{part + 1} "), *pieces, ("", fill + "  ")])
            crowned = self.crowned(card.face)
            parts = [crowned] if crowned else parts
            if parts:
                rows.append((self.scene.marked_name(self.name, card.area, "strong", self.full_title(card.face)), parts))
        room = max((cells_of(title) for (_, title), _ in rows), default=0)
        blocks = [
            _filled([(style, pad(title, room)), ("", "  ")], parts, self.scene.width) for (style, title), parts in rows
        ]
        return _in_columns(blocks, self.scene.width)


def _in_reading_order(spot: Spot) -> tuple[int, int]:
    return spot.row, spot.column


def _broken(text: str, room: int) -> list[str]:
    """The words of a text in lines of so many cells."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _filled(start: Line, parts: Sequence[Line], width: int) -> list[Line]:
    """Parts behind a title, and below the first of them those for which there is no room."""
    indent = measure(start)
    lines: list[list[Piece]] = [[*start]]
    for part in parts:
        # The blanks at the end of a part may be cut.
        if measure(lines[-1]) > indent and measure(lines[-1]) + cells_of(plain(part).rstrip()) > width:
            lines.append([("", " " * indent)])
        lines[-1] += part
    return [_trimmed(line) if measure(line) > width else line for line in lines]


def _trimmed(line: Line) -> Line:
    """A line without the piece of blanks at its end."""
    return line[:-1] if not line[-1][1].strip() else line


def _in_columns(blocks: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Blocks of lines, two of one line each beside each other where there is room."""
    half = (width - 3) // 2
    result: list[Line] = []
    alone = False
    for block in blocks:
        if len(block) > 1:
            result += block
            alone = False
            continue
        (line,) = block
        if alone and measure(result[-1]) <= half and measure(line) <= half:
            result[-1] = [*result[-1], ("", " " * (half + 2 - measure(result[-1]))), *line]
            alone = False
        else:
            result.append(line)
            alone = True
    return result

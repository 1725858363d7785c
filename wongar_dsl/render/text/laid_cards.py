"""Text rendering of cards placed on a board: their edges, pieces and paths, on a map of hexagons or a grid of squares.

The content of a card comes from the rules: lookup tables and paths keyed by its edges, tables and zones keyed by its
kind. A map is drawn as large as possible. If even the smallest is too wide, only the part with the most options is
drawn. Where a card can be placed, the empty cell shows option numbers, and the card in its orientation is shown above
the map. A path begins at a thing that the rules declare at a side, and continues over every card with a path there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from wongar_dsl.base.terminal_text import fold, pad
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.language.semantics.boards import HEXAGON, SQUARE, Graph
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side, Trail, sides
from wongar_dsl.render.position_svg.render_context import CardLayout

from . import area_board
from .lines import Line, Piece, clip, line_text, line_width, pad_line, seat_style
from .scene import TextScene, wrap_items


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


#: Letters of paths; a card has at most twice as many edges.
LETTERS = "abcdefgh"


def mark(side: card_data.Side) -> str:
    """Return the label of an edge: letter and number of a trail, or the number of a thing in its enumeration."""
    if isinstance(side, card_data.Trail):
        return LETTERS[side.path] + (str(side.number) if side.number else "")
    return str(side.value + 1) if side is not None else ""


#: Arrows by board direction, in Unicode and in ASCII.
ARROWS = {6: "↗→↘↙←↖", 8: "↑↗→↘↓↙←↖"}
PLAIN_ARROWS = {6: ("/^", "->", "\\v", "v/", "<-", "^\\"), 8: ("^", "/^", "->", "\\v", "v", "v/", "<-", "^\\")}


class LaidCards(CardLayout):
    """The placed cards of one layout, for drawing its board."""

    def __init__(self, scene: TextScene, field: ir.Field, name: str, board: Graph) -> None:
        super().__init__(scene, field, board)
        self.scene, self.name = scene, name

    def previewed_card(self, area: int) -> PlacedCard | None:
        """Return the card that the current option would place into an area, in its orientation."""
        aim = self.scene.placement
        matches = aim is not None and (aim.board, aim.area, aim.zone) == (self.name, area, self.field.name)
        return aim.laid if aim is not None and matches else None

    def marks(self, card: PlacedCard) -> list[str]:
        """Return the edge labels of a card in the order of the board's directions."""
        return [mark(side) for side in self.sides(card.face, card.turned)]

    def title(self, number: int) -> str:
        """Return the short name of a card and its numbers."""
        return " ".join([self.scene.short(self.field.type, number), *(str(n) for _, n in self.card_numbers(number))])

    def full_name(self, number: int) -> str:
        """Return the name of a card; for a card that is one of its attribute, the full name of the attribute."""
        parts = self.card_keys(number)
        if len(parts) == 2:
            return self.scene.narrator.term(self.model.value_name(*parts[1]))
        return self.scene.short(self.field.type, number)

    def full_title(self, number: int) -> str:
        """Return the name of a card and its numbers."""
        return " ".join([self.full_name(number), *(str(n) for _, n in self.card_numbers(number))])

    def occupied_parts(self, number: int) -> list[tuple[int, list[Piece]]]:
        """Return the parts of a card that hold pieces: a letter for each piece, a dot for each free place."""
        dot, parts = self.scene.sign("·", "."), []
        for held in self.parts(number):
            letters = self._letters(held.seats)
            # Wide letters take the room of free places.
            free = max(0, held.free - line_width(letters) + len(held.seats))
            parts.append((held.part, [*letters, ("faint", dot * free)]))
        return parts

    def _letters(self, seats: Sequence[int], before: str = "") -> list[Piece]:
        """Return a letter for each piece, by owner."""
        return [
            (seat_style(seat), before + self.scene.letters[seat] * seats.count(seat)) for seat in dict.fromkeys(seats)
        ]

    def pieces(self, number: int) -> list[Piece]:
        """Return the pieces on the card itself or, if there are none, those on its parts."""
        return self.pieces_on_card(number) or [piece for _, held in self.occupied_parts(number) for piece in held]

    def pieces_on_card(self, number: int) -> list[Piece]:
        """Return the pieces on the card itself."""
        crown = self.scene.sign("♔", "^")
        zones = self.zones(number, 2)
        return [piece for zone, value in zones for piece in self._letters(self.owners(zone, value), crown)]

    # ---- legend and paths ----

    def legend(self) -> Iterator[tuple[str, str]]:
        """Yield the legend of the symbols on placed cards: the name of each kind, and an example with its meaning."""
        scene, model, words, scope = self.scene, self.model, self.scene.narrator.words, self.scene.narrator.scope
        card_sides = [side for laid in self.laid for side in self.sides(laid.face, 0) if side is not None]
        # A trail with a number explains more.
        trails = sorted((side for side in card_sides if isinstance(side, Trail)), key=lambda side: side.number == 0)
        kinds = {kind for laid in self.laid for kind, _ in self.card_keys(laid.face)}
        for name, path in model.declared.paths.items() if trails else ():
            if model.tables[name].keys[0] in kinds:
                yield name, words.say("drawing.path", None, sign=Text(mark(trails[0])), path=Term(name, scope))
                if trails[0].number and path.numbers:
                    yield path.numbers, f"{trails[0].number} {words.term(f'{path.numbers}.value', scope)}"
        thing = next((side for side in card_sides if isinstance(side, EdgeThing)), None)
        if thing is not None:
            dash = scene.sign("─", "-") if self.board.directions == HEXAGON else ""
            named = self._table_of(thing.kind) + scene.short(thing.kind, thing.value)
            yield thing.kind.name, f"{mark(thing)}{dash} {named}"
        yield from self._pieces_legend()
        worth = next((w for laid in self.laid for w in self.card_numbers(laid.face)), None)
        if worth is not None:
            term = Text(scene.narrator.term(worth[0]))
            yield worth[0], words.say("drawing.worth", None, sign=Text(str(worth[1])), worth=term)
        numbers = sorted(n for some in scene.numbers(self.name).values() for n in some)
        if numbers:
            yield "[]", words.say("drawing.option", None, n=numbers[0])

    def _table_of(self, kind: Type) -> str:
        """Return the label of the lookup table that assigns things to edges, or an empty string."""
        tables = card_data.tables(self.model, 2)
        name = next((name for name, table in tables if table.value == kind and table.keys[1].kind == "number"), "")
        words = self.scene.narrator.words
        return words.label(words.capital(self.scene.narrator.term(name))) if name else ""

    def _pieces_legend(self) -> Iterator[tuple[str, str]]:
        """Yield the legend of pieces on a part of a card, and on the card itself."""
        scene, words, letter = self.scene, self.scene.narrator.words, self.scene.letters[0]
        numbers = {held.part for laid in self.laid for held in self.parts(laid.face)}
        used = {zone.name for laid in self.laid for zone, _ in self.zones(laid.face, 2, 3)}
        for zone in (zone for zone in scene.pieces_of_cards if zone.name in used):
            name = words.capital(scene.narrator.term(zone.name, "pl"))
            if scene.hides_copies(zone):
                yield zone.name, words.label(scene.name(zone)) + scene.hidden_text
            elif len(zone.indices) == 3 and numbers:
                free = scene.sign("·", ".") * 2
                part = scene.short(zone.indices[1], min(numbers))
                yield zone.name, f"{min(numbers) + 1} {letter}{free} {words.label(words.capital(part))}{name}"
            elif len(zone.indices) == 2:
                on_card = words.capital(scene.narrator.term(zone.name, "short"))
                yield zone.name, f"{scene.sign('♔', '^')}{letter} {on_card}"

    def viewer_paths(self) -> dict[tuple[int, EdgeThing], list[TracedPath]]:
        """Return the paths that begin at the viewer's pieces, by card and part.

        For a spectator, the paths that begin at any player's pieces.
        """
        paths: dict[tuple[int, EdgeThing], list[TracedPath]] = {}
        for path in trace_paths(self.model, self.field.type, self.laid, self.board):
            thing = (path.thing.kind, path.thing.value)
            owners = {seat for held in self.parts(path.card) if held[:2] == thing for seat in held.seats}
            if self.scene.viewer in owners if self.scene.viewer is not None else owners:
                paths.setdefault((path.card, path.thing), []).append(path)
        return paths

    def routes(self, most: int) -> list[Line]:
        """Describe the viewer's paths, for the `most` starting points with the least free room."""
        scene, paths = self.scene, self.viewer_paths()
        if not paths:
            return []
        held = {part: dict(self.occupied_parts(part[0])).get(part[1].value, []) for part in paths}
        free = {part: sum(text.count(scene.sign("·", ".")) for _, text in held[part]) for part in paths}
        shown_parts = set(sorted(paths, key=lambda part: free[part])[:most])
        heading = fold(scene.narrator.words.say("drawing.ways"), scene.width - 1)
        lines: list[Line] = [[("faint", text)] for text in heading]
        lines += [line for part in paths if part in shown_parts for line in self._routes(paths[part], held[part])]
        if len(paths) > most:
            lines.append([("faint", f"{scene.sign('…', '...')} +{len(paths) - most}")])
        return lines

    def _routes(self, paths: Sequence[TracedPath], held: Sequence[Piece]) -> Iterator[Line]:
        """Yield the lines that describe all paths from one part of a card."""
        first, scene = paths[0], self.scene
        items: list[Line] = [[("strong", f"{self.full_name(first.card)} {first.thing.value + 1}"), ("", " "), *held]]
        arrow = scene.sign("→", "->")
        for path in paths:
            directions = ARROWS if scene.unicode else PLAIN_ARROWS
            leaving = directions.get(self.board.directions, directions[HEXAGON])[path.direction]
            for number, crossing in enumerate(path.crossed):
                count = f" ({crossing.number})" if crossing.number else ""
                step = ("faint", f"{arrow if number else leaving} ")
                items.append([step, ("card", self.full_name(crossing.card) + count)])
            end = ("strong", self.full_name(path.end)) if path.end is not None else ("faint", scene.sign("…", "..."))
            stop = ";" if path is not paths[-1] else ""
            items.append([("faint", f"{arrow if path.crossed else leaving} "), end, ("", stop)])
        for number, line in enumerate(wrap_items(scene, items, " ")):
            yield [("", "  "), *line] if number and line_width(line) + 2 < scene.width else line


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


class CardMap(LaidCards, ABC):
    """Map of placed cards."""

    def fits(self) -> bool:
        """Return whether the whole map fits the screen."""
        return True

    @abstractmethod
    def map_lines(self) -> list[Line]:
        """Draw the map alone."""

    def card_lines(self, only: Container[tuple[str, int]] | None = None) -> list[Line]:
        """Return the list below the map: all cards that can hold pieces, or those in the areas `only`."""
        return []


class _HexMap(CardMap):
    def __init__(self, scene: TextScene, field: ir.Field, name: str, board: Graph) -> None:
        super().__init__(scene, field, name, board)
        self.spots, places = list[HexCell](), board.places
        lying = {laid.area for laid in self.laid}
        # A step along a row is 2 columns, a step to the row above or below is 1.
        self.spots += [HexCell(laid.area, *places[laid.area], laid) for laid in self.laid]
        for area, numbers in scene.numbers(name).items():
            if area not in lying:
                self.spots.append(HexCell(area, *places[area], None, tuple(numbers), self.previewed_card(area)))

    @property
    def cards(self) -> list[HexCell]:
        """The hexagons with placed cards."""
        return [spot for spot in self.spots if spot.laid is not None]

    # ---- map ----

    def fits(self) -> bool:
        return self.size() is not None

    def map_lines(self) -> list[Line]:
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
            blocks.append([*lines, *([("number", part)] for part in wrap(text, size.room, break_long_words=False))])
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


#: Maximum side of a grid that is shown completely; of a larger one, only the part around the cards is shown.
WHOLE = 12


class _SquareMap(CardMap):
    """Grid whose areas have cards."""

    def map_lines(self) -> list[Line]:
        by_area = {laid.area: laid for laid in self.laid}

        def inside(area: int, title: str, width: int) -> Iterator[Line]:
            yield from area_board.box_content(self.scene, self.name, area, title, width)
            card = by_area.get(area, self.previewed_card(area))
            if card is not None:
                yield from self._card(card, width)

        return area_board.draw(self.scene, self._cropped(), inside)

    def _cropped(self) -> Graph:
        """Crop a large grid to the cards and one more row and column on each side."""
        board = self.board
        if len(board.rows) <= WHOLE and max(map(len, board.rows)) <= WHOLE:
            return board
        spots = [board.spots[laid.area] for laid in self.laid] or [board.spots[0]]
        (left, right), (low, high) = ((min(line) - 1, max(line) + 1) for line in zip(*spots, strict=True))
        pairs = zip(board.areas, board.spots, strict=True)
        shown = {area for area, (x, y) in pairs if left <= x <= right and low <= y <= high}
        rows = (tuple(area for area in row if area in shown) for row in board.rows)
        return replace(board, rows=tuple(row for row in rows if row))

    def _card(self, laid: PlacedCard, width: int) -> Iterator[Line]:
        """Yield the lines of a card in its square: name with edge labels around it, and pieces."""
        north, north_east, east, south_east, south, south_west, west, north_west = self.marks(laid)
        name = clip(self.title(laid.face), max(1, width - len(west) - len(east) - (west != "") - (east != "")))
        rows = [(north_west, north, north_east), (west, "", east), (south_west, south, south_east)]
        for number, (left_mark, middle, right_mark) in enumerate(rows):
            piece: Piece = ("card", name) if number == 1 else ("", middle)
            if piece[1] or left_mark or right_mark:
                before = max(0, (width - line_width([piece])) // 2 - len(left_mark))
                line: list[Piece] = [("", left_mark + " " * before), piece]
                yield [*pad_line(line, width - len(right_mark)), ("", right_mark)] if right_mark else line
        if held := self.pieces(laid.face):
            yield held


def card_maps(scene: TextScene) -> dict[str, CardMap]:
    """Return the maps of placed cards, by board."""
    return {
        name: (_SquareMap if board.directions == SQUARE else _HexMap)(scene, layout, name, board)
        for name, board, layout in scene.card_maps
    }

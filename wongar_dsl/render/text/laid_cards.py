"""Text rendering of cards placed on a board: their edges, pieces and paths, on a map of hexagons or a grid of squares.

The content of a card comes from the rules: lookup tables and paths keyed by its edges, tables and zones keyed by its
kind. A map is drawn as large as possible. If even the smallest is too wide, only the part with the most options is
drawn. Where a card can be placed, the empty cell shows option numbers, and the card in its orientation is shown above
the map. A path begins at a thing that the rules declare at a side, and continues over every card with a path there.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from wongar_dsl.base.text.terminal import fold, pad
from wongar_dsl.base.text.terminal import width as cells_of
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics import PLAYER, Model, Type
from wongar_dsl.language.semantics.boards import HEXAGON, Graph
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side, Trail, sides
from wongar_dsl.session.scene import FieldCopy

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


#: Arrows by board direction, in Unicode and in ASCII.
ARROWS = {6: "↗→↘↙←↖", 8: "↑↗→↘↓↙←↖"}
PLAIN_ARROWS = {6: ("/^", "->", "\\v", "v/", "<-", "^\\"), 8: ("^", "/^", "->", "\\v", "v", "v/", "<-", "^\\")}


def legend(scene: TextScene, field: ir.Field, board: Graph) -> Iterator[tuple[str, str]]:
    """Yield the legend of the symbols on placed cards: the name of each kind, and an example with its meaning."""
    cards, words = LaidCards(scene, field, board), scene.narrator.words
    model, scope = scene.state.game.model, scene.narrator.scope
    card_sides = [
        side
        for laid in cards.laid
        for side in card_data.sides(model, field.type, laid.face, board.directions)
        if side is not None
    ]
    # A trail with a number explains more.
    trails = sorted((side for side in card_sides if isinstance(side, Trail)), key=lambda side: side.number == 0)
    kinds = {kind for laid in cards.laid for kind, _ in cards.card_keys(laid.face)}
    for name, path in model.declared.paths.items() if trails else ():
        if model.tables[name].keys[0] in kinds:
            yield name, words.say("drawing.path", None, sign=Text(mark(trails[0])), path=Term(name, scope))
            if trails[0].number and path.numbers:
                yield path.numbers, f"{trails[0].number} {words.term(f'{path.numbers}.value', scope)}"
    thing = next((side for side in card_sides if isinstance(side, EdgeThing)), None)
    if thing is not None:
        dash = scene.sign("─", "-") if board.directions == HEXAGON else ""
        named = _table_of(scene, thing.kind) + scene.short(thing.kind, thing.value)
        yield thing.kind.name, f"{mark(thing)}{dash} {named}"
    yield from _pieces(scene, cards)
    worth = next((w for laid in cards.laid for w in card_data.card_numbers(model, field.type, laid.face)), None)
    if worth is not None:
        yield (
            worth[0],
            words.say("drawing.worth", None, sign=Text(str(worth[1])), worth=Text(scene.narrator.term(worth[0]))),
        )
    place = scene.state.game.model.declared.zones[field.name].board or ""
    numbers = sorted(n for some in scene.numbers(place).values() for n in some)
    if numbers:
        yield "[]", words.say("drawing.option", None, n=numbers[0])


def _table_of(scene: TextScene, kind: Type) -> str:
    """Return the label of the lookup table that assigns things to edges, or an empty string."""
    tables = card_data.tables(scene.state.game.model, 2)
    name = next((name for name, table in tables if table.value == kind and table.keys[1].kind == "number"), "")
    words = scene.narrator.words
    return words.label(words.capital(scene.narrator.term(name))) if name else ""


def _pieces(scene: TextScene, cards: LaidCards) -> Iterator[tuple[str, str]]:
    """Yield the legend of pieces on a part of a card, and on the card itself."""
    words, letter = scene.narrator.words, scene.letters[0]
    numbers = {number for laid in cards.laid for number, _ in cards.occupied_parts(laid.face)}
    for zone in scene.pieces_of_cards:
        name = words.capital(scene.narrator.term(zone.name, "pl"))
        if scene.hides_copies(zone):
            if list(cards.cards_with(zone)):
                yield zone.name, words.label(scene.name(zone)) + scene.hidden_text
        elif len(zone.indices) == 3 and numbers and list(cards.cards_with(zone)):
            free = scene.sign("·", ".") * 2
            part = scene.short(zone.indices[1], min(numbers))
            yield zone.name, f"{min(numbers) + 1} {letter}{free} {words.label(words.capital(part))}{name}"
        elif len(zone.indices) == 2 and list(cards.cards_with(zone)):
            yield zone.name, f"{scene.sign('♔', '^')}{letter} {words.capital(scene.narrator.term(zone.name, 'short'))}"


# ---- paths ----


def viewer_paths(scene: TextScene, field: ir.Field, board: Graph) -> dict[tuple[int, EdgeThing], list[TracedPath]]:
    """Return the paths that begin at the viewer's pieces, by card and part.

    For a spectator, the paths that begin at any player's pieces.
    """
    cards = LaidCards(scene, field, board)
    paths: dict[tuple[int, EdgeThing], list[TracedPath]] = {}
    for path in trace_paths(scene.state.game.model, field.type, cards.laid, board):
        owners = cards.owners(path.card, path.thing)
        if scene.viewer in owners if scene.viewer is not None else owners:
            paths.setdefault((path.card, path.thing), []).append(path)
    return paths


def routes(scene: TextScene, field: ir.Field, board: Graph, most: int) -> list[Line]:
    """Describe the viewer's paths (see `viewer_paths`), for the `most` starting points with the least free room."""
    cards = LaidCards(scene, field, board)
    paths = viewer_paths(scene, field, board)
    held = {part: dict(cards.occupied_parts(part[0])).get(part[1].value, []) for part in paths}
    free = {part: sum(text.count(scene.sign("·", ".")) for _, text in held[part]) for part in paths}
    shown_parts = set(sorted(paths, key=lambda part: free[part])[:most])
    if not paths:
        return []
    heading = fold(scene.narrator.words.say("drawing.ways"), scene.width - 1)
    lines: list[Line] = [[("faint", text)] for text in heading]
    lines += [
        line for part in paths if part in shown_parts for line in _routes(scene, cards, board, paths[part], held[part])
    ]  # fmt: skip
    if len(paths) > most:
        lines.append([("faint", f"{scene.sign('…', '...')} +{len(paths) - most}")])
    return lines


def _routes(
    scene: TextScene, cards: LaidCards, board: Graph, found: Sequence[TracedPath], held: Sequence[Piece]
) -> Iterator[Line]:
    """Yield the lines that describe all paths from one part of a card."""
    first = found[0]
    items: list[Line] = [[("strong", f"{cards.full_name(first.card)} {first.thing.value + 1}"), ("", " "), *held]]
    arrow = scene.sign("→", "->")
    for path in found:
        directions = ARROWS if scene.unicode else PLAIN_ARROWS
        leaving = directions.get(board.directions, directions[HEXAGON])[path.direction]
        for number, crossing in enumerate(path.crossed):
            count = f" ({crossing.number})" if crossing.number else ""
            items.append(
                [("faint", f"{arrow if number else leaving} "), ("card", cards.full_name(crossing.card) + count)]
            )
        end: Piece = (
            ("strong", cards.full_name(path.end)) if path.end is not None else ("faint", scene.sign("…", "..."))
        )
        stop = ";" if path is not found[-1] else ""
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


def draw_squares(scene: TextScene, field: ir.Field, name: str, board: Graph) -> list[Line]:
    """Draw the grid of a layout."""
    cards = LaidCards(scene, field, board)
    by_area = {laid.area: laid for laid in cards.laid}

    def inside(area: int, title: str, width: int) -> Iterator[Line]:
        yield from area_board.box_content(scene, name, area, title, width)
        card = by_area.get(area, cards.previewed_card(name, area))
        if card is not None:
            yield from _square_card(cards, card, width)

    return area_board.draw(scene, _around(cards, board), inside)


def _around(cards: LaidCards, board: Graph) -> Graph:
    """Crop a large grid to the cards and one more row and column on each side."""
    if len(board.rows) <= WHOLE and max(map(len, board.rows)) <= WHOLE:
        return board
    spots = [board.spots[laid.area] for laid in cards.laid] or [board.spots[0]]
    (first_column, last_column), (low, high) = ((min(line) - 1, max(line) + 1) for line in zip(*spots, strict=True))
    shown = {
        area
        for area, (x, y) in zip(board.areas, board.spots, strict=True)
        if first_column <= x <= last_column and low <= y <= high
    }  # fmt: skip
    rows = (tuple(area for area in row if area in shown) for row in board.rows)
    return replace(board, rows=tuple(row for row in rows if row))


def _square_card(cards: LaidCards, laid: PlacedCard, width: int) -> Iterator[Line]:
    """Yield the lines of a card in its square: name with edge labels around it, and pieces."""
    north, north_east, east, south_east, south, south_west, west, north_west = cards.marks(laid)
    name = clip(cards.title(laid.face), max(1, width - len(west) - len(east) - (west != "") - (east != "")))
    rows = [(north_west, north, north_east), (west, "", east), (south_west, south, south_east)]
    for number, (left_mark, middle, right_mark) in enumerate(rows):
        piece: Piece = ("card", name) if number == 1 else ("", middle)
        if piece[1] or left_mark or right_mark:
            before = max(0, (width - line_width([piece])) // 2 - len(left_mark))
            line: list[Piece] = [("", left_mark + " " * before), piece]
            yield [*pad_line(line, width - len(right_mark)), ("", right_mark)] if right_mark else line
    if held := cards.pieces(laid.face):
        yield held

"""SVG of cards placed on a lattice, as a growing map: trails as curves, things at the edges, and pieces.

The content of a card comes from the rules: lookup tables and paths keyed by its edges, tables and zones keyed by its
kind.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from wongar_dsl.base.markup import RawMarkup, Tag, tag
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import HEXAGON, Graph
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg.boards import exit_point, hexagon
from wongar_dsl.render.component_svg.card_data import EdgeThing, Side, Trail
from wongar_dsl.render.component_svg.svg import Point, centred_text, text_width
from wongar_dsl.session.scene import BoardArea

from . import svg_symbols
from .render_context import CardLayout, CardPart, RenderContext, contents, seat_class

HALF = 200
#: Minimum width of a map: two and a half cards.
MIN_MAP_WIDTH = 5 * HALF
#: Distance of badges and of pieces from the edge, in percent of the way to the centre.
BADGE_AT, HELD_AT = 15, 46
SPOT, SPOT_GAP = 15, 31
#: Width of a card's number beside the letter of its owner.
NUMBER_WIDTH = 40
#: Half the height of a column of places; edge labels begin beyond it.
COLUMN = 98
_TITLES = (40, 36, 32, 28, 24, 20)
#: Letter sizes at which the full name is preferred to a larger short name.
LEGIBLE = (40, 36, 32, 28)
_NUMBERS = (34, 30, 26)


@dataclass(frozen=True)
class CardPieces:
    """The pieces on a card: in its parts, and the owners of those on the card itself."""

    holdings: tuple[CardPart, ...]
    on_card: tuple[int, ...]

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Hashable key, for caching."""
        return (*((h.kind.name, h.part, h.sides, h.seats, h.free) for h in self.holdings), self.on_card)


class CardMap(CardLayout):
    """Picture of the placed cards of one layout."""

    def __init__(self, context: RenderContext, field: ir.Field, name: str, board: Graph) -> None:
        super().__init__(context.scene, field, board)
        self.context, self.name = context, name
        self.six = board.directions == HEXAGON
        self.reach = HALF * 1155 // 1000 if self.six else HALF

    @property
    def steps(self) -> str:
        """The numbers of the steps that lay cards, and put pieces on them."""
        fields = (self.field, *self.context.scene.pieces_of_cards)
        return ", ".join(self.context.steps[f.name] for f in fields if f.name in self.context.steps)

    def _owners_on(self, face: int) -> tuple[int, ...]:
        """Return the owners of the pieces on the card itself."""
        return tuple(seat for zone, value in self.zones(face, 2) for seat in self.owners(zone, value))

    # ---- drawing ---------------------------------------------------------------------------------------------------

    def draw(self, only: Collection[int] = ()) -> Tag:
        """Draw the map: its cards and the empty cells that options lead to, or `only` the cards in some areas."""
        places = self.context.cached(("places", self.name), self._places)
        by_area = {laid.area: laid for laid in self.laid}
        areas = enumerate(self.context.scene.areas_in_use(self.name))
        beside = {area: texts for area, _ in areas if (texts := self._other_things(area))}
        offered = {area for board, area in self.context.options if board == self.name}
        sites = sorted({*offered, *beside} - by_area.keys())
        shown = sorted(only or [*by_area, *sites], key=lambda area: (places[area][1], places[area][0]))
        if not shown:
            return tag("g")
        first_column = min(places[area][0] for area in shown)
        top = places[shown[0]][1]
        middles = {area: self._middle(places[area], first_column, top) for area in shown}
        rows: dict[int, list[Tag]] = {}
        for area in (area for area in shown if not only or area in by_area):
            laid = by_area.get(area)
            place, middle = (self.name, area), middles[area]
            if laid is not None:
                pieces = CardPieces(tuple(self.parts(laid.face, laid.turned)), self._owners_on(laid.face))
                parts, label = [self._placed(laid, pieces, middle)], self._description(laid, pieces)
            else:
                parts, label = self._site(place, middle), self._site_label(place)
            if place in self.context.changed:
                parts = [*parts, svg_symbols.changed_dot(middle[0], middle[1] - self.reach + 34)]
            if area in beside:
                parts = [*parts, self._note(beside[area], middle)]
                label = self.context.chain([label, *beside[area]])
            if self.steps and area == shown[0]:
                parts = [*parts, svg_symbols.step_number(self.steps, middle[0], middle[1] + self.reach - 40)]
            kind = "tile" if laid is not None else "site"
            cell = svg_symbols.cell(self.context, place, label, parts, kind, area == shown[0])
            rows.setdefault(places[area][1], []).append(cell)
        width = max(x for x, _ in middles.values()) + HALF + 10
        height = max(y for _, y in middles.values()) + self.reach + 10
        # A map of few cards is not enlarged until one card fills the screen.
        free = 0 if only else max(0, MIN_MAP_WIDTH - width) // 2
        return svg_symbols.grid(
            [*rows.values()], self.context.term(self.name), width + 2 * free, height, "map", left=-free
        )

    def _places(self) -> tuple[Point, ...]:
        """Return the position of each area on the drawing: column in half areas, and row."""
        return self.board.places if self.six else tuple((2 * x, -y) for x, y in self.board.spots)

    def _middle(self, at: Point, left: int, top: int) -> Point:
        down = self.reach * 3 // 2 if self.six else 2 * HALF
        return 10 + HALF + (at[0] - left) * HALF, 10 + self.reach + (at[1] - top) * down

    def corners(self, middle: Point) -> tuple[Point, ...]:
        """Return the corners of a card, clockwise."""
        x, y = middle
        if self.six:
            return hexagon(x, y, HALF - 3)
        d = HALF - 3
        return ((x - d, y - d), (x + d, y - d), (x + d, y + d), (x - d, y + d))

    def end(self, middle: Point, direction: int) -> Point:
        """Return the point where a direction leaves a card."""
        return exit_point(self.corners(middle), direction)

    def _placed(self, laid: PlacedCard, pieces: CardPieces, middle: Point) -> Tag:
        """Return the drawing of a placed card."""
        key = ("card", self.name, laid.face, laid.turned, middle, pieces.key, *self.context.scene.letters)
        return self.context.cached(key, lambda: RawMarkup.of(*self.card(laid.face, laid.turned, middle, pieces)))

    def _description(self, laid: PlacedCard, pieces: CardPieces) -> str:
        """Return the text description of a placed card."""
        place = (self.name, laid.area)
        key = (
            "told",
            self.name,
            laid.face,
            laid.turned,
            pieces.key,
            place in self.context.changed,
            self.context.people,
        )
        return self.context.cached(key, lambda: self.card_description(laid, pieces))

    def card(
        self, face: int, turned: int, middle: Point, pieces: CardPieces | None = None, small: bool = False
    ) -> list[Tag]:
        """Return the elements of a card in its orientation with its pieces; a `small` one has only larger badges."""
        edges = self.sides(face, turned)
        has_trails = any(isinstance(side, Trail) for side in edges)
        points = " ".join(f"{x},{y}" for x, y in self.corners(middle))
        parts = [tag("polygon", points=points, class_="ground " + ("water" if has_trails else "land"))]
        for direction, side in enumerate(edges):
            if isinstance(side, Trail) and self._is_first_end(edges, direction, side):
                parts.append(self._trail(middle, direction, (side.other + turned) % len(edges), side.path))
        for direction, side in enumerate(edges):
            parts += self._badge(side, middle, direction, 2 if small else 1)
        if small:
            return parts
        held = pieces.holdings if pieces is not None else ()
        for holding in held:
            parts.append(self._place_row(holding, middle))
        worth = [n for _, n in self.card_numbers(face)]
        on_card = pieces.on_card if pieces is not None else ()
        room, high = (170 if held else 230), 40
        title = self._title(face, room)
        top = middle[1] - (high + 34 * bool(worth or on_card)) // 2
        parts.append(
            tag("g", centred_text(title, (middle[0] - room // 2, top, room, high), _TITLES, bold=True), class_="name")
        )
        # The letter of the owner is drawn before the card's number, which counts for that player.
        wide = 48 * len(on_card)
        x_position = middle[0] - (wide + NUMBER_WIDTH * bool(worth and on_card)) // 2
        parts += [
            svg_symbols.letter(self.context, seat, x_position + 48 * i, top + high, 44)
            for i, seat in enumerate(on_card)
        ]
        if worth:
            shown = self.context.chain([self.context.scene.narrator.words.number(n) for n in worth])
            box = (
                (x_position + wide, top + high, NUMBER_WIDTH, 44)
                if on_card
                else (middle[0] - 60, top + high - 4, 120, 36)
            )
            parts.append(centred_text(shown, box, _NUMBERS))
        return parts

    def _title(self, face: int, room: int) -> str:
        """Return the short name of a card, or the full name of its attribute if it fits."""
        words, scope = self.context.scene.narrator.words, self.context.scene.narrator.scope
        short = self.context.short(self.field.type, face)
        for kind, value in self.card_keys(face)[1:]:
            name = self.model.value_name(kind, value) if kind.kind == "enum" else ""
            whole = words.capital(words.term(name, scope)) if name and words.has_term(name, scope) else ""
            begins = whole.replace(" ", "").startswith(short.rstrip("."))
            if begins and any(text_width(whole, size, bold=True) <= room for size in LEGIBLE):
                return whole
        return short

    @staticmethod
    def _is_first_end(edges: Sequence[Side], at: int, trail: Trail) -> bool:
        """Return whether an edge is the first of the two ends of a path, at which the path is drawn."""
        return at == next(i for i, s in enumerate(edges) if isinstance(s, Trail) and s.path == trail.path)

    def _trail(self, middle: Point, start: int, end: int, path: int) -> Tag:
        (a, b), (c, d) = self.end(middle, start), self.end(middle, end)
        data = f"M{a} {b}Q{middle[0]} {middle[1]} {c} {d}"
        return tag("g", tag("path", d=data, class_="trail-edge"), tag("path", d=data, class_=f"trail trail-{path % 3}"))

    def _badge(self, side: Side, middle: Point, direction: int, times: int) -> list[Tag]:
        """Return the label of an edge: the number of a path, or the number of a thing."""
        number = side.number if isinstance(side, Trail) else side.value + 1 if isinstance(side, EdgeThing) else 0
        if not number:
            return []
        x, y = self._inward(middle, self.end(middle, direction), BADGE_AT + 12 * (times - 1))
        half = 21 * times
        thing = isinstance(side, EdgeThing)
        mark = (
            tag("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=8, class_="thing")
            if thing
            else tag("circle", cx=x, cy=y, r=half + 3, class_="shell")
        )
        text = centred_text(
            self.context.scene.narrator.words.number(number),
            (x - half, y - half, 2 * half, 2 * half),
            [n * times for n in _NUMBERS],
            bold=True,
        )
        part = f"{side.kind.name}-{side.value}" if isinstance(side, EdgeThing) else None
        return [tag("g", mark, text, class_="thing-mark" if thing else "number-mark", data_part=part)]

    def _inward(self, middle: Point, end: Point, share: int) -> Point:
        return (
            end[0] + (middle[0] - end[0]) * share // 100,
            end[1] + (middle[1] - end[1]) * share // 100,
        )

    def _place_row(self, holding: CardPart, middle: Point) -> Tag:
        """Return the places for pieces near the edges of a part."""
        ends = [self.end(middle, side) for side in holding.sides] or [(middle[0], middle[1] + self.reach)]
        angle = math.atan2(sum(y - middle[1] for _, y in ends), sum(x - middle[0] for x, _ in ends))
        away = HALF * (100 - HELD_AT) // 100
        count = len(holding.seats) + holding.free
        across, down = math.cos(angle), int(math.sin(angle) * away)
        aside = abs(across) > 0.8
        # Beside the name the places are in a column, clear of the name and of the edge labels.
        step = (0, SPOT_GAP) if aside else (SPOT_GAP, 0)
        half = (count - 1) * SPOT_GAP // 2
        if aside:
            down = max(half - COLUMN, min(COLUMN - half, down)) if half < COLUMN else 0
        # Rows side by side need more distance.
        x = middle[0] + (int(math.copysign(away, across)) if aside else int(across * away * 130 / 100))
        y = middle[1] + down
        first = (x - half * bool(step[0]), y - half * bool(step[1]))
        # The whole row reacts to touch, not only its places.
        wide, high = (SPOT + 8 + half * bool(step[0]), SPOT + 8 + half * bool(step[1]))
        box = tag("rect", x=x - wide, y=y - high, width=2 * wide, height=2 * high, rx=SPOT + 8, class_="room")
        parts: list[Tag] = [box]
        for i in range(count):
            position = (first[0] + step[0] * i, first[1] + step[1] * i)
            if i < len(holding.seats):
                parts.append(self._piece(holding.seats[i], position))
            else:
                parts.append(tag("circle", cx=position[0], cy=position[1], r=SPOT - 4, class_="spot"))
        return tag("g", *parts, class_="holding", data_part=f"{holding.kind.name}-{holding.part}")

    def _piece(self, seat: int, at: Point) -> Tag:
        x, y = at
        body = tag("circle", cx=x, cy=y, r=SPOT + 2, class_="wash")
        text = centred_text(self.context.scene.letters[seat], (x - 20, y - 20, 40, 40), (24,), bold=True)
        return tag("g", body, text, class_=seat_class(seat))

    # ---- empty cells -----------------------------------------------------------------------------------------------

    def _site(self, place: BoardArea, middle: Point) -> list[Tag]:
        """Return the drawing of an empty cell with the numbers of its options."""
        points = " ".join(f"{x},{y}" for x, y in self.corners(middle))
        numbers = self.context.options.get(place, ())
        ground = tag("polygon", points=points, class_="ground")
        if not numbers:
            return [ground]
        text = self.context.chain([str(n) for n in numbers[:6]])
        shown = centred_text(text, (middle[0] - 120, middle[1] - 90, 240, 180), (96, 80, 64, 52, 44, 36), bold=True)
        return [ground, shown]

    def _other_things(self, area: int) -> list[str]:
        """Return the other things in an area in words."""
        here = contents(self.context, self.name, area, "")
        return [] if here.hidden else here.description(self.context)

    def _note(self, texts: list[str], middle: Point) -> Tag:
        box = (middle[0] - 110, middle[1] + self.reach // 3, 220, 48)
        return tag("g", centred_text(self.context.chain(texts), box, (32, 26, 20, 16)), class_="beside")

    def _site_label(self, place: BoardArea) -> str:
        numbers = self.context.options.get(place, ())
        if not numbers:
            return self.context.term(self.board.areas[place[1]])
        return self.context.say("site", n=len(numbers), numbers=Text(self.context.chain([str(n) for n in numbers])))

    # ---- text description ------------------------------------------------------------------------------------------

    def card_description(self, laid: PlacedCard, pieces: CardPieces) -> str:
        """Describe a card: name and numbers, edges, and pieces."""
        context, direction_terms = self.context, [Term(direction_name) for direction_name in self.board.direction_names]
        texts = [context.scene.narrator.words.number(n) for _, n in self.card_numbers(laid.face)]
        edges = self.sides(laid.face, laid.turned)
        by_thing: dict[tuple[Type, int], list[Term]] = {}
        for direction, side in enumerate(edges):
            if isinstance(side, EdgeThing):
                by_thing.setdefault((side.kind, side.value), []).append(direction_terms[direction])
            elif isinstance(side, Trail) and self._is_first_end(edges, direction, side):
                other_end = direction_terms[(side.other + laid.turned) % len(edges)]
                name = "trail.number" if side.number else "trail"
                texts.append(context.say(name, way=direction_terms[direction], other=other_end, n=side.number))
        texts += [context.owned_phrase(seat, [context.say("crowned")]) for seat in dict.fromkeys(pieces.on_card)]
        for holding in pieces.holdings:
            pieces_by_player = [
                f"{context.player(seat)} {holding.seats.count(seat)}" for seat in dict.fromkeys(holding.seats)
            ]
            free = [context.say("free", n=holding.free)] if holding.free else []
            at_ways = by_thing.get((holding.kind, holding.part), [])
            name = context.short(holding.kind, holding.part)
            if at_ways:
                where = context.chain(
                    [context.scene.narrator.words.value(direction_name) for direction_name in at_ways]
                )
                name = context.say("part.at", part=Text(name), ways=Text(where))
            texts.append(context.say("part", part=Text(name), things=Text(context.chain([*pieces_by_player, *free]))))
        texts += [
            context.scene.narrator.words.label(context.scene.name(place)) + context.scene.hidden_text
            for kind, _ in self.card_keys(laid.face)
            for place in sorted(context.scene.pieces_of_cards, key=lambda zone: -len(zone.indices))
            if place.indices[0] == kind and context.scene.hides_copies(place)
        ]
        return context.label(context.short(self.field.type, laid.face), texts, (self.name, laid.area))


def draw(context: RenderContext, field: ir.Field, name: str, board: Graph, only: Collection[int] = ()) -> Tag:
    """Draw the map of a layout, or `only` the cards in some areas of it."""
    return CardMap(context, field, name, board).draw(only)


def single_card(
    context: RenderContext, field: ir.Field, name: str, board: Graph, face: int, turned: int = 0, small: bool = True
) -> Tag:
    """Draw a single card that could be placed: small for a list of options, or large enough to read."""

    def draw() -> Tag:
        cards = CardMap(context, field, name, board)
        middle = (HALF + 10, cards.reach + 10)
        box = f"0 0 {2 * HALF + 20} {2 * cards.reach + 20}"
        classes = "tile-alone" if small else "tile-alone large"
        parts = cards.card(face, turned, middle, small=small)
        return RawMarkup.of(svg_symbols.drawing(parts, box, classes, aria_hidden="true", focusable="false"))

    return context.cached(("alone", name, face, turned, small), draw)

"""Cards laid on a lattice, as a map that grows: trails as curves, the things at their sides, and what lies on them.

What is known of a card comes from the rules: tables and paths by its sides, tables and zones by what it is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import Laid, container
from wongar_dsl.model import Type
from wongar_dsl.model.boards import HEXAGON, Graph
from wongar_dsl.pictures import sides as bearing
from wongar_dsl.pictures.boards import hexagon
from wongar_dsl.pictures.lettering import centred, measure
from wongar_dsl.pictures.sides import Side, Thing, Trail
from wongar_dsl.text.markup import Tag, Written, tag
from wongar_dsl.words import Term, Text

from . import things
from .look import PLAYER, Look, Place, seat_class

HALF = 200
#: No map is less wide: two cards and a half.
LEAST = 5 * HALF
#: Where badges stand at a side, and where places for pieces, in hundredths of the way from the side to the middle.
BADGE_AT, HELD_AT = 15, 46
SPOT, BETWEEN = 15, 31
#: How much room the number of a card has beside the letter of whose it is.
WORTH = 40
#: How far a column of places reaches up or down from the middle: what stands at the sides begins beyond it.
COLUMN = 98
_TITLES = (40, 36, 32, 28, 24, 20)
#: In these a whole name is better than a short one that is larger.
LEGIBLE = (40, 36, 32, 28)
_NUMBERS = (34, 30, 26)

Point = tuple[int, int]


@dataclass(frozen=True)
class Holding:
    """A part of a card with room for pieces: which one, its sides, whose pieces lie there, and how many are free."""

    part: int
    kind: Type
    sides: tuple[int, ...]
    seats: tuple[int, ...]
    free: int


@dataclass(frozen=True)
class OnCard:
    """What lies on a card: in its parts, and whose pieces lie on the card itself."""

    holdings: tuple[Holding, ...]
    crown: tuple[int, ...]

    @property
    def key(self) -> tuple[Hashable, ...]:
        """All of it, to be looked up."""
        return (*((h.kind.name, h.part, h.sides, h.seats, h.free) for h in self.holdings), self.crown)


def layout_on(look: Look, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    zones = look.scene.state.game.model.declared.zones
    return next(
        (p for p in look.scene.places if p.name in zones and zones[p.name].board == name),
        None,
    )


def laid_on(look: Look, place: ir.Field) -> tuple[Laid, ...]:
    """The cards of a layout."""
    zone = container(place)
    return zone.laid(look.scene.state.cells, place.base, place.width) if zone is not None else ()


class Map:
    """The cards of one layout."""

    def __init__(self, look: Look, place: ir.Field, name: str, board: Graph) -> None:
        self.look, self.place, self.name, self.board = look, place, name, board
        self.model = look.scene.state.game.model
        self.six = board.directions == HEXAGON
        self.laid = laid_on(look, place)
        # Where pieces lie on cards: in their parts, and on themselves.
        pieces = [p for p in look.scene.places if p.kind == "tokens" and p.indices and p.indices[-1] == PLAYER]
        self.in_parts = [p for p in pieces if len(p.indices) == 3]
        self.on_cards = [p for p in pieces if len(p.indices) == 2]
        self.reach = HALF * 1155 // 1000 if self.six else HALF

    # ---- what lies where -------------------------------------------------------------------------------------------

    def parts(self, face: int) -> list[tuple[Type, int]]:
        """What a card is: its own sort, and what its parameters say."""
        return bearing.parts(self.model, self.place.type, face)

    def sides(self, face: int, turned: int) -> list[Side]:
        """What stands at the sides of a card as it lies, in the order of the directions."""
        found = bearing.sides(self.model, self.place.type, face, self.board.directions)
        return [found[(direction - turned) % len(found)] for direction in range(len(found))]

    def holdings(self, laid: Laid) -> Iterator[Holding]:
        """The parts of a card that have room for pieces, with what lies there."""
        at_sides = self.sides(laid.face, laid.turned)
        for kind, value in self.parts(laid.face):
            for place in self.in_parts:
                if place.indices[0] == kind:
                    yield from self._holdings(place, value, at_sides)

    def _holdings(self, place: ir.Field, value: int, at_sides: Sequence[Side]) -> Iterator[Holding]:
        rooms = bearing.rooms_in(self.model, place.indices[:2], value)
        kind = place.indices[1]
        for part in range(place.sizes[1]):
            seats: list[int] = []
            for seat in range(place.sizes[2]):
                seats += [seat] * self.look.scene.size(place, place.at(value, part, seat))
            known = all(self.look.scene.sized(place, (value, part, seat)) for seat in range(place.sizes[2]))
            own = tuple(i for i, s in enumerate(at_sides) if isinstance(s, Thing) and (s.kind, s.value) == (kind, part))
            room = rooms[part] if rooms else 0
            if room or seats:
                yield Holding(part, kind, own, tuple(seats), max(0, room - len(seats)) if known else 0)

    def crowned(self, face: int) -> list[int]:
        """Whose pieces lie on the card itself."""
        found: list[int] = []
        for kind, value in self.parts(face):
            for place in self.on_cards:
                if place.indices[0] == kind:
                    for (index, seat), at in copies(place):
                        if index == value:
                            found += [seat] * self.look.scene.size(place, at)
        return found

    # ---- drawing ---------------------------------------------------------------------------------------------------

    def draw(self) -> Tag:
        """The map: its cards, and the empty places that options lead to."""
        places = self.look.made(("places", self.name), self._places)
        by_area = {laid.area: laid for laid in self.laid}
        sites = sorted({area for board, area in self.look.options if board == self.name} - by_area.keys())
        shown = sorted([*by_area, *sites], key=lambda area: (places[area][1], places[area][0]))
        if not shown:
            return tag("g")
        left = min(places[area][0] for area in shown)
        top = places[shown[0]][1]
        middles = {area: self._middle(places[area], left, top) for area in shown}
        rows: dict[int, list[Tag]] = {}
        for area in shown:
            laid = by_area.get(area)
            place, middle = (self.name, area), middles[area]
            on = OnCard(tuple(self.holdings(laid)), tuple(self.crowned(laid.face))) if laid is not None else None
            parts = (
                [self._lying(laid, on, middle)] if laid is not None and on is not None else self._site(place, middle)
            )
            if place in self.look.changed:
                parts = [*parts, things.changed_dot(middle[0], middle[1] - self.reach + 34)]
            label = self._said(laid, on) if laid is not None and on is not None else self._site_told(place)
            kind = "tile" if laid is not None else "site"
            cell = things.cell(self.look, place, label, parts, kind, area == shown[0])
            rows.setdefault(places[area][1], []).append(cell)
        width = max(x for x, _ in middles.values()) + HALF + 10
        height = max(y for _, y in middles.values()) + self.reach + 10
        # With few cards the map is not blown up until one of them fills the screen.
        free = max(0, LEAST - width) // 2
        return things.grid([*rows.values()], self.look.term(self.name), width + 2 * free, height, "map", left=-free)

    def _places(self) -> tuple[Point, ...]:
        """Where each area is drawn: its column, in halves of an area, and its row."""
        return self.board.places if self.six else tuple((2 * x, -y) for x, y in self.board.spots)

    def _middle(self, at: Point, left: int, top: int) -> Point:
        down = self.reach * 3 // 2 if self.six else 2 * HALF
        return 10 + HALF + (at[0] - left) * HALF, 10 + self.reach + (at[1] - top) * down

    def corners(self, middle: Point) -> tuple[Point, ...]:
        """The corners of a card, clockwise."""
        x, y = middle
        if self.six:
            return hexagon(x, y, HALF - 3)
        d = HALF - 3
        return ((x - d, y - d), (x + d, y - d), (x + d, y + d), (x - d, y + d))

    def end(self, middle: Point, direction: int) -> Point:
        """Where a direction leaves a card: the middle of a side; on a square, which has four more, a corner."""
        corners = self.corners(middle)
        if not self.six and direction % 2:
            return corners[(direction + 1) // 2 % 4]
        first = direction if self.six else direction // 2
        (x, y), (u, v) = corners[first], corners[(first + 1) % len(corners)]
        return ((x + u) // 2, (y + v) // 2)

    def _lying(self, laid: Laid, on: OnCard, middle: Point) -> Tag:
        """A card of the layout."""
        key = ("card", self.name, laid.face, laid.turned, middle, on.key, *self.look.scene.letters)
        return self.look.made(key, lambda: Written.of(*self.card(laid.face, laid.turned, middle, on)))

    def _said(self, laid: Laid, on: OnCard) -> str:
        """A card of the layout in words."""
        place = (self.name, laid.area)
        key = ("told", self.name, laid.face, laid.turned, on.key, place in self.look.changed, self.look.people)
        return self.look.made(key, lambda: self.told(laid, on))

    def card(self, face: int, turned: int, middle: Point, on: OnCard | None = None, small: bool = False) -> list[Tag]:
        """A card as it lies, with what is on it.  A `small` one has larger badges alone."""
        found = self.sides(face, turned)
        wet = any(isinstance(side, Trail) for side in found)
        points = " ".join(f"{x},{y}" for x, y in self.corners(middle))
        parts = [tag("polygon", points=points, class_="ground " + ("water" if wet else "land"))]
        for at, side in enumerate(found):
            if isinstance(side, Trail) and self._first(found, at, side):
                parts.append(self._trail(middle, at, (side.other + turned) % len(found), side.path))
        for at, side in enumerate(found):
            parts += self._badge(side, middle, at, 2 if small else 1)
        if small:
            return parts
        held = on.holdings if on is not None else ()
        for holding in held:
            parts.append(self._row(holding, middle))
        worth = [n for _, n in bearing.worth(self.model, self.place.type, face)]
        crown = on.crown if on is not None else ()
        room, high = (170 if held else 230), 40
        title = self._title(face, room)
        top = middle[1] - (high + 34 * bool(worth or crown)) // 2
        parts.append(
            tag("g", centred(title, (middle[0] - room // 2, top, room, high), _TITLES, bold=True), class_="name")
        )
        # What a card is worth counts for whose it is, too: their letter stands before it.
        wide = 48 * len(crown)
        left = middle[0] - (wide + WORTH * bool(worth and crown)) // 2
        parts += [things.letter(self.look, seat, left + 48 * i, top + high, 44) for i, seat in enumerate(crown)]
        if worth:
            shown = self.look.chain([self.look.scene.narrator.words.number(n) for n in worth])
            box = (left + wide, top + high, WORTH, 44) if crown else (middle[0] - 60, top + high - 4, 120, 36)
            parts.append(centred(shown, box, _NUMBERS))
        return parts

    def _title(self, face: int, room: int) -> str:
        """The name of a card; where it is cut short, that of what it shows, whole, if there is room for it."""
        words, scope = self.look.scene.narrator.words, self.look.scene.narrator.scope
        short = self.look.short(self.place.type, face)
        for kind, value in self.parts(face)[1:]:
            name = self.model.value_name(kind, value) if kind.kind == "enum" else ""
            whole = words.capital(words.term(name, scope)) if name and words.has_term(name, scope) else ""
            begins = whole.replace(" ", "").startswith(short.rstrip("."))
            if begins and any(measure(whole, size, bold=True) <= room for size in LEGIBLE):
                return whole
        return short

    def _first(self, found: Sequence[Side], at: int, trail: Trail) -> bool:
        """Whether this is the end of a path from which it is drawn."""
        return at == next(i for i, s in enumerate(found) if isinstance(s, Trail) and s.path == trail.path)

    def _trail(self, middle: Point, start: int, end: int, path: int) -> Tag:
        (a, b), (c, d) = self.end(middle, start), self.end(middle, end)
        data = f"M{a} {b}Q{middle[0]} {middle[1]} {c} {d}"
        return tag("g", tag("path", d=data, class_="trail-edge"), tag("path", d=data, class_=f"trail trail-{path % 3}"))

    def _badge(self, side: Side, middle: Point, direction: int, times: int) -> list[Tag]:
        """What stands at a side: the number of a path, or which thing is there."""
        number = side.number if isinstance(side, Trail) else side.value + 1 if isinstance(side, Thing) else 0
        if not number:
            return []
        x, y = self._inward(middle, self.end(middle, direction), BADGE_AT + 12 * (times - 1))
        half = 21 * times
        thing = isinstance(side, Thing)
        mark = (
            tag("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=8, class_="thing")
            if thing
            else tag("circle", cx=x, cy=y, r=half + 3, class_="shell")
        )
        text = centred(
            self.look.scene.narrator.words.number(number),
            (x - half, y - half, 2 * half, 2 * half),
            [n * times for n in _NUMBERS],
            bold=True,
        )
        part = f"{side.kind.name}-{side.value}" if isinstance(side, Thing) else None
        return [tag("g", mark, text, class_="thing-mark" if thing else "number-mark", data_part=part)]

    def _inward(self, middle: Point, end: Point, share: int) -> Point:
        return (
            end[0] + (middle[0] - end[0]) * share // 100,
            end[1] + (middle[1] - end[1]) * share // 100,
        )

    def _row(self, holding: Holding, middle: Point) -> Tag:
        """Places for pieces near the sides of their part, behind its number."""
        ends = [self.end(middle, side) for side in holding.sides] or [(middle[0], middle[1] + self.reach)]
        angle = math.atan2(sum(y - middle[1] for _, y in ends), sum(x - middle[0] for x, _ in ends))
        away = HALF * (100 - HELD_AT) // 100
        count = len(holding.seats) + holding.free
        across, down = math.cos(angle), int(math.sin(angle) * away)
        aside = abs(across) > 0.8
        # Beside the name they stand one below the other, clear of the name and of what is at the sides.
        step = (0, BETWEEN) if aside else (BETWEEN, 0)
        half = (count - 1) * BETWEEN // 2
        if aside:
            down = max(half - COLUMN, min(COLUMN - half, down)) if half < COLUMN else 0
        # Rows beside each other stand further apart.
        x = middle[0] + (int(math.copysign(away, across)) if aside else int(across * away * 130 / 100))
        y = middle[1] + down
        first = (x - half * bool(step[0]), y - half * bool(step[1]))
        # The whole row can be touched, not only its places.
        wide, high = (SPOT + 8 + half * bool(step[0]), SPOT + 8 + half * bool(step[1]))
        box = tag("rect", x=x - wide, y=y - high, width=2 * wide, height=2 * high, rx=SPOT + 8, class_="room")
        parts: list[Tag] = [box]
        for i in range(count):
            at = (first[0] + step[0] * i, first[1] + step[1] * i)
            if i < len(holding.seats):
                parts.append(self._piece(holding.seats[i], at))
            else:
                parts.append(tag("circle", cx=at[0], cy=at[1], r=SPOT - 4, class_="spot"))
        return tag("g", *parts, class_="holding", data_part=f"{holding.kind.name}-{holding.part}")

    def _piece(self, seat: int, at: Point) -> Tag:
        x, y = at
        body = tag("circle", cx=x, cy=y, r=SPOT + 2, class_="wash")
        text = centred(self.look.scene.letters[seat], (x - 20, y - 20, 40, 40), (24,), bold=True)
        return tag("g", body, text, class_=seat_class(seat))

    # ---- empty places ----------------------------------------------------------------------------------------------

    def _site(self, place: Place, middle: Point) -> list[Tag]:
        """An empty place that options lead to, with their numbers."""
        points = " ".join(f"{x},{y}" for x, y in self.corners(middle))
        numbers = self.look.options.get(place, ())
        text = self.look.chain([str(n) for n in numbers[:6]])
        shown = centred(text, (middle[0] - 120, middle[1] - 90, 240, 180), (96, 80, 64, 52, 44, 36), bold=True)
        return [tag("polygon", points=points, class_="ground"), shown]

    def _site_told(self, place: Place) -> str:
        numbers = self.look.options.get(place, ())
        return self.look.say("site", n=len(numbers), numbers=Text(self.look.chain([str(n) for n in numbers])))

    # ---- words -----------------------------------------------------------------------------------------------------

    def told(self, laid: Laid, on: OnCard) -> str:
        """A card in words: its name and numbers, its sides, and what lies on it."""
        look, ways = self.look, [Term(way) for way in self.board.ways]
        said = [look.scene.narrator.words.number(n) for _, n in bearing.worth(self.model, self.place.type, laid.face)]
        found = self.sides(laid.face, laid.turned)
        by_thing: dict[tuple[Type, int], list[Term]] = {}
        for at, side in enumerate(found):
            if isinstance(side, Thing):
                by_thing.setdefault((side.kind, side.value), []).append(ways[at])
            elif isinstance(side, Trail) and self._first(found, at, side):
                other = ways[(side.other + laid.turned) % len(found)]
                name = "trail.number" if side.number else "trail"
                said.append(look.say(name, way=ways[at], other=other, n=side.number))
        said += [look.owned(seat, [look.say("crowned")]) for seat in dict.fromkeys(on.crown)]
        for holding in on.holdings:
            there = [f"{look.player(seat)} {holding.seats.count(seat)}" for seat in dict.fromkeys(holding.seats)]
            free = [look.say("free", n=holding.free)] if holding.free else []
            at_ways = by_thing.get((holding.kind, holding.part), [])
            name = look.short(holding.kind, holding.part)
            if at_ways:
                where = look.chain([look.scene.narrator.words.value(way) for way in at_ways])
                name = look.say("part.at", part=Text(name), ways=Text(where))
            said.append(look.say("part", part=Text(name), things=Text(look.chain([*there, *free]))))
        return look.label(look.short(self.place.type, laid.face), said, (self.name, laid.area))


def draw(look: Look, place: ir.Field, name: str, board: Graph) -> Tag:
    """The map of a layout."""
    return Map(look, place, name, board).draw()


def alone(look: Look, place: ir.Field, name: str, board: Graph, face: int, turned: int = 0, small: bool = True) -> Tag:
    """A card that could be laid there, by itself: as small as beside an option, or large enough to be read."""

    def draw() -> Tag:
        cards = Map(look, place, name, board)
        middle = (HALF + 10, cards.reach + 10)
        box = f"0 0 {2 * HALF + 20} {2 * cards.reach + 20}"
        classes = "tile-alone" if small else "tile-alone large"
        parts = cards.card(face, turned, middle, small=small)
        return Written.of(things.drawing(parts, box, classes, aria_hidden="true", focusable="false"))

    return look.made(("alone", name, face, turned, small), draw)

"""What stands beside the boards: players with all that is theirs, the viewer's hand, tracks, rows and what is common.

All of it is read from what the rules declare, through the viewer's eyes; templates show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.engine.standing import standing
from wongar_dsl.ir.containers import container
from wongar_dsl.model import Type
from wongar_dsl.pictures import symbols
from wongar_dsl.table.scene import ZONES
from wongar_dsl.text.markup import Tag

from .pictures import things
from .pictures.contents import tokens_in
from .pictures.look import PLAYER, Look, place_key, seat_class


@dataclass(frozen=True)
class Item:
    """Something that is shown: its text, how many of it there are, a picture, and the place that it stands for."""

    text: str
    count: int = 1
    picture: Tag | None = None
    key: str = ""
    #: The name that the rules give it, by which the style sheet may know a colour.
    name: str = ""


@dataclass(frozen=True)
class Value:
    """What a player has, under its heading: a text, or items."""

    title: str
    text: str = ""
    items: tuple[Item, ...] = ()
    main: bool = False


@dataclass(frozen=True)
class Row:
    """A player: the seat, name and letter, whether they are on turn, and what is theirs."""

    seat: int
    name: str
    letter: Tag
    turn: bool
    mine: bool
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Holding:
    """What a viewer alone holds in one zone; `small` where it is no hand, but lies on a heap."""

    title: str
    cards: tuple[Item, ...]
    small: bool


@dataclass(frozen=True)
class Phase:
    """A phase of a track: what it is called, its spaces by number, and whether the marker stands in it."""

    name: str
    spaces: tuple[int, ...]
    here: bool


@dataclass(frozen=True)
class Track:
    """A track: where its marker stands, of how many spaces, its phases, and what tables say for the present one."""

    title: str
    at: int
    of: int
    phases: tuple[Phase, ...]
    tables: tuple[Value, ...]


@dataclass(frozen=True)
class Lines:
    """Zones told apart by the values of an enumeration, as rows."""

    title: str
    rows: tuple[Line, ...]


@dataclass(frozen=True)
class Line:
    """One of the rows: what it is called, who stands there, and what lies there, the next thing first."""

    name: str
    key: str
    standing: tuple[Item, ...] = ()
    zones: tuple[Value, ...] = field(default=())


def icon(drawn: Sequence[Tag], classes: str = "") -> Tag:
    """A symbol among text."""
    box = f"-6 -6 {symbols.SIZE + 12} {symbols.SIZE + 12}"
    return things.drawing(drawn, box, f"icon {classes}".strip(), aria_hidden="true", focusable="false")


def badge(look: Look, seat: int) -> Tag:
    """The letter of a player as an icon."""
    drawn = things.letter(look, seat, 0, 0, symbols.SIZE)
    return things.drawing([drawn], "0 0 200 200", "icon", aria_hidden="true", focusable="false")


# ---- what lies in a zone -------------------------------------------------------------------------------------------


def items(look: Look, place: ir.Field, indices: tuple[int, ...], at: int) -> tuple[Item, ...]:
    """What is in a copy of a zone that the viewer sees."""
    scene = look.scene
    if place.kind == "tokens":
        tokens = tokens_in(look, place, indices, at)
        return tuple(
            Item(look.short(place.type, kind), number, icon(symbols.token(kind), seat_class(tokens.owner)))
            for kind, number in tokens.counts
            if kind >= 0
        )
    zone = container(place)
    told = zone.told(scene.state.cells, at, place.width) if zone is not None else []
    every = told if zone is not None and zone.ordered else sorted(set(told))
    return tuple(card(look, place.type, face, 1 if zone and zone.ordered else told.count(face)) for face in every)


def card(look: Look, kind: Type, face: int, count: int) -> Item:
    """A card with what it brings drawn on it."""
    model = look.scene.state.game.model
    on_card = things.brought_symbols(look, kind, face)[: things.MOST_SYMBOLS]
    drawn = [things.symbol(one, 200 * number, 0, symbols.SIZE) for number, one in enumerate(on_card)]
    box = f"-6 -6 {200 * len(drawn) + 12} 212"
    picture = things.drawing(drawn, box, "symbols", aria_hidden="true", focusable="false") if drawn else None
    return Item(look.short(kind, face), count, picture, place_key((kind.name, face)), model.value_name(kind, face))


def _zone(look: Look, place: ir.Field, indices: tuple[int, ...], at: int, title: str) -> Value | None:
    """A copy of a zone as its viewer knows it; None for one of which they do not even know how much it holds."""
    if look.scene.visible(place, indices):
        found = items(look, place, indices, at)
        return Value(title, "" if found else "–", found)
    if look.scene.sized(place, indices):
        return Value(title, look.scene.narrator.words.number(look.scene.size(place, at)))
    return None


def _remembered(look: Look, place: ir.Field, indices: tuple[int, ...], at: int, title: str) -> Value | None:
    if not look.scene.visible(place, indices):
        return None
    value = look.scene.state.cells[at]
    if place.type.kind == "truth":
        return Value(title, look.scene.narrator.words.value(bool(value)))
    if place.type.kind == "number":
        return Value(title, look.scene.narrator.words.number(value))
    return Value(title, look.short(place.type, value) if value >= 0 else "–")


# ---- players -------------------------------------------------------------------------------------------------------


def players(look: Look, waiting: Sequence[int]) -> tuple[Row, ...]:
    """Everybody at the table with all that can be known of what is theirs, always the same columns."""
    scene = look.scene
    values: list[list[Value]] = [[] for _ in scene.narrator.names]
    words, now = scene.narrator.words, standing(scene.position, scene.viewer)
    for place in scene.places:
        if place.indices != (PLAYER,) or not _shown(look, place):
            continue
        for (seat,), at in copies(place):
            title, found = scene.name(place), None
            if place.kind == "score":
                found = Value(title, words.number(scene.state.cells[at]), main=True)
            elif place.kind in ZONES and place.seen == "owner":
                # What it is, its owner sees in hand.
                found = Value(title, words.number(scene.size(place, at)))
            elif place.kind in ZONES:
                found = _zone(look, place, (seat,), at, title)
            elif place.kind == "remember":
                found = _remembered(look, place, (seat,), at, title)
            values[seat] += [found or Value(title, "–")]
            if place.kind == "score" and now is not None:
                values[seat] += [Value(words.say("standing.title"), words.number(now[seat]), main=True)]
    for seat, value in enumerate(_figures(look)):
        values[seat] += value
    return tuple(
        Row(
            seat, name, badge(look, seat), seat in waiting, seat == scene.viewer,
            tuple(sorted(values[seat], key=lambda v: not v.main)),
        )
        for seat, name in enumerate(scene.narrator.names)
    )  # fmt: skip


def _shown(look: Look, place: ir.Field) -> bool:
    """Whether there is anything to be seen of a place of players, for anybody."""
    return place.kind == "score" or place.seen in ("all", "owner") or (place.kind in ZONES and place.seen == "number")


def _figures(look: Look) -> list[list[Value]]:
    """The figures that players hold, where a game has some."""
    scene, model = look.scene, look.scene.state.game.model
    place = next((p for p in scene.places if p.kind == "holder"), None)
    found: list[list[Value]] = [[] for _ in scene.narrator.names]
    if place is None:
        return found
    title = scene.narrator.words.capital(scene.narrator.words.term("figure", spec="pl"))
    held: list[list[str]] = [[] for _ in scene.narrator.names]
    for number, figure in enumerate(model.figures):
        holder = scene.state.cells[place.at(number)]
        if holder >= 0:
            held[holder].append(look.term(figure))
    for seat, names in enumerate(held):
        found[seat].append(Value(title, look.chain(names) if names else "–"))
    return found


def hand(look: Look) -> tuple[Holding, ...]:
    """What lies before the viewer and is seen by them alone."""
    viewer = look.scene.viewer
    found = []
    for place in look.scene.places:
        if viewer is None or place.indices != (PLAYER,) or place.kind not in ZONES or place.seen != "owner":
            continue
        declared = look.scene.state.game.model.declared.zones.get(place.name)
        small = declared is not None and declared.kind == "heap"
        found.append(Holding(look.scene.name(place), items(look, place, (viewer,), place.at(viewer)), small))
    return tuple(sorted(found, key=lambda holding: holding.small))


# ---- what belongs to nobody ----------------------------------------------------------------------------------------


def common(look: Look) -> tuple[Value, ...]:
    """What belongs to nobody and lies on no board."""
    found = []
    for place in look.scene.places:
        if place.indices:
            continue
        value = None
        if place.kind in ZONES:
            value = _zone(look, place, (), place.base, look.scene.name(place))
        elif place.kind == "remember" and place.type.kind != "truth":
            value = _remembered(look, place, (), place.base, look.scene.name(place))
        found += [value] if value is not None else []
    return tuple(found)


def notes(look: Look) -> tuple[str, ...]:
    """What is remembered and holds now."""
    return tuple(
        look.scene.name(place)
        for place in look.scene.places
        if not place.indices and place.kind == "remember" and place.type.kind == "truth"
        if look.scene.state.cells[place.base]
    )


def tracks(look: Look) -> Iterator[Track]:
    """Each track with its phases, where its marker stands, and what tables say for this phase."""
    model = look.scene.state.game.model
    for place in look.scene.places:
        if place.kind != "track":
            continue
        position, first, phases, now = look.scene.state.cells[place.base], 0, [], ""
        for phase, spaces in model.tracks[place.name]:
            here = first <= position < first + spaces
            now = phase if here else now
            phases.append(Phase(look.term(phase), tuple(range(first + 1, first + spaces + 1)), here))
            first += spaces
        yield Track(look.scene.name(place), position + 1, first, tuple(phases), tuple(_tables(look, now)))


def _tables(look: Look, phase: str) -> Iterator[Value]:
    """Of each table of numbers by phase, what holds in this phase."""
    model = look.scene.state.game.model
    for name, table in model.tables.items():
        if table.value.kind != "number" or len(table.keys) != 2 or any(k.kind != "enum" for k in table.keys):
            continue
        for axis, key in enumerate(table.keys):
            if phase in model.enums[key.name]:
                other, column = table.keys[1 - axis], model.enums[key.name].index(phase)
                found = []
                for i in range(table.sizes[1 - axis]):
                    row, col = (i, column) if axis == 1 else (column, i)
                    found.append(Item(look.short(other, i), table.cells[row * table.sizes[1] + col]))
                yield Value(look.term(name), items=tuple(found))


def lines(look: Look) -> Iterator[Lines]:
    """For each enumeration with zones of its own a row for each value."""
    by_kind: dict[Type, list[ir.Field]] = {}
    for place in look.scene.places:
        if place.kind in ZONES and len(place.indices) == 1 and place.indices[0].kind == "enum":
            by_kind.setdefault(place.indices[0], []).append(place)
    for kind, places in by_kind.items():
        markers = [
            p for p in look.scene.places if p.kind == "remember" and p.indices == (PLAYER,) and p.type == kind
        ]  # fmt: skip
        rows = tuple(
            Line(
                look.short(kind, value),
                place_key((kind.name, value)),
                tuple(_standing(look, markers, value)),
                tuple(
                    found
                    for place in places
                    if (found := _zone(look, place, (value,), place.at(value), look.scene.name(place)))
                ),
            )
            for value in range(places[0].sizes[0])
        )
        yield Lines(look.term(kind.name), rows)


def _standing(look: Look, markers: Sequence[ir.Field], value: int) -> Iterator[Item]:
    for seat in range(look.scene.state.game.seats):
        if any(look.scene.state.cells[p.at(seat)] == value for p in markers):
            yield Item(look.scene.narrator.names[seat], 1, badge(look, seat))

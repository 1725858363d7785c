"""View of everything beside the boards: players, the viewer's hand, tracks, rows and common zones.

The content comes from the declarations of the rules, filtered for the viewer; templates display it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.base.markup import Tag
from wongar_dsl.compiler import ir
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.render.component_svg import cards as symbols
from wongar_dsl.render.position_svg import svg_symbols
from wongar_dsl.render.position_svg.render_context import RenderContext, place_key, seat_class, tokens_in
from wongar_dsl.session.scene import ZONES, FieldCopy


@dataclass(frozen=True)
class ShownItem:
    """A displayed item: text, count, picture, and the key of its location."""

    text: str
    count: int = 1
    picture: Tag | None = None
    key: str = ""
    #: Its name in the rules, by which the style sheet may assign a colour.
    name: str = ""


@dataclass(frozen=True)
class Value:
    """A value of a player with its heading: a text or items."""

    title: str
    text: str = ""
    items: tuple[ShownItem, ...] = ()
    main: bool = False


def icon(drawn: Sequence[Tag], classes: str = "") -> Tag:
    """Return a symbol for use within text."""
    box = f"-6 -6 {symbols.SIZE + 12} {symbols.SIZE + 12}"
    return svg_symbols.drawing(drawn, box, f"icon {classes}".strip(), aria_hidden="true", focusable="false")


def badge(context: RenderContext, seat: int) -> Tag:
    """Return the letter of a player as an icon."""
    drawn = svg_symbols.letter(context, seat, 0, 0, symbols.SIZE)
    return svg_symbols.drawing([drawn], "0 0 200 200", "icon", aria_hidden="true", focusable="false")


# ---- contents of a zone --------------------------------------------------------------------------------------------


def items(context: RenderContext, copy: FieldCopy) -> tuple[ShownItem, ...]:
    """Return the visible contents of a copy of a zone."""
    field = copy.field
    if field.traits.tokens:
        tokens = tokens_in(context, copy)
        return tuple(
            ShownItem(context.short(field.type, kind), number, icon(symbols.token(kind), seat_class(tokens.owner)))
            for kind, number in tokens.counts
            if kind >= 0
        )
    contents = context.scene.things(copy)
    every = contents if field.traits.ordered else sorted(set(contents))
    return tuple(card(context, field.type, face, 1 if field.traits.ordered else contents.count(face)) for face in every)


def card(context: RenderContext, kind: Type, face: int, count: int) -> ShownItem:
    """Return a card with the symbols of its effects."""
    model = context.scene.state.game.model
    on_card = svg_symbols.effect_symbols(context, kind, face)[: svg_symbols.MAX_SYMBOLS]
    drawn = [svg_symbols.symbol(element, 200 * number, 0, symbols.SIZE) for number, element in enumerate(on_card)]
    box = f"-6 -6 {200 * len(drawn) + 12} 212"
    picture = svg_symbols.drawing(drawn, box, "symbols", aria_hidden="true", focusable="false") if drawn else None
    return ShownItem(
        context.listed(kind, face), count, picture, place_key((kind.name, face)), model.value_name(kind, face)
    )


def _zone(context: RenderContext, spot: FieldCopy, title: str) -> Value:
    """Return a copy of a zone as the viewer knows it."""
    if context.scene.visible(spot):
        zone_items = items(context, spot)
        return Value(title, "" if zone_items else "–", zone_items)
    if context.scene.knows_size(spot):
        return Value(title, context.scene.narrator.words.number(context.scene.size(spot)))
    return Value(title, context.scene.hidden_text)


def _remembered(context: RenderContext, spot: FieldCopy, title: str) -> Value:
    value, kind = context.scene.value(spot), spot.field.type
    if value is None:
        return Value(title, context.scene.hidden_text)
    if kind.kind == "truth":
        return Value(title, context.scene.narrator.words.value(bool(value)))
    if kind.kind == "number":
        return Value(title, context.scene.narrator.words.number(value))
    return Value(title, context.short(kind, value) if value >= 0 else "–")


# ---- players -------------------------------------------------------------------------------------------------------


def players(context: RenderContext, waiting: Sequence[int]) -> list[dict[str, Any]]:
    """Return all players with their visible values, always in the same columns, and whether they are to move."""
    scene = context.scene
    values: list[list[Value]] = [[] for _ in scene.narrator.names]
    words, now = scene.narrator.words, provisional_scores(scene.position, scene.viewer)
    for place in scene.fields:
        if not _shown(place):
            continue
        titled = ((title, spot) for title, spots in scene.copies_by_seat(place) for spot in spots)
        for title, spot in titled:
            seat = spot.indices[place.indices.index(PLAYER)]
            value = None
            if place.kind == "score":
                value = Value(title, words.number(scene.value(spot) or 0), main=True)
            elif place.kind in ZONES and place.seen == "owner":
                # The owner sees the contents in their hand.
                value = Value(title, words.number(scene.size(spot)))
            elif place.kind in ZONES:
                value = _zone(context, spot, title)
            elif place.kind == "remember":
                value = _remembered(context, spot, title)
            values[seat] += [value or Value(title, "–")]
            if place.kind == "score" and now is not None:
                values[seat] += [Value(words.say("standing.title"), words.number(now[seat]), main=True)]
    for seat, figures in enumerate(_figures(context)):
        values[seat].append(figures)
    return [
        {
            "seat": seat,
            "name": name,
            "letter": badge(context, seat),
            "turn": seat in waiting,
            "mine": seat == scene.viewer,
            "values": sorted(values[seat], key=lambda v: not v.main),
        }
        for seat, name in enumerate(scene.narrator.names)
    ]


def _shown(field: ir.Field) -> bool:
    """Return whether a field of players is visible to any player."""
    return field.kind == "score" or field.seen in ("all", "owner") or (field.kind in ZONES and field.seen == "number")


def _figures(context: RenderContext) -> list[Value]:
    """Return the figures of each player, if the game has any."""
    words = context.scene.narrator.words
    title = words.capital(words.term("figure", spec="pl"))
    held = ([context.term(figure) for figure in figures] for figures in context.scene.figures_by_seat())
    return [Value(title, context.chain(names) if names else "–") for names in held]


def hand(context: RenderContext) -> list[dict[str, Any]]:
    """Return the viewer's hidden holdings by zone; `small` ones are heaps rather than hands, and come last."""
    viewer = context.scene.viewer
    holdings = []
    for place in context.scene.fields:
        if viewer is None or place.kind not in ZONES or place.seen != "owner":
            continue
        declared = context.scene.state.game.model.declared.zones.get(place.name)
        small = declared is not None and declared.traits.heaped
        for title, spots in context.scene.copies_by_seat(place):
            holdings.append({"title": title, "cards": items(context, spots[viewer]), "small": small})
    return sorted(holdings, key=lambda holding: bool(holding["small"]))


# ---- common zones --------------------------------------------------------------------------------------------------


def common(context: RenderContext) -> tuple[Value, ...]:
    """Return the zones and values that belong to no player and no board."""
    values = []
    for place in context.scene.fields:
        if place.indices or context.scene.hides_copies(place):
            continue
        if place.kind in ZONES:
            values.append(_zone(context, FieldCopy(place), context.scene.name(place)))
        elif place.kind == "remember" and place.type.kind != "truth":
            values.append(_remembered(context, FieldCopy(place), context.scene.name(place)))
    return tuple(values)


def notes(context: RenderContext) -> tuple[str, ...]:
    """Return the remembered yes/no values that are true."""
    return tuple(
        context.scene.name(place)
        for place in context.scene.fields
        if not place.indices and place.kind == "remember" and place.type.kind == "truth"
        if context.scene.value(FieldCopy(place))
    )


def tracks(context: RenderContext) -> Iterator[dict[str, Any]]:
    """Yield each track with its phases, the position of its marker, and the table entries for the current phase."""
    for track in context.scene.tracks():
        phases = [
            {"name": context.term(phase), "spaces": range(first + 1, first + spaces + 1), "here": phase == track.phase}
            for phase, first, spaces in track.phases
        ]
        title, tables = context.scene.name(track.field), list(_tables(context, track.phase))
        yield {"title": title, "at": track.space + 1, "of": track.length, "phases": phases, "tables": tables}


def _tables(context: RenderContext, phase: str) -> Iterator[Value]:
    """Yield the entries for a phase from every lookup table of numbers keyed by phase."""
    for name, key, numbers in context.scene.phase_tables(phase):
        entries = (ShownItem(context.short(key, value), number) for value, number in enumerate(numbers))
        yield Value(context.term(name), items=tuple(entries))


def lines(context: RenderContext) -> Iterator[dict[str, Any]]:
    """Yield, for each enumeration that indexes zones and values, a row for each value; of several, each has a title.

    A row has the players there, and contents with the next item first.
    """
    scene = context.scene
    for kind, row in scene.rows.items():
        standing = scene.standing(kind)
        is_alone = len(row[0]) == 1 and row[0][0].is_zone
        rows = [
            {
                "name": context.short(kind, value),
                "key": place_key((kind.name, value)),
                "standing": [
                    ShownItem(scene.narrator.names[seat], 1, badge(context, seat))
                    for seat, places in enumerate(standing)
                    if value in places
                ],
                "zones": [
                    (_zone if spot.is_zone else _remembered)(
                        context, spot, "" if is_alone else scene.copy_name(spot, 0)
                    )
                    for spot in spots
                ],
            }
            for value, spots in enumerate(row)
        ]
        yield {"title": context.term(kind.name), "rows": rows}

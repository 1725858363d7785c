"""Text rendering of tracks with their tables, and of zones and values that belong to no player and no board."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler import ir

from .lines import Line
from .scene import ZONES, TextScene
from .wrap import wrap_items


def tracks(scene: TextScene) -> Iterator[Line]:
    """Yield each track with its phases, the position of its marker, and the table entries for the current phase."""
    model, narrator = scene.state.game.model, scene.narrator
    for place in scene.fields:
        if place.kind != "track":
            continue
        position = scene.state.cells[place.base]
        items: list[Line] = [[("strong", scene.name(place))]]
        first, now = 0, ""
        for phase, spaces in model.tracks[place.name]:
            is_current = first <= position < first + spaces
            now = phase if is_current else now
            row = "".join(
                scene.sign("◆", "X") if first + i == position else scene.sign("·", ".") for i in range(spaces)
            )
            items.append([("strong" if is_current else "", f"{narrator.term(phase)} [{row}]")])
            first += spaces
        items.append([("", f"{position + 1}/{first}")])
        yield from wrap_items(scene, items, "  ")
        yield from tables(scene, now)


def tables(scene: TextScene, phase: str) -> Iterator[Line]:
    """Yield the entries for a phase from every lookup table of numbers keyed by phase."""
    narrator = scene.narrator
    for name, key, numbers in scene.phase_tables(phase):
        cells = [f"{narrator.short(key, value)} {number}" for value, number in enumerate(numbers)]
        cells = [narrator.words.label(narrator.words.capital(narrator.term(name))) + cells[0], *cells[1:]]
        comma = narrator.words.chain(["", ""]).strip()
        items: list[Line] = [[("faint", cell + comma)] for cell in cells[:-1]]
        yield from wrap_items(scene, [*items, [("faint", cells[-1])]], " ")


def common(scene: TextScene) -> Iterator[Line]:
    """Yield the zones and values that belong to no player and no board."""
    yield from wrap_items(scene, items(scene), scene.sign(" · ", " | "))


def items(scene: TextScene) -> list[Line]:
    """Return the zones and values that belong to no player and no board, one item each."""
    lines: list[Line] = []
    for place in scene.fields:
        if place.indices:
            continue
        if place.kind in ZONES:
            content = scene.content(place, (), place.base)
            if content:
                lines.append([("", scene.narrator.words.label(scene.name(place))), ("card", content)])
        elif place.kind == "remember" and scene.visible(place, ()):
            lines += _remembered(scene, place, place.base)
    return lines


def _remembered(scene: TextScene, field: ir.Field, at: int) -> list[Line]:
    value = scene.state.cells[at]
    if field.type.kind == "truth":
        return [[("strong", scene.name(field))]] if value else []
    if field.type.kind == "number":
        return [[("", scene.narrator.words.label(scene.name(field)) + scene.narrator.words.number(value))]]
    if value < 0:
        return []
    return [[("", scene.narrator.words.label(scene.name(field)) + scene.full(field.type, value))]]

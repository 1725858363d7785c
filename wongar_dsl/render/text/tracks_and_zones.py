"""Text rendering of tracks with their tables, and of zones and values that belong to no player and no board."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler import ir
from wongar_dsl.session.board.scene import FieldCopy

from .lines import Line
from .scene import ZONES, TextScene
from .wrap import wrap_items


def tracks(scene: TextScene) -> Iterator[Line]:
    """Yield each track with its phases, the position of its marker, and the table entries for the current phase."""
    marker, empty = scene.sign("◆", "X"), scene.sign("·", ".")
    for track in scene.tracks():
        items: list[Line] = [[("strong", scene.name(track.field))]]
        for phase, first, spaces in track.phases:
            row = "".join(marker if space == track.space else empty for space in range(first, first + spaces))
            style = "strong" if phase == track.phase else ""
            items.append([(style, f"{scene.narrator.term(phase)} [{row}]")])
        items.append([("", f"{track.space + 1}/{track.length}")])
        yield from wrap_items(scene, items, "  ")
        yield from tables(scene, track.phase)


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
            content = scene.content(FieldCopy(place))
            if content:
                lines.append([("", scene.narrator.words.label(scene.name(place))), ("card", content)])
        elif place.kind == "remember" and (value := scene.value(FieldCopy(place))) is not None:
            lines += _remembered(scene, place, value)
    return lines


def _remembered(scene: TextScene, field: ir.Field, value: int) -> list[Line]:
    if field.type.kind == "truth":
        return [[("strong", scene.name(field))]] if value else []
    if field.type.kind == "number":
        return [[("", scene.narrator.words.label(scene.name(field)) + scene.narrator.words.number(value))]]
    if value < 0:
        return []
    return [[("", scene.narrator.words.label(scene.name(field)) + scene.full(field.type, value))]]

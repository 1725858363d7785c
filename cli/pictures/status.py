"""What belongs to nobody: tracks with their tables, and zones and values that lie on no board."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl import ir

from ..terminal.screen import Line
from .flow import flow
from .scene import ZONES, Scene


def tracks(scene: Scene) -> Iterator[Line]:
    """Each track with its phases, where its marker stands, and what tables say for this phase."""
    model, narrator = scene.state.game.model, scene.narrator
    for place in scene.places:
        if place.kind != "track":
            continue
        position = scene.state.cells[place.base]
        items: list[Line] = [[("strong", scene.name(place))]]
        first, now = 0, ""
        for phase, spaces in model.tracks[place.name]:
            here = first <= position < first + spaces
            now = phase if here else now
            row = "".join(
                scene.sign("◆", "X") if first + i == position else scene.sign("·", ".") for i in range(spaces)
            )
            items.append([("strong" if here else "", f"{narrator.term(phase)} [{row}]")])
            first += spaces
        items.append([("", f"{position + 1}/{first}")])
        yield from flow(scene, items, "  ")
        yield from tables(scene, now)


def tables(scene: Scene, phase: str) -> Iterator[Line]:
    """Of each table of numbers by phase, what holds in this phase."""
    model, narrator = scene.state.game.model, scene.narrator
    for name, table in model.tables.items():
        if table.value.kind != "number" or len(table.keys) != 2 or any(k.kind != "enum" for k in table.keys):
            continue
        for axis, key in enumerate(table.keys):
            if phase in model.enums[key.name]:
                other, column = table.keys[1 - axis], model.enums[key.name].index(phase)
                cells = []
                for i in range(table.sizes[1 - axis]):
                    row, col = (i, column) if axis == 1 else (column, i)
                    cells.append(f"{narrator.short(other, i)} {table.cells[row * table.sizes[1] + col]}")
                cells = [narrator.words.label(narrator.words.capital(narrator.term(name))) + cells[0], *cells[1:]]
                comma = narrator.words.chain(["", ""]).strip()
                items: list[Line] = [[("faint", cell + comma)] for cell in cells[:-1]]
                yield from flow(scene, [*items, [("faint", cells[-1])]], " ")


def common(scene: Scene) -> Iterator[Line]:
    """What belongs to nobody and lies on no board."""
    yield from flow(scene, items(scene), scene.sign(" · ", " | "))


def items(scene: Scene) -> list[Line]:
    """What belongs to nobody and lies on no board, one thing after the other."""
    found: list[Line] = []
    for place in scene.places:
        if place.indices:
            continue
        if place.kind in ZONES:
            content = scene.content(place, (), place.base)
            if content:
                found.append([("", scene.narrator.words.label(scene.name(place))), ("card", content)])
        elif place.kind == "remember" and scene.visible(place, ()):
            found += _remembered(scene, place, place.base)
    return found


def _remembered(scene: Scene, place: ir.Field, at: int) -> list[Line]:
    value = scene.state.cells[at]
    if place.type.kind == "truth":
        return [[("strong", scene.name(place))]] if value else []
    if place.type.kind == "number":
        return [[("", scene.narrator.words.label(scene.name(place)) + scene.narrator.words.number(value))]]
    if value < 0:
        return []
    return [[("", scene.narrator.words.label(scene.name(place)) + scene.full(place.type, value))]]

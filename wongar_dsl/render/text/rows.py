"""Text rendering of zones indexed by an enumeration, as rows: `Row 1  A B  red  blue  green +9`."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.base.text.width import pad
from wongar_dsl.base.text.width import width as cells_of
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.language.semantics import Type

from .lines import Line, Piece, seat_style
from .scene import TextScene

PLAYER = Type("player")


def draw(scene: TextScene) -> Iterator[Line]:
    """Yield a row for each value of each enumeration: players there, and contents with the next item first.

    Of several zones of an enumeration, the row names each.
    """
    for kind, places in scene.zones_by_enum.items():
        markers = [
            p for p in scene.places if p.kind == "remember" and p.indices == (PLAYER,) and p.type == kind
        ]  # fmt: skip
        names = [scene.narrator.words.capital(scene.short(kind, i)) for i in range(places[0].sizes[0])]
        room = max(map(cells_of, names))
        seats = scene.state.game.seats if markers else 0
        for value, name in enumerate(names):
            line: list[Piece] = [("strong", pad(name, room)), ("", " ")]
            for seat in range(seats):
                is_present = any(_stands(scene, p, seat) == value for p in markers)
                line.append((seat_style(seat), scene.letters[seat] if is_present else " "))
            for place in places:
                title = f"{scene.name(place)} " if len(places) > 1 else ""
                content = _content(scene, place, value, scene.width - room - seats - 4 - cells_of(title))
                line += [("", "  "), ("faint", title), *content] if content else []
            yield line


def _stands(scene: TextScene, field: ir.Field, seat: int) -> int:
    return scene.state.cells[field.at(seat)]


def _content(scene: TextScene, field: ir.Field, value: int, room: int) -> list[Piece]:
    """Return the contents of one copy of a zone, empty if it is; for a pile from the top, as many as fit."""
    if scene.hides_copies(field):
        return [("faint", scene.hidden_text)]
    cell = next(address for indices, address in copies(field) if indices == (value,))
    zone = container(field)
    if zone is None or not zone.ordered or not scene.visible(field, (value,)):
        content = scene.content(field, (value,), cell)
        return [("card", content)] if content else []
    names = [scene.short(field.type, c) for c in zone.ordered_things(scene.state.cells, cell, field.width)]
    every = range(scene.state.game.model.size(field.type, 0))
    wide = max(cells_of(scene.short(field.type, c)) for c in every)
    shown = min(len(names), max(1, (room - 4) // (wide + 2)))
    line: list[Piece] = [("card", "  " * bool(n) + pad(name, wide)) for n, name in enumerate(names[:shown])]
    if len(names) > shown:
        line.append(("faint", f"  +{len(names) - shown}"))
    return line

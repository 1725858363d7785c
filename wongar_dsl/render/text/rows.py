"""Text rendering of zones indexed by an enumeration, as rows: `Row 1  A B  red  blue  green +9`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wongar_dsl.base.text.width import pad
from wongar_dsl.base.text.width import width as cells_of
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.session.board.scene import FieldCopy

from .lines import Line, Piece, seat_style
from .players import value_text
from .scene import TextScene
from .wrap import wrap_items


def draw(scene: TextScene) -> Iterator[Line]:
    """Yield a row for each value of each enumeration: players there, and contents with the next item first.

    Of several zones and values of an enumeration, the row names each.
    """
    for kind, row in scene.rows.items():
        standing = scene.standing(kind)
        names = [scene.narrator.words.capital(scene.short(kind, i)) for i in range(len(row))]
        room = max(map(cells_of, names))
        for value, (name, spots) in enumerate(zip(names, row, strict=True)):
            line: list[Piece] = [("strong", pad(name, room)), ("", " ")]
            for seat, places in enumerate(standing):
                line.append((seat_style(seat), scene.letters[seat] if value in places else " "))
            is_alone = len(spots) == 1 and spots[0].is_zone
            titles = ["" if is_alone else f"{scene.copy_name(spot, 0)} " for spot in spots]
            contents = map(partial(_titled, scene, scene.width - room - len(standing) - 4), titles, spots)
            items = [item for item in contents if item]
            if items or any(spot.is_zone for spot in spots):
                yield from wrap_items(scene, [line, *items], "  ")


def _titled(scene: TextScene, room: int, title: str, spot: FieldCopy) -> Line:
    """Return a copy of a zone or value with its title; nothing if it is empty or not set."""
    if spot.is_zone:
        content = _content(scene, spot, room - cells_of(title))
    else:
        text = value_text(scene, spot) if scene.visible(spot) else ""
        content = [("", text)] if text else []
    return [("faint", title), *content] if content and title else content


def _content(scene: TextScene, copy: FieldCopy, room: int) -> list[Piece]:
    """Return the contents of one copy of a zone, empty if it is; for a pile from the top, as many as fit."""
    field = copy.field
    if scene.hides_copies(field):
        return [("faint", scene.hidden_text)]
    zone = container(field)
    if zone is None or not zone.ordered or not scene.visible(copy):
        content = scene.content(copy)
        return [("card", content)] if content else []
    names = [scene.short(field.type, c) for c in scene.things(copy)]
    every = range(scene.state.game.model.size(field.type, 0))
    wide = max(cells_of(scene.short(field.type, c)) for c in every)
    shown = min(len(names), max(1, (room - 4) // (wide + 2)))
    line: list[Piece] = [("card", "  " * bool(n) + pad(name, wide)) for n, name in enumerate(names[:shown])]
    if len(names) > shown:
        line.append(("faint", f"  +{len(names) - shown}"))
    return line

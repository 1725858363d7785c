"""Text rendering of the players: a table of their belongings, and the viewer's hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine.provisional_scores import provisional_scores
from wongar_dsl.session.board.scene import FieldCopy

from .lines import Line, Piece, pad_line, seat_style
from .scene import ZONES, TextScene
from .wrap import wrap_items


def table(scene: TextScene) -> list[Line]:
    """Return the table of the players, one row each."""
    return _rows(scene, columns(scene))


def columns(scene: TextScene) -> list[tuple[str, list[str]]]:
    """Return a column for everything that a player can have, with each player's value.

    Columns are shown even if empty, so that none appears or disappears.
    """
    result: list[tuple[str, list[str]]] = []
    words = scene.narrator.words
    for place, name, spots in _of_players(scene):
        if place.kind == "score":
            result.append((name, [words.number(scene.value(spot) or 0) for spot in spots]))
            if (now := provisional_scores(scene.position, scene.viewer)) is not None:
                result.append((words.say("standing.title"), [words.number(number) for number in now]))
        elif place.kind in ZONES and place.seen != "nobody":
            texts = [_held(scene, spot) for spot in spots]
            result.append((name, [t or scene.sign("–", "-") for t in texts]))
        elif place.kind == "remember" and any(map(scene.visible, spots)):
            texts = [value_text(scene, spot) for spot in spots]
            result.append((name, [t or scene.sign("–", "-") for t in texts]))
    if held := held_figures(scene):
        result.append((words.capital(words.term("figure", spec="pl")), held))
    return result


def _held(scene: TextScene, copy: FieldCopy) -> str:
    """Return what a player has in a zone; of one that only its owner sees, the size, or for a slot its visible card."""
    if copy.field.seen != "owner":
        return scene.content(copy)
    size = scene.size(copy)
    if not _is_single(copy.field):
        return str(size)
    if scene.visible(copy):
        return scene.content(copy)
    return scene.hidden_sign if size else ""


def hides_values(scene: TextScene) -> bool:
    """Return whether the table shows a sign for what only another player sees: a value, or the card in a slot."""
    places = [place for place, _, _ in _of_players(scene) if place.seen == "owner"]
    values = scene.viewer is not None and any(p.kind == "remember" and scene.hides_copies(p) for p in places)
    return values or any(map(_is_single, places))


def _is_single(field: ir.Field) -> bool:
    """Return whether a field is a zone with room for one card."""
    zone = container(field)
    return zone is not None and zone.single


def hands(scene: TextScene) -> list[Line]:
    """Return the viewer's hidden holdings; nothing for a spectator."""
    items = hand_lines(scene)
    if items and scene.viewer is not None:
        items.insert(0, [(seat_style(scene.viewer), scene.names[scene.viewer])])
    return list(wrap_items(scene, items, scene.sign(" · ", " | ")))


def hand_lines(scene: TextScene) -> list[Line]:
    """Return the viewer's hidden holdings by zone."""
    items: list[Line] = []
    for place, name, spots in _of_players(scene) if scene.viewer is not None else ():
        if place.kind in ZONES and place.seen == "owner":
            mine = scene.content(spots[scene.viewer or 0]) or scene.sign("–", "-")
            items.append([("", scene.narrator.words.label(name)), ("card", mine)])
    return items


def _of_players(scene: TextScene) -> Iterator[tuple[ir.Field, str, Sequence[FieldCopy]]]:
    """Yield each field of the players with a title and its copies by seat, for all values of its other indices."""
    yield from ((place, title, spots) for place in scene.fields for title, spots in scene.copies_by_seat(place))


def value_text(scene: TextScene, copy: FieldCopy) -> str:
    """Return a remembered value, empty for one that is not set."""
    value, kind = scene.value(copy), copy.field.type
    if value is None:
        return scene.hidden_sign
    if kind.kind == "truth":
        return scene.sign("✓", "x") if value else ""
    if kind.kind == "number":
        return str(value)
    return scene.short(kind, value) if value >= 0 else ""


def held_figures(scene: TextScene) -> list[str]:
    """Return the figures that each seat has, in words; empty if figures have no holders."""
    held = ([scene.narrator.term(figure, "short") for figure in figures] for figures in scene.figures_by_seat())
    return [scene.narrator.words.chain(names) if names else "" for names in held]


def _rows(scene: TextScene, columns: list[tuple[str, list[str]]]) -> list[Line]:
    words, names = scene.narrator.words, scene.names
    turn = scene.state.seat
    first = [
        f"{scene.letters[p]} {n}" if not n.upper().startswith(scene.letters[p]) else n for p, n in enumerate(names)
    ]
    widths = [max(words.width(t) for t in (title, *texts)) for title, texts in columns]
    name_width = min(16, max(words.width(n) for n in first))
    lines: list[Line] = []
    for band in bands(widths, scene.width - 3 - name_width):
        if 2 + name_width + sum(widths[c] + 2 for c in band) >= scene.width:
            title, texts = columns[band[0]]
            for seat, name in enumerate(first):
                items: list[Line] = [[_turn(scene, seat, turn), (seat_style(seat), name)]]
                items += [[("faint", f"{title} "), ("", texts[seat])]] if texts[seat] else []
                lines += list(wrap_items(scene, items, "  "))
            continue
        header: list[Piece] = [("", " " * (2 + name_width))]
        header += [("faint", "  " + words.pad(columns[c][0], widths[c])) for c in band]
        lines += [header] if band else []
        for seat, name in enumerate(first):
            row: list[Piece] = [_turn(scene, seat, turn), *pad_line([(seat_style(seat), name)], name_width)]
            row += [("", "  " + words.pad(columns[c][1][seat], widths[c])) for c in band]
            lines.append(row)
    return lines


def bands(widths: Sequence[int], room: int) -> list[list[int]]:
    """Split the columns of a table into as few tables as fit the width; a column that is too wide stands alone."""
    bands: list[list[int]] = [[]]
    for column, width in enumerate(widths):
        if bands[-1] and sum(widths[c] + 2 for c in bands[-1]) + width + 2 > room:
            bands.append([])
        bands[-1].append(column)
    return bands


def _turn(scene: TextScene, seat: int, turn: int) -> Piece:
    return ("strong", scene.sign("▶ ", "> ")) if seat == turn else ("", "  ")

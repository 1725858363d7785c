"""Text rendering of everything beside the boards: tracks with tables, zones and values, players, and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from wongar_dsl.base.terminal_text import pad
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.compiler import ir
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores
from wongar_dsl.session.scene import ZONES, FieldCopy

from .lines import Line, Piece, pad_line, seat_style
from .scene import TextScene, wrap_items


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


def players(scene: TextScene) -> list[Line]:
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
    if not copy.field.traits.single:
        return str(size)
    if scene.visible(copy):
        return scene.content(copy)
    return scene.hidden_sign if size else ""


def hides_values(scene: TextScene) -> bool:
    """Return whether the table shows a sign for what only another player sees: a value, or the card in a slot."""
    places = [place for place, _, _ in _of_players(scene) if place.seen == "owner"]
    values = scene.viewer is not None and any(p.kind == "remember" and scene.hides_copies(p) for p in places)
    return values or any(place.traits.single for place in places)


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


def rows(scene: TextScene) -> Iterator[Line]:
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
            contents = map(partial(_titled_copy, scene, scene.width - room - len(standing) - 4), titles, spots)
            items = [item for item in contents if item]
            if items or any(spot.is_zone for spot in spots):
                yield from wrap_items(scene, [line, *items], "  ")


def _titled_copy(scene: TextScene, room: int, title: str, spot: FieldCopy) -> Line:
    """Return a copy of a zone or value with its title; nothing if it is empty or not set."""
    if spot.is_zone:
        content = _row_content(scene, spot, room - cells_of(title))
    else:
        text = value_text(scene, spot) if scene.visible(spot) else ""
        content = [("", text)] if text else []
    return [("faint", title), *content] if content and title else content


def _row_content(scene: TextScene, copy: FieldCopy, room: int) -> list[Piece]:
    """Return the contents of one copy of a zone, empty if it is; for a pile from the top, as many as fit."""
    field = copy.field
    if scene.hides_copies(field):
        return [("faint", scene.hidden_text)]
    if not field.traits.ordered or not scene.visible(copy):
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

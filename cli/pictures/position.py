"""A position as a picture, for whoever looks at it: boards, tracks, players, hands.

Everything comes from what the rules declare (zones, boards, figures, tracks, scores) and from the words for it.  How a
board is drawn depends on what lies on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.model import Type
from wongar_dsl.model.boards import SQUARE, Graph
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, measure, padded, plain, seat_style
from . import area_board
from . import rows as lists
from .scene import ZONES, Scene


def picture(scene: Scene) -> list[Line]:
    """The whole table as the viewer sees it."""
    lines: list[Line] = []
    for name, board in scene.state.game.model.boards.items():
        lines += _board(scene, name, board)
    lines += list(_legend(scene))
    lines += list(_tracks(scene))
    lines += list(lists.draw(scene))
    lines += list(_common(scene))
    lines += _players(scene)
    return lines


def _board(scene: Scene, name: str, board: Graph) -> list[Line]:
    """A board: a map of hexagons or a grid where cards lie in its areas, else boxes with what belongs to them."""
    layout = _layout_on(scene, name)
    if layout is None:
        return area_board.draw(scene, board, lambda *box: area_board.inside(scene, name, *box))
    # Few games have cards laid on a board, and drawing these takes a lot.
    from . import hex_board, square_board

    if board.directions == SQUARE:
        return square_board.draw(scene, layout, name, board)
    return hex_board.draw(scene, layout, board)


def _layout_on(scene: Scene, name: str) -> ir.Field | None:
    """The layout that lies on a board, if there is one."""
    zones = scene.state.game.model.declared.zones
    return next((place for place in scene.places if place.name in zones and zones[place.name].board == name), None)


def _legend(scene: Scene) -> Iterator[Line]:
    """What the symbols mean."""
    narrator, model = scene.narrator, scene.state.game.model
    shown: dict[str, str] = {}
    for place in scene.places:
        if place.kind == "tokens":
            for kind in range(model.size(place.type, 0)):
                shown[scene.token(kind)] = narrator.words.capital(narrator.short(place.type, kind))
        on_board = any(t.kind == "board" for t in place.indices)
        if on_board and place.kind == "slot":
            shown[scene.sign("▸", ">")] = scene.name(place)
        if on_board and place.kind in ("pile", "heap"):
            shown["+n"] = scene.name(place)
    if any(figure.board is not None for figure in model.declared.figures.values()):
        shown[scene.sign("♟", "@")] = narrator.words.capital(narrator.words.term("figure"))
    yield from _flow(scene, [[("faint", f"{sign} {name}")] for sign, name in shown.items()], "  ")


def _flow(scene: Scene, items: Sequence[Line], between: str) -> Iterator[Line]:
    """Items one after the other, in as few lines as they fit."""
    line: list[Piece] = []
    for item in items:
        if line and measure(line) + len(between) + measure(item) > scene.width - 1:
            yield line
            line = []
        line = [*line, ("", between), *item] if line else list(item)
        while measure(line) > scene.width - 1:
            head, rest = _broken(line, scene.width - 1)
            if not rest:
                break
            yield head
            line = [("", "  "), *rest]
    if line:
        yield line


def _broken(line: Line, width: int) -> tuple[list[Piece], list[Piece]]:
    """What of a line fits into `width` cells, cut after the last comma, and the rest; no rest if there is no comma."""
    text = plain(line)
    cut = max(
        (at + 2 for at in range(len(text)) if text.startswith(", ", at) and cells_of(text[: at + 1]) <= width),
        default=0,
    )
    head: list[Piece] = []
    rest: list[Piece] = []
    for style, piece in line:
        head += [(style, piece[:cut])] if cut > 0 else []
        rest += [(style, piece[max(cut, 0) :])] if cut < len(piece) else []
        cut -= len(piece)
    return (head, rest) if head else (list(line), [])


def _tracks(scene: Scene) -> Iterator[Line]:
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
        yield from _flow(scene, items, "  ")
        yield from _tables(scene, now)


def _tables(scene: Scene, phase: str) -> Iterator[Line]:
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
                yield from _flow(scene, [*items, [("faint", cells[-1])]], " ")


def _common(scene: Scene) -> Iterator[Line]:
    """What belongs to nobody and lies on no board."""
    items: list[Line] = []
    for place in scene.places:
        if place.indices:
            continue
        if place.kind in ZONES:
            content = scene.content(place, (), place.base)
            if content:
                items.append([("", scene.narrator.words.label(scene.name(place))), ("card", content)])
        elif place.kind == "remember" and scene.visible(place, ()):
            items += _remembered(scene, place, place.base)
    yield from _flow(scene, items, scene.sign(" · ", " | "))


def _remembered(scene: Scene, place: ir.Field, at: int) -> list[Line]:
    value = scene.state.cells[at]
    if place.type.kind == "truth":
        return [[("strong", scene.name(place))]] if value else []
    if place.type.kind == "number":
        return [[("", scene.narrator.words.label(scene.name(place)) + scene.narrator.words.number(value))]]
    if value < 0:
        return []
    return [[("", scene.narrator.words.label(scene.name(place)) + scene.narrator.short(place.type, value))]]


# ---- players -------------------------------------------------------------------------------------------------------


def _players(scene: Scene) -> list[Line]:
    """A row for each player, and what the viewer holds."""
    player = Type("player")
    columns: list[tuple[str, list[str]]] = []
    held: list[Line] = []
    for place in scene.places:
        if place.indices != (player,):
            continue
        spots = list(copies(place))
        if place.kind == "score":
            columns.append((scene.name(place), [scene.narrator.words.number(scene.state.cells[at]) for _, at in spots]))
        elif place.kind in ZONES:
            hand = place.seen == "owner"
            texts = [str(scene.size(place, at)) if hand else scene.content(place, i, at) for i, at in spots]
            if any(t not in ("", "0") for t in texts):
                columns.append((scene.name(place), [t or "–" if scene.unicode else t or "-" for t in texts]))
            if hand and scene.viewer is not None:
                indices, at = spots[scene.viewer]
                mine = scene.content(place, indices, at) or scene.sign("–", "-")
                held.append([("", scene.narrator.words.label(scene.name(place))), ("card", mine)])
        elif place.kind == "remember":
            texts = _flags(scene, place, spots)
            if any(texts):
                columns.append((scene.name(place), texts))
    figures = _held_figures(scene)
    if any(figures):
        columns.append((scene.narrator.words.capital(scene.narrator.words.term("figure", spec="pl")), figures))
    if held and scene.viewer is not None:
        held.insert(0, [(seat_style(scene.viewer), scene.narrator.names[scene.viewer])])
    return [*_rows(scene, columns), *_flow(scene, held, scene.sign(" · ", " | "))]


def _flags(scene: Scene, place: ir.Field, spots: list[tuple[tuple[int, ...], int]]) -> list[str]:
    texts = []
    for indices, at in spots:
        value = scene.state.cells[at]
        if not scene.visible(place, indices):
            texts.append("")
        elif place.type.kind == "truth":
            texts.append(scene.sign("✓", "x") if value else "")
        elif place.type.kind == "number":
            texts.append(str(value))
        else:
            texts.append(scene.narrator.short(place.type, value) if value >= 0 else "")
    return texts


def _held_figures(scene: Scene) -> list[str]:
    game = scene.state.game
    place = next((p for p in scene.places if p.kind == "holder"), None)
    if place is None:
        return []
    held: list[list[str]] = [[] for _ in range(game.seats)]
    for number, figure in enumerate(game.model.figures):
        holder = scene.state.cells[place.at(number)]
        if holder >= 0:
            held[holder].append(scene.narrator.term(figure, "short"))
    return [scene.narrator.words.chain(names) if names else "" for names in held]


def _rows(scene: Scene, columns: list[tuple[str, list[str]]]) -> list[Line]:
    words, names = scene.narrator.words, scene.narrator.names
    turn = scene.state.seat
    first = [
        f"{scene.letters[p]} {n}" if not n.upper().startswith(scene.letters[p]) else n for p, n in enumerate(names)
    ]
    widths = [max(words.width(t) for t in (title, *texts)) for title, texts in columns]
    name_width = min(16, max(words.width(n) for n in first))
    lines: list[Line] = []
    for band in _bands(widths, scene.width - 3 - name_width):
        if 2 + name_width + sum(widths[c] + 2 for c in band) >= scene.width:
            title, texts = columns[band[0]]
            for seat, name in enumerate(first):
                items: list[Line] = [[_turn(scene, seat, turn), (seat_style(seat), name)]]
                items += [[("faint", f"{title} "), ("", texts[seat])]] if texts[seat] else []
                lines += list(_flow(scene, items, "  "))
            continue
        header: list[Piece] = [("", " " * (2 + name_width))]
        header += [("faint", "  " + words.pad(columns[c][0], widths[c])) for c in band]
        lines.append(header)
        for seat, name in enumerate(first):
            row: list[Piece] = [_turn(scene, seat, turn), *padded([(seat_style(seat), name)], name_width)]
            row += [("", "  " + words.pad(columns[c][1][seat], widths[c])) for c in band]
            lines.append(row)
    return lines


def _bands(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns of a table, by number, in as few tables below each other as fit; one too wide stands alone."""
    bands: list[list[int]] = [[]]
    for column, width in enumerate(widths):
        if bands[-1] and sum(widths[c] + 2 for c in bands[-1]) + width + 2 > room:
            bands.append([])
        bands[-1].append(column)
    return bands


def _turn(scene: Scene, seat: int, turn: int) -> Piece:
    return ("strong", scene.sign("▶ ", "> ")) if seat == turn else ("", "  ")

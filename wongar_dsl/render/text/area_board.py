"""Text rendering of a board of named areas in rows: each area a box with its name, cards, figures and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.session.scene import FieldCopy

from .lines import Line, Piece, line_text, line_width, pad_line, seat_style
from .scene import TextScene

WIDEST_BOX = 26
NARROWEST_BOX = 5
#: Usual height in lines of a row of boxes, and its height without separator lines.
ROW_HEIGHT, COMPACT_ROW_HEIGHT = 5, 3
#: Lines reserved for a legend before boxes are made higher than necessary.
LEGEND_ROWS = 3
#: Cells that a name needs with brackets and a star; with less, pile sizes are shown below the name.
MIN_NAME_CELLS = 7
#: Cells reserved for a pile symbol and size, so that the layout does not change when a pile shrinks.
PILE_CELLS = 3
#: Box drawing characters by the lines that meet: up, down, left, right.
CORNERS = {
    (0, 1, 0, 1): "┌", (0, 1, 1, 0): "┐", (1, 0, 0, 1): "└", (1, 0, 1, 0): "┘", (0, 0, 1, 1): "─",
    (0, 1, 1, 1): "┬", (1, 0, 1, 1): "┴", (1, 1, 1, 1): "┼", (1, 1, 0, 1): "├", (1, 1, 1, 0): "┤",
}  # fmt: skip


#: Callback for the lines inside the box of an area: its number, its name and the available cells.
Inside = Callable[[int, str, int], Iterator[Line]]


def named_board(scene: TextScene, name: str, board: Graph) -> list[Line]:
    """Draw a board with the contents of its areas, more compactly if the screen is low."""
    rows = len(board.rows)
    if not scene.height or scene.height >= rows * ROW_HEIGHT + 1:
        generous = scene.height >= rows * ROW_HEIGHT + 1 + LEGEND_ROWS
        return draw(scene, board, partial(box_content, scene, name), least=ROW_HEIGHT - 1 if generous else 1)
    compact = draw(scene, board, partial(box_content, scene, name, compact=True), ruled=False, least=COMPACT_ROW_HEIGHT)
    if scene.height >= rows * COMPACT_ROW_HEIGHT:
        return compact
    return min(compact, _listed(scene, name, board), key=len)


def draw(scene: TextScene, board: Graph, inside: Inside, ruled: bool = True, least: int = 1) -> list[Line]:
    """Draw the board from the contents of each area.

    Boxes have at least `least` lines, so that they rarely grow. With `ruled`, lines separate the rows.
    """
    most = max(len(row) for row in board.rows)
    box = max(3, min(WIDEST_BOX, (scene.width - 2) // most - 1))
    index = {area: i for i, area in enumerate(board.areas)}
    if board.steps:
        # A lattice has many spaces with little content each.
        box = min(
            box,
            max(NARROWEST_BOX, *(line_width(x) for row in board.rows for a in row for x in inside(index[a], a, box))),
        )
    starts = [(most - len(row)) * (box + 1) // 2 if board.offset else 0 for row in board.rows]
    edges = [
        [start + k * (box + 1) for k in range(len(row) + 1)] for start, row in zip(starts, board.rows, strict=True)
    ]
    lines: list[Line] = []
    above: list[int] = []
    for row, marks in zip(board.rows, edges, strict=True):
        lines += [[("faint", _border(above, marks, scene.unicode))]] if ruled else []
        boxes = [list(inside(index[area], area, box)) for area in row]
        for k in range(max(least, *(len(b) for b in boxes))):
            bar = scene.sign("│", "|")
            line: list[Piece] = [("", " " * marks[0]), ("faint", bar)]
            for content in boxes:
                line += [*pad_line(content[k] if k < len(content) else [], box), ("faint", bar)]
            lines.append(line)
        above = marks
    return [*lines, *([[("faint", _border(above, [], scene.unicode))]] if ruled else [])]


def _border(above: list[int], below: list[int], unicode: bool) -> str:
    """Return the separator between two rows of boxes."""

    def drawn(x: int) -> bool:
        """Return whether there is a line from x to x + 1."""
        return any(m and m[0] <= x < m[-1] for m in (above, below))

    text = ""
    for x in range(max(above[-1:] + below[-1:]) + 1):
        up, down = x in above, x in below
        line_left, line_right = drawn(x - 1), drawn(x)
        if not (line_left or line_right):
            text += " "
        elif not (up or down):
            text += "─" if unicode else "-"
        else:
            text += CORNERS[int(up), int(down), int(line_left), int(line_right)] if unicode else "+"
    return text


@dataclass(frozen=True)
class AreaContent:
    """The contents of an area: pile sizes, face-up cards, and figures and tokens."""

    piles: tuple[str, ...]
    cards: tuple[Line, ...]
    items: tuple[Line, ...]


def content(scene: TextScene, board: str, area: int) -> AreaContent:
    """Return the contents of an area, or the symbol for hidden contents if nothing is visible."""
    visible = visible_contents(scene, board, area)
    if visible == AreaContent((), (), ()) and Type("board", board) in scene.hiding:
        return AreaContent((), (), ([("faint", scene.hidden_sign)],))
    return visible


def visible_contents(scene: TextScene, board: str, area: int, without: Container[str] = ()) -> AreaContent:
    """Return the contents of an area, except remembered values with these names."""
    piles: list[str] = []
    cards: list[Line] = []
    tokens: list[Line] = []
    titled_piles: list[Line] = []
    for copy in scene.copies_by_area.get((board, area), ()):
        place = copy.field
        if place.traits.ordered or (place.traits.loose and not scene.visible(copy)):
            if top := scene.top_card(copy):
                size = f"{scene.pile(scene.size(copy))} ({top[1]})"
                cards.append(_titled(scene, copy, "card", size))
            elif scene.knows_size(copy):
                title, size = scene.title(copy), scene.pile(scene.size(copy))
                pile = _titled(scene, copy, "faint" if title else "", size)
                piles += [] if title else [line_text(pile)]
                titled_piles += [pile] if title else []
        elif place.traits.tokens:
            text = scene.tokens(copy)
            tokens += [_titled(scene, copy, "", text)] if text else []
        elif place.kind == "remember" and place.name not in without:
            tokens += remembered(scene, copy)
        elif place.traits.single or place.traits.loose:
            lying = scene.open_cards_text(copy)
            cards += [_titled(scene, copy, "card", lying)] if lying else []
    return AreaContent(tuple(piles), tuple(cards), (*_figures(scene, board, area), *tokens, *titled_piles))


def item_lines(scene: TextScene, board: str, area: int) -> list[Line]:
    """Return the visible things in an area except placed cards, one line for each."""
    without = [
        place.name for place in scene.fields if place.kind == "remember" and Type("board", board) in scene.hiding
    ]
    seen = visible_contents(scene, board, area, without)
    return [*seen.cards, *seen.items, *([("", pile)] for pile in seen.piles)]


def _titled(scene: TextScene, copy: FieldCopy, style: str, text: str, title: str = "") -> Line:
    """Return a text about a copy of a field with its title, in a style or with its owner."""
    owner = copy.owner
    letter = "" if owner is None else scene.letters[owner]
    before, text = scene.titled(title or scene.title(copy), letter, text)
    named: Line = [("faint", before)] if before else []
    return [*named, (style if owner is None else seat_style(owner), text)]


def with_short_title(scene: TextScene, item: Line, width: int) -> Line:
    """Cut the title of an item that is too wide."""
    *titles, thing = item
    room = width - line_width([thing])
    if not titles or line_width(item) <= width:
        return item
    return [*((style, scene.cut(title.strip(), room - 1) + " ") for style, title in titles if room > 1), thing]


def box_content(
    scene: TextScene, board: str, area: int, name: str, width: int, compact: bool = False
) -> Iterator[Line]:
    """Yield the lines in the box of an area: name, one line per card, and the rest wrapped.

    A `compact` box wraps the cards as well, and a rule in the line of the name separates the rows.
    """
    area_content = content(scene, board, area)
    piles, below = _beside(area_content, width)
    yield _title(scene, board, area, name, width, piles, scene.sign("─", "-") if compact else " ")
    cards, rest = area_content.cards, area_content.items
    for group in [(*below, *cards, *rest)] if compact else [*([card] for card in cards), (*below, *rest)]:
        yield from _flowing(scene, group, width)


def _beside(found: AreaContent, width: int) -> tuple[str, list[Line]]:
    """Return the pile sizes to show beside the name, or as lines below it if there is no room."""
    piles = "".join(found.piles)
    narrow = width - max(PILE_CELLS, cells_of(piles)) - 1 < MIN_NAME_CELLS
    return ("", [[("faint", piles)]] if piles else []) if narrow else (piles, [])


def _listed(scene: TextScene, name: str, board: Graph) -> list[Line]:
    """List the areas, one line each in columns, or several lines each if they are too wide."""
    entries: list[list[Line]] = []
    for number, area in enumerate(board.areas):
        area_content = content(scene, name, number)
        title = scene.marked_name(name, number, "strong", scene.narrator.term(area, "short"))
        piles: list[Line] = [[("faint", "".join(area_content.piles))]] if area_content.piles else []
        entries.append([[title], *piles, *area_content.cards, *area_content.items])
    widest = max(line_width(item) + sum(line_width(part) + 1 for part in rest) for item, *rest in entries) + 3
    if widest - 3 >= scene.width:
        return [line for entry in entries for line in _flowing(scene, entry, scene.width - 1)]
    columns = max(1, (scene.width - 1) // widest)
    rows = -(-len(entries) // columns)
    lines: list[Line] = []
    for row in range(rows):
        beside: list[Piece] = []
        for row_entry in entries[row::rows]:
            (line,) = _flowing(scene, row_entry, scene.width)
            beside += pad_line(line, widest if columns > 1 else scene.width - 1)
        lines.append(beside)
    return lines


def _title(scene: TextScene, board: str, area: int, name: str, width: int, piles: str, fill: str) -> Line:
    """Return the line with the name of an area and its pile sizes; the name is cut if necessary."""
    room = width - cells_of(piles) - (piles != "")
    style, text = scene.marked_name(board, area, "strong", scene.narrator.term(name, "short"), room)
    gap = width - cells_of(text) - cells_of(piles)
    between = fill * gap if fill == " " else f" {fill * (gap - 2)} "[:gap] if piles else f" {fill * (gap - 1)}"[:gap]
    return [(style, text), ("faint", between), ("faint", piles)]


def _flowing(scene: TextScene, items: Sequence[Line], width: int) -> Iterator[Line]:
    """Wrap items into as few lines as possible."""
    line: list[Piece] = []
    lines = (line for item in items for line in _title_above(item, width))
    for item in (part for line in lines for part in _parts(with_short_title(scene, line, width), width)):
        if line and line_width(line) + 1 + line_width(item) > width:
            yield line
            line = []
        line = [*line, *([("", " ")] if line else []), *item]
    if line:
        yield line


def _title_above(item: Line, width: int) -> Iterator[Line]:
    """Put the title of an item that is too wide on a line of its own."""
    if line_width(item) <= width:
        yield item
        return
    *titles, thing = item
    yield from ([(style, title.strip())] for style, title in titles)
    yield [thing]


def _parts(item: Line, width: int) -> Iterator[Line]:
    """Split an item that is too wide into parts that begin with a number; numbers are never cut."""
    if line_width(item) <= width or len(item) > 1:
        yield item
        return
    ((style, text),) = item
    part = ""
    for piece in re.findall(r"^\D{0,2}\d*\D*|\d+\D*", text):
        if part and cells_of(part + piece) > width:
            yield [(style, part)]
            part = ""
        part += piece
    yield [(style, part)]


def remembered(scene: TextScene, copy: FieldCopy) -> list[Line]:
    """Return a remembered value of an area; 0, "no" and "none" are not shown."""
    value, kind = scene.value(copy), copy.field.type
    if value is None or (value < 0 if kind.kind not in ("truth", "number") else not value):
        return []
    title = scene.title(copy) or scene.name(copy.field)
    match kind.kind:
        case "truth":
            return [_titled(scene, copy, "", "", title)]
        case "player":
            return [_titled(scene, copy, seat_style(value), scene.letters[value].strip(), title)]
        case "number":
            return [_titled(scene, copy, "", str(value), title)]
    return [_titled(scene, copy, "", scene.short(kind, value), title)]


def _figures(scene: TextScene, board: str, area: int) -> Iterator[Line]:
    for figure in scene.figures_in(board, area):
        yield [("figure", scene.sign("♟", "@") + scene.narrator.term(figure, "short"))]

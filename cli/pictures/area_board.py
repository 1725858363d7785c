"""A board of named areas in rows, as a picture: each area a box with its name, cards, figures and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.model.boards import Graph
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, measure, padded, seat_style
from .scene import Scene

WIDEST_BOX = 26
NARROWEST_BOX = 5
#: The lines that a row of boxes takes as a rule, and without rules between the rows.
HIGH, CLOSE = 5, 3
#: The lines that are left for a legend before boxes are higher than they have to be.
LEGEND = 3
#: A name, with brackets and a star, has this much room beside what lies in the piles of its area, or that stands below.
NAMED = 7
#: A pile with its sign has about so many cells, also when it has grown small.
DIGITS = 3
#: Box drawing characters by what meets there: up, down, left, right.
CORNERS = {
    (0, 1, 0, 1): "┌", (0, 1, 1, 0): "┐", (1, 0, 0, 1): "└", (1, 0, 1, 0): "┘", (0, 0, 1, 1): "─",
    (0, 1, 1, 1): "┬", (1, 0, 1, 1): "┴", (1, 1, 1, 1): "┼", (1, 1, 0, 1): "├", (1, 1, 1, 0): "┤",
}  # fmt: skip


Inside = Callable[[int, str, int], Iterator[Line]]
"""The lines in the box of an area, by its number, its name and the cells that there are."""


def named(scene: Scene, name: str, board: Graph) -> list[Line]:
    """A board with what belongs to its areas: as boxes, or on a low screen closer together."""
    rows = len(board.rows)
    if not scene.height or scene.height >= rows * HIGH + 1:
        generous = scene.height >= rows * HIGH + 1 + LEGEND
        return draw(scene, board, lambda *box: inside(scene, name, *box), least=HIGH - 1 if generous else 1)
    close = draw(scene, board, lambda *box: _close(scene, name, *box), ruled=False, least=CLOSE)
    if scene.height >= rows * CLOSE:
        return close
    return min(close, _listed(scene, name, board), key=len)


def draw(scene: Scene, board: Graph, inside: Inside, ruled: bool = True, least: int = 1) -> list[Line]:
    """The board as lines, with what is inside each area, `least` lines high so that little makes it grow; with lines
    between the rows if it is `ruled`."""
    most = max(len(row) for row in board.rows)
    box = max(3, min(WIDEST_BOX, (scene.width - 2) // most - 1))
    index = {area: i for i, area in enumerate(board.areas)}
    if board.steps:
        # On a lattice there are many spaces with little in each.
        box = min(
            box, max(NARROWEST_BOX, *(measure(x) for row in board.rows for a in row for x in inside(index[a], a, box)))
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
                line += [*padded(content[k] if k < len(content) else [], box), ("faint", bar)]
            lines.append(line)
        above = marks
    return [*lines, *([[("faint", _border(above, [], scene.unicode))]] if ruled else [])]


def _border(above: list[int], below: list[int], fancy: bool) -> str:
    """The line between two rows of boxes."""

    def drawn(x: int) -> bool:
        """Whether there is a line from x to x + 1."""
        return any(m and m[0] <= x < m[-1] for m in (above, below))

    text = ""
    for x in range(max(above[-1:] + below[-1:]) + 1):
        up, down = x in above, x in below
        left, right = drawn(x - 1), drawn(x)
        if not (left or right):
            text += " "
        elif not (up or down):
            text += "─" if fancy else "-"
        else:
            text += CORNERS[int(up), int(down), int(left), int(right)] if fancy else "+"
    return text


@dataclass(frozen=True)
class Content:
    """What belongs to an area: how much lies in its piles, the open cards, and what stands and lies there."""

    piles: tuple[str, ...]
    cards: tuple[Line, ...]
    items: tuple[Line, ...]


def content(scene: Scene, board: str, area: int, remembered: bool = True) -> Content:
    """What belongs to an area; unless `remembered`, only what lies there."""
    piles: list[str] = []
    cards: list[Line] = []
    tokens: list[Line] = []
    for place in scene.places:
        boards = [i for i, t in enumerate(place.indices) if t.kind == "board" and t.name == board]
        if len(boards) != 1:
            continue
        for indices, at in copies(place):
            if indices[boards[0]] != area:
                continue
            if place.kind == "pile" or (place.kind == "heap" and not scene.visible(place, indices)):
                piles += [scene.pile(place, scene.size(place, at))] if scene.sized(place, indices) else []
            elif place.kind == "tokens":
                tokens += _tokens(scene, place, indices, at)
            elif place.kind == "remember" and remembered:
                tokens += _remembered(scene, place, at)
            elif place.kind in ("slot", "heap"):
                lying = scene.lying(place, indices, at)
                if lying:
                    cards.append([("card", lying)])
    return Content(tuple(piles), tuple(cards), (*_figures(scene, board, area), *tokens))


def inside(scene: Scene, board: str, area: int, name: str, width: int) -> Iterator[Line]:
    """What stands in the box of an area: its name, its cards, and the rest in as few lines as it fits."""
    found = content(scene, board, area)
    piles, below = _beside(found, width)
    yield _title(scene, board, area, name, width, piles, " ")
    for card in found.cards:
        yield from _flowing([card], width)
    yield from _flowing((*below, *found.items), width)


def _close(scene: Scene, board: str, area: int, name: str, width: int) -> Iterator[Line]:
    """The same without a line for each card; the line with the name parts rows from each other."""
    found = content(scene, board, area)
    piles, below = _beside(found, width)
    yield _title(scene, board, area, name, width, piles, scene.sign("─", "-"))
    yield from _flowing((*below, *found.cards, *found.items), width)


def _beside(found: Content, width: int) -> tuple[str, list[Line]]:
    """How much lies in the piles of an area, and the same as what is to stand below its name where that has no room."""
    piles = "".join(found.piles)
    narrow = width - max(DIGITS, cells_of(piles)) - 1 < NAMED
    return ("", [[("faint", piles)]] if piles else []) if narrow else (piles, [])


def _listed(scene: Scene, name: str, board: Graph) -> list[Line]:
    """A line for each area, as many beside each other as there is room for, or several where that is too much."""
    entries: list[list[Line]] = []
    for number, area in enumerate(board.areas):
        found = content(scene, name, number)
        title = scene.marked_name(name, number, "strong", scene.narrator.term(area, "short"))
        piles: list[Line] = [[("faint", "".join(found.piles))]] if found.piles else []
        entries.append([[title], *piles, *found.cards, *found.items])
    widest = max(measure(item) + sum(measure(other) + 1 for other in rest) for item, *rest in entries) + 3
    if widest - 3 >= scene.width:
        return [line for entry in entries for line in _flowing(entry, scene.width - 1)]
    columns = max(1, (scene.width - 1) // widest)
    rows = -(-len(entries) // columns)
    lines: list[Line] = []
    for row in range(rows):
        beside: list[Piece] = []
        for one in entries[row::rows]:
            (line,) = _flowing(one, scene.width)
            beside += padded(line, widest if columns > 1 else scene.width - 1)
        lines.append(beside)
    return lines


def _title(scene: Scene, board: str, area: int, name: str, width: int, piles: str, fill: str) -> Line:
    """The name of an area and how much lies in its piles: where there is no room for both, the name is cut."""
    room = width - cells_of(piles) - (piles != "")
    style, text = scene.marked_name(board, area, "strong", scene.narrator.term(name, "short"), room)
    gap = width - cells_of(text) - cells_of(piles)
    between = fill * gap if fill == " " else f" {fill * (gap - 2)} "[:gap] if piles else f" {fill * (gap - 1)}"[:gap]
    return [(style, text), ("faint", between), ("faint", piles)]


def _flowing(items: Sequence[Line], width: int) -> Iterator[Line]:
    """Items one after the other in as few lines as they fit."""
    line: list[Piece] = []
    for item in (part for whole in items for part in _parts(whole, width)):
        if line and measure(line) + 1 + measure(item) > width:
            yield line
            line = []
        line = [*line, *([("", " ")] if line else []), *item]
    if line:
        yield line


def _parts(item: Line, width: int) -> Iterator[Line]:
    """An item, or where it is too wide its parts, each of which begins with a figure: figures are never cut."""
    if measure(item) <= width or len(item) > 1:
        yield item
        return
    ((style, text),) = item
    part = ""
    for found in re.findall(r"^\D{0,2}\d*\D*|\d+\D*", text):
        if part and cells_of(part + found) > width:
            yield [(style, part)]
            part = ""
        part += found
    yield [(style, part)]


def _tokens(scene: Scene, place: ir.Field, indices: tuple[int, ...], at: int) -> list[Line]:
    text = scene.tokens(place, indices, at)
    if not text:
        return []
    owner = next((i for t, i in zip(place.indices, indices, strict=True) if t.kind == "player"), None)
    if owner is None:
        return [[("", text)]]
    return [[(seat_style(owner), f"{scene.letters[owner]}{text}")]]


def _remembered(scene: Scene, place: ir.Field, at: int) -> list[Line]:
    """A remembered value of an area; what is nothing, no or nobody is not shown."""
    value = scene.state.cells[at]
    if place.type.kind == "player":
        return [[(seat_style(value), scene.letters[value])]] if value >= 0 else []
    if place.type.kind == "truth":
        return [[("", scene.name(place))]] if value else []
    if place.type.kind == "number":
        return [[("", str(value))]] if value else []
    return [[("", scene.short(place.type, value))]] if value >= 0 else []


def _figures(scene: Scene, board: str, area: int) -> Iterator[Line]:
    model = scene.state.game.model
    place = next((p for p in scene.places if p.kind == "place"), None)
    for number, figure in enumerate(model.figures if place is not None else ()):
        stands = model.declared.figures[figure].board
        assert place is not None
        if stands == board and scene.state.cells[place.at(number)] == area:
            yield [("figure", scene.sign("♟", "@") + scene.narrator.term(figure, "short"))]

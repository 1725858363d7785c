"""SVG of a board of named areas in rows: each area a box with name, cards, piles, figures and tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import RawMarkup, Tag, tag
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.component_svg.text_metrics import fit_text, text_width
from wongar_dsl.session.board.board_refs import BoardArea

from . import svg_symbols
from .contents import AreaContents, contents, token_kinds
from .render_context import RenderContext

#: Minimum width of an area, padding, and distance between areas.
WIDTH, EDGE, GAP = 260, 14, 10
LINE = 52
TITLES = (42, 40, 38, 36, 34, 32, 30, 28, 26, 24, 22)
#: Maximum number of token kinds with a column of their own.
COLUMNS = 6


def draw(context: RenderContext, name: str, board: Graph) -> Tag:
    """Draw the board."""
    kinds = token_kinds(context, name)
    width = max(WIDTH, 2 * EDGE + 50 + svg_symbols.STEP * min(kinds, COLUMNS))
    index = {area: i for i, area in enumerate(board.areas)}
    inside = [contents(context, name, i, context.term(area)) for i, area in enumerate(board.areas)]
    size = context.cached(("title", name, width), lambda: _title_size(inside, width))
    boxes = [boxed(context, each, width, kinds, size) for each in inside]
    most = max(map(len, board.rows))
    rows: list[list[Tag]] = []
    top = GAP
    for row in board.rows:
        # All areas of a row have the same height, and a minimum height.
        high = max(150, *(boxes[index[area]][0] for area in row)) + EDGE
        x_position = GAP + ((most - len(row)) * (width + GAP) // 2 if board.offset else 0)
        cells: list[Tag] = []
        for area in row:
            area_index = index[area]
            place = (name, area_index)
            ground = tag("rect", x=x_position, y=top, width=width, height=high, rx=22, class_="ground")
            drawn = tag("g", boxes[area_index][1], transform=f"translate({x_position} {top})")
            dot = [svg_symbols.changed_dot(x_position + width - 6, top + 8)] if place in context.changed else []
            label = _label(context, inside[area_index], place)
            cells.append(svg_symbols.cell(context, place, label, [ground, drawn, *dot], "area", not rows and not cells))
            x_position += width + GAP
        rows.append(cells)
        top += high + GAP
    return svg_symbols.grid(rows, context.term(name), most * (width + GAP) + GAP, top, "areas")


def _title_size(inside: Sequence[AreaContents], width: int) -> int:
    """Return the letter size at which the names of all areas fit."""
    return min(fit_text(each.name, width - 2 * EDGE, LINE, TITLES, bold=True).size for each in inside)


def _label(context: RenderContext, of: AreaContents, place: BoardArea) -> str:
    """Return the screen reader label of an area."""
    key = ("label", of.key, place in context.changed, context.people)
    return context.cached(key, lambda: context.label(of.name, of.description(context), place))


def boxed(context: RenderContext, of: AreaContents, width: int, kinds: int, size: int) -> tuple[int, Tag]:
    """Return the height and the contents of an area with its name in letters of a `size`."""

    def draw() -> tuple[int, Tag]:
        parts = list(_inside(context, of, width, kinds, size))
        return parts[-1][0], RawMarkup.of(*(part for _, part in parts if part is not None))

    return context.cached(("area", of.key, width, kinds, size, *context.scene.letters), draw)


def _inside(
    context: RenderContext, of: AreaContents, width: int, kinds: int, size: int
) -> Iterator[tuple[int, Tag | None]]:
    """Yield the parts of an area, each with its bottom edge; the last item is the total height."""
    room, top, right = width - 2 * EDGE, 10, width - EDGE
    yield 0, svg_symbols.title(of.name, EDGE, top, room, size)
    piled = sum(svg_symbols.pile_width(number) + 8 for _, number in of.piles)
    first = svg_symbols.card_beside(context, of.cards[0], EDGE, top + LINE - 2, room - piled - 4) if of.cards else None
    # Piles are placed beside the first card; if there is no room, beside the name, otherwise on their own line.
    named = bool(of.cards) and first is None and text_width(of.name, size, True) + piled + 8 <= room
    line = top if named else top + LINE - 2
    for _, number in reversed(of.piles):
        yield 0, svg_symbols.pile(number, right, line + 5)
        right -= svg_symbols.pile_width(number) + 8
    top += LINE - 2
    if first is not None:
        yield 0, first
    top += LINE if first is not None or (of.piles and not named) else 0
    for card in of.cards[1:] if first is not None else of.cards:
        high, strip = svg_symbols.card_below(context, card, EDGE - 8, top, room + 16)
        yield 0, strip
        top += high + 6
    for name in of.figures:
        yield 0, svg_symbols.figure(name, EDGE - 4, top + 3, room + 10, 38)
        top += LINE - 2
    for tokens in of.tokens:
        yield 0, svg_symbols.letter(context, tokens.owner, EDGE, top + 4, 44)
        x_position = EDGE + (52 if tokens.owner is not None else 0)
        for number, (kind, count) in enumerate(tokens.counts):
            # Each kind has its own column, as far as there is room.
            column = kind if kind >= 0 and kinds <= COLUMNS else number
            yield 0, svg_symbols.token(kind, tokens.owner, count, x_position + svg_symbols.STEP * column, top)
        top += 60
    for seat in of.marks:
        yield 0, svg_symbols.letter(context, seat, EDGE, top, 48)
        top += LINE
    for text in of.notes:
        high, note = svg_symbols.note(text, EDGE, top, room)
        yield 0, note
        top += high
    yield top, None

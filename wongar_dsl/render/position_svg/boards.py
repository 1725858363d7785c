"""SVG of a position: the boards of a game, each drawn according to its contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.base.markup import RawMarkup, Tag, tag
from wongar_dsl.language.semantics.boards import SQUARE, Graph
from wongar_dsl.render.component_svg.svg import centred_text, fit_text, text_width
from wongar_dsl.session.scene import BoardArea, FieldCopy

from . import laid_cards, svg_symbols
from .render_context import AreaContents, RenderContext, contents, token_kinds, zones_on

#: Minimum width of an area, padding, and distance between areas.
WIDTH, EDGE, GAP = 260, 14, 10
LINE = 52
TITLES = (42, 40, 38, 36, 34, 32, 30, 28, 26, 24, 22)
#: Maximum number of token kinds with a column of their own.
COLUMNS = 6


def area_board(context: RenderContext, name: str, board: Graph) -> Tag:
    """Draw the board."""
    kinds = token_kinds(context, name)
    width = area_width(kinds)
    index = {area: i for i, area in enumerate(board.areas)}
    inside = [contents(context, name, i, context.term(area)) for i, area in enumerate(board.areas)]
    _keep_first_steps(inside)
    size = context.cached(("title", name, width), lambda: title_size(inside, width))
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


def area_width(kinds: int) -> int:
    """Return the width of an area with some kinds of tokens."""
    return max(WIDTH, 2 * EDGE + 50 + svg_symbols.STEP * min(kinds, COLUMNS))


def title_size(inside: Sequence[AreaContents], width: int) -> int:
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


def _keep_first_steps(inside: Iterable[AreaContents]) -> None:
    """Remove the numbers of steps that another area has already shown."""
    shown = set[tuple[str, str]]()
    for each in inside:
        each.steps = {kind: step for kind, step in each.steps.items() if (kind, step) not in shown}
        shown.update(each.steps.items())


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
    at: dict[str, tuple[int, int]] = {}
    for _, number in reversed(of.piles):
        yield 0, svg_symbols.pile(number, right, line + 5)
        at["stack"] = right - svg_symbols.pile_width(number), line + 5
        right -= svg_symbols.pile_width(number) + 8
    top += LINE - 2
    at["card"] = EDGE, top + 8
    if first is not None:
        yield 0, first
    top += LINE if first is not None or (of.piles and not named) else 0
    for card in of.cards[1:] if first is not None else of.cards:
        high, strip = svg_symbols.card_below(context, card, EDGE - 8, top, room + 16)
        yield 0, strip
        top += high + 6
    for name in of.figures:
        yield 0, svg_symbols.figure(name, EDGE - 4, top + 3, room + 10, 38)
        at[name] = width - EDGE, top + 22
        top += LINE - 2
    for tokens in of.tokens:
        yield 0, svg_symbols.letter(context, tokens.owner, EDGE, top + 4, 44)
        at.setdefault("row", (EDGE, top + 10))
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
    for thing, numbers in of.steps.items():
        yield 0, svg_symbols.step_number(numbers, *at[thing])
    yield top, None


SIDE, RIM = 120, 70
#: Minimum side of the squares if they contain more than a sign, and the letter size of their names.
ROOMY, NAME = 260, 30
#: On a board with fewer squares per side, players' marks are drawn as signs as on paper.
PAPER = 6
#: Maximum side of a board shown completely; of a larger one, only the part around its contents is shown.
WHOLE = 26
_AXES = (44, 40, 36, 32, 28)


def square_board(context: RenderContext, name: str, board: Graph, around: Sequence[int] = ()) -> Tag:
    """Draw the board, or only its part around some squares."""
    plain = _plain(context, name)
    across, up = max(x for x, _ in board.spots), max(y for _, y in board.spots)
    inside = {i: contents(context, name, i, board.areas[i]) for i in range(len(board.areas))}
    columns, ranks = _around(board, around) if around else _shown(context, name, board, inside)
    kinds = token_kinds(context, name)
    boxes = {} if plain else {i: boxed(context, each, ROOMY, kinds, NAME) for i, each in inside.items()}
    side = max([ROOMY, *(high for high, _ in boxes.values())]) if boxes else SIDE
    if plain and _stacked(context, name, board, inside):
        # The height of the stacks is visible anyway.
        for square_contents in inside.values():
            if not square_contents.hidden:
                square_contents.notes.clear()
    small = max(across, up) < PAPER
    rows: list[list[Tag]] = []
    for row, y in enumerate(reversed(ranks)):
        cells: list[Tag] = []
        for column, x in enumerate(columns):
            area = board.spots.index((x, y))
            place = (name, area)
            x_position, top = RIM + column * side, 10 + row * side
            square_contents = inside[area]
            texts = square_contents.description(context)
            parts = [tag("rect", x=x_position, y=top, width=side, height=side, class_="ground")]
            if plain and not small:
                parts.append(
                    tag("circle", cx=x_position + side // 2, cy=top + side // 2, r=side * 2 // 5, class_="hole")
                )
            parts += (
                _marked(context, square_contents, small, x_position, top)
                if plain
                else [tag("g", boxes[area][1], transform=f"translate({x_position} {top})")]
            )
            if place in context.changed:
                parts.append(svg_symbols.changed_dot(x_position + side - 18, top + 18))
            label = context.label(square_contents.name, texts or [context.say("empty")], place)
            cells.append(svg_symbols.cell(context, place, label, parts, "square", not rows and not cells, x))
        rows.append(cells)
    bottom = 10 + len(ranks) * side
    labels = [
        centred_text(
            board.areas[board.spots.index((x, 1))].rstrip("0123456789"),
            (RIM + i * side, bottom, side, 60),
            _AXES,
        )
        for i, x in enumerate(columns)
    ]
    labels += [centred_text(str(y), (0, 10 + i * side, RIM - 8, side), _AXES) for i, y in enumerate(reversed(ranks))]
    kind = "paper-board" if plain and small else "squares"
    return svg_symbols.grid(rows, context.term(name), RIM + len(columns) * side + 10, bottom + 60, kind, *labels)


def _plain(context: RenderContext, name: str) -> bool:
    """Return whether squares contain only the mark of one player, and one number."""
    figures = context.scene.state.game.model.declared.figures.values()
    kinds = [(place.kind, place.type.kind, len(place.indices)) for place in zones_on(context, name)]
    player, number = ("remember", "player", 1), ("remember", "number", 1)
    is_marked = sorted(kinds) in ([player], [number, player])
    return is_marked and not any(figure.board == name for figure in figures)


def _stacked(context: RenderContext, name: str, board: Graph, inside: dict[int, AreaContents]) -> bool:
    """Return whether each number counts the marks in its column, which is visible anyway."""
    numbers = [p for p in zones_on(context, name) if p.type.kind == "number"]
    marked = [board.spots[area][0] for area, square_contents in inside.items() if square_contents.marks]
    return all(
        (context.scene.value(FieldCopy(place, (area,))) or 0) == (marked.count(x) if y == 1 else 0)
        for place in numbers
        if place.sizes == (len(board.areas),)
        for area, (x, y) in enumerate(board.spots)
    )


def _shown(
    context: RenderContext, name: str, board: Graph, inside: dict[int, AreaContents]
) -> tuple[list[int], list[int]]:
    """Return the columns and rows to show."""
    across, up = max(x for x, _ in board.spots), max(y for _, y in board.spots)
    if max(across, up) <= WHOLE:
        return list(range(1, across + 1)), list(range(1, up + 1))
    busy = [board.spots[i] for i, square in inside.items() if square.description(context) and not square.hidden]
    busy += [board.spots[area] for on, area in context.options if on == name]
    return _around(board, [board.spots.index(spot) for spot in busy] or [0])


def _around(board: Graph, areas: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the columns and rows of some squares, with one more on each side."""
    across, up = max(x for x, _ in board.spots), max(y for _, y in board.spots)
    xs, ys = zip(*(board.spots[area] for area in areas), strict=True)
    return (
        list(range(max(1, min(xs) - 1), min(across, max(xs) + 1) + 1)),
        list(range(max(1, min(ys) - 1), min(up, max(ys) + 1) + 1)),
    )


def _marked(context: RenderContext, of: AreaContents, small: bool, left: int, top: int) -> list[Tag]:
    """Return the mark of a player and the number of a square."""
    draw = svg_symbols.sign if small else svg_symbols.piece
    marks = [draw(context, seat, left + SIDE // 2, top + SIDE // 2, SIDE * 2 // 5) for seat in of.marks]
    return [*marks, *(svg_symbols.note(text, left + 6, top + 4, SIDE - 12)[1] for text in of.notes)]


@dataclass(frozen=True)
class BoardPicture:
    """A board: its name in the rules, title, picture, and the symbol for changes if any are marked."""

    name: str
    title: str
    picture: Tag
    changed: Tag | None = None


def boards(context: RenderContext) -> Iterator[BoardPicture]:
    """Yield the boards of a game, without maps that have no cards yet."""
    for name, board in context.scene.state.game.model.boards.items():
        layout = context.scene.layout_on(name)
        if layout is not None:
            if not context.scene.placed_cards(layout):
                continue
            picture = laid_cards.draw(context, layout, name, board)
        elif board.directions == SQUARE:
            picture = square_board(context, name, board)
        else:
            picture = area_board(context, name, board)
        changed = svg_symbols.changed_key() if any(place[0] == name for place in context.changed) else None
        yield BoardPicture(name, context.term(name), picture, changed)

"""SVG of a board of squares: large pieces or signs of players, or small contents."""

from __future__ import annotations

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.component_svg.text_metrics import centred_text
from wongar_dsl.session.board.scene import FieldCopy

from . import area_board, svg_symbols
from .contents import AreaContents, contents, token_kinds, zones_on
from .render_context import RenderContext

SIDE, EDGE = 120, 70
#: Minimum side of the squares if they contain more than a sign, and the letter size of their names.
ROOMY, NAME = 260, 30
#: On a board with fewer squares per side, players' marks are drawn as signs as on paper.
PAPER = 6
#: Maximum side of a board shown completely; of a larger one, only the part around its contents is shown.
WHOLE = 26
_SIZES = (44, 40, 36, 32, 28)


def draw(context: RenderContext, name: str, board: Graph) -> Tag:
    """Draw the board."""
    plain = _plain(context, name)
    across, up = max(x for x, _ in board.spots), max(y for _, y in board.spots)
    inside = {i: contents(context, name, i, board.areas[i]) for i in range(len(board.areas))}
    columns, ranks = _shown(context, name, board, inside)
    kinds = token_kinds(context, name)
    boxes = {} if plain else {i: area_board.boxed(context, each, ROOMY, kinds, NAME) for i, each in inside.items()}
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
            x_position, top = EDGE + column * side, 10 + row * side
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
            board.areas[board.spots.index((x, 1))].rstrip("0123456789"), (EDGE + i * side, bottom, side, 60), _SIZES
        )
        for i, x in enumerate(columns)
    ]
    labels += [centred_text(str(y), (0, 10 + i * side, EDGE - 8, side), _SIZES) for i, y in enumerate(reversed(ranks))]
    kind = "paper-board" if plain and small else "squares"
    return svg_symbols.grid(rows, context.term(name), EDGE + len(columns) * side + 10, bottom + 60, kind, *labels)


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
    busy = busy or [board.spots[0]]
    xs, ys = zip(*busy, strict=True)
    return (
        list(range(max(1, min(xs) - 1), min(across, max(xs) + 1) + 1)),
        list(range(max(1, min(ys) - 1), min(up, max(ys) + 1) + 1)),
    )


def _marked(context: RenderContext, of: AreaContents, small: bool, left: int, top: int) -> list[Tag]:
    """Return the mark of a player and the number of a square."""
    draw = svg_symbols.sign if small else svg_symbols.piece
    marks = [draw(context, seat, left + SIDE // 2, top + SIDE // 2, SIDE * 2 // 5) for seat in of.marks]
    return [*marks, *(svg_symbols.note(text, left + 6, top + 4, SIDE - 12)[1] for text in of.notes)]

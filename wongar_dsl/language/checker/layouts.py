"""Checks of layouts (cards placed and rotated on a lattice) and of the paths across cards."""

from __future__ import annotations

from wongar_dsl.base.diagnostics import Label
from wongar_dsl.compiler.ir.containers import zone_facts
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.checker.declarations import constant
from wongar_dsl.language.checker.references import report_wrong_sort
from wongar_dsl.language.semantics import MAX_CELLS, NUMBER, UNKNOWN, Ref, TableData, TooManyCells, Type
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.language.variants.addressable_parts import part_text

#: Number of sides of a card on the lattice with the most directions.
MAX_SIDES = SQUARE
#: With fewer rows, a single exception says nothing about a pattern.
MIN_ROWS = 4


def area_type(article: s.Zone) -> Type:
    """Return the type of the areas of a layout."""
    return Type("board", article.board.text) if article.board is not None else UNKNOWN


def check_layout(context: CheckContext, article: s.Zone) -> None:
    """Check that a layout is on a lattice and visible to all, and that other zones are on none."""
    if not zone_facts(article.kind).spread:
        if article.board is not None:
            context.report("R0416", article.board, statement="on")
        return
    if article.board is None:
        context.report("R0107", article.name, expected=("on",))
        return
    context.used.add(article.board.text)
    board = context.model.boards.get(article.board.text)
    if board is None:
        context.report_unknown(article.board, article.board.text, list(context.model.boards))
    elif not board.steps:
        context.report("R0203", article.board, name=article.board.text, found="board", expected=("grid", "hexagons"))
    if article.seen != "all":
        context.report("R0416", article, statement=f"seen by {article.seen}")


def layout_of(context: CheckContext, place: s.Expression, value_type: Type) -> s.Zone | None:
    """Return the only layout for cards of a sort; None after reporting that there is not exactly one."""
    layouts = [a for a in context.model.all_of(s.Zone) if zone_facts(a.kind).spread]
    matches = [a for a in layouts if a.holds.text == value_type.name and a.board is not None and not a.each]
    if value_type.kind == "cards" and len(matches) == 1 and matches[0].board is not None:
        board = context.model.boards.get(matches[0].board.text)
        context.used.add(matches[0].name.text)
        return matches[0] if board is not None and board.steps else None
    if value_type != UNKNOWN:
        report_wrong_sort(context, place, value_type, ("layout",))
    return None


def laid_place(context: CheckContext, e: s.Of, owner: s.Expression) -> Type:
    """Check `place of card`: the area where it lies, none if it is on no layout."""
    layout = layout_of(context, owner, context.model.types[owner])
    if layout is None:
        return context.record_type(e, UNKNOWN)
    return context.record_type(e, area_type(layout), Ref("laid_at", layout.name.text))


def check_paths(context: CheckContext) -> None:
    """Build the tables of each paths article: connected sides, and numbers of the paths."""
    for article in context.model.all_of(s.Paths):
        _paths(context, article)


def _sides(context: CheckContext, value_type: Type) -> tuple[str, int]:
    """Return the board on which the cards with these paths are laid, and the number of sides that they have there.

    Without such a board the name is empty, and the number is the maximum over all lattices.
    """
    lattices = {}
    for layout in context.model.all_of(s.Zone):
        board = context.model.boards.get(layout.board.text) if layout.board is not None else None
        sort = context.model.cards.get(layout.holds.text)
        if board is not None and board.steps and sort is not None and layout.board is not None:
            read = value_type in (Type("cards", sort.name), *(field for field, _ in sort.attributes.values()))
            lattices[layout.board.text] = (read, board.directions)
    # If no card refers to the paths, any board may use them.
    required = any(read for read, _ in lattices.values())
    sides = {name: count for name, (read, count) in lattices.items() if read or not required}
    return max(sides.items(), key=lambda each: each[1], default=("", MAX_SIDES))


def _paths(context: CheckContext, article: s.Paths) -> None:
    kind = context.named_type(article.keys.text, "enum", "cards")
    if kind is None:
        names = [n for n in context.names if context.named_type(n, "enum", "cards")]
        context.report_unknown(article.keys, article.keys.text, names)
        return
    context.used.add(article.keys.text)
    board, sides = _sides(context, kind)
    connections: dict[tuple[int, ...], int] = {}
    numbers: dict[tuple[int, ...], int] = {}
    seen: dict[int, s.Crossing] = {}
    valid = True
    for row in article.rows:
        key = constant(context, row.key)
        if key is None:
            continue
        context.expect(row.key, kind, key[0])
        if key[1] in seen:
            context.report("R0202", row.key, (Label(seen[key[1]].key.span, "declared"),), name=part_text(row.key))
        seen.setdefault(key[1], row)
        used: dict[int, s.Path] = {}
        for path in row.paths:
            for side, opposite in (path.sides, path.sides[::-1]):
                if side >= sides:
                    if board:
                        context.report("R0428", path, value=side, name=board, high=sides - 1)
                    else:
                        context.report("R0305", path, value=side, low=0, high=sides - 1)
                    valid = False
                    continue
                if side in used:
                    context.report("R0202", path, (Label(used[side].span, "first"),), name=f"side {side}")
                used[side] = path
                connections[key[1], side], numbers[key[1], side] = opposite, path.number
    if valid:
        _dead_sides(context, article, seen, connections, sides)
    axes = ((kind, 0, context.model.size(kind, 0)), (NUMBER, 0, sides))
    for word, cells, missing in ((article.name, connections, -1), (article.number, numbers, 0)):
        if word is None:
            continue
        try:
            context.model.tables[word.text] = TableData.with_default(axes, NUMBER, cells, missing)
        except TooManyCells as error:
            context.report("R0414", article, what=word.text, found=error.found, limit=MAX_CELLS)


def _dead_sides(
    context: CheckContext,
    article: s.Paths,
    rows: dict[int, s.Crossing],
    connections: dict[tuple[int, ...], int],
    sides: int,
) -> None:
    """Warn of sides without a path on exactly one card."""
    missing: dict[int, list[str]] = {}
    for side in range(sides):
        without = [key for key in rows if (key, side) not in connections]
        if len(without) == 1 and len(rows) >= MIN_ROWS:
            missing.setdefault(without[0], []).append(str(side))
    for key, dead in missing.items():
        row = rows[key]
        context.report("R0429", row.key, name=part_text(row.key), what=article.name.text, sides=tuple(dead))

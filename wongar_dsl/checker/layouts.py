"""Cards that lie on a lattice, turned, and the paths across them."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Context
from wongar_dsl.checker.declarations import constant
from wongar_dsl.ir.containers import zone_facts
from wongar_dsl.model import NUMBER, UNKNOWN, Ref, TableData, Type
from wongar_dsl.text.diagnostics import Label
from wongar_dsl.variants.parts import written

MAX_SIDES = 8


def area_type(article: s.Zone) -> Type:
    """The type of the areas that a layout's cards lie in."""
    return Type("board", article.board.text) if article.board is not None else UNKNOWN


def check_layout(context: Context, article: s.Zone) -> None:
    """A layout lies on a lattice, and everybody sees it."""
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
        context.unknown(article.board, article.board.text, list(context.model.boards))
    elif not board.steps:
        context.report("R0203", article.board, name=article.board.text, found="board", expected=("grid", "hexagons"))
    if article.seen != "all":
        context.report("R0416", article, statement=f"seen by {article.seen}")


def layout_of(context: Context, place: s.Node, kind: Type) -> s.Zone | None:
    """The layout on which cards of a sort lie; None after reporting that there is none, or more than one."""
    layouts = [a for a in context.model.all_of(s.Zone) if zone_facts(a.kind).spread]
    found = [a for a in layouts if a.holds.text == kind.name and a.board is not None and not a.each]
    if kind.kind == "cards" and len(found) == 1 and found[0].board is not None:
        board = context.model.boards.get(found[0].board.text)
        context.used.add(found[0].name.text)
        return found[0] if board is not None and board.steps else None
    if kind != UNKNOWN:
        context.report("R0203", place, name=str(kind), found=kind.kind, expected=("layout",))
    return None


def laid_place(context: Context, e: s.Of, owner: s.Expression) -> Type:
    """`place of card`: where it lies, none where it is on no layout."""
    layout = layout_of(context, owner, context.model.types[owner])
    if layout is None:
        return context.record_type(e, UNKNOWN)
    return context.record_type(e, area_type(layout), Ref("laid_at", layout.name.text))


def check_paths(context: Context) -> None:
    """Each paths article makes one table of where they lead, and one of their numbers."""
    for article in context.model.all_of(s.Paths):
        _paths(context, article)


def _paths(context: Context, article: s.Paths) -> None:
    kind = context.named(article.keys.text, "enum", "cards")
    if kind is None:
        known = [n for n in context.names if context.named(n, "enum", "cards")]
        context.unknown(article.keys, article.keys.text, known)
        return
    context.used.add(article.keys.text)
    ways, numbers = {}, {}
    seen: dict[int, s.Node] = {}
    for row in article.rows:
        got = constant(context, row.key)
        if got is None:
            continue
        context.expect(row.key, kind, got[0])
        if got[1] in seen:
            context.report("R0202", row.key, (Label(seen[got[1]].span, "declared"),), name=written(row.key))
        seen.setdefault(got[1], row.key)
        taken: dict[int, s.Path] = {}
        for path in row.paths:
            for side, other in (path.sides, path.sides[::-1]):
                if side >= MAX_SIDES:
                    context.report("R0305", path, value=side, low=0, high=MAX_SIDES - 1)
                elif side in taken:
                    context.report("R0202", path, (Label(taken[side].span, "first"),), name=str(side))
                taken[side] = path
                ways[got[1], side], numbers[got[1], side] = other, path.number
    sides = 1 + max((side for _, side in ways), default=0)
    size = context.model.size(kind, 0)
    for name, at, none in ((article.name, ways, -1), (article.number, numbers, 0)):
        if name is not None:
            cells = tuple(at.get((key, side), none) for key in range(size) for side in range(sides))
            context.model.tables[name.text] = TableData((kind, NUMBER), (0, 0), (size, sides), NUMBER, cells)

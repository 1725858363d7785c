"""Checks of shapes and of `coverings` declarations, whose exact covers are found here, before play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wongar_dsl.base.diagnostics import Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext, GlobalSymbol
from wongar_dsl.language.semantics import UNKNOWN, CoveringData, Ref, Type, shapes
from wongar_dsl.language.semantics.shapes import Shape

#: Maximum number of solutions of one declaration.
MAX_COVERINGS = 20_000


def declare_shapes(context: CheckContext, article: s.Shapes) -> None:
    """Declare a sort of shape, whose shapes are values of an enumeration."""
    name = article.name.text
    kind = Type("enum", name)
    context.declare(article.name, GlobalSymbol("enum", article.name))
    declared: list[tuple[str, Shape]] = []
    for drawing in article.drawings:
        outline = shapes.parse_drawing(drawing.rows)
        sides = (len(drawing.rows), *map(len, drawing.rows))
        if max(sides) > shapes.MAX_SIDE:
            context.report("R0414", drawing, what=drawing.name.text, found=max(sides), limit=shapes.MAX_SIDE)
            outline = None
        elif outline is None:
            context.report("R0305", drawing, value=0, low=1, high=shapes.MAX_SIDE**2)
        if context.declare(drawing.name, GlobalSymbol("value", drawing.name, kind, len(declared))):
            declared.append((drawing.name.text, outline or Shape(((0, 0),))))
    context.model.enums[name] = tuple(n for n, _ in declared)
    context.model.shapes[name] = tuple(outline for _, outline in declared)


def find_coverings(context: CheckContext, article: s.Coverings) -> None:
    """Solve a `coverings` declaration: number all its solutions, and list those of each area and key."""
    name = article.name.text
    before = len(context.diagnostics)
    for word in (article.areas, article.pieces):
        if word.text not in context.model.shapes:
            context.report_unknown(word, word.text, context.model.shapes)
    if article.key is not None and article.key.text not in context.model.enums:
        context.report_unknown(article.key, article.key.text, context.model.enums)
    context.model.coverings[name] = CoveringData("", "", "", (), ())
    if len(context.diagnostics) > before:
        return
    context.used |= {article.areas.text, article.pieces.text}
    if article.key is not None:
        context.used.add(article.key.text)
    with context.within_budget(article, name):
        _find(context, article)


def _find(context: CheckContext, article: s.Coverings) -> None:
    model, name = context.model, article.name.text
    areas, pieces = model.shapes[article.areas.text], model.shapes[article.pieces.text]
    area_names, piece_names = model.enums[article.areas.text], model.enums[article.pieces.text]
    keys = model.enums[article.key.text] if article.key is not None else ()
    if len(pieces) > len(shapes.LETTERS):
        context.report("R0414", article, what=article.pieces.text, found=len(pieces), limit=len(shapes.LETTERS))
        return
    rows: dict[str, s.CoveringTask] = {}
    for row in article.rows:
        if row.area.text not in area_names:
            context.report("R0201", row.area, suggestion=did_you_mean(row.area.text, area_names), name=row.area.text)
        elif row.area.text in rows:
            label = Label(rows[row.area.text].area.span, "declared")
            context.report("R0202", row.area, (label,), name=row.area.text)
        rows.setdefault(row.area.text, row)
    for missing in [n for n in area_names if n not in rows][:8]:
        context.report("R0401", article.name, table=name, row=missing)
    numbers: dict[str, int] = {}
    lists: list[tuple[int, ...]] = []
    for area_name, area in zip(area_names, areas, strict=True):
        covered = rows.get(area_name)
        sets = [_pieces(context, words, piece_names) for words in covered.sets] if covered is not None else []
        if covered is not None and len(sets) != max(1, len(keys)):
            expected = max(1, len(keys))
            context.report("R0402", covered, table=name, row=area_name, found=len(sets), expected=expected)
        for covers in shapes.exact_covers(area, pieces, tuple(sets), context.budget):
            lists.append(tuple(numbers.setdefault(f"{area_name} {drawing}", len(numbers)) for drawing in covers))
            if len(numbers) > MAX_COVERINGS:
                context.report("R0414", article, what=name, found=len(numbers), limit=MAX_COVERINGS)
                return
    names = tuple(d.split()[1] for d in numbers)
    key = article.key.text if article.key is not None else ""
    model.coverings[name] = CoveringData(article.areas.text, article.pieces.text, key, names, tuple(lists))


def _pieces(context: CheckContext, words: tuple[s.Word, ...], known: Sequence[str]) -> tuple[int, ...]:
    """Return the sorted numbers of the pieces of a set; report unknown and repeated ones."""
    words_by_name: dict[str, s.Word] = {}
    for word in words:
        if word.text not in known:
            context.report("R0201", word, suggestion=did_you_mean(word.text, known), name=word.text)
        elif word.text in words_by_name:
            context.report("R0202", word, (Label(words_by_name[word.text].span, "declared"),), name=word.text)
        else:
            words_by_name[word.text] = word
    return tuple(sorted(known.index(n) for n in words_by_name))


def coverings_type(context: CheckContext, e: s.Indexed | s.Of, value: Callable[[s.Expression], Type]) -> Type:
    """Check `name[area, key]`, the coverings of one area by one of its sets, or `name of area`.

    `value` checks the expressions in the brackets.
    """
    context.used.add(e.name)
    indices = [(index, value(index)) for index in (e.indices if isinstance(e, s.Indexed) else (e.owner,))]
    data = context.model.coverings.get(e.name)
    if data is None or not data.areas:
        return context.record_type(e, UNKNOWN)
    expected_types = [Type("enum", name) for name in (data.areas, data.key) if name]
    for (index, kind), expected in zip(indices, expected_types, strict=False):
        context.expect(index, expected, kind)
    if len(indices) != len(expected_types):
        label = Label(context.names[e.name].node.span, "declared")
        context.report("R0302", e, (label,), name=e.name, found=len(indices), expected=len(expected_types))
    return context.record_type(e, Type("coverings", e.name), Ref("coverings", e.name))

"""Shapes of squares, and the exact coverings of areas by sets of pieces, found before play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Global, Work
from wongar_dsl.model import UNKNOWN, CoveringData, Ref, Type, shapes
from wongar_dsl.model.shapes import Shape
from wongar_dsl.text.diagnostics import Label
from wongar_dsl.text.suggest import did_you_mean

MAX_STEPS = 200_000
MAX_COVERINGS = 20_000


def declare_shapes(work: Work, article: s.Shapes) -> None:
    """Enter a sort of shape: its shapes are values, as those of an enumeration."""
    name = article.name.text
    kind = Type("enum", name)
    work.declare(article.name, Global("enum", article.name))
    found: list[tuple[str, Shape]] = []
    for drawing in article.drawings:
        one = shapes.drawn(drawing.rows)
        sides = (len(drawing.rows), *map(len, drawing.rows))
        if max(sides) > shapes.MAX_SIDE:
            work.report("R0414", drawing, what=drawing.name.text, found=max(sides), limit=shapes.MAX_SIDE)
            one = None
        elif one is None:
            work.report("R0305", drawing, value=0, low=1, high=shapes.MAX_SIDE**2)
        if work.declare(drawing.name, Global("value", drawing.name, kind, len(found))):
            found.append((drawing.name.text, one or Shape(((0, 0),))))
    work.model.enums[name] = tuple(n for n, _ in found)
    work.model.shapes[name] = tuple(one for _, one in found)


def find_coverings(work: Work, article: s.Coverings) -> None:
    """All exact coverings of an article: each has a number, and each area and key a list of them."""
    name = article.name.text
    before = len(work.found)
    for word in (article.areas, article.pieces):
        if word.text not in work.model.shapes:
            work.unknown(word, word.text, work.model.shapes)
    if article.key is not None and article.key.text not in work.model.enums:
        work.unknown(article.key, article.key.text, work.model.enums)
    work.model.coverings[name] = CoveringData("", "", "", (), ())
    if len(work.found) > before:
        return
    work.used |= {article.areas.text, article.pieces.text}
    if article.key is not None:
        work.used.add(article.key.text)
    try:
        _find(work, article)
    except shapes.TooLong:
        work.report("R0414", article, what=name, found=MAX_STEPS + 1, limit=MAX_STEPS)


def _find(work: Work, article: s.Coverings) -> None:
    model, name = work.model, article.name.text
    areas, pieces = model.shapes[article.areas.text], model.shapes[article.pieces.text]
    area_names, piece_names = model.enums[article.areas.text], model.enums[article.pieces.text]
    keys = model.enums[article.key.text] if article.key is not None else ()
    if len(pieces) > len(shapes.LETTERS):
        work.report("R0414", article, what=article.pieces.text, found=len(pieces), limit=len(shapes.LETTERS))
        return
    rows: dict[str, s.Covered] = {}
    for row in article.rows:
        if row.area.text not in area_names:
            work.report("R0201", row.area, suggestion=did_you_mean(row.area.text, area_names), name=row.area.text)
        elif row.area.text in rows:
            label = Label(rows[row.area.text].area.span, "declared")
            work.report("R0202", row.area, (label,), name=row.area.text)
        rows.setdefault(row.area.text, row)
    for missing in [n for n in area_names if n not in rows][:8]:
        work.report("R0401", article.name, table=name, row=missing)
    budget = shapes.Budget(MAX_STEPS)
    numbers: dict[str, int] = {}
    lists: list[tuple[int, ...]] = []
    for area_name, area in zip(area_names, areas, strict=True):
        covered = rows.get(area_name)
        sets = [_pieces(work, words, piece_names) for words in covered.sets] if covered is not None else []
        if covered is not None and len(sets) != max(1, len(keys)):
            expected = max(1, len(keys))
            work.report("R0402", covered, table=name, row=area_name, found=len(sets), expected=expected)
        fitting = shapes.Fitting(area, pieces, budget)
        for chosen in sets:
            drawings = dict.fromkeys(f"{area_name} {d}" for d in fitting.coverings(chosen))
            lists.append(tuple(numbers.setdefault(d, len(numbers)) for d in drawings))
            if len(numbers) > MAX_COVERINGS:
                work.report("R0414", article, what=name, found=len(numbers), limit=MAX_COVERINGS)
                return
    names = tuple(d.split()[1] for d in numbers)
    key = article.key.text if article.key is not None else ""
    model.coverings[name] = CoveringData(article.areas.text, article.pieces.text, key, names, tuple(lists))


def _pieces(work: Work, words: tuple[s.Word, ...], known: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the pieces of a set, each there once."""
    found: dict[str, s.Word] = {}
    for word in words:
        if word.text not in known:
            work.report("R0201", word, suggestion=did_you_mean(word.text, known), name=word.text)
        elif word.text in found:
            work.report("R0202", word, (Label(found[word.text].span, "declared"),), name=word.text)
        else:
            found[word.text] = word
    return tuple(sorted(known.index(n) for n in found))


def coverings_type(work: Work, e: s.Indexed | s.Of, value: Callable[[s.Expression], Type]) -> Type:
    """The type of `name[area, key]`, the coverings of one area by one of its sets, or of `name of area`.

    `value` checks what stands in the brackets.
    """
    work.used.add(e.name)
    indices = [(index, value(index)) for index in (e.indices if isinstance(e, s.Indexed) else (e.owner,))]
    data = work.model.coverings.get(e.name)
    if data is None or not data.areas:
        return work.note(e, UNKNOWN)
    wanted = [Type("enum", name) for name in (data.areas, data.key) if name]
    for (index, found), expected in zip(indices, wanted, strict=False):
        work.need(index, expected, found)
    if len(indices) != len(wanted):
        label = Label(work.names[e.name].node.span, "declared")
        work.report("R0302", e, (label,), name=e.name, found=len(indices), expected=len(wanted))
    return work.note(e, Type("coverings", e.name), Ref("coverings", e.name))

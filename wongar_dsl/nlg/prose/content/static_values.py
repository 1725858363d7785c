"""Constant folding: settings, the number of players, and expressions that depend on nothing else."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.prose.context import ProseContext

_COMPARED: Mapping[s.Comparison, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPUTED: Mapping[s.Arithmetic, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def constant(context: ProseContext, e: s.Expression) -> int | None:
    """Return the constant value of an expression, or None if it depends on play."""
    ref = context.ref(e)
    match e:
        case s.Number(value=value):
            return value
        case s.Truth(value=value):
            return int(value)
        case s.Name() if ref is not None and ref.kind == "option":
            return context.model.settings[ref.name].start
        case s.Name() if ref is not None and ref.kind == "players":
            low, high = context.model.players
            return low if low == high else context.seats
        case s.Name() if ref is not None and ref.kind == "value" and context.kind(e).kind != "number":
            return ref.number
        case s.Negation(operand=operand):
            result = constant(context, operand)
            return None if result is None else int(not result)
        case s.Minus(operand=operand):
            result = constant(context, operand)
            return None if result is None else -result
        case s.Binary(operator=sign, left=left, right=right) if sign in _COMPUTED:
            left_value, right_value = constant(context, left), constant(context, right)
            return None if left_value is None or right_value is None else _COMPUTED[sign](left_value, right_value)
        case s.Compare(operator=sign, left=left, right=right):
            left_value, right_value = constant(context, left), constant(context, right)
            return None if left_value is None or right_value is None else int(_COMPARED[sign](left_value, right_value))
        case s.Logical(operator=joined, operands=operands):
            values = [constant(context, operand) for operand in operands]
            decisive = int(joined == "or")
            if any(value is not None and bool(value) == bool(decisive) for value in values):
                return decisive
            return None if None in values else 1 - decisive
        case s.Indexed(name=name, indices=indices) if ref is not None and ref.kind == "table":
            return _cell(context, name, [constant(context, index) for index in indices])
    return None


def _cell(context: ProseContext, name: str, at: list[int | None]) -> int | None:
    """Return the number in a table cell, or None if a key is unknown."""
    table = context.model.tables[name]
    if table.value.kind not in ("number", "truth"):
        return None
    place = 0
    for key, low, size in zip(at, table.lows, table.sizes, strict=True):
        if key is None or not low <= key < low + size:
            return None
        place = place * size + key - low
    return table.cells[place]


def nothing_of(context: ProseContext, name: str) -> int:
    """Return the number that means *nothing*: 0, or a negative start value."""
    article = context.model.code.remembered.get(name)
    start = s.written_number(article.start) if article is not None and article.start is not None else None
    return min(0, start or 0)


def fold(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant` for an expression that is not a literal, and record it as folded."""
    if isinstance(e, s.Number | s.Truth) or s.written_number(e) is not None:
        return None
    kind: Type | None = context.model.types.get(e)
    if kind is None or kind.kind not in ("number", "truth"):
        return None
    result = constant(context, e)
    if result is not None:
        context.account.omit(e, "folded", "it is known before play")
    return result

"""Constant folding: settings, the number of players, and expressions that depend on nothing else."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.context import ProseContext

#: Python's functions for the operators; the language divides like Python, too.
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}


def constant(context: ProseContext, e: s.Expression) -> int | None:
    """Return the constant value of an expression, or None if it depends on play."""
    low, high = context.model.players
    return evaluate(context.model, e, low if low == high else context.seats, {})


def constant_number(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant` for a number or a truth value; None for other types, whose first value is no *nothing*."""
    kind = context.model.types.get(e)
    return constant(context, e) if kind is None or kind.kind in ("number", "truth") else None


def evaluate(model: Model, e: s.Expression, seats: int | None, values: Mapping[Local, int]) -> int | None:
    """Return the value of an expression for some values of names, or None if it depends on play."""
    ref = model.refs.get(e)
    match e:
        case s.Number(value=value) | s.Truth(value=value):
            return int(value)
        case s.Name() if ref is not None and ref.local is not None:
            return values.get(ref.local)
        case s.Name() if ref is not None and ref.kind == "value" and model.types[e].kind != "number":
            return ref.number
        case s.Name() if ref is not None and ref.kind == "option":
            return model.settings[ref.name].start
        case s.Name() if ref is not None and ref.kind == "players":
            return seats
        case s.Negation(operand=operand) | s.Minus(operand=operand):
            result = evaluate(model, operand, seats, values)
            return None if result is None else -result if isinstance(e, s.Minus) else int(not result)
        case s.Binary(operator=sign, left=left, right=right) | s.Compare(operator=sign, left=left, right=right):
            first, second = (evaluate(model, side, seats, values) for side in (left, right))
            if first is None or second is None or (sign in ("div", "mod") and second == 0):
                return None
            return int(_OPERATIONS[sign](first, second))
        case s.Logical(operator=joined, operands=operands):
            results = [evaluate(model, operand, seats, values) for operand in operands]
            decisive = int(joined == "or")
            if any(result is not None and bool(result) == bool(decisive) for result in results):
                return decisive
            return None if None in results else 1 - decisive
        case s.Conditional(condition=condition, then=then, other=other):
            holds = evaluate(model, condition, seats, values)
            return None if holds is None else evaluate(model, then if holds else other, seats, values)
        case s.Indexed() | s.Of() if ref is not None and ref.kind == "table":
            return _cell(model, ref.name, [evaluate(model, index, seats, values) for index in s.index_nodes(e)])
    return None


def _cell(model: Model, name: str, at: list[int | None]) -> int | None:
    """Return the value in a table cell, or None if a key is unknown."""
    table, place = model.tables[name], 0
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
    """Return `constant_number` for an expression that is not a literal, and record it as folded."""
    if isinstance(e, s.Number | s.Truth) or s.written_number(e) is not None:
        return None
    result = constant_number(context, e)
    if result is not None:
        context.log.omit(e, "folded", "it is known before play")
    return result

"""What is known before play: options, the number of players, and what hangs on nothing else."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from wongar_dsl import syntax as s
from wongar_dsl.model import Type
from wongar_dsl.prose.context import Context

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


def constant(context: Context, e: s.Expression) -> int | None:
    """The number that an expression always is, None where play decides."""
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
            known = constant(context, operand)
            return None if known is None else int(not known)
        case s.Minus(operand=operand):
            known = constant(context, operand)
            return None if known is None else -known
        case s.Binary(operator=sign, left=left, right=right) if sign in _COMPUTED:
            one, other = constant(context, left), constant(context, right)
            return None if one is None or other is None else _COMPUTED[sign](one, other)
        case s.Compare(operator=sign, left=left, right=right):
            one, other = constant(context, left), constant(context, right)
            return None if one is None or other is None else int(_COMPARED[sign](one, other))
        case s.Logical(operator=joined, operands=operands):
            found = [constant(context, operand) for operand in operands]
            decisive = int(joined == "or")
            if any(value is not None and bool(value) == bool(decisive) for value in found):
                return decisive
            return None if None in found else 1 - decisive
        case s.Indexed(name=name, indices=indices) if ref is not None and ref.kind == "table":
            return _cell(context, name, [constant(context, index) for index in indices])
    return None


def _cell(context: Context, name: str, at: list[int | None]) -> int | None:
    """The number in a cell of a table whose keys are known."""
    table = context.model.tables[name]
    if table.value.kind not in ("number", "truth"):
        return None
    place = 0
    for key, low, size in zip(at, table.lows, table.sizes, strict=True):
        if key is None or not low <= key < low + size:
            return None
        place = place * size + key - low
    return table.cells[place]


def nothing_of(context: Context, name: str) -> int:
    """The number that says that there is nothing: none, or what a remembered one starts with that starts below."""
    article = context.model.code.remembered.get(name)
    start = s.written_number(article.start) if article is not None and article.start is not None else None
    return min(0, start or 0)


def fold(context: Context, e: s.Expression) -> int | None:
    """The same as `constant` for what does not stand there as a number; the account has it then."""
    if isinstance(e, s.Number | s.Truth) or s.written_number(e) is not None:
        return None
    kind: Type | None = context.model.types.get(e)
    if kind is None or kind.kind not in ("number", "truth"):
        return None
    known = constant(context, e)
    if known is not None:
        context.account.leave(e, "folded", "it is known before play")
    return known

"""Values that are known before play: computes expressions that look at nothing but constants and one variable."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from wongar_dsl import ir

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
    "and": lambda a, b: int(bool(a) and bool(b)),
    "or": lambda a, b: int(bool(a) or bool(b)),
}


def known(e: ir.Expr, variable: int, value: int, tables: Sequence[Sequence[int]]) -> int | None:
    """The value of an expression for a value of its only variable; None where it looks at anything else."""
    match e:
        case ir.Const(value=constant):
            return constant
        case ir.Var(number=number):
            return value if number == variable else None
        case ir.Not(operand=operand):
            inner = known(operand, variable, value, tables)
            return None if inner is None else int(not inner)
        case ir.Lookup(table=table, index=index):
            place = known(index, variable, value, tables)
            return None if place is None or not 0 <= place < len(tables[table]) else tables[table][place]
        case ir.Bin(operator=sign, left=left, right=right) if sign in _OPERATORS:
            a, b = known(left, variable, value, tables), known(right, variable, value, tables)
            if a is None or b is None or (sign in ("//", "%") and b == 0):
                return None
            return int(_OPERATORS[sign](a, b))
    return None

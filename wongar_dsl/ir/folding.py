"""Values that are known before play: computes expressions that look at nothing but constants and one variable."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.ir import code as ir


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
        case ir.Bin(operator=sign, left=left, right=right):
            a, b = known(left, variable, value, tables), known(right, variable, value, tables)
            if a is None or b is None or (sign in ("//", "%") and b == 0):
                return None
            if sign in ("and", "or"):
                return int(bool(a) and bool(b)) if sign == "and" else int(bool(a) or bool(b))
            return int(ir.OPERATORS[sign](a, b))
    return None

"""Constant folding and normalisation of expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from wongar_dsl.compiler.ir import instructions as ir


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return a sum, folded if both operands are known."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(left.value + right.value)
    if isinstance(left, ir.Const) and left.value == 0:
        return right
    if isinstance(right, ir.Const) and right.value == 0:
        return left
    if isinstance(left, ir.Const):
        left, right = right, left
    match left, right:
        case ir.Bin(operator="+", left=rest, right=ir.Const(value=a)), ir.Const(value=b):
            return plus(rest, ir.Const(a + b))
    return ir.Bin("+", left, right)


def times(left: ir.Expr, factor: int) -> ir.Expr:
    """Return a product with a constant, folded if possible."""
    if factor == 1:
        return left
    if isinstance(left, ir.Const):
        return ir.Const(left.value * factor)
    return ir.Bin("*", left, ir.Const(factor))


def fold(e: ir.Expr, variable: int, value: int, tables: Sequence[Sequence[int]]) -> int | None:
    """Return the value of an expression for a value of its only variable; None if it reads anything else."""
    match e:
        case ir.Const(value=constant):
            return constant
        case ir.Var(number=number):
            return value if number == variable else None
        case ir.Not(operand=operand):
            inner = fold(operand, variable, value, tables)
            return None if inner is None else int(not inner)
        case ir.Lookup(table=table, index=index):
            place = fold(index, variable, value, tables)
            return None if place is None or not 0 <= place < len(tables[table]) else tables[table][place]
        case ir.Bin(operator=sign, left=left, right=right):
            a, b = fold(left, variable, value, tables), fold(right, variable, value, tables)
            if a is None or b is None or (sign in ("//", "%") and b == 0):
                return None
            if sign in ("and", "or"):
                return int(bool(a) and bool(b)) if sign == "and" else int(bool(a) or bool(b))
            return int(ir.OPERATORS[sign](a, b))
        case ir.Load() | ir.Peek() | ir.Top() | ir.Bottom() | ir.CountIn() | ir.Find():
            return None
        case _:
            assert_never(e)


#: Operators whose result is always 0 or 1.
TRUTH_OPERATORS = frozenset({"==", "!=", "<", "<=", ">", ">=", "and", "or"})

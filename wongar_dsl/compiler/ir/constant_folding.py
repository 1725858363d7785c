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


def is_truth(e: ir.Expr) -> bool:
    """Return whether a value is always 0 or 1."""
    match e:
        case ir.Const(value=value):
            return value in (0, 1)
        case ir.Bin(operator=sign):
            return sign in TRUTH_OPERATORS
    return isinstance(e, ir.Not)


def simplify(e: ir.Expr, tables: Sequence[Sequence[int]]) -> ir.Expr:
    """Return an equivalent expression, given folded operands.

    The constant of a sum becomes its last term, and expensive operands of `and` and `or` are moved to the right.
    """
    match e:
        case ir.Lookup(table=table, index=ir.Const(value=place)) if 0 <= place < len(tables[table]):
            return ir.Const(tables[table][place])
        case ir.Not(operand=ir.Const(value=value)):
            return ir.Const(int(not value))
        case ir.Bin(operator="+", left=left, right=right):
            return _sum(left, right)
        case ir.Bin(operator="*", left=left, right=ir.Const(value=factor)) if not isinstance(left, ir.Bin):
            return times(left, factor)
        case ir.Bin(operator="and" | "or" as sign, left=ir.Const(value=value), right=right):
            if bool(value) == (sign == "or"):
                return ir.Const(int(sign == "or"))
            return right if is_truth(right) else e
        case ir.Bin(operator="and" | "or" as sign, left=left, right=ir.Const(value=value)):
            if bool(value) == (sign == "or"):
                return ir.Const(int(sign == "or"))
            return left if is_truth(left) else e
        case ir.Bin(operator=">" | "!=", left=left, right=ir.Const(value=0)) if is_truth(left):
            return left
        case ir.Bin(operator="==", left=left, right=ir.Const(value=0)) if is_truth(left):
            return simplify(ir.Not(left), tables)
        case ir.Bin(operator="!=", left=left, right=right) if left == right:
            return ir.Const(0)
        case ir.Bin(operator="and" | "or" as sign, left=left, right=right) if _searches(left) and not _searches(right):
            return ir.Bin(sign, right, left)
        case ir.Bin(left=ir.Const(), right=ir.Const()):
            constant = fold(e, -1, 0, tables)
            return e if constant is None else ir.Const(constant)
    return e


def _searches(e: ir.Expr) -> bool:
    """Return whether a truth value requires a search through a pile, which is evaluated last."""
    match e:
        case ir.Not(operand=operand):
            return _searches(operand)
        case ir.Bin(left=left, right=right):
            return _searches(left) or _searches(right)
    return isinstance(e, ir.CountIn | ir.Find)


def _sum(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    match left, right:
        case ir.Bin(operator="+", left=rest, right=ir.Const() as constant), _:
            return plus(_sum(rest, right), constant)
        case _, ir.Bin(operator="+", left=rest, right=ir.Const() as constant):
            return plus(_sum(left, rest), constant)
    return plus(left, right)

"""Constant folding, normalisation and interval analysis of expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from wongar_dsl.compiler.ir import instructions as ir

# ---- constant folding ----------------------------------------------------------------------------------------------


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


# ---- intervals -----------------------------------------------------------------------------------------------------


#: Upper limit for stored numbers and products; the lower limit is its negative.
MAX_VALUE = 1_000_000_000
#: Interval: least and greatest value.
Extent = tuple[int, int]
#: Interval of a stored value about which nothing else is known.
STORED: Extent = (-MAX_VALUE, MAX_VALUE)
#: Interval of all other values: enumeration values, areas, cards, players (-1: none), and card counts.
CARDS: Extent = (-1, 1_000_000)
#: Interval of a truth value.
TRUTH: Extent = (0, 1)


def join(one: Extent, other: Extent) -> Extent:
    """Return the smallest interval that contains both."""
    return min(one[0], other[0]), max(one[1], other[1])


def is_within(one: Extent, other: Extent) -> bool:
    """Return whether `one` is contained in `other`."""
    return other[0] <= one[0] and one[1] <= other[1]


def product(one: Extent, other: Extent) -> Extent:
    """Return the interval of the product of two values."""
    ends = [a * b for a in one for b in other]
    return min(ends), max(ends)


def extent(e: ir.Expr, known: Mapping[ir.Expr, Extent], table: Callable[[int], Extent]) -> Extent:
    """Return the interval of an expression.

    `known` gives intervals of subexpressions, `table` those of constant tables.  Stored values, in variables or in the
    state, have the interval `STORED` unless more is known.
    """
    known_extent = known.get(e)
    if known_extent is not None:
        return known_extent
    match e:
        case ir.Const(value=value):
            return value, value
        case ir.Lookup(table=number):
            return table(number)
        case ir.Not():
            return TRUTH
        case ir.Bin(operator="+", right=right):
            # Iterative, because the size of a zone is a long sum.
            low, high = extent(right, known, table)
            left: ir.Expr = e.left
            while isinstance(left, ir.Bin) and left.operator == "+" and left not in known:
                more = extent(left.right, known, table)
                low, high, left = low + more[0], high + more[1], left.left
            first = extent(left, known, table)
            return low + first[0], high + first[1]
        case ir.Bin(operator=sign, left=left, right=right):
            return operator_extent(sign, extent(left, known, table), extent(right, known, table))
        case ir.Var() | ir.Load() | ir.Peek():
            return STORED
        case ir.Top() | ir.Bottom() | ir.CountIn() | ir.Find():
            return CARDS
        case _:
            assert_never(e)


def operator_extent(sign: ir.Operator, a: Extent, b: Extent) -> Extent:
    """Return the interval of a binary operation."""
    far_a = max(-a[0], a[1])
    match sign:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "*":
            return product(a, b)
        case "//":
            return -far_a, far_a
        case "%":
            # The sign is that of the divisor.
            return min(0, b[0] + 1), max(0, b[1] - 1)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "&" | "|" | "<<" | ">>":
            # Bit sets of seats.
            return STORED
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or":
            return TRUTH
        case _:
            assert_never(sign)

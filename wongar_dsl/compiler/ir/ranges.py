"""Interval analysis of IR expressions: value ranges known before play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from wongar_dsl.compiler.ir import instructions as ir

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

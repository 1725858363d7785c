"""Lowering of expressions over all values of a domain."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.extents import CARDS, within
from wongar_dsl.lower.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.domains import best, each, each_counted

#: Greater than any sum that the step budget allows.
ENDLESSLY = 1 << 62
#: Non-zero initial values of the results.
_START = {"none": ONE, "every": ONE, "first": NONE}


def quantified(to: Lowering, e: s.Quantified) -> ir.Expr:
    """Lower an expression that binds a name."""
    if e.kind == "random":
        return _random(to, e)
    code = to.code
    if e.kind in ("highest", "lowest"):
        d = replace(e.domain, extreme="most" if e.kind == "highest" else "fewest", measure=e.value)
        local = to.model.locals[e.variable]
        return to.in_range(e, best(to, d, replace(to.domain(d, local), copies=None), local), "+")
    result = code.variable(_START.get(e.kind, ZERO))
    added: ir.Expr = ONE

    def found(value: ir.Expr) -> tuple[ir.Stmt, ...]:
        return (ir.SetVar(result.number, value), ir.Break())

    def body(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        match e.kind:
            case "some":
                code.add(*found(ONE))
            case "none":
                code.add(*found(ZERO))
            case "first":
                code.add(*found(x))
            case "number":
                added = copies
                code.set(result, ir.Bin("+", result, added))
            case "every":
                assert e.value is not None
                code.add(ir.If(to.value(e.value), (), found(ZERO)))
            case "sum":
                assert e.value is not None
                value = to.value(e.value)
                added = value if copies == ONE else to.product(e, value, copies)
                code.set(result, ir.Bin("+", result, added))
            case "highest" | "lowest" | "random" | "tally":
                raise AssertionError(e.kind)  # These have their own functions.
            case _:
                assert_never(e.kind)

    each_counted(to, e.variable, e.domain, body)
    return _total(to, e, result, added)


def _total(to: Lowering, e: s.Quantified, total: ir.Var, added: ir.Expr) -> ir.Expr:
    """Return a sum over all iterations, with a range check."""
    increment = to.extent(added)
    if e.kind == "sum" or not within(increment, CARDS):
        to.code.known[total] = -ENDLESSLY if increment[0] < 0 else 0, ENDLESSLY if increment[1] > 0 else 0
    return to.in_range(e, total, "+")


def _random(to: Lowering, e: s.Quantified) -> ir.Expr:
    """Draw a value at random by its weight; a card in a zone counts once per copy."""
    code = to.code
    total, remaining, result = code.fresh(), code.fresh(), code.fresh()

    def weight(copies: ir.Expr) -> ir.Expr:
        if e.value is None:
            return copies
        unit_weight = to.once(e.value)
        return unit_weight if copies == ONE else to.product(e, unit_weight, copies)

    code.set(total, ZERO)
    added: ir.Expr = ONE

    def add(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        added = weight(copies)
        code.set(total, ir.Bin("+", total, added))

    each_counted(to, e.variable, e.domain, add)
    to.stop_if(ir.Bin("<=", total, ZERO), "R0609", e)
    _total(to, e, total, added)
    code.add(ir.Chance(remaining.number, total))
    code.set(result, NONE)

    def find(x: ir.Expr, copies: ir.Expr) -> None:
        w = code.once(weight(copies))
        hit = (ir.SetVar(result.number, x), ir.Break())
        code.add(ir.If(ir.Bin("<", remaining, w), hit, ()))
        code.set(remaining, ir.Bin("-", remaining, w))

    each_counted(to, e.variable, e.domain, find)
    return result


def tally(to: Lowering, e: s.Quantified) -> tuple[ir.Expr, ...]:
    """Lower a tally of players: for each seat whether it is included, and its number."""
    assert e.value is not None
    value, code = e.value, to.code
    inside = [code.fresh() for _ in range(to.seats)]
    numbers = [code.fresh() for _ in range(to.seats)]
    for variable in (*inside, *numbers):
        code.set(variable, ZERO)

    def body(x: ir.Expr) -> None:
        number = to.once(value)
        for seat in range(to.seats):
            take = (ir.SetVar(inside[seat].number, ONE), ir.SetVar(numbers[seat].number, number))
            code.add(ir.If(ir.Bin("==", x, ir.Const(seat)), take, ()))

    each(to, e.variable, e.domain, body)
    return tuple(cell for pair in zip(inside, numbers, strict=True) for cell in pair)


#: Lowering functions of this module.
LOWERED = Dispatch(
    expressions={
        s.Quantified: quantified,
    },
)

"""Lowering of expressions over all values of a domain."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.ranges import CARDS, is_within
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.domains import best, each, each_counted
from wongar_dsl.language import ast as s

#: Upper bound of a sum: no loop within the step budget reaches it.
MAX_SUM = 1 << 62
#: Non-zero initial values of the results.
_START = {"none": ONE, "every": ONE, "first": NONE}


def quantified(ctx: Lowering, e: s.Quantified) -> ir.Expr:
    """Lower an expression that binds a name."""
    if e.kind == "random":
        return _random(ctx, e)
    code = ctx.code
    if e.kind in ("highest", "lowest"):
        d = replace(e.domain, extreme="most" if e.kind == "highest" else "fewest", measure=e.value)
        local = ctx.model.locals[e.variable]
        return ctx.in_range(e, best(ctx, d, replace(ctx.domain(d, local), copies=None), local), "+")
    result = code.variable(_START.get(e.kind, ZERO))
    added: ir.Expr = ONE

    def set_and_break(value: ir.Expr) -> tuple[ir.Stmt, ...]:
        return (ir.SetVar(result.number, value), ir.Break())

    def body(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        match e.kind:
            case "some":
                code.add(*set_and_break(ONE))
            case "none":
                code.add(*set_and_break(ZERO))
            case "first":
                code.add(*set_and_break(x))
            case "number":
                added = copies
                code.set(result, ir.Bin("+", result, added))
            case "every":
                assert e.value is not None
                code.add(ir.If(ctx.value(e.value), (), set_and_break(ZERO)))
            case "sum":
                assert e.value is not None
                value = ctx.value(e.value)
                added = value if copies == ONE else ctx.product(e, value, copies)
                code.set(result, ir.Bin("+", result, added))
            case "highest" | "lowest" | "random" | "tally":
                raise AssertionError(e.kind)  # These have their own functions.
            case _:
                assert_never(e.kind)

    each_counted(ctx, e.variable, e.domain, body)
    return _total(ctx, e, result, added)


def _total(ctx: Lowering, e: s.Quantified, total: ir.Var, added: ir.Expr) -> ir.Expr:
    """Return a sum over all iterations, with a range check."""
    increment = ctx.extent(added)
    if e.kind == "sum" or not is_within(increment, CARDS):
        ctx.code.known[total] = -MAX_SUM if increment[0] < 0 else 0, MAX_SUM if increment[1] > 0 else 0
    return ctx.in_range(e, total, "+")


def _random(ctx: Lowering, e: s.Quantified) -> ir.Expr:
    """Draw a value at random by its weight; a card in a zone counts once per copy."""
    code = ctx.code
    total, remaining, result = code.fresh(), code.fresh(), code.fresh()

    def weight(copies: ir.Expr) -> ir.Expr:
        if e.value is None:
            return copies
        unit_weight = ctx.once(e.value)
        return unit_weight if copies == ONE else ctx.product(e, unit_weight, copies)

    code.set(total, ZERO)
    added: ir.Expr = ONE

    def add(x: ir.Expr, copies: ir.Expr) -> None:
        nonlocal added
        added = weight(copies)
        code.set(total, ir.Bin("+", total, added))

    each_counted(ctx, e.variable, e.domain, add)
    ctx.stop_if(ir.Bin("<=", total, ZERO), "R0609", e)
    _total(ctx, e, total, added)
    code.add(ir.Chance(remaining.number, total))
    code.set(result, NONE)

    def find(x: ir.Expr, copies: ir.Expr) -> None:
        w = code.once(weight(copies))
        hit = (ir.SetVar(result.number, x), ir.Break())
        code.add(ir.If(ir.Bin("<", remaining, w), hit, ()))
        code.set(remaining, ir.Bin("-", remaining, w))

    each_counted(ctx, e.variable, e.domain, find)
    return result


def tally(ctx: Lowering, e: s.Quantified) -> tuple[ir.Expr, ...]:
    """Lower a tally of players: for each seat whether it is included, and its number."""
    assert e.value is not None
    value, code = e.value, ctx.code
    inside = [code.fresh() for _ in range(ctx.seats)]
    numbers = [code.fresh() for _ in range(ctx.seats)]
    for variable in (*inside, *numbers):
        code.set(variable, ZERO)

    def body(x: ir.Expr) -> None:
        number = ctx.once(value)
        for seat in range(ctx.seats):
            take = (ir.SetVar(inside[seat].number, ONE), ir.SetVar(numbers[seat].number, number))
            code.add(ir.If(ir.Bin("==", x, ir.Const(seat)), take, ()))

    each(ctx, e.variable, e.domain, body)
    return tuple(cell for pair in zip(inside, numbers, strict=True) for cell in pair)


#: Lowering functions of this module.
LOWERED = Dispatch(
    expressions={
        s.Quantified: quantified,
    },
)

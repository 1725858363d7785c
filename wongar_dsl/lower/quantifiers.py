"""What is asked of all values of a domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.folding import plus
from wongar_dsl.lower import zones
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering
from wongar_dsl.lower.domains import best, each

#: What the value is before the first turn of the loop, where it is not 0.
_START = {"none": ONE, "every": ONE, "first": NONE}


def quantified(to: Lowering, e: s.Quantified) -> ir.Expr:
    """The value of an expression that binds a name."""
    if e.kind == "random":
        return _random(to, e)
    code = to.code
    if e.kind in ("highest", "lowest"):
        d = replace(e.domain, extreme="most" if e.kind == "highest" else "fewest", measure=e.value)
        local = to.model.locals[e.variable]
        return best(to, d, to.domain(d, local), local)
    result = code.variable(_START.get(e.kind, ZERO))

    def found(value: ir.Expr) -> tuple[ir.Stmt, ...]:
        return (ir.SetVar(result.number, value), ir.Break())

    def body(x: ir.Expr) -> None:
        match e.kind, e.value:
            case "some", _:
                code.add(*found(ONE))
            case "none", _:
                code.add(*found(ZERO))
            case "first", _:
                code.add(*found(x))
            case "number", _:
                code.set(result, ir.Bin("+", result, ONE))
            case "every", s.Expression() as condition:
                code.add(ir.If(to.value(condition), (), found(ZERO)))
            case "sum", s.Expression() as summand:
                code.set(result, ir.Bin("+", result, to.value(summand)))
            case _:
                raise AssertionError(e.kind)

    each(to, e.variable, e.domain, body)
    return to.in_range(e, result, "+") if e.kind == "sum" else result


def _random(to: Lowering, e: s.Quantified) -> ir.Expr:
    """Draw one value, each with its weight; a card of a zone with the number of its copies."""
    code = to.code
    total, left, result = code.fresh(), code.fresh(), code.fresh()
    weight = _weight(to, e)
    code.set(total, ZERO)
    each(to, e.variable, e.domain, lambda x: code.set(total, ir.Bin("+", total, weight(x))))
    to.stop_if(ir.Bin("<=", total, ZERO), "R0609", e)
    code.add(ir.Chance(left.number, total))
    code.set(result, NONE)

    def find(x: ir.Expr) -> None:
        w = code.once(weight(x))
        hit = (ir.SetVar(result.number, x), ir.Break())
        code.add(ir.If(ir.Bin("<", left, w), hit, ()))
        code.set(left, ir.Bin("-", left, w))

    each(to, e.variable, e.domain, find)
    return result


def _weight(to: Lowering, e: s.Quantified) -> Callable[[ir.Expr], ir.Expr]:
    """The weight of a value among those that `random` draws from."""
    if e.value is not None:
        weight = e.value
        return lambda x: to.once(weight)
    if e.domain.kind != "all" or to.model.refs[e.domain.base].kind != "zone":
        return lambda x: ONE
    field, address = zones.zone(to, e.domain.base)
    if field.kind == "tokens":
        return lambda x: ir.Load(plus(address, x))
    return lambda x: zones.copies_in(field, address, x)


def tally(to: Lowering, e: s.Quantified) -> tuple[ir.Expr, ...]:
    """A tally of players: for each seat whether it counts, and its number."""
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

"""Lowering of numbers, conditions and comparisons."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus
from wongar_dsl.compiler.ir.ranges import join
from wongar_dsl.compiler.lowering.context import NONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.names import is_face_kind
from wongar_dsl.language import ast as s

_ARITHMETIC: Mapping[s.Arithmetic, ir.Operator] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


def number(ctx: Lowering, e: s.Number) -> ir.Expr:
    """Lower an integer."""
    return ir.Const(e.value)


def truth(ctx: Lowering, e: s.Truth) -> ir.Expr:
    """Lower `yes` and `no`."""
    return ir.Const(int(e.value))


def nobody(ctx: Lowering, e: s.Nobody) -> ir.Expr:
    """Lower `nobody` and `none`."""
    return NONE


def negation(ctx: Lowering, e: s.Negation) -> ir.Expr:
    """Lower `not x`."""
    inner = ctx.value(e.operand)
    return ir.Const(int(not inner.value)) if isinstance(inner, ir.Const) else ir.Not(inner)


def minus(ctx: Lowering, e: s.Minus) -> ir.Expr:
    """Lower `-x`."""
    inner = ctx.value(e.operand)
    return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Bin("-", ZERO, inner)


def binary(ctx: Lowering, e: s.Binary) -> ir.Expr:
    """Lower `+ - * div mod`."""
    operator, a, b = _ARITHMETIC[e.operator], ctx.value(e.left), ctx.value(e.right)
    if operator in ("//", "%"):
        if not isinstance(b, ir.Const) or b.value == 0:
            b = ctx.code.once(b)
            ctx.stop_if(ir.Bin("==", b, ZERO), "R0608", e)
        return ir.Bin(operator, a, b)
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        value = ir.Const(ir.OPERATORS[operator](a.value, b.value))
        return ctx.in_range(e, value, "*") if operator == "*" else value
    if operator == "*":
        return ctx.product(e, a, b)
    return plus(a, b) if operator == "+" else ir.Bin(operator, a, b)


def logical(ctx: Lowering, e: s.Logical) -> ir.Expr:
    """Lower conditions joined by `and` or `or`."""
    result = ctx.value(e.operands[0])
    for operand in e.operands[1:]:
        with ctx.code.inner() as before:
            right = ctx.value(operand)
        if not before:
            result = ir.Bin(e.operator, result, right)
            continue
        # Code that the right operand needs may run only if the left operand does not decide the result.
        result_variable = ctx.code.variable(result)
        body = (*before, ir.SetVar(result_variable.number, right))
        ctx.code.add(ir.If(result_variable, body, ()) if e.operator == "and" else ir.If(result_variable, (), body))
        result = result_variable
    return result


def conditional(ctx: Lowering, e: s.Conditional) -> ir.Expr:
    """Lower `(a if c otherwise b)`."""
    test, result = ctx.condition(e.condition), ctx.code.fresh()
    with ctx.code.inner() as first:
        then_value = ctx.value(e.then)
        ctx.code.set(result, then_value)
    with ctx.code.inner() as second:
        otherwise_value = ctx.value(e.other)
        ctx.code.set(result, otherwise_value)
    ctx.code.known[result] = join(ctx.extent(then_value), ctx.extent(otherwise_value))
    ctx.code.add(ir.If(test, tuple(first), tuple(second)))
    return result


def compare(ctx: Lowering, e: s.Compare) -> ir.Expr:
    """Lower a comparison, including `card is kind`."""
    operator: ir.Operator = "==" if e.operator == "=" else e.operator
    left = ctx.value(e.left)
    ref = ctx.model.refs.get(e.right)
    if ref is not None and ref.kind == "facekind":
        return is_face_kind(ctx, operator, ctx.type_of(e.left).name, left, ref.name)
    right = ctx.value(e.right)
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and operator in ("==", "!="):
        return ir.Const(int((left.value == right.value) == (operator == "==")))
    return ir.Bin(operator, left, right)


#: Lowering functions of this module.
LOWERED = Dispatch(
    expressions={
        s.Number: number,
        s.Truth: truth,
        s.Nobody: nobody,
        s.Negation: negation,
        s.Minus: minus,
        s.Binary: binary,
        s.Logical: logical,
        s.Compare: compare,
        s.Conditional: conditional,
    },
)

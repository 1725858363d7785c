"""Lowering of numbers, conditions and comparisons."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.extents import join
from wongar_dsl.ir.folding import plus
from wongar_dsl.lower.context import NONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.references import is_face_kind

_ARITHMETIC: Mapping[s.Arithmetic, ir.Operator] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


def number(to: Lowering, e: s.Number) -> ir.Expr:
    """Lower an integer."""
    return ir.Const(e.value)


def truth(to: Lowering, e: s.Truth) -> ir.Expr:
    """Lower `yes` and `no`."""
    return ir.Const(int(e.value))


def nobody(to: Lowering, e: s.Nobody) -> ir.Expr:
    """Lower `nobody` and `none`."""
    return NONE


def negation(to: Lowering, e: s.Negation) -> ir.Expr:
    """Lower `not x`."""
    inner = to.value(e.operand)
    return ir.Const(int(not inner.value)) if isinstance(inner, ir.Const) else ir.Not(inner)


def minus(to: Lowering, e: s.Minus) -> ir.Expr:
    """Lower `-x`."""
    inner = to.value(e.operand)
    return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Bin("-", ZERO, inner)


def binary(to: Lowering, e: s.Binary) -> ir.Expr:
    """Lower `+ - * div mod`."""
    operator, a, b = _ARITHMETIC[e.operator], to.value(e.left), to.value(e.right)
    if operator in ("//", "%"):
        if not isinstance(b, ir.Const) or b.value == 0:
            b = to.code.once(b)
            to.stop_if(ir.Bin("==", b, ZERO), "R0608", e)
        return ir.Bin(operator, a, b)
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        value = ir.Const(ir.OPERATORS[operator](a.value, b.value))
        return to.in_range(e, value, "*") if operator == "*" else value
    if operator == "*":
        return to.product(e, a, b)
    return plus(a, b) if operator == "+" else ir.Bin(operator, a, b)


def logical(to: Lowering, e: s.Logical) -> ir.Expr:
    """Lower conditions joined by `and` or `or`."""
    result = to.value(e.operands[0])
    for operand in e.operands[1:]:
        with to.code.inner() as before:
            right = to.value(operand)
        if not before:
            result = ir.Bin(e.operator, result, right)
            continue
        # Code that the right operand needs may run only if the left operand does not decide the result.
        result_variable = to.code.variable(result)
        body = (*before, ir.SetVar(result_variable.number, right))
        to.code.add(ir.If(result_variable, body, ()) if e.operator == "and" else ir.If(result_variable, (), body))
        result = result_variable
    return result


def either(to: Lowering, e: s.Either) -> ir.Expr:
    """Lower `(a if c otherwise b)`."""
    test, result = to.condition(e.condition), to.code.fresh()
    with to.code.inner() as first:
        then_value = to.value(e.then)
        to.code.set(result, then_value)
    with to.code.inner() as second:
        otherwise_value = to.value(e.other)
        to.code.set(result, otherwise_value)
    to.code.known[result] = join(to.extent(then_value), to.extent(otherwise_value))
    to.code.add(ir.If(test, tuple(first), tuple(second)))
    return result


def compare(to: Lowering, e: s.Compare) -> ir.Expr:
    """Lower a comparison, including `card is kind`."""
    operator: ir.Operator = "==" if e.operator == "=" else e.operator
    left = to.value(e.left)
    ref = to.model.refs.get(e.right)
    if ref is not None and ref.kind == "facekind":
        return is_face_kind(to, operator, to.type_of(e.left).name, left, ref.name)
    right = to.value(e.right)
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
        s.Either: either,
    },
)

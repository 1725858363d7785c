"""Pretty-printing of expressions, domains and types.

A node that comes from one file keeps the author's own text; only nodes assembled from several files are composed again.
"""

from __future__ import annotations

import re
from enum import IntEnum

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.addressable_parts import part_text


class Precedence(IntEnum):
    """Binding strength of expressions in the grammar; an expression of a lower level than required needs brackets."""

    OR, AND, CONDITION, COMPARISON, SUM, PRODUCT, UNARY, POSTFIX = range(8)


_COMMENT = re.compile(r"#[^\n]*")
_BINARY = {
    "+": Precedence.SUM,
    "-": Precedence.SUM,
    "*": Precedence.PRODUCT,
    "div": Precedence.PRODUCT,
    "mod": Precedence.PRODUCT,
}


def expression_text(e: s.Expression, level: Precedence = Precedence.OR, last: bool = False) -> str:
    """Return an expression as text, in brackets if its level is lower than `level`; `last`: it ends the line."""
    # The name `me` in `my points` has no text of its own.
    text = e.text if isinstance(e, s.Name) else _source_text(e) or _composed(e)
    # An expression that ends in a domain would absorb the words after it.
    return text if _level(e) >= level and (last or level == Precedence.OR or not _ends_in_domain(e)) else f"({text})"


def domain(d: s.Domain) -> str:
    """Return a domain as text."""
    return _source_text(d) or _composed_domain(d)


def type_name(t: s.TypeName) -> str:
    """Return a type as text."""
    if t.low is None or t.high is None:
        return t.name
    return f"{t.name} {expression_text(t.low, Precedence.SUM)} to {expression_text(t.high, Precedence.SUM)}"


def typed(parameters: tuple[s.Typed, ...]) -> str:
    """Return parameters with their types as text."""
    return ", ".join(f"{p.name.text}: {type_name(p.type)}" for p in parameters)


def _source_text(node: s.Node) -> str:
    """Return the source text of a node; empty if parts of it come from elsewhere."""
    span = node.span
    for part in s.walk(node):
        place = part.span
        inside = (span.line, span.column) <= (place.line, place.column) and (
            (place.end_line, place.end_column) <= (span.end_line, span.end_column)
        )
        if place.source != span.source or not inside:
            return ""
    return _text_of(span)


def _text_of(span: Span) -> str:
    lines = span.source.text.replace("\r\n", "\n").split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(_COMMENT.sub("", "\n".join(lines)).split())


def _level(e: s.ExpressionNode) -> Precedence:
    """Return the binding strength of an expression."""
    match e:
        case s.Logical(operator=operator):
            return Precedence.OR if operator == "or" else Precedence.AND
        case s.Negation():
            return Precedence.CONDITION
        case s.Compare() | s.Empty():
            return Precedence.COMPARISON
        case s.Binary(operator=operator):
            return _BINARY[operator]
        case s.Minus() | s.CountOf():
            return Precedence.UNARY
        case s.Quantified(kind=kind):
            return Precedence.CONDITION if kind in ("some", "none", "every") else Precedence.UNARY
        case s.Number(value=value):
            return Precedence.POSTFIX if value >= 0 else Precedence.UNARY
        case s.Truth() | s.Nobody() | s.Name() | s.Called() | s.Indexed() | s.Of() | s.Conditional():
            return Precedence.POSTFIX
    # An unknown expression gets brackets unless it stands alone.
    return Precedence.OR


def _ends_in_domain(e: s.Expression) -> bool:
    match e:
        case s.Quantified():
            return True
        case s.Logical(operands=(*_, last)):
            return _ends_in_domain(last)
        case s.Negation(operand=last) | s.Minus(operand=last) | s.Of(owner=last):
            return _ends_in_domain(last)
        case s.Binary(right=last) | s.Compare(right=last) | s.CountOf(zone=last):
            return _ends_in_domain(last)
    return False


def _composed(e: s.ExpressionNode) -> str:
    """Compose the text of an expression from the texts of its parts."""
    match e:
        case s.Number() | s.Truth() | s.Nobody() | s.Name():
            return part_text(e)
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(map(expression_text, arguments))})"
        case s.Indexed(name=name, indices=indices):
            return f"{name}[{', '.join(map(expression_text, indices))}]"
        case s.Of(name=name, owner=owner):
            return f"{name} of {expression_text(owner, Precedence.POSTFIX)}"
        case s.Negation(operand=operand):
            return f"not {expression_text(operand, Precedence.CONDITION)}"
        case s.Minus(operand=operand):
            return f"-{expression_text(operand, Precedence.UNARY)}"
        case s.Binary(operator=operator, left=left, right=right):
            level = _BINARY[operator]
            return f"{expression_text(left, level)} {operator} {expression_text(right, Precedence(level + 1))}"
        case s.Logical(operator=operator, operands=operands):
            level = Precedence.AND if operator == "or" else Precedence.CONDITION
            return f" {operator} ".join(expression_text(operand, level) for operand in operands)
        case s.Compare(operator=operator, left=left, right=right):
            return f"{expression_text(left, Precedence.SUM)} {operator} {expression_text(right, Precedence.SUM)}"
        case s.Conditional(condition=condition, then=then, other=other):
            return f"({expression_text(then)} if {expression_text(condition)} otherwise {expression_text(other)})"
        case s.Empty(zone=zone, negated=negated):
            return f"{expression_text(zone, Precedence.SUM)} is {'not ' if negated else ''}empty"
        case s.CountOf(card=card, zone=zone):
            return (
                f"count of {expression_text(card, Precedence.POSTFIX)} in {expression_text(zone, Precedence.POSTFIX)}"
            )
        case s.Quantified():
            return _quantified(e)
    return _text_of(e.span)


def _quantified(e: s.Quantified) -> str:
    name, values = e.variable.text, domain(e.domain)
    value = (
        None
        if e.value is None
        else expression_text(e.value, Precedence.CONDITION if e.kind == "every" else Precedence.SUM)
    )
    kind: str = e.kind  # an unknown kind falls back to the source text
    match kind:
        case "some" | "none":
            return f"{'no' if kind == 'none' else kind} {name} in {values}"
        case "every":
            return f"every {name} in {values} has {value}"
        case "number":
            return f"number of {name} in {values}"
        case "sum" | "tally":
            return f"{e.kind} of {value} for {name} in {values}"
        case "highest" | "lowest":
            return f"{e.kind} {value} for {name} in {values}"
        case "first" | "random":
            return f"{e.kind} {name} in {values}" + (f" weighted by {value}" if value is not None else "")
    return _text_of(e.span)


def _composed_domain(d: s.Domain) -> str:
    closed = Precedence.AND
    text = _values(d)
    if d.through is not None:
        text += f" while {expression_text(d.through, closed if d.where is not None or d.extreme else Precedence.OR)}"
    if d.where is not None:
        text += f" where {expression_text(d.where, closed if d.extreme else Precedence.OR)}"
    if d.extreme is not None and d.measure is not None:
        text += f" with {d.extreme} {expression_text(d.measure, Precedence.SUM)}"
    return text


def _values(d: s.Domain) -> str:
    """Return a domain as text, without its conditions."""
    base = expression_text(d.base, Precedence.POSTFIX if d.kind == "kinds" else Precedence.SUM)
    first = "" if d.first is None else expression_text(d.first, Precedence.SUM)
    second = "" if d.second is None else expression_text(d.second, Precedence.SUM)
    kind: str = d.kind
    match kind:
        case "all":
            return base
        case "kinds":
            return f"kind of {first} in {base}"
        case "span":
            return f"{base} to {first}"
        case "touching":
            return f"{base} touching {first}"
        case "within":
            # `of` would bind to a name before it.
            return f"{base} within {first if isinstance(d.first, s.Number) else f'({first})'} of {second}"
        case "along":
            return f"{base} along {first} from {second}"
        case "reached":
            return f"{base} reached from {first}"
        case "lines" | "through":
            return f"lines of {first} {'on' if d.kind == 'lines' else 'through'} {base}"
        case "from" | "after":
            return f"{base} clockwise {d.kind} {first}"
    return _text_of(d.span)

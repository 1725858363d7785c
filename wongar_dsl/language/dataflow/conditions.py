"""Normal form of conditions, and a test whether two contradict each other, for the detection of dead code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from wongar_dsl.language import ast as s

_MIRRORED: dict[s.Comparison, s.Comparison] = {">": "<", ">=": "<="}


def normal(e: s.Expression, negated: bool = False) -> s.Expression:
    """Return a condition, or its negation, without `not`, `>`, `>=`, or `<` beside a written number."""
    match e:
        case s.Negation(operand=operand):
            return normal(operand, not negated)
        case s.Truth(value=value):
            return replace(e, value=value != negated)
        case s.Logical(operator=operator, operands=operands):
            if negated:
                operator = "or" if operator == "and" else "and"
            return s.Logical(e.span, operator, tuple(normal(operand, negated) for operand in operands))
        case s.Empty(negated=filled):
            return replace(e, negated=filled != negated)
        case s.Quantified(kind="some" | "none" as kind, domain=domain):
            if domain.where is not None:
                domain = replace(domain, where=normal(domain.where))
            return replace(e, kind="some" if (kind == "some") != negated else "none", domain=domain)
        case s.Compare(operator=operator, left=left, right=right):
            operator = s.OPPOSITE[operator] if negated else operator
            if operator in _MIRRORED:
                operator, left, right = _MIRRORED[operator], right, left
            return _compared(s.Compare(e.span, operator, left, right))
    return s.Negation(e.span, e) if negated else e


def _compared(e: s.Compare) -> s.Expression:
    """Return a comparison with `<=` in place of `<` beside a number, and `is empty` in place of a size of 0."""
    left, right = s.constant_number(e.left), s.constant_number(e.right)
    if e.operator == "<" and right is not None:
        e, right = s.Compare(e.span, "<=", e.left, s.Number(e.span, right - 1)), right - 1
    elif e.operator == "<" and left is not None:
        e, left = s.Compare(e.span, "<=", s.Number(e.span, left + 1), e.right), left + 1
    match e:
        case s.Compare(operator="=" | "!=" | "<=" as operator, left=s.Of(name="size", owner=zone)) if right == 0:
            return s.Empty(e.span, zone, operator == "!=")
        case s.Compare(operator="<=", right=s.Of(name="size", owner=zone)) if left == 1:
            return s.Empty(e.span, zone, True)
    return e


def contradicts(condition: s.Expression, false: Iterable[s.Expression]) -> bool:
    """Return whether a normal condition cannot hold where none of the normal conditions `false` does."""
    excluded = [part for e in false for part in _parts(e, "or")]
    return any(_equal(part, other) for part in _parts(condition, "and") for other in excluded)


def _parts(e: s.Expression, operator: Literal["and", "or"]) -> tuple[s.Expression, ...]:
    """Return the conditions that an operator joins, and the whole condition."""
    return (e, *e.operands) if isinstance(e, s.Logical) and e.operator == operator else (e,)


def _equal(one: s.Expression, other: s.Expression) -> bool:
    """Return whether two normal conditions are equal up to the order of operands."""
    match one, other:
        case s.Compare(operator="=" | "!=" as sign, left=left, right=right), s.Compare() if sign == other.operator:
            return any(s.same((left, right), pair) for pair in ((other.left, other.right), (other.right, other.left)))
        case s.Logical(operator=operator, operands=operands), s.Logical() if operator == other.operator:
            pairs = ((operands, other.operands), (other.operands, operands))
            return all(any(_equal(a, b) for b in second) for first, second in pairs for a in first)
    return s.same(one, other)

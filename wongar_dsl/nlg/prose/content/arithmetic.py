"""Noun phrases for results of arithmetic, independent of a language."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.nlg.prose.context import ADDITIONS, Amount, ProseContext, operations
from wongar_dsl.nlg.words import Attribute, NounPhrase, Relative, Value

#: The noun for the result of each operator, and the operators whose message can follow a number.
_RESULTS = {"+": "sum", "-": "difference", "*": "product", "div": "quotient", "mod": "remainder"}
_SIGNS = {"+": "plus", "-": "minus", "*": "times"}


def computed_amount(context: ProseContext, operator: str, left: Amount, right: Amount) -> Amount:
    """Return the phrase for a result: *x plus 1*, or where that is ambiguous, *the remainder of (x plus 1) and 7*."""
    if operator == "+" and left == 0:
        return right
    if operator in ("+", "-") and right == 0:
        return left
    if operator == "*" and isinstance(left, int):
        left, right = right, left
    sign = _SIGNS.get(operator)
    # Avoids ambiguity: *the sum of x and y times z*, *the things that are here less z*.
    if (
        sign is not None
        and isinstance(left, NounPhrase)
        and not _ends_in_clause(left)
        and operations(left) <= (ADDITIONS if sign != "times" else frozenset())
    ):
        how = f"prose.sign.{sign}" if isinstance(right, int) or sign == "times" else f"prose.{sign}"
        return replace(left, modifiers=(*left.modifiers, Attribute(how, {"n": _grouped(right)})))
    return _result(context, _RESULTS[operator], left, right)


def difference(context: ProseContext, left: Amount, right: Amount) -> NounPhrase:
    """Return *the difference between x and y*."""
    return _result(context, _RESULTS["-"], left, right)


def _grouped(amount: Amount) -> Amount:
    """Return an operand, in brackets if it is itself computed."""
    return replace(amount, grouped=True) if isinstance(amount, NounPhrase) and operations(amount) else amount


def _ends_in_clause(thing: NounPhrase) -> bool:
    """Return whether a phrase, or one of its modifiers, ends in a relative clause."""
    inner = [v for m in thing.modifiers for v in m.values.values() if isinstance(v, NounPhrase)]
    return any(isinstance(m, Relative) for m in thing.modifiers) or any(_ends_in_clause(v) for v in inner)


def _result(context: ProseContext, head: str, left: Amount, right: Amount) -> NounPhrase:
    """Return *the sum of x and y*."""
    values: dict[str, Value] = {"one": _grouped(left), "two": _grouped(right)}
    return NounPhrase(context.term(head), ("def",), (Attribute("prose.between", values),))

"""Noun phrases for results of arithmetic, independent of a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wongar_dsl.nlg.prose.context import ADDITIONS, LIMITS, OPERATIONS, Amount, ProseContext, operations
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Value

#: The noun for the result of each operator, and the operators whose message can follow a number.
_RESULTS = {"+": "sum", "-": "difference", "*": "product", "div": "quotient", "mod": "remainder"}
_SIGNS = {"+": "plus", "-": "minus", "*": "times"}


def computed_amount(context: ProseContext, operator: str, left: Amount, right: Amount) -> Amount:
    """Return the phrase for a result: *x plus 1*, or where that is ambiguous, *the remainder of (x plus 1) and 7*."""
    if operator == "+" and left == 0:
        return right
    if operator in ("+", "-") and right == 0:
        return left
    sign = _SIGNS.get(operator)
    # Avoids ambiguity: *the sum of x and y times z*, *the things that are here less z*.
    if (
        sign is not None
        and isinstance(left, NounPhrase)
        and not (left.grouped or _is_open(left))
        and operations(left) <= (ADDITIONS if sign != "times" else frozenset())
    ):
        how = f"prose.sign.{sign}" if isinstance(right, int) or sign == "times" else f"prose.{sign}"
        return replace(left, modifiers=(*left.modifiers, Attribute(how, {"n": grouped(right)})))
    return _result(context, _RESULTS[operator], left, right)


def difference(context: ProseContext, left: Amount, right: Amount) -> NounPhrase:
    """Return *the difference between x and y*."""
    return _result(context, _RESULTS["-"], left, right)


def limited(context: ProseContext, name: str, amounts: Sequence[Amount]) -> NounPhrase:
    """Return *x, but no more than 3* for the least amount, or for the greatest *x, but no less than 3*.

    Where that is ambiguous, it is *the lowest value of 3 and (x times 2)*.
    """
    first, *others = sorted(amounts, key=lambda amount: isinstance(amount, int))
    if isinstance(first, NounPhrase) and _can_be_limited(first) and not any(map(operations, others)):
        return _with_limit(first, f"prose.limit_{name}", {"items": Listing(tuple(map(_bare, others)))})
    *before, last = amounts
    items = (*(grouped(amount, followed=True) for amount in before), grouped(last))
    values: dict[str, Value] = {"items": Listing(items)}
    head = {"least": "lowest", "greatest": "highest"}[name]
    return NounPhrase(context.term(head), ("def",), (Attribute("prose.among", values),))


def clamped(amount: Amount, low: Amount, high: Amount) -> NounPhrase | None:
    """Return *x, but at least 1 and at most 3*, or None where that is ambiguous."""
    if not isinstance(amount, NounPhrase) or not _can_be_limited(amount):
        return None
    return _with_limit(amount, "prose.limit_both", {"low": low, "high": high})


def group_computed(phrase: NounPhrase) -> NounPhrase:
    """Return a phrase with brackets around the computed numbers in its modifiers, whose operations could seem its own.

    *The number in the table for (x plus 1)* is not the one for x, plus 1.
    """
    modifiers = tuple(
        replace(m, values={name: _group_if_computed(v) for name, v in m.values.items()}) for m in phrase.modifiers
    )
    return phrase if modifiers == phrase.modifiers else replace(phrase, modifiers=modifiers)


def _group_if_computed(value: Value) -> Value:
    match value:
        case Listing(items=items):
            return replace(value, items=tuple(map(_group_if_computed, items)))
        case Mention(entity=entity) if entity is not None and operations(entity.thing) & OPERATIONS:
            return replace(value, grouped=True)
        case NounPhrase() if operations(value) & (ADDITIONS | LIMITS):
            return replace(value, grouped=True)
    return value


def _can_be_limited(amount: NounPhrase) -> bool:
    """Return whether bounds after a phrase can only be those of the whole: *x plus 1* ends in a digit."""
    open_ended = amount.grouped or _is_open(amount)
    return operations(amount) <= {"prose.sign.plus", "prose.sign.minus"} and not open_ended


def _with_limit(amount: NounPhrase, message: str, values: dict[str, Value]) -> NounPhrase:
    return replace(amount, modifiers=(*amount.modifiers, Attribute(message, values)))


def _bare(amount: Amount) -> Amount:
    return replace(amount, grouped=False) if isinstance(amount, NounPhrase) else amount


def grouped(amount: Amount, followed: bool = False) -> Amount:
    """Return an operand, in brackets if it is computed or if what follows it could seem to be a part of it."""
    if isinstance(amount, NounPhrase) and (operations(amount) or (followed and _is_open(amount))):
        return replace(amount, grouped=True)
    return amount


def _is_open(thing: Value) -> bool:
    """Return whether a phrase ends in a relative clause or speaks of every one of several things.

    *Of every square that lies in row 1 plus 2* has three readings.
    """
    match thing:
        case Mention(entity=Entity(passing=True, thing=NounPhrase() as each)):
            return each.words[:1] == ("every",) or _is_open(each)
        case NounPhrase(modifiers=modifiers):
            return any(isinstance(m, Relative) or any(map(_is_open, m.values.values())) for m in modifiers)
    return False


def _result(context: ProseContext, head: str, left: Amount, right: Amount) -> NounPhrase:
    """Return *the sum of x and y*."""
    values: dict[str, Value] = {"one": grouped(left, followed=True), "two": grouped(right)}
    return NounPhrase(context.term(head), ("def",), (Attribute("prose.between", values),))

"""Constant folding: settings, the number of players, and expressions that depend on nothing else."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.context import ProseContext

#: Python's functions for the operators; the language divides like Python, too.
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}


def constant(context: ProseContext, e: s.Expression) -> int | None:
    """Return the constant value of an expression, or None if it depends on play."""
    low, high = context.model.players
    return evaluate(context.model, e, low if low == high else context.seats, {})


def constant_number(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant` for a number or a truth value; None for other types, whose first value is no *nothing*."""
    kind = context.model.types.get(e)
    return constant(context, e) if kind is None or kind.kind in ("number", "truth") else None


def evaluate(model: Model, e: s.Expression, seats: int | None, values: Mapping[Local, int]) -> int | None:
    """Return the value of an expression for some values of names, or None if it depends on play."""
    ref = model.refs.get(e)
    match e:
        case s.Number(value=value) | s.Truth(value=value):
            return int(value)
        case s.Name() if ref is not None and ref.local is not None:
            return values.get(ref.local)
        case s.Name() if ref is not None and ref.kind == "value" and model.types[e].kind != "number":
            return ref.number
        case s.Name() if ref is not None and ref.kind == "option":
            return model.settings[ref.name].start
        case s.Name() if ref is not None and ref.kind == "players":
            return seats
        case s.Negation(operand=operand) | s.Minus(operand=operand):
            result = evaluate(model, operand, seats, values)
            return None if result is None else -result if isinstance(e, s.Minus) else int(not result)
        case s.Binary(operator=sign, left=left, right=right) | s.Compare(operator=sign, left=left, right=right):
            first, second = (evaluate(model, side, seats, values) for side in (left, right))
            if first is None or second is None or (sign in ("div", "mod") and second == 0):
                return None
            return int(_OPERATIONS[sign](first, second))
        case s.Logical(operator=joined, operands=operands):
            results = [evaluate(model, operand, seats, values) for operand in operands]
            decisive = int(joined == "or")
            if any(result is not None and bool(result) == bool(decisive) for result in results):
                return decisive
            return None if None in results else 1 - decisive
        case s.Conditional(condition=condition, then=then, other=other):
            holds = evaluate(model, condition, seats, values)
            return None if holds is None else evaluate(model, then if holds else other, seats, values)
        case s.Indexed() | s.Of() if ref is not None and ref.kind == "table":
            return _cell(model, ref.name, [evaluate(model, index, seats, values) for index in s.index_nodes(e)])
    return None


def _cell(model: Model, name: str, at: list[int | None]) -> int | None:
    """Return the value in a table cell, or None if a key is unknown."""
    table, place = model.tables[name], 0
    for key, low, size in zip(at, table.lows, table.sizes, strict=True):
        if key is None or not low <= key < low + size:
            return None
        place = place * size + key - low
    return table.cells[place]


def nothing_of(context: ProseContext, name: str) -> int:
    """Return the number that means *nothing*: 0, or a negative start value."""
    article = context.model.code.remembered.get(name)
    start = s.written_number(article.start) if article is not None and article.start is not None else None
    return min(0, start or 0)


def may_be_missing(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a value may be none, unless the set-up always sets it or no card in the game lacks it."""
    ref = context.ref(e)
    if ref is not None and ref.local is not None and ref.local in context.lets:
        return may_be_missing(context, context.lets[ref.local])
    if not context.facts.nullable.may_be_none(e) or any(s.same(shown, e) for shown in context.present):
        return False
    match e:
        case s.Quantified(domain=s.Domain(where=None, base=base)):
            listed = context.ref(base)
            return listed is None or listed.kind != "type"
        case s.Of(owner=card) if ref is not None and ref.kind == "attribute":
            sort = context.kind(card).name
            values = context.model.cards[sort].attributes[ref.name][1]
            lacking = any(values[face] < 0 for face in context.facts.faces[sort])
            return lacking or may_be_missing(context, card)
        case s.Of(name="top" | "bottom", owner=pile):
            return not any(s.same(shown, pile) for shown in context.present)
        case _ if ref is not None and ref.kind in ("remember", "holder", "place"):
            return not _is_always_set(context, e) or any(
                may_be_missing(context, owner) for owner in s.index_nodes(e) if context.kind(owner).kind != "figure"
            )
    return True


def _is_always_set(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a stored value, or the place or holder of a figure, is set before play and never to nothing."""
    stored, code = _stored(context, e), context.model.code
    unset = (node.target for node in context.facts.nodes(s.Assign) if isinstance(node.value, s.Nobody))
    if any(_stored(context, target) == stored for target in unset):
        return False
    start = code.remembered[stored[1]].start if stored[0] == "remember" else None
    setup = code.main_procedures[0].body if isinstance(code.main_procedures[0], s.Setup) else ()
    return start is not None or any(_stored(context, target) == stored for target in _always_set(context, setup))


def _stored(context: ProseContext, e: s.Expression) -> tuple[str, str, str]:
    """Return the kind and name of a stored value, or a property and the name of its figure."""
    ref = context.ref(e)
    figure = e.owner.text if isinstance(e, s.Of) and isinstance(e.owner, s.Name) else ""
    return (ref.kind, ref.name, "" if ref.kind == "remember" else figure) if ref is not None else ("", "", "")


def _always_set(context: ProseContext, block: s.Block) -> Iterator[s.Expression]:
    """Yield what a block sets under no condition, also for each value of a type and in the rules that it calls."""
    for statement in block:
        match statement:
            case s.Assign(target=target):
                yield target
            case s.Call(call=s.Called(name=name)):
                yield from _always_set(context, context.model.code.rules[name].body)
            case s.ForEach(domain=s.Domain(where=None, base=base), body=body):
                listed = context.ref(base)
                if listed is not None and listed.kind == "type":
                    yield from _always_set(context, body)


def fold(context: ProseContext, e: s.Expression) -> int | None:
    """Return `constant_number` for an expression that is not a literal, and record it as folded."""
    if isinstance(e, s.Number | s.Truth) or s.written_number(e) is not None:
        return None
    result = constant_number(context, e)
    if result is not None:
        context.log.omit(e, "folded", "it is known before play")
    return result

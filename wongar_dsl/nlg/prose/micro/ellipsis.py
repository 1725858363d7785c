"""Ellipsis: whether an omitted argument of a sentence is recoverable from context.

*A seat is free in this row* does not name the hall. That is clear as long as every mention of the row comes with the
same hall; with another one, the sentence would contradict the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Type
from wongar_dsl.nlg.prose.context import SLOTS, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention
from wongar_dsl.nlg.words import NounPhrase

#: Types whose values occur together with others: the row of a hall, the direction of a way.
_PLACES = frozenset({"enum", "board", "cards"})


def is_recoverable(
    context: ProseContext, message: str, locals_: Sequence[Local], arguments: Sequence[s.Expression]
) -> bool:
    """Return whether all arguments that the sentence of a rule or condition omits are recoverable.

    An omitted number must be the present time, or have the same name in the caller.
    """
    slots = context.words.slots(message, context.model.scope)
    for local, argument in zip(locals_, arguments, strict=True):
        if local.name not in slots and local.type.kind == "number":
            ref = context.ref(argument)
            recoverable = ref is not None and (
                ref.kind == "time" or (ref.local is not None and ref.local.name == local.name)
            )
            if not recoverable:
                return False
    said = _said(context, message, [local.name for local in locals_], arguments)
    return _all_meant(context, message, said, arguments, ("player",))


def is_obvious(
    context: ProseContext, message: str, owners: Sequence[s.Expression], told: Sequence[s.Expression] = ()
) -> bool:
    """Return whether all operands that the words for a stored value omit are recoverable or in `told`."""
    said = _said(context, message, SLOTS, owners)
    said = [is_said or owner in told for is_said, owner in zip(said, owners, strict=False)]
    return _all_meant(context, message, said, owners, ("player", "number"))


def omitted_players(context: ProseContext, message: str, owners: Sequence[s.Expression]) -> list[s.Expression]:
    """Return the players whom the words for a value omit."""
    said = _said(context, message, SLOTS, owners)
    pairs = zip(said, owners, strict=False)
    return [owner for is_said, owner in pairs if not is_said and context.kind(owner).kind == "player"]


def _said(context: ProseContext, message: str, names: Sequence[str], operands: Sequence[s.Expression]) -> list[bool]:
    """Return for each operand whether a message has a slot for it; `player` is the slot of the first player."""
    slots = context.words.slots(message, context.model.scope)
    said = [name in slots for name, _ in zip(names, operands, strict=False)]
    first = next((at for at, operand in enumerate(operands) if context.kind(operand).kind == "player"), None)
    return [is_said or (at == first and "player" in slots) for at, is_said in enumerate(said)]


def _all_meant(
    context: ProseContext,
    message: str,
    said: Sequence[bool],
    operands: Sequence[s.Expression],
    values: tuple[str, ...],
) -> bool:
    """Return whether the omitted places, and the omitted operands of the types `values`, are recoverable."""
    if context.named:
        return True
    spoken = [
        _meant(context, node) for operand, e in zip(operands, said, strict=False) if e for node in s.walk(operand)
    ]
    referents = [operand for operand in spoken if operand is not None]
    for index, (operand, is_said) in enumerate(zip(operands, said, strict=False)):
        if is_said:
            continue
        kind, name = context.kind(operand).kind, message.partition(".")[2]
        if kind in values and not _is_only_one(context, name, index, operand):
            return False
        if kind not in _PLACES:
            continue
        ref = context.ref(operand)
        if ref is not None and ref.kind in ("local", "value"):
            if _meant(context, operand) not in referents and not _goes_along(context, operand, referents):
                return False
        elif not _always(context, name, index, operand):
            return False
    return True


def _goes_along(context: ProseContext, left: s.Expression, known: Sequence[object]) -> bool:
    """Return whether every other mention of the known referents comes with the omitted one, and nothing like it."""
    kind = context.kind(left)
    together = [
        [_meant(context, operand) for operand in operands if context.model.types.get(operand) == kind]
        for node in s.walk(context.inside)
        if left not in (operands := _operands(node)) and any(_meant(context, item) in known for item in operands)
    ]
    if any(together):
        return all(_meant(context, left) in others for others in together if others)
    unspoken = [local for local in _unspoken(context) if local.type == kind]
    if unspoken:
        ref = context.ref(left)
        return ref is not None and ref.local in unspoken
    # Without other evidence, the omitted value must be the only given one, or the only one.
    reached = [e for local, e in context.entities.items() if local.type == kind and (e.given or not e.passing)]
    return all(entity is _meant(context, left) for entity in [e for e in reached if e.given] or reached)


def _unspoken(context: ProseContext) -> Iterator[Local]:
    """Yield the parameters that the sentence of the current definition omits."""
    match context.inside:
        case (s.Define() as define,) if context.has_message(message := f"define.{define.name.text}"):
            slots = context.words.slots(message, context.model.scope)
            yield from (local for local in context.model.parameters.get(define, ()) if local.name not in slots)


def _is_only_one(context: ProseContext, name: str, at: int, left: s.Expression) -> bool:
    """Return whether an omitted player or number is the only one passed in the current declarations.

    It must be a parameter, or the only thing of its type in reach. The owner of a place is mentioned with its content.
    """
    ref = context.ref(left)
    if name in context.model.declared.zones:
        return True
    if ref is None or ref.local is None:
        return _always(context, name, at, left)
    entity = context.entities.get(ref.local)
    calls = (_operands(node) for node in s.walk(context.inside) if getattr(node, "name", "") == name)
    passed = (operands[at] for operands in calls if at < len(operands))
    rivals = (other for local, other in context.entities.items() if local.type == ref.local.type and not other.passing)
    alone = entity is not None and (entity.given or all(other is entity for other in rivals))
    return alone and all(s.same(left, value) for value in passed)


def _always(context: ProseContext, name: str, at: int, left: s.Expression) -> bool:
    """Return whether the rules pass nothing else in this position, so that the words can name it."""
    nodes = context.facts.nodes
    asking: Iterator[s.Called | s.Indexed | s.Of] = chain(nodes(s.Called), nodes(s.Indexed), nodes(s.Of))
    passed = (operands[at] for node in asking if node.name == name and at < len(operands := _operands(node)))
    return all(s.same(left, value) for value in passed)


def _operands(node: s.Node) -> tuple[s.Expression, ...]:
    match node:
        case s.Called(arguments=operands):
            return operands
        case s.Indexed() | s.Of():
            return s.index_nodes(node)
    return ()


def _meant(context: ProseContext, e: s.Node) -> object:
    """Return the referent of a name, equal for all its names; None for anything else."""
    ref = context.ref(e)
    if not isinstance(e, s.Name) or ref is None:
        return None
    if ref.kind == "value":
        return e.text
    entity = context.entities.get(ref.local) if ref.local is not None else None
    while entity is not None and isinstance(entity.thing, Mention) and entity.thing.entity is not None:
        entity = entity.thing.entity
    match entity:
        case Entity(
            type=Type(kind="enum" | "board"), thing=NounPhrase(head=term, words=() | ("def",), modifiers=())
        ) if not entity.given:
            # A rule that is inlined for one value.
            return term.name
    return entity if entity is not None else ref.local

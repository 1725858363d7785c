"""What a sentence leaves out: whether a reader knows all the same which one is meant.

*A seat is free in this row* does not say in which hall.  Nobody asks, as long as the row is spoken of together with the
same hall wherever it is spoken of; with another one, the sentence would say something else than the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Type
from wongar_dsl.prose.context import SLOTS, Context
from wongar_dsl.prose.plan import Entity, Mention
from wongar_dsl.words import Nominal

#: Types whose values come with those of others: the row of a hall, the direction in which a way leads.
_PLACES = frozenset({"enum", "board", "cards"})


def understood(context: Context, message: str, locals_: Sequence[Local], arguments: Sequence[s.Expression]) -> bool:
    """Whether the sentence of a rule or condition leaves out nothing that nobody can guess.

    A number that it leaves out is the present time, or what is called as the rule calls it.
    """
    slots = context.words.slots(message, context.model.scope)
    for local, argument in zip(locals_, arguments, strict=True):
        if local.name not in slots and local.type.kind == "number":
            ref = context.ref(argument)
            known = ref is not None and (ref.kind == "time" or (ref.local is not None and ref.local.name == local.name))
            if not known:
                return False
    return _all_meant(context, message, [local.name in slots for local in locals_], arguments)


def evident(context: Context, message: str, owners: Sequence[s.Expression]) -> bool:
    """Whether the words for what something is asked of leave out nothing that nobody can guess."""
    slots = context.words.slots(message, context.model.scope)
    return _all_meant(context, message, [slot in slots for slot, _ in zip(SLOTS, owners, strict=False)], owners)


def _all_meant(context: Context, message: str, said: Sequence[bool], operands: Sequence[s.Expression]) -> bool:
    if context.named:
        return True
    spoken = [_meant(context, node) for one, e in zip(operands, said, strict=False) if e for node in s.walk(one)]
    known = [one for one in spoken if one is not None]
    for at, (one, is_said) in enumerate(zip(operands, said, strict=False)):
        if is_said or context.kind(one).kind not in _PLACES:
            continue
        ref = context.ref(one)
        if ref is not None and ref.kind in ("local", "value"):
            if _meant(context, one) not in known and not _goes_along(context, one, known):
                return False
        elif not _always(context, message.partition(".")[2], at, one):
            return False
    return True


def _goes_along(context: Context, left: s.Expression, known: Sequence[object]) -> bool:
    """Whether everywhere else what is known is spoken of together with what is left out, and nothing like it."""
    kind = context.kind(left)
    together = [
        [_meant(context, other) for other in operands if context.model.types.get(other) == kind]
        for node in s.walk(context.inside)
        if left not in (operands := _operands(node)) and any(_meant(context, one) in known for one in operands)
    ]
    if any(together):
        return all(_meant(context, left) in others for others in together if others)
    unspoken = [local for local in _unspoken(context) if local.type == kind]
    if unspoken:
        ref = context.ref(left)
        return ref is not None and ref.local in unspoken
    # What nothing else tells must be the one that there is.
    given = [entity for local, entity in context.entities.items() if local.type == kind and entity.given]
    return all(entity is _meant(context, left) for entity in given)


def _unspoken(context: Context) -> Iterator[Local]:
    """What the sentence of a definition leaves out that is being put into words."""
    match context.inside:
        case (s.Define() as define,) if context.knows(own := f"define.{define.name.text}"):
            slots = context.words.slots(own, context.model.scope)
            yield from (local for local in context.model.parameters.get(define, ()) if local.name not in slots)


def _always(context: Context, name: str, at: int, left: s.Expression) -> bool:
    """Whether the rules ask for nothing else in this place, so that the words for it can say what it is."""
    nodes = context.overall.nodes
    asking: Iterator[s.Called | s.Indexed | s.Of] = chain(nodes(s.Called), nodes(s.Indexed), nodes(s.Of))
    asked = (operands[at] for node in asking if node.name == name and at < len(operands := _operands(node)))
    return all(s.same(left, other) for other in asked)


def _operands(node: s.Node) -> tuple[s.Expression, ...]:
    """What something is asked of."""
    match node:
        case s.Called(arguments=operands):
            return operands
        case s.Indexed() | s.Of():
            return s.index_nodes(node)
    return ()


def _meant(context: Context, e: s.Node) -> object:
    """Whom or what a name stands for, the same for each of its names; None for anything else."""
    ref = context.ref(e)
    if not isinstance(e, s.Name) or ref is None:
        return None
    if ref.kind == "value":
        return e.text
    entity = context.entities.get(ref.local) if ref.local is not None else None
    while entity is not None and isinstance(entity.thing, Mention) and entity.thing.entity is not None:
        entity = entity.thing.entity
    match entity:
        case Entity(type=Type(kind="enum" | "board"), thing=Nominal(head=term, words=() | ("def",), modifiers=())) if (
            not entity.given
        ):
            # A rule that is written out for one value.
            return term.name
    return entity if entity is not None else ref.local

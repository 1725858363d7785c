"""Simplification: omits arguments and conditions that the text implies, and merges similar sentences.

*A seat is free in this row* does not name the hall. That is clear as long as every mention of the row comes with the
same hall; with another one, the sentence would contradict the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Type
from wongar_dsl.nlg.prose.context import SLOTS, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Mention,
    Message,
    Plan,
    PlanLine,
    VerbalisationLog,
    described,
    entity_of,
)
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value

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
            if not (ref.kind == "time" or (ref.local is not None and ref.local.name == local.name)):
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
    pairs = zip(_said(context, message, SLOTS, owners), owners, strict=False)
    return [owner for is_said, owner in pairs if not is_said and context.kind(owner).kind == "player"]


def _said(context: ProseContext, message: str, names: Sequence[str], operands: Sequence[s.Expression]) -> list[bool]:
    """Return for each operand whether a message has a slot for it; `player` is the slot of the first player."""
    slots = context.words.slots(message, context.model.scope)
    said = [name in slots for name, _ in zip(names, operands, strict=False)]
    first = next((at for at, operand in enumerate(operands) if context.kind(operand).kind == "player"), None)
    return [is_said or (at == first and "player" in slots) for at, is_said in enumerate(said)]


def _all_meant(
    context: ProseContext, message: str, said: Sequence[bool], operands: Sequence[s.Expression], values: tuple[str, ...]
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
        if context.ref(operand).kind in ("local", "value"):
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
        return context.ref(left).local in unspoken
    # Without other evidence, the omitted value must be the only given one, or the only one.
    reached = [e for local, e in context.entities.items() if local.type == kind and (e.given or not e.passing)]
    return all(entity is _meant(context, left) for entity in [e for e in reached if e.given] or reached)


def _unspoken(context: ProseContext) -> Iterator[Local]:
    """Yield the parameters that the sentence of the current definition omits."""
    define, message = context.inside[0], f"define.{context.inside[0].name.text}"
    if len(context.inside) == 1 and isinstance(define, s.Define) and context.has_message(message):
        slots = context.words.slots(message, context.model.scope)
        yield from (local for local in context.model.parameters.get(define, ()) if local.name not in slots)


def _is_only_one(context: ProseContext, name: str, at: int, left: s.Expression) -> bool:
    """Return whether an omitted player or number is the only one passed in the current declarations.

    It must be a parameter, or the only thing of its type in reach. The owner of a place is mentioned with its content.
    """
    ref = context.ref(left)
    if name in context.model.declared.zones:
        return True
    if ref.local is None:
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
    return tuple(s.operands(node)) if isinstance(node, s.Called | s.Indexed | s.Of) else ()


def _meant(context: ProseContext, e: s.Node) -> object:
    """Return the referent of a name, equal for all its names; None for anything else."""
    ref = context.ref(e)
    if not isinstance(e, s.Name):
        return None
    if ref.kind == "value":
        return e.text
    entity = context.entities.get(ref.local) if ref.local is not None else None
    while entity is not None and isinstance(entity.thing, Mention):
        entity = entity.thing.entity
    match entity:
        case Entity(
            type=Type(kind="enum" | "board"), thing=NounPhrase(head=term, words=() | ("def",), modifiers=())
        ) if not entity.given:
            # A rule that is inlined for one value.
            return term.name
    return entity if entity is not None else ref.local


def merge_sentences(
    plans: Iterable[Plan], log: VerbalisationLog, depends: Callable[[s.Node, s.Node], bool]
) -> tuple[Plan, ...]:
    """Merge consecutive sentences that differ in one phrase into one with a list.

    `depends` returns whether what a statement does is computed from what an earlier one changes. A list would tell it
    as known before.
    """
    result: list[Plan] = []
    for plan in plans:
        before = result[-1] if result else None
        joined = None
        if isinstance(before, PlanLine) and isinstance(plan, PlanLine):
            joined = _shuffled(before, plan) or _by_lot(before, plan, log) or _drawn(before, plan)
            joined = joined or _found(before, plan)
            if joined is None and not any(depends(plan.origin, earlier) for earlier in (before.origin, *before.others)):
                joined = _joined(before, plan)
        if joined is not None:
            result[-1] = joined
        else:
            result.append(plan)
    return tuple(result)


def _shuffled(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Combine placing and shuffling: onto a pile *that is then shuffled*; or return None."""
    slot = {Message.GOES: "place", Message.ALL_GO: "to"}.get(one.sentence.message)
    if slot is None or not one.plain or other.sentence.message != Message.SHUFFLES:
        return None
    pile = one.sentence.values[slot]
    if not isinstance(pile, NounPhrase) or isinstance(pile, Mention) or pile != other.sentence.values["what"]:
        return None
    shuffled = replace(pile, modifiers=(*pile.modifiers, Relative(Message.THEN_SHUFFLED, "what", on=True)))
    sentence = Sentence(one.sentence.message, {**one.sentence.values, slot: shuffled})
    return replace(one, sentence=sentence, others=(*one.others, other.origin, *other.others))


def _by_lot(one: PlanLine, other: PlanLine, log: VerbalisationLog) -> PlanLine | None:
    """Combine two different random selections as *the first* and *the second*, or return None."""
    first, second = one.sentence.values.get("what"), other.sentence.values.get("what")
    if not (one.sentence.message == other.sentence.message == Message.BY_LOT):
        return None
    if not (isinstance(first, Mention) and isinstance(second, Mention)):
        return None
    entities = (first.entity, second.entity)
    match tuple(entity.thing for entity in entities):
        case (
            NounPhrase(words=("indef",), modifiers=()) as thing,
            NounPhrase(words=("another",), modifiers=()) as another,
        ) if thing.head == another.head:
            for entity, number in zip(entities, ("first", "second_of_two"), strict=True):
                entity.thing, entity.given = replace(thing, words=("def", number)), True
            # Every mention of the first one becomes *the first*.
            log.depends_on(one.origin, other.origin)
            log.depends_on(other.origin, one.origin)
            drawn = Sentence(Message.BY_LOT, {"what": NounPhrase(replace(thing.head, count=2))})
            return replace(one, sentence=drawn, others=(*one.others, other.origin, *other.others))
    return None


def _drawn(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Combine a random selection with its movement: *a random card from the pile goes there*; or return None."""
    entity = entity_of(one.sentence.values.get("what"))
    if one.sentence.message != Message.BY_LOT or entity is None or entity.type.kind != "cards" or not other.plain:
        return None
    thing = entity.thing
    is_moved = any(entity_of(value) is entity for value in other.sentence.values.values())
    # A card from elsewhere does not come from the place of the selection.
    elsewhere = other.sentence.message == Message.TOKENS_GO
    if not is_moved or elsewhere or not isinstance(thing, NounPhrase) or thing.words != ("indef",):
        return None
    entity.thing = replace(thing, words=("indef", "chance"), modifiers=from_origin(thing.modifiers))
    return replace(other, others=(one.origin, *one.others, *other.others))


def _found(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Combine a superlative with its action: *who has most does so; in a tie, it is the first clockwise*."""
    leader = one.sentence.values.get("what")
    if one.sentence.message != Message.FINDS_FIRST or other.sentence.values.get("player") != leader or not other.plain:
        return None
    sentence = Sentence("prose.first_does", {"then": other.sentence, "start": one.sentence.values["start"]})
    return replace(other, sentence=sentence, plain=False, others=(one.origin, *one.others, other.origin, *other.others))


def from_origin(modifiers: Iterable[Attribute | Relative]) -> tuple[Attribute | Relative, ...]:
    """Return the modifiers of a card that is taken *from* its place, instead of lying *in* it."""
    return tuple(Attribute("prose.taken_from", m.values) if m.message == Message.OUT_OF else m for m in modifiers)


def _joined(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Merge two sentences that differ in one phrase, or return None."""
    first, second = one.sentence, other.sentence
    if (
        not (one.plain and other.plain)
        or first.message != second.message
        or first.values.keys() != second.values.keys()
    ):
        return None
    differing = [name for name in first.values if first.values[name] != second.values[name]]
    top, below = (_thing(sentence.values.get("what")) for sentence in (first, second))
    goes = first.message == Message.GOES and differing in ([], ["what"])
    if (
        goes
        and top is not None
        and below is not None
        and _is_top(top)
        and replace(top, head=replace(top.head, count=None)) == below
    ):
        # The top card twice is the two top cards.
        several = replace(top, head=replace(top.head, count=(top.head.count or 1) + 1))
        return replace(one, sentence=Sentence(first.message, {**first.values, "what": several}))
    if differing not in (["what"], ["figure"]):
        return None
    [name] = differing
    items = (*_items(first.values[name]), *_items(second.values[name]))
    named = [_thing(item) for item in items]
    if not all(isinstance(item, NounPhrase) for item in items) or any(
        item in named[:index] for index, item in enumerate(named)
    ):
        # Equal phrases with different referents, such as successive top cards, cannot be listed.
        return None
    sentence = Sentence(first.message, {**first.values, name: Listing(items)})
    return replace(one, sentence=sentence, others=(*one.others, other.origin, *other.others))


def _is_top(thing: NounPhrase) -> bool:
    """Return whether a thing is the top card of a pile, which may have a noun of its own."""
    return thing.words == ("def", "top") or (thing.words == ("def",) and thing.head.name.endswith(".top"))


def _thing(value: Value | None) -> NounPhrase | None:
    """Return the phrase of a value, None for a number."""
    thing = described(value)
    return NounPhrase(thing.head, thing.words, thing.modifiers) if isinstance(thing, NounPhrase) else None


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Listing) else (value,)

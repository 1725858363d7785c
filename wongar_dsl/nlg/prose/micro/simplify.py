"""Simplification: omits conditions that the text implies, and merges similar sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.micro.sentence_plan import Mention, Plan, PlanLine
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value


def guard_implied_by_move(
    condition: s.Expression, body: s.Block, given: Mapping[str, s.Expression] | None = None
) -> bool:
    """Return whether a condition only requires what the first statement removes.

    `z[a, k] > 0` before `move 1 k from z[a]`: a missing token cannot be moved. Other numbers are significant. `given`
    are the arguments of a called rule with this body.
    """
    first = next((part for part in body if not isinstance(part, s.Let)), None)
    match condition, first:
        case (
            s.Compare(operator=">", left=s.Indexed(name=zone, indices=indices), right=s.Number(value=0)),
            s.MoveTokens(count=s.Number(value=1), kind=kind, origin=origin),
        ):
            named = isinstance(origin, s.Indexed | s.Of) and origin.name == zone
            nodes = (*s.index_nodes(origin), kind)
            moved = tuple((given or {}).get(n.text, n) if isinstance(n, s.Name) else n for n in nodes)
            return named and s.same(moved, tuple(indices))
    return False


def guard_implied_by_gain(condition: s.Expression, body: s.Block) -> bool:
    """Return whether a condition only requires that the gained or lost points are positive."""
    match condition, body:
        case s.Compare(operator=">", left=amount, right=s.Number(value=0)), (s.Gain(amount=given),):
            return s.same(amount, given)
    return False


def guard_implied_by_shuffle(condition: s.Expression, body: s.Block) -> bool:
    """Return whether a condition only requires that the pile which is moved and shuffled is not empty."""
    match condition, body:
        case s.Empty(zone=zone, negated=True), (s.MoveAll(origin=origin), s.Shuffle()):
            return s.same(zone, origin)
    return False


def is_reshuffle(condition: s.Expression, body: s.Block) -> bool:
    """Return whether an empty pile is replenished from another place."""
    match condition, body:
        case s.Empty(zone=zone, negated=False), (s.MoveAll(target=goal), s.Shuffle(zone=pile)):
            return s.same(zone, goal) and s.same(zone, pile)
    return False


def first_effects(body: s.Block) -> tuple[s.Block, ...]:
    """Return the blocks that a body can begin with: inside conditions and loops, and of every option."""
    match body:
        case (s.If(branches=branches, otherwise=rest), *_) if rest:
            return tuple(deed for block in (*(b for _, b in branches), rest) for deed in first_effects(block))
    if len(body) == 1:
        match body[0]:
            case s.Choose(options=choices):
                return tuple(deed for choice in choices for deed in first_effects(choice.body))
            case s.Repeat(kind="times", body=inner) | s.If(branches=((_, inner),), otherwise=()):
                return first_effects(inner)
    return (body,)


def common_effect_of_branches(statement: s.If) -> s.Block:
    """Return the common effect if branches differ only in their messages, else empty."""
    rest = statement.otherwise
    return rest if rest and all(s.same(_silent(block), _silent(rest)) for _, block in statement.branches) else ()


def _silent(block: s.Block) -> s.Block:
    return tuple(replace(part, message=None) if isinstance(part, s.EventStatement) else part for part in block)


def is_narration_only(body: s.Block) -> bool:
    """Return whether a block only emits messages."""
    return all(
        isinstance(part, s.Tell) or (isinstance(part, s.KeywordStatement) and part.word == "nothing") for part in body
    )


def is_unreachable(body: s.Block) -> bool:
    """Return whether a block only marks an unreachable case."""
    return len(body) == 1 and isinstance(body[0], s.KeywordStatement) and body[0].word == "impossible"


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
    slot = {"prose.goes": "place", "prose.all_go": "to"}.get(one.sentence.message)
    if slot is None or not one.plain or other.sentence.message != "prose.shuffles":
        return None
    pile = one.sentence.values[slot]
    if not isinstance(pile, NounPhrase) or isinstance(pile, Mention) or pile != other.sentence.values["what"]:
        return None
    shuffled = replace(pile, modifiers=(*pile.modifiers, Relative("prose.then_shuffled", "what", on=True)))
    sentence = Sentence(one.sentence.message, {**one.sentence.values, slot: shuffled})
    return replace(one, sentence=sentence, others=(*one.others, other.origin, *other.others))


def _by_lot(one: PlanLine, other: PlanLine, log: VerbalisationLog) -> PlanLine | None:
    """Combine two different random selections as *the first* and *the second*, or return None."""
    first, second = one.sentence.values.get("what"), other.sentence.values.get("what")
    if not (one.sentence.message == other.sentence.message == "prose.by_lot"):
        return None
    if not (isinstance(first, Mention) and isinstance(second, Mention)):
        return None
    entities = (first.entity, second.entity)
    match tuple(entity.thing for entity in entities if entity is not None):
        case (
            NounPhrase(words=("indef",), modifiers=()) as thing,
            NounPhrase(words=("another",), modifiers=()) as another,
        ) if thing.head == another.head:
            for entity, number in zip(entities, ("first", "second_of_two"), strict=True):
                assert entity is not None
                entity.thing, entity.given = replace(thing, words=("def", number)), True
            # Every mention of the first one becomes *the first*.
            log.depends_on(one.origin, other.origin)
            log.depends_on(other.origin, one.origin)
            drawn = Sentence("prose.by_lot", {"what": NounPhrase(replace(thing.head, count=2))})
            return replace(one, sentence=drawn, others=(*one.others, other.origin, *other.others))
    return None


def _drawn(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Combine a random selection with its movement: *a random card from the pile goes there*; or return None."""
    entity = noun.entity if isinstance(noun := one.sentence.values.get("what"), Mention) else None
    if one.sentence.message != "prose.by_lot" or entity is None or entity.type.kind != "cards" or not other.plain:
        return None
    thing = entity.thing
    is_moved = any(isinstance(value, Mention) and value.entity is entity for value in other.sentence.values.values())
    # A card from elsewhere does not come from the place of the selection.
    elsewhere = other.sentence.message == "prose.tokens_go"
    if not is_moved or elsewhere or not isinstance(thing, NounPhrase) or thing.words != ("indef",):
        return None
    entity.thing = replace(thing, words=("indef", "chance"), modifiers=from_origin(thing.modifiers))
    return replace(other, others=(one.origin, *one.others, *other.others))


def _found(one: PlanLine, other: PlanLine) -> PlanLine | None:
    """Combine a superlative with its action: *who has most does so; in a tie, it is the first clockwise*."""
    leader = one.sentence.values.get("what")
    if one.sentence.message != "prose.finds_first" or other.sentence.values.get("player") != leader or not other.plain:
        return None
    sentence = Sentence("prose.first_does", {"then": other.sentence, "start": one.sentence.values["start"]})
    return replace(other, sentence=sentence, plain=False, others=(one.origin, *one.others, other.origin, *other.others))


def from_origin(modifiers: Iterable[Attribute | Relative]) -> tuple[Attribute | Relative, ...]:
    """Return the modifiers of a card that is taken *from* its place, instead of lying *in* it."""
    return tuple(Attribute("prose.taken_from", m.values) if m.message == "prose.out_of" else m for m in modifiers)


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
    goes = first.message == "prose.goes" and differing in ([], ["what"])
    if goes and top is not None and below is not None and _is_top(top) and _but_for_number(top) == below:
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
    thing = value.entity.thing if isinstance(value, Mention) and value.entity is not None else value
    return NounPhrase(thing.head, thing.words, thing.modifiers) if isinstance(thing, NounPhrase) else None


def _but_for_number(thing: NounPhrase) -> NounPhrase:
    return replace(thing, head=replace(thing.head, count=None))


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Listing) else (value,)

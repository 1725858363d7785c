"""What need not be said, since what is said implies it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.plan import Line, Mention, Plan
from wongar_dsl.words import Attribute, Listing, Nominal, Relative, Said, Value


def asks_for_what_is_taken(
    condition: s.Expression, body: s.Block, given: Mapping[str, s.Expression] | None = None
) -> bool:
    """Whether a condition asks for no more than that there is what the first statement takes away.

    `z[a, k] > 0` before `move 1 k from z[a]`: nobody can move what is not there.  Any other number is something else.
    `given` is what the names in the body stand for, if it is that of a rule that is called.
    """
    first = next((part for part in body if not isinstance(part, s.Let)), None)
    match condition, first:
        case (
            s.Compare(operator=">", left=s.Indexed(name=zone, indices=indices), right=s.Number(value=0)),
            s.MoveTokens(count=s.Number(value=1), kind=kind, origin=origin),
        ):
            named = isinstance(origin, s.Indexed | s.Of) and origin.name == zone
            nodes = (*s.index_nodes(origin), kind)
            meant = tuple((given or {}).get(n.text, n) if isinstance(n, s.Name) else n for n in nodes)
            return named and s.same(meant, tuple(indices))
    return False


def asks_for_what_is_given(condition: s.Expression, body: s.Block) -> bool:
    """Whether a condition asks for no more than that there are any of the points that are gained or lost then."""
    match condition, body:
        case s.Compare(operator=">", left=amount, right=s.Number(value=0)), (s.Gain(amount=given),):
            return s.same(amount, given)
    return False


def asks_for_what_is_there(condition: s.Expression, body: s.Block) -> bool:
    """Whether a condition asks for no more than that there is what is moved first, as a whole, and then shuffled."""
    match condition, body:
        case s.Empty(zone=zone, negated=True), (s.MoveAll(origin=origin), s.Shuffle()):
            return s.same(zone, origin)
    return False


def renews(condition: s.Expression, body: s.Block) -> bool:
    """Whether a pile that is empty is made anew of all that lies in another place."""
    match condition, body:
        case s.Empty(zone=zone, negated=False), (s.MoveAll(target=goal), s.Shuffle(zone=pile)):
            return s.same(zone, goal) and s.same(zone, pile)
    return False


def first_deeds(body: s.Block) -> tuple[s.Block, ...]:
    """What a body can come to first: through loops and conditions, and through every option that is offered."""
    match body:
        case (s.If(branches=branches, otherwise=rest), *_) if rest:
            return tuple(deed for block in (*(b for _, b in branches), rest) for deed in first_deeds(block))
    if len(body) == 1:
        match body[0]:
            case s.Choose(choices=choices):
                return tuple(deed for choice in choices for deed in first_deeds(choice.body))
            case s.Repeat(kind="times", body=inner) | s.If(branches=((_, inner),), otherwise=()):
                return first_deeds(inner)
    return (body,)


def told_apart(statement: s.If) -> s.Block:
    """What is done in any case, where branches differ in nothing but what is told; else nothing."""
    rest = statement.otherwise
    return rest if rest and all(s.same(_silent(block), _silent(rest)) for _, block in statement.branches) else ()


def _silent(block: s.Block) -> s.Block:
    return tuple(replace(part, told=None) if isinstance(part, s.Telling) else part for part in block)


def only_tells(body: s.Block) -> bool:
    """Whether nothing is done but to say so."""
    return all(isinstance(part, s.Tell) or (isinstance(part, s.Simple) and part.word == "nothing") for part in body)


def cannot_happen(body: s.Block) -> bool:
    """Whether a body is only there to say that nobody comes to it."""
    return len(body) == 1 and isinstance(body[0], s.Simple) and body[0].word == "impossible"


def merged(plans: Iterable[Plan], account: Account) -> tuple[Plan, ...]:
    """What is said one after the other, sentences that differ in one thing as one with a list of these."""
    found: list[Plan] = []
    for plan in plans:
        before = found[-1] if found else None
        joined = None
        if isinstance(before, Line) and isinstance(plan, Line):
            joined = _shuffled(before, plan) or _by_lot(before, plan, account) or _drawn(before, plan)
            joined = joined or _found(before, plan) or _joined(before, plan)
        if joined is not None:
            found[-1] = joined
        else:
            found.append(plan)
    return tuple(found)


def _shuffled(one: Line, other: Line) -> Line | None:
    """What goes onto a pile *that is then shuffled*, as one sentence."""
    slot = {"prose.goes": "place", "prose.all_go": "to"}.get(one.said.message)
    if slot is None or not one.plain or other.said.message != "prose.shuffles":
        return None
    pile = one.said.values[slot]
    if not isinstance(pile, Nominal) or isinstance(pile, Mention) or pile != other.said.values["what"]:
        return None
    shuffled = replace(pile, modifiers=(*pile.modifiers, Relative("prose.then_shuffled", "what", on=True)))
    said = Said(one.said.message, {**one.said.values, slot: shuffled})
    return replace(one, said=said, others=(*one.others, other.origin, *other.others))


def _by_lot(one: Line, other: Line, account: Account) -> Line | None:
    """Two who are drawn by lot, the second of whom is another one: from then on they are the first and the second."""
    first, second = one.said.values.get("what"), other.said.values.get("what")
    if not (one.said.message == other.said.message == "prose.by_lot"):
        return None
    if not (isinstance(first, Mention) and isinstance(second, Mention)):
        return None
    entities = (first.entity, second.entity)
    match tuple(entity.thing for entity in entities if entity is not None):
        case (
            Nominal(words=("indef",), modifiers=()) as thing,
            Nominal(words=("another",), modifiers=()) as another,
        ) if thing.head == another.head:
            for entity, number in zip(entities, ("first", "second_of_two"), strict=True):
                assert entity is not None
                entity.thing, entity.given = replace(thing, words=("def", number)), True
            # Wherever the first one is spoken of, it is the first of two.
            account.hang(one.origin, other.origin)
            account.hang(other.origin, one.origin)
            drawn = Said("prose.by_lot", {"what": Nominal(replace(thing.head, count=2))})
            return replace(one, said=drawn, others=(*one.others, other.origin, *other.others))
    return None


def _drawn(one: Line, other: Line) -> Line | None:
    """A card that is drawn by lot, and at once goes somewhere: *a random card from the pile goes there*."""
    entity = what.entity if isinstance(what := one.said.values.get("what"), Mention) else None
    if one.said.message != "prose.by_lot" or entity is None or entity.type.kind != "cards" or not other.plain:
        return None
    thing = entity.thing
    taken = any(isinstance(value, Mention) and value.entity is entity for value in other.said.values.values())
    # What comes from elsewhere is not taken from where it was drawn.
    elsewhere = other.said.message == "prose.tokens_go"
    if not taken or elsewhere or not isinstance(thing, Nominal) or thing.words != ("indef",):
        return None
    entity.thing = replace(thing, words=("indef", "chance"), modifiers=taken_from(thing.modifiers))
    return replace(other, others=(one.origin, *one.others, *other.others))


def _found(one: Line, other: Line) -> Line | None:
    """Who does something is who has most: *who has most does so; in a tie, it is the first clockwise*."""
    who = one.said.values.get("what")
    if one.said.message != "prose.finds_first" or other.said.values.get("player") != who or not other.plain:
        return None
    said = Said("prose.first_does", {"then": other.said, "start": one.said.values["start"]})
    return replace(other, said=said, plain=False, others=(one.origin, *one.others, other.origin, *other.others))


def taken_from(modifiers: Iterable[Attribute | Relative]) -> tuple[Attribute | Relative, ...]:
    """What is said of a card that is taken *from* where it lies, not of one *in* there."""
    return tuple(Attribute("prose.taken_from", m.values) if m.message == "prose.out_of" else m for m in modifiers)


def _joined(one: Line, other: Line) -> Line | None:
    """Two sentences as one, if only one thing in them differs."""
    first, second = one.said, other.said
    if (
        not (one.plain and other.plain)
        or first.message != second.message
        or first.values.keys() != second.values.keys()
    ):
        return None
    differing = [name for name in first.values if first.values[name] != second.values[name]]
    top, below = (_thing(said.values.get("what")) for said in (first, second))
    goes = first.message == "prose.goes" and differing in ([], ["what"])
    if goes and top is not None and below is not None and _is_top(top) and _but_for_number(top) == below:
        # Twice the top card are the two top cards.
        several = replace(top, head=replace(top.head, count=(top.head.count or 1) + 1))
        return replace(one, said=Said(first.message, {**first.values, "what": several}))
    if differing not in (["what"], ["figure"]):
        return None
    [name] = differing
    items = (*_items(first.values[name]), *_items(second.values[name]))
    named = [_thing(item) for item in items]
    if not all(isinstance(item, Nominal) for item in items) or any(item in named[:at] for at, item in enumerate(named)):
        # What is called alike, such as a pile's top card and then its next one, is no list.
        return None
    said = Said(first.message, {**first.values, name: Listing(items)})
    return replace(one, said=said, others=(*one.others, other.origin, *other.others))


def _is_top(thing: Nominal) -> bool:
    """Whether a thing is the top card of a pile, which may have a noun of its own."""
    return thing.words == ("def", "top") or (thing.words == ("def",) and thing.head.name.endswith(".top"))


def _thing(value: Value | None) -> Nominal | None:
    """The thing that somebody speaks of; who stands for a number is none."""
    thing = value.entity.thing if isinstance(value, Mention) and value.entity is not None else value
    return Nominal(thing.head, thing.words, thing.modifiers) if isinstance(thing, Nominal) else None


def _but_for_number(thing: Nominal) -> Nominal:
    return replace(thing, head=replace(thing.head, count=None))


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Listing) else (value,)

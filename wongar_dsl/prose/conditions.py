"""Conditions of rules as clauses, in no language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.model import PLAYER, Local, Ref
from wongar_dsl.prose.constants import constant, nothing_of
from wongar_dsl.prose.context import COMPARED, Amount, Context, Unsayable, conditions, mentions
from wongar_dsl.prose.domains import relative
from wongar_dsl.prose.plan import Entity, Mention
from wongar_dsl.prose.things import cards, holds, named, owner, place, tokens
from wongar_dsl.words import Attribute, Listing, Nominal, Said, Value

#: What the opposite of a comparison is.
OPPOSITE: Mapping[s.Comparison, s.Comparison] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def condition(context: Context, e: s.Expression, negated: bool) -> Said:
    """What has to be so, or if `negated`, not.  Raises `Unsayable`."""
    ref = context.ref(e)
    context.account.say(e)
    match e:
        case s.Negation(operand=operand):
            return context.condition(operand, not negated)
        case s.Logical(operator=joined, operands=operands):
            # Not (a and b) is not a or not b.
            word = joined if not negated else "or" if joined == "and" else "and"
            return _joined(word, [context.condition(operand, negated) for operand in operands])
        case s.Empty(zone=zone, negated=filled):
            return _empty(context, zone, filled == negated)
        case s.Compare(operator=sign, left=left, right=right):
            return _compared(context, OPPOSITE[sign] if negated else sign, left, right)
        case s.Quantified(kind="some" | "none" | "every"):
            return _any_of(context, e, negated)
        case s.Truth(value=value):
            return Said("prose.always" if value != negated else "prose.never")
        case s.Name() | s.Called() | s.Indexed() | s.Of() if ref is not None:
            return _stated(context, e, ref, negated)
    raise Unsayable(e)


def _joined(word: str, parts: list[Said]) -> Said:
    """Several conditions; one that is itself made of some stands last: *a and either b or c*."""
    match word, parts:
        case "or", [Said(message="prose.is_a", values=one), Said(message="prose.is_of_kind", values=other)]:
            if one["what"] == other["what"]:
                return Said("prose.is_a_or_of_kind", {"what": one["what"], "one": one["kind"], "kind": other["kind"]})
    inner: list[Value] = []
    made_of_some = []
    for part in parts:
        match part:
            case Said(message=message, values={"all": Listing(items=items)}) if message == f"prose.{word}":
                inner += items
            case Said(message="prose.or" | "prose.and"):
                made_of_some.append(part)
            case _:
                inner.append(part)
    for part in made_of_some:
        # Only behind the last one nothing could be taken for a part of it.
        how = "either" if word == "and" else "both"
        inner.append(Said(f"prose.{how if part is made_of_some[-1] else 'in_brackets'}", {"condition": part}))
    return Said(f"prose.{word}", {"all": Listing(tuple(inner))})


def asked_again(clause: Said) -> Said:
    """A condition behind *if*, which a language can say once more before what is itself made of several."""
    match clause:
        case Said(message="prose.and" | "prose.or", values={"all": Listing(items=items)}):
            asked = tuple(_asked_again(item) for item in items)
            if asked[-1] is not items[-1] and len(asked) > 2:
                # *If a and b, and if c or d*.
                asked = (Said(clause.message, {"all": Listing(asked[:-1])}), asked[-1])
            return Said(clause.message, {"all": Listing(asked)})
    return clause


def _asked_again(item: Value) -> Value:
    match item:
        case Said(message="prose.either" | "prose.both", values={"condition": Said() as inner}):
            return Said("prose.asked_again", {"condition": asked_again(inner)})
    return item


def opposite(context: Context, clause: Said) -> Said:
    """That a clause does not hold, in words of its own where there are any."""
    own = f"{clause.message}.not"
    return Said(own, clause.values) if context.knows(own) else Said("prose.not", {"condition": clause})


# ---- what is in a place --------------------------------------------------------------------------------------------


def _empty(context: Context, zone: s.Expression, empty: bool) -> Said:
    """Whether nothing lies in a zone."""
    ref = context.ref(zone)
    if ref is None or ref.name not in context.model.declared.zones:
        raise Unsayable(zone)
    declared = context.model.declared.zones[ref.name]
    if declared.kind == "slot":
        context.account.say(zone)
        owners = s.index_nodes(zone)
        boards = [owner for owner in owners if context.kind(owner).kind == "board"]
        if len(owners) == 1 and boards:
            what = Nominal(context.term(ref.name), ("not_any",) if empty else ("indef",))
            return Said("prose.lies", {"what": what, "place": context.thing(boards[0])})
        where = named(context, ref.name, owners)
    else:
        where = place(context, zone)
        whose = owner(context, zone)
        if declared.kind == "heap":
            # Its name may be that of the cards in it.
            what = Nominal(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Said("prose.lies", {"what": what, "place": where})
        if whose is not None:
            what = Nominal(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Said("prose.has", {"player": context.thing(whose), "what": what, "place": where})
    return Said("prose.empty" if empty else "prose.empty.not", {"place": where})


def _tokens(context: Context, sign: s.Comparison, zone: s.Indexed, right: s.Expression) -> Said | None:
    """Whether somebody has so many tokens somewhere."""
    *indices, kind = zone.indices
    number = s.written_number(right)
    whose = next((i for i in indices if context.kind(i).kind == "player"), None)
    asked: dict[tuple[s.Comparison, int], int | None] = {
        (">", 0): None, (">=", 1): None, ("!=", 0): None, ("=", 0): 0, ("<=", 0): 0, ("<", 1): 0,
    }  # fmt: skip
    shown = asked.get((sign, number if number is not None else -1), -1)
    if whose is None or shown == -1:
        return None
    context.account.say(zone, right)
    found = place(context, zone)
    where = replace(found, modifiers=()) if _whose(found) else found
    values: dict[str, Value] = {"player": context.thing(whose), "place": where}
    some: tuple[str, ...] = ("indef",) if shown is None else ("not_any",)
    if shown is None and _asked_for(context, kind):
        one = Nominal(context.term(context.kind(kind).name), some)
        return Said("prose.has_of", {**values, "what": one, "kind": context.thing(kind)})
    what = replace(tokens(context, 1, kind), words=some)
    return Said("prose.has", {**values, "what": what})


def _whose(where: Nominal) -> bool:
    """Whether a place only says whose it is."""
    return len(where.modifiers) == 1 and where.modifiers[0].message == "prose.of.owner"


def _asked_for(context: Context, kind: s.Expression) -> bool:
    """Whether a kind is just being looked for."""
    found = context.value(kind)
    return isinstance(found, Mention) and found.entity in context.about


# ---- comparisons ---------------------------------------------------------------------------------------------------


def _compared(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said:
    ref, other = context.ref(left), context.ref(right)
    if isinstance(right, s.Nobody) or isinstance(left, s.Nobody):
        context.account.say(left, right)
        return _nobody(context, right if isinstance(left, s.Nobody) else left, sign == "=")
    if other is not None and isinstance(right, s.Name) and _is_card(context, right, other) and sign in ("=", "!="):
        context.account.say(right)
        if ref is not None and ref.kind == "laid" and context.kind(s.index_nodes(left)[0]).kind == "board":
            context.account.say(left)
            card = Nominal(context.term(right.text), ("indef",) if sign == "=" else ("not_any",))
            return Said("prose.lies", {"what": card, "place": context.thing(s.index_nodes(left)[0])})
        how, words = ("", ("indef",)) if sign == "=" else (".none", ())
        kind = Nominal(context.term(right.text), words)
        return Said(f"prose.is_a{how}", {"what": context.thing(left), "kind": kind})
    found = _comes_first(context, sign, left, right)
    if found is not None:
        return found
    if isinstance(left, s.Indexed) and ref is not None and ref.kind == "tokens":
        found = _tokens(context, sign, left, right)
        if found is not None:
            return found
    for shape in (_nothing, _some, _own, _so_many, _on_track):
        found = shape(context, sign, left, right)
        if found is not None:
            return found
    if ref is not None and other is not None and ref.kind == other.kind == "score" and ref.name == other.name:
        found = _scores(context, sign, left, right, ref)
        if found is not None:
            return found
    if context.kind(left).kind == "number":
        values: dict[str, Value] = {"what": context.value(left), "n": context.value(right)}
        return Said(f"prose.is_{COMPARED[sign]}", values)
    if sign not in ("=", "!="):
        raise Unsayable(left)
    if ref is not None and ref.kind == "attribute" and context.is_sort(context.kind(left)):
        context.account.say(left)
        clause = Said("prose.is_of_kind", {"what": context.thing(s.index_nodes(left)[0]), "kind": context.value(right)})
        return clause if sign == "=" else opposite(context, clause)
    if ref is not None and other is not None and ref.kind == other.kind == "holder":
        return _same_holder(context, sign, left, right)
    if ref is not None and ref.name and context.knows(f"is.{ref.name}"):
        context.account.say(left)
        clause = context.own(f"is.{ref.name}", {**context.slots(s.index_nodes(left)), "value": context.value(right)})
        return clause if sign == "=" else opposite(context, clause)
    same: dict[str, Value] = {"what": context.value(left), "other": context.value(right)}
    return Said("prose.is" if sign == "=" else "prose.is.not", same)


def _nothing(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """Whether a remembered number or one in a table stands for nothing, where a game has a sentence for that."""
    ref, number = context.ref(left), constant(context, right)
    if ref is None or ref.kind not in ("remember", "table") or not context.knows(f"none.{ref.name}") or number is None:
        return None
    nothing = nothing_of(context, ref.name)
    asked = {("=", nothing): True, ("!=", nothing): False, (">", nothing): False, (">=", nothing + 1): False}
    absent = asked.get((sign, number))
    if absent is None:
        return None
    context.account.say(left, right)
    clause = context.own(f"none.{ref.name}", context.slots(s.index_nodes(left)))
    return clause if absent else opposite(context, clause)


def _own(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """What a game says in words of its own where something is less than a number, or at most that, and so on."""
    ref = context.ref(left)
    if ref is None or ref.kind not in ("remember", "table", "define") or not ref.name:
        return None
    owners = left.arguments if isinstance(left, s.Called) else s.index_nodes(left)
    for how, denied in ((sign, False), (OPPOSITE[sign], True)):
        if context.knows(f"{COMPARED[how]}.{ref.name}"):
            context.account.say(left)
            slots = {**context.slots(owners), "n": context.value(right)}
            clause = context.own(f"{COMPARED[how]}.{ref.name}", slots)
            return opposite(context, clause) if denied else clause
    return None


def _some(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """Whether there is any of what is counted: *somebody has fewer points*, not *the number … is more than 0*."""
    asked = {(">", 0): False, (">=", 1): False, ("!=", 0): False, ("=", 0): True, ("<=", 0): True, ("<", 1): True}
    number = s.written_number(right)
    negated = asked.get((sign, number)) if number is not None else None
    ref = context.ref(left)
    counted = left
    if ref is not None and ref.kind == "local" and ref.local is not None:
        counted = context.lets.get(ref.local, left)
    if negated is None:
        return None
    match counted:
        case s.Quantified(kind="number", variable=variable, domain=domain):
            context.account.say(left, right)
            kind: s.QuantifiedKind = "none" if negated else "some"
            asking = s.Quantified(counted.span, kind, variable, domain)
            return _any_of(context, asking, False)
        case s.Called(name=name) if context.knows(f"define.{name}") and name in context.model.code.defines:
            context.account.say(right, left)
            define = context.model.code.defines[name]
            asked_of = context.called_with(context.model.parameters.get(define, ()), counted.arguments)
            clause = context.own(f"define.{name}", asked_of)
            return opposite(context, clause) if negated else clause
        case s.Of(name="size", owner=zone):
            context.account.say(left, right)
            return _empty(context, zone, negated)
        case s.CountOf(card=card, zone=zone):
            context.account.say(left, right)
            what = replace(cards(context, card), several=False, words=("not_any",) if negated else ("indef",))
            return there(context, "", what, zone)
    return None


def _so_many(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """Whether exactly, at least, … so many things lie somewhere."""
    number = constant(context, right)
    if number is None or number < 1:
        return None
    match left:
        case s.Quantified(kind="number", variable=variable, domain=domain):
            asked = conditions(domain.where)
            thing = context.domain(domain, context.model.locals[variable], asked, (), several=number > 1)
            context.entities[context.model.locals[variable]].passing = True
            context.account.say(left, right)
            so_many = replace(thing, head=replace(thing.head, count=number), several=False)
            return Said(f"prose.exists_{COMPARED[sign]}", {"what": so_many})
        case s.CountOf(card=card, zone=zone):
            what = replace(cards(context, card), several=False)
        case s.Of(name="size", owner=zone):
            what = Nominal(context.term(holds(context, zone)))
        case s.Indexed(indices=[*_, kind]) if (ref := context.ref(left)) is not None and ref.kind == "tokens":
            what, zone = tokens(context, None, kind), left
        case _:
            return None
    context.account.say(left, right)
    counted_ = replace(what, head=replace(what.head, count=number), several=False)
    return there(context, f"_{COMPARED[sign]}", counted_, zone)


def there(context: Context, how: str, what: Nominal, zone: s.Expression) -> Said:
    """Somebody has something somewhere, or where nobody owns the place, it lies there."""
    where = place(context, zone)
    owners = [index for index in s.index_nodes(zone) if context.kind(index).kind == "player"]
    if not owners:
        return Said(f"prose.lies{how}", {"what": what, "place": where})
    if _whose(where):
        where = replace(where, own=True, modifiers=())
    ref = context.ref(zone)
    match what.modifiers:
        case [Attribute(message="prose.of_kind", values={"kind": Mention(entity=Entity() as kind)})] if (
            ref is not None and kind in context.about and not how and context.knows(f"has_of.{ref.name}")
        ):
            having: dict[str, Value] = {"player": context.thing(owners[0]), "kind": Mention.of(kind)}
            return context.own(f"has_of.{ref.name}", {**having, "what": replace(what, modifiers=())})
    if (
        ref is not None
        and len(owners) == 1 == len(s.index_nodes(zone))
        and context.knows(f"has.{ref.name}")
        and not how
    ):
        return context.own(f"has.{ref.name}", {"player": context.thing(owners[0]), "what": what})
    return Said(f"prose.has{how}", {"player": context.thing(owners[0]), "what": what, "place": where})


def _on_track(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """Whether something has come to the last space of its track."""
    match left, right:
        case s.Of(name="space", owner=one), s.Of(name="spaces", owner=other) if s.same(one, other):
            if sign not in ("=", ">=", "<", "!="):
                return None
            context.account.say(left, right, other)
            at_end = Said("prose.at_end", {"what": context.thing(one)})
            return at_end if sign in ("=", ">=") else opposite(context, at_end)
    return None


def _comes_first(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said | None:
    """Whether one of two comes first in an order: *not behind the other*, not *the first who is one or the other*."""
    match right:
        case s.Quantified(kind="first", variable=variable, domain=domain) if domain.first is not None:
            either = domain.where
        case _:
            return None
    match either:
        case s.Logical(
            operator="or", operands=(s.Compare(operator="=", right=one) as a, s.Compare(operator="=", right=other) as b)
        ) if s.same(one, left):
            pass
        case _:
            return None
    local = context.model.locals[variable]
    named_ = [context.ref(e.left) for e in (a, b)]
    if sign not in ("=", "!=") or domain.kind not in ("from", "after") or domain.extreme is not None:
        return None
    if any(ref is None or ref.local is not local for ref in named_):
        return None
    context.account.leave(right, "said", "")
    values: dict[str, Value] = {"player": context.value(left), "two": context.value(other)}
    clause = Said(f"prose.not_behind_{domain.kind}", {**values, "start": context.thing(domain.first)})
    return clause if sign == "=" else opposite(context, clause)


def _is_card(context: Context, e: s.Name, ref: Ref) -> bool:
    """Whether a name is that of a kind of card, of which there are several."""
    return ref.kind in ("face", "facekind") or (ref.kind == "value" and context.kind(e).kind == "cards")


def _nobody(context: Context, e: s.Expression, absent: bool) -> Said:
    """Whether there is nobody or nothing; a game may say so in words of its own."""
    ref = context.ref(e)
    if ref is not None and ref.kind in ("place", "laid_at"):
        context.account.say(e)
        [what] = s.index_nodes(e)
        laid = context.kind(what).kind == "cards"
        clause = Said("prose.not_laid" if laid else "prose.nowhere", {"what": context.thing(what)})
    elif ref is not None and ref.name and context.knows(f"none.{ref.name}"):
        context.account.say(e)
        owners = e.arguments if isinstance(e, s.Called) else s.index_nodes(e)
        clause = context.own(f"none.{ref.name}", context.slots(owners))
    else:
        clause = Said("prose.is_none", {"what": context.value(e)})
    return clause if absent else opposite(context, clause)


def _scores(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression, ref: Ref) -> Said | None:
    """Whether one has fewer points than another."""
    [one], [two] = s.index_nodes(left), s.index_nodes(right)
    if sign not in ("<", ">"):
        return None
    context.account.say(left, right)
    points = Nominal(context.term(ref.name), several=True)
    values: dict[str, Value] = {"player": context.thing(one), "what": points, "other": context.thing(two)}
    return Said("prose.has_fewer" if sign == "<" else "prose.has_more", values)


def _same_holder(context: Context, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Said:
    """Whether two figures belong to the same player; who that is can be spoken of then."""
    context.account.say(left, right)
    figures = tuple(context.thing(s.index_nodes(e)[0]) for e in (left, right))
    clause = Said("prose.same_holder", {"what": Listing(figures)})
    holder = Entity("holder", PLAYER, Nominal(context.term("player"), ("this",)), given=True)
    context.alike = {left: holder, right: holder} if sign == "=" else {}
    return clause if sign == "=" else opposite(context, clause)


# ---- what is stated by a name --------------------------------------------------------------------------------------


def _stated(context: Context, e: s.Name | s.Called | s.Indexed | s.Of, ref: Ref, negated: bool) -> Said:
    """A definition, or a remembered yes or no."""
    owners = e.arguments if isinstance(e, s.Called) else s.index_nodes(e)
    name = e.text if isinstance(e, s.Name) else e.name
    if ref.kind in ("define", "rule"):
        called = context.model.code.called(ref.kind, name)
        locals_ = context.model.parameters.get(called, ())
        values = context.called_with(locals_, owners)
        own = f"define.{name}"
        if context.knows(own) and context.understood(own, locals_, owners):
            clause = context.own(own, values)
            return opposite(context, clause) if negated else clause
        if isinstance(called, s.Define):
            given: dict[Local, Amount] = {}
            for local in locals_:
                value = values[local.name]
                assert isinstance(value, Nominal | int)
                given[local] = value
            with context.written_out(called, e, given):
                return context.condition(called.value, negated)
        raise Unsayable(e)
    if ref.kind == "local" and ref.local is not None and ref.local in context.held:
        clause = Said(context.held[ref.local])
        return opposite(context, clause) if negated else clause
    if ref.kind == "local" and ref.local is not None and ref.local in context.lets:
        return context.condition(context.lets[ref.local], negated)
    if ref.kind == "local":
        clause = Said("prose.is_so", {"what": context.thing(e)})
    elif context.knows(f"state.{name}"):
        clause = context.own(f"state.{name}", context.slots(owners))
    else:
        clause = Said("prose.is_so", {"what": named(context, name, owners)})
    return opposite(context, clause) if negated else clause


def _any_of(context: Context, e: s.Quantified, negated: bool) -> Said:
    """Whether something holds for somebody, nobody or everybody."""
    local = context.model.locals[e.variable]
    try:
        return _one_of_them(context, e, local, negated)
    finally:
        # Where there are no words for what is asked, nothing has come up.
        if local in context.entities:
            context.entities[local].passing = True


def _one_of_them(context: Context, e: s.Quantified, local: Local, negated: bool) -> Said:
    asked = [*conditions(e.domain.where)]
    kind = {"some": "none", "none": "some"}.get(e.kind, e.kind) if negated else e.kind
    if kind == "every" or e.value is not None:
        assert e.value is not None
        # Not every one is so, if *one* is not; *every one is not so* would be something else.
        thing = context.domain(e.domain, local, asked, ("indef",) if negated else ("every",))
        return _of_one(context, local, thing, s.Negation(e.value.span, e.value) if negated else e.value)
    words = ("indef",) if kind == "some" else ("not_any",)
    others = [one for one in context.entities if one.type == local.type and one is not local]
    defining = bool(context.inside) and isinstance(context.inside[-1], s.Define)
    if kind == "some" and defining and local.type.kind == "player" and others and len(asked) == 1:
        # *A player* could be taken for the one who is spoken of already.
        words = ("any",)
    if not asked or e.domain.extreme is not None:
        return Said("prose.exists", {"what": context.domain(e.domain, local, asked, words)})
    thing = context.domain(e.domain, local, asked[:-1], words)
    clause, fits = _clause_of(context, local, thing, asked[-1])
    if fits:
        return _had_there(context, local, thing, clause) if kind == "none" else clause
    whole = replace(thing, modifiers=(*thing.modifiers, relative(context.entities[local], clause)))
    return Said("prose.exists", {"what": context.refined(local, whole).thing})


def _had_there(context: Context, local: Local, thing: Nominal, clause: Said) -> Said:
    """That somebody has nothing in any place, rather than something in no place."""
    entity, where, what = context.entities[local], clause.values.get("place"), clause.values.get("what")
    there = isinstance(where, Mention) and where.entity is entity
    if clause.message != "prose.has" or not there or not isinstance(what, Nominal) or what.words != ("indef",):
        return clause
    context.refined(local, replace(thing, words=("indef",)))
    return replace(clause, values={**clause.values, "what": replace(what, words=("not_any",))})


def _of_one(context: Context, local: Local, thing: Nominal, condition: s.Expression) -> Said:
    """A condition said of one of several."""
    clause, fits = _clause_of(context, local, thing, condition)
    return clause if fits else Said("prose.holds_for", {"what": thing, "condition": clause})


def _clause_of(context: Context, local: Local, thing: Nominal, condition: s.Expression) -> tuple[Said, bool]:
    """A condition, and whether it can be said of one of several just by calling it *a*, *no* or *every* such thing."""
    entity: Entity = context.refined(local, thing)
    clause = context.said_of(entity, condition)
    if clause.message in ("prose.and", "prose.or", "prose.not"):
        return clause, False
    direct = any(isinstance(v, Mention) and v.entity is entity for v in clause.values.values())
    inside = entity in mentions(clause) and thing.words in (("every",), ("indef",))
    return clause, direct or inside

"""Conditions of rules as clauses, in no language."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Ref
from wongar_dsl.prose.comparisons import OPPOSITE, compared, opposite
from wongar_dsl.prose.context import Amount, Context, Unsayable, mentions
from wongar_dsl.prose.domains import relative
from wongar_dsl.prose.elided import evident, understood
from wongar_dsl.prose.plan import Entity, Mention
from wongar_dsl.prose.presence import is_empty, there
from wongar_dsl.prose.things import named
from wongar_dsl.words import Attribute, Listing, Nominal, Said, Value


def condition(context: Context, e: s.Expression, negated: bool) -> Said:
    """What has to be so, or if `negated`, not.  Raises `Unsayable`."""
    ref = context.ref(e)
    context.account.say(e)
    match e:
        case s.Negation(operand=operand):
            return context.condition(operand, not negated)
        case s.Logical(operator=operator, operands=operands):
            # Not (a and b) is not a or not b.
            word = operator if not negated else "or" if operator == "and" else "and"
            return joined(word, [context.condition(operand, negated) for operand in operands])
        case s.Empty(zone=zone, negated=filled):
            return is_empty(context, zone, filled == negated)
        case s.Compare(operator=sign, left=left, right=right):
            before = context.alike
            clause = compared(context, OPPOSITE[sign] if negated else sign, left, right)
            for what in context.alike.keys() - before.keys():
                context.account.hang(what, e)
            return clause
        case s.Quantified(kind="some" | "none" | "every"):
            return _any_of(context, e, negated)
        case s.Truth(value=value):
            return Said("prose.always" if value != negated else "prose.never")
        case s.Name() | s.Called() | s.Indexed() | s.Of() if ref is not None:
            return _stated(context, e, ref, negated)
    raise Unsayable(e)


def joined(word: str, parts: list[Said]) -> Said:
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


def _stated(context: Context, e: s.Name | s.Called | s.Indexed | s.Of, ref: Ref, negated: bool) -> Said:
    """A definition, or a remembered yes or no."""
    owners = e.arguments if isinstance(e, s.Called) else s.index_nodes(e)
    name = e.text if isinstance(e, s.Name) else e.name
    if ref.kind in ("define", "rule"):
        called = context.model.code.called(ref.kind, name)
        locals_ = context.model.parameters.get(called, ())
        values = context.called_with(locals_, owners)
        own = f"define.{name}"
        if context.knows(own) and understood(context, own, locals_, owners):
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
        clause = context.held[ref.local]
        return opposite(context, clause) if negated else clause
    if ref.kind == "local" and ref.local is not None and ref.local in context.lets:
        return context.condition(context.lets[ref.local], negated)
    if ref.kind == "local":
        clause = Said("prose.is_so", {"what": context.thing(e)})
    elif context.knows(f"state.{name}") and evident(context, f"state.{name}", owners):
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
    asked = [*s.conjuncts(e.domain.where)]
    kind = {"some": "none", "none": "some"}.get(e.kind, e.kind) if negated else e.kind
    if kind == "every" or e.value is not None:
        assert e.value is not None
        # Not every one is so, if *one* is not; *every one is not so* would be something else.
        thing = context.domain(e.domain, local, asked, ("indef",) if negated else ("every",))
        return _of_one(context, local, thing, s.Negation(e.value.span, e.value) if negated else e.value)
    if kind == "none" and isinstance(asked[-1:][0] if asked else None, s.Negation) and e.domain.extreme is None:
        # *There is none for which it is not so* has one negation too many.
        assert isinstance(asked[-1], s.Negation)
        context.account.say(asked[-1])
        thing = context.domain(e.domain, local, asked[:-1], ("every",))
        return _of_one(context, local, thing, asked[-1].operand)
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
    if clause.message == "prose.is_a.none" and kind == "some" and e.domain.kind == "all":
        lying = _that_lies_there(context, e.domain, local, thing, clause)
        if lying is not None:
            return lying
    if fits:
        return _had_there(context, local, thing, clause) if kind == "none" else clause
    whole = replace(thing, modifiers=(*thing.modifiers, relative(context.entities[local], clause)))
    return Said("prose.exists", {"what": context.refined(local, whole).thing})


def _that_lies_there(context: Context, domain: s.Domain, local: Local, thing: Nominal, clause: Said) -> Said | None:
    """*A card that is no joker lies on the pile*, not *a card on the pile is no joker*; None for what lies nowhere."""
    match thing.modifiers:
        case (Attribute(message="prose.out_of"),):
            what = replace(thing, modifiers=(relative(context.entities[local], clause),))
            return there(context, "", what, domain.base)
    return None


def _had_there(context: Context, local: Local, thing: Nominal, clause: Said) -> Said:
    """That somebody has nothing in any place, rather than something in no place."""
    entity, where, what = context.entities[local], clause.values.get("place"), clause.values.get("what")
    of_each = isinstance(where, Mention) and where.entity is entity
    if clause.message != "prose.has" or not of_each or not isinstance(what, Nominal) or what.words != ("indef",):
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
    known = frozenset(context.entities.values())
    clause = context.said_of(entity, condition)
    if clause.message in ("prose.and", "prose.or", "prose.not"):
        return clause, False
    slots = [name for name, v in clause.values.items() if isinstance(v, Mention) and v.entity is entity]
    inner = [one.thing for one in mentions(clause) - known if _words(one) != thing.words[:1]]
    if inner and "player" not in slots and not any(entity in mentions(one) for one in inner):
        # *Each of them lies on one of these* is something else than *one of these is where each of them lies*.
        return clause, False
    # A number is computed with: it comes up before it.
    inside = entity in mentions(clause) and thing.words in (("every",), ("indef",)) and entity.type.kind != "number"
    return clause, bool(slots) or inside


def _words(entity: Entity) -> tuple[str, ...]:
    """The word with which one of several comes up."""
    return entity.thing.words[:1] if isinstance(entity.thing, Nominal) else ()

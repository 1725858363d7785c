"""Clauses for conditions, independent of a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref
from wongar_dsl.nlg.prose.content.comparisons import comparison, conjunction, opposite
from wongar_dsl.nlg.prose.content.domains import are_contrary, described_in, only_value, with_clause
from wongar_dsl.nlg.prose.content.noun_phrases import term_phrase
from wongar_dsl.nlg.prose.content.static_values import may_be_missing
from wongar_dsl.nlg.prose.content.zone_conditions import has_something, is_empty
from wongar_dsl.nlg.prose.context import Amount, NotVerbalisable, ProseContext, conjunctions, mentions
from wongar_dsl.nlg.prose.micro.ellipsis import is_obvious, is_recoverable
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Mention
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Sentence, Value

#: Determiners whose exchange negates a statement together with the negation of its clause.
_OPPOSITE: Mapping[tuple[str, ...], tuple[str, ...]] = {("every",): ("not_any",), ("not_any",): ("every",)}
#: Clauses that deny something in words, and those whose positive form does.
_DENIALS = frozenset(
    f"prose.{name}" for name in ("not", "is.not", "is_a.none", "is_a.not", "is_unequal", "is_of_kind.not", "empty.not",
                                 "at_end.not", "touches.not", "nowhere", "not_laid")
)  # fmt: skip
_ABSENCES = frozenset({"prose.not_behind_from", "prose.not_behind_after"})


def condition(context: ProseContext, e: s.Expression, negated: bool) -> Sentence:
    """Return the clause for a condition, or its negation. Raises `NotVerbalisable`."""
    before = context.substitutes
    clause = _clause(context, e, negated)
    if clause.message == "prose.or":
        # What one of several conditions says of a thing may not be so.
        context.substitutes = before
    context.end_ambiguous_substitutes(clause)
    return clause


def _clause(context: ProseContext, e: s.Expression, negated: bool) -> Sentence:
    ref = context.ref(e)
    context.log.mark_said(e)
    match e:
        case s.Negation(operand=operand):
            return context.condition(operand, not negated)
        case s.Logical(operator=operator, operands=operands):
            # De Morgan: not (a and b) is not a or not b.
            word = operator if not negated else "or" if operator == "and" else "and"
            before_present = context.present
            if word == "and":
                context.present += tuple(e for operand in operands for e in _present(context, operand, negated))
            try:
                return conjunction(word, [context.condition(operand, negated) for operand in operands])
            finally:
                context.present = before_present
        case s.Empty(zone=zone, negated=filled):
            return is_empty(context, zone, filled == negated)
        case s.Compare(operator=sign, left=left, right=right):
            before = context.substitutes
            clause = comparison(context, s.OPPOSITE[sign] if negated else sign, left, right)
            for node in context.substitutes.keys() - before.keys():
                context.log.depends_on(node, e)
            return clause
        case s.Quantified(kind="some" | "none" | "every"):
            return _any_of(context, e, negated)
        case s.Truth(value=value):
            return Sentence("prose.always" if value != negated else "prose.never")
        case s.Name() | s.Called() | s.Indexed() | s.Of() if ref is not None:
            return _stated(context, e, ref, negated)
    raise NotVerbalisable(e)


def _present(context: ProseContext, e: s.Expression, negated: bool) -> Iterator[s.Expression]:
    """Yield the values that a condition, or its negation, says are present, and the zones that are not empty."""
    match e:
        case s.Negation(operand=operand):
            yield from _present(context, operand, not negated)
        case s.Empty(zone=zone, negated=filled) if filled != negated:
            yield zone
        case s.Compare(operator="=" | "!=" as sign, left=left, right=right):
            if (sign == "=") != negated:
                yield from (one for one, other in ((left, right), (right, left)) if not may_be_missing(context, other))
            elif isinstance(right, s.Nobody) or isinstance(left, s.Nobody):
                yield right if isinstance(left, s.Nobody) else left


def restate(clause: Sentence) -> Sentence:
    """Return a condition for use after *if*, so that a language can repeat *if* before a compound part."""
    match clause:
        case Sentence(message="prose.and" | "prose.or", values={"all": Listing(items=items)}):
            restated = (*items[:-1], _asked_again(items[-1]))
            if restated[-1] is not items[-1] and len(restated) > 2:
                # *If a and b, and if c or d*.
                restated = (Sentence(clause.message, {"all": Listing(restated[:-1])}), restated[-1])
            return Sentence(clause.message, {"all": Listing(restated)})
    return clause


def _asked_again(item: Value) -> Value:
    match item:
        case Sentence(message="prose.in_brackets" | "prose.both", values={"condition": Sentence() as inner}):
            return Sentence("prose.asked_again", {"condition": restate(inner)})
    return item


def _stated(context: ProseContext, e: s.Name | s.Called | s.Indexed | s.Of, ref: Ref, negated: bool) -> Sentence:
    """Return the clause for a definition or a stored truth value."""
    owners = e.arguments if isinstance(e, s.Called) else s.index_nodes(e)
    name = e.text if isinstance(e, s.Name) else e.name
    if ref.kind in ("define", "rule"):
        called = context.model.code.called(ref.kind, name)
        locals_ = context.model.parameters.get(called, ())
        values = context.argument_slots(locals_, owners)
        message = f"define.{name}"
        if context.has_message(message) and is_recoverable(context, message, locals_, owners):
            clause = context.game_sentence(message, values)
            return opposite(context, clause) if negated else clause
        if isinstance(called, s.Define):
            bindings: dict[Local, Amount] = {}
            for local in locals_:
                value = values[local.name]
                assert isinstance(value, NounPhrase | int)
                bindings[local] = value
            with context.write_out(called, e, bindings):
                return context.condition(called.value, negated)
        raise NotVerbalisable(e)
    if ref.kind == "local" and ref.local is not None and ref.local in context.truth_clauses:
        clause = context.truth_clauses[ref.local]
        return opposite(context, clause) if negated else clause
    if ref.kind == "local" and ref.local is not None and ref.local in context.lets:
        return context.condition(context.lets[ref.local], negated)
    if ref.kind == "local":
        clause = Sentence("prose.is_so", {"what": context.thing(e)})
    elif context.has_message(f"state.{name}") and is_obvious(context, f"state.{name}", owners):
        clause = context.game_sentence(f"state.{name}", context.slots(owners))
    else:
        clause = Sentence("prose.is_so", {"what": term_phrase(context, name, owners)})
    return opposite(context, clause) if negated else clause


def _any_of(context: ProseContext, e: s.Quantified, negated: bool) -> Sentence:
    """Return the clause for a quantified condition: *some*, *none* or *every*."""
    local = context.model.locals[e.variable]
    labelled = local in context.rivals
    try:
        clause = _one_of_them(context, e, local, negated)
        # An inner name with the same noun was found after this one was introduced.
        return clause if labelled or local not in context.rivals else _one_of_them(context, e, local, negated)
    finally:
        # Entities of a failed verbalisation are not mentioned later.
        if local in context.entities:
            context.entities[local].passing = True


def _one_of_them(context: ProseContext, e: s.Quantified, local: Local, negated: bool) -> Sentence:
    restrictions = [*s.conjuncts(e.domain.where)]
    single = _of_the_only_one(context, e, local, restrictions, negated)
    if single is not None:
        return single
    kind = {"some": "none", "none": "some"}.get(e.kind, e.kind) if negated else e.kind
    words: tuple[str, ...] = ({"some": "indef", "none": "not_any"}.get(kind, "indef" if negated else "every"),)
    others = [name for name, e in context.entities.items() if name.type == local.type and not e.passing]
    defining = bool(context.inside) and isinstance(context.inside[-1], s.Define) and local not in context.rivals
    if kind == "some" and defining and local.type.kind == "player" and others and len(restrictions) == 1:
        # *A player* could be confused with the player already mentioned.
        words = ("any",)
    if kind == "every":
        assert e.value is not None
        # The negation is *one is not*, since *every one is not so* would be ambiguous.
        asserted = s.Negation(e.value.span, e.value) if negated else e.value
    elif not restrictions or e.domain.extreme is not None:
        return Sentence("prose.exists", {"what": context.domain(e.domain, local, restrictions, words)})
    else:
        asserted = restrictions.pop()
    if kind == "none" and isinstance(asserted, s.Negation):
        # *There is none for which it is not so* would be a double negation.
        words, asserted = ("every",), _denied(context, asserted)
    words, thing, clause, fits = _unambiguous(context, e.domain, local, restrictions, words, asserted)
    if clause.message in ("prose.is_a.none", "prose.is_a.not") and kind == "some" and e.domain.kind == "all":
        lying = _that_lies_there(context, e.domain, local, thing, clause)
        if lying is not None:
            return lying
    if fits:
        return _had_there(context, local, thing, clause) if words == ("not_any",) else clause
    if words == ("every",):
        return Sentence("prose.holds_for", {"what": thing, "condition": clause})
    whole = replace(thing, modifiers=with_clause(context, thing.modifiers, context.entities[local], clause))
    return Sentence("prose.exists", {"what": context.refine(local, whole).thing})


def _unambiguous(
    context: ProseContext,
    domain: s.Domain,
    local: Local,
    restrictions: Sequence[s.Expression],
    words: tuple[str, ...],
    asserted: s.Expression,
) -> tuple[tuple[str, ...], NounPhrase, Sentence, bool]:
    """Return a determiner, its thing, a clause about it, and whether the clause can use the determiner directly.

    *None is so* replaces *every one is not so*, and *every one is so* replaces *none is not so*.
    """
    readings = [(words, asserted)]
    if words in _OPPOSITE and domain.extreme is None:
        readings.append((_OPPOSITE[words], _denied(context, asserted)))
        # If both are denials, *it is true for every one that it is not so*.
        readings += readings[:1] if words == ("every",) else []
    for words, asserted in readings:
        thing = context.domain(domain, local, restrictions, words)
        clause, fits = _clause_of(context, local, thing, asserted)
        denied = _is_denied(clause, words, context.entities[local])
        if not denied:
            break
    return words, thing, clause, fits and not denied


def _denied(context: ProseContext, condition: s.Expression) -> s.Expression:
    """Return the opposite of a condition."""
    if not isinstance(condition, s.Negation):
        return s.Negation(condition.span, condition)
    context.log.mark_said(condition)
    return condition.operand


def _is_denied(clause: Sentence, words: tuple[str, ...], entity: Entity) -> bool:
    """Return whether a clause denies something of an entity, so that the scope of its determiner is ambiguous.

    *No card lies on every square*, *no card lies on a square* and *every square is not empty* have two readings.
    """
    things = [v for v in clause.values.values() if isinstance(v, NounPhrase) and not isinstance(v, Introduction)]
    nothing = any(thing.words[:1] == ("not_any",) for thing in things)
    if words not in _OPPOSITE:
        doer = clause.values.get("player")
        return nothing and not (isinstance(doer, Mention) and doer.entity is entity)
    message = clause.message
    denial = message.endswith(".not") and not message.startswith(("prose.", "none."))
    # Some of these are positive in some games: *every square is empty*.
    absence = message in _ABSENCES or (message.startswith("none.") and not message.endswith(".not"))
    return nothing or denial or message in _DENIALS or (absence and words == ("every",))


def _of_the_only_one(
    context: ProseContext, e: s.Quantified, local: Local, restrictions: Sequence[s.Expression], negated: bool
) -> Sentence | None:
    """Return a clause about the only value of a domain: *the prize is …*, not *there is the prize that …*; or None."""
    single = only_value(context, e.domain, local, restrictions)
    if single is None:
        return None
    thing, equation = single
    rest = [c for c in restrictions if c is not equation]
    denied = negated != (e.kind == "none")
    if e.value is not None:
        rest = [e.value] if not rest else []
    elif not rest and equation is None:
        return is_empty(context, e.domain.base, denied)
    if not rest:
        return None
    context.log.mark_said(*conjunctions(e.domain.where))
    condition = s.conjoined(rest)
    context.bind_new(local, thing).given = True
    asserted = s.Negation(condition.span, condition) if denied else condition
    return context.condition_about(context.entities[local], asserted)


def _that_lies_there(
    context: ProseContext, domain: s.Domain, local: Local, thing: NounPhrase, clause: Sentence
) -> Sentence | None:
    """Return *a card that is no joker lies on the pile*, not *a card on the pile is no joker*; None without a place."""
    match thing.modifiers:
        case (Attribute(message="prose.out_of"),):
            noun = replace(thing, modifiers=with_clause(context, (), context.entities[local], clause))
            return has_something(context, "", noun, domain.base)
    return None


def _had_there(context: ProseContext, local: Local, thing: NounPhrase, clause: Sentence) -> Sentence:
    """Move a negation to the object: *they have nothing in any place*, not *something in no place*."""
    entity, noun = context.entities[local], clause.values.get("what")
    slot = {"prose.has": "place", "prose.has_of": "kind"}.get(clause.message, "")
    where = clause.values.get(slot)
    of_each = isinstance(where, Mention) and where.entity is entity
    if not of_each or not isinstance(noun, NounPhrase) or noun.words != ("indef",):
        return clause
    context.refine(local, replace(thing, words=("any_at_all",)))
    values = {**clause.values, "what": replace(noun, words=("not_any",))}
    if slot == "kind" and not thing.modifiers and thing.head == noun.head:
        # *No good*, not *no good of any good*: the values are called like what is there.
        return Sentence("prose.has", {name: value for name, value in values.items() if name != "kind"})
    return replace(clause, values=values)


def _clause_of(
    context: ProseContext, local: Local, thing: NounPhrase, condition: s.Expression
) -> tuple[Sentence, bool]:
    """Return a clause, and whether it can use *a*, *no* or *every* with the thing directly."""
    entity: Entity = context.refine(local, thing)
    known_entities = frozenset(context.entities.values())
    clause = context.condition_about(entity, condition)
    if clause.message in ("prose.and", "prose.or", "prose.not"):
        return clause, False
    if are_contrary(thing.modifiers, described_in(clause, entity)):
        return clause, False
    if clause.message == "prose.is.not" and thing.modifiers:
        # *There is one that is not this and is not that*, not *one that is not this is not that*.
        return clause, False
    slots = [name for name, v in clause.values.items() if isinstance(v, Mention) and v.entity is entity]
    inner = mentions(clause) - known_entities
    if inner and "player" not in slots and not all(_keeps_order(thing, entity, slots, item.thing) for item in inner):
        # *Each of them lies on one of these* differs in meaning from *one of these is where each of them lies*.
        return clause, False
    # A number in a computation must be introduced before it.
    introduced = thing.words[:1] in (("every",), ("indef",), ("another",)) and entity.type.kind != "number"
    return clause, bool(slots) or (entity in mentions(clause) and introduced)


def _keeps_order(outer: NounPhrase, entity: Entity, slots: Sequence[str], inner: Amount) -> bool:
    """Return whether a clause may introduce an inner thing before the outer one that its scope lies in.

    The order of *some* and *some* is irrelevant. *Every square of a line* contains the outer thing as its whole.
    """
    if not isinstance(inner, NounPhrase) or outer.words != ("indef",):
        return False
    if inner.words == outer.words:
        return bool(slots) and entity not in mentions(inner)
    whole = tuple(v for m in inner.modifiers[:1] if m.message == "prose.of.one" for v in m.values.values())
    return inner.words == ("every",) and entity in mentions(whole)

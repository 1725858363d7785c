"""Clauses for conditions, and noun phrases for the values of a domain that meet them, independent of a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.nlg.prose.content.comparisons import (
    comparison,
    conjunction,
    has_something,
    is_empty,
    opposite,
    speaks_of,
)
from wongar_dsl.nlg.prose.content.noun_phrases import counted_noun, is_sort_of_cards, place, sort_of, term_phrase, way
from wongar_dsl.nlg.prose.content.values import constant, may_be_missing
from wongar_dsl.nlg.prose.context import Amount, NotVerbalisable, ProseContext, conjunctions, mentions
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Mention, Message, entity_of
from wongar_dsl.nlg.prose.micro.simplify import is_obvious, is_recoverable
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value

Modifier = Attribute | Relative
#: Nodes that bind names for their content.
_NAMING = s.Option | s.ChooseSimultaneously | s.ForEach | s.Quantified


def domain(
    context: ProseContext,
    domain: s.Domain,
    local: Local,
    asked: Sequence[s.Expression],
    words: tuple[str, ...],
    several: bool,
) -> NounPhrase:
    """Return an indefinite phrase for one value of a domain (or `several`) that meets the conditions.

    Raises `NotVerbalisable`.
    """
    context.note_rivals(local, asked)
    labelled = local in context.rivals
    thing = _domain(context, domain, local, asked, words, several)
    # A name with the same noun was found in the conditions after this one was introduced.
    return thing if labelled or local not in context.rivals else _domain(context, domain, local, asked, words, several)


def _domain(
    context: ProseContext,
    domain: s.Domain,
    local: Local,
    asked: Sequence[s.Expression],
    words: tuple[str, ...],
    several: bool,
) -> NounPhrase:
    kind = context.model.display_type(local)
    head = context.indefinite_term(kind, local.name)
    sorts: tuple[Modifier, ...] = ()
    if kind.kind == "cards" and (domain.kind == "kinds" or context.ref(domain.base).kind == "type"):
        head, sorts = sort_of(context, kind)
    single = only_value(context, domain, local, asked)
    if single is not None:
        # A slot holds a single card, and an equation names the only possible value.
        thing, equation = single
        return _only_one(context, domain, thing, local, [c for c in asked if c is not equation])
    one_of_them = words[:1] in (("indef",), ("not_any",), ("every",))
    others = [c for c in asked if one_of_them and context.is_another(c, local)]
    if others:
        context.log.mark_said(*others, *(node for c in others for node in s.walk(c)))
        another = ("another",) if words[:1] == ("indef",) else (*words[:1], "other")
        asked, words = [c for c in asked if c not in others], (*another, *words[1:])
    excepted = [c for c in asked if words == ("indef",) and _is_not_one(context, c, local)]
    if len(excepted) == 1 and isinstance(excepted[0], s.Compare):
        # *Another area than that one*, not *an area that is not that one*.
        asked, words = [c for c in asked if c is not excepted[0]], ("another",)
        context.log.mark_said(excepted[0], excepted[0].left)
    nobodys = {c: noun for c in asked if one_of_them and (noun := _without(context, c, local)) is not None}
    for condition, noun in nobodys.items():
        # *A free square*, not *a square that belongs to nobody*.
        asked, head = [c for c in asked if c is not condition], noun
        context.log.mark_said(*s.walk(condition))
    clockwise = domain.kind in ("from", "after") and (bool(asked) or domain.extreme is not None)
    tied = clockwise and domain.extreme is not None and words == ("def", "first")
    if tied:
        # The order decides only among equals: *who has most; in a tie, the first clockwise*.
        words = ("def",)
    # The condition for areas on the way may already mention the value.
    context.bind_new(local, NounPhrase(context.term(head), words))
    if others:
        context.entities[local].other_than = context.excluded(others[0], local)
    modifiers = (*sorts, *context.labels(local, head), *(() if clockwise else _source(context, domain)))
    if words == ("another",) and excepted and isinstance(excepted[0], s.Compare):
        modifiers = (*modifiers, Attribute("prose.other_than", {"one": context.value(excepted[0].right)}))
    if words == ("indef",) and kind.kind == "board" and domain.kind == "all" and domain.where is None:
        words = ("any",)
    # Conditions are recorded separately; here only the nodes that join them.
    context.log.mark_said(domain, domain.base, *conjunctions(domain.where))
    thing = NounPhrase(context.term(head), words, modifiers, several=several)
    context.refine(local, thing)
    if not clockwise or domain.first is None:
        return _narrowed(context, domain, thing, local, asked)
    # The conditions follow the noun; behind the start they would be about that player.
    message = f"prose.{'tied' if tied else 'counted'}_{domain.kind}"
    last = Attribute(message, {"start": context.thing(domain.first)}, last=True)
    return _narrowed(context, domain, thing, local, asked, (last,))


def only_value(
    context: ProseContext, domain: s.Domain, local: Local, asked: Sequence[s.Expression]
) -> tuple[NounPhrase, s.Expression | None] | None:
    """Return the phrase for the only possible value of a domain, and the condition that names it; or None."""
    if domain.kind != "all" or domain.extreme is not None:
        return None
    equation = next(
        (c for c in asked if _names_it(context, c, local, of_type=context.ref(domain.base).kind == "type")), None
    )
    if isinstance(equation, s.Compare):
        context.log.mark_said(domain, domain.base, equation, equation.left, equation.right, domain.where)
        _same_by_name(context, equation, local)
        return context.thing(equation.right), equation
    zone = context.model.declared.zones.get(context.ref(domain.base).name)
    if zone is None or not zone.traits.single:
        return None
    context.log.mark_said(domain, domain.where)
    return place(context, domain.base), None


def _source(context: ProseContext, domain: s.Domain) -> tuple[Modifier, ...]:
    """Return the modifiers for the origin of a domain's values."""
    first, second = domain.first, domain.second
    match domain.kind:
        case "all" | "kinds":
            context.log.mark_said(first)
            base = context.ref(domain.base)
            if context.ref(domain.base).kind == "type":
                return ()
            if base.kind == "direction":
                # The board of the directions is clear from their targets.
                context.log.omit(domain.base, "said", "")
                return ()
            if base.kind in ("zone", "slot_card", "laid", "token_count"):
                from_ = "lying" if context.model.declared.zones[base.name].traits.spread else "out_of"
                return (Attribute(f"prose.{from_}", {"place": place(context, domain.base)}),)
            base_value = context.value(domain.base)
            if base.kind == "coverings" and isinstance(base_value, NounPhrase):
                # A covering of an area, not a covering of coverings.
                return base_value.modifiers
            return (Attribute(Message.OF_ONE, {"owner": base_value}),)
        case "span" if first is not None:
            name = Message.SPAN if constant(context, first) is None else "prose.span_number"
            return (Attribute(name, {"low": context.value(domain.base), "high": context.value(first)}),)
        case "touching" if first is not None:
            return (Relative(Message.TOUCHES, "area", {"other": context.thing(first)}),)
        case "within" if first is not None and second is not None:
            n, other = context.value(first), context.thing(second)
            # A place is not within any distance of itself.
            message, steps = (Message.TOUCHES, dict[str, Value]()) if n == 1 else (Message.WITHIN, {"n": n})
            return (Relative(message, "area", {**steps, "other": other}),)
        case "from" | "after" if first is not None:
            return (Attribute(f"prose.clockwise_{domain.kind}", {"start": context.thing(first)}),)
        case "along" if first is not None and second is not None:
            course: dict[str, Value] = {"way": way(context, domain), "start": context.thing(second)}
            return (Attribute("prose.along", course), *_on_the_way(context, domain))
        case "reached" if first is not None:
            return (Attribute("prose.reached", {"start": context.thing(first)}), *_on_the_way(context, domain))
        case "lines" if first is not None:
            return (Attribute("prose.line_of", {"what": _areas(context, domain, first)}), *_line_ways(context, domain))
        case "through" if first is not None:
            lines: dict[str, Value] = {"what": _areas(context, domain, first), "area": context.thing(domain.base)}
            return (Attribute("prose.line_through", lines), *_line_ways(context, domain))
    raise NotVerbalisable(domain)


def _areas(context: ProseContext, domain: s.Domain, number: s.Expression) -> NounPhrase:
    """Return the phrase for a number of areas, as the length of a line."""
    return counted_noun(NounPhrase(context.term(context.kind(domain.base).name)), context.value(number))


#: The directions of lines on squares by name: vertical, horizontal, and both diagonals.
_LINE_WAYS: Mapping[str, frozenset[int]] = {
    "across": frozenset({2}), "up": frozenset({0}), "diagonal": frozenset({1, 3}),
}  # fmt: skip


def _line_ways(context: ProseContext, domain: s.Domain) -> tuple[Modifier, ...]:
    """Return the modifiers for the directions of straight lines that fit on the board."""
    length = constant(context, domain.first) if domain.first is not None else None
    name = context.kind(domain.base).name
    graph = context.model.boards.get(name)
    if graph is None or length is None or length < 2:
        return ()
    context.log.depends_on(domain, *(a for a in context.model.merged.articles if s.key_of(a) == ("board", name)))
    directions = graph.line_directions(length)
    if graph.directions == SQUARE:
        called = tuple(Sentence(f"prose.line.{name}") for name, numbers in _LINE_WAYS.items() if numbers & directions)
        return (Attribute("prose.line_ways", {"ways": Listing(called)}),) if called else ()
    return (Attribute("prose.line_ways_hexagon", {"n": len(directions)}),) if len(directions) > 1 else ()


def _on_the_way(context: ProseContext, domain: s.Domain) -> tuple[Modifier, ...]:
    """Return the modifiers for a condition on every area of a path."""
    if domain.through is None:
        return ()
    return (Attribute("prose.on_the_way", {"condition": context.condition(domain.through)}),)


def _only_one(
    context: ProseContext, domain: s.Domain, thing: NounPhrase, local: Local, asked: Sequence[s.Expression]
) -> NounPhrase:
    """Return the only value of a domain as a known thing, under its own name."""
    entity = context.bind_new(local, thing)
    if asked or isinstance(thing, Mention):
        return _narrowed(context, domain, thing, local, asked)
    entity.given = True
    return thing


def _narrowed(
    context: ProseContext,
    domain: s.Domain,
    thing: NounPhrase,
    local: Local,
    asked: Sequence[s.Expression],
    last: tuple[Modifier, ...] = (),
) -> NounPhrase:
    """Return a phrase with relative clauses for all conditions, and modifiers that are `last`."""
    entity = context.entities[local]
    modifiers = thing.modifiers
    for condition in asked:
        modifiers = with_clause(context, modifiers, entity, context.condition_about(entity, condition))
    if domain.extreme is not None and domain.measure is not None:
        excludes = not {"another", "other"}.isdisjoint(thing.words)
        among = excludes or any(isinstance(modifier, Relative) for modifier in modifiers)
        custom = _own_extreme(context, entity, f"{domain.extreme}_of" if among else domain.extreme, domain.measure)
        superlative = custom or extreme_of(context, entity, domain.extreme, context.value(domain.measure))
        if among and custom is None:
            # *Of the other players, the one with the fewest points* need not have the fewest of all.
            last = _compared_among(NounPhrase(thing.head, several=True), last)
        modifiers = (*modifiers, superlative)
    narrowed = replace(thing, modifiers=(*modifiers, *last))
    if isinstance(narrowed, Mention):
        return narrowed
    entity.thing = Introduction.of(entity, narrowed)
    return entity.thing


def _compared_among(those: NounPhrase, last: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the modifiers that say what a superlative compares, together with how a tie is broken."""
    match last:
        case (Attribute(message=Message.TIED_FROM | Message.TIED_AFTER as message, values=values),):
            return (Attribute(f"{message}.compared", {**values, "those": those}, last=True),)
    return (*last, Attribute("prose.compared_among", {"those": those}, last=True))


def without_tie(modifiers: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the modifiers of a player without the start of the order in which a tie is broken."""
    compared = (m for m in modifiers if m.message == Message.TIED_FROM_COMPARED)
    rest = tuple(m for m in modifiers if not m.message.startswith(Message.TIED_FROM))
    return (*rest, *(Attribute("prose.compared_among", {"those": m.values["those"]}, last=True) for m in compared))


def _own_extreme(context: ProseContext, entity: Entity, extreme: str, measure: s.Expression) -> Relative | None:
    """Return the game's own relative clause for the greatest or least value, or None.

    The message `most_of` or `fewest_of` is about the greatest or least among those that meet further conditions.
    """
    ref = context.ref(measure)
    if not context.has_message(f"{extreme}.{ref.name}"):
        return None
    context.log.mark_said(measure)
    owners = tuple(s.operands(measure))
    return _relative(context, entity, context.game_sentence(f"{extreme}.{ref.name}", context.slots(owners)))


def extreme_of(context: ProseContext, entity: Entity, extreme: str, measure: Value) -> Relative:
    """Return the relative clause for a superlative: *who has the most cards*, or *whose number is greatest*."""
    match measure:
        case NounPhrase(modifiers=[Attribute(message=Message.OF_ALL_IN, values={"what": what, "place": where})]):
            if (theirs := _possession(what, entity)) is not None:
                return Relative(f"prose.has_{extreme}", "player", {"what": theirs, "place": where})
            if (own_place := _possession(where, entity)) is not None and not own_place.modifiers:
                own_words = f"{extreme}.{own_place.head.name.removesuffix('.place')}"
                if context.has_message(own_words):
                    return Relative(own_words, "player", {"what": what})
                own_place = replace(own_place, own=True)
                return Relative(f"prose.has_{extreme}", "player", {"what": what, "place": own_place})
    # The clause is about the owner, so the owner is omitted.
    theirs = _possession(measure, entity)
    return Relative(f"prose.with_{extreme}", "who", {"measure": measure if theirs is None else theirs})


def _possession(value: Value, entity: Entity) -> NounPhrase | None:
    """Return the phrase for a possession of an entity without the owner; None for anything else."""
    match value:
        case NounPhrase(modifiers=[*others, Attribute(message=Message.OF_OWNER, values={"owner": owner})]):
            return replace(value, modifiers=tuple(others)) if entity_of(owner) is entity else None
    return None


def with_clause(
    context: ProseContext, modifiers: tuple[Modifier, ...], entity: Entity, clause: Sentence
) -> tuple[Modifier, ...]:
    """Return the modifiers of an entity with a clause about it.

    What describes the entity within the clause describes the noun: *a side of the area on which nothing lies*.
    A clause that describes it otherwise than the one before remains a sentence of its own.
    """
    described = described_in(clause, entity)
    if are_contrary(modifiers, described):
        return (*modifiers, _holding(clause))
    before = tuple(m for m in modifiers if isinstance(m, Attribute))
    clauses = tuple(m for m in modifiers if m not in before)
    new = _relative(context, entity, clause)
    match clauses:
        case (*others, Relative(message=message, values={"condition": Sentence() as held}) as long) if (
            message == Message.HOLDS_FOR
        ):
            if new.message == Message.HOLDS_FOR:
                clauses, new = tuple(others), _holding(conjunction("and", [held, clause]))
            elif (mentions(clause) - {entity}).isdisjoint(mentions(held)):
                # A long clause comes last, since what follows would seem to belong to it.
                clauses, new = (*others, new), long
    return (*before, *(m for m in described if m not in before), *clauses, new)


def described_in(clause: Sentence, entity: Entity) -> tuple[Modifier, ...]:
    """Return the modifiers of the phrase for an entity in a clause about it."""
    slot = _slot_of(clause, entity)
    noun = clause.values[slot] if slot is not None else None
    return noun.modifiers if isinstance(noun, Mention) else ()


def are_contrary(modifiers: Sequence[Modifier], others: Sequence[Modifier]) -> bool:
    """Return whether a thing is described twice by one message with different values."""
    messages = {m.message for m in others}
    return any(m.message in messages and m not in others for m in modifiers)


def _relative(context: ProseContext, entity: Entity, clause: Sentence) -> Relative:
    """Return a clause as a relative clause about an entity."""
    slot = _slot_of(clause, entity)
    of_kind = clause.message.startswith(Message.IS_OF_KIND) and slot == "kind"
    if slot is None or of_kind or context.words.is_compared(clause.message, slot, context.model.scope):
        # A relative clause would have nothing to stand for its thing: *a player than whom no player has more points*.
        return _holding(clause)
    if slot == "kind" and clause.message == Message.IS_A:  # *that is the goal*, not *that the goal is*
        return Relative(Message.IS, "what", {"other": clause.values["what"]})
    return Relative(clause.message, slot, {name: v for name, v in clause.values.items() if name != slot})


def _holding(clause: Sentence) -> Relative:
    return Relative(Message.HOLDS_FOR, "what", {"condition": clause}, long=True)


def _slot_of(clause: Sentence, entity: Entity) -> str | None:
    """Return the slot of a clause that an entity fills, or None."""
    return next((name for name, v in clause.values.items() if entity_of(v) is entity), None)


def _names_it(context: ProseContext, condition: s.Expression, local: Local, *, of_type: bool) -> bool:
    """Return whether a condition equates a name with a specific value.

    A card of a kind is a specific one only among the values `of_type`: a place can hold several copies of it.
    """
    match condition:
        case s.Compare(operator="=", left=s.Name() as one, right=other):
            ref, right = context.ref(one), context.ref(other)
            is_card = right.kind == "face" or (right.kind != "unknown" and context.kind(other).kind == "cards")
            named = right.kind == "local" and not is_sort_of_cards(context, other)
            unique = named and not context.compares_kinds(one, other)
            copies = right.kind == "facekind" or (is_card and not unique and not of_type)
            return ref.local is local and not copies and not speaks_of(context, other, local)
    return False


def _same_by_name(context: ProseContext, asked: s.Compare, local: Local) -> None:
    """Record that two names with the same referent are interchangeable, as long as neither is assigned."""
    other_local = context.ref(asked.right).local
    within = [n for n in s.walk(context.inside) if isinstance(n, _NAMING) and any(p is asked for p in s.walk(n))]
    if other_local is None or not within:
        return
    named = {node: context.ref(node).local for node in s.walk(context.inside)}
    if any(isinstance(n, s.Assign) and named.get(n.target) in (local, other_local) for n in s.walk(context.inside)):
        return
    for node in s.walk(within[-1]):
        if node not in (asked.left, asked.right) and (named_local := named.get(node)) in (local, other_local):
            context.log.aliases.setdefault(node, {})[other_local.name if named_local is local else local.name] = None


def is_certain(context: ProseContext, domain: s.Domain, local: Local) -> bool:
    """Return whether a domain only gives a known value another name, so that it certainly has one."""
    named = domain.where is not None and _names_it(context, domain.where, local, of_type=True)
    return named and domain.kind == "all" and context.ref(domain.base).kind == "type"


def _is_not_one(context: ProseContext, condition: s.Expression, local: Local) -> bool:
    """Return whether a condition excludes one named value."""
    match condition:
        case s.Compare(operator="!=", left=s.Name() as one, right=s.Name() as other):
            is_constant = context.ref(other).kind == "value" and context.kind(other).kind in ("enum", "board")
            return is_constant and context.ref(one).local is local
    return False


def _without(context: ProseContext, condition: s.Expression, local: Local) -> str | None:
    """Return the game's noun for a thing without an owner or value, if a condition requires that."""
    match condition:
        case s.Compare(operator="=", left=s.Of(name=name, owner=s.Name() as one), right=s.Nobody()):
            concerns_local = context.ref(one).local is local
            return f"{name}.none" if concerns_local and context.has_term(f"{name}.none") else None
    return None


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
    if clause.message == Message.OR:
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
        case s.Name() | s.Called() | s.Indexed() | s.Of() if ref.kind != "unknown":
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
        case Sentence(message=Message.AND | Message.OR, values={"all": Listing(items=items)}):
            restated = (*items[:-1], _asked_again(items[-1]))
            if restated[-1] is not items[-1] and len(restated) > 2:
                # *If a and b, and if c or d*.
                restated = (Sentence(clause.message, {"all": Listing(restated[:-1])}), restated[-1])
            return Sentence(clause.message, {"all": Listing(restated)})
    return clause


def _asked_again(item: Value) -> Value:
    match item:
        case Sentence(message=Message.IN_BRACKETS | Message.BOTH, values={"condition": Sentence() as inner}):
            return Sentence("prose.asked_again", {"condition": restate(inner)})
    return item


def _stated(context: ProseContext, e: s.Name | s.Called | s.Indexed | s.Of, ref: Ref, negated: bool) -> Sentence:
    """Return the clause for a definition or a stored truth value."""
    owners = tuple(s.operands(e))
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
        return Sentence(Message.EXISTS, {"what": context.domain(e.domain, local, restrictions, words)})
    else:
        asserted = restrictions.pop()
    if kind == "none" and isinstance(asserted, s.Negation):
        # *There is none for which it is not so* would be a double negation.
        words, asserted = ("every",), _denied(context, asserted)
    words, thing, clause, fits = _unambiguous(context, e.domain, local, restrictions, words, asserted)
    if clause.message in (Message.IS_A_NONE, Message.IS_A_NOT) and kind == "some" and e.domain.kind == "all":
        lying = _that_lies_there(context, e.domain, local, thing, clause)
        if lying is not None:
            return lying
    if fits:
        return _had_there(context, local, thing, clause) if words == ("not_any",) else clause
    if words == ("every",):
        return Sentence(Message.HOLDS_FOR, {"what": thing, "condition": clause})
    whole = replace(thing, modifiers=with_clause(context, thing.modifiers, context.entities[local], clause))
    return Sentence(Message.EXISTS, {"what": context.refine(local, whole).thing})


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
        return nothing and entity_of(clause.values.get("player")) is not entity
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
        case (Attribute(message=Message.OUT_OF),):
            noun = replace(thing, modifiers=with_clause(context, (), context.entities[local], clause))
            return has_something(context, "", noun, domain.base)
    return None


def _had_there(context: ProseContext, local: Local, thing: NounPhrase, clause: Sentence) -> Sentence:
    """Move a negation to the object: *they have nothing in any place*, not *something in no place*."""
    entity, noun = context.entities[local], clause.values.get("what")
    slot = {Message.HAS: "place", "prose.has_of": "kind"}.get(clause.message, "")
    of_each = entity_of(clause.values.get(slot)) is entity
    if not of_each or not isinstance(noun, NounPhrase) or noun.words != ("indef",):
        return clause
    context.refine(local, replace(thing, words=("any_at_all",)))
    values = {**clause.values, "what": replace(noun, words=("not_any",))}
    if slot == "kind" and not thing.modifiers and thing.head == noun.head:
        # *No good*, not *no good of any good*: the values are called like what is there.
        return Sentence(Message.HAS, {name: value for name, value in values.items() if name != "kind"})
    return replace(clause, values=values)


def _clause_of(
    context: ProseContext, local: Local, thing: NounPhrase, condition: s.Expression
) -> tuple[Sentence, bool]:
    """Return a clause, and whether it can use *a*, *no* or *every* with the thing directly."""
    entity: Entity = context.refine(local, thing)
    known_entities = frozenset(context.entities.values())
    clause = context.condition_about(entity, condition)
    if clause.message in (Message.AND, Message.OR, Message.NOT):
        return clause, False
    if are_contrary(thing.modifiers, described_in(clause, entity)):
        return clause, False
    if clause.message == Message.IS_NOT and thing.modifiers:
        # *There is one that is not this and is not that*, not *one that is not this is not that*.
        return clause, False
    slots = [name for name, v in clause.values.items() if entity_of(v) is entity]
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
    whole = tuple(v for m in inner.modifiers[:1] if m.message == Message.OF_ONE for v in m.values.values())
    return inner.words == ("every",) and entity in mentions(whole)

"""Noun phrases for the values of a domain that meet some conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.nlg.prose.content.comparisons import conjunction, speaks_of
from wongar_dsl.nlg.prose.content.noun_phrases import counted_noun, is_sort_of_cards, place, sort_of, way
from wongar_dsl.nlg.prose.content.static_values import constant
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, conjunctions, mentions
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Mention
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value

Modifier = Attribute | Relative
#: Message of a relative clause with a whole condition inside it: *for which it is true that …*.
HOLDS = "prose.holds_for"
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
    if kind.kind == "cards" and (domain.kind == "kinds" or _is_type(context, domain.base)):
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
    last = _counted_clockwise(context, domain, tied) if clockwise else ()
    return _narrowed(context, domain, thing, local, asked, last)


def _counted_clockwise(context: ProseContext, domain: s.Domain, tied: bool) -> tuple[Modifier, ...]:
    """Return the order of players whose conditions follow the noun; behind `start` they would be about that player."""
    assert domain.first is not None
    message = f"prose.{'tied' if tied else 'counted'}_{domain.kind}"
    return (Attribute(message, {"start": context.thing(domain.first)}, last=True),)


def only_value(
    context: ProseContext, domain: s.Domain, local: Local, asked: Sequence[s.Expression]
) -> tuple[NounPhrase, s.Expression | None] | None:
    """Return the phrase for the only possible value of a domain, and the condition that names it; or None."""
    if domain.kind != "all" or domain.extreme is not None:
        return None
    equation = next((c for c in asked if _names_it(context, c, local, of_type=_is_type(context, domain.base))), None)
    if isinstance(equation, s.Compare):
        context.log.mark_said(domain, domain.base, equation, equation.left, equation.right, domain.where)
        _same_by_name(context, equation, local)
        return context.thing(equation.right), equation
    source = context.ref(domain.base)
    zone = context.model.declared.zones.get(source.name) if source is not None else None
    if zone is None or zone.kind != "slot":
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
            if _is_type(context, domain.base):
                return ()
            if base is not None and base.kind == "direction":
                # The board of the directions is clear from their targets.
                context.log.omit(domain.base, "said", "")
                return ()
            if base is not None and base.kind in ("zone", "slot", "laid", "tokens"):
                declared = context.model.declared.zones[base.name]
                from_ = "lying" if declared.kind == "layout" else "out_of"
                return (Attribute(f"prose.{from_}", {"place": place(context, domain.base)}),)
            base_value = context.value(domain.base)
            if base is not None and base.kind == "coverings" and isinstance(base_value, NounPhrase):
                # A covering of an area, not a covering of coverings.
                return base_value.modifiers
            return (Attribute("prose.of.one", {"owner": base_value}),)
        case "span" if first is not None:
            name = "prose.span" if constant(context, first) is None else "prose.span_number"
            return (Attribute(name, {"low": context.value(domain.base), "high": context.value(first)}),)
        case "touching" if first is not None:
            return (Relative("prose.touches", "area", {"other": context.thing(first)}),)
        case "within" if first is not None and second is not None:
            n, other = context.value(first), context.thing(second)
            # A place is not within any distance of itself.
            message, steps = ("prose.touches", dict[str, Value]()) if n == 1 else ("prose.within", {"n": n})
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
        case (Attribute(message="prose.tied_from" | "prose.tied_after" as message, values=values),):
            return (Attribute(f"{message}.compared", {**values, "those": those}, last=True),)
    return (*last, Attribute("prose.compared_among", {"those": those}, last=True))


def without_tie(modifiers: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the modifiers of a player without the start of the order in which a tie is broken."""
    compared = (m for m in modifiers if m.message == "prose.tied_from.compared")
    rest = tuple(m for m in modifiers if not m.message.startswith("prose.tied_from"))
    return (*rest, *(Attribute("prose.compared_among", {"those": m.values["those"]}, last=True) for m in compared))


def _own_extreme(context: ProseContext, entity: Entity, extreme: str, measure: s.Expression) -> Relative | None:
    """Return the game's own relative clause for the greatest or least value, or None.

    The message `most_of` or `fewest_of` is about the greatest or least among those that meet further conditions.
    """
    ref = context.ref(measure)
    if ref is None or not context.has_message(f"{extreme}.{ref.name}"):
        return None
    context.log.mark_said(measure)
    owners = measure.arguments if isinstance(measure, s.Called) else s.index_nodes(measure)
    return _relative(context, entity, context.game_sentence(f"{extreme}.{ref.name}", context.slots(owners)))


def extreme_of(context: ProseContext, entity: Entity, extreme: str, measure: Value) -> Relative:
    """Return the relative clause for a superlative: *who has the most cards*, or *whose number is greatest*."""
    match measure:
        case NounPhrase(
            modifiers=[Attribute(message="prose.of_all_in", values={"what": what, "place": NounPhrase() as where})]
        ):
            match what:
                case NounPhrase(
                    modifiers=[*others, Attribute(message="prose.of.owner", values={"owner": Mention(entity=owner)})]
                ) if owner is entity:
                    theirs = replace(what, modifiers=tuple(others))
                    return Relative(f"prose.has_{extreme}", "player", {"what": theirs, "place": where})
            match where.modifiers:
                case [Attribute(message="prose.of.owner", values={"owner": Mention(entity=owner)})] if owner is entity:
                    own_words = f"{extreme}.{where.head.name.removesuffix('.place')}"
                    if context.has_message(own_words):
                        return Relative(own_words, "player", {"what": what})
                    own_place = replace(where, own=True, modifiers=())
                    return Relative(f"prose.has_{extreme}", "player", {"what": what, "place": own_place})
    match measure:
        case NounPhrase(
            modifiers=[*others, Attribute(message="prose.of.owner", values={"owner": Mention(entity=owner)})]
        ) if owner is entity:
            # The clause is about the owner, so the owner is omitted.
            measure = replace(measure, modifiers=tuple(others))
    return Relative(f"prose.with_{extreme}", "who", {"measure": measure})


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
        case (*others, Relative(message=message, values={"condition": Sentence() as held}) as long) if message == HOLDS:
            if new.message == HOLDS:
                both = conjunction("and", [held, clause])
                clauses, new = tuple(others), _holding(both)
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
    of_kind = clause.message.startswith("prose.is_of_kind") and slot == "kind"
    if slot is None or of_kind or context.words.is_compared(clause.message, slot, context.model.scope):
        # A relative clause would have nothing to stand for its thing: *a player than whom no player has more points*.
        return _holding(clause)
    if slot == "kind" and clause.message == "prose.is_a":  # *that is the goal*, not *that the goal is*
        return Relative("prose.is", "what", {"other": clause.values["what"]})
    return Relative(clause.message, slot, {name: v for name, v in clause.values.items() if name != slot})


def _holding(clause: Sentence) -> Relative:
    return Relative(HOLDS, "what", {"condition": clause}, long=True)


def _slot_of(clause: Sentence, entity: Entity) -> str | None:
    """Return the slot of a clause that an entity fills, or None."""
    return next((name for name, v in clause.values.items() if isinstance(v, Mention) and v.entity is entity), None)


def _names_it(context: ProseContext, condition: s.Expression, local: Local, *, of_type: bool) -> bool:
    """Return whether a condition equates a name with a specific value.

    A card of a kind is a specific one only among the values `of_type`: a place can hold several copies of it.
    """
    match condition:
        case s.Compare(operator="=", left=s.Name() as one, right=other):
            ref, right = context.ref(one), context.ref(other)
            is_card = right is not None and (right.kind == "face" or context.kind(other).kind == "cards")
            named = right is not None and right.kind == "local" and not is_sort_of_cards(context, other)
            unique = named and not context.compares_kinds(one, other)
            copies = right is not None and (right.kind == "facekind" or (is_card and not unique and not of_type))
            return ref is not None and ref.local is local and not copies and not speaks_of(context, other, local)
    return False


def _same_by_name(context: ProseContext, asked: s.Compare, local: Local) -> None:
    """Record that two names with the same referent are interchangeable, as long as neither is assigned."""
    ref = context.ref(asked.right)
    other_local = ref.local if ref is not None else None
    within = [n for n in s.walk(context.inside) if isinstance(n, _NAMING) and any(p is asked for p in s.walk(n))]
    if other_local is None or not within:
        return
    named = {node: named_ref.local for node in s.walk(context.inside) if (named_ref := context.ref(node)) is not None}
    if any(isinstance(n, s.Assign) and named.get(n.target) in (local, other_local) for n in s.walk(context.inside)):
        return
    for node in s.walk(within[-1]):
        if node not in (asked.left, asked.right) and (named_local := named.get(node)) in (local, other_local):
            context.log.aliases.setdefault(node, {})[other_local.name if named_local is local else local.name] = None


def is_certain(context: ProseContext, domain: s.Domain, local: Local) -> bool:
    """Return whether a domain only gives a known value another name, so that it certainly has one."""
    named = domain.where is not None and _names_it(context, domain.where, local, of_type=True)
    return named and domain.kind == "all" and _is_type(context, domain.base)


def _is_not_one(context: ProseContext, condition: s.Expression, local: Local) -> bool:
    """Return whether a condition excludes one named value."""
    match condition:
        case s.Compare(operator="!=", left=s.Name() as one, right=s.Name() as other):
            left, right = context.ref(one), context.ref(other)
            is_constant = right is not None and right.kind == "value" and context.kind(other).kind in ("enum", "board")
            return is_constant and left is not None and left.local is local
    return False


def _without(context: ProseContext, condition: s.Expression, local: Local) -> str | None:
    """Return the game's noun for a thing without an owner or value, if a condition requires that."""
    match condition:
        case s.Compare(operator="=", left=s.Of(name=name, owner=s.Name() as one), right=s.Nobody()):
            ref = context.ref(one)
            concerns_local = ref is not None and ref.local is local
            return f"{name}.none" if concerns_local and context.has_term(f"{name}.none") else None
    return None


def _is_type(context: ProseContext, e: s.Expression) -> bool:
    """Return whether an expression names a whole type."""
    ref = context.ref(e)
    return ref is not None and ref.kind == "type"

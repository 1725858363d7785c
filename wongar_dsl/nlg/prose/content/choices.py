"""Sentence plans for choices: options, and selections from several things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import ends_block
from wongar_dsl.language.semantics import Local
from wongar_dsl.nlg.prose.content.comparisons import conjunction, speaks_of
from wongar_dsl.nlg.prose.content.conditions import is_certain
from wongar_dsl.nlg.prose.content.values import (
    first_effects,
    fold,
    guard_implied_by_move,
    is_narration_only,
    is_unreachable,
)
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, conjunctions, mentions, parts
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Mention,
    Message,
    Passage,
    Plan,
    PlanGroup,
    PlanLine,
    VerbatimRule,
    entity_of,
)
from wongar_dsl.nlg.prose.micro.simplify import from_origin
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value

#: A choice of one player, or of several simultaneously.
Choosing = s.Choose | s.ChooseSimultaneously


def choice(context: ProseContext, statement: s.Choose) -> tuple[Plan, ...]:
    """Plan a player's choice between options, or a selection."""
    chooser = context.thing(statement.chooser)
    declining = [
        c for c in statement.options if not c.parameters and c.condition is None and _only_narrates(context, c.body)
    ]
    declining = declining if len(declining) == 1 and len(statement.options) > 1 else []
    offered = [c for c in _possible(context, statement) if c not in declining]
    for option in declining:
        context.log.omit(option, "implied", "declining is what one may do")
    if len(offered) == 1 and (not statement.clock or context.has_message(own_sentence(statement, offered[0]))):
        plans = _only(context, statement, offered[0], chooser, bool(declining))
    else:
        parts = tuple(_option_or_text(context, statement, option, chooser) for option in offered)
        lead = Sentence("prose.may_list" if declining else "prose.must_list", {"player": chooser})
        plans = (PlanGroup(lead, parts, statement, options=True),)
    clock = _clock(context, statement.name, statement.clock)
    otherwise = _otherwise(context, statement)
    if len(offered) == 1 and plans and isinstance(plans[0], PlanLine) and describes_action_of(plans[0], chooser):
        # The fallback for no legal option must not separate the choice from its consequences.
        plans, otherwise = _with_fallback(context, statement, plans[0], plans[1:], otherwise), ()
    freshly = (PlanLine(Sentence("prose.freshly"), statement, plain=False),) if statement.acyclic else ()
    return (*plans, *clock, *otherwise, *freshly)


def simultaneous_choice(context: ProseContext, statement: s.ChooseSimultaneously) -> tuple[Plan, ...]:
    """Plan a choice that several players make simultaneously."""
    local, domain = context.model.locals[statement.variable], statement.domain
    by_time = statement.clock is not None
    order: tuple[Plan, ...] = ()
    if domain.kind in ("from", "after") and domain.first is not None:
        # The order in which simultaneous choices take effect.
        start: dict[str, Value] = {"start": context.thing(domain.first)}
        context.log.mark_said(domain, domain.base, domain.where)
        first = f"prose.{'equally_quick' if by_time else 'carried_out'}_{domain.kind}"
        order = (PlanLine(Sentence(first, start), domain, plain=False),)
        domain = replace(domain, kind="all", first=None)
    choosers = context.domain(domain, local, s.conjuncts(domain.where), ("every",))
    context.refine(local, choosers)
    chooser = context.mention(local)
    assert isinstance(chooser, NounPhrase)
    parts = tuple(_option_or_text(context, statement, option, chooser) for option in _possible(context, statement))
    if not choosers.modifiers:
        context.address(context.entities[local])
    together = "prose.together_by_time" if by_time else "prose.together"
    clock = _clock(context, statement.name, statement.clock)
    match parts:
        case (PlanLine(sentence=Sentence(values={"deed": deed, **limit}), others=others),):
            # *Secretly and at the same time, everybody does so*, for a single option.
            said = Sentence(f"{together}_line", {"then": deed})
            if limit:
                said = Sentence("prose.only_if", {"deed": said, **limit})
            return (PlanLine(said, statement, plain=False, others=others), *order, *clock)
    lead = Sentence(together, {"player": chooser})
    return (PlanGroup(lead, parts, statement, options=True), *order, *clock)


def _possible(context: ProseContext, statement: Choosing) -> list[s.Option]:
    """Return the options of a choice, without those whose condition fails in every game; all if nothing remains."""
    never = [c for c in statement.options if any(fold(context, part) == 0 for part in s.conjuncts(c.condition))]
    if len(never) == len(statement.options):
        return never
    for option in never:
        context.log.omit(option, "folded", "nobody comes there")
    return [option for option in statement.options if option not in never]


def _clock(context: ProseContext, name: s.Word | None, clock: s.Clock | None) -> tuple[Plan, ...]:
    """Plan the sentence about the time limit; a game can override it as `clock.<name>`."""
    if clock is None:
        return ()
    context.log.mark_said(clock)
    values: dict[str, Value] = {}
    if clock.start is not None:
        values["start"] = context.value(clock.start)
    if clock.end is not None:
        values["end"] = context.value(clock.end)
    custom = f"clock.{name.text}" if name is not None else ""
    if context.has_message(custom):
        return (PlanLine(context.game_sentence(custom, values), clock),)
    message = "prose.clock" + "".join(f"_{slot}" for slot in values)
    return (PlanLine(Sentence(message, values), clock, plain=False),)


def _otherwise(context: ProseContext, statement: s.Choose) -> tuple[Plan, ...]:
    """Plan the fallback if nothing can be chosen, unless it does nothing."""
    body = statement.otherwise
    if body is None:
        return ()
    if is_unreachable(body):
        context.log.omit(body, "folded", "nobody comes there")
        return ()
    has_rule = any(isinstance(n, s.Tell) and context.has_message(f"{n.message.name}.rule") for n in body)
    if _only_narrates(context, body) and not has_rule:
        context.log.omit(body, "news", "it only says that nothing can be chosen")
        return ()
    lead = "prose.if_none" if len(statement.options) > 1 else "prose.if_not_possible"
    plans = context.body(body)
    return (under_lead(Sentence(lead), plans, statement),) if plans else ()


def _with_fallback(
    context: ProseContext, statement: s.Choose, first: PlanLine, then: tuple[Plan, ...], otherwise: tuple[Plan, ...]
) -> tuple[Plan, ...]:
    """Plan a single option with its fallback: the consequences form a group, so that they do not follow the fallback.

    A fallback that is said to end the block precedes the consequences in one list, but not the limit of the option.
    """
    if not then or not otherwise or _is_limit(then[-1]):
        return (first, *then, *otherwise)
    body = statement.otherwise or ()
    ends = any(ends_block(node) and context.exits.get(node) != "last" for node in body)
    if ends or (_only_narrates(context, body) and _is_last(context, statement)):
        limit, done = (then[:1], then[1:]) if _is_limit(then[0]) else ((), then)
        return (first, *limit, *otherwise, *done)
    return (PlanGroup(first.sentence, then, first.origin), *otherwise)


def _is_limit(plan: Plan) -> bool:
    """Return whether a plan restricts the choice before it."""
    return isinstance(plan, PlanLine) and plan.sentence.message == Message.ALLOWED_IF


def _is_last(context: ProseContext, statement: s.Statement) -> bool:
    """Return whether a statement is the last one of its block."""
    procedures = (article for article in context.inside if isinstance(article, s.Procedure))
    blocks = (block for procedure in procedures for block in s.all_blocks(procedure.body))
    return any(block[-1] is statement for block in blocks)


def _only_narrates(context: ProseContext, body: s.Block) -> bool:
    """Return whether a block only emits messages, which show nothing hidden."""
    return is_narration_only(body) and context.facts.revealed.isdisjoint(s.walk(body))


def under_lead(lead: Sentence, parts: tuple[Plan, ...], origin: s.Node) -> Plan:
    """Combine parts with a lead: a single clause directly after it, or several lines below its message with `_all`."""
    if len(parts) == 1 and isinstance(parts[0], PlanLine) and parts[0].plain:
        only = parts[0]
        said = replace(lead, values={**lead.values, "then": only.sentence})
        return PlanLine(said, origin, plain=False, others=(only.origin, *only.others))
    if len(parts) == 1 and isinstance(parts[0], PlanGroup) and parts[0].options and "then" not in parts[0].lead.values:
        # *Otherwise the player chooses one of the following*, instead of a nested list. A clause with a lead takes no
        # other one: *zweimal wenn …, darf er*.
        whole = replace(lead, values={**lead.values, "then": parts[0].lead})
        return PlanGroup(whole, parts[0].parts, origin, options=True)
    return PlanGroup(Sentence(f"{lead.message}_all", lead.values), parts, origin)


def _only(
    context: ProseContext, statement: s.Choose, option: s.Option, chooser: NounPhrase, may: bool
) -> tuple[Plan, ...]:
    """Plan a single option: mandatory, or optional (`may`)."""
    chosen, done, conditions, limits = option_plan(context, statement, option, chooser)
    plans = (*chosen, *done)
    if limits:
        limit = PlanLine(Sentence(Message.ALLOWED_IF, {"condition": conjunction("and", limits)}), option, plain=False)
        plans = (*plans[:1], limit, *plans[1:])
    if may:
        first = plans[0] if plans else VerbatimRule(option)
        if isinstance(first, PlanLine) and describes_action_of(first, chooser):
            allowed = Sentence("prose.may", {"player": chooser, "deed": first.sentence})
            match plans[1:]:
                case (PlanLine(sentence=then, plain=True) as after,):
                    # *They may do so; if so, somebody answers*, instead of a list with one line.
                    said = Sentence("prose.may_then", {**allowed.values, "then": then})
                    plans = (PlanLine(said, option, others=(first.origin, *first.others, after.origin, *after.others)),)
                case ():
                    plans = (replace(first, sentence=allowed),)
                case rest:
                    plans = (PlanGroup(allowed, rest, option),)
        else:
            named = Sentence("prose.may", {"player": chooser, "deed": _title(context, option)})
            plans = (PlanGroup(named, plans, option),)
    if not conditions:
        return plans
    return (under_lead(Sentence(Message.IF, {"condition": _all(context, conditions, ())}), plans, option),)


def as_written(context: ProseContext, statement: s.Statement, missing: NotVerbalisable) -> tuple[Plan, ...]:
    """Quote a statement that cannot be verbalised, with its blocks verbalised below it."""
    heads = tuple(s.header_lines(statement)) if any(s.blocks(statement)) else ()
    if not heads:
        return (VerbatimRule(missing.node, (statement,)), *end_of_rule(context, statement))
    return tuple(
        VerbatimRule(head, (statement,), tuple(plan for part in below for plan in _below(context, statement, part)))
        for head, below in heads
    )


def end_of_rule(context: ProseContext, statement: s.Statement) -> tuple[Plan, ...]:
    """Plan the end of a rule with a `give` that is not its last step."""
    ends = isinstance(statement, s.Give) and context.exits.get(statement, "last") != "last"
    return (PlanLine(Sentence("prose.end_rule"), statement),) if ends else ()


def _below(context: ProseContext, statement: s.Statement, part: s.Block | s.Option) -> tuple[Plan, ...]:
    if isinstance(part, s.Option):
        return (_option_as_written(context, part),)
    if isinstance(statement, Choosing):
        # The block for no legal option is shown below the options.
        return (VerbatimRule(s.line_at(part[0].span, part[0].span.line - 1), (statement,), context.body(part)),)
    return context.body(part)


def _option_as_written(context: ProseContext, option: s.Option) -> Plan:
    """Quote the line of an option, and below it the lines of a variant with further conditions or other selections."""
    parts = (*s.conjuncts(option.condition), *(offered.domain for offered in option.parameters))
    elsewhere = (part for part in parts if not _inside(part, option))
    added = tuple(VerbatimRule(s.line_at(part.span, part.span.line), (part,)) for part in elsewhere)
    return VerbatimRule(s.line_at(option.span, option.span.line), (option,), (*added, *context.body(option.body)))


def _inside(part: s.Node, whole: s.Node) -> bool:
    """Return whether a part was written where the whole was, and not in a variant."""
    return part.span.source == whole.span.source and whole.span.line <= part.span.line <= whole.span.end_line


def _option_or_text(context: ProseContext, statement: Choosing, option: s.Option, chooser: NounPhrase) -> Plan:
    """Plan an option, or quote it if it cannot be verbalised."""
    with context.scope():
        try:
            return _option(context, statement, option, chooser)
        except NotVerbalisable:
            return _option_as_written(context, option)


def _option(context: ProseContext, statement: Choosing, option: s.Option, chooser: NounPhrase) -> Plan:
    """Plan one of several options: an infinitive with its condition, and the consequences below it."""
    chosen, done, conditions, limits = option_plan(context, statement, option, chooser)
    parts = (*chosen, *done)
    first = parts[0] if parts else VerbatimRule(option)
    if isinstance(first, PlanLine):
        deed = repeated_infinitive(first.sentence)
        first = replace(first, sentence=deed, plain=first.plain or deed is not first.sentence)
    if not isinstance(first, PlanLine) or not describes_action_of(first, chooser):
        first = PlanLine(_title(context, option), option)
        parts = (first, *parts)
    said = Sentence("prose.option", {"deed": first.sentence})
    if conditions or limits:
        condition = _all(context, conditions, limits)
        said = Sentence("prose.option_if", {"deed": first.sentence, "condition": condition})
    if len(parts) > 1:
        return PlanGroup(said, parts[1:], option)
    return PlanLine(said, option, others=(first.origin, *first.others))


def repeated_infinitive(sentence: Sentence) -> Sentence:
    """Convert *twice, somebody does something* to an action: *do something twice*."""
    deed = sentence.values.get("then")
    if sentence.message != Message.TIMES or not isinstance(deed, Sentence) or "player" not in deed.values:
        return sentence
    return Sentence("prose.times_same", {**sentence.values, "player": deed.values["player"]})


def describes_action_of(line: PlanLine, player: NounPhrase) -> bool:
    """Return whether a line describes an action of a player, so that its subject can be omitted or inverted."""
    return line.plain and line.sentence.values.get("player") == player


def _title(context: ProseContext, option: s.Option) -> Sentence:
    """Return the title of an option that does not begin with an action."""
    return Sentence("prose.chooses_option", {"option": NounPhrase(context.term(option.name.text))})


def _all(context: ProseContext, wanted: Sequence[s.Expression], limits: Sequence[Sentence]) -> Sentence:
    return conjunction("and", [*(context.condition(e) for e in wanted), *limits])


def own_sentence(statement: Choosing, option: s.Option) -> str:
    """Return the message that a game may define for choosing an option."""
    return f"option.{statement.name.text if statement.name is not None else ''}.{option.name.text}"


class OptionPlan(NamedTuple):
    """The plan of an option: the selection, the consequences, and what remains to be mentioned.

    `conditions` do not depend on the selection; `limits` are clauses about it that are too long for its phrase.
    """

    chosen: tuple[Plan, ...]
    done: tuple[Plan, ...]
    conditions: Sequence[s.Expression]
    limits: Sequence[Sentence]


def option_plan(context: ProseContext, statement: Choosing, option: s.Option, chooser: NounPhrase) -> OptionPlan:
    """Plan an option."""
    context.log.mark_said(option)
    if isinstance(option.condition, s.Logical):
        context.log.mark_said(*conjunctions(option.condition))
    locals_ = [context.model.locals[offered.name] for offered in option.parameters]
    sorts = [local for local in locals_ if context.is_sort(local.type)]
    conditions = [c for c in s.conjuncts(option.condition) if fold(context, c) in (None, 0)]
    conditions = [c for c in conditions if sorts or not omit_if_implied(context, c, option.body)]
    chosen, entities = list[Entity](), list[Entity]()
    limits: list[Sentence] = []
    conditional: dict[Local, list[s.Expression]] = {}
    besides: dict[Local, list[s.Expression]] = {}
    for number, (offered, local) in enumerate(zip(option.parameters, locals_, strict=True)):
        target = _last_of(context, offered.domain.where, locals_[:number])
        if target is not None and local not in sorts and not _needed(context, option, offered, local):
            # An unused selection restricts another one: to those for which such a thing exists.
            some = s.Quantified(offered.span, "some", offered.name, offered.domain)
            besides.setdefault(target, []).append(some)
    for condition in tuple(conditions):
        target = _last_of(context, condition, locals_)
        if target is not None:
            # A condition on a selection follows it.
            conditional.setdefault(target, []).append(condition)
            conditions.remove(condition)
    for offered, local in zip(option.parameters, locals_, strict=True):
        if offered.domain.where is not None and local not in sorts and not _needed(context, option, offered, local):
            # An unused selection is not mentioned as a choice: only its existence matters.
            context.log.mark_said(offered)
            if is_certain(context, offered.domain, local):
                context.log.mark_said(*s.walk(offered.domain))
                continue
            asked_of_others = (part for several in besides.values() for part in several)
            if not any(getattr(part, s.BOUND, None) is offered.name for part in asked_of_others):
                conditions.append(s.Quantified(offered.span, "some", offered.name, offered.domain))
            continue
        restrictions = [c for c in s.conjuncts(offered.domain.where) if not omit_if_implied(context, c, option.body)]
        kinds = (context.model.types.get(node) for condition in restrictions for node in s.walk(condition))
        if any(kind is not None and kind.kind == "player" for kind in kinds):
            # The pronoun of a player must not follow another person.
            restrictions += conditional.get(local, [])
        else:
            # Words of the domain may tell of the time after the action, so what is asked before it comes first.
            restrictions = [*conditional.get(local, []), *restrictions]
        restrictions += besides.get(local, [])
        thing = context.domain(offered.domain, local, restrictions)
        context.log.mark_said(offered)
        entity = context.entities[local]
        if isinstance(entity.thing, Mention) or entity.given:
            continue
        modifiers, long = _without_long_clauses(thing.modifiers, entity)
        limits += long
        context.refine(local, replace(thing, modifiers=from_origin(modifiers)))
        entities.append(context.entities[local])
    done = _opened(context.body(option.body), entities)
    deed = done[0] if done and isinstance(done[0], PlanLine) else None
    acted_on = mentions(deed.sentence) if deed is not None and describes_action_of(deed, chooser) else frozenset()
    chosen = [
        candidate
        for candidate in entities
        if candidate not in acted_on
        or candidate.type.kind == "number"
        or context.is_sort(candidate.type)
        or _only_within(candidate, deed)
        # A number is chosen after the thing that it counts.
        or any(candidate in mentions(quantity.thing) for quantity in entities if quantity.type.kind == "number")
    ]
    message, names = own_sentence(statement, option), {candidate.name for candidate in chosen}
    if context.has_message(message) and names <= context.words.slots(message, context.model.scope):
        own = context.game_sentence(message, {"player": chooser, **{each.name: Mention.of(each) for each in entities}})
        return OptionPlan((PlanLine(own, option),), done, conditions, limits)
    if not chosen:
        return OptionPlan((), done, conditions, limits)
    things = tuple(map(Mention.of, chosen))
    selects = Sentence("prose.chooses", {"player": chooser, "what": Listing(things) if len(things) > 1 else things[0]})
    return OptionPlan((PlanLine(selects, option),), done, conditions, limits)


def _without_long_clauses(
    modifiers: Sequence[Attribute | Relative], entity: Entity
) -> tuple[tuple[Attribute | Relative, ...], list[Sentence]]:
    """Return the modifiers of a phrase without its long relative clauses, and these as clauses of their own.

    What follows a long clause would seem to belong to it, and a clause after a computed bound to the bound.
    """
    bounds = (m.values.get("high") for m in modifiers if m.message.startswith(Message.SPAN))
    bounded = any(isinstance(bound, NounPhrase) for bound in bounds)
    long = [m for m in modifiers if isinstance(m, Relative) and (bounded or _is_long(m))]
    return tuple(m for m in modifiers if m not in long), [_as_clause(m, entity) for m in long]


def _is_long(clause: Relative) -> bool:
    """Return whether a relative clause has a whole condition inside it."""
    inner = (part for value in clause.values.values() for part in parts(value) if isinstance(part, NounPhrase))
    return clause.long or any(m.message == Message.HOLDS_FOR for part in inner for m in part.modifiers)


def _as_clause(relative: Relative, entity: Entity) -> Sentence:
    """Return a relative clause as a clause about its antecedent."""
    if relative.message == Message.HOLDS_FOR and isinstance(clause := relative.values["condition"], Sentence):
        return clause
    return Sentence(relative.message, {**relative.values, relative.slot: Mention.of(entity)})


def _opened(done: tuple[Plan, ...], entities: Sequence[Entity]) -> tuple[Plan, ...]:
    """Move the first line of an inlined rule to the front, so that an option can begin with it.

    This requires an action on a selected thing: *play a card that …*.
    """
    match done:
        case (Passage(parts=(PlanLine(sentence=said) as first, *rest), origin=origin), *later) if any(
            entity_of(value) in entities for value in said.values.values()
        ):
            return (first, Passage(tuple(rest), origin), *later)
    return done


def _only_within(entity: Entity, deed: PlanLine | None) -> bool:
    """Return whether a thing with a relative clause is only mentioned inside another one, which would separate them."""
    thing = entity.thing
    if deed is None or not isinstance(thing, NounPhrase) or not any(isinstance(m, Relative) for m in thing.modifiers):
        return False
    return not any(entity_of(value) is entity for value in deed.sentence.values.values())


def _last_of(context: ProseContext, condition: s.Expression | None, selections: Sequence[Local]) -> Local | None:
    """Return the last selection that a condition mentions."""
    return next((local for local in reversed(selections) if speaks_of(context, condition, local)), None)


def _needed(context: ProseContext, option: s.Option, offered: s.OptionParameter, local: Local) -> bool:
    """Return whether a selection is used by the option or by a later selection."""
    later = tuple(parameter for parameter in option.parameters if parameter is not offered)
    return speaks_of(context, (option.body, later, option.condition), local)


def _takes(context: ProseContext, condition: s.Expression, deed: s.Block) -> bool:
    """Return whether a block, or the rule it calls first, begins with removing what the condition requires."""
    first = deed[0].call if deed and isinstance(deed[0], s.Call) else None
    rule = context.model.code.rules.get(first.name) if isinstance(first, s.Called) else None
    if not isinstance(first, s.Called) or rule is None:
        return guard_implied_by_move(condition, deed)
    by_name = {typed.name.text: argument for typed, argument in zip(rule.parameters, first.arguments, strict=True)}
    context.log.depends_on(condition, *rule.body[:1])
    return guard_implied_by_move(condition, rule.body, by_name)


def omit_if_implied(context: ProseContext, condition: s.Expression, body: s.Block) -> bool:
    """Return whether the action implies a condition; if so, record it."""
    deeds = first_effects(body)
    implied = bool(deeds) and all(_takes(context, condition, deed) for deed in deeds)
    if implied:
        context.log.omit(condition, "implied", "what is not there cannot be taken")
    return implied


def omit_if_possibility(context: ProseContext, condition: s.Expression, body: s.Block) -> bool:
    """Return whether a condition only says that its block is possible; if so, record it."""
    if omit_if_implied(context, condition, body):
        return True
    first, stated, names = body[0] if body else None, condition, dict[str, s.Expression]()
    if isinstance(condition, s.Called) and (define := context.model.code.defines.get(condition.name)) is not None:
        stated = define.value
        names = {p.name.text: a for p, a in zip(define.parameters, condition.arguments, strict=True)}
    options = first.options if isinstance(first, s.Choose) else ()
    if not isinstance(stated, s.Quantified) or stated.kind != "some" or len(options) != 1 or options[0].condition:
        return False
    if len(options[0].parameters) != 1:
        return False
    [offered] = options[0].parameters
    names[stated.variable.text] = s.Name(offered.name.span, offered.name.text)
    if not s.same(s.substituted(stated.domain, names), offered.domain):
        return False
    context.log.depends_on(condition, stated, offered)
    context.log.omit(condition, "implied", "it only asks whether there is something to choose")
    return True

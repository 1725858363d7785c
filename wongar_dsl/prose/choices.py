"""Choices of rules as a plan: what somebody may do, and which of several things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Local
from wongar_dsl.prose import reduce
from wongar_dsl.prose.context import Context, Unsayable, conjunctions, mentions
from wongar_dsl.prose.plan import Entity, Group, Line, Mention, Passage, Plan, Unsaid
from wongar_dsl.words import Listing, Nominal, Relative, Said, Value

#: A choice of one player, or of several at once.
Choosing = s.Choose | s.ChooseSimultaneously


def choice(context: Context, statement: s.Choose) -> tuple[Plan, ...]:
    """A choice of somebody: what may be done, or which of several things."""
    chooser = context.thing(statement.chooser)
    context.account.say(statement, statement.name)
    declining = [c for c in statement.choices if not c.parameters and c.condition is None and reduce.only_tells(c.body)]
    declining = declining if len(declining) == 1 and len(statement.choices) > 1 else []
    offered = [c for c in statement.choices if c not in declining]
    for option in declining:
        context.account.leave(option, "implied", "declining is what one may do")
    if len(offered) == 1 and (not statement.clock or context.knows(own_sentence(statement, offered[0]))):
        plans = _only(context, statement, offered[0], chooser, bool(declining))
    else:
        parts = tuple(_option_or_text(context, statement, option, chooser) for option in offered)
        lead = Said("prose.may_list" if declining else "prose.must_list", {"player": chooser})
        plans = (Group(lead, parts, statement, options=True),)
    clock = _clock(context, statement.name, statement.clock)
    otherwise = _otherwise(context, statement)
    if len(offered) == 1 and plans and isinstance(plans[0], Line) and _does(plans[0], chooser):
        # Whether anything can be chosen is said before what is done with it.
        plans, otherwise = (plans[0], *otherwise, *plans[1:]), ()
    return (*plans, *clock, *_freshly(statement), *otherwise)


def at_once(context: Context, statement: s.ChooseSimultaneously) -> tuple[Plan, ...]:
    """A choice that several make at the same time."""
    local, domain = context.model.locals[statement.variable], statement.domain
    by_time = statement.clock is not None
    order: tuple[Plan, ...] = ()
    if domain.kind in ("from", "after") and domain.first is not None:
        # Whose choice counts first, where several are made at the same moment.
        start: dict[str, Value] = {"start": context.thing(domain.first)}
        context.account.say(domain, domain.base, domain.where)
        first = f"prose.{'equally_quick' if by_time else 'carried_out'}_{domain.kind}"
        order = (Line(Said(first, start), domain, plain=False),)
        domain = replace(domain, kind="all", first=None)
    who = context.domain(domain, local, s.conjuncts(domain.where), ("every",))
    context.account.say(statement, statement.variable, statement.name)
    context.refined(local, who)
    chooser = context.mention(local)
    assert isinstance(chooser, Nominal)
    parts = tuple(_option_or_text(context, statement, option, chooser) for option in statement.choices)
    together = "prose.together_by_time" if by_time else "prose.together"
    clock = _clock(context, statement.name, statement.clock)
    match parts:
        case (Line(said=Said(message="prose.option", values={"deed": deed}), others=others),):
            # *Secretly and at the same time, everybody does so*, where nothing else can be chosen.
            line = Line(Said(f"{together}_line", {"then": deed}), statement, plain=False, others=others)
            return (line, *order, *clock)
    lead = Said(together, {"player": chooser})
    return (Group(lead, parts, statement, options=True), *order, *clock)


def _clock(context: Context, name: s.Word | None, clock: s.Clock | None) -> tuple[Plan, ...]:
    """How long it may take to choose; a game may say so in words of its own, under `clock.<name>`."""
    if clock is None:
        return ()
    context.account.say(clock)
    values: dict[str, Value] = {}
    if clock.start is not None:
        values["start"] = context.value(clock.start)
    if clock.end is not None:
        values["end"] = context.value(clock.end)
    own = f"clock.{name.text}" if name is not None else ""
    if context.knows(own):
        return (Line(context.own(own, values), clock),)
    message = "prose.clock" + "".join(f"_{slot}" for slot in values)
    return (Line(Said(message, values), clock, plain=False),)


def _freshly(statement: s.Choose) -> tuple[Plan, ...]:
    """That what was chosen least often comes first."""
    return (Line(Said("prose.freshly"), statement, plain=False),) if statement.acyclic else ()


def _otherwise(context: Context, statement: s.Choose) -> tuple[Plan, ...]:
    """What is done where nothing can be chosen; it need not be said if nothing is."""
    body = statement.otherwise
    if body is None:
        return ()
    if reduce.cannot_happen(body):
        context.account.leave(body, "folded", "nobody comes there")
        return ()
    if reduce.only_tells(body) and not any(_has_rule(context, part) for part in body):
        context.account.leave(body, "news", "it only says that nothing can be chosen")
        return ()
    lead = "prose.if_none" if len(statement.choices) > 1 else "prose.if_not_possible"
    return (under(context, Said(lead), f"{lead}_all", context.body(body), statement),)


def _has_rule(context: Context, statement: s.Statement) -> bool:
    """Whether what is told is a rule for the players too."""
    return isinstance(statement, s.Tell) and context.knows(f"{statement.told.name}.rule")


def under(context: Context, lead: Said, group: str, parts: tuple[Plan, ...], origin: s.Node) -> Plan:
    """Parts under a lead: one clause right behind it, or several lines below it."""
    if len(parts) == 1 and isinstance(parts[0], Line) and parts[0].plain:
        only = parts[0]
        said = replace(lead, values={**lead.values, "then": only.said})
        return Line(said, origin, plain=False, others=(only.origin, *only.others))
    if len(parts) == 1 and isinstance(parts[0], Group) and parts[0].options:
        # *Otherwise the player chooses one of the following*, not a list under a list.
        whole = replace(lead, values={**lead.values, "then": parts[0].lead})
        return Group(whole, parts[0].parts, origin, options=True)
    return Group(Said(group, lead.values), parts, origin)


def _only(context: Context, statement: s.Choose, option: s.Choice, chooser: Nominal, may: bool) -> tuple[Plan, ...]:
    """The one thing that is offered: it is done, or may be."""
    chosen, done, wanted = enacted(context, statement, option, chooser)
    plans = (*chosen, *done)
    if may:
        first = plans[0] if plans else Unsaid(option)
        if isinstance(first, Line) and _does(first, chooser):
            allowed = Said("prose.may", {"player": chooser, "deed": first.said})
            match plans[1:]:
                case (Line(said=then, plain=True) as after,):
                    # *They may do so; if so, somebody answers*, and not a list of one line.
                    said = Said("prose.may_then", {**allowed.values, "then": then})
                    plans = (Line(said, option, others=(first.origin, *first.others, after.origin, *after.others)),)
                case ():
                    plans = (replace(first, said=allowed),)
                case rest:
                    plans = (Group(allowed, rest, option),)
        else:
            named = Said("prose.may", {"player": chooser, "deed": _title(context, option)})
            plans = (Group(named, plans, option),)
    if not wanted:
        return plans
    asked = _all(context, wanted)
    return (under(context, Said("prose.if", {"condition": asked}), "prose.if_all", plans, statement),)


def as_written(context: Context, statement: s.Statement, missing: Unsayable) -> tuple[Plan, ...]:
    """A statement without words as it is written, and what its blocks say below that."""
    heads = tuple(s.heads(statement)) if any(s.blocks(statement)) else ()
    if not heads:
        return (Unsaid(missing.node, (statement,)),)
    return tuple(
        Unsaid(head, (statement,), tuple(plan for part in below for plan in _below(context, statement, part)))
        for head, below in heads
    )


def _below(context: Context, statement: s.Statement, part: s.Block | s.Choice) -> tuple[Plan, ...]:
    if isinstance(part, s.Choice):
        return (_option_as_written(context, part),)
    if isinstance(statement, Choosing):
        # Below the options stands what is done where there are none.
        return (Unsaid(s.line_at(part[0].span, part[0].span.line - 1), (statement,), context.body(part)),)
    return context.body(part)


def _option_as_written(context: Context, option: s.Choice) -> Plan:
    return Unsaid(s.line_at(option.span, option.span.line), (option,), context.body(option.body))


def _option_or_text(context: Context, statement: Choosing, option: s.Choice, chooser: Nominal) -> Plan:
    """An option in words, or as it is written where there are none for it."""
    try:
        return _option(context, statement, option, chooser)
    except Unsayable:
        return _option_as_written(context, option)


def _option(context: Context, statement: Choosing, option: s.Choice, chooser: Nominal) -> Plan:
    """One of several options: as an infinitive, with its condition, and what follows from it below."""
    chosen, done, wanted = enacted(context, statement, option, chooser)
    parts = (*chosen, *done)
    first = parts[0] if parts else Unsaid(option)
    if isinstance(first, Line):
        first = replace(first, said=often(first.said), plain=first.plain or often(first.said) is not first.said)
    if not isinstance(first, Line) or not _does(first, chooser):
        first = Line(_title(context, option), option)
        parts = (first, *parts)
    said = Said("prose.option", {"deed": first.said})
    if wanted:
        said = Said("prose.option_if", {"deed": first.said, "condition": _all(context, wanted)})
    return (
        Line(said, option, others=(first.origin, *first.others)) if len(parts) == 1 else Group(said, parts[1:], option)
    )


def often(said: Said) -> Said:
    """*Twice, somebody does something* as what they do: *do something twice*."""
    deed = said.values.get("then")
    if said.message != "prose.times" or not isinstance(deed, Said) or "player" not in deed.values:
        return said
    return Said("prose.times_same", {**said.values, "player": deed.values["player"]})


def _does(line: Line, chooser: Nominal) -> bool:
    """Whether a line says what somebody does, so that it can be said without naming them."""
    return line.plain and line.said.values.get("player") == chooser


def _title(context: Context, option: s.Choice) -> Said:
    """What an option is called that begins with no deed."""
    return Said("prose.chooses_option", {"option": Nominal(context.term(option.name.text))})


def _all(context: Context, wanted: list[s.Expression]) -> Said:
    found = [context.condition(e) for e in wanted]
    return found[0] if len(found) == 1 else Said("prose.and", {"all": Listing(tuple(found))})


def own_sentence(statement: Choosing, option: s.Choice) -> str:
    """The sentence that a game may have for who chooses an option."""
    return f"option.{statement.name.text if statement.name is not None else ''}.{option.name.text}"


def enacted(
    context: Context, statement: Choosing, option: s.Choice, chooser: Nominal
) -> tuple[tuple[Plan, ...], tuple[Plan, ...], list[s.Expression]]:
    """What an option does: what is chosen first, what is done then, and the conditions that remain to be said."""
    context.account.say(option, option.name)
    if isinstance(option.condition, s.Logical):
        context.account.say(*conjunctions(option.condition))
    locals_ = [context.model.locals[offered.name] for offered in option.parameters]
    kinds = [local for local in locals_ if context.is_sort(local.type)]
    wanted = [c for c in s.conjuncts(option.condition) if kinds or not implied(context, c, option.body)]
    before, chosen, entities = len(context.settled), list[Entity](), list[Entity]()
    besides: dict[Local, list[s.Quantified]] = {}
    for number, (offered, local) in enumerate(zip(option.parameters, locals_, strict=True)):
        about = _spoken_of(context, offered, locals_[:number])
        if about is not None and local not in kinds and not _needed(context, option, offered, local):
            # What nothing is done with says which of the others can be chosen: those that have such a thing.
            some = s.Quantified(offered.span, "some", offered.name, offered.domain)
            besides.setdefault(about, []).append(some)
    for offered, local in zip(option.parameters, locals_, strict=True):
        if offered.domain.where is not None and local not in kinds and not _needed(context, option, offered, local):
            # What nothing is done with need not be chosen: it is there, or the rest cannot be.
            context.account.say(offered, offered.name)
            if not any(some.variable is offered.name for several in besides.values() for some in several):
                wanted.append(s.Quantified(offered.span, "some", offered.name, offered.domain))
            continue
        asked = [c for c in s.conjuncts(offered.domain.where) if not implied(context, c, option.body)]
        asked += besides.get(local, [])
        if kinds and local is kinds[-1] and all(_only_about(context, c, kinds) for c in wanted):
            # A kind has to be settled before anything of that kind is spoken of.
            asked += wanted
            wanted = []
        if local in kinds:
            context.settled.extend(asked)
        thing = context.domain(offered.domain, local, asked)
        context.account.say(offered, offered.name)
        entity = context.entities[local]
        if isinstance(entity.thing, Mention) or entity.given:
            continue
        context.refined(local, replace(thing, modifiers=reduce.taken_from(thing.modifiers)))
        entities.append(context.entities[local])
    done = _opened(context.body(option.body), entities)
    # Another option may have another kind under the same name.
    del context.settled[before:]
    first = mentions(done[0].said) if done and isinstance(done[0], Line) and _does(done[0], chooser) else frozenset()
    deed = done[0].said if done and isinstance(done[0], Line) else None
    chosen = [
        one
        for one in entities
        if one not in first
        or one.type.kind == "number"
        or context.is_sort(one.type)
        or _only_within(one, deed)
        # A number is chosen after that of which there are so many.
        or any(one in mentions(other.thing) for other in entities if other.type.kind == "number")
    ]
    own = own_sentence(statement, option)
    if context.knows(own) and {one.name for one in chosen} <= context.words.slots(own, context.model.scope):
        said = context.own(own, {"player": chooser, **{one.name: Mention.of(one) for one in entities}})
        return (Line(said, option),), done, wanted
    if not chosen:
        return (), done, wanted
    what = Listing(tuple(Mention.of(entity) for entity in chosen))
    values: dict[str, Value] = {"player": chooser, "what": what if len(chosen) > 1 else what.items[0]}
    return (Line(Said("prose.chooses", values), option),), done, wanted


def _opened(done: tuple[Plan, ...], entities: Sequence[Entity]) -> tuple[Plan, ...]:
    """What is done, a rule that is written out first with its first line in front, which an option can begin with.

    So it can where something is done with what is chosen: *play a card that …*.
    """
    match done:
        case (Passage(parts=(Line(said=said) as first, *rest), origin=origin), *later) if any(
            isinstance(value, Mention) and value.entity in entities for value in said.values.values()
        ):
            return (first, Passage(tuple(rest), origin), *later)
    return done


def _only_within(entity: Entity, deed: Said | None) -> bool:
    """Whether a thing with a clause of its own is spoken of only with another one, whose clause would part them."""
    thing = entity.thing
    if deed is None or not isinstance(thing, Nominal) or not any(isinstance(m, Relative) for m in thing.modifiers):
        return False
    return not any(isinstance(value, Mention) and value.entity is entity for value in deed.values.values())


def _spoken_of(context: Context, offered: s.Offered, before: Sequence[Local]) -> Local | None:
    """The last of what is chosen before that the condition of something speaks of."""
    refs = [context.ref(node) for node in s.walk(offered.domain.where)]
    return next((local for local in reversed(before) if any(ref and ref.local is local for ref in refs)), None)


def _needed(context: Context, option: s.Choice, offered: s.Offered, local: Local) -> bool:
    """Whether anything is done with what is chosen, or anything else hangs on it."""
    later = tuple(other for other in option.parameters if other is not offered)
    refs = (context.ref(node) for part in (option.body, later, option.condition) for node in s.walk(part))
    return any(ref is not None and ref.local is local for ref in refs)


def _only_about(context: Context, condition: s.Expression, kinds: Sequence[Local]) -> bool:
    """Whether a condition is about the kinds that are chosen."""
    refs = [context.ref(node) for node in s.walk(condition)]
    return any(ref is not None and ref.local in kinds for ref in refs)


def _takes(context: Context, condition: s.Expression, deed: s.Block) -> bool:
    """Whether a deed, or the rule that is called first in it, begins with taking away what a condition asks for."""
    match deed:
        case (s.Call(call=s.Called(name=name, arguments=arguments)), *_) if name in context.model.code.rules:
            rule = context.model.code.rules[name]
            locals_ = context.model.parameters.get(rule, ())
            given = {local.name: argument for local, argument in zip(locals_, arguments, strict=True)}
            context.account.hang(condition, *rule.body[:1])
            return reduce.asks_for_what_is_taken(condition, rule.body, given)
    return reduce.asks_for_what_is_taken(condition, deed)


def implied(context: Context, condition: s.Expression, body: s.Block) -> bool:
    """Whether what is done, or what was asked when a kind was chosen, says a condition; the account has it then."""
    deeds = reduce.first_deeds(body)
    if deeds and all(_takes(context, condition, deed) for deed in deeds):
        context.account.leave(condition, "implied", "what is not there cannot be taken")
    elif any(s.same(condition, known) and condition is not known for known in context.settled):
        context.account.leave(condition, "implied", "it was asked when the kind was chosen")
    else:
        return False
    return True

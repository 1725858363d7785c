"""When something is done, how often, and for whom."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.prose import reduce
from wongar_dsl.prose.account import Why
from wongar_dsl.prose.choices import implied, under
from wongar_dsl.prose.conditions import asked_again
from wongar_dsl.prose.constants import fold
from wongar_dsl.prose.context import Amount, Context, conditions, mentions
from wongar_dsl.prose.plan import Entity, Group, Line, Mention, Plan
from wongar_dsl.prose.things import counted, holds, place
from wongar_dsl.words import Nominal, Said, Value

#: Why a statement is left out.
NOTHING: Why = "nothing is done that players need to know"


def when(context: Context, statement: s.If) -> tuple[Plan, ...]:
    """Branches: those that are known before play fall away."""
    plans: list[Plan] = []
    context.account.say(statement)
    same = reduce.told_apart(statement)
    if same:
        done = context.body(same)
        context.account.leave(statement, "news", "only what is told differs")
        return done
    for condition, block in statement.branches:
        known = fold(context, condition)
        if known == 0:
            context.account.leave(block, "folded", "it does not come to that")
            continue
        inner = None
        if known is None and not _guards(context, condition, block):
            inner = asked_again(context.condition(condition))
        parts = context.body(block)
        if inner is None:
            if plans:
                plans.append(under(context, Said("prose.otherwise"), "prose.otherwise_all", parts, statement))
            else:
                plans += parts
            if known is not None:
                for rest in (statement.otherwise, *(b for _, b in statement.branches)):
                    context.account.leave(rest, "folded", "it does not come to that")
                return tuple(plans)
            continue
        if not parts:
            context.account.unsay(condition, "news", "nothing is done then")
            continue
        lead = "prose.otherwise_if" if plans else "prose.if"
        plans.append(under(context, Said(lead, {"condition": inner}), f"{lead}_all", parts, statement))
    if statement.otherwise:
        parts = context.body(statement.otherwise)
        if parts and plans:
            plans.append(under(context, Said("prose.otherwise"), "prose.otherwise_all", parts, statement))
        else:
            plans += parts
    if not plans:
        context.account.unsay(statement, "news", NOTHING)
    return tuple(plans)


def _guards(context: Context, condition: s.Expression, block: s.Block) -> bool:
    """Whether a condition only asks whether what is set then is not so already."""
    deed = next((part for part in block if isinstance(part, s.Assign)), None)
    match deed, condition:
        case s.Assign(target=goal, value=s.Truth(value=True)), s.Negation(operand=operand) if s.same(goal, operand):
            pass
        case s.Assign(target=goal, value=s.Truth(value=False)), operand if s.same(goal, operand):
            pass
        case _:
            return False
    if not all(isinstance(part, s.Tell) or part is deed for part in block):
        return False
    context.account.leave(condition, "implied", "it makes no difference to what is so already")
    return True


def repeated(context: Context, statement: s.Repeat) -> tuple[Plan, ...]:
    """A loop: so often, as long as something holds, until it does, or for ever."""
    context.account.say(statement)
    block, subject = statement.body, statement.subject
    match statement.kind:
        case "times" if subject is not None:
            return (_times(context, statement, subject),)
        case "while" | "until" if subject is not None:
            lead = Said(f"prose.{statement.kind}", {"condition": context.condition(subject)})
            return (under(context, lead, f"{lead.message}_all", context.body(block), statement),)
        case _:
            return (Group(Said("prose.forever"), context.body(block), statement),)


def _times(context: Context, statement: s.Repeat, subject: s.Expression) -> Plan:
    number = context.value(subject)
    match statement.body:
        case (s.If(branches=((condition, inner),), otherwise=()) as only,) if implied(context, condition, inner):
            context.account.say(only)
            message, parts = "prose.times_possible", context.body(inner)
        case block:
            message, parts = "prose.times", context.body(block)
            together = _top_ones(context, block, parts, number)
            if together is not None:
                return replace(together, origin=statement)
    values: dict[str, Value] = {"n": number}
    if isinstance(number, Nominal):
        message, values = f"{message}_amount", {"amount": number}
    return under(context, Said(message, values), f"{message}_all", parts, statement)


def _top_ones(context: Context, block: s.Block, parts: tuple[Plan, ...], number: Amount) -> Line | None:
    """*12 cards go out of the pile*, not *twelve times the top card goes*."""
    match block, parts:
        case (s.Move(what=s.Of(name="top", owner=pile)),), (Line(said=Said(message="prose.goes")) as one,) if (
            number != 0
        ):
            cards = counted(Nominal(context.term(holds(context, pile))), number)
            goes: dict[str, Value] = {"what": cards, "from": place(context, pile), "to": one.said.values["place"]}
            return replace(one, said=Said("prose.tokens_go", goes))
    return None


def _in_each(said: Said, entity: Entity) -> bool:
    """Whether a sentence can say *each* of a thing: it speaks of it, and not only in an amount."""
    spoken = [v for v in said.values.values() if not (isinstance(v, Nominal) and v.words[:1] == ("as_many",))]
    return entity in mentions(tuple(spoken))


def for_each(context: Context, statement: s.ForEach) -> tuple[Plan, ...]:
    """What is done for everybody, or everywhere: *every player* as who does it, or a lead."""
    local = context.model.locals[statement.variable]
    domain = statement.domain
    context.account.say(statement, statement.variable)
    asked = conditions(domain.where)
    ordered = domain.kind in ("from", "after") and domain.first is not None
    start = context.thing(domain.first) if ordered and domain.first is not None else None
    if ordered:
        context.account.say(domain, domain.base, domain.where)
        thing = context.domain(replace(domain, kind="all", first=None), local, asked, ("every",))
    else:
        thing = context.domain(domain, local, asked, ("every",))
    entity = context.refined(local, thing)
    parts = context.body(statement.body)
    if not parts:
        context.account.unsay(statement, "news", NOTHING)
        return ()
    who = Mention.of(entity)
    if start is not None:
        values: dict[str, Value] = {"start": start, "who": who}
        lead = Said(f"prose.in_turn_{domain.kind}", values)
        if (
            len(parts) == 1
            and isinstance(parts[0], Line)
            and parts[0].plain
            and parts[0].said.values.get("player") == who
        ):
            line = Said(f"prose.in_turn_{domain.kind}_line", {"start": start, "then": parts[0].said})
            return (Line(line, statement, plain=False, others=(parts[0].origin, *parts[0].others)),)
        return (Group(lead, parts, statement),)
    first = parts[0]
    if len(parts) == 1 and isinstance(first, Line) and first.plain and _in_each(first.said, entity):
        return (replace(first, origin=statement, others=(first.origin, *first.others)),)
    if local.type.kind == "player":
        return (Group(Said("prose.does", {"player": who}), parts, statement),)
    return (under(context, Said("prose.for_each", {"what": who}), "prose.for_each_all", parts, statement),)

"""When something is done, how often, and for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wongar_dsl import syntax as s
from wongar_dsl.model import Local
from wongar_dsl.prose import reduce
from wongar_dsl.prose.account import Why
from wongar_dsl.prose.choices import implied, under
from wongar_dsl.prose.conditions import asked_again
from wongar_dsl.prose.constants import fold
from wongar_dsl.prose.context import Amount, Context, conjunctions, mentions
from wongar_dsl.prose.domains import relative
from wongar_dsl.prose.plan import Entity, Group, Line, Mention, Plan
from wongar_dsl.prose.things import counted, holds, place
from wongar_dsl.words import Attribute, Listing, Nominal, Relative, Said, Value

#: Why a statement is left out.
NOTHING: Why = "nothing is done that players need to know"


def when(context: Context, statement: s.If) -> tuple[Plan, ...]:
    """Branches: those that are known before play fall away."""
    plans: list[Plan] = []
    first: tuple[Plan, ...] = ()
    asked: Said | None = None
    passed: list[s.Expression] = []
    same = reduce.told_apart(statement)
    if same:
        done = context.body(same)
        context.account.leave(statement, "news", "only what is told differs")
        # What is done in any case is said once, but where the branches come to differ.
        context.account.hang_all((statement.branches, statement.otherwise), statement)
        return done
    context.account.say(statement)
    for condition, block in statement.branches:
        known = fold(context, condition)
        if known is not None:
            context.account.hang_all((statement.branches, statement.otherwise), condition)
        if known == 0:
            context.account.leave(block, "folded", "it does not come to that")
            continue
        inner = None
        only = known is None and len(statement.branches) == 1 and not statement.otherwise
        if only and implied(context, condition, block):
            plans.append(under(context, Said("prose.possible"), "prose.possible_all", context.body(block), statement))
            continue
        if known is None and reduce.asks_for_what_is_given(condition, block) and not statement.otherwise:
            context.account.leave(condition, "implied", "who gains or loses none, gains or loses nothing")
        elif known is None and not _guards(context, condition, block):
            inner = asked_again(_asked(context, condition, block))
        parts = _renewed(condition, block, context.body(block))
        context.alike = {}
        if inner is not None and not parts:
            context.account.unsay(condition, "news", "nothing is done then")
            passed.append(condition)
            continue
        if passed:
            inner = _neither(context, passed, inner)
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
        lead = "prose.otherwise_if" if plans else "prose.if"
        plans.append(under(context, Said(lead, {"condition": inner}), f"{lead}_all", parts, statement))
        first, asked = parts, inner
    if statement.otherwise:
        parts = context.body(statement.otherwise)
        if (
            asked is not None
            and len(plans) == 1 == len(statement.branches)
            and _begin_alike(context, statement, first, parts)
        ):
            # *Play the card: if it is …, otherwise …*, and not the same twice.
            then = under(context, Said("prose.if", {"condition": asked}), "prose.if_all", first[1:], statement)
            other = under(context, Said("prose.otherwise"), "prose.otherwise_all", parts[1:], statement)
            plans = [parts[0], then, other]
        elif parts and passed:
            lead = "prose.otherwise_if" if plans else "prose.if"
            said = Said(lead, {"condition": _neither(context, passed, None)})
            plans.append(under(context, said, f"{lead}_all", parts, statement))
        elif parts and plans:
            plans.append(under(context, Said("prose.otherwise"), "prose.otherwise_all", parts, statement))
        else:
            plans += parts
    if not plans:
        context.account.unsay(statement, "news", NOTHING)
    return tuple(plans)


def _neither(context: Context, passed: Sequence[s.Expression], inner: Said | None) -> Said:
    """That none holds of the conditions under which nothing is done, and what else is asked."""
    denied = [context.condition(s.Negation(one.span, one)) for one in passed]
    every = (*denied, *([inner] if inner is not None else ()))
    return every[0] if len(every) == 1 else Said("prose.and", {"all": Listing(every)})


def _begin_alike(context: Context, statement: s.If, one: tuple[Plan, ...], other: tuple[Plan, ...]) -> bool:
    """Whether both branches begin with the same deed, which changes nothing about the condition: which card it is."""
    match statement.branches[0][0], one, other:
        case s.Compare(operator="=" | "!=", left=s.Name(), right=s.Name() as kind), (Line(said=first), _, *_), (
            Line(said=second),
            _,
            *_,
        ):
            ref = context.ref(kind)
            return first == second and ref is not None and ref.kind in ("face", "facekind", "value")
    return False


def _asked(context: Context, condition: s.Expression, block: s.Block) -> Said:
    """A condition without what goes without saying, since what is not there cannot be moved."""
    every = s.conjuncts(condition)
    asked = [one for one in every if not reduce.asks_for_what_is_there(one, block)]
    if not 0 < len(asked) < len(every):
        return context.condition(condition)
    context.account.say(condition, *conjunctions(condition))
    for one in every:
        if one not in asked:
            context.account.leave(one, "implied", "what is not there cannot be taken")
    found = [context.condition(one) for one in asked]
    return found[0] if len(found) == 1 else Said("prose.and", {"all": Listing(tuple(found))})


def _renewed(condition: s.Expression, block: s.Block, parts: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """*If the pile is empty, the others are shuffled and become the new pile*."""
    asked = [one for one in s.conjuncts(condition) if not reduce.asks_for_what_is_there(one, block)]
    match parts:
        case (Line(said=Said(message="prose.all_go", values=values)) as line,) if (
            len(asked) == 1 and reduce.renews(asked[0], block) and isinstance(pile := values["to"], Nominal)
        ):
            # That the pile is shuffled, its relative clause said.
            renewed = {"what": values["what"], "to": replace(pile, modifiers=pile.modifiers[:-1])}
            return (replace(line, said=Said("prose.renews", renewed)),)
    return parts


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
            # What is so at the end, is not so before.
            context.account.hang_all(subject, statement)
            if statement.kind == "until":
                context.alike = {}
            return (under(context, lead, f"{lead.message}_all", context.body(block), statement),)
        case _:
            parts = context.body(block)
            match parts:
                case (Group(lead=Said(message="prose.does", values=values)) as turns,):
                    return (replace(turns, lead=Said("prose.does_forever", values)),)
            return (Group(Said("prose.forever"), parts, statement),)


def _times(context: Context, statement: s.Repeat, subject: s.Expression) -> Plan:
    each = _for_each_player(context, subject)
    if each is not None:
        parts = context.body(statement.body)
        drawn = _drawn_for_each(context, parts, each)
        if drawn is not None:
            every: dict[str, Value] = {"what": Nominal(context.term("player"), ("every",))}
            return under(context, Said("prose.for_each", every), "prose.for_each_all", (drawn,), statement)
        lead = Said("prose.times_per_player", {"amount": each})
        return under(context, lead, "prose.times_per_player_all", parts, statement)
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
    if isinstance(subject, s.Called) and message == "prose.times" and context.has_term(f"{subject.name}.each"):
        # *For every new token*, not as often as their number says.
        values = {"what": Nominal(context.term(f"{subject.name}.each"), ("every",))}
        return under(context, Said("prose.for_each", values), "prose.for_each_all", parts, statement)
    if isinstance(number, Nominal):
        message, values = f"{message}_amount", {"amount": number}
    return under(context, Said(message, values), f"{message}_all", parts, statement)


def _for_each_player(context: Context, subject: s.Expression) -> Nominal | None:
    """What a number is for each player, where it is that times the number of players."""
    match subject:
        case s.Binary(operator="*", left=s.Name() as players, right=amount):
            ref = context.ref(players)
            if ref is not None and ref.kind == "players":
                context.account.say(subject, players)
                found = context.value(amount)
                return found if isinstance(found, Nominal) else None
    return None


def _drawn_for_each(context: Context, parts: tuple[Plan, ...], amount: Nominal) -> Line | None:
    """*As many tokens … are drawn blindly*, not *so often a token is drawn blindly*."""
    match parts:
        case (Line(said=Said(message="prose.drawn_blind", values={"what": Nominal() as one}) as said) as line,):
            as_many = Attribute("prose.as_many_said", {"amount": amount})
            drawn = replace(one, words=("as_many",), several=True, modifiers=(*one.modifiers, as_many))
            return replace(line, said=replace(said, values={**said.values, "what": drawn}))
    return None


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


def _describes(value: Value, entity: Entity) -> bool:
    """Whether each of several others in turn is described by a clause about an entity."""
    other = value.entity if isinstance(value, Mention) else None
    if other is None or other is entity or not isinstance(other.thing, Nominal) or "every" not in other.thing.words:
        return False
    clauses = (m.values for m in other.thing.modifiers if isinstance(m, Relative))
    return any(entity in mentions(tuple(values.values())) for values in clauses)


def _in_each(said: Said, entity: Entity) -> bool:
    """Whether a sentence can say *each* of a thing: it speaks of it, and not only in an amount."""
    if any(_describes(v, entity) for v in said.values.values()):
        # *Every player who has the most of every kind* is somebody else.
        return False
    amounts = tuple(v for v in said.values.values() if isinstance(v, Nominal) and v.words[:1] == ("as_many",))
    if entity.type.kind == "player" and entity in mentions(amounts) and "player" not in said.values:
        # *As many as every player has* is another number.
        return False
    return entity in mentions(tuple(v for v in said.values.values() if v not in amounts))


def _narrowed(context: Context, body: s.Block, entity: Entity, local: Local) -> Relative | None:
    """For which of several something is done, where nothing else is done and only a condition says so.

    What is done must not change what is asked, since the text asks all of them beforehand.
    """
    match body:
        case (s.If(branches=((asked, block),), otherwise=()),) if local.type.kind != "player":
            if not set(_names(asked)).isdisjoint(_changed(block)) or any(isinstance(n, s.Call) for n in s.walk(block)):
                return None
            clause = relative(entity, context.said_of(entity, asked))
            return clause if clause.message != "prose.holds_for" else None
    return None


def _names(tree: object) -> Iterator[str]:
    for node in s.walk(tree):
        match node:
            case s.Name(text=name) | s.Called(name=name) | s.Indexed(name=name) | s.Of(name=name):
                yield name


def _changed(block: s.Block) -> Iterator[str]:
    """The names of what may be other than before."""
    for node in s.walk(block):
        match node:
            case s.Move(origin=one, target=other) | s.MoveTokens(origin=one, target=other):
                yield from (*_names(one), *_names(other))
            case s.MoveAll(origin=one, target=other):
                yield from (*_names(one), *_names(other))
            case s.Assign(target=goal):
                yield from _names(goal)


def _only_those(said: Said, entity: Entity) -> Said:
    """*Every player who …, the others not*, where something shall hold for each exactly if something else does."""
    match said:
        case Said(message="prose.exactly_if", values={"deed": Said() as deed, "condition": Said() as asked}):
            clause = relative(entity, asked)
            if clause.message == asked.message and isinstance(entity.thing, Nominal):
                entity.thing = replace(entity.thing, modifiers=(*entity.thing.modifiers, clause))
                return Said("prose.only_those", {"deed": deed})
    return said


def for_each(context: Context, statement: s.ForEach) -> tuple[Plan, ...]:
    """What is done for everybody, or everywhere: *every player* as who does it, or a lead."""
    local = context.model.locals[statement.variable]
    domain = statement.domain
    context.account.say(statement, statement.variable)
    asked = s.conjuncts(domain.where)
    ordered = domain.kind in ("from", "after") and domain.first is not None
    start = context.thing(domain.first) if ordered and domain.first is not None else None
    if ordered:
        context.account.say(domain, domain.base, domain.where)
        thing = context.domain(replace(domain, kind="all", first=None), local, asked, ("every",))
    else:
        thing = context.domain(domain, local, asked, ("every",))
    entity = context.refined(local, thing)
    body = statement.body
    narrowed = _narrowed(context, body, entity, local) if not ordered else None
    if narrowed is not None:
        thing = replace(thing, modifiers=(*thing.modifiers, narrowed))
        context.refined(local, thing)
        [only] = body
        assert isinstance(only, s.If)
        context.account.say(only)
        body = only.branches[0][1]
    parts = context.body(body)
    if not parts:
        context.account.unsay(statement, "news", NOTHING)
        return ()
    who = Mention.of(entity)
    if start is not None:
        values: dict[str, Value] = {"start": start, "player": who}
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
    if len(parts) == 1 and isinstance(first, Line) and local.type.kind == "player":
        first = replace(first, said=_only_those(first.said, entity))
    if len(parts) == 1 and isinstance(first, Line) and first.plain and _in_each(first.said, entity):
        return (replace(first, origin=statement, others=(first.origin, *first.others)),)
    if local.type.kind == "player":
        return (Group(Said("prose.does", {"player": who}), parts, statement),)
    return (under(context, Said("prose.for_each", {"what": who}), "prose.for_each_all", parts, statement),)

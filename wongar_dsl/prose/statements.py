"""Statements of rules as a plan of what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from wongar_dsl import syntax as s
from wongar_dsl.model import Local
from wongar_dsl.prose.callers import ask_for_no_place
from wongar_dsl.prose.choices import as_written, at_once, choice
from wongar_dsl.prose.comparisons import opposite
from wongar_dsl.prose.conditions import asked_again
from wongar_dsl.prose.context import Amount, Context, Unsayable, label, spoken_of
from wongar_dsl.prose.deeds import SILENT, assign, fill, set_again, silent, state_of
from wongar_dsl.prose.elided import understood
from wongar_dsl.prose.keeping import ENDED, has_sentence
from wongar_dsl.prose.loops import NOTHING, for_each, repeated, when
from wongar_dsl.prose.plan import Entity, Group, Introduction, Line, Mention, Passage, Plan, Unsaid
from wongar_dsl.prose.reduce import merged
from wongar_dsl.prose.together import STATEMENTS, drawn
from wongar_dsl.prose.told import implied_by, in_one, sentence, told
from wongar_dsl.words import Nominal, Said, Value


def body(context: Context, block: s.Block) -> tuple[Plan, ...]:
    """What is said of statements one after the other."""
    if context.in_short and (whole := in_one(context, block)) is not None:
        return (whole,)
    plans: list[Plan] = []
    at = 0
    while at < len(block):
        found: Plan | None = drawn(context, block[at:])
        taken = STATEMENTS
        if found is None:
            found, taken = _named_and_asked(context, block[at : at + 2]), 2
        if found is not None:
            plans.append(found)
        elif not _only_card(context, block[at], block[at + 1 : at + 2]):
            plans += _planned(context, block[at])
        at += taken if found is not None else 1
    return merged(plans, context.account)


def _named_and_asked(context: Context, block: s.Block) -> Plan | None:
    """*If this is so, that holds:* and what is done then, where a name is given to what is asked right behind it."""
    match block:
        case (
            s.Let(variable=variable, value=value) as let,
            s.If(branches=((s.Name() as asked, then),), otherwise=()) as when_,
        ):
            ref, local = context.ref(asked), context.model.locals[variable]
        case (s.Let() as let, s.If() as when_):
            # Whether it is said together with what is asked hangs on that.
            context.account.hang(let, *(condition for condition, _ in when_.branches))
            return None
        case _:
            return None
    own = f"state.{context.within(local.name)}"
    if ref is None or ref.local is not local or local.type.kind != "truth" or not context.knows(own):
        return None
    context.lets[local], context.held[local] = value, Said(own)
    context.account.say(let, variable, when_, asked)
    try:
        lead = Said("prose.if", {"condition": asked_again(context.condition(value)), "then": Said(own)})
    except Unsayable as missing:
        return Unsaid(missing.node, (let, when_))
    parts = context.body(then)
    context.alike = {}
    return Group(lead, parts, when_)


def _only_card(context: Context, statement: s.Statement, after: s.Block) -> bool:
    """Whether a deck of one card comes to a pile only to be taken from there: then that is the card of the deck."""
    match statement, after:
        case (
            s.Fill(zone=zone, count=None, filling=s.Name(text=deck)),
            (s.Lay(what=s.Of(name="top", owner=pile) as top) | s.Move(what=s.Of(name="top", owner=pile) as top),),
        ) if s.same(zone, pile) and deck in context.model.declared.decks:
            cards = next(a for a in context.model.merged.articles if isinstance(a, s.Deck) and a.name.text == deck)
        case _:
            return False
    # What is said of the one hangs on the other, and on how many cards the deck has.
    context.account.hang(statement, after[0], cards)
    context.account.hang(after[0], statement, cards)
    if context.model.declared.decks[deck].total != 1:
        return False
    context.account.leave(statement, "implied", "its one card is laid at once")
    local = Local(deck, context.kind(top), top)
    context.lets[local] = top
    context.entities[local] = Entity(deck, local.type, Nominal(context.term(deck), ("def",)), given=True)
    return True


def _planned(context: Context, statement: s.Statement) -> tuple[Plan, ...]:
    why = context.overall.needless.get(statement)
    if why is not None and (why != ENDED or has_sentence(context.words, context.model, context.inside[-1])):
        context.account.leave(statement, "implied", why)
        return ()
    try:
        plans = _statement(context, statement)
        if plans and all(isinstance(plan, Group) and not plan.parts for plan in plans):
            # *Four times:* and nothing below it.
            context.account.unsay(statement, "news", NOTHING)
            return ()
        return plans
    except Unsayable as missing:
        return as_written(context, statement, missing)


def _statement(context: Context, statement: s.Statement) -> tuple[Plan, ...]:
    """What the registry has for a statement.  Raises `Unsayable`."""
    say = SAID.get(type(statement))
    if say is None:
        raise Unsayable(statement)
    return say(context, statement)


def _moved(context: Context, statement: s.Telling) -> tuple[Plan, ...]:
    """Something that is moved, in the words of its message if these say all of it."""
    message = statement.told
    plans = told(context, statement, message) if message is not None and message.name is not None else None
    if plans is None:
        context.account.say(statement)
        context.account.leave(message, "news", "only the log says it")
        plans = (Line(silent(context, statement), statement),)
    implied_by(context, statement)
    context.alike = _laid(context, statement)
    # What lay on top before does not lie there any more.
    context.forget_ends()
    return plans


def _laid(context: Context, statement: s.Telling) -> Mapping[s.Expression, Entity]:
    """A card that was just laid somewhere: what lies there is *this* card."""
    match statement:
        case s.Lay(target=s.Name(text=layout), area=area) if layout in context.model.declared.zones:
            cards = context.model.declared.zones[layout].holds
            this = Entity("card", cards, Nominal(context.term(cards.name), ("this",)), given=True)
            return {s.Indexed(statement.span, layout, (area,)): this}
    return {}


def _let(context: Context, statement: s.Let) -> tuple[Plan, ...]:
    context.account.say(statement, statement.variable)
    return _named(context, statement, context.model.locals[statement.variable], statement.value)


def _fill(context: Context, statement: s.Fill) -> tuple[Plan, ...]:
    context.account.say(statement)
    return (Line(fill(context, statement.zone, statement.count, statement.filling), statement),)


def _perform(context: Context, statement: s.Perform) -> tuple[Plan, ...]:
    card, where = statement.card, statement.place
    context.account.say(statement)
    values: dict[str, Value] = {"player": context.thing(statement.player), "what": context.thing(card)}
    if where is not None and _asks_for_no_place(context, where, card):
        context.account.leave(where, "implied", "none of these cards asks where it is carried out")
    elif where is not None:
        return (Line(Said("prose.performs_at", {**values, "place": context.thing(where)}), statement),)
    return (Line(Said("prose.performs", values), statement),)


def _named(context: Context, statement: s.Let, local: Local, value: s.Expression) -> tuple[Plan, ...]:
    """A name for something: it is said where it is used, unless it is drawn by lot, which happens once."""
    own = context.within(local.name)
    again = set_again(context, local)
    truth = local.type.kind == "truth"
    late = context.late(local, value, context.overall.behind[statement])
    if statement in context.unasked:
        late = ()
    context.account.hang(statement, *again, *late)
    changes = bool(again or late)
    if not changes:
        context.lets[local] = value
    if late:
        context.kept.add(statement)
    if truth:
        if context.knows(f"state.{own}") or changes:
            context.held[local] = clause = state_of(context, local)
            if isinstance(value, s.Truth):
                context.account.say(value)
                return (Line(clause if value.value else opposite(context, clause), statement),)
            message = "prose.kept_if" if late else "prose.exactly_if" if again else "prose.means"
            holds = Said(message, {"deed": clause, "condition": context.condition(value)})
            return (Line(holds, statement, plain=False),)
        context.account.leave(value, "folded", "it is said where it is asked")
        context.quiet.add(statement)
        return ()
    thing = context.value(value)
    if context.has_term(own) or changes:
        if context.has_term(own):
            known = context.given((context.inside[-1].name.text,), local)
        else:
            known = _called_as_written(context, local)
        if context.knows(f"first.{own}"):
            return (Line(Said(f"first.{own}", {"value": thing}), statement),)
        # A thing that has a name of its own is pointed at where it is named; a number may be counted once more.
        keeps = late and (local.type.kind == "number" or not context.has_term(own))
        message = "prose.at_first" if again else _kept_as(local) if keeps else "prose.amounts_to"
        return (Line(Said(message, {"what": Mention.of(known), "value": thing}), statement),)
    if isinstance(thing, Mention) and (known_already := spoken_of(thing)) is not None:
        # Who or what is known already, under another name.
        context.entities[local] = known_already
        context.quiet.add(statement)
        return ()
    if not isinstance(thing, Introduction) or thing.entity is None:
        context.bound(local, thing)
        context.quiet.add(statement)
        return ()
    context.entities[local] = entity = thing.entity
    match value:
        case s.Quantified(kind="first", domain=s.Domain(kind="from", first=s.Node() as start, extreme=str())) if (
            local.type.kind == "player"
        ):
            # Who has most, and in a tie who comes first.
            rest = tuple(m for m in thing.modifiers if m.message != "prose.clockwise_from")
            entity.thing = replace(thing, words=("def",), modifiers=rest)
            found: dict[str, Value] = {"what": Mention.of(entity), "start": context.value(start)}
            return (Line(Said("prose.finds_first", found), statement),)
    if not isinstance(value, s.Quantified) or value.kind != "random":
        context.quiet.add(statement)
        return ()
    weights = [m.values for m in thing.modifiers if m.message == "prose.weighted"]
    rest = tuple(m for m in thing.modifiers if m.message != "prose.weighted")
    words = tuple(word for word in thing.words if word not in ("random", "chance"))
    entity.thing = replace(thing, words=words, modifiers=rest)
    drawn: dict[str, Value] = {"what": Mention.of(entity), **(weights[0] if weights else {})}
    return (Line(Said("prose.by_lot_weighted" if weights else "prose.by_lot", drawn), statement),)


def _called_as_written(context: Context, local: Local) -> Entity:
    """The value of a name that no word is known for: *the number “before”*."""
    known = context.bound(local, Nominal(context.term(context.sort(local.type)[0]), ("def",), (label(local),)))
    known.given = True
    return known


def _kept_as(local: Local) -> str:
    """The message that gives a name to a value as it is at this moment; an amount need not agree with the number."""
    return "prose.kept_number" if local.type.kind == "number" else "prose.kept"


def _tell(context: Context, statement: s.Tell) -> tuple[Plan, ...]:
    """News need not be said, unless there is a sentence for the rule."""
    message = statement.told
    name = sentence(context, message)
    if name == message.name:
        context.account.leave(statement, "news", "only the log says it")
        return ()
    context.account.say(statement, message)
    slots = context.words.slots(name, context.model.scope)
    values: dict[str, Value] = {}
    for argument in message.arguments:
        if argument.name in slots:
            values[argument.name] = context.value(argument.value)
            context.account.say(argument)
        else:
            context.account.leave(argument, "news", "only the log says it")
    return (Line(Said(name, values), statement),)


def _asks_for_no_place(context: Context, where: s.Expression, card: s.Expression) -> bool:
    ref = context.ref(card)
    return ref is not None and ask_for_no_place(context, where, ref.local)


# ---- rules that are called -----------------------------------------------------------------------------------------


def _call(context: Context, statement: s.Call) -> tuple[Plan, ...]:
    """Another rule, by its sentence; without one, what it says."""
    call = statement.call
    context.account.say(statement, call)
    if not isinstance(call, s.Called):
        raise Unsayable(statement)
    rule = context.model.code.rules.get(call.name)
    if rule is None:
        raise Unsayable(statement)
    locals_ = context.model.parameters.get(rule, ())
    own = f"rule.{call.name}"
    if context.knows(own) and understood(context, own, locals_, call.arguments):
        slots = context.words.slots(own, context.model.scope)
        values: dict[str, Value] = {}
        for local, argument in zip(locals_, call.arguments, strict=True):
            acts = local.type.kind == "player" and "player" in slots and "player" not in values
            if local.name not in slots and not acts:
                context.account.leave(argument, "implied", "the rule is about that")
                continue
            found = context.value(argument)
            if local.name in slots:
                values[local.name] = found
            if local.type.kind == "player":
                # Whom the sentence is about, under the name that messages have for that.
                values.setdefault("player", found)
        return (Line(Said(own, values), statement),)
    given: dict[Local, Amount] = {}
    kept: list[Plan] = []
    for local, argument in zip(locals_, call.arguments, strict=True):
        truth = local.type.kind == "truth"
        if late := context.late(local, argument, rule.body):
            context.account.hang(statement, *late)
            kept.append(_kept(context, statement, local, argument))
        elif truth:
            context.lets[local] = argument
        else:
            given[local] = context.value(argument)
    with context.written_out(rule, statement, given):
        parts = (*kept, *context.body(rule.body))
    return parts if len(parts) < 2 else (Passage(parts, rule),)


def _kept(context: Context, statement: s.Call, local: Local, argument: s.Expression) -> Line:
    """What a rule that is written out is asked of, where that changes before the rule asks for it."""
    if local.type.kind == "truth":
        context.held[local] = clause = state_of(context, local)
        condition = context.condition(argument)
        return Line(Said("prose.kept_if", {"deed": clause, "condition": condition}), statement, plain=False)
    value = context.value(argument)
    what = Mention.of(_called_as_written(context, local))
    return Line(Said(_kept_as(local), {"what": what, "value": value}), statement)


# ---- what ends something -------------------------------------------------------------------------------------------


def _give(context: Context, statement: s.Give) -> tuple[Plan, ...]:
    value = statement.value
    context.account.say(statement)
    if context.kind(value).kind == "truth":
        return (Line(Said("prose.gives_if", {"condition": context.condition(value)}), statement, plain=False),)
    own = f"gives.{context.inside[-1].name.text}" if context.inside else ""
    message = own if context.knows(own) else "prose.gives"
    return (Line(Said(message, {"what": context.value(value)}), statement),)


def _wins(context: Context, statement: s.Wins) -> tuple[Plan, ...]:
    context.account.say(statement)
    if isinstance(statement.player, s.Nobody):
        context.account.say(statement.player)
        return (Line(Said("prose.nobody_wins"), statement),)
    return (Line(Said("prose.wins", {"player": context.thing(statement.player)}), statement),)


def _simple(context: Context, statement: s.Simple) -> tuple[Plan, ...]:
    context.account.say(statement)
    if statement.word in ("impossible", "nothing"):
        context.account.leave(statement, "folded", "nothing is done")
        return ()
    message = f"prose.{statement.word.replace(' ', '_')}"
    if not context.knows(message):
        raise Unsayable(statement)
    return (Line(Said(message), statement),)


# ---- the registry --------------------------------------------------------------------------------------------------

#: Verbaliser of each statement. A statement that is not listed is printed as rule text.
SAID: Mapping[type[s.StatementNode], Callable[[Context, Any], tuple[Plan, ...]]] = {
    s.If: when,
    s.Repeat: repeated,
    s.ForEach: for_each,
    s.Choose: choice,
    s.ChooseSimultaneously: at_once,
    s.Let: _let,
    s.Assign: assign,
    s.Fill: _fill,
    s.Perform: _perform,
    s.Call: _call,
    s.Tell: _tell,
    s.Give: _give,
    s.Wins: _wins,
    s.Simple: _simple,
    **dict.fromkeys(SILENT, _moved),
}

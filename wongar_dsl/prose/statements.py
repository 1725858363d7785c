"""Sentence plans for statements."""

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
    """Plan the statements of a block."""
    if context.in_short and (whole := in_one(context, block)) is not None:
        return (whole,)
    plans: list[Plan] = []
    index = 0
    while index < len(block):
        plan: Plan | None = drawn(context, block[index:])
        consumed = STATEMENTS
        if plan is None:
            plan, consumed = _named_and_asked(context, block[index : index + 2]), 2
        if plan is not None:
            plans.append(plan)
        elif not _only_card(context, block[index], block[index + 1 : index + 2]):
            plans += _planned(context, block[index])
        index += consumed if plan is not None else 1
    return merged(plans, context.account)


def _named_and_asked(context: Context, block: s.Block) -> Plan | None:
    """Plan a named condition that is tested at once as *if this is so, that holds:*, or return None."""
    match block:
        case (
            s.Let(variable=variable, value=value) as let,
            s.If(branches=((s.Name() as asked, then),), otherwise=()) as when_,
        ):
            ref, local = context.ref(asked), context.model.locals[variable]
        case (s.Let() as let, s.If() as when_):
            # The combination depends on the condition.
            context.account.hang(let, *(condition for condition, _ in when_.branches))
            return None
        case _:
            return None
    message = f"state.{context.within(local.name)}"
    if ref is None or ref.local is not local or local.type.kind != "truth" or not context.knows(message):
        return None
    context.lets[local], context.held[local] = value, Said(message)
    context.account.say(let, variable, when_, asked)
    try:
        lead = Said("prose.if", {"condition": asked_again(context.condition(value)), "then": Said(message)})
    except Unsayable as missing:
        return Unsaid(missing.node, (let, when_))
    parts = context.body(then)
    context.alike = {}
    return Group(lead, parts, when_)


def _only_card(context: Context, statement: s.Statement, after: s.Block) -> bool:
    """Record that a deck with one card is only moved to a pile to be taken from it; return whether this applies."""
    match statement, after:
        case (
            s.Fill(zone=zone, count=None, filling=s.Name(text=deck)),
            (s.Lay(what=s.Of(name="top", owner=pile) as top) | s.Move(what=s.Of(name="top", owner=pile) as top),),
        ) if s.same(zone, pile) and deck in context.model.declared.decks:
            cards = next(a for a in context.model.merged.articles if isinstance(a, s.Deck) and a.name.text == deck)
        case _:
            return False
    # The texts of both statements depend on each other and on the size of the deck.
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
            # A lead without content, such as *four times:*.
            context.account.unsay(statement, "news", NOTHING)
            return ()
        return plans
    except Unsayable as missing:
        return as_written(context, statement, missing)


def _statement(context: Context, statement: s.Statement) -> tuple[Plan, ...]:
    """Plan a statement with its registered verbaliser. Raises `Unsayable`."""
    say = SAID.get(type(statement))
    if say is None:
        raise Unsayable(statement)
    return say(context, statement)


def _moved(context: Context, statement: s.Telling) -> tuple[Plan, ...]:
    """Plan a movement, with its own message if that covers the whole effect."""
    message = statement.told
    plans = told(context, statement, message) if message is not None and message.name is not None else None
    if plans is None:
        context.account.say(statement)
        context.account.leave(message, "news", "only the log says it")
        plans = (Line(silent(context, statement), statement),)
    implied_by(context, statement)
    context.alike = _laid(context, statement)
    # The previous top card may have changed.
    context.forget_ends()
    return plans


def _laid(context: Context, statement: s.Telling) -> Mapping[s.Expression, Entity]:
    """Return a substitute for the content of a place where a card was just laid: *this* card."""
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
    """Plan a binding: the value is mentioned where it is used, except for a random one, which is drawn once."""
    key = context.within(local.name)
    reassigned = set_again(context, local)
    truth = local.type.kind == "truth"
    late = context.late(local, value, context.overall.behind[statement])
    if statement in context.unasked:
        late = ()
    context.account.hang(statement, *reassigned, *late)
    changes = bool(reassigned or late)
    if not changes:
        context.lets[local] = value
    if late:
        context.kept.add(statement)
    if truth:
        if context.knows(f"state.{key}") or changes:
            context.held[local] = clause = state_of(context, local)
            if isinstance(value, s.Truth):
                context.account.say(value)
                return (Line(clause if value.value else opposite(context, clause), statement),)
            message = "prose.kept_if" if late else "prose.exactly_if" if reassigned else "prose.means"
            holds = Said(message, {"deed": clause, "condition": context.condition(value)})
            return (Line(holds, statement, plain=False),)
        context.account.leave(value, "folded", "it is said where it is asked")
        context.quiet.add(statement)
        return ()
    thing = context.value(value)
    if context.has_term(key) or changes:
        if context.has_term(key):
            named = context.given((context.inside[-1].name.text,), local)
        else:
            named = _called_as_written(context, local)
        if context.knows(f"first.{key}"):
            return (Line(Said(f"first.{key}", {"value": thing}), statement),)
        # A named thing is referred to where it is named; a number may be counted again.
        keeps = late and (local.type.kind == "number" or not context.has_term(key))
        message = "prose.at_first" if reassigned else _kept_as(local) if keeps else "prose.amounts_to"
        return (Line(Said(message, {"what": Mention.of(named), "value": thing}), statement),)
    if isinstance(thing, Mention) and (known_already := spoken_of(thing)) is not None:
        # A known entity under another name.
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
            # The greatest value, with ties broken by turn order.
            rest = tuple(m for m in thing.modifiers if m.message != "prose.clockwise_from")
            entity.thing = replace(thing, words=("def",), modifiers=rest)
            values: dict[str, Value] = {"what": Mention.of(entity), "start": context.value(start)}
            return (Line(Said("prose.finds_first", values), statement),)
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
    """Bind a name without a term to a quoted name: *the number “before”*."""
    entity = context.bound(local, Nominal(context.term(context.sort(local.type)[0]), ("def",), (label(local),)))
    entity.given = True
    return entity


def _kept_as(local: Local) -> str:
    """Return the message that retains a current value under a name; other amounts do not agree with a number."""
    return "prose.kept_number" if local.type.kind == "number" else "prose.kept"


def _tell(context: Context, statement: s.Tell) -> tuple[Plan, ...]:
    """Plan an event statement, which is only verbalised if it has a rule text."""
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
    """Plan a call: its sentence, or else the inlined rule."""
    call = statement.call
    context.account.say(statement, call)
    if not isinstance(call, s.Called):
        raise Unsayable(statement)
    rule = context.model.code.rules.get(call.name)
    if rule is None:
        raise Unsayable(statement)
    locals_ = context.model.parameters.get(rule, ())
    message = f"rule.{call.name}"
    if context.knows(message) and understood(context, message, locals_, call.arguments):
        slots = context.words.slots(message, context.model.scope)
        values: dict[str, Value] = {}
        for local, argument in zip(locals_, call.arguments, strict=True):
            acts = local.type.kind == "player" and "player" in slots and "player" not in values
            if local.name not in slots and not acts:
                context.account.leave(argument, "implied", "the rule is about that")
                continue
            value = context.value(argument)
            if local.name in slots:
                values[local.name] = value
            if local.type.kind == "player":
                # The subject of the sentence, in the slot that messages use for it.
                values.setdefault("player", value)
        return (Line(Said(message, values), statement),)
    bindings: dict[Local, Amount] = {}
    retained: list[Plan] = []
    for local, argument in zip(locals_, call.arguments, strict=True):
        truth = local.type.kind == "truth"
        if late := context.late(local, argument, rule.body):
            context.account.hang(statement, *late)
            retained.append(_kept(context, statement, local, argument))
        elif truth:
            context.lets[local] = argument
        else:
            bindings[local] = context.value(argument)
    with context.written_out(rule, statement, bindings):
        parts = (*retained, *context.body(rule.body))
    return parts if len(parts) < 2 else (Passage(parts, rule),)


def _kept(context: Context, statement: s.Call, local: Local, argument: s.Expression) -> Line:
    """Plan the retention of an inlined rule's argument that changes before its use."""
    if local.type.kind == "truth":
        context.held[local] = clause = state_of(context, local)
        condition = context.condition(argument)
        return Line(Said("prose.kept_if", {"deed": clause, "condition": condition}), statement, plain=False)
    value = context.value(argument)
    noun = Mention.of(_called_as_written(context, local))
    return Line(Said(_kept_as(local), {"what": noun, "value": value}), statement)


# ---- results and endings -------------------------------------------------------------------------------------------


def _give(context: Context, statement: s.Give) -> tuple[Plan, ...]:
    value = statement.value
    context.account.say(statement)
    if context.kind(value).kind == "truth":
        return (Line(Said("prose.gives_if", {"condition": context.condition(value)}), statement, plain=False),)
    custom = f"gives.{context.inside[-1].name.text}" if context.inside else ""
    message = custom if context.knows(custom) else "prose.gives"
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

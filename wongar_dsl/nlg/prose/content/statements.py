"""Sentence plans for statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import always_ends_game, ends_block, is_followed
from wongar_dsl.language.semantics import Local
from wongar_dsl.nlg.prose.content.choices import as_written, choice, end_of_rule, simultaneous_choice
from wongar_dsl.nlg.prose.content.comparisons import opposite, speaks_of
from wongar_dsl.nlg.prose.content.conditions import restate, without_tie
from wongar_dsl.nlg.prose.content.control_flow import NOTHING, conditional, for_each, loop
from wongar_dsl.nlg.prose.content.effects import (
    EFFECT_VERBALISERS,
    assign,
    fill,
    mark_origin_implied,
    message_sentence,
    reassignments_of,
    rulebook_message,
    single_message_sentence,
    state_of,
)
from wongar_dsl.nlg.prose.content.noun_phrases import place
from wongar_dsl.nlg.prose.content.values import exits, ignores_place
from wongar_dsl.nlg.prose.context import Amount, NotVerbalisable, ProseContext, known_entity, label
from wongar_dsl.nlg.prose.game_facts import ENDED, IDLE, has_sentence
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Entity,
    Introduction,
    Mention,
    Message,
    Passage,
    Plan,
    PlanGroup,
    PlanLine,
    VerbatimRule,
    Why,
    sentences,
)
from wongar_dsl.nlg.prose.micro.simplify import is_recoverable, merge_sentences
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Sentence, Value


def _exchange(context: ProseContext, statements: s.Block) -> PlanLine | None:
    """Return the sentence for two cards that change places by way of a third place, or None.

    Only a slot is both a card and a place by its name. It has room for one card, so it is empty before and after.
    """
    match statements:
        case (
            s.Move(what=one, origin=None, target=s.Name() as aside),
            s.Move(what=other, origin=None, target=vacated),
            s.Move(what=back, origin=None, target=goal) as last,
        ):
            pass
        case _:
            return None
    for statement in statements:
        context.log.depends_on(statement, *(node for node in statements if node is not statement))
    crossed = s.same(one, vacated) and s.same(other, goal) and s.same(aside, back)
    if not crossed or any(s.same(*pair) for pair in combinations((one, other, aside), 2)):
        return None
    try:
        sentence = Sentence("prose.exchanged", {"cards": Listing((context.value(one), context.value(other)))})
    except NotVerbalisable:
        return None
    for statement in statements:
        context.log.omit(statement, "said", "")
    context.invalidate_pile_ends()
    return PlanLine(sentence, last, others=statements[:-1])


def _blind_draw(context: ProseContext, block: s.Block) -> PlanLine | None:
    """Return the sentence for three statements that draw a token from all bags at random, or None.

    The statements choose an owner and then a kind, each in proportion to the number of tokens. This gives every token
    the same probability.
    """
    match block:
        case (
            s.Let(variable=whose, value=s.Quantified(kind="random", variable=player, domain=everybody) as first),
            s.Let(variable=which, value=s.Quantified(kind="random", variable=sort, domain=kinds) as second),
            s.MoveTokens(count=s.Number(value=1), kind=s.Name() as moved, origin=s.Of() as bag, target=goal) as move,
            *later,
        ):
            pass
        case _:
            return None
    locals_ = context.model.locals
    owner, kind = locals_[whose], locals_[which]
    size, number = first.value, second.value
    per_size = (
        isinstance(size, s.Of) and size.name == "size" and s.same(size.owner, replace(bag, owner=_named_by(player)))
    )
    per_number = s.same(number, s.Indexed(bag.span, bag.name, (_named_by(whose), _named_by(sort))))
    if not (
        _whole(everybody, context, locals_[player])
        and _whole(kinds, context, locals_[sort])
        and context.ref(moved).local is kind
        and (context.ref(bag.owner).local is owner and per_size and per_number)
        and not speaks_of(context, (goal, *later), kind)
        and not speaks_of(context, tuple(later), owner)
    ):
        return None
    for part in block[:3]:
        context.log.omit(part, "said", "")
    players = NounPhrase(context.term("player"), ("every",), several=True)
    theirs = (Attribute(Message.OF_OWNER, {"owner": players}),)
    bags = NounPhrase(context.term(bag.name), ("def",), theirs, several=True)
    token = NounPhrase(context.term(kind.type.name), ("indef",))
    context.bind_new(owner, players)
    sentence = Sentence(Message.DRAWN_BLIND, {"what": token, "from": bags, "to": place(context, goal)})
    return PlanLine(sentence, move, others=block[:2])


def _whole(domain: s.Domain, context: ProseContext, local: Local) -> bool:
    """Return whether a domain is a whole type: all players, all kinds."""
    ref = context.ref(domain.base)
    plain = domain.kind == "all" and domain.where is None and domain.extreme is None
    return plain and ref.kind == "type" and local.type.kind in ("player", "enum")


def _named_by(word: s.Word) -> s.Name:
    return s.Name(word.span, word.text)


def body(context: ProseContext, block: s.Block) -> tuple[Plan, ...]:
    """Plan the statements of a block."""
    if context.in_short and (whole := single_message_sentence(context, block)) is not None:
        return (whole,)
    plans: list[Plan] = []
    index = 0
    while index < len(block):
        consumed = 1
        idiom = _exchange(context, block[index : index + 3]) or _blind_draw(context, block[index:])
        if idiom is not None:
            plans.append(idiom)
            consumed = 3
        elif (named := _named_and_asked(context, block[index : index + 2])) is not None:
            plans.append(named)
            consumed = 2
        elif isinstance(block[index], s.If) and context.exits.get(block[index]) == "last":
            plans += _planned(context, block[index], block[index + 1 :])
            break
        elif not _only_card(context, block[index], block[index + 1 : index + 2]):
            with nullcontext() if isinstance(block[index], s.Let) else context.scope():
                plans += _planned(context, block[index])
        index += consumed
        if ends_block(block[index - 1]):
            for statement in block[index:]:
                context.log.omit(statement, "folded", "it does not come to that")
            break
    return merge_sentences(plans, context.log, context.facts.freshness.effects.is_computed_from)


def _named_and_asked(context: ProseContext, block: s.Block) -> Plan | None:
    """Plan a named condition that is tested at once as *if this is so, that holds:*, or return None."""
    match block:
        case (
            s.Let(variable=variable, value=value) as let,
            s.If(branches=((s.Name() as asked, then),), otherwise=()) as when_,
        ) if when_ not in context.exits:
            ref, local = context.ref(asked), context.model.locals[variable]
        case (s.Let() as let, s.If() as when_):
            # The combination depends on the condition.
            context.log.depends_on(let, *(condition for condition, _ in when_.branches))
            return None
        case _:
            return None
    message = f"state.{context.local_term_key(local.name)}"
    if ref.local is not local or local.type.kind != "truth" or not context.has_message(message):
        return None
    context.lets[local], context.truth_clauses[local] = value, Sentence(message)
    context.log.mark_said(let, variable, when_, asked)
    try:
        lead = Sentence(Message.IF, {"condition": restate(context.condition(value)), "then": Sentence(message)})
    except NotVerbalisable as missing:
        return VerbatimRule(missing.node, (let, when_))
    parts = context.body(then)
    context.substitutes = {}
    return PlanGroup(lead, parts, when_)


def _only_card(context: ProseContext, statement: s.Statement, after: s.Block) -> bool:
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
    context.log.depends_on(statement, after[0], cards)
    context.log.depends_on(after[0], statement, cards)
    if context.model.declared.decks[deck].total != 1:
        return False
    context.log.omit(statement, "implied", "its one card is laid at once")
    local = Local(deck, context.kind(top), top)
    context.lets[local] = top
    context.entities[local] = Entity(deck, local.type, NounPhrase(context.term(deck), ("def",)), given=True)
    return True


def _planned(context: ProseContext, statement: s.Statement, rest: s.Block = ()) -> tuple[Plan, ...]:
    why = _why_redundant(context, statement)
    if why is not None:
        context.log.omit(statement, "implied", why)
        return context.body(rest)
    try:
        plans = conditional(context, statement, rest) if isinstance(statement, s.If) else _statement(context, statement)
        context.end_ambiguous_substitutes(Listing((*sentences(plans),)))
        if plans and all(isinstance(plan, PlanGroup) and not plan.parts for plan in plans):
            # A lead without content, such as *four times:*.
            context.log.retract(statement, "news", NOTHING)
            return ()
        return plans
    except NotVerbalisable as missing:
        if rest:
            # A quoted condition does not take in what follows it.
            inner = (node for node in s.walk(statement) if node in context.exits)
            context.exits = {**context.exits, **dict.fromkeys(inner, "within")}
        return (*as_written(context, statement, missing), *context.body(rest))


def _why_redundant(context: ProseContext, statement: s.Statement) -> Why | None:
    """Return why the text may omit an assignment, or None.

    For how long a truth value holds, and what makes it hold, is told by the game's own words for it, unless a
    substitute has replaced them.
    """
    why = context.facts.redundant.get(statement)
    if why is None or why == IDLE:
        return why
    truths = {v.name for v in context.model.declared.remembered.values() if v.type.kind == "truth"}
    set_here = truths & context.facts.reset_index.reset_values(statement)
    if not all(context.words.has_usual(f"state.{name}", context.model.scope) for name in set_here):
        return None
    return why if why != ENDED or has_sentence(context.words, context.model, context.inside[-1]) else None


def _statement(context: ProseContext, statement: s.Statement) -> tuple[Plan, ...]:
    """Plan a statement with its registered verbaliser. Raises `NotVerbalisable`."""
    verbaliser = STATEMENT_VERBALISERS.get(type(statement))
    if verbaliser is None:
        raise NotVerbalisable(statement)
    context.log.mark_said(statement)
    return verbaliser(context, statement)


def _moved(context: ProseContext, statement: s.EventStatement) -> tuple[Plan, ...]:
    """Plan a movement, with its own message if that covers the whole effect."""
    message = statement.message
    plans = message_sentence(context, statement, message) if message is not None and message.name is not None else None
    if plans is None:
        context.log.omit(message, "news", "only the log says it")
        plans = (PlanLine(EFFECT_VERBALISERS[type(statement)](context, statement), statement),)
    mark_origin_implied(context, statement)
    context.substitutes = _laid(context, statement)
    # The previous top card may have changed.
    context.invalidate_pile_ends()
    return plans


def _laid(context: ProseContext, statement: s.EventStatement) -> Mapping[s.Expression, Entity]:
    """Return a substitute for the content of a place where a card was just laid: *this* card."""
    match statement:
        case s.Lay(target=s.Name(text=layout), area=area) if layout in context.model.declared.zones:
            cards = context.model.declared.zones[layout].holds
            this = Entity("card", cards, NounPhrase(context.term(cards.name), ("this",)), given=True)
            return {s.Indexed(statement.span, layout, (area,)): this}
    return {}


def _fill(context: ProseContext, statement: s.Fill) -> tuple[Plan, ...]:
    return (PlanLine(fill(context, statement.zone, statement.count, statement.filling), statement),)


def _perform(context: ProseContext, statement: s.Perform) -> tuple[Plan, ...]:
    card, where = statement.card, statement.place
    values: dict[str, Value] = {"player": context.thing(statement.player), "what": context.thing(card)}
    if where is not None and ignores_place(context, where, context.ref(card).local):
        context.log.omit(where, "implied", "none of these cards asks where it is carried out")
    elif where is not None:
        return (PlanLine(Sentence(Message.PERFORMS_AT, {**values, "place": context.thing(where)}), statement),)
    return (PlanLine(Sentence(Message.PERFORMS, values), statement),)


def _let(context: ProseContext, statement: s.Let) -> tuple[Plan, ...]:
    """Plan a binding: the value is mentioned where it is used, except for a random one, which is drawn once."""
    local, value = context.model.locals[statement.variable], statement.value
    key = context.local_term_key(local.name)
    reassigned = reassignments_of(context, local)
    truth = local.type.kind == "truth"
    late = context.late_changes(local, value, context.facts.following[statement])
    if statement in context.unused:
        late = ()
    context.log.depends_on(statement, *reassigned, *late)
    changes = bool(reassigned or late)
    if not changes:
        context.lets[local] = value
    if late:
        context.retained.add(statement)
    if truth:
        if context.has_message(f"state.{key}") or changes:
            context.truth_clauses[local] = clause = state_of(context, local)
            if isinstance(value, s.Truth):
                context.log.mark_said(value)
                return (PlanLine(clause if value.value else opposite(context, clause), statement),)
            message = "prose.kept_if" if late else Message.EXACTLY_IF if reassigned else Message.MEANS
            holds = Sentence(message, {"deed": clause, "condition": context.condition(value)})
            return (PlanLine(holds, statement, plain=False),)
        context.log.omit(value, "folded", "it is said where it is asked")
        context.quiet.add(statement)
        return ()
    thing = context.value(value)
    if context.has_term(key) or changes or _needs_a_sentence(context, local, thing, context.facts.following[statement]):
        if context.has_term(key):
            named = context.given_parameter((context.inside[-1].name.text,), local)
        else:
            named = _called_as_written(context, local)
        if isinstance(thing, Introduction):
            # From now on the value has the name that it is given.
            thing.entity.passing = True
        if context.has_message(f"first.{key}"):
            return (PlanLine(Sentence(f"first.{key}", {"value": thing}), statement),)
        # A named thing is referred to where it is named; a number may be counted again.
        keeps = late and (local.type.kind == "number" or not context.has_term(key))
        message = "prose.at_first" if reassigned else _kept_as(local) if keeps else Message.AMOUNTS_TO
        return (PlanLine(Sentence(message, {"what": Mention.of(named), "value": thing}), statement),)
    if isinstance(thing, Mention) and (known_already := known_entity(thing)) is not None:
        # A known entity under another name.
        context.entities[local] = known_already
        if isinstance(value, s.Quantified):
            known_already.name = local.name
        context.quiet.add(statement)
        return ()
    if not isinstance(thing, Introduction):
        context.bind_new(local, thing)
        context.quiet.add(statement)
        return ()
    context.entities[local] = entity = thing.entity
    entity.name = local.name
    match value:
        case s.Quantified(kind="first", domain=s.Domain(kind="from", first=s.Node() as start, extreme=str())) if (
            local.type.kind == "player"
        ):
            # The greatest value, with ties broken by turn order.
            entity.thing = replace(thing, modifiers=without_tie(thing.modifiers))
            values: dict[str, Value] = {"what": Mention.of(entity), "start": context.value(start)}
            return (PlanLine(Sentence(Message.FINDS_FIRST, values), statement),)
    if not isinstance(value, s.Quantified) or value.kind != "random":
        context.quiet.add(statement)
        return ()
    weights = [m.values for m in thing.modifiers if m.message == Message.WEIGHTED]
    rest = tuple(m for m in thing.modifiers if m.message != Message.WEIGHTED)
    words = tuple(word for word in thing.words if word not in ("random", "chance"))
    entity.thing = replace(thing, words=words, modifiers=rest)
    drawn: dict[str, Value] = {"what": Mention.of(entity), **(weights[0] if weights else {})}
    return (PlanLine(Sentence("prose.by_lot_weighted" if weights else Message.BY_LOT, drawn), statement),)


def _needs_a_sentence(context: ProseContext, local: Local, thing: Amount, behind: s.Block) -> bool:
    """Return whether a condition asks about a named thing whose phrase ends in a remark, which would interrupt it."""
    if not isinstance(thing, Introduction) or not any(isinstance(m, Attribute) and m.last for m in thing.modifiers):
        return False
    use = next((statement for statement in behind if speaks_of(context, statement, local)), None)
    return isinstance(use, s.If) and speaks_of(context, use.branches[0][0], local)


def _called_as_written(context: ProseContext, local: Local) -> Entity:
    """Bind a name without a term to a quoted name: *the number “before”*."""
    noun = context.term(context.noun_and_determiner(local.type)[0])
    entity = context.bind_new(local, NounPhrase(noun, ("def",), (label(local),)))
    entity.given = True
    return entity


def _kept_as(local: Local) -> str:
    """Return the message that retains a current value under a name; other amounts do not agree with a number."""
    return "prose.kept_number" if local.type.kind == "number" else "prose.kept"


def _tell(context: ProseContext, statement: s.Tell) -> tuple[Plan, ...]:
    """Plan an event statement, which is only verbalised if it has a rule text or shows something hidden."""
    message = statement.message
    name = rulebook_message(context, message)
    has_rule = name != message.name
    slots = context.words.slots(name, context.model.scope) if has_rule else frozenset[str]()
    told = [a for a in message.arguments if (a.name in slots if has_rule else a in context.facts.revealed)]
    if not told and not has_rule:
        context.log.retract(statement, "news", "only the log says it")
        return ()
    for argument in message.arguments:
        if argument not in told:
            context.log.omit(argument, "news", "only the log says it")
    context.log.mark_said(message, *told)
    values = {argument.name: context.value(argument.value) for argument in told}
    if has_rule:
        return (PlanLine(Sentence(name, values), statement),)
    shown = tuple(values.values())
    what = shown[0] if len(shown) == 1 else Listing(shown)
    return (PlanLine(Sentence("prose.becomes_known", {"what": what}), statement),)


# ---- rules that are called -----------------------------------------------------------------------------------------


def _call(context: ProseContext, statement: s.Call) -> tuple[Plan, ...]:
    """Plan a call: its sentence, or else the inlined rule."""
    call = statement.call
    context.log.mark_said(call)
    rule = context.model.code.rules.get(call.name) if isinstance(call, s.Called) else None
    if not isinstance(call, s.Called) or rule is None:
        raise NotVerbalisable(statement)
    locals_ = context.model.parameters.get(rule, ())
    message = f"rule.{call.name}"
    if context.has_message(message) and is_recoverable(context, message, locals_, call.arguments):
        slots = context.words.slots(message, context.model.scope)
        values: dict[str, Value] = {}
        for local, argument in zip(locals_, call.arguments, strict=True):
            acts = local.type.kind == "player" and "player" in slots and "player" not in values
            if local.name not in slots and not acts:
                context.log.omit(argument, "implied", "the rule is about that")
                continue
            value = context.value(argument)
            if local.name in slots:
                values[local.name] = value
            if local.type.kind == "player":
                # The subject of the sentence, in the slot that messages use for it.
                values.setdefault("player", value)
        return (PlanLine(Sentence(message, values), statement), *_over(context, rule, statement))
    bindings: dict[Local, Amount] = {}
    retained: list[Plan] = []
    for local, argument in zip(locals_, call.arguments, strict=True):
        truth = local.type.kind == "truth"
        if late := context.late_changes(local, argument, rule.body):
            context.log.depends_on(statement, *late)
            retained.append(_kept(context, statement, local, argument))
        elif truth:
            context.lets[local] = argument
        else:
            bindings[local] = context.value(argument)
    with context.write_out(rule, statement, bindings):
        ends = dict(exits(rule.body))
        context.exits = {**context.exits, **ends}
        parts = context.body(rule.body)
        if any(context.exits[node] == "within" and context.log.fates.get(node) == ("said", "") for node in ends):
            parts = (PlanGroup(Sentence("prose.steps"), parts, statement),)
        parts = (*retained, *parts)
    return parts if len(parts) < 2 else (Passage(parts, rule),)


def _over(context: ProseContext, rule: s.Rule, statement: s.Call) -> tuple[Plan, ...]:
    """Return the line that the game ends with a call, if its rule says that elsewhere and further text follows."""
    caller = context.inside[-1] if context.inside else None
    goes_on = isinstance(caller, s.Procedure) and is_followed(caller.body, statement)
    if not goes_on or not always_ends_game(context.model, rule.body):
        return ()
    return (PlanLine(Sentence("prose.ends_with_it"), statement, others=(rule,)),)


def _kept(context: ProseContext, statement: s.Call, local: Local, argument: s.Expression) -> PlanLine:
    """Plan the retention of an inlined rule's argument that changes before its use."""
    if local.type.kind == "truth":
        context.truth_clauses[local] = clause = state_of(context, local)
        condition = context.condition(argument)
        return PlanLine(Sentence("prose.kept_if", {"deed": clause, "condition": condition}), statement, plain=False)
    value = context.value(argument)
    noun = Mention.of(_called_as_written(context, local))
    return PlanLine(Sentence(_kept_as(local), {"what": noun, "value": value}), statement)


# ---- results and endings -------------------------------------------------------------------------------------------


def _give(context: ProseContext, statement: s.Give) -> tuple[Plan, ...]:
    if _is_inlined(context):
        # Only calls that are not written out use the result.
        if any(isinstance(node, s.Called) and node.name in context.model.code.rules for node in s.walk(statement)):
            raise NotVerbalisable(statement)
        context.log.omit(statement.value, "news", "nothing is done that players need to know")
        return _end_of_steps(context, statement)
    context.log.depends_on(statement, context.inside[-1])
    return (_result(context, statement), *end_of_rule(context, statement))


def _is_inlined(context: ProseContext) -> bool:
    """Return whether a rule is written out at its call."""
    return len(context.inside) > 1


def _end_of_steps(context: ProseContext, statement: s.Statement) -> tuple[Plan, ...]:
    """Plan the end of a rule that is written out at its call, after which its caller continues."""
    context.log.mark_said(statement)
    context.log.depends_on(statement, context.inside[-1])
    if context.exits[statement] == "loop":
        return (_end_of_loop(context, statement),)
    return (PlanLine(Sentence("prose.end_steps"), statement),) if context.exits[statement] == "within" else ()


def _end_of_loop(context: ProseContext, statement: s.Statement) -> PlanLine:
    """Plan the end of the innermost loop around a statement: a repetition, or a series of players or things."""
    # Of the loops around it, the innermost one is the last to begin.
    loops = (node for node in s.walk(context.inside[-1]) if isinstance(node, s.Repeat | s.ForEach))
    *_, loop_ = (node for node in loops if any(inner is statement for inner in s.walk(node.body)))
    message = "prose.leave_each" if isinstance(loop_, s.ForEach) else "prose.leave_loop"
    return PlanLine(Sentence(message), statement)


def _result(context: ProseContext, statement: s.Give) -> PlanLine:
    value = statement.value
    if isinstance(value, s.Truth):
        context.log.mark_said(value)
        return PlanLine(Sentence("prose.gives_yes" if value.value else "prose.gives_no"), statement)
    if context.kind(value).kind == "truth":
        return PlanLine(Sentence("prose.gives_if", {"condition": context.condition(value)}), statement, plain=False)
    custom = f"gives.{context.inside[-1].name.text}" if context.inside else ""
    message = custom if context.has_message(custom) else "prose.gives"
    return PlanLine(Sentence(message, {"what": context.value(value)}), statement)


def _wins(context: ProseContext, statement: s.Wins) -> tuple[Plan, ...]:
    if isinstance(statement.player, s.Nobody):
        context.log.mark_said(statement.player)
        return (PlanLine(Sentence("prose.nobody_wins"), statement),)
    return (PlanLine(Sentence("prose.wins", {"player": context.thing(statement.player)}), statement),)


def _simple(context: ProseContext, statement: s.KeywordStatement) -> tuple[Plan, ...]:
    if statement.word in ("impossible", "nothing"):
        context.log.omit(statement, "folded", "nothing is done")
        return ()
    if statement.word == "end rule" and _is_inlined(context):
        return _end_of_steps(context, statement)
    if statement.word == "leave loop":
        return (_end_of_loop(context, statement),)
    message = f"prose.{statement.word.replace(' ', '_')}"
    if not context.has_message(message):
        raise NotVerbalisable(statement)
    return (PlanLine(Sentence(message), statement),)


# ---- the registry --------------------------------------------------------------------------------------------------

#: Verbaliser of each statement. A statement that is not listed is printed as rule text.
STATEMENT_VERBALISERS: Mapping[type[s.StatementNode], Callable[[ProseContext, Any], tuple[Plan, ...]]] = {
    s.If: conditional,
    s.Repeat: loop,
    s.ForEach: for_each,
    s.Choose: choice,
    s.ChooseSimultaneously: simultaneous_choice,
    s.Let: _let,
    s.Assign: assign,
    s.Fill: _fill,
    s.Perform: _perform,
    s.Call: _call,
    s.Tell: _tell,
    s.Give: _give,
    s.Wins: _wins,
    s.KeywordStatement: _simple,
    **dict.fromkeys(EFFECT_VERBALISERS, _moved),
}

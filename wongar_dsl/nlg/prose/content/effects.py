"""Clauses for effects without a message of their own, in the standard wording of all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref
from wongar_dsl.nlg.prose.content.messages import count, foreign_origin, move_sentence, target
from wongar_dsl.nlg.prose.content.noun_phrases import (
    cards,
    counted_noun,
    marker,
    numeral,
    owner_of,
    piece,
    place,
    term_phrase,
    tokens,
    unmentioned_owner,
    way,
    with_owner,
    zone_content,
)
from wongar_dsl.nlg.prose.content.static_values import constant_number, nothing_of
from wongar_dsl.nlg.prose.context import SLOTS, Amount, NotVerbalisable, ProseContext, as_written
from wongar_dsl.nlg.prose.game_facts import lattice_of
from wongar_dsl.nlg.prose.micro.ellipsis import is_obvious
from wongar_dsl.nlg.prose.micro.sentence_plan import Introduction, Plan, PlanLine
from wongar_dsl.nlg.words import Attribute, NounPhrase, Sentence, Value


def silent_statement(context: ProseContext, statement: s.EventStatement) -> Sentence:
    """Return the standard clause for a statement without a message. Raises `NotVerbalisable`."""
    verbaliser = EFFECT_VERBALISERS.get(type(statement))
    if verbaliser is None:
        raise NotVerbalisable(statement)
    return verbaliser(context, statement)


def _move(context: ProseContext, statement: s.Move) -> Sentence:
    origin = foreign_origin(context, statement)
    if origin is not None:
        whence = {"what": piece(context, statement.what), "from": place(context, origin)}
        return Sentence("prose.tokens_go", {**whence, "to": target(context, statement.target)})
    return move_sentence(context, piece(context, statement.what), statement.target)


def _lay(context: ProseContext, statement: s.Lay) -> Sentence:
    context.log.mark_said(statement.target)
    values: dict[str, Value] = {"what": piece(context, statement.what), "place": context.thing(statement.area)}
    turned = constant_number(context, statement.turned)
    if turned is None:
        return Sentence("prose.laid.to", {**values, "way": way(context, statement)})
    context.log.mark_said(statement.turned)
    return Sentence("prose.laid", {**values, "n": turned}) if turned else Sentence("prose.laid_straight", values)


def _move_tokens(context: ProseContext, statement: s.MoveTokens) -> Sentence:
    number, kind, origin, goal_ = statement.count, statement.kind, statement.origin, statement.target
    values: dict[str, Value]
    all_of = _owner_of_all(statement)
    if all_of is not None:
        context.log.omit(number, "said", "all that is there")
        what_ = tokens(context, None, kind)
        values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
        _owned(context, statement)
        return Sentence("prose.moves_all", {"player": context.thing(all_of), **values})
    mover = _owner_of_both(context, origin, goal_)
    if mover is not None:
        what_ = tokens(context, context.value(number), kind)
        values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
        _owned(context, statement)
        return Sentence("prose.moves", {"player": context.thing(mover), **values})
    what_ = with_owner(context, tokens(context, context.value(number), kind), origin)
    values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
    origin_owner, target_owner = owner_of(context, origin), owner_of(context, goal_)
    if origin_owner is None or target_owner is None or s.same(origin_owner, target_owner):
        _owned(context, statement)
    elif unmentioned_owner(context, goal_) is not None:
        # The new owner is mentioned if the place does not identify them.
        theirs = replace(tokens(context, None, kind), several=s.written_number(number) != 1)
        return Sentence("prose.tokens_become", {**values, "theirs": with_owner(context, theirs, goal_)})
    return Sentence("prose.tokens_go", values)


def _move_all(context: ProseContext, statement: s.MoveAll) -> Sentence:
    origin, goal_ = statement.origin, statement.target
    context.log.mark_said(origin)
    ref = context.ref(origin)
    if ref is not None and _names_contents(context, ref.name):
        whole = term_phrase(context, ref.name, s.index_nodes(origin))
        return Sentence("prose.all_go", {"what": whole, "to": target(context, goal_)})
    contents = NounPhrase(context.term(zone_content(context, origin)), ("every",), several=True)
    values: dict[str, Value] = {"what": with_owner(context, contents, origin), "from": place(context, origin)}
    owner, theirs = owner_of(context, origin), unmentioned_owner(context, goal_)
    values["to"] = target(context, goal_)
    if theirs is None:
        return Sentence("prose.tokens_go", values)
    if owner is not None and s.same(owner, theirs):
        context.log.omit(theirs, "implied", "tokens stay with who has them")
        return Sentence("prose.tokens_go", values)
    return Sentence(
        "prose.tokens_become", {**values, "theirs": with_owner(context, replace(contents, words=()), goal_)}
    )


def _names_contents(context: ProseContext, name: str) -> bool:
    """Return whether the term of a zone denotes what lies there, since the place itself has a term of its own."""
    return context.model.declared.zones[name].kind != "tokens" and context.has_term(f"{name}.place")


def _shuffle(context: ProseContext, statement: s.Shuffle) -> Sentence:
    return Sentence("prose.shuffles", {"what": place(context, statement.zone)})


def _take(context: ProseContext, statement: s.Take) -> Sentence:
    context.log.mark_said(statement.figure)
    figure = NounPhrase(context.term(statement.figure.text), ("def",))
    return Sentence("prose.gets", {"player": context.thing(statement.taker), "what": figure})


def _gain(context: ProseContext, statement: s.Gain) -> Sentence:
    context.log.mark_said(statement.score)
    what_ = counted_noun(NounPhrase(context.term(statement.score.text)), numeral(context, statement.amount))
    message = "prose.loses" if statement.loses else "prose.gains"
    return Sentence(message, {"player": context.thing(statement.player), "what": what_})


def _advance(context: ProseContext, statement: s.Advance) -> Sentence:
    context.log.mark_said(statement.track)
    track = NounPhrase(context.term(statement.track.text), ("def",))
    return Sentence("prose.advances", {"what": track, "n": count(context, statement.amount)})


#: Verbaliser of each kind of event statement, for statements without a message.
EFFECT_VERBALISERS: Mapping[type[s.StatementNode], Callable[[ProseContext, Any], Sentence]] = {
    s.Move: _move,
    s.Lay: _lay,
    s.MoveTokens: _move_tokens,
    s.MoveAll: _move_all,
    s.Shuffle: _shuffle,
    s.Take: _take,
    s.Gain: _gain,
    s.Advance: _advance,
}


def _owned(context: ProseContext, statement: s.MoveTokens) -> None:
    for zone in (statement.origin, statement.target):
        for node in s.index_nodes(zone):
            context.log.omit(node, "implied", "tokens stay with who has them")


def _owner_of_both(context: ProseContext, origin: s.Expression, target_: s.Expression) -> s.Expression | None:
    """Return the player who moves tokens between two places of their own, or None."""
    match s.index_nodes(origin):
        case (mover,) if context.kind(mover).kind == "player":
            others = [node for node in s.index_nodes(target_) if context.kind(node).kind == "player"]
            return mover if len(others) == 1 and s.same(mover, others[0]) else None
    return None


def _owner_of_all(statement: s.MoveTokens) -> s.Expression | None:
    """Return the owner if all tokens of a place move and stay with that owner, or None."""
    match statement:
        case s.MoveTokens(count=s.Indexed(name=zone, indices=indices), kind=kind, origin=origin, target=target_):
            same_zone = isinstance(origin, s.Indexed | s.Of) and origin.name == zone
            if same_zone and s.same((*s.index_nodes(origin), kind), tuple(indices)):
                owners = [i for i in s.index_nodes(origin) if any(s.same(i, index) for index in s.index_nodes(target_))]
                return owners[0] if len(owners) == 1 else None
    return None


def fill(context: ProseContext, zone: s.Expression, number: s.Expression | None, filling: s.Expression) -> Sentence:
    """Return the clause for filling a zone with a number of things of a kind, or with a deck."""
    if number is not None:
        amount = context.value(number)
        if context.kind(filling).kind == "cards":
            noun = counted_noun(replace(cards(context, filling), several=False), amount)
        else:
            noun = tokens(context, amount, filling)
        return _filled(context, zone, noun)
    context.log.mark_said(filling)
    assert isinstance(filling, s.Name)
    deck = NounPhrase(context.term(filling.text), ("indef" if _often_filled(context, filling) else "def",))
    return _filled(context, zone, deck)


def _filled(context: ProseContext, zone: s.Expression, what: NounPhrase) -> Sentence:
    """Return the clause for placing something; an owner takes it, or puts it on their pile."""
    values: dict[str, Value] = {"what": what, "place": place(context, zone)}
    match s.index_nodes(zone):
        case (whose,) if context.kind(whose).kind == "player":
            ref = context.ref(zone)
            declared = context.model.declared.zones[ref.name] if ref is not None else None
            takes = declared is None or declared.kind in ("hand", "tokens")
            return Sentence(f"prose.{'takes' if takes else 'puts'}_into", {"player": context.thing(whose), **values})
    if what.words == ("as_many",):
        # A quantity *as many* must come first.
        return Sentence("prose.goes_first", {"place": values["place"], "what": what})
    return Sentence("prose.goes", values)


def _often_filled(context: ProseContext, filling: s.Name) -> bool:
    """Return whether a deck is used several times: in several statements, or in a loop."""
    decks = [(node, node.filling) for node in context.facts.nodes(s.Fill) if node.count is None]
    fills = [node for node, deck in decks if isinstance(deck, s.Name) and deck.text == filling.text]
    context.log.depends_on(filling, *fills)
    loops = [loop.body for loop in context.facts.nodes(s.ForEach)]
    loops += [loop.body for loop in context.facts.nodes(s.Repeat)]
    return len(fills) > 1 or any(node in fills for body in loops for node in s.walk(body))


def assign(context: ProseContext, statement: s.Assign) -> tuple[Plan, ...]:
    """Return the plan for assigning a stored value."""
    goal_, value = statement.target, statement.value
    ref = context.ref(goal_)
    if ref is None:
        raise NotVerbalisable(goal_)
    name = ref.name or (goal_.text if isinstance(goal_, s.Name) else "")
    if name in context.facts.unread:
        context.log.omit(statement, "news", "only messages speak of it")
        return ()
    context.log.mark_said(statement)
    owners = s.index_nodes(goal_)
    slots = context.slots(owners)
    context.log.mark_said(goal_)
    if ref.kind == "holder":
        [figure] = owners
        values: dict[str, Value] = {"player": context.thing(value), "what": context.thing(figure)}
        return (PlanLine(Sentence("prose.gets", values), statement),)
    if ref.kind in ("place", "laid_at"):
        [figure] = owners
        return (
            PlanLine(Sentence("prose.goes", {"what": context.thing(figure), "place": context.thing(value)}), statement),
        )
    if context.kind(goal_).kind == "truth":
        holds = _state(context, ref, name, owners, slots)
        return (PlanLine(_becomes(context, holds, value), statement),)
    if isinstance(value, s.Binary) and value.operator in ("+", "-") and s.same(value.left, goal_):
        context.log.omit(value.left, "said", "")
        context.log.mark_said(value)
        grows = "prose.grows" if value.operator == "+" else "prose.shrinks"
        message = f"grows.{name}" if value.operator == "+" else f"shrinks.{name}"
        values = {"n": context.value(value.right)}
        if context.has_message(message):
            return (PlanLine(context.game_sentence(message, {**slots, **values}), statement),)
        return (PlanLine(Sentence(grows, {"what": _held(context, goal_, name, owners), **values}), statement),)
    if ref.kind == "local" and context.has_message(becomes := f"becomes.{context.local_term_key(name)}"):
        return (PlanLine(Sentence(becomes, {"value": _next(value, goal_, context.value(value))}), statement),)
    nothing = isinstance(value, s.Nobody) or constant_number(context, value) == nothing_of(context, name)
    if nothing and context.has_message(f"none.{name}.becomes"):
        context.log.mark_said(*s.walk(value))
        return (PlanLine(context.game_sentence(f"none.{name}.becomes", slots), statement),)
    if isinstance(value, s.Nobody) and (thing := marker(context, goal_)) is not None:
        context.log.mark_said(value)
        nowhere = Sentence("prose.nowhere", {"what": thing})
        return (PlanLine(Sentence("prose.from_now", {"condition": nowhere}), statement),)
    now = context.ref(value)
    if now is not None and now.kind == "time" and context.has_message(f"now.{name}"):
        context.log.mark_said(value)
        return (PlanLine(context.game_sentence(f"now.{name}", slots), statement),)
    is_way = lattice_of(context.model, goal_) is not None
    new_value = _next(value, goal_, context.value(value) if is_way else numeral(context, value))
    if isinstance(new_value, Introduction) and new_value.entity is not None:
        # From now on the value has the name of the assigned variable.
        new_value.entity.passing = True
    # A sentence about a thing is not true of nothing.
    own_message = None if _can_be_none(context, value) else _change_to(context, name, owners, value)
    if own_message is not None:
        slots["value"] = new_value
        if context.kind(goal_).kind == "player":
            slots["player"] = slots["value"]
        return (PlanLine(context.game_sentence(own_message, slots), statement),)
    values = {"what": _held(context, goal_, name, owners), "value": new_value}
    return (PlanLine(Sentence("prose.becomes", values), statement),)


def _can_be_none(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a value is *nobody*, or a stored one that may be: it starts so, or is set so somewhere."""
    ref = context.ref(e)
    if isinstance(e, s.Nobody) or ref is None or ref.kind != "remember" or not context.kind(e).can_be_none:
        return isinstance(e, s.Nobody)
    start = context.model.code.remembered[ref.name].start
    unset = (n for n in context.facts.nodes(s.Assign) if isinstance(n.value, s.Nobody))
    return start is None or isinstance(start, s.Nobody) or any(context.ref(n.target) == ref for n in unset)


def _change_to(context: ProseContext, name: str, owners: Sequence[s.Expression], value: s.Expression) -> str | None:
    """Return the game's own message for setting a stored value to another one, or None.

    A number can only rise to its upper bound and fall to its lower one, unless it starts there.
    """
    messages = [f"becomes.{name}"]
    declared = context.model.declared.remembered.get(name)
    if declared is not None and declared.numbers and (number := constant_number(context, value)) is not None:
        bounds = {declared.numbers[-1]: f"grows_to.{name}", declared.numbers[0]: f"shrinks_to.{name}"}
        article = context.model.code.remembered[name]
        start = 0 if article.start is None else constant_number(context, article.start)
        messages.insert(0, messages[0] if number == start else bounds.get(number, messages[0]))
        context.log.depends_on(value, article)
    for message in messages:
        if context.has_message(message) and is_obvious(context, message, owners):
            slots = context.words.slots(message, context.model.scope)
            omitted = [owner for slot, owner in zip(SLOTS, owners, strict=False) if slot not in slots]
            # Without its index, the sentence would say the same of all of them.
            if all(context.kind(o).kind == "player" or any(s.same(o, e) for e in s.walk(value)) for o in omitted):
                return message
    return None


def _next(value: s.Expression, goal_: s.Expression, found: Amount) -> Amount:
    """Return *the next space in that direction*, instead of the space next to itself."""
    match value, found:
        case s.Called(name="step", arguments=(start, _)), NounPhrase(
            modifiers=[Attribute(values={"two": NounPhrase() as that_way})]
        ):
            if s.same(start, goal_):
                return replace(
                    found, words=("def", "next"), modifiers=(Attribute("prose.that_way", {"way": that_way}),)
                )
    return found


def _held(context: ProseContext, goal_: s.Expression, name: str, owners: tuple[s.Expression, ...]) -> NounPhrase:
    """Return the phrase for the target of an assignment."""
    ref = context.ref(goal_)
    if ref is not None and ref.kind == "local":
        return context.thing(goal_)
    return term_phrase(context, name, owners)


def _state(
    context: ProseContext, ref: Ref, name: str, owners: tuple[s.Expression, ...], slots: dict[str, Value]
) -> Sentence:
    """Return the clause that a stored or named truth value holds."""
    if ref.kind == "local" and ref.local is not None:
        return state_of(context, ref.local)
    message = f"state.{name}"
    return (
        context.game_sentence(message, slots)
        if context.has_message(message)
        else Sentence("prose.is_so", {"what": term_phrase(context, name, owners)})
    )


def _becomes(context: ProseContext, holds: Sentence, value: s.Expression) -> Sentence:
    """Return the clause for a change of a truth value: to a constant, or to the value of a condition."""
    if isinstance(value, s.Truth):
        context.log.mark_said(value)
        change = f"{holds.message}.{'becomes' if value.value else 'ends'}"
        if context.has_message(change):
            return Sentence(change, holds.values)
        return Sentence("prose.from_now" if value.value else "prose.from_now_not", {"condition": holds})
    return Sentence("prose.exactly_if", {"deed": holds, "condition": context.condition(value)})


def reassignments_of(context: ProseContext, local: Local) -> list[s.Assign]:
    """Return the assignments that change a named value."""
    return [
        node
        for node in s.walk(context.inside)
        if isinstance(node, s.Assign) and (ref := context.ref(node.target)) is not None and ref.local is local
    ]


def state_of(context: ProseContext, local: Local) -> Sentence:
    """Return the clause that a named truth value holds."""
    message = f"state.{context.local_term_key(local.name)}"
    if context.has_message(message):
        return Sentence(message)
    return Sentence("prose.is_so", {"what": Sentence("prose.quoted", {"name": as_written(local)})})

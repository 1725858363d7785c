"""Clauses for effects without a message of their own, in the standard wording of all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from wongar_dsl import syntax as s
from wongar_dsl.model import Local, Ref
from wongar_dsl.prose.constants import constant, nothing_of
from wongar_dsl.prose.context import Amount, Context, Unsayable, as_written
from wongar_dsl.prose.directions import way
from wongar_dsl.prose.plan import Introduction, Line, Plan
from wongar_dsl.prose.things import counted, named, owned, owner, owner_of, place, tokens
from wongar_dsl.prose.told import count, going, moved_from_elsewhere, target
from wongar_dsl.words import Attribute, Nominal, Said, Value


def silent(context: Context, statement: s.Telling) -> Said:
    """Return the standard clause for a statement without a message. Raises `Unsayable`."""
    say = SILENT.get(type(statement))
    if say is None:
        raise Unsayable(statement)
    return say(context, statement)


def _move(context: Context, statement: s.Move) -> Said:
    origin = moved_from_elsewhere(context, statement)
    if origin is not None:
        whence = {"what": context.thing(statement.what), "from": place(context, origin)}
        return Said("prose.tokens_go", {**whence, "to": target(context, statement.target)})
    return going(context, context.thing(statement.what), statement.target)


def _lay(context: Context, statement: s.Lay) -> Said:
    context.account.say(statement.target)
    values: dict[str, Value] = {"what": context.thing(statement.what), "place": context.thing(statement.area)}
    facing = way(context, statement.turned)
    if isinstance(facing, Nominal):
        return Said("prose.laid.to", {**values, "way": facing})
    return Said("prose.laid", {**values, "n": facing}) if facing else Said("prose.laid_straight", values)


def _move_tokens(context: Context, statement: s.MoveTokens) -> Said:
    number, kind, origin, goal_ = statement.count, statement.kind, statement.origin, statement.target
    values: dict[str, Value]
    all_of = _owner_of_all(statement)
    if all_of is not None:
        context.account.leave(number, "said", "all that is there")
        what_ = tokens(context, None, kind)
        values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
        _owned(context, statement)
        return Said("prose.moves_all", {"player": context.thing(all_of), **values})
    mover = _owner_of_both(context, origin, goal_)
    if mover is not None:
        what_ = tokens(context, context.value(number), kind)
        values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
        _owned(context, statement)
        return Said("prose.moves", {"player": context.thing(mover), **values})
    what_ = owned(context, tokens(context, context.value(number), kind), origin)
    values = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
    origin_owner, target_owner = owner_of(context, origin), owner_of(context, goal_)
    if origin_owner is None or target_owner is None or s.same(origin_owner, target_owner):
        _owned(context, statement)
    elif owner(context, goal_) is not None:
        # The new owner is mentioned if the place does not identify them.
        theirs = replace(tokens(context, None, kind), several=s.written_number(number) != 1)
        return Said("prose.tokens_become", {**values, "theirs": owned(context, theirs, goal_)})
    return Said("prose.tokens_go", values)


def _move_all(context: Context, statement: s.MoveAll) -> Said:
    context.account.say(statement.origin)
    ref = context.ref(statement.origin)
    whole = named(context, ref.name if ref is not None else "", s.index_nodes(statement.origin))
    return Said("prose.all_go", {"what": whole, "to": target(context, statement.target)})


def _shuffle(context: Context, statement: s.Shuffle) -> Said:
    return Said("prose.shuffles", {"what": place(context, statement.zone)})


def _take(context: Context, statement: s.Take) -> Said:
    context.account.say(statement.figure)
    figure = Nominal(context.term(statement.figure.text), ("def",))
    return Said("prose.gets", {"player": context.thing(statement.taker), "what": figure})


def _gain(context: Context, statement: s.Gain) -> Said:
    context.account.say(statement.score)
    what_ = counted(Nominal(context.term(statement.score.text)), context.value(statement.amount))
    message = "prose.loses" if statement.loses else "prose.gains"
    return Said(message, {"player": context.thing(statement.player), "what": what_})


def _advance(context: Context, statement: s.Advance) -> Said:
    context.account.say(statement.track)
    track = Nominal(context.term(statement.track.text), ("def",))
    return Said("prose.advances", {"what": track, "n": count(context, statement.amount)})


#: Verbaliser of each kind of event statement, for statements without a message.
SILENT: Mapping[type[s.StatementNode], Callable[[Context, Any], Said]] = {
    s.Move: _move,
    s.Lay: _lay,
    s.MoveTokens: _move_tokens,
    s.MoveAll: _move_all,
    s.Shuffle: _shuffle,
    s.Take: _take,
    s.Gain: _gain,
    s.Advance: _advance,
}


def _owned(context: Context, statement: s.MoveTokens) -> None:
    for zone in (statement.origin, statement.target):
        for node in s.index_nodes(zone):
            context.account.leave(node, "implied", "tokens stay with who has them")


def _owner_of_both(context: Context, origin: s.Expression, target_: s.Expression) -> s.Expression | None:
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


def fill(context: Context, zone: s.Expression, number: s.Expression | None, filling: s.Expression) -> Said:
    """Return the clause for filling a zone with a number of things of a kind, or with a deck."""
    ref = context.ref(filling)
    if number is not None:
        amount = context.value(number)
        if ref is not None and ref.kind == "value":
            noun = tokens(context, amount, filling)
        else:
            noun = counted(replace(context.thing(filling), words=()), amount)
        return _filled(context, zone, noun)
    context.account.say(filling)
    assert isinstance(filling, s.Name)
    deck = Nominal(context.term(filling.text), ("indef" if _often_filled(context, filling) else "def",))
    return _filled(context, zone, deck)


def _filled(context: Context, zone: s.Expression, what: Nominal) -> Said:
    """Return the clause for placing something; an owner takes it, or puts it on their pile."""
    values: dict[str, Value] = {"what": what, "place": place(context, zone)}
    match s.index_nodes(zone):
        case (whose,) if context.kind(whose).kind == "player":
            ref = context.ref(zone)
            declared = context.model.declared.zones[ref.name] if ref is not None else None
            takes = declared is None or declared.kind in ("hand", "tokens")
            return Said(f"prose.{'takes' if takes else 'puts'}_into", {"player": context.thing(whose), **values})
    if what.words == ("as_many",):
        # A quantity *as many* must come first.
        return Said("prose.goes_first", {"place": values["place"], "what": what})
    return Said("prose.goes", values)


def _often_filled(context: Context, filling: s.Name) -> bool:
    """Return whether a deck is used several times: in several statements, or in a loop."""
    fills = [node for node in context.overall.nodes(s.Fill) if node.count is None and _is_named(node, filling.text)]
    context.account.hang(filling, *fills)
    loops = [loop.body for loop in context.overall.nodes(s.ForEach)]
    loops += [loop.body for loop in context.overall.nodes(s.Repeat)]
    return len(fills) > 1 or any(node in fills for body in loops for node in s.walk(body))


def _is_named(fill: s.Fill, deck: str) -> bool:
    return isinstance(fill.filling, s.Name) and fill.filling.text == deck


def assign(context: Context, statement: s.Assign) -> tuple[Plan, ...]:
    """Return the plan for assigning a stored value."""
    goal_, value = statement.target, statement.value
    ref = context.ref(goal_)
    if ref is None:
        raise Unsayable(goal_)
    name = ref.name or (goal_.text if isinstance(goal_, s.Name) else "")
    if name in context.overall.untold:
        context.account.leave(statement, "news", "only messages speak of it")
        return ()
    context.account.say(statement)
    owners = s.index_nodes(goal_)
    slots = context.slots(owners)
    context.account.say(goal_)
    if ref.kind == "holder":
        [figure] = owners
        values: dict[str, Value] = {"player": context.thing(value), "what": context.thing(figure)}
        return (Line(Said("prose.gets", values), statement),)
    if ref.kind in ("place", "laid_at"):
        [figure] = owners
        return (Line(Said("prose.goes", {"what": context.thing(figure), "place": context.thing(value)}), statement),)
    if context.kind(goal_).kind == "truth":
        holds = _state(context, ref, name, owners, slots)
        return (Line(_becomes(context, holds, value), statement),)
    if isinstance(value, s.Binary) and value.operator in ("+", "-") and s.same(value.left, goal_):
        context.account.leave(value.left, "said", "")
        context.account.say(value)
        grows = "prose.grows" if value.operator == "+" else "prose.shrinks"
        message = f"grows.{name}" if value.operator == "+" else f"shrinks.{name}"
        values = {"n": context.value(value.right)}
        if context.knows(message):
            return (Line(context.own(message, {**slots, **values}), statement),)
        return (Line(Said(grows, {"what": _held(context, goal_, name, owners), **values}), statement),)
    if ref.kind == "local" and context.knows(becomes := f"becomes.{context.within(name)}"):
        return (Line(Said(becomes, {"value": _next(value, goal_, context.value(value))}), statement),)
    nothing = isinstance(value, s.Nobody) or constant(context, value) == nothing_of(context, name)
    if nothing and context.knows(f"none.{name}.becomes"):
        context.account.say(*s.walk(value))
        return (Line(context.own(f"none.{name}.becomes", slots), statement),)
    now = context.ref(value)
    if now is not None and now.kind == "time" and context.knows(f"now.{name}"):
        context.account.say(value)
        return (Line(context.own(f"now.{name}", slots), statement),)
    new_value = _next(value, goal_, context.value(value))
    if isinstance(new_value, Introduction) and new_value.entity is not None:
        # From now on the value has the name of the assigned variable.
        new_value.entity.passing = True
    if context.knows(f"becomes.{name}"):
        slots["value"] = new_value
        if context.kind(goal_).kind == "player":
            slots["player"] = slots["value"]
        return (Line(context.own(f"becomes.{name}", slots), statement),)
    values = {"what": _held(context, goal_, name, owners), "value": new_value}
    return (Line(Said("prose.becomes", values), statement),)


def _next(value: s.Expression, goal_: s.Expression, found: Amount) -> Amount:
    """Return *the next space in that direction*, instead of the space next to itself."""
    match value, found:
        case s.Called(name="step", arguments=(start, _)), Nominal(
            modifiers=[Attribute(values={"two": Nominal() as that_way})]
        ):
            if s.same(start, goal_):
                return replace(
                    found, words=("def", "next"), modifiers=(Attribute("prose.that_way", {"way": that_way}),)
                )
    return found


def _held(context: Context, goal_: s.Expression, name: str, owners: tuple[s.Expression, ...]) -> Nominal:
    """Return the phrase for the target of an assignment."""
    ref = context.ref(goal_)
    if ref is not None and ref.kind == "local":
        return context.thing(goal_)
    return named(context, name, owners)


def _state(context: Context, ref: Ref, name: str, owners: tuple[s.Expression, ...], slots: dict[str, Value]) -> Said:
    """Return the clause that a stored or named truth value holds."""
    if ref.kind == "local" and ref.local is not None:
        return state_of(context, ref.local)
    message = f"state.{name}"
    return (
        context.own(message, slots)
        if context.knows(message)
        else Said("prose.is_so", {"what": named(context, name, owners)})
    )


def _becomes(context: Context, holds: Said, value: s.Expression) -> Said:
    """Return the clause for a change of a truth value: to a constant, or to the value of a condition."""
    if isinstance(value, s.Truth):
        context.account.say(value)
        change = f"{holds.message}.{'becomes' if value.value else 'ends'}"
        if context.knows(change):
            return Said(change, holds.values)
        return Said("prose.from_now" if value.value else "prose.from_now_not", {"condition": holds})
    return Said("prose.exactly_if", {"deed": holds, "condition": context.condition(value)})


def set_again(context: Context, local: Local) -> list[s.Assign]:
    """Return the assignments that change a named value."""
    return [
        node
        for node in s.walk(context.inside)
        if isinstance(node, s.Assign) and (ref := context.ref(node.target)) is not None and ref.local is local
    ]


def state_of(context: Context, local: Local) -> Said:
    """Return the clause that a named truth value holds."""
    message = f"state.{context.within(local.name)}"
    if context.knows(message):
        return Said(message)
    return Said("prose.is_so", {"what": Said("prose.quoted", {"name": as_written(local)})})

"""Sentences for effects: in the wording of their message, or else in the standard wording of all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, MessageArgument, MessageUse, Ref, ZoneDecl
from wongar_dsl.nlg.prose.content.noun_phrases import (
    cards,
    counted_noun,
    is_sort_of_cards,
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
from wongar_dsl.nlg.prose.content.values import constant, constant_number, lattice_of, nothing_of
from wongar_dsl.nlg.prose.context import SLOTS, Amount, NotVerbalisable, ProseContext, as_written
from wongar_dsl.nlg.prose.micro.sentence_plan import Introduction, Mention, Message, Plan, PlanLine, VerbalisationLog
from wongar_dsl.nlg.prose.micro.simplify import is_obvious
from wongar_dsl.nlg.words import COUNTED, Attribute, NounPhrase, Sentence, Value

#: The fields of a statement that a sentence must cover; the destination of a card can follow in a second one.
_ESSENTIAL: Mapping[type[s.StatementNode], tuple[str, ...]] = {
    s.Move: ("what",),
    s.Lay: ("what", "area", "turned"),
    s.MoveTokens: ("count", "kind", "origin", "target"),
    s.MoveAll: ("origin", "target"),
    s.Shuffle: ("zone",),
    s.Take: ("taker", "figure"),
    s.Gain: ("player", "amount", "score"),
    s.Advance: ("track", "amount"),
}


#: Statements that the message of another movement may cover.
_MOVEMENTS = (s.Move, s.MoveTokens, s.MoveAll, s.Lay)


def message_sentence(
    context: ProseContext, statement: s.EventStatement, message: s.MessageRef
) -> tuple[Plan, ...] | None:
    """Plan a statement with its message; None if the message does not cover its whole effect."""
    entry, essential = context.model.message_uses[message], _ESSENTIAL.get(type(statement))
    if essential is None:
        return None
    name = rulebook_message(context, message, statement)
    # Only this sentence counts, not earlier ones about the same statement.
    outer_log, context.log = context.log, (alone := VerbalisationLog())
    try:
        values = _values(context, statement, entry, name)
        if isinstance(statement, s.MoveTokens) and not _owners(context, statement, entry, values):
            return None
        if isinstance(statement, s.Lay):
            # The area of a board identifies the board.
            context.log.mark_said(statement.target)
        if isinstance(statement, s.Move | s.Lay) and statement.what not in context.log.fates:
            _called_so(context, statement.what, values)
    finally:
        context.log = outer_log
    fates = alone.fates
    if any(getattr(statement, part) not in fates for part in essential):
        return None
    elsewhere = foreign_origin(context, statement)
    if elsewhere is not None and elsewhere not in fates:
        return None
    ungoing = isinstance(statement, s.Move | s.Lay) and statement.target not in fates
    if ungoing and "player" not in values:
        # A generic sentence covers both the thing and its destination.
        return None
    context.log.add(alone)
    context.log.mark_said(message)
    for argument in message.arguments:
        if argument.name in values:
            context.log.omit(argument, "said", "")
        else:
            context.log.omit(argument, "news", "only the log says it")
    lines: list[Plan] = [PlanLine(Sentence(name, values), statement)]
    if isinstance(statement, s.Move | s.Lay) and ungoing:
        lines += destination(context, statement)
    return tuple(lines)


def single_message_sentence(context: ProseContext, block: s.Block) -> PlanLine | None:
    """Plan a block with a single message in the words of that message; None if other statements use further names."""
    events = [statement for statement in block if isinstance(statement, s.EventStatement | s.Tell)]
    spoken = [(event, m) for event in events if (m := event.message) is not None and m.name is not None]
    if len(spoken) != 1 or len(events) != len(block):
        return None
    [(statement, message)] = spoken
    quiet = [event for event in events if event is not statement]
    if not isinstance(statement, s.Tell) and not _tells_all(statement, message, quiet, last=block[-1] is statement):
        return None
    if not _names(context, *quiet) <= _names(context, statement):
        return None
    entry, name = context.model.message_uses[message], rulebook_message(context, message)
    if not context.has_message(name):
        return None
    try:
        return PlanLine(Sentence(name, _values(context, statement, entry, name)), statement, others=tuple(quiet))
    except NotVerbalisable:
        return None


def _tells_all(statement: s.EventStatement, message: s.MessageRef, quiet: Sequence[s.Statement], *, last: bool) -> bool:
    """Return whether the message of a movement may tell of the quiet ones beside it.

    A message that names the moved thing tells of nothing that happens to it later.
    """
    moved = getattr(statement, "what", None)
    names_it = any(s.same(argument.value, moved) for argument in message.arguments)
    return bool(quiet) and (last or not names_it) and all(isinstance(part, _MOVEMENTS) for part in quiet)


def _names(context: ProseContext, *statements: s.Statement) -> frozenset[Local]:
    """Return the names for anything but players that statements use."""
    refs = (context.ref(node) for statement in statements for node in s.walk(statement))
    locals_ = (ref.local for ref in refs if ref.local is not None)
    return frozenset(local for local in locals_ if local.type.kind != "player")


def _called_so(context: ProseContext, what: s.Expression, values: Mapping[str, Value]) -> None:
    """Mark a moved expression as verbalised if another name in the sentence has the same referent."""
    outer_log, context.log = context.log, VerbalisationLog()
    try:
        thing = context.value(what)
    except NotVerbalisable:
        return
    finally:
        context.log = outer_log
    phrases = (v.entity.thing for v in values.values() if isinstance(v, Mention))
    if isinstance(thing, NounPhrase) and thing in phrases:
        context.log.mark_said(*s.walk(what))


def rulebook_message(context: ProseContext, message: s.MessageRef, statement: s.EventStatement | None = None) -> str:
    """Return the message for the rulebook: the message's own rule text, or else its log text.

    A movement into a slot can have a rule text of its own, because the thing becomes what the slot is called.
    """
    assert message.name is not None
    fills = isinstance(statement, s.Move) and _slot(context, statement.target) is not None
    own = (f"{message.name}.fills",) if fills else ()
    return next(filter(context.has_message, (*own, f"{message.name}.rule")), message.name)


def destination(context: ProseContext, statement: s.Move | s.Lay) -> tuple[Plan, ...]:
    """Plan the destination of a card that was already mentioned."""
    name = context.ref(_end_of(statement.target) or statement.target).name
    if name not in context.model.declared.zones:
        return ()
    thing = context.value(statement.what)
    if not isinstance(thing, Mention):
        thing = NounPhrase(context.one_of(context.model.declared.zones[name].holds.name), ("this",))
    return (PlanLine(move_sentence(context, thing, statement.target), statement),)


def move_sentence(context: ProseContext, what: NounPhrase, goal: s.Expression) -> Sentence:
    """Return the clause for a movement: onto a place, under a pile, or into a slot."""
    declared = _slot(context, goal)
    if declared is not None:
        context.log.mark_said(goal)
        if context.has_message(f"fills.{declared.name}"):
            return context.game_sentence(f"fills.{declared.name}", {"what": what, **context.slots(s.index_nodes(goal))})
        owners = s.index_nodes(goal)
        role = term_phrase(context, declared.name, owners)
        if len(owners) == 1 and context.kind(owners[0]).kind == "player":
            own = replace(role, own=True, modifiers=())
            return Sentence("prose.fills_own", {"player": context.thing(owners[0]), "role": own, "what": what})
        return Sentence("prose.fills", {"what": what, "role": role})
    under = isinstance(goal, s.Of) and _end_of(goal) is not None and goal.name == "bottom"
    return Sentence("prose.goes_under" if under else Message.GOES, {"what": what, "place": target(context, goal)})


def _slot(context: ProseContext, goal: s.Expression) -> ZoneDecl | None:
    """Return the declaration of a slot, None for another place."""
    declared = context.model.declared.zones.get(context.ref(goal).name)
    return declared if declared is not None and declared.traits.single else None


def target(context: ProseContext, e: s.Expression) -> NounPhrase:
    """Return the phrase for the target of a movement."""
    ref, pile = context.ref(e), _end_of(e)
    if pile is not None:
        context.log.mark_said(e)
        return place(context, pile)
    if ref.kind in ("zone", "slot_card", "token_count", "laid"):
        return place(context, e)
    return context.thing(e)


def _end_of(e: s.Expression) -> s.Expression | None:
    """Return the pile if an expression is its top or bottom."""
    return e.owner if isinstance(e, s.Of) and e.name in ("top", "bottom") else None


def foreign_origin(context: ProseContext, statement: s.EventStatement) -> s.Expression | None:
    """Return the origin of a movement, if the thing was found elsewhere, or is any one of its kind."""
    if not isinstance(statement, s.Move | s.Lay) or statement.origin is None:
        return None
    domain = _found_in(context, statement.what)
    kind = context.ref(domain.base).kind if domain is not None else ""
    if domain is None or kind != "zone":
        return statement.origin if kind == "type" or is_sort_of_cards(context, statement.what) else None
    return statement.origin if not s.same(domain.base, statement.origin) else None


def mark_origin_implied(context: ProseContext, statement: s.EventStatement) -> None:
    """Mark the origin of a movement as implied by the thing.

    Raises `NotVerbalisable` if the thing was found elsewhere and the origin is not yet mentioned.
    """
    if isinstance(statement, s.Move | s.Lay) and statement.origin is not None:
        if foreign_origin(context, statement) is not None and statement.origin not in context.log.fates:
            raise NotVerbalisable(statement.origin)
        context.log.omit(statement.origin, "implied", "what moves lies there")
    if isinstance(statement, s.Gain) and statement.origin is not None:
        context.log.omit(statement.origin, "news", "it only says where points are counted")


def _found_in(context: ProseContext, what: s.Expression) -> s.Domain | None:
    """Return the domain from which a named thing was drawn or chosen."""
    ref = context.ref(what)
    if ref.local is None:
        return None
    named = context.lets.get(ref.local)
    if isinstance(named, s.Quantified):
        return named.domain
    for node in s.walk(context.inside):
        match node:
            case s.OptionParameter(name=name, domain=domain) | s.ForEach(variable=name, domain=domain) if (
                name is ref.local.span_node
            ):
                return domain
    return None


def _values(
    context: ProseContext, statement: s.EventStatement | s.Tell, found: MessageUse, name: str
) -> dict[str, Value]:
    slots = context.words.slots(name, context.model.scope)
    values: dict[str, Value] = {}
    for spoken in (*found.written, *found.offered):
        # `n` chooses the plural form even of a sentence that does not show it; how many all are is unknown.
        needed = spoken.name in slots or (spoken.name == "n" and not isinstance(statement, s.MoveAll))
        value = _argument(context, statement, spoken) if needed else None
        if value is not None:
            values[spoken.name] = value
    return values


def _argument(context: ProseContext, statement: s.EventStatement | s.Tell, spoken: MessageArgument) -> Value | None:
    """Return the value for one slot of a message."""
    if spoken.value is not None:
        is_number = context.kind(spoken.value).kind == "number"
        return count(context, spoken.value) if is_number else context.value(spoken.value)
    match statement, spoken.field:
        case s.MoveTokens(count=number, kind=kind), "token":
            return tokens(context, context.value(number), kind)
        case s.MoveTokens(count=number), "n":
            return s.written_number(number)
        case s.MoveTokens(origin=zone) | s.MoveAll(origin=zone), "from":
            return _end(context, zone, spoken)
        case s.MoveTokens(target=zone) | s.MoveAll(target=zone), "to":
            return _end(context, zone, spoken)
        case s.Move(origin=zone), "from" if zone is not None:
            return _end(context, zone, spoken)
        case s.Move(target=zone), "to" if spoken.part is not None:
            return _end(context, zone, spoken)
        case s.Move(what=what), "from":
            return _end(context, what, spoken)
        case s.Move(target=zone) | s.Lay(target=zone), "to":
            return target(context, zone)
        case s.Move(what=what) | s.Lay(what=what), "figure" | "card":
            return piece(context, what)
        case s.Lay(area=area), "area":
            return context.thing(area)
        case s.Lay(turned=turned), "turned":
            return way(context, statement) if constant(context, turned) is None else context.value(turned)
        case s.Take(figure=figure), "figure":
            context.log.mark_said(figure)
            return NounPhrase(context.term(figure.text), ("def",))
        case s.Take(taker=taker), "player":
            return context.thing(taker)
        case s.Gain(player=player), "player":
            return context.thing(player)
        case s.Gain(amount=amount) | s.Advance(amount=amount), "n" | "amount":
            context.log.mark_said(statement.score if isinstance(statement, s.Gain) else statement.track)
            return count(context, amount)
        case s.Gain(), _:
            return None
    raise NotVerbalisable(statement)


def count(context: ProseContext, amount: s.Expression) -> Value:
    """Return a number, or a phrase for the amount of what its slot counts."""
    value = context.value(amount)
    return value if isinstance(value, int) else counted_noun(NounPhrase(context.term(COUNTED)), value)


def _end(context: ProseContext, zone: s.Expression, spoken: MessageArgument) -> Value:
    """Return the origin or target zone, or the index that identifies it."""
    pile = _end_of(zone)
    if pile is not None:
        if isinstance(zone, s.Of) and zone.name == "top":
            # A card from a pile is assumed to be the top card; other cards need their own text.
            context.log.mark_said(zone)
        zone = pile
    nodes = s.index_nodes(zone)
    if spoken.part is None:
        return place(context, zone)
    if context.kind(nodes[spoken.part]).kind == "board":
        # An area identifies its place; an owner does not yet identify the zone.
        context.log.mark_said(zone)
    return context.value(nodes[spoken.part])


def _owners(context: ProseContext, statement: s.MoveTokens, found: MessageUse, values: dict[str, Value]) -> bool:
    """Add owners to tokens and places as far as the message omits them; return False if one remains unclear.

    From a shared place, a player takes one of their own tokens; other possessions need no mention.
    """
    ends = {statement.origin: "from", statement.target: "to"}
    player = next((spoken for spoken in found.written if spoken.name == "player"), None)
    acting = player.value if player is not None else None
    if player is not None and acting is None and player.part is not None:
        zone = statement.origin if player.field == "from" else statement.target
        acting = s.index_nodes(zone)[player.part]
    others = [spoken.value for spoken in found.written if spoken.value is not None and spoken.name != "player"]
    theirs, before = unmentioned_owner(context, statement.target), owner_of(context, statement.origin)
    if theirs is not None and before is not None and not any(s.same(theirs, node) for node in (before, *others)):
        # The tokens change their owner without a mention of it.
        return False
    for zone in (statement.origin, statement.target):
        nodes = s.index_nodes(zone)
        shared = any(context.kind(node).kind == "board" for node in nodes)
        for node in nodes:
            if context.kind(node).kind != "player":
                continue
            token = values.get("token")
            is_own = acting is not None and s.same(node, acting)
            if is_own and shared and zone is statement.origin and isinstance(token, NounPhrase):
                values["token"] = replace(token, words=("own",) if token.head.count is None else ("of_own",))
                context.log.mark_said(node)
            elif any(s.same(node, mentioned) for mentioned in others):
                context.log.mark_said(node)
            elif is_own and isinstance(where := values.get(ends[zone]), NounPhrase) and not shared:
                others_ = tuple(m for m in where.modifiers if m.message != Message.OF_OWNER)
                values[ends[zone]] = replace(where, own=True, modifiers=others_)
                context.log.mark_said(node)
            elif is_own:
                context.log.omit(node, "implied", "it belongs to who acts")
            elif zone is statement.target and any(s.same(node, n) for n in s.index_nodes(statement.origin)):
                context.log.omit(node, "implied", "tokens stay with who has them")
            elif node not in context.log.fates:
                return False
    return True


def _move(context: ProseContext, statement: s.Move) -> Sentence:
    origin = foreign_origin(context, statement)
    if origin is not None:
        whence = {"what": piece(context, statement.what), "from": place(context, origin)}
        return Sentence(Message.TOKENS_GO, {**whence, "to": target(context, statement.target)})
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
    all_of, mover = _owner_of_all(statement), _owner_of_both(context, origin, goal_)
    if all_of is not None:
        context.log.omit(number, "said", "all that is there")
    if (who := all_of or mover) is not None:
        what_ = tokens(context, None if all_of is not None else context.value(number), kind)
        ends = {"from": place(context, origin), "to": place(context, goal_)}
        _owned(context, statement)
        message = "prose.moves" if all_of is None else "prose.moves_all"
        return Sentence(message, {"player": context.thing(who), "what": what_, **ends})
    what_ = with_owner(context, tokens(context, context.value(number), kind), origin)
    values: dict[str, Value] = {"what": what_, "from": place(context, origin), "to": place(context, goal_)}
    origin_owner, target_owner = owner_of(context, origin), owner_of(context, goal_)
    if origin_owner is None or target_owner is None or s.same(origin_owner, target_owner):
        _owned(context, statement)
    elif unmentioned_owner(context, goal_) is not None:
        # The new owner is mentioned if the place does not identify them.
        theirs = replace(tokens(context, None, kind), several=s.written_number(number) != 1)
        return Sentence("prose.tokens_become", {**values, "theirs": with_owner(context, theirs, goal_)})
    return Sentence(Message.TOKENS_GO, values)


def _move_all(context: ProseContext, statement: s.MoveAll) -> Sentence:
    origin, goal_ = statement.origin, statement.target
    context.log.mark_said(origin)
    ref = context.ref(origin)
    # If the place has a term of its own, that of the zone is for what lies there.
    if not context.model.declared.zones[ref.name].traits.tokens and context.has_term(f"{ref.name}.place"):
        whole = term_phrase(context, ref.name, s.index_nodes(origin))
        return Sentence(Message.ALL_GO, {"what": whole, "to": target(context, goal_)})
    contents = NounPhrase(context.term(zone_content(context, origin)), ("every",), several=True)
    values: dict[str, Value] = {"what": with_owner(context, contents, origin), "from": place(context, origin)}
    owner, theirs = owner_of(context, origin), unmentioned_owner(context, goal_)
    values["to"] = target(context, goal_)
    if theirs is None:
        return Sentence(Message.TOKENS_GO, values)
    if owner is not None and s.same(owner, theirs):
        context.log.omit(theirs, "implied", "tokens stay with who has them")
        return Sentence(Message.TOKENS_GO, values)
    values["theirs"] = with_owner(context, replace(contents, words=()), goal_)
    return Sentence("prose.tokens_become", values)


def _shuffle(context: ProseContext, statement: s.Shuffle) -> Sentence:
    return Sentence(Message.SHUFFLES, {"what": place(context, statement.zone)})


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
            declared = context.model.declared.zones.get(context.ref(zone).name)
            takes = declared is None or declared.traits.taken
            return Sentence(f"prose.{'takes' if takes else 'puts'}_into", {"player": context.thing(whose), **values})
    if what.words == ("as_many",):
        # A quantity *as many* must come first.
        return Sentence("prose.goes_first", {"place": values["place"], "what": what})
    return Sentence(Message.GOES, values)


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
    name = ref.name or (goal_.text if isinstance(goal_, s.Name) else "")
    if name in context.facts.unread:
        context.log.retract(statement, "news", "only messages speak of it")
        return ()
    owners = s.index_nodes(goal_)
    slots = context.slots(owners)
    context.log.mark_said(goal_)
    if ref.kind == "holder":
        [figure] = owners
        values: dict[str, Value] = {"player": context.thing(value), "what": context.thing(figure)}
        return (PlanLine(Sentence("prose.gets", values), statement),)
    if ref.kind in ("place", "laid_at"):
        [figure] = owners
        values = {"what": context.thing(figure), "place": context.thing(value)}
        return (PlanLine(Sentence(Message.GOES, values), statement),)
    if context.kind(goal_).kind == "truth":
        return (PlanLine(_becomes(context, _state(context, ref, name, owners, slots), value), statement),)
    if isinstance(value, s.Binary) and value.operator in ("+", "-") and s.same(value.left, goal_):
        context.log.omit(value.left, "said", "")
        context.log.mark_said(value)
        grows, number = "grows" if value.operator == "+" else "shrinks", {"n": context.value(value.right)}
        if context.has_message(f"{grows}.{name}"):
            return (PlanLine(context.game_sentence(f"{grows}.{name}", {**slots, **number}), statement),)
        what_ = _held(context, goal_, name, owners)
        message = "prose.grows" if grows == "grows" else "prose.shrinks"
        return (PlanLine(Sentence(message, {"what": what_, **number}), statement),)
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
    if context.ref(value).kind == "time" and context.has_message(f"now.{name}"):
        context.log.mark_said(value)
        return (PlanLine(context.game_sentence(f"now.{name}", slots), statement),)
    is_way = lattice_of(context.model, goal_) is not None
    new_value = _next(value, goal_, context.value(value) if is_way else numeral(context, value))
    if isinstance(new_value, Introduction):
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
    if isinstance(e, s.Nobody) or ref.kind != "remember" or not context.kind(e).can_be_none:
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
                towards = Attribute("prose.that_way", {"way": that_way})
                return replace(found, words=("def", "next"), modifiers=(towards,))
    return found


def _held(context: ProseContext, goal_: s.Expression, name: str, owners: tuple[s.Expression, ...]) -> NounPhrase:
    """Return the phrase for the target of an assignment."""
    if context.ref(goal_).kind == "local":
        return context.thing(goal_)
    return term_phrase(context, name, owners)


def _state(
    context: ProseContext, ref: Ref, name: str, owners: tuple[s.Expression, ...], slots: dict[str, Value]
) -> Sentence:
    """Return the clause that a stored or named truth value holds."""
    if ref.kind == "local" and ref.local is not None:
        return state_of(context, ref.local)
    message = f"state.{name}"
    if context.has_message(message):
        return context.game_sentence(message, slots)
    return Sentence("prose.is_so", {"what": term_phrase(context, name, owners)})


def _becomes(context: ProseContext, holds: Sentence, value: s.Expression) -> Sentence:
    """Return the clause for a change of a truth value: to a constant, or to the value of a condition."""
    if isinstance(value, s.Truth):
        context.log.mark_said(value)
        change = f"{holds.message}.{'becomes' if value.value else 'ends'}"
        if context.has_message(change):
            return Sentence(change, holds.values)
        return Sentence("prose.from_now" if value.value else "prose.from_now_not", {"condition": holds})
    return Sentence(Message.EXACTLY_IF, {"deed": holds, "condition": context.condition(value)})


def reassignments_of(context: ProseContext, local: Local) -> list[s.Assign]:
    """Return the assignments that change a named value."""
    assignments = (node for node in s.walk(context.inside) if isinstance(node, s.Assign))
    return [node for node in assignments if context.ref(node.target).local is local]


def state_of(context: ProseContext, local: Local) -> Sentence:
    """Return the clause that a named truth value holds."""
    message = f"state.{context.local_term_key(local.name)}"
    if context.has_message(message):
        return Sentence(message)
    return Sentence("prose.is_so", {"what": Sentence("prose.quoted", {"name": as_written(local)})})

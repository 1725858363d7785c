"""Sentences for statements with a message, in the wording of the message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, MessageArgument, MessageUse, ZoneDecl
from wongar_dsl.nlg.prose.content.noun_phrases import (
    counted_noun,
    is_sort_of_cards,
    owner_of,
    piece,
    place,
    term_phrase,
    tokens,
    unmentioned_owner,
    way,
)
from wongar_dsl.nlg.prose.content.static_values import constant
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import Mention, Plan, PlanLine
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog
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
    context.log.mark_said(statement, message)
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
    spoken = [
        (statement, statement.message)
        for statement in block
        if isinstance(statement, s.EventStatement | s.Tell)
        and statement.message is not None
        and statement.message.name is not None
    ]
    events = [statement for statement in block if isinstance(statement, s.EventStatement)]
    quiet = [event for event in events if event.message is None or event.message.name is None]
    if len(spoken) != 1 or len(quiet) + 1 != len(block):
        return None
    [(statement, message)] = spoken
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
    locals_ = (ref.local for ref in refs if ref is not None and ref.local is not None)
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
    phrases = (v.entity.thing for v in values.values() if isinstance(v, Mention) and v.entity is not None)
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
    ref = context.ref(_end_of(statement.target) or statement.target)
    name = ref.name if ref is not None else ""
    if name not in context.model.declared.zones:
        return ()
    thing = context.value(statement.what)
    card = (
        thing
        if isinstance(thing, Mention)
        else NounPhrase(context.one_of(context.model.declared.zones[name].holds.name), ("this",))
    )
    return (PlanLine(move_sentence(context, card, statement.target), statement),)


def move_sentence(context: ProseContext, what: NounPhrase, goal: s.Expression) -> Sentence:
    """Return the clause for a movement: onto a place, under a pile, or into a slot."""
    declared = _slot(context, goal)
    if declared is not None:
        context.log.mark_said(goal)
        if context.has_message(f"fills.{declared.name}"):
            return context.game_sentence(f"fills.{declared.name}", {"what": what, **context.slots(s.index_nodes(goal))})
        owners = s.index_nodes(goal)
        slot = term_phrase(context, declared.name, owners)
        if len(owners) == 1 and context.kind(owners[0]).kind == "player":
            values: dict[str, Value] = {
                "player": context.thing(owners[0]),
                "slot": replace(slot, own=True, modifiers=()),
            }
            return Sentence("prose.fills_own", {**values, "what": what})
        return Sentence("prose.fills", {"what": what, "slot": slot})
    under = isinstance(goal, s.Of) and _end_of(goal) is not None and goal.name == "bottom"
    return Sentence("prose.goes_under" if under else "prose.goes", {"what": what, "place": target(context, goal)})


def _slot(context: ProseContext, goal: s.Expression) -> ZoneDecl | None:
    """Return the declaration of a slot, None for another place."""
    ref = context.ref(goal)
    declared = context.model.declared.zones.get(ref.name) if ref is not None else None
    return declared if declared is not None and declared.kind == "slot" else None


def target(context: ProseContext, e: s.Expression) -> NounPhrase:
    """Return the phrase for the target of a movement."""
    ref, pile = context.ref(e), _end_of(e)
    if pile is not None:
        context.log.mark_said(e)
        return place(context, pile)
    if ref is not None and ref.kind in ("zone", "slot", "tokens", "laid"):
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
    ref = context.ref(domain.base) if domain is not None else None
    if domain is None or ref is None or ref.kind != "zone":
        any_one = is_sort_of_cards(context, statement.what) or (ref is not None and ref.kind == "type")
        return statement.origin if any_one else None
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
    if ref is None or ref.local is None:
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
                values[ends[zone]] = replace(where, own=True, modifiers=_without_owner(where))
                context.log.mark_said(node)
            elif is_own:
                context.log.omit(node, "implied", "it belongs to who acts")
            elif zone is statement.target and any(s.same(node, n) for n in s.index_nodes(statement.origin)):
                context.log.omit(node, "implied", "tokens stay with who has them")
            elif node not in context.log.fates:
                return False
    return True


def _without_owner(where: NounPhrase) -> tuple[Attribute, ...]:
    """Return the modifiers of a place without its owner."""
    return tuple(m for m in where.modifiers if isinstance(m, Attribute) and m.message != "prose.of.owner")

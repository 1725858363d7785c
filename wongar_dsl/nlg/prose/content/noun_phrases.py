"""Noun phrases and numbers for expressions, independent of a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref, Type
from wongar_dsl.nlg.prose.content.values import (
    clamped,
    computed_amount,
    constant_number,
    difference,
    direction_in,
    fold,
    group_computed,
    grouped,
    lattice_of,
    limited,
    opposite_of,
)
from wongar_dsl.nlg.prose.context import SLOTS, Amount, NotVerbalisable, ProseContext, mentions, operations
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Mention, Message, described
from wongar_dsl.nlg.prose.micro.simplify import is_obvious, omitted_players
from wongar_dsl.nlg.words import COUNTED, Attribute, Listing, NounPhrase, Relative, Sentence, Term, Value


def value(context: ProseContext, e: s.Expression) -> Amount:
    """Return the phrase for an expression. Raises `NotVerbalisable`."""
    phrase = _phrase(context, e)
    if isinstance(phrase, NounPhrase) and not isinstance(phrase, Mention | Introduction):
        kind = context.kind(e).kind if e in context.model.types else ""
        return replace(group_computed(phrase), person=kind == "player", place=kind == "board")
    return phrase


def _phrase(context: ProseContext, e: s.Expression) -> Amount:
    constant = fold(context, e)
    if constant is not None:
        return constant
    ref = context.ref(e)
    context.log.mark_said(e)
    if ref.kind in ("slot_card", "top", "bottom"):
        for local, known_as in context.lets.items():
            # A named expression is called by its name, even where the rules repeat it.
            if s.same(e, known_as) and local in context.entities:
                context.log.omit(e, "said", "")
                return context.mention(local)
    for known_as, entity in context.substitutes.items():
        # Inside a condition about a thing, *this* would be that one.
        if s.same(e, known_as) and all(thing.type != entity.type for thing in context.about):
            context.log.omit(e, "said", "")
            context.log.depends_on(e, known_as)
            return Mention.of(entity)
    match e:
        case s.Number(value=number):
            return number
        case s.Truth(value=yes):
            return NounPhrase(context.term("yes" if yes else "no"))
        case s.Nobody():
            return NounPhrase(context.term("none"))
        case s.Minus(operand=operand):
            written = s.written_number(e)
            context.log.mark_said(operand)
            return written if written is not None else difference(context, 0, context.value(operand))
        case s.Binary():
            return _computed(context, e)
        case s.Conditional(condition=condition, then=then, other=other):
            first = _as_thing(context, context.value(then))
            values: dict[str, Value] = {"condition": context.condition(condition), "other": context.value(other)}
            return replace(first, modifiers=(*first.modifiers, Attribute("prose.or_else", values)))
        case s.Quantified():
            return _quantified(context, e)
        case s.CountOf(card=card, zone=zone):
            return _counted(context, cards(context, card), place(context, zone))
        case s.Name() | s.Called() | s.Indexed() | s.Of() if ref.kind != "unknown":
            return _named(context, e, ref)
    raise NotVerbalisable(e)


def _computed(context: ProseContext, e: s.Binary) -> Amount:
    """Return the phrase for the result of an operation, with a constant factor last."""
    first, second = (e.left, numeral(context, e.left)), (e.right, numeral(context, e.right))
    if e.operator == "*" and isinstance(first[1], int):
        first, second = second, first
    return computed_amount(context, e.operator, _closed(context, *first), second[1])


def _closed(context: ProseContext, e: s.Expression, amount: Amount) -> Amount:
    """Return the phrase for an operand, in brackets if what follows it could seem to belong to a number inside it."""
    return replace(amount, grouped=True) if isinstance(amount, NounPhrase) and _is_open(context, e, amount) else amount


def _is_open(context: ProseContext, e: s.Expression, amount: NounPhrase) -> bool:
    """Return whether a phrase for an expression contains another number or the keys of a table at its end."""
    if isinstance(e, s.Binary):
        last = amount.modifiers[-1].values.get("n") if amount.modifiers else None
        return isinstance(last, NounPhrase) and not last.grouped and _is_open(context, e.right, last)
    ref = context.ref(e)
    whole = context.lets.get(ref.local, e) if ref.local is not None else e
    thing = described(amount)
    if isinstance(thing, NounPhrase) and any(m.message == Message.IN_TABLE for m in thing.modifiers):
        return True
    inner = (node for node in s.walk(whole) if node is not whole)
    return any((kind := context.model.types.get(node)) is not None and kind.kind == "number" for node in inner)


def _named(context: ProseContext, e: s.Name | s.Called | s.Indexed | s.Of, ref: Ref) -> Amount:
    """Return the phrase for a name, with its operands."""
    owners = tuple(s.operands(e))
    name = e.text if isinstance(e, s.Name) else e.name
    match ref.kind:
        case "local" if ref.local is not None and ref.local in context.entities:
            return context.mention(ref.local)
        case "value" | "face" | "facekind" | "track" | "type":
            return _constant(context, name, owners, context.model.types.get(e))
        case "position" if context.kind(owners[0]).kind == "enum" and not isinstance(owners[0], s.Name):
            # Enumerations are ordered, so the value is its own position.
            return context.value(owners[0])
        case "left" | "right":
            return context.of(name, *owners, message=Message.OF_OWNER)
        case "position" if context.has_term(own := f"{name}.{context.kind(owners[0]).kind}"):
            return context.of(own, *owners)
        case "holder" | "position" | "row" | "column" | "space" | "spaces":
            return context.of(name, *owners)
        case "phase":
            return context.of(context.kind(e).name or name, *owners)
        case "place":
            return context.of(context.kind(e).name, *owners)
        case "laid_at":
            return context.of("place", *owners)
        case "top" | "bottom":
            [zone] = owners
            term_name = f"{context.ref(zone).name}.{ref.kind}"
            noun = NounPhrase(context.one_of(zone_content(context, zone)), ("def", ref.kind))
            if context.has_term(term_name):
                noun = NounPhrase(context.term(term_name), ("def",))
            return replace(noun, modifiers=(Attribute(Message.OF_ONE, {"owner": place(context, zone)}),))
        case "size":
            [zone] = owners
            content = with_owner(context, NounPhrase(context.term(zone_content(context, zone)), several=True), zone)
            return _counted(context, content, place(context, zone))
        case "token_count":
            *_, kind = owners
            return _counted(context, with_owner(context, tokens(context, None, kind), e), place(context, e))
        case "zone":
            return place(context, e)
        case "attribute" if _is_called_by(context, name, owners[0]):
            return context.value(owners[0])
        case "attribute":
            return context.of(context.noun_and_determiner(context.kind(e))[0], *owners)
        case "score":
            noun = context.of(ref.name, *owners, message=Message.OF_OWNER)
            return replace(noun, several=True)
        case "players":
            return _counted(context, NounPhrase(context.term("player"), several=True), None)
        case "time":
            return NounPhrase(context.term("elapsed"), ("def",))
        case "laid" if owners:
            [where] = owners
            head = NounPhrase(context.term(zone_content(context, e)), ("def",))
            return replace(head, modifiers=(Attribute("prose.lying", {"place": context.value(where)}),))
        case "table" if not context.has_message(f"of.{name}") and (len(owners) > 1 or not context.has_term(name)):
            return _cell(context, e, name, owners)
        case "remember" | "slot_card" | "laid" | "table" | "define" | "rule" | "coverings":
            return term_phrase(context, name, owners)
        case "step" | "spot" | "side" | "facing" | "player" | "least" | "greatest":
            return _function(context, e, ref.kind, owners)
    raise NotVerbalisable(e)


def term_phrase(
    context: ProseContext, name: str, owners: Sequence[s.Expression], noun: str | None = None
) -> NounPhrase:
    """Return a term of the game with its operands.

    A stored place with a marker is *the space of the pawn*: the pawn itself has none of the properties of the space.
    """
    kind = _marked(context, name)
    if kind is None:
        return _with_operands(context, name, owners, noun)
    thing = _with_operands(context, name, owners, f"{name}.item")
    return NounPhrase(context.term(kind.name), ("def",), (Attribute(Message.OF_ONE, {"owner": thing}),))


def _marked(context: ProseContext, name: str) -> Type | None:
    """Return the type of a stored place or kind if players mark it with a thing, such as a pawn; else None."""
    declared = context.model.declared.remembered.get(name)
    if declared is None or declared.type.kind not in ("board", "enum") or not context.has_term(f"{name}.item"):
        return None
    return declared.type


def marker(context: ProseContext, e: s.Expression) -> NounPhrase | None:
    """Return the phrase for the thing that marks a stored place, or None."""
    ref, phrase = context.ref(e), context.value(e)
    match phrase:
        case NounPhrase(modifiers=[Attribute(values={"owner": NounPhrase() as thing})]) if (
            ref.kind == "remember" and _marked(context, ref.name) is not None
        ):
            return thing
    return None


def _with_operands(
    context: ProseContext, name: str, owners: Sequence[s.Expression], noun: str | None = None
) -> NounPhrase:
    """Return a noun with its operands.

    A game can define its own words for the operands, under `of.<name>` with the slots `one`, `two`, ….
    """
    cell = f"{name}.value"
    head = NounPhrase(context.term(noun or (cell if owners and context.has_term(cell) else name)), ("def",))
    if not owners:
        return head
    index = distinguishing_index(context, name)
    if index is not None and not (context.has_message(f"of.{name}") and _has_own_noun(context, owners[index])):
        return context.thing(owners[index])
    message = f"of.{name}"
    if context.has_message(message):
        # The owner of a place is mentioned with its content.
        players = [] if name in context.model.declared.zones else omitted_players(context, message, owners)
        if is_obvious(context, message, owners, players):
            modifier = context.game_sentence(message, context.slots(owners))
            whose = (Attribute(Message.OF_OWNER, {"owner": context.value(player)}) for player in players)
            return replace(head, modifiers=(Attribute(modifier.message, modifier.values), *whose))
    # *The row of the pawn*, not *the row of the space of the pawn*.
    is_zone = name in context.model.declared.zones
    phrases = [(is_zone and marker(context, owner)) or context.value(owner) for owner in owners]
    if len(owners) == 1:
        owned = Message.OF_OWNER if context.kind(owners[0]).kind == "player" else Message.OF_ONE
        return replace(head, modifiers=(Attribute(owned, {"owner": phrases[0]}),))
    return replace(head, modifiers=(Attribute("prose.of.several", {"owners": Listing(tuple(phrases))}),))


def place(context: ProseContext, zone: s.Expression) -> NounPhrase:
    """Return the phrase for a place: the area that distinguishes zones of tokens, or the zone by its name."""
    ref = context.ref(zone)
    context.log.mark_said(zone)
    if not isinstance(zone, s.Name | s.Of | s.Indexed) or ref.kind not in ("zone", "slot_card", "token_count", "laid"):
        raise NotVerbalisable(zone)
    indices = list(s.index_nodes(zone))
    declared = context.model.declared.zones[ref.name]
    if declared.traits.tokens:
        indices = indices[: len(declared.indices)]
        if len(indices) > 1:
            # The owner is mentioned with the tokens.
            indices = [i for i in indices if context.kind(i).kind != "player"]
        if len(indices) == 1 and context.kind(indices[0]).kind == "board":
            return context.thing(indices[0])
    index = distinguishing_index(context, ref.name)
    if index is not None:
        location = context.thing(indices[index])
        if len(indices) == 1:
            return location
        others: dict[str, Value] = {slot: context.value(i) for slot, i in zip(SLOTS, indices, strict=False)}
        del others[SLOTS[index]]
        return replace(location, modifiers=(Attribute(f"of.{ref.name}", others), *location.modifiers))
    term_name = f"{ref.name}.place"
    return term_phrase(context, ref.name, indices, term_name if context.has_term(term_name) else None)


def distinguishing_index(context: ProseContext, name: str) -> int | None:
    """Return the index by which the game names a place or table entry, or None."""
    if not context.has_message(f"at.{name}"):
        return None
    [slot] = context.words.slots(f"at.{name}", context.model.scope)
    return SLOTS.index(slot)


def _is_called_by(context: ProseContext, attribute: str, card: s.Expression) -> bool:
    """Return whether an attribute alone names its cards, so that it stands for the card itself."""
    sort = context.model.cards.get(context.kind(card).name)
    if sort is None or attribute not in sort.attributes:
        return False
    values = sort.attributes[attribute][1]
    kinds = {face.kind for face, value in zip(sort.faces, values, strict=True) if value >= 0}
    return len(kinds) == 1 and distinguishing_index(context, kinds.pop()) == 0


def _has_own_noun(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a declaration has a noun of its own for a thing, instead of that of its type."""
    ref = context.ref(e)
    thing = context.entities[ref.local].thing if ref.local in context.entities else None
    return isinstance(thing, NounPhrase) and "." in thing.head.name


def tokens(context: ProseContext, count: Amount | None, kind: s.Expression) -> NounPhrase:
    """Return the phrase for a number of tokens of a kind, or for uncounted ones."""
    ref = context.ref(kind)
    modifiers: tuple[Attribute, ...] = ()
    value_name = context.values.get(ref.local) if ref.local is not None else None
    if value_name is not None:
        context.log.mark_said(kind)
        head = value_name
    elif ref.kind == "value":
        context.log.mark_said(kind)
        head = context.model.value_name(context.kind(kind), ref.number)
    else:
        head = context.kind(kind).name
        modifiers = (_of_kind(context, kind),)
    return counted_noun(NounPhrase(context.term(head), modifiers=modifiers), count)


def cards(context: ProseContext, card: s.Expression) -> NounPhrase:
    """Return the phrase for cards of a kind, which may be variable, or for those like a card: *copies of this card*."""
    kind, ref = context.kind(card), context.ref(card)
    if is_sort_of_cards(context, card):
        return NounPhrase(context.term(kind.name), modifiers=(_of_kind(context, card),), several=True)
    thing = context.thing(card)
    if ref.kind in ("value", "face", "facekind"):
        return replace(thing, several=True, words=())
    return NounPhrase(context.term("copy"), modifiers=(Attribute(Message.OF_ONE, {"owner": thing}),), several=True)


def piece(context: ProseContext, what: s.Expression) -> NounPhrase:
    """Return the phrase for a single moved thing: one of a kind if its name stands for the kind."""
    if is_sort_of_cards(context, what):
        return NounPhrase(context.term(context.kind(what).name), ("indef",), (_of_kind(context, what),))
    return context.thing(what)


def _of_kind(context: ProseContext, kind: s.Expression) -> Attribute:
    return Attribute(Message.OF_KIND, {"kind": context.thing(kind)})


def sort_of(context: ProseContext, kind: Type) -> tuple[str, tuple[Attribute, ...]]:
    """Return the noun for a kind of cards, and its modifiers: the game's own, or *kind of card*."""
    own = f"{kind.name}.kind"
    # If a parameter of the cards is named `kind`, the term is for what the card shows.
    if context.has_term(own) and "kind" not in context.model.cards[kind.name].attributes:
        return own, ()
    return "kind", (Attribute("prose.sort_of", {"what": NounPhrase(context.term(kind.name))}),)


def is_sort_of_cards(context: ProseContext, e: s.Expression) -> bool:
    """Return whether a name stands for a kind of cards, and not for one of them."""
    ref = context.ref(e)
    entity = context.entities.get(ref.local) if ref.local is not None else None
    if entity is None or entity.type.kind != "cards" or not isinstance(entity.thing, NounPhrase):
        return False
    return entity.thing.head.name == sort_of(context, entity.type)[0]


def counted_noun(thing: NounPhrase, count: Amount | None) -> NounPhrase:
    """Return a phrase with a count."""
    if count is None:
        return replace(thing, several=True)
    if count == 1:
        return replace(thing, words=("indef",), one=True)
    if isinstance(count, int):
        return replace(thing, head=replace(thing.head, count=count))
    as_many = Attribute(Message.AS_MANY, {"n": count})
    named = count.entity if isinstance(count, Mention) and not count.modifiers else None
    match named.thing if named is not None else count:
        case NounPhrase(modifiers=[Attribute(message=Message.OF_ALL | Message.OF_ALL_IN as what, values=values)]):
            # *As many as there are*, not *as many as their number*.
            attribute = Attribute("prose.as_many_in", values)
            if what == Message.OF_ALL:
                attribute = Attribute("prose.as_many_things", {"condition": Sentence("prose.exist", values)})
            as_many = _as_many_theirs(values) or attribute
        case NounPhrase(modifiers=[Attribute(message=Message.IN_TABLE, values=values)]):
            as_many = Attribute("prose.as_many_in_table", values)
    return replace(thing, words=("as_many",), several=True, modifiers=(*thing.modifiers, as_many))


def _as_many_theirs(values: Mapping[str, Value]) -> Attribute | None:
    """Return the modifier *as many as a player has somewhere*; None for things without an owner."""
    match values:
        case {"what": NounPhrase(modifiers=[*others, Attribute(message=Message.OF_OWNER, values=whose)]) as what}:
            owned = replace(what, modifiers=tuple(others))
            return Attribute("prose.as_many_theirs", {**values, "what": owned, "player": whose["owner"]})
    return None


def unmentioned_owner(context: ProseContext, zone: s.Expression) -> s.Expression | None:
    """Return the owner of tokens, if the phrase for their place does not identify them."""
    ref = context.ref(zone)
    if ref.name not in context.model.declared.zones:
        return None
    declared = context.model.declared.zones[ref.name]
    indices = s.index_nodes(zone)[: len(declared.indices)]
    mentioned = (
        context.words.slots(message, context.model.scope) if context.has_message(message := f"of.{ref.name}") else SLOTS
    )
    if not declared.traits.tokens or (len(indices) < 2 and not {SLOTS[0], "player"}.isdisjoint(mentioned)):
        return None
    return owner_of(context, zone)


def owner_of(context: ProseContext, zone: s.Expression) -> s.Expression | None:
    """Return the owner of the tokens in a place."""
    return next((node for node in s.index_nodes(zone) if context.kind(node).kind == "player"), None)


def with_owner(context: ProseContext, what: NounPhrase, zone: s.Expression) -> NounPhrase:
    """Return the phrase for tokens with their owner, if their place does not identify them."""
    whose = unmentioned_owner(context, zone)
    if whose is None:
        return what
    # A number of things is said last, since it can be a clause: *as many of that player as …*.
    amount = tuple(m for m in what.modifiers if m.message.startswith(Message.AS_MANY))
    rest = tuple(m for m in what.modifiers if m not in amount)
    return replace(what, modifiers=(*rest, Attribute(Message.OF_OWNER, {"owner": context.value(whose)}), *amount))


def _cell(context: ProseContext, e: s.Expression, name: str, keys: Sequence[s.Expression]) -> NounPhrase:
    """Return the phrase for a table entry."""
    values: dict[str, Value] = {
        "table": Sentence(f"title.{name}") if context.has_message(f"title.{name}") else NounPhrase(context.term(name)),
        "keys": Listing(tuple(context.value(key) for key in keys)),
    }
    noun = context.noun_and_determiner(context.kind(e))[0]
    return NounPhrase(context.term(noun), ("def",), (Attribute(Message.IN_TABLE, values),))


def zone_content(context: ProseContext, zone: s.Expression) -> str:
    """Return the name of a zone's content."""
    ref = context.ref(zone)
    if ref.name not in context.model.declared.zones:
        raise NotVerbalisable(zone)
    return context.model.declared.zones[ref.name].holds.name


def _counted(context: ProseContext, what: NounPhrase, where: NounPhrase | None) -> NounPhrase:
    """Return *the number of* things, optionally in a place."""
    if where is None:
        return NounPhrase(context.term("count"), ("def",), (Attribute(Message.OF_ALL, {"what": what}),))
    values: dict[str, Value] = {"what": what, "place": where}
    return NounPhrase(context.term("count"), ("def",), (Attribute(Message.OF_ALL_IN, values),))


def _constant(context: ProseContext, name: str, owners: Sequence[s.Expression], kind: Type | None) -> NounPhrase:
    """Return a constant by its name: a value, an area, a card."""
    if not owners:
        # A value of an enumeration is called by its name; its sentence decides how.
        return NounPhrase(context.term(name), () if kind is not None and kind.kind == "enum" else ("def",))
    index = distinguishing_index(context, name)
    if index is not None:
        return context.thing(owners[index])
    values = [context.ref(owner) for owner in owners]
    if all(ref.kind == "value" for ref in values):
        context.log.mark_said(*owners)
        inner = ", ".join(
            context.model.value_name(context.kind(owner), ref.number) for owner, ref in zip(owners, values, strict=True)
        )
        return NounPhrase(context.term(f"{name}({inner})"), ("def",))
    modifiers = tuple(Attribute(Message.OF_KIND, {"kind": context.value(owner)}) for owner in owners)
    return NounPhrase(context.one_of(name) if owners else context.term(name), ("def",), modifiers)


def _function(context: ProseContext, e: s.Expression, name: str, owners: Sequence[s.Expression]) -> NounPhrase:
    """Return the phrase for a built-in function."""
    if name in ("least", "greatest"):
        return _extreme(context, name, owners)
    values: dict[str, Value] = {slot: context.value(owner) for slot, owner in zip(SLOTS, owners, strict=False)}
    if name in ("step", "side"):
        values["two"] = way(context, e)
    message = f"prose.{name}" if len(values) < 3 else f"prose.{name}.{len(values)}"
    if name == "spot" and any(isinstance(values[slot], NounPhrase) for slot in SLOTS[1:3]):
        # *In column 3*, but *with the column of that square as its column*.
        message = "prose.spot.named"
    if name == "player" and isinstance(values["one"], NounPhrase):
        # *With the number 2*, but *whose seat number is the number of heaps*.
        message = "prose.player.named"
    if name == "facing" and isinstance(values["two"], NounPhrase):
        if mentions(values["one"]) <= mentions(values["two"]):
            # The direction already mentions the thing that has this side.
            del values["one"]
        points = "prose.points" if "one" in values else "prose.points_so"
        return NounPhrase(context.term("direction"), ("def",), (Relative(points, "way", values),))
    if name in ("step", "side") and len(values) < 3:
        message = f"{message}.to"
        if name == "step" and context.ref(owners[0]).kind in ("place", "laid_at"):
            # *Next to a card*, not *one step from the place of a card*.
            message, values["one"] = Message.NEXT_TO, context.value(s.index_nodes(owners[0])[0])
    if name == "step" and len(owners) > 2 and isinstance(steps := values["three"], NounPhrase):
        values["three"] = counted_noun(NounPhrase(context.term(COUNTED)), steps)
    board = context.kind(e).name
    area = f"{board}.value" if context.has_term(f"{board}.value") else board
    head = {"step": area, "spot": area, "player": "player", "facing": "direction"}.get(name, "side")
    return NounPhrase(context.term(head), ("def",), (Attribute(message, values),))


def _extreme(context: ProseContext, name: str, owners: Sequence[s.Expression]) -> NounPhrase:
    """Return the phrase for the least or greatest of several numbers."""
    match owners:
        case (s.Binary(operator="-", left=a, right=b), s.Binary(operator="-", left=c, right=d)) if (
            name == "greatest" and s.same(a, d) and s.same(b, c)
        ):
            context.log.mark_said(*owners)
            context.log.omit(owners[1], "said", "")
            ends: dict[str, Value] = {"one": context.value(a), "two": context.value(b)}
            return NounPhrase(context.term("difference"), ("def",), (Attribute("prose.apart", ends),))
    return _clamped(context, name, owners) or limited(context, name, [*_operands(context, name, owners)])


def _operands(context: ProseContext, name: str, owners: Sequence[s.Expression]) -> Iterator[Amount]:
    """Yield the operands of a function that returns one of them, with those of inner calls of the same function."""
    for owner in owners:
        if isinstance(owner, s.Called) and context.ref(owner).kind == name:
            context.log.mark_said(owner)
            yield from _operands(context, name, owner.arguments)
        else:
            yield _closed(context, owner, numeral(context, owner))


def _clamped(context: ProseContext, name: str, owners: Sequence[s.Expression]) -> NounPhrase | None:
    """Return the phrase for a number between two constants, or None for another expression."""
    outer = _bound(context, owners)
    if (
        outer is None
        or not isinstance(outer[1], s.Called)
        or {name, context.ref(outer[1]).kind} != {"least", "greatest"}
    ):
        return None
    inner = _bound(context, outer[1].arguments)
    if inner is None:
        return None
    low, high = (outer[0], inner[0]) if name == "greatest" else (inner[0], outer[0])
    if (constant_number(context, low) or 0) > (constant_number(context, high) or 0):
        return None
    context.log.mark_said(outer[1])
    return clamped(_closed(context, inner[1], context.value(inner[1])), context.value(low), context.value(high))


def _bound(context: ProseContext, owners: Sequence[s.Expression]) -> tuple[s.Expression, s.Expression] | None:
    """Return the constant and the variable one of two operands, or None."""
    constants = [owner for owner in owners if constant_number(context, owner) is not None]
    others = [owner for owner in owners if owner not in constants]
    return (constants[0], others[0]) if len(constants) == len(others) == 1 else None


def _as_thing(context: ProseContext, amount: Amount) -> NounPhrase:
    if isinstance(amount, NounPhrase):
        return amount
    return NounPhrase(context.term("number"), ("def",), (Attribute("prose.digits", {"n": amount}),))


def _quantified(context: ProseContext, e: s.Quantified) -> NounPhrase:
    """Return the phrase for an aggregate over a domain."""
    local = context.model.locals[e.variable]
    restrictions = s.conjuncts(e.domain.where)
    match e.kind:
        case "first":
            return context.domain(e.domain, local, restrictions, ("def", "first"))
        case "random":
            how = "random" if local.type.kind == "player" else "chance"
            noun = context.domain(e.domain, local, restrictions, ("indef", how))
            if e.value is not None:
                weight = Attribute(Message.WEIGHTED, {"weight": context.value(e.value)})
                noun = replace(noun, modifiers=(*noun.modifiers, weight))
            return noun
        case "number" if (copies := as_copies(context, e)) is not None:
            context.log.mark_said(*s.walk(e.domain))
            return _counted(context, cards(context, copies.card), place(context, copies.zone))
        case "number":
            content = context.domain(e.domain, local, restrictions, (), several=True)
            context.entities[local].passing = True
            return _counted(context, content, None)
        case "sum" if e.value is not None and (
            (ref := context.ref(e.value)).kind == "token_count"
            or (ref.kind == "define" and context.has_message(f"of.{ref.name}"))
        ):
            # The words for the number can stand for the sum.
            context.domain(e.domain, local, restrictions, ("every",), several=True)
            context.entities[local].passing = True
            return context.thing(e.value)
        case "sum" | "highest" | "lowest" if e.value is not None:
            extreme = {"highest": "greatest", "lowest": "least"}.get(e.kind)
            if extreme is not None and context.ref(e.value).local is local:
                context.log.mark_said(e.value)
                return replace(context.domain(e.domain, local, restrictions, ("def",)), head=context.term(extreme))
            if extreme is not None and len(restrictions) == 1 and e.domain.extreme is None and counts(e.value):
                greatest = _greatest_count(context, e.domain, local, extreme, e.value)
                if greatest is not None:
                    return greatest
            if extreme is not None and not restrictions and e.domain.kind == "all" and e.domain.extreme is None:
                everyone = context.domain(e.domain, local, (), ("every",), several=True)
                of_all = _of_all(everyone, extreme, context.value(e.value))
                if of_all is not None:
                    context.entities[local].passing = True
                    return of_all
            before = frozenset(context.entities.values())
            content, inner = _each_and_value(context, e.domain, local, restrictions, e.value)
            entity, said = context.entities[local], mentions(inner)
            over = Attribute("prose.over_each", {"value": inner, "what": content})
            if entity in said and said - before != {entity}:
                # Beside things that the value itself speaks of, *of every one* would not say what is done for each.
                context.rivals.add(local)
                content, inner = _each_and_value(context, e.domain, local, restrictions, e.value)
                over = Attribute("prose.over_named", {"what": content, "value": inner})
            elif entity in said:
                # The value mentions each element, so it defines the range of the sum.
                over = Attribute("prose.over", {"value": inner})
            return NounPhrase(context.term(e.kind), ("def",), (over,))
    raise NotVerbalisable(e)


def _each_and_value(
    context: ProseContext, domain: s.Domain, local: Local, asked: Sequence[s.Expression], e: s.Expression
) -> tuple[NounPhrase, Amount]:
    """Return the phrases for every element of a domain, and for a number that each has."""
    content = context.domain(domain, local, asked, ("every",))
    inner = grouped(context.value(e))
    context.entities[local].passing = True
    return content, inner


def as_copies(context: ProseContext, e: s.Expression) -> s.CountOf | None:
    """Return the count of the copies of a card in a place that a number of cards amounts to, or None."""
    domain = e.domain if isinstance(e, s.Quantified) and e.kind == "number" else None
    match domain:
        case s.Domain(kind="all", extreme=None, where=s.Compare(operator="=", left=s.Name() as card, right=copy)):
            is_kind = context.ref(copy).kind in ("face", "facekind", "value") or is_sort_of_cards(context, copy)
            counted = isinstance(e, s.Quantified) and context.ref(card).local is context.model.locals[e.variable]
            if is_kind and counted and context.ref(domain.base).kind == "zone":
                return s.CountOf(e.span, copy, domain.base)
    return None


def _of_all(everyone: NounPhrase, extreme: str, measure: Amount) -> NounPhrase | None:
    """Return *the highest stake of all players*, if the compared value is a possession; or None."""
    match everyone, measure:
        case Introduction(entity=Entity() as entity), NounPhrase(words=("def",), modifiers=[Attribute() as whose]):
            if whose == Attribute(Message.OF_OWNER, {"owner": Mention.of(entity)}):
                of_all = Attribute(whose.message, {"owner": everyone})
                return replace(measure, words=("def", extreme), modifiers=(of_all,))
    return None


def counts(e: s.Expression) -> bool:
    """Return whether an expression counts something."""
    return isinstance(e, s.CountOf) or (isinstance(e, s.Quantified) and e.kind == "number")


def _greatest_count(
    context: ProseContext, domain: s.Domain, local: Local, extreme: str, e: s.Expression
) -> NounPhrase | None:
    """Return *the greatest number of things of a kind*, with the condition on that number; None without such a one."""
    context.domain(domain, local, ())
    measure = context.thing(e)
    assert domain.where is not None
    clause = context.condition(domain.where)
    context.entities[local].passing = True
    slot = next((name for name, value in clause.values.items() if value == measure), None)
    if slot is None:
        return None
    restriction = Relative(clause.message, slot, {name: v for name, v in clause.values.items() if name != slot})
    return replace(measure, words=("def", extreme), modifiers=(*measure.modifiers, restriction))


def numeral(context: ProseContext, e: s.Expression) -> Amount:
    """Return the phrase for a number; a direction is not a number itself, but has one."""
    phrase = context.value(e)
    if isinstance(phrase, NounPhrase) and lattice_of(context.model, e) is not None:
        return NounPhrase(context.term("direction.number"), ("def",), (Attribute(Message.OF_ONE, {"owner": phrase}),))
    return phrase


def way(context: ProseContext, node: s.Node) -> NounPhrase:
    """Return the phrase for the direction in a node; a half turn from another direction is its opposite."""
    directed = direction_in(context.model, node)
    if directed is None:
        raise NotVerbalisable(node)
    return _towards(context, *directed)


def _towards(context: ProseContext, e: s.Expression, board: str) -> NounPhrase:
    ref = context.ref(e)
    whole = context.lets.get(ref.local, e) if ref.local is not None else e
    other = opposite_of(context.model, whole, board)
    if other is not None:
        context.log.mark_said(e, *(part for part in s.walk(whole) if part not in {*s.walk(other)}))
        owner = {"way": _towards(context, other, board)}
        return NounPhrase(context.term("opposite"), ("def",), (Attribute("prose.opposite_to", owner),))
    phrase = context.value(e)
    if isinstance(phrase, int):
        return named_direction(context, phrase, board)
    if lattice_of(context.model, e) is not None or _has_own_word(context, e, phrase):
        return phrase
    return NounPhrase(context.term("direction"), ("def",), (Attribute("prose.numbered", {"n": phrase}),))


def named_direction(context: ProseContext, number: int, board: str) -> NounPhrase:
    """Return the name of the direction with a number."""
    return NounPhrase(context.term(context.model.value_name(Type("direction", board), number)), ("def",))


def _has_own_word(context: ProseContext, e: s.Expression, phrase: NounPhrase) -> bool:
    """Return whether the game has a word for a number, which tells that it is a direction."""
    ref, thing = context.ref(e), described(phrase)
    if ref.kind not in ("local", "remember", "define", "rule", "table") or operations(thing):
        return False
    head = thing.head if isinstance(thing, NounPhrase) else None
    return isinstance(head, Term) and head.name != "number" and context.has_term(head.name)

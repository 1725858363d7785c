"""Clauses for the content of places and the possessions of players, independent of a language."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.prose.content.noun_phrases import cards, place, term_phrase, tokens, unmentioned_owner, zone_content
from wongar_dsl.nlg.prose.content.static_values import constant
from wongar_dsl.nlg.prose.context import COMPARED, NotVerbalisable, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention
from wongar_dsl.nlg.words import Attribute, NounPhrase, Relative, Sentence, Value


def is_empty(context: ProseContext, zone: s.Expression, empty: bool) -> Sentence:
    """Return the clause that a zone is empty, or not."""
    ref = context.ref(zone)
    if ref is None or ref.name not in context.model.declared.zones:
        raise NotVerbalisable(zone)
    declared = context.model.declared.zones[ref.name]
    if declared.kind == "slot":
        context.log.mark_said(zone)
        owners = s.index_nodes(zone)
        boards = [owner for owner in owners if context.kind(owner).kind == "board"]
        if len(owners) == 1 and boards:
            noun = NounPhrase(context.term(ref.name), ("not_any",) if empty else ("indef",))
            return Sentence("prose.lies", {"what": noun, "place": context.thing(boards[0])})
        where = term_phrase(context, ref.name, owners)
    else:
        where = place(context, zone)
        whose = unmentioned_owner(context, zone)
        if declared.kind == "heap":
            # The zone may have the same name as the cards in it.
            noun = NounPhrase(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Sentence("prose.lies", {"what": noun, "place": where})
        if whose is not None:
            noun = NounPhrase(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Sentence("prose.has", {"player": context.thing(whose), "what": noun, "place": where})
    return Sentence("prose.empty" if empty else "prose.empty.not", {"place": where})


def has_something(context: ProseContext, how: str, what: NounPhrase, zone: s.Expression) -> Sentence:
    """Return the clause that a player has something somewhere, or for a place without an owner, that it lies there."""
    where = place(context, zone)
    owners = [index for index in s.index_nodes(zone) if context.kind(index).kind == "player"]
    if not owners:
        return Sentence(f"prose.lies{how}", {"what": what, "place": where})
    if _whose(where):
        where = replace(where, own=True, modifiers=())
    ref = context.ref(zone)
    match what.modifiers:
        case [Attribute(message="prose.of_kind", values={"kind": Mention(entity=Entity() as kind)})] if (
            ref is not None and kind in context.about and not how and context.has_message(f"has_of.{ref.name}")
        ):
            having: dict[str, Value] = {"player": context.thing(owners[0]), "kind": Mention.of(kind)}
            return context.game_sentence(f"has_of.{ref.name}", {**having, "what": replace(what, modifiers=())})
    if (
        ref is not None
        and len(owners) == 1 == len(s.index_nodes(zone))
        and context.has_message(f"has.{ref.name}")
        and not how
    ):
        return context.game_sentence(f"has.{ref.name}", {"player": context.thing(owners[0]), "what": what})
    return Sentence(f"prose.has{how}", {"player": context.thing(owners[0]), "what": what, "place": where})


def has_count(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause for a number of things in a place (exactly, at least, …), or None."""
    number = constant(context, right)
    if number is None and sign == ">=":
        return _at_least(context, left, right)
    if number is None or number < 1:
        return None
    match left:
        case s.Quantified(kind="number", variable=variable, domain=domain):
            restrictions = s.conjuncts(domain.where)
            thing = context.domain(domain, context.model.locals[variable], restrictions, (), several=number > 1)
            entity = context.entities[context.model.locals[variable]]
            context.log.mark_said(left, right)
            match thing.modifiers:
                case [Relative(message=message, slot=slot, values=values)] if number == 1 and sign == "=":
                    # *If exactly one player has …*: that player is later the first one for whom it holds.
                    entity.thing = NounPhrase(thing.head, ("exactly_one",))
                    context.substitutes = {replace(left, kind="first"): entity}
                    return Sentence(message, {slot: Mention.of(entity), **values})
            entity.passing = True
            so_many = replace(thing, head=replace(thing.head, count=number), several=False)
            return Sentence(f"prose.exists_{COMPARED[sign]}", {"what": so_many})
        case s.CountOf(card=card, zone=zone):
            noun = replace(cards(context, card), several=False)
        case s.Of(name="size", owner=zone):
            ref = context.ref(zone)
            if ref is not None and context.has_message(f"{COMPARED[sign]}.{ref.name}"):
                context.log.mark_said(left, right, zone)
                slots = {**context.slots(s.index_nodes(zone)), "n": number}
                return context.game_sentence(f"{COMPARED[sign]}.{ref.name}", slots)
            noun = NounPhrase(context.term(zone_content(context, zone)))
            if (number, sign) == (1, "="):
                # *If exactly one card lies there, this card …*, not *the top card that lies there*.
                this = Entity("card", Type("cards", noun.head.name), replace(noun, words=("this",)), given=True)
                context.substitutes = {**context.substitutes, s.Of(left.span, "top", zone): this}
        case s.Indexed(indices=[*_, kind]) if (ref := context.ref(left)) is not None and ref.kind == "tokens":
            noun, zone = tokens(context, None, kind), left
        case _:
            return None
    context.log.mark_said(left, right)
    counted_ = replace(noun, head=replace(noun.head, count=number), several=False)
    return has_something(context, f"_{COMPARED[sign]}", counted_, zone)


def _at_least(context: ProseContext, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause that a player has at least a named number of the things in question, or None."""
    match left:
        case s.CountOf(card=s.Name() as card, zone=zone) if len(s.index_nodes(zone)) == 1 and _asked_for(context, card):
            [owner_] = s.index_nodes(zone)
        case _:
            return None
    if context.kind(owner_).kind != "player":
        return None
    context.log.mark_said(left)
    noun = NounPhrase(context.term(context.kind(card).name), several=True)
    where = place(context, zone)
    where = replace(where, modifiers=()) if _whose(where) else where
    having: dict[str, Value] = {"player": context.thing(owner_), "kind": context.thing(card), "n": context.value(right)}
    return Sentence("prose.has_of_at_least", {**having, "what": noun, "place": where})


def has_tokens(context: ProseContext, sign: s.Comparison, zone: s.Indexed, right: s.Expression) -> Sentence | None:
    """Return the clause that a player has tokens somewhere, or none, or None for other comparisons."""
    *indices, kind = zone.indices
    number = s.written_number(right)
    whose = next((i for i in indices if context.kind(i).kind == "player"), None)
    outcomes: dict[tuple[s.Comparison, int], int | None] = {
        (">", 0): None, (">=", 1): None, ("!=", 0): None, ("=", 0): 0, ("<=", 0): 0, ("<", 1): 0,
    }  # fmt: skip
    shown = outcomes.get((sign, number if number is not None else -1), -1)
    if whose is None or shown == -1:
        return None
    context.log.mark_said(zone, right)
    phrase = place(context, zone)
    where = replace(phrase, modifiers=()) if _whose(phrase) else phrase
    values: dict[str, Value] = {"player": context.thing(whose), "place": where}
    some: tuple[str, ...] = ("indef",) if shown is None else ("not_any",)
    if shown is None and _asked_for(context, kind):
        kind_noun = NounPhrase(context.term(context.kind(kind).name), some)
        return Sentence("prose.has_of", {**values, "what": kind_noun, "kind": context.thing(kind)})
    noun = replace(tokens(context, 1, kind), words=some, one=None)
    ref = context.ref(zone)
    if ref is not None and len(indices) > 1 and context.has_message(f"has.{ref.name}"):
        return context.game_sentence(
            f"has.{ref.name}", {**context.slots(indices), "player": values["player"], "what": noun}
        )
    return Sentence("prose.has", {**values, "what": noun})


def _whose(where: NounPhrase) -> bool:
    """Return whether a place only names its owner."""
    return len(where.modifiers) == 1 and where.modifiers[0].message == "prose.of.owner"


def _asked_for(context: ProseContext, kind: s.Expression) -> bool:
    """Return whether the current condition is about a kind."""
    value = context.value(kind)
    return isinstance(value, Mention) and value.entity in context.about

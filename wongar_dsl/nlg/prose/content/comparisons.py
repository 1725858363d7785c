"""Clauses for comparisons, negations and conjunctions, and for the content of places, independent of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER, Local, Ref, Type
from wongar_dsl.nlg.prose.content.noun_phrases import (
    cards,
    is_sort_of_cards,
    marker,
    named_direction,
    numeral,
    place,
    term_phrase,
    tokens,
    unmentioned_owner,
    zone_content,
)
from wongar_dsl.nlg.prose.content.values import constant, constant_number, lattice_of, may_be_missing, nothing_of
from wongar_dsl.nlg.prose.context import COMPARED, Amount, NotVerbalisable, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention, Message
from wongar_dsl.nlg.prose.micro.simplify import is_obvious, is_recoverable
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Relative, Sentence, Value


def is_empty(context: ProseContext, zone: s.Expression, empty: bool) -> Sentence:
    """Return the clause that a zone is empty, or not."""
    ref = context.ref(zone)
    if ref.name not in context.model.declared.zones:
        raise NotVerbalisable(zone)
    declared = context.model.declared.zones[ref.name]
    if declared.traits.single:
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
        if declared.traits.heaped:
            # The zone may have the same name as the cards in it.
            noun = NounPhrase(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Sentence("prose.lies", {"what": noun, "place": where})
        if whose is not None:
            noun = NounPhrase(context.term(declared.holds.name), ("not_any",) if empty else ("indef",))
            return Sentence(Message.HAS, {"player": context.thing(whose), "what": noun, "place": where})
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
        case [Attribute(message=Message.OF_KIND, values={"kind": Mention(entity=Entity() as kind)})] if (
            kind in context.about and not how and context.has_message(f"has_of.{ref.name}")
        ):
            having: dict[str, Value] = {"player": context.thing(owners[0]), "kind": Mention.of(kind)}
            return context.game_sentence(f"has_of.{ref.name}", {**having, "what": replace(what, modifiers=())})
    if len(owners) == 1 == len(s.index_nodes(zone)) and context.has_message(f"has.{ref.name}") and not how:
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
            if context.has_message(f"{COMPARED[sign]}.{ref.name}"):
                context.log.mark_said(left, right, zone)
                slots = {**context.slots(s.index_nodes(zone)), "n": number}
                return context.game_sentence(f"{COMPARED[sign]}.{ref.name}", slots)
            noun = NounPhrase(context.term(zone_content(context, zone)))
            if (number, sign) == (1, "="):
                # *If exactly one card lies there, this card …*, not *the top card that lies there*.
                this = Entity("card", Type("cards", noun.head.name), replace(noun, words=("this",)), given=True)
                context.substitutes = {**context.substitutes, s.Of(left.span, "top", zone): this}
        case s.Indexed(indices=[*_, kind]) if (ref := context.ref(left)).kind == "token_count":
            noun, zone = tokens(context, None, kind), left
        case _:
            return None
    context.log.mark_said(left, right)
    counted_ = replace(noun, head=replace(noun.head, count=number), several=False)
    return has_something(context, f"_{COMPARED[sign]}", counted_, zone)


def _at_least(context: ProseContext, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause that a player has at least a named number of the things in question, or None."""
    if not isinstance(left, s.CountOf) or not isinstance(card := left.card, s.Name) or not _asked_for(context, card):
        return None
    owners = s.index_nodes(left.zone)
    if [context.kind(owner).kind for owner in owners] != ["player"]:
        return None
    context.log.mark_said(left)
    noun = NounPhrase(context.term(context.kind(card).name), several=True)
    where = place(context, left.zone)
    where = replace(where, modifiers=()) if _whose(where) else where
    who, count = context.thing(owners[0]), context.value(right)
    having: dict[str, Value] = {"player": who, "kind": context.thing(card), "n": count}
    return Sentence("prose.has_of_at_least", {**having, "what": noun, "place": where})


def has_tokens(context: ProseContext, sign: s.Comparison, zone: s.Indexed, right: s.Expression) -> Sentence | None:
    """Return the clause that a player has tokens somewhere, or none, or None for other comparisons."""
    *indices, kind = zone.indices
    whose = next((i for i in indices if context.kind(i).kind == "player"), None)
    absent = _asks_for_none(sign, right)
    if whose is None or absent is None:
        return None
    context.log.mark_said(zone, right)
    phrase = place(context, zone)
    where = replace(phrase, modifiers=()) if _whose(phrase) else phrase
    values: dict[str, Value] = {"player": context.thing(whose), "place": where}
    some = ("not_any",) if absent else ("indef",)
    if not absent and _asked_for(context, kind):
        kind_noun = NounPhrase(context.term(context.kind(kind).name), some)
        return Sentence("prose.has_of", {**values, "what": kind_noun, "kind": context.thing(kind)})
    noun = replace(tokens(context, 1, kind), words=some, one=None)
    ref = context.ref(zone)
    if len(indices) > 1 and context.has_message(f"has.{ref.name}"):
        return context.game_sentence(
            f"has.{ref.name}", {**context.slots(indices), "player": values["player"], "what": noun}
        )
    return Sentence(Message.HAS, {**values, "what": noun})


def _asks_for_none(sign: s.Comparison, number: s.Expression) -> bool | None:
    """Return whether a comparison of a count only holds for 0; False if for all but 0, None for another comparison."""
    some, none = ((">", 0), (">=", 1), ("!=", 0)), (("=", 0), ("<=", 0), ("<", 1))
    compared = (sign, s.written_number(number))
    return compared in none if compared in (*some, *none) else None


def _whose(where: NounPhrase) -> bool:
    """Return whether a place only names its owner."""
    return len(where.modifiers) == 1 and where.modifiers[0].message == Message.OF_OWNER


def _asked_for(context: ProseContext, kind: s.Expression) -> bool:
    """Return whether the current condition is about a kind."""
    value = context.value(kind)
    return isinstance(value, Mention) and value.entity in context.about


#: The sign of a comparison with its sides exchanged.
MIRRORED: Mapping[s.Comparison, s.Comparison] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def opposite(context: ProseContext, clause: Sentence) -> Sentence:
    """Return the negation of a clause, with its own message if there is one."""
    message = f"{clause.message}.not"
    if context.has_message(message):
        return Sentence(message, clause.values)
    return Sentence(Message.NOT, {"condition": clause})


def conjunction(word: str, parts: Sequence[Sentence]) -> Sentence:
    """Join conditions; a compound one comes last: *a and (b or c)*, which excludes neither."""
    match word, parts:
        case _, [only]:
            return only
        case "or", [Sentence(message=Message.IS_A, values=left), Sentence(message=Message.IS_OF_KIND, values=right)]:
            if left["what"] == right["what"]:
                return Sentence(
                    "prose.is_a_or_of_kind", {"what": left["what"], "one": left["kind"], "kind": right["kind"]}
                )
    simple: list[Value] = []
    compound: list[Sentence] = []
    for part in parts:
        match part:
            case Sentence(message=message, values={"all": Listing(items=items)}) if message == f"prose.{word}":
                simple += items
            case _ if part.message in (Message.OR, Message.AND) or _is_open(part):
                compound.append(part)
            case _:
                simple.append(part)
    # Only the last compound is unambiguous, since nothing follows it.
    compound.sort(key=_is_open)
    inner = [*simple, *(_part_of(word, part, part is compound[-1]) for part in compound)]
    return Sentence(f"prose.{word}", {"all": Listing(tuple(inner))})


def _part_of(word: str, part: Sentence, last: bool) -> Sentence:
    """Return a compound or open part of a conjunction or disjunction."""
    if last and _is_open(part):
        return part
    how = "both" if last and word == "or" else "in_brackets"
    return Sentence(f"prose.{how}", {"condition": part})


def _is_open(clause: Sentence) -> bool:
    """Return whether a clause ends in another one, which what follows would seem to continue."""
    match clause:
        case Sentence(message=Message.NOT | Message.HOLDS_FOR):
            return True
        case Sentence(message=Message.EXISTS, values={"what": NounPhrase(modifiers=[*_, Relative(message=message)])}):
            return message == Message.HOLDS_FOR
    return False


def comparison(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence:
    """Return the clause for a comparison of amounts or things; two that are missing are equal.

    Raises `NotVerbalisable` if it cannot be verbalised.
    """
    clause = _comparison(context, sign, left, right)
    sides = (left, right)
    if any(isinstance(e, s.Nobody) for e in sides) or not all(may_be_missing(context, e) for e in sides):
        return clause
    how, word = ("", "or") if sign == "=" else (".not", "and")
    return conjunction(word, [clause, Sentence(f"prose.both_none{how}")])


def _comparison(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence:
    ref, right_ref = context.ref(left), context.ref(right)
    if isinstance(right, s.Nobody) or isinstance(left, s.Nobody):
        context.log.mark_said(left, right)
        return _nobody(context, right if isinstance(left, s.Nobody) else left, sign == "=")
    if (
        isinstance(right, s.Name)
        and (
            right_ref.kind in ("face", "facekind")
            or (right_ref.kind == "value" and context.kind(right).kind == "cards")
        )
        and sign in ("=", "!=")
    ):
        context.log.mark_said(right)
        if ref.kind == "laid" and context.kind(s.index_nodes(left)[0]).kind == "board":
            context.log.mark_said(left)
            card = NounPhrase(context.term(right.text), ("indef",) if sign == "=" else ("not_any",))
            if sign == "=":
                # Later mentions are *this* card.
                this = Entity("card", context.kind(right), replace(card, words=("this",)), given=True)
                context.substitutes = {**context.substitutes, left: this}
            return Sentence("prose.lies", {"what": card, "place": context.thing(s.index_nodes(left)[0])})
        return _is_a(context, sign, left, NounPhrase(context.term(right.text)))
    if isinstance(right, s.Called) and right_ref.kind == "face" and sign in ("=", "!="):
        return _is_a(context, sign, left, context.thing(right))
    result = _comes_first(context, sign, left, right)
    if result is not None:
        return result
    if isinstance(left, s.Indexed) and ref.kind == "token_count":
        result = has_tokens(context, sign, left, right)
        if result is not None:
            return result
    for shape in (_nothing, _some, _own, has_count, _on_track):
        result = shape(context, sign, left, right)
        if result is not None:
            return result
    if ref.kind == right_ref.kind == "score" and ref.name == right_ref.name:
        result = _scores(context, sign, left, right, ref)
        if result is not None:
            return result
    # Only a digit follows the noun: *in row 3*, but *the row of the square is the number “n”*.
    if ref.kind in ("row", "column") and sign == "=" and constant_number(context, right) is not None:
        context.log.mark_said(left)
        found_in: dict[str, Value] = {"what": context.thing(s.index_nodes(left)[0]), "n": context.value(right)}
        return Sentence(f"prose.lies_in_{ref.kind}", found_in)
    if context.kind(left).kind == "truth" and sign in ("=", "!="):
        return context.condition(_both_or_neither(left, right), sign == "!=")
    if sign in ("=", "!=") and (equation := _same_direction(context, left, right)) is not None:
        return equation if sign == "=" else Sentence(Message.IS_NOT, equation.values)
    if context.kind(left).kind == "number":
        sign, what, other = _sides(context, sign, left, right)
        return Sentence(f"prose.is_{COMPARED[sign]}", {"what": what, "n": other})
    if sign not in ("=", "!="):
        raise NotVerbalisable(left)
    of_kind = _of_kind(context, left, right)
    if of_kind is not None:
        return of_kind if sign == "=" else opposite(context, of_kind)
    if ref.kind == right_ref.kind == "holder":
        return _same_holder(context, sign, left, right)
    if ref.name and context.has_message(f"is.{ref.name}"):
        context.log.mark_said(left)
        clause = context.game_sentence(
            f"is.{ref.name}", {**context.slots(s.index_nodes(left)), "value": context.value(right)}
        )
        return clause if sign == "=" else opposite(context, clause)
    sign, what, other = _sides(context, sign, left, right)
    message = "prose.same_kind" if context.compares_kinds(left, right) else Message.IS
    return Sentence(message if sign == "=" else f"{message}.not", {"what": what, "other": other})


def _of_kind(context: ProseContext, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause that a thing is of a kind, or None for another equation."""
    if context.ref(left).kind == "attribute" and context.is_sort(context.kind(left)):
        context.log.mark_said(left)
        return Sentence(
            Message.IS_OF_KIND, {"what": context.thing(s.index_nodes(left)[0]), "kind": context.value(right)}
        )
    for thing, kind in ((left, right), (right, left)):
        is_card = context.kind(thing).kind == "cards" and not is_sort_of_cards(context, thing)
        if is_card and is_sort_of_cards(context, kind):
            return Sentence(Message.IS_OF_KIND, {"what": context.thing(thing), "kind": context.thing(kind)})
    return None


def _same_direction(context: ProseContext, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause that two directions are the same one, or None for other numbers; a literal has a name."""
    lattice = lattice_of(context.model, left) or lattice_of(context.model, right)
    if lattice is None:
        return None
    sides = []
    for side in (left, right):
        number = s.written_number(side)
        if number is None and lattice_of(context.model, side) is None:
            return None
        sides.append(context.value(side) if number is None else named_direction(context, number, lattice))
    return Sentence(Message.IS, dict(zip(("what", "other"), sides, strict=True)))


def _sides(
    context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression
) -> tuple[s.Comparison, Amount, Amount]:
    """Return the sign and the phrases of both sides. Raises `NotVerbalisable` if different expressions have the same
    phrase.

    The thing that the text describes comes first: *that is less than the number of cards*.
    """
    what, other = numeral(context, left), numeral(context, right)
    alike = isinstance(what, NounPhrase) and not isinstance(what, Mention) and what == other
    if alike and not s.same(left, right):
        raise NotVerbalisable(left)
    described = [isinstance(side, Mention) and side.entity in context.about for side in (what, other)]
    return (MIRRORED[sign], other, what) if described == [False, True] else (sign, what, other)


def _both_or_neither(one: s.Expression, other: s.Expression) -> s.Expression:
    """Return the condition that both hold or neither does."""
    both = s.Logical(one.span, "and", (one, other))
    neither = s.Logical(one.span, "and", (s.Negation(one.span, one), s.Negation(other.span, other)))
    return s.Logical(one.span, "or", (both, neither))


def _nothing(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the game's own clause for a number that means *nothing*, or None."""
    ref, number = context.ref(left), constant_number(context, right)
    if ref.kind not in ("remember", "table") or not context.has_message(f"none.{ref.name}") or number is None:
        return None
    nothing = nothing_of(context, ref.name)
    outcomes = {("=", nothing): True, ("!=", nothing): False, (">", nothing): False, (">=", nothing + 1): False}
    absent = outcomes.get((sign, number))
    if absent is None or not is_obvious(context, f"none.{ref.name}", s.index_nodes(left)):
        return None
    context.log.mark_said(left, right)
    clause = context.game_sentence(f"none.{ref.name}", context.slots(s.index_nodes(left)))
    return clause if absent else opposite(context, clause)


def _own(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the game's own clause for a comparison of a named value with a number, or None."""
    ref = context.ref(left)
    if ref.local is not None and ref.local in {context.model.locals[let.variable] for let in context.quiet}:
        context.log.mark_said(left)
        left = context.lets[ref.local]
        ref = context.ref(left)
    if ref.kind not in ("remember", "table", "define") or not ref.name:
        return None
    owners = tuple(s.operands(left))
    for how, denied in ((sign, False), (s.OPPOSITE[sign], True)):
        message = f"{COMPARED[how]}.{ref.name}"
        if context.has_message(message) and is_obvious(context, message, owners):
            context.log.mark_said(left)
            clause = context.game_sentence(message, {**context.slots(owners), "n": context.value(right)})
            return opposite(context, clause) if denied else clause
    return None


def _some(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return an existential clause: *somebody has fewer points*, not *the number … is more than 0*; or None."""
    negated = _asks_for_none(sign, right)
    ref = context.ref(left)
    counted = left
    if ref.kind == "local" and ref.local is not None:
        counted = context.lets.get(ref.local, left)
    if negated is None:
        return None
    match counted:
        case s.Quantified(kind="number", variable=variable, domain=domain):
            context.log.mark_said(left, right)
            kind: s.QuantifiedKind = "none" if negated else "some"
            return context.condition(s.Quantified(counted.span, kind, variable, domain), False)
        case s.Called(name=name) if context.has_message(f"define.{name}") and name in context.model.code.defines:
            locals_ = context.model.parameters.get(context.model.code.defines[name], ())
            if not is_recoverable(context, f"define.{name}", locals_, counted.arguments):
                return None
            context.log.mark_said(right, left)
            asked_of = context.argument_slots(locals_, counted.arguments)
            clause = context.game_sentence(f"define.{name}", asked_of)
            return opposite(context, clause) if negated else clause
        case s.Of(name="size", owner=zone):
            context.log.mark_said(left, right)
            return is_empty(context, zone, negated)
        case s.CountOf(card=card, zone=zone):
            context.log.mark_said(left, right)
            noun = replace(cards(context, card), several=False, words=("not_any",) if negated else ("indef",))
            return has_something(context, "", noun, zone)
    return None


def _on_track(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause for a marker on the last space of its track, or None."""
    match left, right:
        case s.Of(name="space", owner=marker), s.Of(name="spaces", owner=other_marker) if s.same(marker, other_marker):
            if sign not in ("=", ">=", "<", "!="):
                return None
            context.log.mark_said(left, right, other_marker)
            at_end = Sentence("prose.at_end", {"what": context.thing(marker)})
            return at_end if sign in ("=", ">=") else opposite(context, at_end)
    return None


def _comes_first(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence | None:
    """Return the clause for the order of two players, such as *not behind the other*, or None."""
    match right:
        case s.Quantified(kind="first", variable=variable, domain=domain) if domain.first is not None:
            either = domain.where
        case _:
            return None
    match either:
        case s.Logical(
            operator="or",
            operands=(s.Compare(operator="=", right=player) as a, s.Compare(operator="=", right=other_player) as b),
        ) if s.same(player, left):
            pass
        case _:
            return None
    local = context.model.locals[variable]
    named_ = [context.ref(e.left) for e in (a, b)]
    if sign not in ("=", "!=") or domain.kind not in ("from", "after") or domain.extreme is not None:
        return None
    if any(ref.local is not local for ref in named_) or speaks_of(context, other_player, local):
        return None
    context.log.omit(right, "said", "")
    values: dict[str, Value] = {"player": context.value(left), "two": context.value(other_player)}
    clause = Sentence(f"prose.not_behind_{domain.kind}", {**values, "start": context.thing(domain.first)})
    return clause if sign == "=" else opposite(context, clause)


def _is_a(context: ProseContext, sign: s.Comparison, left: s.Expression, kind: NounPhrase) -> Sentence:
    """Return the clause for a card of a kind: *this card is a red card*, is *no red card*, is *not red*."""
    is_name = context.words.is_name(kind.head.name, context.model.scope)
    words = ("indef",) if sign == "=" and not is_name else ()
    how = "" if sign == "=" else ".not" if is_name else ".none"
    return Sentence(f"prose.is_a{how}", {"what": context.thing(left), "kind": replace(kind, words=words)})


def speaks_of(context: ProseContext, tree: object, local: Local) -> bool:
    """Return whether a tree, or a part of several, mentions a name."""
    return any(context.ref(node).local is local for node in s.walk(tree))


def _nobody(context: ProseContext, e: s.Expression, absent: bool) -> Sentence:
    """Return the clause for *nobody* or *nothing*, with the game's own message if there is one."""
    ref = context.ref(e)
    owners = tuple(s.operands(e))
    message = f"none.{ref.name}" if ref.name else ""
    if ref.kind in ("place", "laid_at"):
        context.log.mark_said(e)
        [thing] = s.index_nodes(e)
        laid = context.kind(thing).kind == "cards"
        clause = Sentence("prose.not_laid" if laid else "prose.nowhere", {"what": context.thing(thing)})
    elif message and context.has_message(message) and is_obvious(context, message, owners):
        context.log.mark_said(e)
        clause = context.game_sentence(message, context.slots(owners))
    elif ref.kind == "laid" and owners and context.kind(owners[0]).kind == "board":
        context.log.mark_said(e)
        card = NounPhrase(context.term(zone_content(context, e)), ("not_any",) if absent else ("indef",))
        return Sentence("prose.lies", {"what": card, "place": context.thing(owners[0])})
    elif (marking := marker(context, e)) is not None:
        clause = Sentence("prose.nowhere", {"what": marking})
    elif ref.kind == "remember" and len(owners) == 1 and not context.has_message(f"of.{ref.name}"):
        # *The square has no owner*, not *the owner of the square is missing*.
        context.log.mark_said(e)
        word = NounPhrase(context.term(ref.name), ("not_any",) if absent else ("indef",))
        return Sentence("prose.has_value", {"one": context.thing(owners[0]), "what": word})
    else:
        clause = Sentence("prose.is_none", {"what": context.value(e)})
    return clause if absent else opposite(context, clause)


def _scores(
    context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression, ref: Ref
) -> Sentence | None:
    """Return the clause for having fewer or more points than another player, or None."""
    [first], [second] = s.index_nodes(left), s.index_nodes(right)
    if sign not in ("<", ">"):
        return None
    context.log.mark_said(left, right)
    points = NounPhrase(context.term(ref.name), several=True)
    values: dict[str, Value] = {"player": context.thing(first), "what": points, "other": context.thing(second)}
    return Sentence("prose.has_fewer" if sign == "<" else "prose.has_more_points", values)


def _same_holder(context: ProseContext, sign: s.Comparison, left: s.Expression, right: s.Expression) -> Sentence:
    """Return the clause for figures of the same player; later text can refer to that player."""
    context.log.mark_said(left, right)
    figures = tuple(context.thing(s.index_nodes(e)[0]) for e in (left, right))
    clause = Sentence("prose.same_holder", {"what": Listing(figures)})
    holder = Entity("holder", PLAYER, NounPhrase(context.term("player"), ("this",)), given=True, passing=True)
    context.substitutes = {left: holder, right: holder} if sign == "=" else {}
    return clause if sign == "=" else opposite(context, clause)

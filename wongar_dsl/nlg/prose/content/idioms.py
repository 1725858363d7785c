"""Idioms: groups of statements that a person describes in one sentence."""

from __future__ import annotations

from itertools import combinations

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local
from wongar_dsl.nlg.prose.content.noun_phrases import place
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine
from wongar_dsl.nlg.words import Attribute, Listing, NounPhrase, Sentence

#: Number of statements in each idiom.
STATEMENTS = 3


def idiom(context: ProseContext, block: s.Block) -> PlanLine | None:
    """Return the sentence for the first statements of a block if they form an idiom; it covers `STATEMENTS` of them."""
    statements = block[:STATEMENTS]
    return _exchange(context, statements) or _blind_draw(context, statements, block[STATEMENTS:])


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


def _blind_draw(context: ProseContext, statements: s.Block, later: s.Block) -> PlanLine | None:
    """Return the sentence for drawing a token from all bags at random, or None.

    The statements choose an owner and then a kind, each in proportion to the number of tokens. This gives every token
    the same probability.
    """
    match statements:
        case (
            s.Let(variable=whose, value=s.Quantified(kind="random", variable=player, domain=everybody) as first),
            s.Let(variable=which, value=s.Quantified(kind="random", variable=sort, domain=kinds) as second),
            s.MoveTokens(count=s.Number(value=1), kind=s.Name() as moved, origin=bag, target=goal) as move,
        ):
            pass
        case _:
            return None
    locals_ = context.model.locals
    owner, kind = locals_[whose], locals_[which]
    if not (
        _whole(everybody, context, locals_[player])
        and _whole(kinds, context, locals_[sort])
        and _is(context, moved, kind)
        and _by_number(context, first.value, bag, locals_[player], owner)
        and _by_kind(context, second.value, bag, owner, locals_[sort])
        and not any(_is(context, node, kind) for node in s.walk(goal))
        and not any(_is(context, node, local) for node in s.walk(later) for local in (owner, kind))
    ):
        return None
    for part in statements:
        context.log.omit(part, "said", "")
    players = NounPhrase(context.term("player"), ("every",), several=True)
    assert isinstance(bag, s.Of)
    theirs = (Attribute("prose.of.owner", {"owner": players}),)
    bags = NounPhrase(context.term(bag.name), ("def",), theirs, several=True)
    token = NounPhrase(context.term(kind.type.name), ("indef",))
    context.bind_new(owner, players)
    sentence = Sentence("prose.drawn_blind", {"what": token, "from": bags, "to": place(context, goal)})
    return PlanLine(sentence, move, others=statements[:-1])


def _whole(domain: s.Domain, context: ProseContext, local: Local) -> bool:
    """Return whether a domain is a whole type: all players, all kinds."""
    ref = context.ref(domain.base)
    plain = domain.kind == "all" and domain.where is None and domain.extreme is None
    return plain and ref is not None and ref.kind == "type" and local.type.kind in ("player", "enum")


def _is(context: ProseContext, e: s.Node | None, local: Local) -> bool:
    ref = context.ref(e) if e is not None else None
    return ref is not None and ref.local is local


def _by_number(
    context: ProseContext, weight: s.Expression | None, bag: s.Expression, player: Local, owner: Local
) -> bool:
    """Return whether a player is chosen in proportion to the size of their bag, from which the token is drawn."""
    match weight, bag:
        case s.Of(name="size", owner=s.Of(name=one, owner=who)), s.Of(name=other, owner=drawn_):
            return one == other and _is(context, who, player) and _is(context, drawn_, owner)
    return False


def _by_kind(context: ProseContext, weight: s.Expression | None, bag: s.Expression, owner: Local, kind: Local) -> bool:
    """Return whether a kind is chosen in proportion to its number in the bag."""
    match weight, bag:
        case s.Indexed(name=one, indices=(who, what)), s.Of(name=other):
            return one == other and _is(context, who, owner) and _is(context, what, kind)
    return False

"""Effects of a card, read from the statements of its rule: tokens, figures, cards, tracks and points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.semantics import Model

#: Number of cached cards.
MAX_CACHED_CARDS = 2_000


class CardEffect(NamedTuple):
    """Thing that a card gives, and the declaration that it comes from.

    `value` is the kind of token, or -1 if the rule does not fix it.
    """

    sort: Literal["token", "figure", "card", "track", "points"]
    name: str
    value: int = -1


def card_effects(model: Model, sort: str, number: int) -> tuple[CardEffect, ...]:
    """Return the things that a face gives, each once, in rule order.

    Called rules are searched level by level, and only if the calling level gives nothing.
    """
    return _cached_effects(_ModelKey(model), sort, number)


class _ModelKey:
    """Cache key for a model, compared by identity."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ModelKey) and other.model is self.model

    def __hash__(self) -> int:
        return id(self.model)


@lru_cache(MAX_CACHED_CARDS)
def _cached_effects(of: _ModelKey, sort: str, number: int) -> tuple[CardEffect, ...]:
    model = of.model
    face = model.cards[sort].faces[number]
    effects = [effect for effect in model.code.effects.get(sort, ()) if effect.name.text == face.kind]
    values = {name.text: value for e in effects for name, value in zip(e.card_parameters, face.arguments, strict=False)}
    level: list[s.Procedure] = [*effects]
    visited: set[s.Procedure] = set()
    while level:
        things = dict.fromkeys(thing for article in level for thing in _effects_in(model, article, values))
        if things:
            return tuple(things)
        visited |= set(level)
        # Parameters of a called rule are not those of the card.
        values = {}
        called = (rule for article in level for rule in _called_rules(model, article))
        level = [rule for rule in dict.fromkeys(called) if rule not in visited]
    return ()


def _called_rules(model: Model, article: s.Procedure) -> Iterator[s.Procedure]:
    for node in walk(article.body):
        ref = model.refs.get(node)
        if ref is not None and ref.kind == "rule":
            yield model.code.rules[ref.name]


def _effects_in(model: Model, article: s.Procedure, values: dict[str, int]) -> Iterator[CardEffect]:
    for node in walk(article.body):
        match node:
            case s.MoveTokens(kind=kind):
                yield CardEffect("token", model.types[kind].name, _kind(model, kind, values))
            case s.Take(figure=figure):
                yield CardEffect("figure", figure.text)
            case s.Move(what=what) if model.types[what].kind == "cards":
                yield CardEffect("card", model.types[what].name)
            case s.Move(what=s.Name() as what) if what.text in model.figures:
                yield CardEffect("figure", what.text)
            case s.Advance(track=track):
                yield CardEffect("track", track.text)
            case s.Gain(score=score):
                yield CardEffect("points", score.text)
            case _:
                pass


def _kind(model: Model, kind: s.Expression, values: dict[str, int]) -> int:
    """Return the kind of token of an expression, if it is a constant or a parameter of the card; else -1."""
    ref = model.refs.get(kind)
    if ref is not None and ref.kind == "value":
        return ref.number
    return values.get(kind.text, -1) if isinstance(kind, s.Name) else -1

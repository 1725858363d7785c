"""What a card brings, read off the statements of its rule: kinds of tokens, figures, cards, tracks, points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.syntax import walk

#: Of so many cards it is at hand what they bring.
KEPT = 2_000


class Brought(NamedTuple):
    """Something that a card brings: the sort of thing, and the declaration that it comes from.

    `value` is which kind of token, and -1 where that is not said.
    """

    sort: Literal["token", "figure", "card", "track", "points"]
    name: str
    value: int = -1


def brought(model: Model, sort: str, number: int) -> tuple[Brought, ...]:
    """What a face brings, each thing once, in the order of its rule; what it only calls is asked where it says nothing.

    The order in which rules call one another is that of reading, so the same card always gives the same things.
    """
    return _brought(_Of(model), sort, number)


class _Of:
    """A model that is looked up by itself, not by all that is in it."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Of) and other.model is self.model

    def __hash__(self) -> int:
        return id(self.model)


@lru_cache(KEPT)
def _brought(of: _Of, sort: str, number: int) -> tuple[Brought, ...]:
    model = of.model
    face = model.cards[sort].faces[number]
    own = [effect for effect in model.code.effects.get(sort, ()) if effect.name.text == face.kind]
    values = {name.text: value for e in own for name, value in zip(e.names, face.arguments, strict=False)}
    level: list[s.Procedure] = [*own]
    asked: set[s.Procedure] = set()
    while level:
        found = dict.fromkeys(thing for article in level for thing in _of(model, article, values))
        if found:
            return tuple(found)
        asked |= set(level)
        # What is a parameter of a called rule is not that of the card.
        values = {}
        called = (rule for article in level for rule in _called(model, article))
        level = [rule for rule in dict.fromkeys(called) if rule not in asked]
    return ()


def _called(model: Model, article: s.Procedure) -> Iterator[s.Procedure]:
    for node in walk(article.body):
        ref = model.refs.get(node)
        if ref is not None and ref.kind == "rule":
            yield model.code.rules[ref.name]


def _of(model: Model, article: s.Procedure, values: dict[str, int]) -> Iterator[Brought]:
    for node in walk(article.body):
        match node:
            case s.MoveTokens(kind=kind):
                yield Brought("token", model.types[kind].name, _kind(model, kind, values))
            case s.Take(figure=figure):
                yield Brought("figure", figure.text)
            case s.Move(what=what) if model.types[what].kind == "cards":
                yield Brought("card", model.types[what].name)
            case s.Move(what=s.Name() as what) if what.text in model.figures:
                yield Brought("figure", what.text)
            case s.Advance(track=track):
                yield Brought("track", track.text)
            case s.Gain(score=score):
                yield Brought("points", score.text)
            case _:
                pass


def _kind(model: Model, kind: s.Expression, values: dict[str, int]) -> int:
    """Which kind of token an expression says: one that is named, or that of the card."""
    ref = model.refs.get(kind)
    if ref is not None and ref.kind == "value":
        return ref.number
    return values.get(kind.text, -1) if isinstance(kind, s.Name) else -1

"""What is still counted at the very end of a game: points that only the last statements before it give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wongar_dsl import syntax as s
from wongar_dsl.analysis.effects import Effects, ends_block, parts
from wongar_dsl.model import Model


class Closing(NamedTuple):
    """Statements, and the article that they stand in."""

    article: s.Procedure
    body: s.Block


def closing(model: Model, effects: Effects) -> Closing | None:
    """The statements before the end of the game that give points, do nothing else that is seen on the table, and could
    as well be done at any other moment; None where there are none, or others before another end."""
    found = [each for article in model.code.procedures for each in _before_the_end(article, effects)]
    if not found or not all(s.same(each.body, found[0].body) for each in found[1:]):
        return None
    return found[0]


def _before_the_end(article: s.Procedure, effects: Effects) -> Iterator[Closing]:
    for body in _bodies(article.body):
        ended = bool(body) and isinstance(body[-1], s.Simple) and body[-1].word == "end game"
        whole = isinstance(article, s.Play) and body is article.body
        if not ended and not (whole and body and not ends_block(body[-1])):
            continue
        end = len(body) - ended
        first = end
        while first and effects.counts(body[first - 1]):
            first -= 1
        counted = body[first:end]
        if effects.gains(counted) and effects.stands_alone(counted):
            yield Closing(article, counted)


def _bodies(body: s.Block) -> Iterator[s.Block]:
    """A block, and all blocks in it."""
    yield body
    for node in body:
        for inner, _ in parts(node):
            yield from _bodies(inner)

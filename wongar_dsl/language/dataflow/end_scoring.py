"""Detection of end scoring: points that are counted only in the last statements before the end of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import Effects, ends_block
from wongar_dsl.language.semantics import Model


class EndScoring(NamedTuple):
    """The scoring statements, and the procedure that contains them."""

    article: s.Procedure
    body: s.Block


def end_scoring(model: Model, effects: Effects) -> EndScoring | None:
    """Return the scoring statements before the end of the game, or None.

    They have no other visible effect and do not depend on their position. Return None if there are none, or if they
    differ between the ends of the game.
    """
    scorings = [each for article in model.code.procedures for each in _before_the_end(article, effects)]
    if not scorings or not all(s.same(each.body, scorings[0].body) for each in scorings[1:]):
        return None
    return scorings[0]


def _before_the_end(article: s.Procedure, effects: Effects) -> Iterator[EndScoring]:
    for body in s.all_blocks(article.body):
        ended = isinstance(body[-1], s.KeywordStatement) and body[-1].word == "end game"
        whole = isinstance(article, s.Play) and body is article.body
        if not ended and not (whole and not ends_block(body[-1])):
            continue
        end = len(body) - ended
        first = end
        while first and effects.only_scores(body[first - 1]):
            first -= 1
        counted = body[first:end]
        if effects.gains(counted) and effects.is_self_contained(counted):
            yield EndScoring(article, counted)

"""Noun phrases for directions on a board, independent of a language."""

from __future__ import annotations

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.context import Amount, ProseContext
from wongar_dsl.nlg.words import Attribute, NounPhrase


def way(context: ProseContext, e: s.Expression) -> Amount:
    """Return the phrase for a direction; a half turn from another direction is its opposite."""
    boards = {zone.board for zone in context.model.declared.zones.values() if zone.board is not None}
    halves = {context.model.boards[board].directions // 2 for board in boards}
    match e:
        case s.Binary(operator="+", left=other, right=turn) if halves == {s.written_number(turn)}:
            direction = context.value(other)
            if isinstance(direction, NounPhrase):
                context.log.mark_said(e, turn)
                return NounPhrase(
                    context.term("opposite"), ("def",), (Attribute("prose.opposite_to", {"way": direction}),)
                )
    return context.value(e)

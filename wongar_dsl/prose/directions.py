"""Directions on a board, in no language."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.prose.context import Amount, Context
from wongar_dsl.words import Attribute, Nominal


def way(context: Context, e: s.Expression) -> Amount:
    """A direction: one that is half a turn from another one is opposite to it."""
    boards = {zone.board for zone in context.model.declared.zones.values() if zone.board is not None}
    halves = {context.model.boards[board].directions // 2 for board in boards}
    match e:
        case s.Binary(operator="+", left=other, right=turn) if halves == {s.written_number(turn)}:
            found = context.value(other)
            if isinstance(found, Nominal):
                context.account.say(e, turn)
                return Nominal(context.term("opposite"), ("def",), (Attribute("prose.opposite_to", {"way": found}),))
    return context.value(e)

"""Names of rules that stand for values of a position, called by what these are called."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.model import Local, Type
from wongar_dsl.prose.context import Amount, Context
from wongar_dsl.prose.plan import Entity
from wongar_dsl.words import Name, Nominal


def somebody(people: Sequence[Nominal]) -> tuple[Entity, ...]:
    """The players by seat, as they are spoken of."""
    return tuple(Entity("", Type("player"), thing, given=True) for thing in people)


def bind(context: Context, local: Local, value: int, players: Sequence[Entity]) -> None:
    """A name stands for a value; two names of one player speak of the same one."""
    kind = context.model.shown(local)
    if kind.kind == "player" and value >= 0:
        context.entities[local] = players[value]
        return
    context.bound(local, called(context, kind, value)).given = True
    if kind.kind in ("enum", "cards") and value >= 0:
        context.values[local] = context.model.value_name(kind, value)


def called(context: Context, kind: Type, value: int) -> Amount:
    """A value by what it is called."""
    if kind.kind == "number":
        return value
    if kind.kind == "truth":
        return Nominal(context.term("yes" if value else "no"))
    if value < 0 and kind.kind != "direction":
        return Nominal(context.term("none"))
    name = context.model.value_name(kind, value)
    drawn = kind.kind == "coverings" or (kind.kind == "enum" and kind.name in context.model.shapes)
    squares = kind.kind == "board" and context.model.boards[kind.name].steps
    if (drawn or squares) and not context.has_term(name):
        return Nominal(Name(name))
    return Nominal(context.term(name), () if kind.kind in ("enum", "direction") else ("def",))

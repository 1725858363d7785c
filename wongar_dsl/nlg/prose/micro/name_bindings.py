"""Binding of rule names to values of a position, so that the text uses the names of the values."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.language.semantics import Local, Type
from wongar_dsl.nlg.prose.context import Amount, ProseContext
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity
from wongar_dsl.nlg.words import NounPhrase, ProperName


def players_by_seat(people: Sequence[NounPhrase]) -> tuple[Entity, ...]:
    """Return entities for the players by seat."""
    return tuple(Entity("", Type("player"), thing, given=True) for thing in people)


def bind(context: ProseContext, local: Local, value: int, players: Sequence[Entity]) -> None:
    """Bind a name to a value; names with the same player as value share an entity."""
    kind = context.model.display_type(local)
    if kind.kind == "player" and value >= 0:
        context.entities[local] = players[value]
        return
    context.bind_new(local, by_term(context, kind, value)).given = True
    if kind.kind in ("enum", "cards") and value >= 0:
        context.values[local] = context.model.value_name(kind, value)


def by_term(context: ProseContext, kind: Type, value: int) -> Amount:
    """Return the phrase for a value."""
    if kind.kind == "number":
        return value
    if kind.kind == "truth":
        return NounPhrase(context.term("yes" if value else "no"))
    if value < 0 and kind.kind != "direction":
        return NounPhrase(context.term("none"))
    name = context.model.value_name(kind, value)
    drawn = kind.kind == "coverings" or (kind.kind == "enum" and kind.name in context.model.shapes)
    squares = kind.kind == "board" and context.model.boards[kind.name].steps
    if (drawn or squares) and not context.has_term(name):
        return NounPhrase(ProperName(name))
    return NounPhrase(context.term(name), () if kind.kind in ("enum", "direction") else ("def",))

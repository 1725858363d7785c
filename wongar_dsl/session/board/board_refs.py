"""Areas on the boards that moves, events and values refer to, directly or through an open card that lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.information import is_visible
from wongar_dsl.language.semantics import Type

#: Name of a board, and the number of an area on it.
BoardArea = tuple[str, int]


def areas_of_move(state: State, move: Move) -> frozenset[BoardArea]:
    """Return the areas that a move refers to."""
    assert state.decision is not None
    kinds = (kind for _, kind in state.decision.options[move.option].parameters)
    return _areas(state, zip(kinds, move.arguments, strict=True))


def areas_of_event(state: State, event: Event) -> frozenset[BoardArea]:
    """Return the areas that an event refers to, also through fields; `event` is as a viewer sees it."""
    values: list[tuple[Type, int]] = []
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if value is None:
            continue
        if kind.kind == "place":
            values += typed_indices(state.game, kind.name, value)
        elif isinstance(value, int):
            values.append((kind, value))
    return _areas(state, values)


def typed_indices(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[tuple[Type, int]]:
    """Yield the indices of a place in an event, with their types, for the field `name`; none if it is hidden."""
    field = game.fields.get(name)
    if field is not None and value is not None:
        yield from zip(field.indices, value if isinstance(value, tuple) else (value,), strict=False)


def _areas(state: State, values: Iterable[tuple[Type, int]]) -> frozenset[BoardArea]:
    return frozenset(place for kind, value in values for place in areas_of_value(state, kind, value))


def areas_of_value(state: State, kind: Type, value: int) -> Iterator[BoardArea]:
    """Yield the area that a value is, or the areas with open cards that match the value."""
    if value < 0:
        return
    if kind.kind == "board":
        yield kind.name, value
    elif kind.kind in ("enum", "cards"):
        yield from _card_areas(state, kind, value)


def _card_areas(state: State, kind: Type, value: int) -> Iterator[BoardArea]:
    model = state.game.model
    for place in state.game.program.fields:
        zone = container(place)
        if zone is None or not zone.spread or not is_visible(place, (), None):
            continue
        board = model.declared.zones[place.name].board
        rows = [
            values
            for attribute_type, values in model.cards[place.type.name].attributes.values()
            if attribute_type == kind
        ]
        itself = place.type == kind
        if board is None or not (rows or itself):
            continue
        for card in zone.placed_cards(state.cells, place.base, place.width):
            if (itself and card.face == value) or any(values[card.face] == value for values in rows):
                yield board, card.area

"""Effect of other players' moves on a viewer: areas left and entered, pieces returned to the supply, and points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container, size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.information import copies, is_visible
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Listing
from wongar_dsl.session.board.board_refs import BoardArea, areas_of_value

#: Kinds of types that can be an area: areas of boards, or values of cards on one.
_AREAS = ("board", "enum")


@dataclass(frozen=True, slots=True)
class PersonalChange:
    """Sentence on a change for the viewer, and the areas that it mentions."""

    text: str
    about: frozenset[BoardArea]


def personal_changes(
    narrator: Narrator, viewer: int, before: State, now: State, events: Sequence[Event], supplies: frozenset[str]
) -> list[PersonalChange]:
    """Return sentences on the changes for a viewer between two states, given the events between them."""
    areas_before, areas_after = occupied_areas(before, viewer), occupied_areas(now, viewer)
    result = []
    for message, changed in (("digest.left", areas_before - areas_after), ("digest.come", areas_after - areas_before)):
        ordered = sorted(changed, key=lambda area: (area[0].kind, area[0].name, area[1]))
        values = tuple(narrator.value(kind, value) for kind, value in ordered)
        areas = frozenset(place for kind, value in ordered for place in areas_of_value(now, kind, value))
        if values:
            result.append(PersonalChange(narrator.words.say(message, narrator.scope, places=Listing(values)), areas))
    result += _returned_pieces(narrator, viewer, before, now, supplies)
    points = [number for number in (_points(event, viewer) for event in events) if number is not None]
    total = sum(points)
    if len(points) > 1 and total:
        message = "digest.points.lost" if total < 0 else "digest.points"
        result.append(PersonalChange(narrator.words.say(message, None, n=abs(total)), frozenset()))
    return result


def occupied_areas(state: State, viewer: int) -> frozenset[tuple[Type, int]]:
    """Return the areas in which a seat has visible pieces: of a board, or as the value of a card on one."""
    result = set()
    for place in state.game.program.fields:
        axis = next((n for n, kind in enumerate(place.indices) if kind.kind in _AREAS), None)
        if axis is None or not _is_owned(place):
            continue
        kind = place.indices[axis]
        for indices, address in copies(place):
            visible = indices[_owner(place)] == viewer and is_visible(place, indices, viewer)
            if visible and size_at(state.cells, place, address):
                result.add((kind, indices[axis]))
    return frozenset((kind, value) for kind, value in result if any(True for _ in areas_of_value(state, kind, value)))


def _returned_pieces(
    narrator: Narrator, viewer: int, before: State, now: State, supplies: frozenset[str]
) -> Iterator[PersonalChange]:
    """Yield a sentence on the pieces that returned to the viewer's supply."""
    things = []
    for place in now.game.program.fields:
        zone = container(place)
        if zone is None or place.name not in supplies or not _is_owned(place):
            continue
        faces = now.game.model.size(place.type, now.game.seats)
        for indices, address in copies(place):
            if indices[_owner(place)] != viewer or not is_visible(place, indices, viewer):
                continue
            were, are = (zone.counts(state.cells, address, place.width, faces) for state in (before, now))
            for value, number in enumerate(a - b for a, b in zip(are, were, strict=True)):
                if number > 0:
                    things.append(narrator.thing(place.type, value, number))
    if things:
        yield PersonalChange(narrator.words.say("digest.back", None, things=Listing(tuple(things))), frozenset())


def _is_owned(field: ir.Field) -> bool:
    """Return whether a field holds pieces of a player."""
    return field.kind == "tokens" and any(kind.kind == "player" for kind in field.indices)


def _owner(field: ir.Field) -> int:
    return next(n for n, kind in enumerate(field.indices) if kind.kind == "player")


def _points(event: Event, viewer: int) -> int | None:
    """Return the points that a seat gets by an event; None for other events."""
    if event.spec.kind != "points":
        return None
    fields = event.fields()
    number = fields["n"][1]
    return number if fields["player"][1] == viewer and isinstance(number, int) else None

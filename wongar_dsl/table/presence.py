"""What it means for somebody that others went on: the areas where they have pieces no more, and where they have come
to; what went back to their supply, and the points that they got and lost in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.knowledge import copies, sees
from wongar_dsl.ir.containers import container, size_at
from wongar_dsl.model import Type
from wongar_dsl.narration import Narrator
from wongar_dsl.table.places import Place, places_of
from wongar_dsl.words import Listing, Term

#: What can be an area: itself one of a board, or that as which a card lies on one.
_AREAS = ("board", "enum")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A sentence about somebody's own, and the areas of which it speaks."""

    text: str
    about: frozenset[Place]


def meanings(
    narrator: Narrator, viewer: int, before: State, now: State, events: Sequence[Event], supplies: frozenset[str]
) -> list[Meaning]:
    """What came of it for a viewer that the game went on from one state to another by some events."""
    here, there = present(before, viewer), present(now, viewer)
    found = []
    for message, gone in (("digest.left", here - there), ("digest.come", there - here)):
        ordered = sorted(gone, key=lambda one: (one[0].kind, one[0].name, one[1]))
        values = tuple(narrator.value(kind, value) for kind, value in ordered)
        about = frozenset(place for kind, value in ordered for place in places_of(now, kind, value))
        if values:
            found.append(Meaning(narrator.words.say(message, narrator.scope, places=Listing(values)), about))
    found += _back(narrator, viewer, before, now, supplies)
    points = [number for number in (_points(event, viewer) for event in events) if number is not None]
    in_all = sum(points)
    if len(points) > 1 and in_all:
        message = "digest.points.lost" if in_all < 0 else "digest.points"
        found.append(Meaning(narrator.words.say(message, None, n=abs(in_all)), frozenset()))
    return found


def present(state: State, viewer: int) -> frozenset[tuple[Type, int]]:
    """The areas in which a seat has pieces that it sees: of a board, or what lies on one as a card."""
    found = set()
    for place in state.game.program.fields:
        at = next((n for n, kind in enumerate(place.indices) if kind.kind in _AREAS), None)
        if at is None or not _is_owned(place):
            continue
        kind = place.indices[at]
        for indices, address in copies(place):
            own = indices[_owner(place)] == viewer and sees(place, indices, viewer)
            if own and size_at(state.cells, place, address):
                found.add((kind, indices[at]))
    return frozenset((kind, value) for kind, value in found if any(True for _ in places_of(state, kind, value)))


def _back(narrator: Narrator, viewer: int, before: State, now: State, supplies: frozenset[str]) -> Iterator[Meaning]:
    """That pieces of somebody went back to their supply; nothing of what came from there."""
    things = []
    for place in now.game.program.fields:
        zone = container(place)
        if zone is None or place.name not in supplies or not _is_owned(place):
            continue
        model = now.game.model
        faces = model.size(place.type, now.game.seats)
        for indices, address in copies(place):
            if indices[_owner(place)] != viewer or not sees(place, indices, viewer):
                continue
            were, are = (zone.counts(state.cells, address, place.width, faces) for state in (before, now))
            for value, number in enumerate(a - b for a, b in zip(are, were, strict=True)):
                if number > 0:
                    things.append(Term(model.value_name(place.type, value), narrator.scope, number))
    if things:
        yield Meaning(narrator.words.say("digest.back", None, things=Listing(tuple(things))), frozenset())


def _is_owned(place: ir.Field) -> bool:
    """Whether pieces lie there that are somebody's."""
    return place.kind == "tokens" and any(kind.kind == "player" for kind in place.indices)


def _owner(place: ir.Field) -> int:
    return next(n for n, kind in enumerate(place.indices) if kind.kind == "player")


def _points(event: Event, viewer: int) -> int | None:
    """The points that somebody gets by an event; None where it is about something else."""
    if event.spec.kind != "points":
        return None
    fields = event.fields()
    number = fields["n"][1]
    return number if fields["player"][1] == viewer and isinstance(number, int) else None

"""What changed since somebody last decided: the few sentences that matter most to them, and where on the boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.knowledge import copies, extent
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import container, size_at
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.table.places import Place, places_of, places_of_event

#: So many sentences are a digest; more of them are a story.
MOST = 6
#: How much an event matters to who reads of it: that it happened to themselves, that points were won or lost, that
#: something else happened.
OWN, POINTS = 20, 10
WEIGHTS = {
    "game_ended": 100,
    "figure_moved": 6,
    "track_advanced": 4,
    "card_laid": 4,
    "card_moved": 3,
    "tokens_moved": 3,
}


@dataclass(frozen=True, slots=True)
class Digest:
    """At most `MOST` sentences in the order in which that happened, how many more there are, the areas in which
    something has changed, and those of which each of the sentences speaks."""

    lines: tuple[str, ...]
    left_out: int
    changed: frozenset[Place]
    about: tuple[frozenset[Place], ...] = ()


def last_decided(match: Match, viewer: int | None) -> int:
    """How many steps there were when a seat had last decided; for who only watches, before the last step."""
    if viewer is None:
        return max(0, len(match.steps) - 1)
    return next((n + 1 for n in reversed(range(len(match.steps))) if match.steps[n].seat == viewer), 0)


def digest(match: Match, narrator: Narrator, viewer: int | None, since: int) -> Digest:
    """What changed since there were so many steps, as far as a viewer sees it.

    Where the last of these steps was the viewer's own, what followed from it by itself belongs to that.
    """
    first = _first_news(match, viewer, since)
    events = match.history()[first:]
    # The sentences of all that came before are not made again, for what is known since then is shown on the table.
    lines = Story(viewer, standings=False).tell(narrator, events)
    told = [line for line in lines if not line.heading] or lines
    makers = [viewer] * (match.happened(since) - first) + _makers(match, since)
    weight = {line: max((_weight(events[at], makers[at], viewer) for at in line.told), default=0) for line in told}
    # Of what matters as much as something else the later is news.
    kept = set(sorted(told, key=weight.__getitem__)[-MOST:])
    shown = [line for line in told if line in kept]
    return Digest(
        tuple(line.text for line in shown),
        len(told) - len(kept),
        changed(State(match.game, match.before(since)), match.state, viewer)
        | frozenset(_spoken_of(match, match.history()[first : match.happened(since)], viewer)),
        tuple(frozenset(_spoken_of(match, (events[at] for at in line.told), viewer)) for line in shown),
    )


def _first_news(match: Match, viewer: int | None, since: int) -> int:
    """From where on what happened is news: after what the viewer did with the last choice before, if that was theirs.

    What followed from it counts where points were won or lost, or where somebody has decided since.
    """
    end = match.happened(since)
    if viewer is None or since == 0 or match.steps[since - 1].seat != viewer:
        return end
    start = match.happened(since - 1)
    own = list(match.history()[start:end])
    if since == len(match.steps) and not any(event.spec.kind == "points" for event in own):
        return end
    at = next((n for n, event in enumerate(own) if _follows(event, viewer)), len(own))
    # What is said right before it says why.
    while 0 < at < len(own) and own[at - 1].spec.kind == "told":
        at -= 1
    return start + at


def _follows(event: Event, viewer: int) -> bool:
    """Whether an event in somebody's own step is more than what they did themselves."""
    kind = event.spec.kind
    return kind == "points" or (kind not in ("told", "changed") and viewer not in _players(event))


def _spoken_of(match: Match, events: Iterable[Event], viewer: int | None) -> Iterator[Place]:
    """The areas of which somebody who is told of events hears."""
    for event in events:
        seen = match.game.knowledge.seen(event, viewer)
        if seen is not None:
            yield from places_of_event(match.state, seen)


def _makers(match: Match, since: int) -> list[int]:
    """Who decided before each event since a step."""
    found: list[int] = []
    for number in range(since, len(match.steps)):
        found += [match.steps[number].seat] * (match.happened(number + 1) - match.happened(number))
    return found


def _weight(event: Event, maker: int | None, viewer: int | None) -> int:
    weight = WEIGHTS.get(event.spec.kind, 1)
    if event.spec.kind == "points":
        number = event.fields()["n"][1]
        weight = POINTS + (abs(number) if isinstance(number, int) else 0)
    return weight + (OWN if viewer is not None and maker != viewer and viewer in _players(event) else 0)


def _players(event: Event) -> Iterator[int]:
    """Whom an event is about: who gets something, and whose a place is."""
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if kind.kind == "player" and isinstance(value, int):
            yield value


def changed(before: State, now: State, viewer: int | None) -> frozenset[Place]:
    """The areas in which a viewer sees something else than before."""
    found: set[Place] = set()
    for place in now.game.program.fields:
        found |= set(_changed(place, before, now, viewer))
    return frozenset(found)


def _changed(place: ir.Field, before: State, now: State, viewer: int | None) -> Iterator[Place]:
    zone = container(place)
    if place.kind == "place":
        yield from _moved(place, before, now)
    elif zone is not None and zone.spread:
        board = now.game.model.declared.zones[place.name].board
        laid = [set(zone.laid(state.cells, place.base, place.width)) for state in (before, now)]
        yield from ((board, card.area) for card in laid[0] ^ laid[1] if board is not None)
    elif any(kind.kind in ("board", "enum", "cards") for kind in place.indices):
        for indices, at in copies(place):
            seen = extent(place, indices, viewer)
            if seen != "nothing" and _shown(before, place, at, seen) != _shown(now, place, at, seen):
                for kind, value in zip(place.indices, indices, strict=True):
                    yield from places_of(now, kind, value)


def _shown(state: State, place: ir.Field, at: int, seen: str) -> Sequence[int]:
    if seen == "number":
        return (size_at(state.cells, place, at),)
    return state.cells[at : at + place.width]


def _moved(place: ir.Field, before: State, now: State) -> Iterator[Place]:
    """Where a figure left, and where it came to."""
    model = now.game.model
    for number, figure in enumerate(model.figures):
        board, at = model.declared.figures[figure].board, place.at(number)
        if board is not None and before.cells[at] != now.cells[at]:
            yield from ((board, area) for area in (before.cells[at], now.cells[at]) if area >= 0)


def whole(match: Match, narrator: Narrator, viewer: int | None, since: int) -> list[Line]:
    """The whole story since there were so many steps."""
    return Story(viewer, standings=False).tell(narrator, match.history()[match.happened(since) :])

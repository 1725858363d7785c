"""What changed since somebody last decided: the few sentences that matter most to them, and where on the boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from wongar_dsl import ir
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.knowledge import copies, extent
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import container, size_at
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.deeds import tellings
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.narration.telling import Joiner
from wongar_dsl.table.places import Place, places_of, places_of_event
from wongar_dsl.table.weight import CAUSE, loss, players, supplies_of, weight
from wongar_dsl.words import Text

#: So many sentences are a digest; more of them are a story.
MOST = 6


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, the areas of which it speaks, how much it matters, and where it stands in the story."""

    text: str
    about: frozenset[Place]
    weight: int
    at: int


@dataclass(frozen=True, slots=True)
class Digest:
    """The sentences that matter most, of so many in `all`, in the order in which that happened, and the areas in which
    something has changed; `gap` is how a sentence is told before which others were left out."""

    told: tuple[Told, ...]
    all: int
    changed: frozenset[Place]
    new: bool = False
    gap: str = "… {}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences, each with a sign before it where others were left out."""
        befores = (-1, *(one.at for one in self.told))
        pairs = zip(befores, self.told, strict=False)
        return tuple(one.text if one.at == before + 1 else self.gap.format(one.text) for before, one in pairs)

    @property
    def left_out(self) -> int:
        """How many more sentences there are."""
        return self.all - len(self.told)

    @property
    def about(self) -> tuple[frozenset[Place], ...]:
        """The areas of which each of the sentences speaks."""
        return tuple(one.about for one in self.told)

    def shorter(self) -> Digest:
        """Without the sentence that matters least; of those that matter alike, without the first one."""
        least = min(self.told, key=lambda one: (one.weight, one.at))
        return replace(self, told=tuple(one for one in self.told if one is not least))


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
    if told and _is_asked(match, narrator, viewer, told[-1], events):
        told = told[:-1]
    makers = [(since - 1, viewer)] * (match.happened(since) - first) + _makers(match, since)
    weights = _weights(match, narrator, viewer, makers, told, events)
    for at in _causes(match, since, first, told):
        weights[at] += CAUSE
    found = Digest(
        tuple(
            Told(line.text, frozenset(_spoken_of(match, (events[at] for at in line.told), viewer)), weights[at], at)
            for at, line in enumerate(told)
        ),
        len(told),
        changed(State(match.game, match.before(since)), match.state, viewer)
        | frozenset(_spoken_of(match, match.history()[first : match.happened(since)], viewer)),
        viewer is not None and not since,
        narrator.words.say("digest.gap", None, sentence=Text("{}")),
    )
    while len(found.told) > MOST:
        found = found.shorter()
    return found


def _is_asked(match: Match, narrator: Narrator, viewer: int | None, line: Line, events: Sequence[Event]) -> bool:
    """Whether a sentence only says that it is the turn of a viewer, who sees that since they are asked."""
    if viewer is None or match.state.over or match.state.seat != viewer:
        return False
    joiner, player = Joiner(narrator), narrator.player(viewer)
    tellings_of = tellings(narrator, [(at, events[at]) for at in line.told], viewer)
    return bool(tellings_of) and all(joiner.implied_by_asking(telling, player) for telling in tellings_of)


def _weights(
    match: Match,
    narrator: Narrator,
    viewer: int | None,
    makers: Sequence[tuple[int, int | None]],
    told: Sequence[Line],
    events: Sequence[Event],
) -> list[int]:
    """How much each of these sentences matters; what is not told counts for the one that says why.  `makers` are the
    step before each event, and who decided it."""
    found = [0] * len(told)
    line_of = {at: number for number, line in enumerate(told) for at in line.told}
    supplies, later = supplies_of(match), set[str | None]()
    for at in reversed(range(len(events))):
        seen = narrator.as_seen(events[at], viewer)
        if seen is None:
            continue
        others = makers[at][1] != viewer
        if at in line_of:
            number = line_of[at]
            found[number] = max(found[number], weight(match.game, seen, viewer, others, seen.spec.message in later))
            later.add(seen.spec.message)
        lost = loss(match.game, seen, viewer if others else None, supplies)
        why = next((n for n in range(at, -1, -1) if n in line_of or makers[n] != makers[at]), None) if lost else None
        if why in line_of:
            found[line_of[why]] = max(found[line_of[why]], lost)
    return found


def _causes(match: Match, since: int, first: int, told: Sequence[Line]) -> Iterator[int]:
    """The sentences that say why somebody is asked what they are asked now: the last one, and the last one before the
    first of the same questions in a row."""
    if not told or match.state.over or match.state.decision is None:
        return
    yield len(told) - 1
    step = len(match.steps)
    while step > since and match.steps[step - 1].decision.name == match.state.decision.name:
        step -= 1
    end = match.happened(step) - first
    before = [number for number, line in enumerate(told) if line.told and min(line.told) < end]
    if before and before[-1] < len(told) - 1:
        yield before[-1]


def _first_news(match: Match, viewer: int | None, since: int) -> int:
    """From where on what happened is news: after what the viewer did with the last choice before, if that was theirs.

    What followed from it counts where points were won or lost, a card was laid, or somebody has decided since.
    """
    end = match.happened(since)
    if viewer is None or since == 0 or match.steps[since - 1].seat != viewer:
        return end
    start = match.happened(since - 1)
    own = list(match.history()[start:end])
    # A card that is laid after what somebody did themselves was not foretold by anything.
    told = any(event.spec.kind == "points" or (n and event.spec.kind == "card_laid") for n, event in enumerate(own))
    if since == len(match.steps) and not told:
        return end
    at = next((n for n, event in enumerate(own) if _follows(match.game, event, viewer)), len(own))
    # What is said right before it says why.
    while 0 < at < len(own) and own[at - 1].spec.kind == "told":
        at -= 1
    return start + at


def _follows(game: Game, event: Event, viewer: int) -> bool:
    """Whether an event in somebody's own step is more than what they did themselves."""
    kind = event.spec.kind
    return kind == "points" or (kind not in ("told", "changed") and viewer not in players(game, event))


def _spoken_of(match: Match, events: Iterable[Event], viewer: int | None) -> Iterator[Place]:
    """The areas of which somebody who is told of events hears."""
    for event in events:
        seen = match.game.knowledge.seen(event, viewer)
        if seen is not None:
            yield from places_of_event(match.state, seen)


def _makers(match: Match, since: int) -> list[tuple[int, int | None]]:
    """The step before each event since a step, and who decided it."""
    found: list[tuple[int, int | None]] = []
    for number in range(since, len(match.steps)):
        found += [(number, match.steps[number].seat)] * (match.happened(number + 1) - match.happened(number))
    return found


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

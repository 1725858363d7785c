"""What somebody alone has come to know since they decided last, and could not foresee: cards that were drawn then."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.foresight import foresee
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Story
from wongar_dsl.table.digest import last_decided


def news(match: Match, narrator: Narrator, seat: int) -> list[str]:
    """What a seat is told of what happened since then, as far as those who only watch are told less."""
    since = last_decided(match, seat)
    if not since:
        return []
    events = match.history()[match.happened(since - 1) :]
    fresh = set(_fresh(match, since - 1, events, seat))
    lines = Story(seat, standings=False).tell(narrator, events) if fresh else []
    return [line.text for line in lines if fresh & {*line.told, *(at for at, _ in line.implied)}]


def _fresh(match: Match, number: int, events: list[Event], seat: int) -> Iterator[int]:
    """The places of the events behind what could be foreseen of a step that a seat alone sees."""
    step, knowledge = match.steps[number], match.game.knowledge
    known = 0
    if step.decision.clock is None:
        known = len(foresee(State(match.game, match.before(number)), step.move, seat).events)
    for at, event in enumerate(events):
        seen = knowledge.seen(event, seat)
        if seen is not None:
            known -= 1
            if known < 0 and seen != knowledge.seen(event, None):
                yield at

"""News for one player only: hidden information gained since the last decision, such as drawn cards.

Events that were predictable from the player's choice are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.lookahead import lookahead
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.session.changes.changes_since import last_decision_of


def news(match: Match, narrator: Narrator, seat: int) -> list[str]:
    """Return the sentences since the seat's last decision that spectators do not see in full."""
    since = last_decision_of(match, seat)
    if not since:
        return []
    events = match.history()[match.event_count_before(since - 1) :]
    private = set(_private_events(match, since - 1, events, seat))
    lines = Story(seat, standings=False).unreported(narrator, events) if private else []
    return [line.text for line in lines if private & {*line.told, *(index for index, _ in line.implied)}]


def _private_events(match: Match, number: int, events: list[Event], seat: int) -> Iterator[int]:
    """Yield the indices of unpredictable events of a step that only this seat sees."""
    step, knowledge = match.steps[number], match.game.knowledge
    predicted = 0
    if step.decision.clock is None:
        predicted = len(lookahead(State(match.game, match.state_before(number)), step.move, seat).events)
    for index, event in enumerate(events):
        seen = knowledge.visible_event(event, seat)
        if seen is not None:
            predicted -= 1
            if predicted < 0 and seen != knowledge.visible_event(event, None):
                yield index

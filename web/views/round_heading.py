"""Heading of the current round of a game, as in the log."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words.translator import HEADING

#: Maximum number of steps searched for the beginning of the round.
MAX_LOOKBACK = 400


def _heading(narrator: Narrator, event: Event, viewer: int | None) -> str | None:
    """Return the heading of the round that an event begins; None if it begins none."""
    if not _begins(narrator, event.spec):
        return None
    seen = narrator.narrated(event, viewer)
    spoken = narrator.spoken_event(seen) if seen is not None else None
    return (
        None
        if spoken is None
        else narrator.words.say(f"{event.spec.message}{HEADING}", narrator.scope, **spoken.values)
    )


def _begins(narrator: Narrator, spec: ir.EventSpec) -> bool:
    """Return whether events of this kind begin a round."""
    return bool(spec.message) and narrator.words.has_message(f"{spec.message}{HEADING}", narrator.scope)


def present_round(match: Match, narrator: Narrator, viewer: int | None) -> str:
    """Return the heading of the current round; empty in a game without rounds."""
    if not any(_begins(narrator, spec) for spec in match.game.program.events):
        return ""
    last = len(match.steps)
    for part in range(last, max(-1, last - MAX_LOOKBACK), -1):
        for event in reversed(match.events_leading_to(part)):
            heading = _heading(narrator, event, viewer)
            if heading is not None:
                return heading
    return ""

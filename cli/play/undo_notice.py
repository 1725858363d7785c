"""Notices that tell the other players which decision was undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Text


@dataclass(frozen=True, slots=True)
class UndoneDecision:
    """An undone decision: its player, and the events it had caused."""

    maker: int
    events: tuple[Event, ...]

    @classmethod
    def of(cls, match: Match, number: int) -> UndoneDecision:
        """Return the notice for a step that is about to be undone."""
        events = match.history()[match.event_count_before(number) : match.event_count_before(number + 1)]
        return cls(match.steps[number].seat, tuple(events))

    def report(self, narrator: Narrator) -> str:
        """Return the text of the notice, with public information only."""
        lines = Story(None, standings=False).unreported(narrator, self.events)
        public_text = " ".join(line.text for line in lines if not line.heading)
        player = narrator.player(self.maker)
        if not public_text:
            return narrator.words.say("cli.undone.by", None, player=player)
        return narrator.words.say("cli.undone.what", None, player=player, told=Text(public_text))


class UndoNotices:
    """All notices of a session, and how many of them each viewer has been shown."""

    def __init__(self) -> None:
        self._all: list[UndoneDecision] = []
        self._shown_counts: dict[int | None, int] = {}

    def add(self, notice: UndoneDecision) -> None:
        """Add a notice."""
        self._all.append(notice)

    def to(self, viewer: int | None, narrator: Narrator) -> Iterator[str]:
        """Yield the notices that a viewer has not been shown yet."""
        shown_count, self._shown_counts[viewer] = self._shown_counts.get(viewer, 0), len(self._all)
        yield from (notice.report(narrator) for notice in self._all[shown_count:])

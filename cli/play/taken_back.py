"""That somebody has taken back a decision, told to all others as soon as they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Story
from wongar_dsl.words import Text


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Whose decision was taken back, and what had come of it."""

    maker: int
    events: tuple[Event, ...]

    @classmethod
    def of(cls, match: Match, number: int) -> TakenBack:
        """That the step of a number is about to be taken back."""
        events = match.history()[match.happened(number) : match.happened(number + 1)]
        return cls(match.steps[number].seat, tuple(events))

    def told(self, narrator: Narrator) -> str:
        """What everybody is told of it: what all have seen, and nothing more."""
        lines = Story(None, standings=False).tell(narrator, self.events)
        seen = " ".join(line.text for line in lines if not line.heading)
        player = narrator.player(self.maker)
        if not seen:
            return narrator.words.say("cli.undone.by", None, player=player)
        return narrator.words.say("cli.undone.what", None, player=player, told=Text(seen))


class Notices:
    """What was taken back so far, and how much of that each viewer has been told."""

    def __init__(self) -> None:
        self._all: list[TakenBack] = []
        self._told: dict[int | None, int] = {}

    def add(self, one: TakenBack) -> None:
        """Something has been taken back."""
        self._all.append(one)

    def to(self, viewer: int | None, narrator: Narrator) -> Iterator[str]:
        """What a viewer has not been told yet."""
        told, self._told[viewer] = self._told.get(viewer, 0), len(self._all)
        yield from (one.told(narrator) for one in self._all[told:])

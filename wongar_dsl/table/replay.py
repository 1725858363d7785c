"""A match walked through step by step: the position after each, who decided what, and what followed."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.table.digest import changed
from wongar_dsl.table.places import Place


@dataclass(frozen=True, slots=True)
class Shown:
    """A match after so many steps, as a viewer sees it: `lines` tell what came of the last one, `marked` is where."""

    number: int
    state: State
    seat: int | None
    lines: tuple[Line, ...]
    marked: frozenset[Place]


class Replay:
    """A walk through a match, for a viewer (None: who watches; `EVERYTHING`: who may see all)."""

    def __init__(self, match: Match, narrator: Narrator, viewer: int | None) -> None:
        self._match, self._narrator, self.viewer = match, narrator, viewer

    def __len__(self) -> int:
        return len(self._match.steps)

    def at(self, number: int) -> Shown:
        """The match after so many steps; raises IndexError where there are not so many."""
        match = self._match
        if not 0 <= number <= len(match.steps):
            raise IndexError(number)
        state = State(match.game, match.before(number))
        history = match.history()
        if number == 0:
            story = Story(self.viewer)
            return Shown(0, state, None, tuple(story.tell(self._narrator, history, match.happened(0))), frozenset())
        before = match.happened(number - 1)
        # A heading says how everybody stands: what came before is counted, not told.
        story = Story(self.viewer)
        story.skip(self._narrator, history[:before])
        lines = tuple(story.tell(self._narrator, history, match.happened(number)))
        looking = None if self.viewer == EVERYTHING else self.viewer
        marked = changed(State(match.game, match.before(number - 1)), state, looking)
        return Shown(number, state, match.steps[number - 1].seat, lines, marked)

"""A match walked through step by step: the position after each, who decided what, and what followed."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.transcript import taken_as_seen
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.table.digest import changed
from wongar_dsl.table.places import Place
from wongar_dsl.table.puzzle import Laying, Puzzle


@dataclass(frozen=True, slots=True)
class Shown:
    """A match after so many steps, as a viewer sees it.

    `seat` decided the last one (None: nobody yet), `choice` is what they chose, in words (empty where the viewer may
    not know it), `lines` tell what came of it, and `marked` is where.  Where a puzzle was asked for, `laying` is how
    the pieces lie in the answer, or, where it was `lost` and is not asked again, in a solution.
    """

    number: int
    state: State
    seat: int | None
    choice: str
    lines: tuple[Line, ...]
    marked: frozenset[Place]
    laying: Laying | None = None
    lost: bool = False


class Replay:
    """A walk through a match, for a viewer (None: who watches; `EVERYTHING`: who may see all)."""

    def __init__(self, match: Match, narrator: Narrator, viewer: int | None) -> None:
        self._match, self._narrator, self.viewer = match, narrator, viewer
        self._story = Story(viewer)

    def __len__(self) -> int:
        return len(self._match.steps)

    def at(self, number: int) -> Shown:
        """The match after so many steps; raises IndexError where there are not so many."""
        match = self._match
        if not 0 <= number <= len(match.steps):
            raise IndexError(number)
        state, lines = State(match.game, match.before(number)), self._told(number)
        if number == 0:
            return Shown(0, state, None, "", lines, frozenset())
        earlier, looking = (
            State(match.game, match.before(number - 1)),
            None if self.viewer == EVERYTHING else self.viewer,
        )
        choice = self._choice(earlier, number - 1)
        laying, lost = self._laying(earlier, number - 1) if choice else (None, False)
        return Shown(number, state, earlier.seat, choice, lines, changed(earlier, state, looking), laying, lost)

    def _told(self, number: int) -> tuple[Line, ...]:
        """What is told of the step before so many, of the opening before the first."""
        history, end = self._match.history(), self._match.happened(number)
        first = self._match.happened(number - 1) if number else 0
        # A heading says how everybody stands: what came before is counted, not told; whoever goes on one step has that.
        if self._story.at != first:
            self._story = Story(self.viewer)
            self._story.skip(self._narrator, history[:first])
        return tuple(self._story.tell(self._narrator, history, end))

    def _choice(self, state: State, number: int) -> str:
        """What was chosen with the step of a number, as it stood in the menu; empty where the viewer may not know."""
        step = self._match.steps[number]
        if self.viewer not in (EVERYTHING, step.seat) and taken_as_seen(self._match, step, self.viewer) != step.text:
            return ""
        return self._narrator.option(state, step.move)

    def _laying(self, state: State, number: int) -> tuple[Laying | None, bool]:
        """How the pieces of a puzzle lie that was asked for with the step of a number, and whether it was lost then."""
        puzzle, step = Puzzle.of(state), self._match.steps[number]
        if puzzle is None:
            return None, False
        drawing = next((text for text, move in puzzle.solutions.items() if move == step.move), None)
        if drawing is not None:
            return Laying.of(puzzle, drawing), False
        again = next((later.number for later in self._match.steps[number + 1 :] if later.seat == step.seat), None)
        if again is None:
            asked = not self._match.state.over
        else:
            asked = Puzzle.of(State(self._match.game, self._match.before(again))) == puzzle
        return None if asked else Laying.of(puzzle, next(iter(puzzle.solutions))), not asked

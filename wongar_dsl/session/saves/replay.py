"""Step-by-step replay of a match: the position after each step, the decision, and its consequences."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves.match_records import visible_choice
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story, StoryLine
from wongar_dsl.session.board.board_refs import BoardArea
from wongar_dsl.session.board.puzzle import Puzzle, PuzzleLayout
from wongar_dsl.session.changes.changes_since import changed_areas


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """Match after a number of steps, as a viewer sees it.

    `seat` made the last decision (None before the first), and `choice` is its text (empty if hidden from the viewer).
    `lines` are its consequences, and `marked` the areas that they changed. For a puzzle, `layout` is the answer; if the
    puzzle was `lost` and is not posed again, it is a solution.
    """

    number: int
    state: State
    seat: int | None
    choice: str
    lines: tuple[StoryLine, ...]
    marked: frozenset[BoardArea]
    layout: PuzzleLayout | None = None
    lost: bool = False


class Replay:
    """Replay of a match for a viewer (None: spectator; `EVERYTHING`: sees all)."""

    def __init__(self, match: Match, narrator: Narrator, viewer: int | None) -> None:
        self._match, self._narrator, self.viewer = match, narrator, viewer
        self._story = Story(viewer)

    def __len__(self) -> int:
        return len(self._match.steps)

    def at(self, number: int) -> ReplayPosition:
        """Return the match after `number` steps; raise IndexError if there are fewer."""
        match = self._match
        if not 0 <= number <= len(match.steps):
            raise IndexError(number)
        state, lines = State(match.game, match.state_before(number)), self._story_lines(number)
        if number == 0:
            return ReplayPosition(0, state, None, "", lines, frozenset())
        earlier = State(match.game, match.state_before(number - 1))
        viewer = None if self.viewer == EVERYTHING else self.viewer
        choice = self._choice(earlier, number - 1)
        layout, lost = self._layout(earlier, number - 1) if choice else (None, False)
        marked = changed_areas(earlier, state, viewer)
        return ReplayPosition(number, state, earlier.seat, choice, lines, marked, layout, lost)

    def _story_lines(self, number: int) -> tuple[StoryLine, ...]:
        """Return the story lines of the last step, or those of the opening for number 0."""
        history, end = self._match.history(), self._match.event_count_before(number)
        first = self._match.event_count_before(number - 1) if number else 0
        # A heading contains the standings, so earlier events are skipped but counted; going one step ahead needs no
        # restart.
        if self._story.at != first:
            self._story = Story(self.viewer)
            self._story.mark_reported(self._narrator, history[:first])
        return tuple(self._story.unreported(self._narrator, history, end))

    def _choice(self, state: State, number: int) -> str:
        """Return the chosen option as in the menu, or "" if the viewer may not know it."""
        step = self._match.steps[number]
        if self.viewer not in (EVERYTHING, step.seat) and visible_choice(self._match, step, self.viewer) != step.text:
            return ""
        return self._narrator.option(state, step.move)

    def _layout(self, state: State, number: int) -> tuple[PuzzleLayout | None, bool]:
        """Return the placement for a puzzle of this step, and whether it was lost."""
        puzzle, step = Puzzle.of(state), self._match.steps[number]
        if puzzle is None:
            return None, False
        drawing = next((text for text, move in puzzle.solutions.items() if move == step.move), None)
        if drawing is not None:
            return PuzzleLayout.of(puzzle, drawing), False
        next_decision = next(
            (later.number for later in self._match.steps[number + 1 :] if later.seat == step.seat), None
        )
        if next_decision is None:
            posed_again = not self._match.state.over
        else:
            posed_again = Puzzle.of(State(self._match.game, self._match.state_before(next_decision))) == puzzle
        return None if posed_again else PuzzleLayout.of(puzzle, next(iter(puzzle.solutions))), not posed_again

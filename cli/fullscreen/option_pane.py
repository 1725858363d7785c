"""The pane with the question: above the options, below them what answers somebody's typing, or more of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.text.width import folded

from ..terminal.screen import Line
from .choices import Choices
from .desk import Desk
from .drawn import Drawing, paragraphs
from .view import Paragraph, View

#: So many rows below the options say more of the one under the cursor.
DETAILS = 2
#: So many rows of options stay whatever is said around them, and so many where much is to be said of one of them.
KEPT, STAYING = 6, 4


@dataclass(frozen=True)
class OptionPane:
    """The question and its options in a place of so many columns and rows, without its title."""

    view: View
    desk: Desk
    drawing: Drawing
    width: int
    height: int

    @property
    def wanted(self) -> int:
        """The lines that it would like to have."""
        notes = len(self.view.notes) if self.view.kind == "pause" else 0
        rows = Choices(self.view.menu, self.view.words, self.width, 10_000, self.drawing.unicode).rows
        return len(self._asked) + len(self._hint) + notes + len(rows) + DETAILS

    @property
    def notes(self) -> tuple[Paragraph, ...]:
        """What is said of what was typed, as long as nobody has put it away."""
        away = self.desk.put_away and self.view.kind != "pause"
        return self.desk.note or (() if away else self.view.notes)

    @cached_property
    def _asked(self) -> list[Line]:
        return [[("question", text)] for text in folded(self.view.question, self.width)]

    @cached_property
    def _hint(self) -> list[Line]:
        return [[("faint", text)] for text in folded(self.view.hint, self.width)] if self.view.hint else []

    @cached_property
    def _kept(self) -> int:
        """The rows of options that stay."""
        menu = self.view.menu
        return min(KEPT, len(Choices(menu, self.view.words, self.width, 1, self.drawing.unicode).rows))

    @cached_property
    def above(self) -> list[Line]:
        """The question, and as much of what is said with it as leaves room for options; a slip goes before."""
        asked, room = self._asked, self.height - self._kept
        if self.notes and self.view.menu.entries:
            below = len(paragraphs(self.notes, self.width))
            asked = self.drawing.shortened(asked, max(1, min(len(asked), room - below)), self.width)
            return [*asked, *self.drawing.shortened(self._hint, room - below - len(asked), self.width)]
        return [*asked, *self.drawing.shortened(self._hint, max(1, room - len(asked)), self.width)]

    @cached_property
    def below(self) -> list[Line]:
        """What answers what was typed, else more of the option under the cursor."""
        width, room = self.width, self.height - len(self.above)
        if self.notes:
            most = max(1, room - self._kept) if self.view.menu.entries else room
            return self.drawing.shortened(paragraphs(self.notes, width), most, width)
        entry = self.view.entry(self.desk.cursor)
        if entry is None:
            return []
        lines: list[Line] = []
        if not self.choices.shows_text(entry):
            lines += [[("", text)] for text in folded(entry.text, width)]
        if entry.outlook and not self.choices.shows_outlook(entry):
            lines += [[("outlook", text)] for text in folded(entry.outlook, width)]
        # All of it is said, as long as some options can be seen above.
        return lines[: max(DETAILS, room - STAYING)]

    @cached_property
    def choices(self) -> Choices:
        """The options."""
        room = self.height - len(self.above)
        return Choices(self.view.menu, self.view.words, self.width, room, self.drawing.unicode, self.desk.only)

    def fits(self, notes: tuple[Paragraph, ...]) -> bool:
        """Whether there is room for an answer to what was typed."""
        return len(paragraphs(notes, self.width)) <= self.height - 1 - self._kept

    @property
    def room(self) -> int:
        """The rows that there are for options."""
        return max(1, self.height - len(self.above) - len(self.below))

    @property
    def first(self) -> int:
        """The first row of the options that can be seen: such that the cursor can be seen."""
        at, total = self.choices.spot(self.desk.cursor)[0], len(self.choices.rows)
        first = min(self.desk.scrolled.get("options", 0), max(0, total - self.room))
        if self.desk.cursor:
            first = max(at - self.room + 1, min(first, at - (1 if at else 0)))
        self.desk.scrolled["options"] = max(0, first)
        return max(0, first)

    def option_at(self, column: int, row: int) -> int | None:
        """The number of the option at a spot of the pane."""
        row -= len(self.above)
        return self.choices.at(row + self.first, column) if 0 <= row < self.room else None

    def lines(self) -> list[Line]:
        """All of it."""
        rows = self.choices.lines(self.desk.cursor if self.view.kind in ("choice", "agree") else 0)
        lines = [*self.above, *self.drawing.clipped(rows, self.first, self.room, self.width)]
        fill = self.height - len(lines) - len(self.below)
        return [*lines, *([[]] * fill), *self.below][: self.height]

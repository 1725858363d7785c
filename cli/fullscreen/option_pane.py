"""The options pane: question, options, and below them the reply to an input or details of one option."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.render.text.lines import Line

from .option_grid import OptionGrid
from .render_cache import RenderCache, paragraphs
from .ui_state import UiState
from .view import ScreenView, StyledParagraph

#: Rows below the options for details of the option under the cursor.
DETAILS = 2
#: Minimum rows of options beside messages, and beside the details of an option.
MIN_ROWS, MIN_ROWS_WITH_DETAILS = 6, 4


@dataclass(frozen=True)
class OptionPane:
    """The question and its options in a pane of the given columns and rows, without its title."""

    view: ScreenView
    ui: UiState
    drawing: RenderCache
    width: int
    height: int

    @property
    def lines_needed(self) -> int:
        """The number of lines that the pane needs."""
        notes = len(self.view.notes) if self.view.kind == "pause" else 0
        rows = OptionGrid(self.view.menu, self.view.words, self.width, 10_000, self.drawing.unicode).rows
        return len(self._question_lines) + len(self._hint) + notes + len(rows) + DETAILS

    @property
    def notes(self) -> tuple[StyledParagraph, ...]:
        """The reply to the last input, unless dismissed."""
        away = self.ui.reply_dismissed and self.view.kind != "pause"
        return self.ui.note or (() if away else self.view.notes)

    @cached_property
    def _question_lines(self) -> list[Line]:
        return [[("question", text)] for text in fold(self.view.question, self.width)]

    @cached_property
    def _hint(self) -> list[Line]:
        return [[("faint", text)] for text in fold(self.view.hint, self.width)] if self.view.hint else []

    @cached_property
    def _min_rows(self) -> int:
        """The minimum number of rows of options."""
        menu = self.view.menu
        return min(MIN_ROWS, len(OptionGrid(menu, self.view.words, self.width, 1, self.drawing.unicode).rows))

    @cached_property
    def above(self) -> list[Line]:
        """The question and its hint, as far as they leave room for options.

        An error message in `notes` takes precedence over the hint.
        """
        question_lines, room = self._question_lines, self.height - self._min_rows
        if self.notes and self.view.menu.entries:
            below = len(paragraphs(self.notes, self.width))
            question_lines = self.drawing.shorten(
                question_lines, max(1, min(len(question_lines), room - below)), self.width
            )
            return [
                *question_lines,
                *self.drawing.shorten(self._hint, room - below - len(question_lines), self.width),
            ]
        return [*question_lines, *self.drawing.shorten(self._hint, max(1, room - len(question_lines)), self.width)]

    @cached_property
    def below(self) -> list[Line]:
        """The reply to an input, or otherwise details of the option under the cursor."""
        width, room = self.width, self.height - len(self.above)
        if self.notes:
            most = max(1, room - self._min_rows) if self.view.menu.entries else room
            return self.drawing.shorten(paragraphs(self.notes, width), most, width)
        entry = self.view.entry(self.ui.cursor)
        if entry is None:
            return []
        lines: list[Line] = []
        if not self.choices.shows_text(entry):
            lines += [[("", text)] for text in fold(entry.text, width)]
        if entry.forecast_line and not self.choices.shows_forecast(entry):
            lines += [[("forecast", text)] for text in fold(entry.forecast_line, width)]
        # The details are complete as long as some options remain visible above.
        return lines[: max(DETAILS, room - MIN_ROWS_WITH_DETAILS)]

    @cached_property
    def choices(self) -> OptionGrid:
        """The options."""
        room = self.height - len(self.above)
        return OptionGrid(
            self.view.menu, self.view.words, self.width, room, self.drawing.unicode, self.ui.shown_options
        )

    def fits(self, notes: tuple[StyledParagraph, ...]) -> bool:
        """Return whether a reply to an input fits below the options."""
        return len(paragraphs(notes, self.width)) <= self.height - 1 - self._min_rows

    @property
    def room(self) -> int:
        """The number of rows for options."""
        return max(1, self.height - len(self.above) - len(self.below))

    @property
    def first(self) -> int:
        """The first visible row of options, such that the cursor is visible."""
        row, total = self.choices.spot(self.ui.cursor)[0], len(self.choices.rows)
        first = min(self.ui.scrolled.get("options", 0), max(0, total - self.room))
        if self.ui.cursor:
            first = max(row - self.room + 1, min(first, row - (1 if row else 0)))
        self.ui.scrolled["options"] = max(0, first)
        return max(0, first)

    def option_at(self, column: int, row: int) -> int | None:
        """Return the number of the option at a position of the pane."""
        row -= len(self.above)
        return self.choices.at(row + self.first, column) if 0 <= row < self.room else None

    def lines(self) -> list[Line]:
        """Return all lines of the pane."""
        rows = self.choices.lines(self.ui.cursor if self.view.kind in ("choice", "confirm") else 0)
        lines = [*self.above, *self.drawing.clip(rows, self.first, self.room, self.width)]
        fill = self.height - len(lines) - len(self.below)
        return [*lines, *([[]] * fill), *self.below][: self.height]

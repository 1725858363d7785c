"""The options pane: question, grouped options, and below them the reply to an input or details of one option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line, Piece, clip, pad_line
from wongar_dsl.session.menu import Menu, MenuEntry, group_options

from ..play.display import Paragraph
from .view import RenderCache, ScreenView, UiState, paragraphs

#: Minimum width of a column if there are several.
MIN_COLUMN_WIDTH = 18
#: Cells of the number column in addition to the digits: the cursor, and a space after the number.
NUMBER_MARGIN = 2
#: Distance between columns, and minimum distance between an option and its forecast.
COLUMN_GAP = 2
#: Minimum room in cells for a forecast.
MIN_FORECAST_WIDTH = 10
#: Indentation of continuation lines.
INDENT = "  "


@dataclass(frozen=True, slots=True)
class OptionCell:
    """One column of a row: an option, or a line of a heading if `entry` is None.

    Cells with `further` continue an option or show its forecast; `forecast_line` is the text of the forecast.
    """

    text: str
    entry: MenuEntry | None = None
    heading: bool = False
    further: bool = False
    forecast_line: str = ""


@dataclass(frozen=True)
class OptionGrid:
    """A menu for a pane of the given columns, with a preferred number of rows."""

    menu: Menu
    words: Translator
    width: int
    height: int
    unicode: bool
    shown_options: frozenset[int] | None = None

    @cached_property
    def entries(self) -> tuple[MenuEntry, ...]:
        """The options shown."""
        only = self.shown_options
        return tuple(entry for entry in self.menu.entries if only is None or entry.number in only)

    @cached_property
    def digits(self) -> int:
        """The number of digits of the largest option number."""
        return max((len(str(entry.number)) for entry in self.entries), default=1)

    @cached_property
    def _blocks(self) -> list[tuple[list[str], list[OptionCell]]]:
        """The groups of options, each with the lines of its heading."""
        blocks = []
        for group in group_options(self.entries, self.words):
            cells = [OptionCell(text, entry) for entry, text in zip(group.entries, group.texts, strict=True)]
            blocks.append((fold(group.heading, self.width) if group.heading else [], cells))
        return blocks

    @cached_property
    def columns(self) -> int:
        """The number of columns; one if all options fit below each other."""
        if sum(len(heading) + len(cells) for heading, cells in self._blocks) <= self.height:
            return 1
        texts = [cells_of(cell.text) for _, cells in self._blocks for cell in cells]
        wide = max(MIN_COLUMN_WIDTH, max(texts, default=0) + self.digits + NUMBER_MARGIN + COLUMN_GAP)
        return max(1, self.width // wide)

    @property
    def cell(self) -> int:
        """The width of a column."""
        return self.width // self.columns

    @cached_property
    def rows(self) -> list[list[OptionCell]]:
        """The rows, each with its cells from left to right."""
        rows: list[list[OptionCell]] = []
        for heading, cells in self._blocks:
            rows += [[OptionCell(line, heading=True)] for line in heading]
            if self.columns == 1 and self._wrap_level:
                rows += [[part] for cell in cells for part in self._cell_lines(cell, self._wrap_level)]
                continue
            high = -(-len(cells) // self.columns)
            rows += [cells[row::high] for row in range(high)]
        return rows

    @cached_property
    def _wrap_level(self) -> int:
        """The texts that may wrap over several lines: 2 for options and forecasts, 1 for options only, 0 for none."""
        if self.columns > 1:
            return 0
        headings = sum(len(heading) for heading, _ in self._blocks)
        cells = [cell for _, cells in self._blocks for cell in cells]
        fitting = (n for n in (2, 1) if headings + sum(len(self._cell_lines(c, n)) for c in cells) <= self.height)
        return next(fitting, 0)

    def _cell_lines(self, cell: OptionCell, wrap_level: int) -> list[OptionCell]:
        """Return the lines of an option, with its forecast behind or below them."""
        assert cell.entry is not None
        lines = fold(cell.text, self._room, INDENT)
        parts = [OptionCell(line, cell.entry, further=number > 0) for number, line in enumerate(lines)]
        forecast_line = cell.entry.forecast_line
        if wrap_level == 1:
            forecast_line = self._forecast_that_fits(cell.entry, self._room - cells_of(lines[-1]) - COLUMN_GAP)
        if not forecast_line:
            return parts
        if cells_of(lines[-1]) + COLUMN_GAP + cells_of(forecast_line) <= self._room:
            return [*parts[:-1], replace(parts[-1], forecast_line=forecast_line)]
        below = fold(INDENT + forecast_line, self._room, INDENT)
        return [*parts, *(OptionCell("", cell.entry, further=True, forecast_line=line) for line in below)]

    # ---- cursor ----

    def spot(self, number: int) -> tuple[int, int]:
        """Return the row and the column of an option; (0, 0) if it is not shown."""
        cells = ((r, c, cell.entry) for r, row in enumerate(self.rows) for c, cell in enumerate(row))
        return next(((r, c) for r, c, entry in cells if entry is not None and entry.number == number), (0, 0))

    def move_cursor(self, number: int, down: int, right: int) -> int:
        """Return the number of the option that the cursor moves to; the same one at the edge.

        From the bottom of a column it moves down to the top of the next one, and back up. If it is on no option yet, it
        moves to the first one, or upwards to the last one.
        """
        numbers = [cell.entry.number for row in self.rows for cell in row if cell.entry is not None]
        if numbers and number not in numbers:
            return numbers[0] if down > 0 or right > 0 else numbers[-1]
        row, column = self.spot(number)
        if right:
            cells = self.rows[row][column + 1 :] if right > 0 else self.rows[row][:column][::-1]
            return next((cell.entry.number for cell in cells if cell.entry is not None), number)
        below = False
        while 0 <= (row := row + down) < len(self.rows):
            cells = [cell for cell in self.rows[row] if cell.entry is not None and not cell.further]
            # The last row of a group may be short, and the next group may have fewer columns.
            if cells and (below or column < len(cells)):
                entry = cells[min(column, len(cells) - 1)].entry
                return entry.number if entry is not None else number
            below = below or any(cell.heading for cell in self.rows[row])
        beside = (row[column + down : column + down + 1] for row in self.rows[::down] if column + down >= 0)
        return next((cell.entry.number for cells in beside for cell in cells if cell.entry is not None), number)

    def at(self, row: int, column: int) -> int | None:
        """Return the number of the option at a row and a column of cells on the screen."""
        cells = self.rows[row] if 0 <= row < len(self.rows) else []
        index = 0 if self.columns == 1 else column // self.cell
        entry = cells[index].entry if index < len(cells) else None
        return entry.number if entry is not None else None

    # ---- output ----

    def lines(self, cursor: int) -> list[Line]:
        """Return all rows as lines, with the cursor on an option."""
        return [self._row(row, cursor) for row in self.rows]

    def _row(self, row: Sequence[OptionCell], cursor: int) -> Line:
        if row[0].heading:
            return pad_line([("strong", row[0].text)], self.width)
        line: list[Piece] = []
        for cell in row:
            line += self._cell(cell, cursor, self.cell)
        return line

    def _cell(self, cell: OptionCell, cursor: int, wide: int) -> list[Piece]:
        room = self._room
        assert cell.entry is not None
        selected = cell.entry.number == cursor
        if cell.further:
            before = " " * (self.digits + NUMBER_MARGIN)
            return pad_line([("", before), ("held" if selected else "", cell.text), *self._forecast_pieces(cell)], wide)
        mark = ("▸" if self.unicode else ">") if selected else " "
        text = clip(cell.text, room)
        pieces: list[Piece] = [
            ("strong", mark), ("number", f"{cell.entry.number:>{self.digits}} "), ("held" if selected else "", text),
        ]  # fmt: skip
        remaining = room - cells_of(text) - COLUMN_GAP
        if self.columns == 1 and not self._wrap_level:
            cell = replace(cell, forecast_line=self._forecast_that_fits(cell.entry, remaining))
        return pad_line([*pieces, *self._forecast_pieces(cell)], wide)

    @staticmethod
    def _forecast_pieces(cell: OptionCell) -> list[Piece]:
        """Return the pieces of a forecast, at a distance from the text of the option."""
        if not cell.forecast_line:
            return []
        return [("", " " * COLUMN_GAP if cell.text else ""), ("forecast", cell.forecast_line)]

    @staticmethod
    def _forecast_that_fits(entry: MenuEntry, left: int) -> str:
        """Return the forecast of an option, shortened or cut off if it does not fit."""
        texts = [text for text in (entry.forecast_line, entry.short_forecast) if text]
        if not texts or left <= 0:
            return ""
        # An ellipsis marks a forecast that does not fit at all.
        cut = clip(texts[-1], left) if left >= MIN_FORECAST_WIDTH else "…"
        return next((text for text in texts if cells_of(text) <= left), cut)

    def shows_text(self, entry: MenuEntry) -> bool:
        """Return whether the row of an option shows all of its text."""
        return self._wrap_level > 0 or cells_of(self._text_of(entry)) <= self._room

    def shows_forecast(self, entry: MenuEntry) -> bool:
        """Return whether the row of an option shows all of its forecast."""
        wide = cells_of(self._text_of(entry)) + COLUMN_GAP + cells_of(entry.forecast_line)
        return self._wrap_level > 1 or (self.columns == 1 and wide <= self._room)

    def _text_of(self, entry: MenuEntry) -> str:
        return next((cell.text for row in self.rows for cell in row if cell.entry == entry), "")

    @property
    def _room(self) -> int:
        """The number of cells that a column has for the text of an option."""
        return self.cell - self.digits - NUMBER_MARGIN - (COLUMN_GAP if self.columns > 1 else 0)


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
        return len(self._question_lines) + len(self._hint) + notes + len(self._grid(10_000).rows) + DETAILS

    @property
    def notes(self) -> tuple[Paragraph, ...]:
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
        return min(MIN_ROWS, len(self._grid(1).rows))

    @cached_property
    def above(self) -> list[Line]:
        """The question and its hint, as far as they leave room for options.

        An error message in `notes` takes precedence over the hint.
        """
        question_lines, room = self._question_lines, self.height - self._min_rows
        if self.notes and self.view.menu.entries:
            below = len(paragraphs(self.notes, self.width))
            kept = max(1, min(len(question_lines), room - below))
            question_lines = self.drawing.shorten(question_lines, kept, self.width)
            rest = room - below - len(question_lines)
        else:
            rest = max(1, room - len(question_lines))
        return [*question_lines, *self.drawing.shorten(self._hint, rest, self.width)]

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
        return self._grid(self.height - len(self.above), self.ui.shown_options)

    def _grid(self, room: int, shown: frozenset[int] | None = None) -> OptionGrid:
        return OptionGrid(self.view.menu, self.view.words, self.width, room, self.drawing.unicode, shown)

    def fits(self, notes: tuple[Paragraph, ...]) -> bool:
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

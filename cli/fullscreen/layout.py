"""Layout of the panes: boxes by screen size and by the lines that each pane needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

#: Minimum number of columns for two columns of panes.
WIDE = 140
#: Minimum columns and rows for every pane to have its own box.
MEDIUM, TALL = 90, 34
#: With fewer columns, all panes are stacked.
NARROW = 64
#: With fewer rows, the board shares a box with other panes.
LOW = 17
#: Minimum rows including the title: options pane, other panes.
MIN_OPTION_ROWS, MIN_PANE_ROWS = 7, 4
#: Rows of the options pane beyond two fifths of a small screen: enough for a question, six options and details of one.
EXTRA_OPTION_ROWS = 2
#: Maximum rows, including the title, of an explanation above the options; and beside other panes on a narrow screen.
MAX_LESSON_ROWS, MAX_NARROW_LESSON_ROWS = 9, 6

#: Function (pane, width, maximum height) that returns the number of lines a pane needs without its title. With a
#: maximum of 0, it returns whether there is any content.
LinesNeeded = Callable[[str, int, int], int]


@dataclass(frozen=True, slots=True)
class PaneBox:
    """A rectangle of the screen; its first row is the title."""

    left: int
    top: int
    width: int
    height: int

    def contains(self, column: int, row: int) -> bool:
        """Return whether a screen position is inside."""
        return 0 <= column - self.left < self.width and 0 <= row - self.top < self.height


@dataclass(frozen=True, slots=True)
class PaneLayout:
    """The box of each pane.

    Panes in `tabs` share a box and are shown one at a time; panes in `pages` share the box of the board.
    """

    boxes: Mapping[str, PaneBox]
    tabs: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def next_page(self, page: str) -> str:
        """Return the page after `page`, cyclically."""
        return self.pages[(self.pages.index(page) + 1) % len(self.pages)]

    def with_pages(self, pages: tuple[str, ...]) -> PaneLayout:
        """Return a copy with several pages in the box of the board."""
        boxes = {**self.boxes, **dict.fromkeys(pages, self.boxes["board"])}
        if "board" in self.tabs:
            return PaneLayout(boxes, (*self.tabs, *(page for page in pages if page not in self.tabs)))
        return replace(self, boxes=boxes, pages=pages)


def arrange(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Return the layout for a screen of the given columns and rows."""
    board, lesson = bool(lines_needed("board", columns, 0)), ("lesson",) if lines_needed("lesson", columns, 0) else ()
    if rows < LOW:
        return _low(columns, rows, (*lesson, "story", "table", *(("board",) if board else ())))
    if not board:
        return _without_board(columns, rows, lines_needed)
    if columns >= WIDE:
        return _wide(columns, rows, lines_needed)
    if columns >= MEDIUM and rows >= TALL:
        return _medium(columns, rows, lines_needed)
    return _small(columns, rows, lines_needed)


def _wide(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Board and table on the left, log and options on the right."""
    left_width = max(columns * 11 // 20, 80)
    right_width = columns - left_width - 1
    table = _pane_rows(lines_needed, "table", left_width, rows // 2)
    board = _pane_rows(lines_needed, "board", left_width, rows - table)
    options = max(MIN_OPTION_ROWS, rows // 2)
    lesson_rows = _lesson_rows(lines_needed, right_width)
    return PaneLayout(
        {
            "board": PaneBox(0, 0, left_width, board),
            "table": PaneBox(0, board, left_width, rows - board),
            "story": PaneBox(left_width + 1, 0, right_width, rows - options - lesson_rows),
            **_lesson_box(left_width + 1, rows - options - lesson_rows, right_width, lesson_rows),
            "options": PaneBox(left_width + 1, rows - options, right_width, options),
        }
    )


def _medium(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Board and table over the full width, options and log below."""
    lesson_rows = _lesson_rows(lines_needed, columns)
    lower_rows = 2 * MIN_OPTION_ROWS - 2 + lesson_rows
    table = _pane_rows(lines_needed, "table", columns, (rows - lower_rows) * 2 // 5)
    board = _pane_rows(lines_needed, "board", columns, rows - lower_rows - table)
    table = _pane_rows(lines_needed, "table", columns, rows - lower_rows - board)
    top = board + table + lesson_rows
    wide = columns * 3 // 5
    return PaneLayout(
        {
            "board": PaneBox(0, 0, columns, board),
            "table": PaneBox(0, board, columns, table),
            **_lesson_box(0, board + table, columns, lesson_rows),
            "options": PaneBox(0, top, wide, rows - top),
            "story": PaneBox(wide + 1, top, columns - wide - 1, rows - top),
        }
    )


def _small(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Board over the full width; below it the options, and log, table or explanation as tabs."""
    lesson = ("lesson",) if lines_needed("lesson", columns, 0) else ()
    tabs = (*lesson, "story", "table")
    if columns < NARROW:
        options = max(MIN_OPTION_ROWS, rows * 2 // 5 + EXTRA_OPTION_ROWS)
        board = _pane_rows(
            lines_needed, "board", columns, rows - options - (MAX_NARROW_LESSON_ROWS if lesson else MIN_PANE_ROWS)
        )
        shared_box = PaneBox(0, board, columns, rows - options - board)
        boxes = {**dict.fromkeys(tabs, shared_box), "options": PaneBox(0, rows - options, columns, options)}
        return PaneLayout({"board": PaneBox(0, 0, columns, board), **boxes}, tabs)
    wide = columns * 11 // 20
    board = _pane_rows(lines_needed, "board", columns, rows - max(MIN_OPTION_ROWS, rows * 2 // 5 + EXTRA_OPTION_ROWS))
    shared_box = PaneBox(wide + 1, board, columns - wide - 1, rows - board)
    boxes = {**dict.fromkeys(tabs, shared_box), "options": PaneBox(0, board, wide, rows - board)}
    return PaneLayout({"board": PaneBox(0, 0, columns, board), **boxes}, tabs)


def _without_board(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Table above the options and the log."""
    lesson_rows = min(_lesson_rows(lines_needed, columns), rows // 3)
    table = _pane_rows(lines_needed, "table", columns, (rows - lesson_rows) // 2)
    top = table + lesson_rows
    rest = rows - top
    boxes = _lesson_box(0, table, columns, lesson_rows)
    if columns < NARROW:
        options = _pane_rows(lines_needed, "options", columns, rest - MIN_PANE_ROWS)
        boxes |= {
            "story": PaneBox(0, top, columns, rest - options),
            "options": PaneBox(0, rows - options, columns, options),
        }
    else:
        wide = columns * 11 // 20
        boxes |= {"options": PaneBox(0, top, wide, rest), "story": PaneBox(wide + 1, top, columns - wide - 1, rest)}
    return PaneLayout({"table": PaneBox(0, 0, columns, table), **boxes})


def _low(columns: int, rows: int, tabs: tuple[str, ...]) -> PaneLayout:
    """Options beside or below the other panes, which are tabs."""
    if columns >= NARROW:
        wide = columns // 2
        shared_box, options = PaneBox(wide + 1, 0, columns - wide - 1, rows), PaneBox(0, 0, wide, rows)
    else:
        lower = rows // 2
        shared_box, options = PaneBox(0, 0, columns, rows - lower), PaneBox(0, rows - lower, columns, lower)
    return PaneLayout({**dict.fromkeys(tabs, shared_box), "options": options}, tabs)


def _lesson_rows(lines_needed: LinesNeeded, width: int) -> int:
    """Return the rows for the explanation including its title; 0 if there is none."""
    lines = lines_needed("lesson", width, 0)
    return min(MAX_LESSON_ROWS, lines + 1) if lines else 0


def _lesson_box(left: int, top: int, width: int, height: int) -> dict[str, PaneBox]:
    """Return the box for the explanation, if it has any rows."""
    return {"lesson": PaneBox(left, top, width, height)} if height else {}


def _pane_rows(lines_needed: LinesNeeded, pane: str, width: int, max_rows: int) -> int:
    """Return the rows of a pane including its title, between the pane's minimum and `max_rows`."""
    return max(
        MIN_OPTION_ROWS if pane == "options" else MIN_PANE_ROWS,
        min(lines_needed(pane, width, max_rows - 1) + 1, max_rows),
    )

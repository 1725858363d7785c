"""Where the panes of a full screen stand, by how large it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

#: From so many columns on, two columns of panes stand side by side.
WIDE = 140
#: From so many columns and rows on, all panes have a place of their own.
MEDIUM, TALL = 90, 34
#: With fewer columns all panes stand below each other.
NARROW = 64
#: With fewer rows the board shares its place too.
LOW = 17
#: So many rows a pane has at least, with its title: the options, the others.
LEAST, LITTLE = 7, 4
#: So many rows more than two fifths the options have on a small screen: for a question, six of them, and more of one.
ROOM = 2
#: So many rows at most, with its title, what is explained of a question has above it; in a narrow place beside others.
LESSON, NARROW_LESSON = 9, 6

#: How many lines a pane would like to have, without its title, where it is so wide, and so high at most (0: any at
#: all, if there is something).
Wanted = Callable[[str, int, int], int]


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the screen; its first row is the title."""

    left: int
    top: int
    width: int
    height: int

    def holds(self, column: int, row: int) -> bool:
        """Whether a spot of the screen is inside."""
        return 0 <= column - self.left < self.width and 0 <= row - self.top < self.height


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where each pane stands; those that share a box are `tabs`, of which one is seen at a time, as of `pages`, which
    share that of the board."""

    boxes: Mapping[str, Box]
    tabs: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def next_page(self, page: str) -> str:
        """The page to which one turns from another one."""
        return self.pages[(self.pages.index(page) + 1) % len(self.pages)]

    def with_pages(self, pages: tuple[str, ...]) -> Arrangement:
        """The same with more than one page in the place of the board."""
        boxes = {**self.boxes, **dict.fromkeys(pages, self.boxes["board"])}
        if "board" in self.tabs:
            return Arrangement(boxes, (*self.tabs, *(page for page in pages if page not in self.tabs)))
        return replace(self, boxes=boxes, pages=pages)


def arranged(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The panes on a screen of so many columns and rows."""
    board, lesson = bool(wanted("board", columns, 0)), ("lesson",) if wanted("lesson", columns, 0) else ()
    if rows < LOW:
        return _low(columns, rows, (*lesson, "story", "table", *(("board",) if board else ())))
    if not board:
        return _without_board(columns, rows, wanted)
    if columns >= WIDE:
        return _wide(columns, rows, wanted)
    if columns >= MEDIUM and rows >= TALL:
        return _medium(columns, rows, wanted)
    return _small(columns, rows, wanted)


def _wide(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """Board and table on the left, story and options on the right."""
    left = max(columns * 11 // 20, 80)
    right = columns - left - 1
    table = _high(wanted, "table", left, rows // 2)
    board = _high(wanted, "board", left, rows - table)
    options = max(LEAST, rows // 2)
    explained = _explained(wanted, right)
    return Arrangement(
        {
            "board": Box(0, 0, left, board),
            "table": Box(0, board, left, rows - board),
            "story": Box(left + 1, 0, right, rows - options - explained),
            **_lesson(left + 1, rows - options - explained, right, explained),
            "options": Box(left + 1, rows - options, right, options),
        }
    )


def _medium(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """Board and table over the whole width, below them the options and the story."""
    explained = _explained(wanted, columns)
    low = 2 * LEAST - 2 + explained
    table = _high(wanted, "table", columns, (rows - low) * 2 // 5)
    board = _high(wanted, "board", columns, rows - low - table)
    table = _high(wanted, "table", columns, rows - low - board)
    top = board + table + explained
    wide = columns * 3 // 5
    return Arrangement(
        {
            "board": Box(0, 0, columns, board),
            "table": Box(0, board, columns, table),
            **_lesson(0, board + table, columns, explained),
            "options": Box(0, top, wide, rows - top),
            "story": Box(wide + 1, top, columns - wide - 1, rows - top),
        }
    )


def _small(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The board over the whole width, below it the options, and one of the story, the table and what is explained."""
    lesson = ("lesson",) if wanted("lesson", columns, 0) else ()
    tabs = (*lesson, "story", "table")
    if columns < NARROW:
        options = max(LEAST, rows * 2 // 5 + ROOM)
        board = _high(wanted, "board", columns, rows - options - (NARROW_LESSON if lesson else LITTLE))
        other = Box(0, board, columns, rows - options - board)
        boxes = {**dict.fromkeys(tabs, other), "options": Box(0, rows - options, columns, options)}
        return Arrangement({"board": Box(0, 0, columns, board), **boxes}, tabs)
    wide = columns * 11 // 20
    board = _high(wanted, "board", columns, rows - max(LEAST, rows * 2 // 5 + ROOM))
    other = Box(wide + 1, board, columns - wide - 1, rows - board)
    boxes = {**dict.fromkeys(tabs, other), "options": Box(0, board, wide, rows - board)}
    return Arrangement({"board": Box(0, 0, columns, board), **boxes}, tabs)


def _without_board(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The table above the options and the story."""
    explained = min(_explained(wanted, columns), rows // 3)
    table = _high(wanted, "table", columns, (rows - explained) // 2)
    top = table + explained
    rest = rows - top
    boxes = _lesson(0, table, columns, explained)
    if columns < NARROW:
        options = _high(wanted, "options", columns, rest - LITTLE)
        boxes |= {"story": Box(0, top, columns, rest - options), "options": Box(0, rows - options, columns, options)}
    else:
        wide = columns * 11 // 20
        boxes |= {"options": Box(0, top, wide, rest), "story": Box(wide + 1, top, columns - wide - 1, rest)}
    return Arrangement({"table": Box(0, 0, columns, table), **boxes})


def _low(columns: int, rows: int, tabs: tuple[str, ...]) -> Arrangement:
    """The options, and one of the others."""
    if columns >= NARROW:
        wide = columns // 2
        other, options = Box(wide + 1, 0, columns - wide - 1, rows), Box(0, 0, wide, rows)
    else:
        high = rows // 2
        other, options = Box(0, 0, columns, rows - high), Box(0, rows - high, columns, high)
    return Arrangement({**dict.fromkeys(tabs, other), "options": options}, tabs)


def _explained(wanted: Wanted, width: int) -> int:
    """The rows for what is explained of a question, with their title; 0 where there is nothing."""
    lines = wanted("lesson", width, 0)
    return min(LESSON, lines + 1) if lines else 0


def _lesson(left: int, top: int, width: int, height: int) -> dict[str, Box]:
    """The place for what is explained of a question, if there is any."""
    return {"lesson": Box(left, top, width, height)} if height else {}


def _high(wanted: Wanted, pane: str, width: int, most: int) -> int:
    """The rows of a pane with its title, `most` at most; but not too few."""
    return max(LEAST if pane == "options" else LITTLE, min(wanted(pane, width, most - 1) + 1, most))

"""Where the panes of a full screen stand, by how large it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
    """Where each pane stands; those that share a box are `tabs`, of which one is seen at a time."""

    boxes: Mapping[str, Box]
    tabs: tuple[str, ...] = ()


def arranged(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The panes on a screen of so many columns and rows."""
    board = bool(wanted("board", columns, 0))
    if rows < LOW:
        return _low(columns, rows, ("story", "table", "board") if board else ("story", "table"))
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
    return Arrangement(
        {
            "board": Box(0, 0, left, board),
            "table": Box(0, board, left, rows - board),
            "story": Box(left + 1, 0, right, rows - options),
            "options": Box(left + 1, rows - options, right, options),
        }
    )


def _medium(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """Board and table over the whole width, below them the options and the story."""
    low = 2 * LEAST - 2
    table = _high(wanted, "table", columns, (rows - low) * 2 // 5)
    board = _high(wanted, "board", columns, rows - low - table)
    table = _high(wanted, "table", columns, rows - low - board)
    rest = rows - board - table
    wide = columns * 3 // 5
    return Arrangement(
        {
            "board": Box(0, 0, columns, board),
            "table": Box(0, board, columns, table),
            "options": Box(0, board + table, wide, rest),
            "story": Box(wide + 1, board + table, columns - wide - 1, rest),
        }
    )


def _small(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The board over the whole width, below it the options, and one of the story and the table."""
    tabs = ("story", "table")
    if columns < NARROW:
        options = max(LEAST, rows * 2 // 5)
        board = _high(wanted, "board", columns, rows - options - LITTLE)
        other = Box(0, board, columns, rows - options - board)
        boxes = {"story": other, "table": other, "options": Box(0, rows - options, columns, options)}
        return Arrangement({"board": Box(0, 0, columns, board), **boxes}, tabs)
    wide = columns * 11 // 20
    board = _high(wanted, "board", columns, rows - max(LEAST, rows * 2 // 5 + 1))
    other = Box(wide + 1, board, columns - wide - 1, rows - board)
    boxes = {"story": other, "table": other, "options": Box(0, board, wide, rows - board)}
    return Arrangement({"board": Box(0, 0, columns, board), **boxes}, tabs)


def _without_board(columns: int, rows: int, wanted: Wanted) -> Arrangement:
    """The table above the options and the story."""
    table = _high(wanted, "table", columns, rows // 2)
    rest = rows - table
    if columns < NARROW:
        options = _high(wanted, "options", columns, rest - LITTLE)
        story = Box(0, table, columns, rest - options)
        boxes = {"story": story, "options": Box(0, rows - options, columns, options)}
    else:
        wide = columns * 11 // 20
        boxes = {"options": Box(0, table, wide, rest), "story": Box(wide + 1, table, columns - wide - 1, rest)}
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


def _high(wanted: Wanted, pane: str, width: int, most: int) -> int:
    """The rows of a pane with its title, `most` at most; but not too few."""
    return max(LEAST if pane == "options" else LITTLE, min(wanted(pane, width, most - 1) + 1, most))

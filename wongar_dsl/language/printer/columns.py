"""Alignment of rows in columns: tables, decks, shapes, coverings, paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.language.parser import WrittenLine
from wongar_dsl.language.printer.line_breaking import INDENT, text_of


@dataclass(frozen=True, slots=True)
class _Style:
    """Column layout of a sort of row.

    `columns` is the number of leading cells with columns of their own (-1: all), `first` the number of spaces after the
    first column, `others` after the others.
    """

    columns: int
    first: int
    others: int


_STYLES = {
    "table_row": _Style(-1, 2, 2),
    "copies": _Style(1, 1, 1),
    "drawing": _Style(1, 2, 1),
    "covered": _Style(1, 2, 1),
    "crossing": _Style(-1, 2, 1),
}
#: Layout of a table without a head, with one value per row.
_VALUES = _Style(-1, 1, 1)


def in_columns(lines: Sequence[WrittenLine]) -> dict[int, str]:
    """Return the text of each row among the lines of an article, by line number, with its indentation."""
    rows = {i: line for i, line in enumerate(lines) if line.sort}
    sort = next((line.sort for line in rows.values() if line.sort != "columns"), "")
    if not sort:
        return {}
    style = _STYLES[sort] if sort != "table_row" or any(line.sort == "columns" for line in rows.values()) else _VALUES
    cells = {i: _cells(line, style.columns) for i, line in rows.items()}
    widest = max(map(len, cells.values()))
    padded = {i: [" " * INDENT * rows[i].depth + row[0], *row[1:]] for i, row in cells.items()}
    for column in range(widest if style.columns < 0 else style.columns):
        _pad_column(padded, column, style.first if column == 0 else style.others)
    return {i: "".join(row).rstrip() for i, row in padded.items()}


def _cells(line: WrittenLine, columns: int) -> list[str]:
    """Return the texts of a row's cells; cells without a column of their own are one text."""
    starts = [i for i in line.cells if i > 0]
    if columns >= 0:
        starts = starts[:columns]
    return [text_of(line.tokens[i:j]) for i, j in zip([0, *starts], [*starts, len(line.tokens)], strict=True)]


def _pad_column(rows: dict[int, list[str]], column: int, gap: int) -> None:
    """Pad all cells of a column to the same width: words to the left, numbers right-aligned and centred as a block."""
    cells = {i: row[column] for i, row in rows.items() if column < len(row)}
    width = max(map(len, cells.values()))
    numbers = {i: cell for i, cell in cells.items() if column and cell.lstrip("-").isdigit()}
    widest = max(map(len, numbers.values()), default=0)
    before = (width - widest) // 2
    for i, cell in cells.items():
        text = " " * before + cell.rjust(widest) if i in numbers else cell
        rows[i][column] = text.ljust(width) + " " * gap

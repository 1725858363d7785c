"""Report as terminal text: its sentences, and its tables in columns that fit."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.lab.reports.document import Chapter, ReportDocument, ReportGrid
from wongar_dsl.nlg.words import Translator

#: Gap between columns, and minimum width of row headings.
GAP, MIN_COLUMN_WIDTH = 2, 12
#: Maximum number of lines of a row heading in its column; a longer one is placed above the values.
MAX_HEADING_LINES = 2
#: Minimum number of value columns of a broad table, which keeps its columns with the row headings above the values.
BROAD = 4
STRONG, PLAIN, FAINT = "strong", "", "faint"

#: Terminal style, and a line in it.
Styled = tuple[str, str]


def lines(document: ReportDocument, words: Translator, width: int) -> Iterator[Styled]:
    """Yield the styled lines of a report for a terminal of this width, without detail figures."""
    yield from _paragraph(document.title, width, STRONG)
    yield from _paragraph(document.subtitle, width, FAINT)
    for chapter in document.chapters:
        # Chapters with nothing but details are omitted.
        only_details = chapter.figures and all(figure.detail for figure in chapter.figures)
        if chapter.gist or chapter.listed or not only_details:
            yield PLAIN, ""
            yield from _chapter(chapter, words, width)


def _chapter(chapter: Chapter, words: Translator, width: int) -> Iterator[Styled]:
    yield from _paragraph(chapter.title, width, STRONG)
    for sentence in (*chapter.gist, *chapter.sentences):
        yield from _paragraph(sentence, width)
    for item in chapter.listed:
        yield from _paragraph(f"- {item}", width, indent="  ")
    for figure in chapter.figures:
        if not figure.detail:
            yield PLAIN, ""
            if figure.grid.title != chapter.title:
                yield from _paragraph(figure.grid.title, width, FAINT)
            yield from _grid(figure.grid, words, width)


def _paragraph(text: str, width: int, style: str = PLAIN, indent: str = "") -> Iterator[Styled]:
    for line in fold(text, width, indent):
        yield style, line


def _grid(grid: ReportGrid, words: Translator, width: int) -> Iterator[Styled]:
    """Yield a table in columns if they fit, else transposed if that fits, else row by row.

    A broad table keeps its columns if the values fit, with its row headings above them. All layouts contain the same
    cells, so that the length of words in a language does not decide what a reader learns.
    """
    for table in (grid, _turned(grid)):
        room = _room(table, words, width)
        if room >= _least(table, words):
            yield from _columns(table, words, room)
            return
    room = _room(grid, words, width)
    if len(grid.heads) > BROAD and room >= 0:
        yield from _columns(grid, words, room)
        return
    for label, cells in grid.rows:
        yield from _paragraph(label, width)
        for head, cell in zip(grid.heads[1:], cells, strict=True):
            if cell:
                yield from _paragraph(f"  {words.label(head)}{cell}", width, indent="    ")


def _room(grid: ReportGrid, words: Translator, width: int) -> int:
    """Return the width that the value columns leave for the row headings."""
    return width - sum(column + GAP for column in _widths(grid, words))


def _least(grid: ReportGrid, words: Translator) -> int:
    """Return the minimum width of the row headings: their longest word, and enough to avoid very many lines."""
    labels = [grid.heads[0], *(label for label, _ in grid.rows)]
    longest = max(words.width(word) for label in labels for word in label.split(" "))
    return max(longest, min(MIN_COLUMN_WIDTH, max(map(words.width, labels))))


def _turned(grid: ReportGrid) -> ReportGrid:
    labels = tuple(label for label, _ in grid.rows)
    rows = tuple((head, tuple(cells[number] for _, cells in grid.rows)) for number, head in enumerate(grid.heads[1:]))
    return ReportGrid(grid.title, ("", *labels), rows)


def _widths(grid: ReportGrid, words: Translator) -> list[int]:
    """Return the width of each value column; a heading may wrap at spaces."""
    widths = []
    for number, head in enumerate(grid.heads[1:]):
        inside = [words.width(cells[number]) for _, cells in grid.rows]
        widths.append(max([*inside, *(words.width(word) for word in head.split())], default=0))
    return widths


def _columns(grid: ReportGrid, words: Translator, room: int) -> Iterator[Styled]:
    widths = _widths(grid, words)
    full_width = room + sum(wide + GAP for wide in widths)
    first = min(room, max(words.width(text) for text in (grid.heads[0], *(label for label, _ in grid.rows))))

    def rows(label: str, cells: list[list[str]]) -> Iterator[str]:
        fits = max(map(words.width, label.split(" "))) <= first
        named = list(fold(label, first)) or [""] if fits else []
        if not fits or len(named) > MAX_HEADING_LINES:
            yield from fold(label, full_width)
            named = [""]
        height = max(len(named), *(len(cell) for cell in cells))
        for index in range(height):
            line = words.pad(named[index] if index < len(named) else "", first)
            for cell, wide in zip(cells, widths, strict=True):
                line += " " * GAP + words.pad(cell[index] if index < len(cell) else "", wide, "right")
            yield line.rstrip()

    heads = [list(fold(head, wide)) or [""] for head, wide in zip(grid.heads[1:], widths, strict=True)]
    for line in rows(grid.heads[0], heads):
        yield FAINT, line
    for label, cells in grid.rows:
        for line in rows(label, [[cell] for cell in cells]):
            yield PLAIN, line

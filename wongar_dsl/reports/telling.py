"""A report at the terminal: its sentences, and its tables in columns that fit."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.reports.document import Chapter, Document, Grid
from wongar_dsl.text.width import folded
from wongar_dsl.words import Words

#: Between two columns, and the narrowest that headings of rows are made.
GAP, NARROWEST = 2, 12
#: The heading of a row that takes more lines than that in its column stands above its values.
FEW = 2
#: A table with at least so many columns of values keeps them at the cost of its headings.
BROAD = 4
STRONG, PLAIN, FAINT = "strong", "", "faint"

#: A style of the terminal, and a line in it.
Styled = tuple[str, str]


def lines(document: Document, words: Words, width: int) -> Iterator[Styled]:
    """The lines of a report for a terminal that is so wide; figures that are details are left out."""
    yield from _paragraph(document.title, width, STRONG)
    yield from _paragraph(document.subtitle, width, FAINT)
    for chapter in document.chapters:
        # Some chapters are about details alone.
        if not chapter.figures or chapter.gist or chapter.listed or not all(one.detail for one in chapter.figures):
            yield PLAIN, ""
            yield from _chapter(chapter, words, width)


def _chapter(chapter: Chapter, words: Words, width: int) -> Iterator[Styled]:
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
    for line in folded(text, width, indent):
        yield style, line


def _grid(grid: Grid, words: Words, width: int) -> Iterator[Styled]:
    """A table: in columns where these fit, turned round where that fits, else row by row.

    A broad table keeps its columns where its values have room, with the headings of its rows above them.  All of them
    have the same cells: what a reader is told does not depend on how long the words of a language are.
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


def _room(grid: Grid, words: Words, width: int) -> int:
    """What the columns of values leave to the headings of the rows."""
    return width - sum(column + GAP for column in _widths(grid, words))


def _least(grid: Grid, words: Words) -> int:
    """What the headings of the rows need: each of their words in one piece, and not too many lines."""
    labels = [grid.heads[0], *(label for label, _ in grid.rows)]
    longest = max(words.width(word) for label in labels for word in label.split(" "))
    return max(longest, min(NARROWEST, max(map(words.width, labels))))


def _turned(grid: Grid) -> Grid:
    labels = tuple(label for label, _ in grid.rows)
    rows = tuple((head, tuple(cells[number] for _, cells in grid.rows)) for number, head in enumerate(grid.heads[1:]))
    return Grid(grid.title, ("", *labels), rows)


def _widths(grid: Grid, words: Words) -> list[int]:
    """How wide each column of values is; a heading may take several lines, cut at its spaces."""
    widths = []
    for number, head in enumerate(grid.heads[1:]):
        inside = [words.width(cells[number]) for _, cells in grid.rows]
        widths.append(max([*inside, *(words.width(word) for word in head.split())], default=0))
    return widths


def _columns(grid: Grid, words: Words, room: int) -> Iterator[Styled]:
    widths = _widths(grid, words)
    whole = room + sum(wide + GAP for wide in widths)
    first = min(room, max(words.width(text) for text in (grid.heads[0], *(label for label, _ in grid.rows))))

    def rows(label: str, cells: list[list[str]]) -> Iterator[str]:
        fits = max(map(words.width, label.split(" "))) <= first
        named = list(folded(label, first)) or [""] if fits else []
        if not fits or len(named) > FEW:
            yield from folded(label, whole)
            named = [""]
        height = max(len(named), *(len(cell) for cell in cells))
        for at in range(height):
            line = words.pad(named[at] if at < len(named) else "", first)
            for cell, wide in zip(cells, widths, strict=True):
                line += " " * GAP + words.pad(cell[at] if at < len(cell) else "", wide, "right")
            yield line.rstrip()

    heads = [list(folded(head, wide)) or [""] for head, wide in zip(grid.heads[1:], widths, strict=True)]
    for line in rows(grid.heads[0], heads):
        yield FAINT, line
    for label, cells in grid.rows:
        for line in rows(label, [[cell] for cell in cells]):
            yield PLAIN, line

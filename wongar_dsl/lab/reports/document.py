"""Document model of a report, and the document as text for a terminal and as a self-contained HTML page.

A document has chapters of sentences and figures. A page has charts as SVG, and their values in tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.base.terminal_text import fold
from wongar_dsl.lab import charts
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg.svg import Picture
from wongar_dsl.render.html_document import DAY, NIGHT, stylesheet
from wongar_dsl.render.html_document import document as page_of


@dataclass(frozen=True, slots=True)
class ReportGrid:
    """Table: its title, the column headings, and the rows, each with a heading and its cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """Table, and the charts of the same data that `draw` makes.

    A figure marked as `detail` is omitted if there is little room, such as in a terminal.
    """

    grid: ReportGrid
    draw: Callable[[], tuple[Picture, ...]] = tuple
    detail: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter: its heading, its summary (`gist`), further sentences, and figures.

    `listed` are similar items, each on its own line.
    """

    key: str
    title: str
    gist: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    figures: tuple[ReportFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """Report: its title, a subtitle on the data, and its chapters."""

    title: str
    subtitle: str
    chapters: tuple[Chapter, ...]

    def summaries(self) -> Iterator[str]:
        """Yield the summary sentences of all chapters."""
        for chapter in self.chapters:
            yield from chapter.gist


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


_STYLE = """
body { max-width: 58rem; }
.grid { stroke: var(--rule); opacity: 0.5; }
.halo { stroke: var(--paper); }
.subtitle { color: var(--faint); font-size: 1.1rem; }
.short { background: var(--wash); padding: 0.2rem 1.2rem 0.8rem; border-radius: 0.5rem; }
.short h2 { border: 0; margin-top: 0.6em; }
.short li { margin: 0.35em 0; }
nav ol { columns: 14rem; }
.chart { margin: 1.4em 0 0.2em; overflow-x: auto; }
.chart svg { display: block; width: 100%; min-width: 34rem; height: auto; }
.chart figcaption { font-weight: bold; color: inherit; font-size: 1rem; margin-bottom: 0.5em; }
details { margin: 0.2em 0 1.2em; }
summary { cursor: pointer; color: var(--link); font: 0.9rem Arial, Helvetica, sans-serif; }
summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
td { font-variant-numeric: tabular-nums; }
@media print {
  details:not([open])::details-content { content-visibility: visible; display: block; }
  summary { display: none; }
  .chart { overflow: visible; break-inside: avoid; }
  .chart svg { min-width: 0; }
  .short { border: 1px solid var(--rule); }
  nav { break-after: auto; }
}
"""


def html_page(document: ReportDocument, words: Translator) -> str:
    """Return the HTML page of a report, in the language of `words`."""
    day, night = {**DAY, **charts.colours(charts.DAY)}, {**NIGHT, **charts.colours(charts.NIGHT)}
    return page_of(words, document.title, stylesheet(day, night, charts.styles() + _STYLE), _body(document, words))


def _body(document: ReportDocument, words: Translator) -> Iterator[Tag]:
    def say(message: str) -> str:
        return words.say(f"lab.{message}", None)

    yield tag("a", say("skip"), href="#report", class_="skip")
    yield tag("header", tag("h1", document.title), tag("p", document.subtitle, class_="subtitle"))
    gists = [tag("li", gist) for gist in document.summaries()]
    if gists:
        yield _section("short", say("short"), [tag("ul", *gists)], "short")
    links = (tag("li", tag("a", chapter.title, href=f"#{chapter.key}")) for chapter in document.chapters)
    yield tag("nav", tag("h2", words.say("page.contents", None), id="toc"), tag("ol", *links), aria_labelledby="toc")
    yield tag("main", *(_chapter_tag(chapter, words) for chapter in document.chapters), id="report", tabindex=-1)


def _section(key: str, title: str, inner: Sequence[Tag], class_: str | None = None) -> Tag:
    return tag("section", tag("h2", title, id=f"{key}-h"), *inner, id=key, class_=class_, aria_labelledby=f"{key}-h")


def _chapter_tag(chapter: Chapter, words: Translator) -> Tag:
    inner = [tag("p", sentence) for sentence in (*chapter.gist, *chapter.sentences)]
    if chapter.listed:
        inner.append(tag("ul", *(tag("li", item) for item in chapter.listed)))
    for figure in chapter.figures:
        inner += _figure_tags(figure, words)
    return _section(chapter.key, chapter.title, inner)


def _figure_tags(figure: ReportFigure, words: Translator) -> Iterator[Tag]:
    pictures = figure.draw()
    for picture in pictures:
        yield _chart(picture)
    table = tag("div", _table_tag(figure.grid), class_="wide", role="region", tabindex=0, aria_label=figure.grid.title)
    if pictures:
        yield tag("details", tag("summary", words.say("lab.table", None)), table)
    else:
        yield table


def _chart(picture: Picture) -> Tag:
    # Charts are left-to-right in every language.
    return tag("figure", tag("figcaption", picture.title), picture.tag(direction="ltr"), class_="chart")


def _table_tag(grid: ReportGrid) -> Tag:
    first, *rest = grid.heads
    corner = tag("th", first, scope="col") if first else tag("td")
    head = tag("thead", tag("tr", corner, *(tag("th", text, scope="col") for text in rest)))
    rows = (tag("tr", tag("th", label, scope="row"), *map(_cell, cells)) for label, cells in grid.rows)
    return tag("table", tag("caption", grid.title), head, tag("tbody", *rows))


def _cell(text: str) -> Tag:
    return tag("td", text, class_="number" if re.fullmatch(r"[-+\d.,\s%]+", text) else None)

"""Report as a self-contained HTML page: charts as SVG, and their values in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.lab.charts import palette
from wongar_dsl.lab.reports.document import Chapter, ReportDocument, ReportFigure, ReportGrid
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg.svg import Picture
from wongar_dsl.render.pages.document import DAY, NIGHT, stylesheet
from wongar_dsl.render.pages.document import document as page_of

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
    day, night = {**DAY, **palette.colours(palette.DAY)}, {**NIGHT, **palette.colours(palette.NIGHT)}
    return page_of(words, document.title, stylesheet(day, night, palette.styles() + _STYLE), _body(document, words))


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
    yield tag("main", *(_chapter(chapter, words) for chapter in document.chapters), id="report", tabindex=-1)


def _section(key: str, title: str, inner: Sequence[Tag], class_: str | None = None) -> Tag:
    return tag("section", tag("h2", title, id=f"{key}-h"), *inner, id=key, class_=class_, aria_labelledby=f"{key}-h")


def _chapter(chapter: Chapter, words: Translator) -> Tag:
    inner = [tag("p", sentence) for sentence in (*chapter.gist, *chapter.sentences)]
    if chapter.listed:
        inner.append(tag("ul", *(tag("li", item) for item in chapter.listed)))
    for figure in chapter.figures:
        inner += _figure(figure, words)
    return _section(chapter.key, chapter.title, inner)


def _figure(figure: ReportFigure, words: Translator) -> Iterator[Tag]:
    pictures = figure.draw()
    for picture in pictures:
        yield _chart(picture)
    table = tag("div", _table(figure.grid), class_="wide", role="region", tabindex=0, aria_label=figure.grid.title)
    if pictures:
        yield tag("details", tag("summary", words.say("lab.table", None)), table)
    else:
        yield table


def _chart(picture: Picture) -> Tag:
    # Charts are left-to-right in every language.
    return tag("figure", tag("figcaption", picture.title), picture.tag(direction="ltr"), class_="chart")


def _table(grid: ReportGrid) -> Tag:
    first, *rest = grid.heads
    corner = tag("th", first, scope="col") if first else tag("td")
    head = tag("thead", tag("tr", corner, *(tag("th", text, scope="col") for text in rest)))
    rows = (tag("tr", tag("th", label, scope="row"), *map(_cell, cells)) for label, cells in grid.rows)
    return tag("table", tag("caption", grid.title), head, tag("tbody", *rows))


def _cell(text: str) -> Tag:
    return tag("td", text, class_="number" if re.fullmatch(r"[-+\d.,\s%]+", text) else None)

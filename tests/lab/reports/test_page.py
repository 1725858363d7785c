"""Reports as pages and as text for a terminal, equal to the stored ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lab.reports import played
from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.base.terminal_text import width as cells
from wongar_dsl.lab import reports
from wongar_dsl.lab.reports.document import BROAD, Chapter, ReportDocument, ReportFigure, ReportGrid

PAGES = [("small", "nl"), ("single", "it"), ("versus", "de"), ("sweep", "en")]


def page(sort: str, language: str) -> str:
    return reports.html_page(played.document_of(sort, language), played.words_of(language))


@pytest.mark.parametrize(("sort", "language"), PAGES)
def test_report_page_is_self_contained_and_accessible(sort: str, language: str) -> None:
    text = page(sort, language)
    assert page_faults(text) == []
    root = parse_page(text)
    body, main, nav = root.find("body"), root.find(".//main"), root.find(".//nav")
    assert body is not None
    assert main is not None
    assert nav is not None
    # The summary precedes all other sections, and the table of contents lists all chapters.
    assert [part.tag for part in body] == ["a", "header", "section", "nav", "main"]
    assert body[2].get("id") == "short"
    assert list(body[2].iter("li"))
    assert [link.get("href", "")[1:] for link in nav.iter("a")] == [part.get("id") for part in main]
    # Charts are followed by tables.
    kinds = [(section.get("id"), [part.tag for part in section]) for section in main]
    for name, tags in kinds:
        assert all("details" in tags[index:] for index, tag in enumerate(tags) if tag == "figure"), name
    charts = list(root.iter("svg"))
    assert len(charts) == sum(tags.count("figure") for _, tags in kinds) >= 1
    # They run from left to right, and all their classes have a style.
    assert {svg.get("direction") for svg in charts} == {"ltr"}
    style = root.findtext(".//style") or ""
    used = {name for svg in charts for node in svg.iter() for name in node.get("class", "").split()}
    assert {name for name in used if not re.search(rf"\.{re.escape(name)}\b", style)} <= {"letters"}
    assert "hue-0" in used


def test_column_of_a_single_number_is_centred_on_it() -> None:
    root = parse_page(page("small", "en"))
    chart = next(svg for svg in root.iter("svg") if svg.findtext("title") == "Distribution of game lengths")
    column = next(group for group in chart.iter("g") if (group.findtext("title") or "").startswith("2: "))
    rect = next(column.iter("rect"))
    middle = int(rect.get("x", "")) + int(rect.get("width", "")) // 2
    label = next(span for span in chart.iter("tspan") if span.text == "2" and int(span.get("y", "")) > 600)
    assert abs(int(label.get("x", "")) - middle) <= 3


GRID = ReportGrid(
    "Wins", ("", "Share", "Points by origin"), (("Seat 1", ("31%", "12.5")), ("Whoever begins", ("9%", "7.0")))
)


def report_lines(document: ReportDocument, width: int) -> list[str]:
    return [line for _, line in reports.lines(document, played.words_of("en"), width)]


def document_with(*chapters: Chapter) -> ReportDocument:
    return ReportDocument("Title", "Subtitle", chapters)


@pytest.mark.parametrize("width", [39, 60, 79, 120])
@pytest.mark.parametrize("sort", sorted(played.ALL))
def test_lines_fit_the_terminal_and_show_all_cells(sort: str, width: int) -> None:
    shapes = []
    for language in played.LANGUAGES:
        words, document = played.words_of(language), played.document_of(sort, language)
        lines = [line for _, line in reports.lines(document, words, width)]
        assert [line for line in lines if cells(line) > width and " " in line.strip()] == []
        figures = [figure for chapter in document.chapters for figure in chapter.figures]
        shapes.append([(len(figure.grid.heads), len(figure.grid.rows)) for figure in figures])
        text = " ".join(" ".join(lines).split())
        for figure in figures:
            values = [cell for _, cells_of in figure.grid.rows for cell in cells_of]
            if not figure.detail:
                assert [cell for cell in values if " ".join(cell.split()) not in text] == [], language
                assert len(figure.grid.heads) == 1 + len(figure.grid.rows[0][1])
        if width == 79:
            # Tables of options are not listed by row.
            broad = [figure.grid for figure in figures if len(figure.grid.heads) > BROAD]
            heads = {f"  {words.label(head)}" for grid in broad for head in grid.heads[1:]}
            assert [line for line in lines if line.startswith(tuple(heads))] == []
    assert all(shape == shapes[0] for shape in shapes)


WIDE_GRID = ReportGrid(
    "Options",
    ("Option", "Offered"),
    (("Draw a card from the pile, or one of those on the table", ("12.5",)), ("Do neither", ("7.0",))),
)
BROAD_GRID = ReportGrid(
    "Options",
    ("Option", "Offered", "Taken", "Wins", "Difference"),
    (
        ("Draw a card", ("12.5", "3.5", "31%", "+2.0 (+1.0 to +3.0)")),
        ("No", ("7.0", "1.0", "9%", "+1.0 (+0.0 to +2.0)")),
    ),
)
TABLES = {
    "values are below their headings": (GRID, 40, """\
Wins
                Share  Points
                           by
                       origin
Seat 1            31%    12.5
Whoever begins     9%     7.0"""),
    "a long row heading is above its values": (WIDE_GRID, 30, """\
Draw a card from the pile, or
one of those on the table
                          12.5
Do neither                 7.0"""),
    "a table that is too wide is listed by row": (GRID, 26, """\
Seat 1
  Share: 31%
  Points by origin: 12.5
Whoever begins
  Share: 9%
  Points by origin: 7.0"""),
    "a broad table keeps its columns below row headings": (BROAD_GRID, 46, """\
Option
     Offered  Taken  Wins           Difference
Draw a card
        12.5    3.5   31%  +2.0 (+1.0 to +3.0)
No       7.0    1.0    9%  +1.0 (+0.0 to +2.0)"""),
}  # fmt: skip


@pytest.mark.parametrize(("grid", "width", "expected"), TABLES.values(), ids=TABLES.keys())
def test_table_is_laid_out_by_the_width_of_the_terminal(grid: ReportGrid, width: int, expected: str) -> None:
    figure = ReportFigure(grid)
    lines = report_lines(document_with(Chapter("a", "Chapter", figures=(figure,))), width)
    assert lines[-expected.count("\n") - 1 :] == expected.split("\n")


def test_details_are_omitted_with_otherwise_empty_chapters() -> None:
    detail = ReportFigure(GRID, detail=True)
    lines = report_lines(
        document_with(Chapter("a", "One", ("Gist.",), figures=(detail,)), Chapter("b", "Two", figures=(detail,))), 60
    )
    assert lines == ["Title", "Subtitle", "", "One", "Gist."]


def test_equal_headings_are_shown_once() -> None:
    lines = report_lines(document_with(Chapter("a", "Wins", figures=(ReportFigure(GRID),))), 60)
    assert lines.count("Wins") == 1


GOLDENS = Path(__file__).parent / "goldens"
#: Usual width of a terminal.
WIDTH = 79


def compare(path: Path, text: str, rewrite_goldens: bool) -> None:
    """Assert that the text equals its golden file."""
    if rewrite_goldens:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", played.LANGUAGES)
@pytest.mark.parametrize("sort", sorted(played.ALL))
def test_terminal_reports_match_the_goldens(sort: str, language: str, rewrite_goldens: bool) -> None:
    lines = reports.lines(played.document_of(sort, language), played.words_of(language), WIDTH)
    compare(GOLDENS / f"{sort}.{language}.txt", "".join(f"{line}\n" for _, line in lines), rewrite_goldens)


@pytest.mark.parametrize("language", played.LANGUAGES)
def test_report_pages_match_the_goldens(language: str, rewrite_goldens: bool) -> None:
    text = reports.html_page(played.document_of("small", language), played.words_of(language))
    compare(GOLDENS / f"small.{language}.html", text, rewrite_goldens)

"""Terminal layout of reports at any width."""

from __future__ import annotations

import pytest

from tests.lab.reports import played
from wongar_dsl.base.text.terminal import width as cells
from wongar_dsl.lab import reports
from wongar_dsl.lab.reports.document import BROAD, Chapter, ReportDocument, ReportFigure, ReportGrid

GRID = ReportGrid(
    "Wins", ("", "Share", "Points by origin"), (("Seat 1", ("31%", "12.5")), ("Whoever begins", ("9%", "7.0")))
)


def report_lines(document: ReportDocument, width: int) -> list[str]:
    return [line for _, line in reports.lines(document, played.words_of("en"), width)]


def document_with(*chapters: Chapter) -> ReportDocument:
    return ReportDocument("Title", "Subtitle", chapters)


def grid_lines(grid: ReportGrid, width: int) -> list[str]:
    """Return the lines of a document with one table."""
    return report_lines(document_with(Chapter("a", "Chapter", figures=(ReportFigure(grid),))), width)


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


def test_table_values_are_below_their_headings() -> None:
    assert grid_lines(GRID, 40)[-6:] == [
        "Wins",
        "                Share  Points",
        "                           by",
        "                       origin",
        "Seat 1            31%    12.5",
        "Whoever begins     9%     7.0",
    ]


def test_long_row_heading_is_placed_above_its_values() -> None:
    rows = (("Draw a card from the pile, or one of those on the table", ("12.5",)), ("Do neither", ("7.0",)))
    lines = grid_lines(ReportGrid("Options", ("Option", "Offered"), rows), 30)
    assert lines[-4:] == [
        "Draw a card from the pile, or",
        "one of those on the table",
        "                          12.5",
        "Do neither                 7.0",
    ]


def test_too_wide_table_is_listed_by_row() -> None:
    assert grid_lines(GRID, 26)[-6:] == [
        "Seat 1",
        "  Share: 31%",
        "  Points by origin: 12.5",
        "Whoever begins",
        "  Share: 9%",
        "  Points by origin: 7.0",
    ]


def test_details_are_omitted_with_otherwise_empty_chapters() -> None:
    detail = ReportFigure(GRID, detail=True)
    lines = report_lines(
        document_with(Chapter("a", "One", ("Gist.",), figures=(detail,)), Chapter("b", "Two", figures=(detail,))), 60
    )
    assert lines == ["Title", "Subtitle", "", "One", "Gist."]


def test_equal_headings_are_shown_once() -> None:
    lines = report_lines(document_with(Chapter("a", "Wins", figures=(ReportFigure(GRID),))), 60)
    assert lines.count("Wins") == 1


def test_broad_table_keeps_columns_below_row_headings() -> None:
    rows = (
        ("Draw a card", ("12.5", "3.5", "31%", "+2.0 (+1.0 to +3.0)")),
        ("No", ("7.0", "1.0", "9%", "+1.0 (+0.0 to +2.0)")),
    )
    broad = ReportGrid("Options", ("Option", "Offered", "Taken", "Wins", "Difference"), rows)
    lines = grid_lines(broad, 46)
    assert lines[-5:] == [
        "Option",
        "     Offered  Taken  Wins           Difference",
        "Draw a card",
        "        12.5    3.5   31%  +2.0 (+1.0 to +3.0)",
        "No       7.0    1.0    9%  +1.0 (+0.0 to +2.0)",
    ]

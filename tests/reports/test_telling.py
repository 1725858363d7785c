"""A report at the terminal fits into it, however narrow that is."""

from __future__ import annotations

import pytest

from tests.reports import played
from wongar_dsl import reports
from wongar_dsl.reports.document import Chapter, Document, Figure, Grid
from wongar_dsl.text.width import width as cells

GRID = Grid("Wins", ("", "Share", "Points by origin"), (("Seat 1", ("31%", "12.5")), ("Whoever begins", ("9%", "7.0"))))


def told(document: Document, width: int) -> list[str]:
    return [line for _, line in reports.lines(document, played.words_of("en"), width)]


def of(*chapters: Chapter) -> Document:
    return Document("Title", "Subtitle", chapters)


@pytest.mark.parametrize("width", [39, 60, 79, 120])
@pytest.mark.parametrize("language", played.LANGUAGES)
@pytest.mark.parametrize("sort", sorted(played.ALL))
def test_no_line_is_wider_than_the_terminal(sort: str, language: str, width: int) -> None:
    words = played.words_of(language)
    lines = [line for _, line in reports.lines(played.document_of(sort, language), words, width)]
    assert [line for line in lines if cells(line) > width and " " in line.strip()] == []


def test_a_table_has_its_values_below_their_headings() -> None:
    assert told(of(Chapter("a", "Chapter", figures=(Figure(GRID),))), 40)[-6:] == [
        "Wins",
        "                Share  Points",
        "                           by",
        "                       origin",
        "Seat 1            31%    12.5",
        "Whoever begins     9%     7.0",
    ]


def test_a_heading_that_is_long_for_its_column_stands_above_its_values() -> None:
    rows = (("Draw a card from the pile, or one of those on the table", ("12.5",)), ("Do neither", ("7.0",)))
    lines = told(of(Chapter("a", "Chapter", figures=(Figure(Grid("Options", ("Option", "Offered"), rows)),))), 30)
    assert lines[-4:] == [
        "Draw a card from the pile, or",
        "one of those on the table",
        "                          12.5",
        "Do neither                 7.0",
    ]


def test_a_table_that_is_too_wide_is_told_row_by_row() -> None:
    assert told(of(Chapter("a", "Chapter", figures=(Figure(GRID),))), 26)[-6:] == [
        "Seat 1",
        "  Share: 31%",
        "  Points by origin: 12.5",
        "Whoever begins",
        "  Share: 9%",
        "  Points by origin: 7.0",
    ]


def test_details_are_left_out_and_so_is_a_chapter_of_nothing_else() -> None:
    detail = Figure(GRID, detail=True)
    lines = told(of(Chapter("a", "One", ("Gist.",), figures=(detail,)), Chapter("b", "Two", figures=(detail,))), 60)
    assert lines == ["Title", "Subtitle", "", "One", "Gist."]


def test_a_heading_is_not_said_twice() -> None:
    lines = told(of(Chapter("a", "Wins", figures=(Figure(GRID),))), 60)
    assert lines.count("Wins") == 1


def test_columns_that_can_be_spared_are_left_out_before_the_table_is_taken_apart() -> None:
    rows = (("Draw a card", ("12.5", "31%", "+2.0 (+1.0 to +3.0)")), ("Decline", ("7.0", "9%", "")))
    wide = Grid("Options", ("Option", "Offered", "Wins", "Difference"), rows, spare=(1,))
    assert told(of(Chapter("a", "Chapter", figures=(Figure(wide),))), 44)[-3:] == [
        "Option       Offered           Difference",
        "Draw a card     12.5  +2.0 (+1.0 to +3.0)",
        "Decline          7.0",
    ]

"""Report page: self-contained, accessible, with the values of each chart in a table."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.lab.reports import played
from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.lab import reports

PAGES = [("small", "de"), ("small", "nl"), ("single", "it"), ("versus", "de"), ("sweep", "en")]


def page(sort: str, language: str) -> str:
    return reports.html_page(played.document_of(sort, language), played.words_of(language))


@pytest.fixture(params=PAGES, ids=lambda param: "-".join(param))
def root(request: pytest.FixtureRequest) -> ElementTree.Element:
    return parse_page(page(*request.param))


@pytest.mark.parametrize(("sort", "language"), PAGES)
def test_report_page_is_self_contained_and_accessible(sort: str, language: str) -> None:
    assert page_faults(page(sort, language)) == []


def test_summary_precedes_all_other_sections(root: ElementTree.Element) -> None:
    body = root.find("body")
    assert body is not None
    assert [part.tag for part in body] == ["a", "header", "section", "nav", "main"]
    assert body[2].get("id") == "short"
    assert list(body[2].iter("li"))


def test_table_of_contents_lists_all_chapters(root: ElementTree.Element) -> None:
    main, nav = root.find(".//main"), root.find(".//nav")
    assert main is not None
    assert nav is not None
    assert [link.get("href", "")[1:] for link in nav.iter("a")] == [part.get("id") for part in main]


def test_charts_are_followed_by_tables(root: ElementTree.Element) -> None:
    main = root.find(".//main")
    assert main is not None
    charts = 0
    for section in main:
        kinds = [part.tag for part in section]
        for index, kind in enumerate(kinds):
            if kind == "figure":
                charts += 1
                assert "details" in kinds[index:], section.get("id")
    assert charts == len(list(root.iter("svg")))
    assert charts >= 1


def test_charts_are_always_left_to_right(root: ElementTree.Element) -> None:
    assert {svg.get("direction") for svg in root.iter("svg")} == {"ltr"}


def test_all_chart_classes_have_a_style(root: ElementTree.Element) -> None:
    style = root.findtext(".//style") or ""
    used = {name for svg in root.iter("svg") for node in svg.iter() for name in node.get("class", "").split()}
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

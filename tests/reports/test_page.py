"""The page of a report: whole in itself, legible for everybody, with every value in a table as well."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.pages.whole import read, wrong
from tests.reports import played
from wongar_dsl import reports

PAGES = [("small", "de"), ("small", "nl"), ("single", "it"), ("versus", "de"), ("sweep", "en")]


def page(sort: str, language: str) -> str:
    return reports.page(played.document_of(sort, language), played.words_of(language))


@pytest.fixture(params=PAGES, ids=lambda one: "-".join(one))
def root(request: pytest.FixtureRequest) -> ElementTree.Element:
    return read(page(*request.param))


@pytest.mark.parametrize(("sort", "language"), PAGES)
def test_a_page_loads_nothing_and_can_be_read_aloud(sort: str, language: str) -> None:
    assert wrong(page(sort, language)) == []


def test_the_answer_stands_before_everything_else(root: ElementTree.Element) -> None:
    body = root.find("body")
    assert body is not None
    assert [part.tag for part in body] == ["a", "header", "section", "nav", "main"]
    assert body[2].get("id") == "short"
    assert list(body[2].iter("li"))


def test_the_contents_name_every_chapter(root: ElementTree.Element) -> None:
    main, nav = root.find(".//main"), root.find(".//nav")
    assert main is not None
    assert nav is not None
    assert [link.get("href", "")[1:] for link in nav.iter("a")] == [part.get("id") for part in main]


def test_behind_every_chart_stands_a_table_with_its_values(root: ElementTree.Element) -> None:
    main = root.find(".//main")
    assert main is not None
    charts = 0
    for section in main:
        kinds = [part.tag for part in section]
        for at, kind in enumerate(kinds):
            if kind == "figure":
                charts += 1
                assert "details" in kinds[at:], section.get("id")
    assert charts == len(list(root.iter("svg")))
    assert charts >= 1


def test_charts_grow_to_the_right_whatever_the_direction_of_the_language_is(root: ElementTree.Element) -> None:
    assert {svg.get("direction") for svg in root.iter("svg")} == {"ltr"}


def test_every_class_of_a_chart_has_a_style(root: ElementTree.Element) -> None:
    style = root.findtext(".//style") or ""
    used = {name for svg in root.iter("svg") for node in svg.iter() for name in node.get("class", "").split()}
    assert {name for name in used if not re.search(rf"\.{re.escape(name)}\b", style)} <= {"letters"}
    assert "hue-0" in used


def test_the_column_of_a_single_number_stands_around_it() -> None:
    found = read(page("small", "en"))
    chart = next(svg for svg in found.iter("svg") if svg.findtext("title") == "Distribution of game lengths")
    column = next(group for group in chart.iter("g") if (group.findtext("title") or "").startswith("2: "))
    rect = next(column.iter("rect"))
    middle = int(rect.get("x", "")) + int(rect.get("width", "")) // 2
    label = next(span for span in chart.iter("tspan") if span.text == "2" and int(span.get("y", "")) > 600)
    assert abs(int(label.get("x", "")) - middle) <= 3

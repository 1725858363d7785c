"""Report page: self-contained, accessible, with the values of each chart in a table."""

from __future__ import annotations

import re

import pytest

from tests.lab.reports import played
from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.lab import reports

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

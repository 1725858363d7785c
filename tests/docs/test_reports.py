"""The report in docs answers its question, is self-contained and states its command."""

from __future__ import annotations

from pathlib import Path

from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.engine import library

REPORTS = Path(__file__).parents[2] / "docs" / "reports"
PAGE = REPORTS / "card_bonus.html"


def test_report_is_self_contained() -> None:
    assert page_faults(PAGE.read_text(encoding="utf-8")) == []


def test_report_answers_its_question() -> None:
    short = parse_page(PAGE.read_text(encoding="utf-8")).find(".//section[@id='short']")
    assert short is not None
    gists = ["".join(item.itertext()) for item in short.iter("li")]
    assert any("the starting player" in gist and gist.startswith(("The change", "There is no sign")) for gist in gists)


def test_report_names_its_rules() -> None:
    rules = library.load(REPORTS / "larger_bonus.rules")
    assert rules.name == "wongar/larger_bonus"
    assert rules.model.settings["cards_bonus"].start == library.load("wongar").model.settings["cards_bonus"].start + 2
    assert "wongar simulate wongar --vs larger_bonus.rules" in PAGE.read_text(encoding="utf-8")

"""The report in docs answers its question, is whole in itself, and says how it was made."""

from __future__ import annotations

from pathlib import Path

from tests.pages.whole import read, wrong
from wongar_dsl import library

REPORTS = Path(__file__).parents[2] / "docs" / "reports"
PAGE = REPORTS / "card_bonus.html"


def test_the_report_can_be_opened_without_a_network() -> None:
    assert wrong(PAGE.read_text(encoding="utf-8")) == []


def test_the_report_answers_whether_the_bonus_helps_whoever_begins() -> None:
    short = read(PAGE.read_text(encoding="utf-8")).find(".//section[@id='short']")
    assert short is not None
    gists = ["".join(item.itertext()) for item in short.iter("li")]
    assert any("the starting player" in gist and gist.startswith(("The change", "There is no sign")) for gist in gists)


def test_the_rules_of_the_report_are_those_that_it_names() -> None:
    rules = library.load(REPORTS / "larger_bonus.rules")
    assert rules.name == "wongar/larger_bonus"
    assert rules.model.settings["cards_bonus"].start == library.load("wongar").model.settings["cards_bonus"].start + 2
    assert "wongar simulate wongar --vs larger_bonus.rules" in PAGE.read_text(encoding="utf-8")

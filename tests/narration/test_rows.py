"""Numbered things that follow on each other are told as a row of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.table.test_forecast import match, narrator
from wongar_dsl.narration.story import Story

TOLD = {
    "en": "Anna puts ships on beaches 1 to {} of",
    "de": "Anna setzt Schiffe an Strände 1 bis {} auf",
    "it": "Anna mette navi sulle spiagge da 1 a {} di",
    "nl": "Anna zet schepen aan stranden 1 tot en met {} van",
}


def told(language: str, *beaches: int) -> str:
    """The sentence for ships that were put to these beaches."""
    at = match("tongiaki", 2, 3)
    at.play(at.state.legal_moves()[0])
    placed = next(event for event in at.history() if event.spec.message == "placed")
    where = [name for name, _ in placed.spec.fields].index("strand")
    events = [
        replace(placed, values=(*placed.values[:where], beach - 1, *placed.values[where + 1 :])) for beach in beaches
    ]
    (line,) = Story(None).tell(narrator(at, language), events)
    return line.text


@pytest.mark.parametrize("language", TOLD)
def test_things_that_follow_on_each_other_are_told_as_a_row(language: str) -> None:
    assert TOLD[language].format(3) in told(language, 3, 1, 2)


def test_two_of_them_or_a_gap_are_told_one_by_one() -> None:
    assert "on beach 1 and beach 2 of" in told("en", 1, 2)
    assert "on beach 1, beach 2 and beach 4 of" in told("en", 1, 2, 4)

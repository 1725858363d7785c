"""Numbered things are told as a row of them; where one comes more than once, each with how often."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.table.test_forecast import match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.narration.story import Story

TOLD = {
    "en": "Anna puts ships on beaches 1 to {} of",
    "de": "Anna setzt Schiffe an die Strände 1 bis {} auf",
    "it": "Anna mette navi sulle spiagge da 1 a {} di",
    "nl": "Anna zet schepen op de stranden 1 tot en met {} van",
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


GAPS = {
    "en": "Anna puts ships on beaches 2, 3 and 5 of",
    "de": "Anna setzt Schiffe an die Strände 2, 3 und 5 auf",
    "it": "Anna mette navi sulle spiagge 2, 3 e 5 di",
    "nl": "Anna zet schepen op de stranden 2, 3 en 5 van",
}


@pytest.mark.parametrize("language", GAPS)
def test_two_of_them_or_those_with_a_gap_are_told_by_their_numbers(language: str) -> None:
    assert GAPS[language] in told(language, 5, 2, 3)
    assert "on beaches 1 and 2 of" in told("en", 2, 1)


OFTEN = {
    "en": "Anna puts two ships on beach 1 and one on beach 2 of",
    "de": "Anna setzt zwei Schiffe an Strand 1 und eines an Strand 2 auf",
    "it": "Anna mette due navi sulla spiaggia 1 e una sulla spiaggia 2 di",
    "nl": "Anna zet twee schepen op strand 1 en één op strand 2 van",
}


@pytest.mark.parametrize("language", OFTEN)
def test_where_one_comes_more_than_once_each_is_told_with_how_often(language: str) -> None:
    assert OFTEN[language] in told(language, 1, 2, 1)


def test_one_that_comes_again_and_again_is_counted() -> None:
    assert "Anna setzt drei Schiffe an Strand 4 auf" in told("de", 4, 4, 4)


def landed(language: str, *ships: tuple[int, int]) -> list[str]:
    """The sentences for ships of these players that Anna lands on these beaches."""
    at = match("tongiaki", 3, 3)
    spec = next(spec for spec in at.game.program.events if spec.message == "landed_other")
    said = [{"player": 0, "owner": owner, "island": 0, "strand": beach - 1, "n": 1} for owner, beach in ships]
    other = {name: (0, 0, 0) if kind.kind == "place" else 0 for name, kind in spec.fields}
    events = [Event(spec, tuple((other | of).values()), -1) for of in said]
    return [line.text for line in Story(None).tell(narrator(at, language), events)]


SHARED = {
    "en": "Anna lands one ship each of Ben’s and Cleo’s on beach 2 of Tonga.",
    "de": "Anna setzt je ein Schiff von Ben und Cleo an Strand 2 auf Tonga.",
    "it": "Anna fa sbarcare una nave ciascuno per Ben e Cleo sulla spiaggia 2 di Tonga.",
    "nl": "Anna zet van Ben en Cleo elk een schip op strand 2 van Tonga.",
}


@pytest.mark.parametrize("language", SHARED)
def test_what_differs_in_whose_it_is_alone_is_told_once(language: str) -> None:
    assert landed(language, (1, 2), (2, 2)) == [SHARED[language]]


def test_what_differs_in_more_names_its_verb_and_its_place_once() -> None:
    told = "Anna lands one of Ben’s ships on beach 1 of Tonga and one of Cleo’s on beach 2."
    assert landed("en", (1, 1), (2, 2)) == [told]


def test_whose_they_are_is_said_with_the_first_part_of_a_list() -> None:
    assert landed("de", (1, 1), (1, 1), (1, 2)) == [
        "Anna setzt zwei Schiffe von Ben an Strand 1 und eines an Strand 2 auf Tonga."
    ]

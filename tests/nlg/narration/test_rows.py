"""Numbered things are narrated as a range, or with counts if some occur more than once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.session.test_forecast import match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.nlg.narration.story import Story

TOLD = {
    "en": "Anna puts ships on beaches 1 to {} of",
    "de": "Anna setzt Schiffe an die Strände 1 bis {} auf",
    "it": "Anna mette navi sulle spiagge da 1 a {} di",
    "nl": "Anna zet schepen op de stranden 1 tot en met {} van",
}


def placing_sentence(language: str, *beaches: int) -> str:
    """Return the sentence for ships placed on these beaches."""
    sample = match("tongiaki", 2, 3)
    sample.play(sample.state.legal_moves()[0])
    placed = next(event for event in sample.history() if event.spec.message == "placed")
    where = [name for name, _ in placed.spec.fields].index("strand")
    events = [
        replace(placed, values=(*placed.values[:where], beach - 1, *placed.values[where + 1 :])) for beach in beaches
    ]
    (line,) = Story(None).unreported(narrator(sample, language), events)
    return line.text


@pytest.mark.parametrize("language", TOLD)
def test_consecutive_numbers_are_narrated_as_a_range(language: str) -> None:
    assert TOLD[language].format(3) in placing_sentence(language, 3, 1, 2)


GAPS = {
    "en": "Anna puts ships on beaches 2, 3 and 5 of",
    "de": "Anna setzt Schiffe an die Strände 2, 3 und 5 auf",
    "it": "Anna mette navi sulle spiagge 2, 3 e 5 di",
    "nl": "Anna zet schepen op de stranden 2, 3 en 5 van",
}


@pytest.mark.parametrize("language", GAPS)
def test_pairs_and_numbers_with_gaps_are_listed(language: str) -> None:
    assert GAPS[language] in placing_sentence(language, 5, 2, 3)
    assert "on beaches 1 and 2 of" in placing_sentence("en", 2, 1)


REPEATED_EVENTS = {
    "en": "Anna puts two ships on beach 1 and one on beach 2 of",
    "de": "Anna setzt zwei Schiffe an Strand 1 und eines an Strand 2 auf",
    "it": "Anna mette due navi sulla spiaggia 1 e una sulla spiaggia 2 di",
    "nl": "Anna zet twee schepen op strand 1 en één op strand 2 van",
}


@pytest.mark.parametrize("language", REPEATED_EVENTS)
def test_repeated_numbers_are_narrated_with_counts(language: str) -> None:
    assert REPEATED_EVENTS[language] in placing_sentence(language, 1, 2, 1)


def test_single_repeated_number_is_counted() -> None:
    assert "Anna setzt drei Schiffe an Strand 4 auf" in placing_sentence("de", 4, 4, 4)


def landing_sentences(language: str, *ships: tuple[int, int]) -> list[str]:
    """Return the sentences for (owner, beach) pairs of ships that Anna lands."""
    sample = match("tongiaki", 3, 3)
    spec = next(spec for spec in sample.game.program.events if spec.message == "landed_other")
    entries = [{"player": 0, "owner": owner, "island": 0, "strand": beach - 1, "n": 1} for owner, beach in ships]
    defaults = {name: (0, 0, 0) if kind.kind == "place" else 0 for name, kind in spec.fields}
    events = [Event(spec, tuple((defaults | entry).values()), -1) for entry in entries]
    return [line.text for line in Story(None).unreported(narrator(sample, language), events)]


SHARED = {
    "en": "Anna lands one ship each of Ben’s and Cleo’s on beach 2 of Tonga.",
    "de": "Anna setzt je ein Schiff von Ben und Cleo an Strand 2 auf Tonga.",
    "it": "Anna fa sbarcare una nave ciascuno per Ben e Cleo sulla spiaggia 2 di Tonga.",
    "nl": "Anna zet van Ben en Cleo elk een schip op strand 2 van Tonga.",
}


@pytest.mark.parametrize("language", SHARED)
def test_items_differing_only_in_owner_share_a_sentence(language: str) -> None:
    assert landing_sentences(language, (1, 2), (2, 2)) == [SHARED[language]]


def test_verb_and_place_are_named_once_for_differing_items() -> None:
    sentence = "Anna lands one of Ben’s ships on beach 1 of Tonga and one of Cleo’s on beach 2."
    assert landing_sentences("en", (1, 1), (2, 2)) == [sentence]


def test_common_owner_is_named_with_the_first_item() -> None:
    assert landing_sentences("de", (1, 1), (1, 1), (1, 2)) == [
        "Anna setzt zwei Schiffe von Ben an Strand 1 und eines an Strand 2 auf Tonga."
    ]

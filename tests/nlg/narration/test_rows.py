"""Numbered things are narrated as a range, or with counts if some occur more than once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.session.test_forecast import match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.nlg.narration.story import Story


def placing_sentence(language: str, *beaches: int) -> str:
    sample = match("tongiaki", 2, 3)
    sample.play(sample.state.legal_moves()[0])
    placed = next(event for event in sample.history() if event.spec.message == "placed")
    where = [name for name, _ in placed.spec.fields].index("strand")
    events = [
        replace(placed, values=(*placed.values[:where], beach - 1, *placed.values[where + 1 :])) for beach in beaches
    ]
    (line,) = Story(None).unreported(narrator(sample, language), events)
    return line.text


#: The beaches of ships that Anna places, and the sentence.
PLACED = (
    ("en", (3, 1, 2), "Anna puts ships on beaches 1 to 3 of"),
    ("de", (3, 1, 2), "Anna setzt Schiffe an die Strände 1 bis 3 auf"),
    ("it", (3, 1, 2), "Anna mette navi sulle spiagge da 1 a 3 di"),
    ("nl", (3, 1, 2), "Anna zet schepen op de stranden 1 tot en met 3 van"),
    ("en", (5, 2, 3), "Anna puts ships on beaches 2, 3 and 5 of"),
    ("en", (2, 1), "Anna puts ships on beaches 1 and 2 of"),
    ("en", (1, 2, 1), "Anna puts two ships on beach 1 and one on beach 2 of"),
    ("de", (1, 2, 1), "Anna setzt zwei Schiffe an Strand 1 und eines an Strand 2 auf"),
    ("it", (1, 2, 1), "Anna mette due navi sulla spiaggia 1 e una sulla spiaggia 2 di"),
    ("nl", (1, 2, 1), "Anna zet twee schepen op strand 1 en één op strand 2 van"),
    ("de", (4, 4, 4), "Anna setzt drei Schiffe an Strand 4 auf"),
)


@pytest.mark.parametrize(("language", "beaches", "said"), PLACED)
def test_numbers_are_narrated_as_a_range_a_list_or_with_counts(
    language: str, beaches: tuple[int, ...], said: str
) -> None:
    assert said in placing_sentence(language, *beaches)


def landing_sentences(language: str, *ships: tuple[int, int]) -> list[str]:
    sample = match("tongiaki", 3, 3)
    spec = next(spec for spec in sample.game.program.events if spec.message == "landed_other")
    entries = [{"player": 0, "owner": owner, "island": 0, "strand": beach - 1, "n": 1} for owner, beach in ships]
    defaults = {name: (0, 0, 0) if kind.kind == "place" else 0 for name, kind in spec.fields}
    events = [Event(spec, tuple((defaults | entry).values()), -1) for entry in entries]
    return [line.text for line in Story(None).unreported(narrator(sample, language), events)]


#: Ships that Anna lands, as (owner, beach), and the sentence: verb, place and owner are named once.
LANDED = (
    ("en", ((1, 2), (2, 2)), "Anna lands one ship each of Ben’s and Cleo’s on beach 2 of Tonga."),
    ("de", ((1, 2), (2, 2)), "Anna setzt je ein Schiff von Ben und Cleo an Strand 2 auf Tonga."),
    ("it", ((1, 2), (2, 2)), "Anna fa sbarcare una nave ciascuno per Ben e Cleo sulla spiaggia 2 di Tonga."),
    ("nl", ((1, 2), (2, 2)), "Anna zet van Ben en Cleo elk een schip op strand 2 van Tonga."),
    ("en", ((1, 1), (2, 2)), "Anna lands one of Ben’s ships on beach 1 of Tonga and one of Cleo’s on beach 2."),
    (
        "de",
        ((1, 1), (1, 1), (1, 2)),
        "Anna setzt zwei Schiffe von Ben an Strand 1 und eines an Strand 2 auf Tonga.",
    ),
)


@pytest.mark.parametrize(("language", "ships", "said"), LANDED)
def test_items_of_a_list_share_what_they_have_in_common(
    language: str, ships: tuple[tuple[int, int], ...], said: str
) -> None:
    assert landing_sentences(language, *ships) == [said]

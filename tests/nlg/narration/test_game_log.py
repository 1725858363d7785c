"""Written log of a finished game: headings for rounds, and no statement twice."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.nlg.narration.test_whole_games import NAMES, finished_match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.nlg.narration.replay_log import retell, round_starts, written_story
from wongar_dsl.nlg.narration.story import Story


def test_game_with_turn_announcements_has_a_heading_per_round() -> None:
    match = finished_match("tongiaki", 1)
    headings = [line.text for line in written_story(narrator(match, "de"), match, None) if line.heading]
    assert headings == [f"Runde {n}" for n in range(1, len(headings) + 1)]
    begun = list(round_starts(narrator(match), match))
    history = match.history()
    for first, end in pairwise([*begun, len(history)]):
        turns = [e.arguments()["player"][1] for e in history[first:end] if e.spec.message == "turn_begins"]
        assert turns == sorted(turns, key=str)
        assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("name", ["wongar", "nim"])
def test_no_headings_are_added_without_turn_announcements(name: str) -> None:
    match = finished_match(name, 1)
    assert not list(round_starts(narrator(match), match))
    assert not any(re.fullmatch(r"Round \d+", line.text) for line in written_story(narrator(match), match, None))


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "goofspiel"])
def test_written_log_accounts_for_all_events(name: str) -> None:
    match = finished_match(name, 1, "human")
    teller, history = narrator(match), match.history()
    lines = written_story(teller, match, None)
    accounted = [n for line in lines for n in (*line.told, *(n for n, _ in line.implied))]
    assert sorted(accounted) == [n for n, event in enumerate(history) if teller.event(event, None) is not None]


def test_first_item_of_a_list_is_not_a_separate_sentence() -> None:
    match = finished_match("tongiaki", 1, "human")
    pattern = re.compile(r"(\w+) puts (?:a ship|ships) on beach(?:es)? [^;]* of (\w+)\.")
    for sentence, following in pairwise(line.text for line in retell(narrator(match), match, None)):
        placing = pattern.fullmatch(sentence)
        assert placing is None or not following.startswith(f"{placing[1]} puts ") or f"of {placing[2]}" not in following


def tongiaki_events(*told: tuple[str, dict[str, int]]) -> list[Event]:
    """Return events of Tongiaki with these values."""
    specs = {spec.message: spec for spec in finished_match("tongiaki", 1).game.program.events}
    return [
        Event(specs[message], tuple(values.get(name, 0) for name, _ in specs[message].fields), -1)
        for message, values in told
    ]


ECHO = {
    "en": "The ships land on Tonga again, since Niue is a royal island.",
    "de": "Die Schiffe landen wieder auf Tonga, weil Niue eine Königsinsel ist.",
    "it": "Le navi sbarcano di nuovo su Tonga, perché Niue è un’isola reale.",
    "nl": "De schepen landen weer op Tonga, omdat Niue een koningseiland is.",
}


@pytest.mark.parametrize("language", ECHO)
def test_event_stated_by_the_previous_sentence_is_omitted(language: str) -> None:
    match = finished_match("tongiaki", 1)
    away = tongiaki_events(("turned_away", {"island": 1, "back": 0}), ("arrives", {"island": 0}))
    assert [line.text for line in Story(None).unreported(narrator(match, language), away)] == [ECHO[language]]
    elsewhere = [away[0], replace(away[1], values=tuple(2 for _ in away[1].values))]
    assert len(Story(None).unreported(narrator(match, language), elsewhere)) == 2


def test_newly_revealed_card_is_called_new() -> None:
    match = finished_match("tongiaki", 3)
    text = "\n".join(line.text for line in written_story(narrator(match, "de"), match, None))
    assert "auf der neuen Wasserkarte Matangi 3 Farben" in text
    assert "(neu)" not in text


def test_place_is_named_once_in_a_sentence() -> None:
    assert NAMES[0] == "Anna"
    match = finished_match("tongiaki", 1)
    landed = tongiaki_events(
        ("landed", {"island": 0, "strand": 1}), ("landed_other", {"owner": 1, "island": 0, "strand": 2})
    )
    line, *more = Story(None).unreported(narrator(match), landed)
    assert not more
    assert line.text == "Anna lands on beach 2 of Tonga and lands one of Bert’s ships on beach 3."


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated"])
def test_excerpt_of_a_game_contains_asides(name: str) -> None:
    match = finished_match(name, 1)
    history = match.history()
    first = next(n for n, event in enumerate(history) if event.spec.message == "majority")
    scored = next(n for n, event in enumerate(history) if n > first and event.spec.message == "ceremony_scored")
    line, *more = Story(None, standings=False).unreported(narrator(match), history[first : scored + 1])
    assert not more
    assert re.search(r" gains .* \(.*\d.*\)\.$", line.text)

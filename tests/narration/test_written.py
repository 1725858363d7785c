"""A game read afterwards: its rounds have headings, and nothing in it is said twice."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.narration.test_whole_games import GAMES, NAMES, narrator, played
from wongar_dsl.engine.events import Event
from wongar_dsl.narration.retelling import retold, rounds_begun, written
from wongar_dsl.narration.story import Story


def test_a_game_that_tells_whose_turn_it_is_has_a_heading_for_each_round() -> None:
    match = played("tongiaki", 1)
    headings = [line.text for line in written(narrator(match, "de"), match, None) if line.heading]
    assert headings == [f"Runde {n}" for n in range(1, len(headings) + 1)]
    begun = list(rounds_begun(narrator(match), match))
    history = match.history()
    for first, end in pairwise([*begun, len(history)]):
        turns = [e.arguments()["player"][1] for e in history[first:end] if e.spec.message == "turn_begins"]
        assert turns == sorted(turns, key=str)
        assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("name", ["wongar", "nim"])
def test_rounds_that_are_told_or_turns_that_are_not_get_no_heading_of_ours(name: str) -> None:
    match = played(name, 1)
    assert not list(rounds_begun(narrator(match), match))
    assert not any(re.fullmatch(r"Round \d+", line.text) for line in written(narrator(match), match, None))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_read_afterwards_accounts_for_each_event(name: str) -> None:
    match = played(name, 2, "human")
    teller, history = narrator(match), match.history()
    lines = written(teller, match, None)
    accounted = [at for line in lines for at in (*line.told, *(at for at, _ in line.implied))]
    assert sorted(accounted) == [at for at, event in enumerate(history) if teller.event(event, None) is not None]


def test_the_first_thing_of_a_list_is_no_sentence_of_its_own() -> None:
    match = played("tongiaki", 1, "human")
    said = re.compile(r"(\w+) puts (?:a ship|ships) on beach(?:es)? [^;]* of (\w+)\.")
    for one, other in pairwise(line.text for line in retold(narrator(match), match, None)):
        found = said.fullmatch(one)
        assert found is None or not other.startswith(f"{found[1]} puts ") or f"of {found[2]}" not in other


def events(*told: tuple[str, dict[str, int]]) -> list[Event]:
    """Events of Tongiaki with these values."""
    specs = {spec.message: spec for spec in played("tongiaki", 1).game.program.events}
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
def test_what_the_sentence_before_has_said_is_not_told_again(language: str) -> None:
    match = played("tongiaki", 1)
    away = events(("turned_away", {"island": 1, "back": 0}), ("arrives", {"island": 0}))
    assert [line.text for line in Story(None).tell(narrator(match, language), away)] == [ECHO[language]]
    elsewhere = [away[0], replace(away[1], values=tuple(2 for _ in away[1].values))]
    assert len(Story(None).tell(narrator(match, language), elsewhere)) == 2


def test_a_card_that_has_just_been_uncovered_is_called_new_before_its_sort() -> None:
    match = played("tongiaki", 3)
    text = "\n".join(line.text for line in written(narrator(match, "de"), match, None))
    assert "auf der neuen Wasserkarte Matangi 3 Farben" in text
    assert "(neu)" not in text


def test_a_place_is_named_once_in_a_sentence() -> None:
    assert NAMES[0] == "Anna"
    match = played("tongiaki", 1)
    there = events(("landed", {"island": 0, "strand": 1}), ("landed_other", {"owner": 1, "island": 0, "strand": 2}))
    line, *more = Story(None).tell(narrator(match), there)
    assert not more
    assert line.text == "Anna lands on beach 2 of Tonga and lands one of Bert’s ships on beach 3."


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated"])
def test_a_part_of_a_game_tells_by_the_way_what_the_whole_of_it_does(name: str) -> None:
    match = played(name, 1)
    history = match.history()
    first = next(at for at, event in enumerate(history) if event.spec.message == "majority")
    scored = next(at for at, event in enumerate(history) if at > first and event.spec.message == "ceremony_scored")
    line, *more = Story(None, standings=False).tell(narrator(match), history[first : scored + 1])
    assert not more
    assert re.search(r" gains .* \(.*\d.*\)\.$", line.text)

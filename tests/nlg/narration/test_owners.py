"""Lists name the owner of each item, and a conjunction joins only actions of one player."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby

import pytest

from tests.nlg.narration.test_whole_games import NAMES, finished_match, narrator
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.nlg.narration.event_groups import NarratedEvent, narrated_events
from wongar_dsl.nlg.narration.replay_log import retell
from wongar_dsl.nlg.narration.story import StoryLine
from wongar_dsl.nlg.words.translator import ALSO, EACH, REPEATED

LANGUAGES = {"en": "and", "de": "und", "it": "ed?", "nl": "en"}
#: The game with such lists and conjunctions.
GAME = "wongar"
SEEDS = (1, 2, 4)


@cache
def narrated_lines(language: str) -> list[tuple[StoryLine, list[NarratedEvent]]]:
    """Return the lines of random games, each with the events that it narrates."""
    result = []
    for seed in SEEDS:
        match = finished_match(GAME, seed)
        teller = narrator(match, language)
        events = {event.at: event for event in narrated_events(teller, list(enumerate(match.history())), EVERYTHING)}
        lines = retell(teller, match, EVERYTHING)
        result += [(line, [events[number] for number in line.told]) for line in lines if not line.heading]
    return result


def mention_count(player: str, text: str) -> int:
    """Return how often a text names a player."""
    return len(re.findall(rf"\b{player}\b", text))


def lists_with_owners(language: str) -> Iterator[tuple[StoryLine, set[tuple[object, str]], set[str]]]:
    """Yield lines with a list whose items name players: line, items with owners, and its subjects."""
    told = narrator(finished_match(GAME, 1), language)
    words, scope = told.words, told.scope
    for line, events in narrated_lines(language):
        for message, same in groupby(events, key=lambda event: event.message):
            alike = list(same)
            slots = {slot for end in (EACH, f"{REPEATED}{EACH}") for slot in words.slots(f"{message}{end}", scope)}
            owners = [slot for slot in sorted(slots) if getattr(alike[0].values.get(slot), "name", "") in NAMES]
            things = slots - {*owners, "n"}
            if len(alike) < 2 or not owners or not things:
                continue
            (owner,) = owners
            parts: set[tuple[object, str]] = {
                (tuple(event.arguments[slot] for slot in sorted(things)), getattr(event.values[owner], "name", ""))
                for event in alike
            }
            subjects: set[str] = (
                {getattr(event.values.get("player"), "name", "") for event in alike} if owner != "player" else set()
            )
            yield line, parts, subjects


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_items_name_their_owners_unless_equal(language: str) -> None:
    lists = mixed = 0
    for line, parts, subjects in lists_with_owners(language):
        owned = Counter(owner for _, owner in parts)
        for player, number in owned.items():
            expected = 1 if len(owned) == 1 else number
            assert mention_count(player, line.text) >= expected + (player in subjects), line.text
        lists, mixed = lists + 1, mixed + (len(owned) > 1)
    assert lists > mixed > 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_conjunction_does_not_join_gains_of_different_players(language: str) -> None:
    several, conjunction = 0, LANGUAGES[language]
    words, scope = narrator(finished_match(GAME, 1), language).words, finished_match(GAME, 1).game.name
    for line, events in narrated_lines(language):
        messages = {event.message for event in events}
        (message,) = messages if len(messages) == 1 else ("",)
        if not words.has(f"{message}{ALSO}", scope):
            continue
        players = [getattr(event.values.get("player"), "name", "") for event in events]
        runs = [len(list(same)) for _, same in groupby(players)]
        if len(runs) < 2 or max(runs) < 2:
            continue
        for match in re.finditer(rf"(\S+) {conjunction} (?:{'|'.join(NAMES)})\b", line.text):
            # Two clauses without a list need no comma to keep them apart.
            clauses = line.text[line.text.rfind(", ", 0, match.start()) + 1 :]
            plain = len(re.findall(f" {conjunction} ", clauses)) == 1
            assert plain or match[1] in NAMES or match[1].endswith(","), line.text
        assert re.search(rf"[^,] {conjunction} ", line.text), line.text
        several += 1
    assert several > 4

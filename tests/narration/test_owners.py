"""Lists say whose each thing is, and a conjunction joins only what one player does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby

import pytest

from tests.narration.test_whole_games import GAMES, NAMES, narrator, played
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.narration.deeds import Telling, tellings
from wongar_dsl.narration.retelling import retold
from wongar_dsl.narration.story import Line
from wongar_dsl.words.words import ALSO, EACH, REPEATED

LANGUAGES = {"en": "and", "de": "und", "it": "ed?", "nl": "en"}
SEEDS = range(1, 6)


@cache
def told(name: str, language: str) -> list[tuple[Line, list[Telling]]]:
    """The lines of random games, each with the events that it tells."""
    found = []
    for seed in SEEDS:
        match = played(name, seed)
        teller = narrator(match, language)
        events = {one.at: one for one in tellings(teller, list(enumerate(match.history())), EVERYTHING)}
        lines = retold(teller, match, EVERYTHING)
        found += [(line, [events[at] for at in line.told]) for line in lines if not line.heading]
    return found


def mentions(player: str, text: str) -> int:
    """How often a text names a player."""
    return len(re.findall(rf"\b{player}\b", text))


def lists_with_owners(name: str, language: str) -> Iterator[tuple[Line, set[tuple[object, str]], set[str]]]:
    """Lines with a list whose parts name players: the parts, each with its owner, and whom the line is about."""
    words, scope = narrator(played(name, 1), language).words, played(name, 1).game.name
    for line, events in told(name, language):
        for message, same in groupby(events, key=lambda one: one.message):
            alike = list(same)
            slots = {slot for end in (EACH, f"{REPEATED}{EACH}") for slot in words.slots(f"{message}{end}", scope)}
            owners = [slot for slot in sorted(slots) if getattr(alike[0].values.get(slot), "name", "") in NAMES]
            things = slots - {*owners, "n"}
            if len(alike) < 2 or not owners or not things:
                continue
            (owner,) = owners
            parts: set[tuple[object, str]] = {
                (tuple(one.arguments[slot] for slot in sorted(things)), getattr(one.values[owner], "name", ""))
                for one in alike
            }
            about: set[str] = (
                {getattr(one.values.get("player"), "name", "") for one in alike} if owner != "player" else set()
            )
            yield line, parts, about


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_of_a_list_names_its_owner_unless_all_have_the_same(language: str) -> None:
    lists = mixed = 0
    for name in GAMES:
        for line, parts, about in lists_with_owners(name, language):
            owned = Counter(owner for _, owner in parts)
            for player, number in owned.items():
                wanted = 1 if len(owned) == 1 else number
                assert mentions(player, line.text) >= wanted + (player in about), line.text
            lists, mixed = lists + 1, mixed + (len(owned) > 1)
    assert lists > mixed > 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_conjunction_joins_what_one_gains_to_what_another_one_gains(language: str) -> None:
    several, conjunction = 0, LANGUAGES[language]
    for name in GAMES:
        words, scope = narrator(played(name, 1), language).words, played(name, 1).game.name
        for line, events in told(name, language):
            messages = {one.message for one in events}
            (message,) = messages if len(messages) == 1 else ("",)
            if not words.has(f"{message}{ALSO}", scope):
                continue
            players = [getattr(one.values.get("player"), "name", "") for one in events]
            runs = [len(list(same)) for _, same in groupby(players)]
            if len(runs) < 2 or max(runs) < 2:
                continue
            for player in players:
                before = re.findall(rf"(\S+) {conjunction} {player}\b", line.text)
                assert all(word in NAMES for word in before), line.text
            assert re.search(rf"[^,] {conjunction} ", line.text), line.text
            several += 1
    assert several > 10

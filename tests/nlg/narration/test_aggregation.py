"""An option with one message and several quiet moves is worded by its message."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from types import SimpleNamespace
from typing import Any, cast

import pytest

from wongar_dsl.engine.events import Event
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.aggregation import Aggregator, NarratedEvent

from .told import game_of, narrator, write_words

RULES = """
enum camp = left_end, middle, right_end
cards picture
    sun
    moon
    star
deck pictures of picture total 3
    1 sun, 1 moon, 1 star
slot shown of each camp holds picture, seen by all
slot lifted holds picture, seen by all
pile stock holds picture, seen by nobody
setup
    fill stock with pictures
    for each here in camp
        move top of stock to shown of here quietly
rule exchange(me: player, here: camp, there: camp)
{exchange}
play
    for each p in player
        p chooses turn
            swap(here: camp, there: camp where there is not here)
{option}
            rest
                nothing
    nobody wins
"""
FIRST = "move shown of here to lifted{}"
SECOND = "move shown of there to shown of here{}"
THIRD = "move lifted to shown of there{}"
QUIET, TOLD = " quietly", " as swapped(player: {who}, here, there)"
PLAIN = [FIRST.format(QUIET), SECOND.format(QUIET), THIRD.format(QUIET)]


def first_option(folder: Path, option: list[str], exchange: list[str]) -> str:
    terms = "games: {small: {left_end: left, middle: middle, right_end: right}}"
    write_words(folder, terms, {"small.swapped": "{player} [swaps|swap] the pictures {here} and {there}."})
    blocks = {"exchange": indent("\n".join(exchange), " " * 4), "option": indent("\n".join(option), " " * 16)}
    game = game_of(folder, RULES.format(**blocks))
    state, _ = game.start(1)
    return narrator(game).option(state, state.legal_moves()[0])


TOLD_BY = {
    "the first": [FIRST.format(TOLD), SECOND.format(QUIET), THIRD.format(QUIET)],
    "the second": [FIRST.format(QUIET), SECOND.format(TOLD), THIRD.format(QUIET)],
    "the third": [FIRST.format(QUIET), SECOND.format(QUIET), THIRD.format(TOLD)],
    "a statement that does nothing else": [*PLAIN, f"tell{TOLD[3:]}"],
}


@pytest.mark.parametrize("where", sorted(TOLD_BY))
@pytest.mark.parametrize("called", [False, True])
def test_option_text_is_independent_of_the_announcing_statement(tmp_path: Path, where: str, called: bool) -> None:
    inner, direct = ([line.format(who=who) for line in TOLD_BY[where]] for who in ("me", "p"))
    text = first_option(tmp_path, ["exchange(p, here, there)"] if called else direct, inner)
    assert text == "Swap the pictures left and middle"


def test_option_with_two_messages_is_worded_by_its_effects(tmp_path: Path) -> None:
    lines = [FIRST.format(QUIET), SECOND.format(TOLD.format(who="p")), THIRD.format(TOLD.format(who="p"))]
    assert not first_option(tmp_path, lines, PLAIN).startswith("Swap the pictures")


class CountingList(list[NarratedEvent]):
    """A list that counts the items that are copied out of it."""

    copied = 0

    def __getitem__(self, index: Any) -> Any:
        result = super().__getitem__(index)
        self.copied += len(result) if isinstance(index, slice) else 0
        return result


def test_time_for_equal_events_grows_with_their_number() -> None:
    words = SimpleNamespace(has=lambda message, scope: False)
    aggregator = Aggregator(cast(Narrator, SimpleNamespace(words=words, scope="g")))
    told = CountingList(NarratedEvent(at, cast(Event, None), "g.x", {}, {}) for at in range(2000))
    assert aggregator.drop_implied(told) == told
    assert told.copied <= len(told)

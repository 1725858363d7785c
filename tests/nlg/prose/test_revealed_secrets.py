"""A message that shows something hidden to all players is told in the rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in, text_of_book

RULES = """
enum suit = cup, coin
cards tarot
    arcane(of: suit)
deck arcana of tarot
    4 arcane(cup), 4 arcane(coin)
pile well holds tarot, seen {common}
hand held of each player holds tarot, seen {seen}
heap gone holds tarot, seen {common}
tokens purse of each player holds suit, seen {owned}
remember plan of each player: suit, seen {owned}

setup
    fill well with arcana
    for each p in player
        move top of well to held of p
        set plan of p to cup
play
    for each p in player
        p chooses act
            ask(c: held of p)
                {moved}
                tell answered(player: p, value: {value})
            pass
                tell passes(player: p)
        tell went_on(player: p, n: size of held of p)
    nobody wins
"""
HIDDEN = ("by owner", "by nobody", "as a number")
KNOWN = {"de": "allen Spielern bekannt", "nl": "bekendgemaakt", "it": "conoscono ora", "en": "known to all players"}
VALUES = (
    "c", "of of c", "top of well", "plan of p", "purse[left of p, cup]", "count of arcane(cup) in held of left of p",
    "(number of q in player where plan of q is coin)", "highest purse[q, coin] for q in player",
)  # fmt: skip


def book(folder: Path, language: str, seen: str, value: str = "c", moved: str = "nothing") -> str:
    # Only the owner of a zone of a player sees it, and only zones have a size.
    common, owned = ("by nobody" if seen == "by owner" else seen), ("by owner" if seen == "as a number" else seen)
    text = RULES.format(seen=seen, common=common, owned=owned, value=value, moved=moved)
    return text_of_book(rules_in(write_rules(folder, text)), language, "play")


@pytest.mark.parametrize("seen", HIDDEN)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_message_with_something_hidden_is_told(language: str, value: str, seen: str, tmp_path: Path) -> None:
    assert KNOWN[language] in book(tmp_path, language, seen, value)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_message_with_nothing_hidden_is_not_told(language: str, value: str, tmp_path: Path) -> None:
    assert KNOWN[language] not in book(tmp_path, language, "by all", value)


@pytest.mark.parametrize("value", ["size of held of p", "p", "3"])
def test_size_of_a_zone_is_only_hidden_if_nobody_sees_it(value: str, tmp_path: Path) -> None:
    texts = {seen: book(tmp_path, "en", seen, value) for seen in HIDDEN}
    assert KNOWN["en"] not in texts["by owner"] + texts["as a number"]


def test_card_that_is_moved_shows_itself_where_it_goes(tmp_path: Path) -> None:
    moved = "move c from held of p to gone"
    assert KNOWN["en"] not in book(tmp_path, "en", "by owner", "c", moved)

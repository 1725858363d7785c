"""Things that are called like their kinds are *of this kind*, not *of* the same noun again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

GAME = """
enum spice = saffron, pepper
tokens purse of each player holds spice, seen by all
tokens market holds spice, seen by all
score points
setup
    fill market with 5 saffron
    fill market with 5 pepper
play
    {statement}
    player(2) wins
"""
STATEMENTS = (
    "for each s in spice\n        move 1 s from market to purse of player(1)",
    "for each s in spice where market[s] > 1\n        move 2 s from market to purse of player(1)",
    "let s = random t in spice weighted by market[t]\n    move 1 s from market to purse of player(1)",
    "player(1) chooses sale\n        buy(s: spice where market[s] > 2)\n"
    "            move 1 s from market to purse of player(1)\n        otherwise\n            nothing",
    "player(1) chooses sale\n        buy(s: spice)\n            move 1 s from market to purse of player(1)",
)
KIND = {"en": "kind", "de": "Sorte", "nl": "soort", "it": "tipo"}
TWICE = {"en": "spice of", "de": "spice von", "nl": "spice van", "it": "spice di"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_no_noun_is_of_itself(statement: str, tmp_path: Path, language: str) -> None:
    rules = rules_in(write_rules(tmp_path, GAME.format(statement=statement)))
    text = " ".join(lines(rules, "play", language))
    assert KIND[language] in text, text
    assert not any(f"{TWICE[language]} {word}spice" in text for word in ("", "this ", "diesem ", "deze ", "questo ")), (
        text
    )


GIVING = """
enum spice = saffron, pepper
tokens purse of each player of each spice holds spice, seen by all
score points
play
    for each p in player
        p chooses packing
            pack(n: 1 to 2) if purse[p, saffron, pepper] >= n
                move n pepper from purse[p, saffron] to purse[p, pepper]
            otherwise
                nothing
    player(2) wins
"""
#: Words for a chosen number of one's own things.
OWN = {"en": "of their own pepper", "de": "eigene pepper", "nl": "eigen pepper", "it": "propri pepper"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chosen_number_of_own_things_has_words(tmp_path: Path, language: str) -> None:
    text = " ".join(lines(rules_in(write_rules(tmp_path, GIVING)), "play", language))
    assert OWN[language] in text, text
    assert "prose." not in text

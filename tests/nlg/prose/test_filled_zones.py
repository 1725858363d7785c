"""New tokens and cards are told with their number and their kind, also if a name stands for the kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

GAME = """
enum fruit = apple, pear
cards card
    ace(fruit: fruit)
    joker
tokens bowl of each player holds fruit, seen by all
tokens tray holds fruit, seen by all
hand grip of each player holds card, seen by owner
remember ripe: fruit = pear
score points
play
    let drawn = random f in fruit
    for each f in fruit
        fill {tokens} with 7 f
    fill {tokens} with 7 drawn
    fill {tokens} with 7 ripe
    for each c in card
        fill grip of player(1) with 7 c
    for each c in grip of player(1)
        fill grip of player(2) with 7 c
    player(1) chooses more
        take(f: fruit)
            fill {tokens} with 7 f
        double(c: grip of player(1))
            fill grip of player(1) with 7 c
    player(2) wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tokens", ["tray", "bowl of player(1)"])
def test_a_number_of_new_things_is_told_for_a_kind_with_a_name(tmp_path: Path, tokens: str, language: str) -> None:
    text = " ".join(lines(rules_in(write_rules(tmp_path, GAME.format(tokens=tokens))), "play", language))
    assert len(re.findall(r"\b7 (?!wins)", text)) == GAME.count(" 7 "), text


CHOSEN = """
enum fruit = apple, pear
tokens tray holds fruit, seen by all
score points
play
    player(1) chooses more
        take(f: fruit, n: 1 to 2)
            fill tray with n f
        rest
            nothing
    player(2) wins
"""
SAID = {
    "en": "receives that many fruit of this kind", "de": "kommen in tray ebenso viele fruit dieser Sorte",
    "nl": "komen in tray evenveel fruit van deze soort", "it": "vanno altrettanti fruit di questo tipo",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_tokens_of_a_chosen_kind_and_number_are_counted(tmp_path: Path, language: str) -> None:
    assert SAID[language] in lines(rules_in(write_rules(tmp_path, CHOSEN)), "play", language)[0]

"""An equation of two cards is about their kinds if there are several cards of a kind, and else about the cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.library import load

from .books import LANGUAGES
from .test_antecedents import lines

GAME = """
cards hero
    knight
    thief
deck heroes of hero
    {copies} knight, 1 thief
pile stock holds hero, seen by all
hand grip of each player holds hero, seen by owner
slot shown holds hero
remember wanted: hero
score points
setup
    fill stock with heroes
play
    {statement}
    player(2) wins
"""
#: Statements about two cards of which one is asked to be the other, or not.
EQUATIONS = (
    "if shown is top of stock\n        player(1) gains 77 points",
    "if shown is not wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1) where h is wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1)\n        for each k in stock where k is h\n"
    "            move k from stock to grip of player(1)",
    "for each h in grip of player(1)\n        for each k in stock where k is not h\n    player(1) gains 7 points",
    "player(1) gains (number of h in stock where (some k in grip of player(1) where k is h)) points",
    "player(1) chooses two\n        pair(a: grip of player(1), b: grip of player(2) where b is not a)\n"
    "            player(1) gains 77 points\n        otherwise\n            nothing",
)
SAME = {
    "en": "of the same kind as", "de": "von derselben Sorte ist wie", "nl": "van dezelfde soort is als",
    "it": "dello stesso tipo d",
}  # fmt: skip


def text_of(folder: Path, copies: int, statement: str, language: str) -> str:
    rules = load(write_rules(folder, GAME.format(copies=copies, statement=statement))).model
    return " ".join(lines(rules, "play", language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", EQUATIONS)
def test_cards_with_copies_are_of_the_same_kind(statement: str, tmp_path: Path, language: str) -> None:
    assert SAME[language] in (text := text_of(tmp_path, 2, statement, language)), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", EQUATIONS)
def test_single_cards_are_the_same_card(statement: str, tmp_path: Path, language: str) -> None:
    assert SAME[language] not in (text := text_of(tmp_path, 1, statement, language)), text

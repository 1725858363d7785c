"""An equation of two cards is about their kinds if there are several cards of a kind, and else about the cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nlg.narration.test_illegal_move_reasons import reasons
from tests.small_games import write_rules
from wongar_dsl.engine.library import load

from .books import LANGUAGES, rules_in
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
#: Statements with a condition that two cards are equal or different.
EQUATIONS = (
    "if shown is top of stock\n        player(1) gains 77 points",
    "if shown is not wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1) where h is wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1)\n        for each k in stock where k is h\n"
    "            move k from stock to grip of player(1)",
    "for each h in grip of player(1)\n        for each k in stock where k is not h\n"
    "            player(1) gains 7 points",
    "player(1) gains (number of h in stock where (some k in grip of player(1) where k is h)) points",
    "player(1) chooses two\n        pair(a: grip of player(1), b: grip of player(2) where b is not a)\n"
    "            player(1) gains 77 points\n        otherwise\n            nothing",
)
SAME = {
    "en": "of the same kind as", "de": "von derselben Sorte ist wie", "nl": "van dezelfde soort is als",
    "it": "dello stesso tipo d",
}  # fmt: skip


def text_of(folder: Path, copies: int, statement: str, language: str) -> str:
    rules = rules_in(write_rules(folder, GAME.format(copies=copies, statement=statement)))
    return " ".join(lines(rules, "play", language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", EQUATIONS)
def test_cards_with_copies_are_of_the_same_kind(statement: str, tmp_path: Path, language: str) -> None:
    assert SAME[language] in (text := text_of(tmp_path, 2, statement, language)), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", EQUATIONS)
def test_single_cards_are_the_same_card(statement: str, tmp_path: Path, language: str) -> None:
    assert SAME[language] not in (text := text_of(tmp_path, 1, statement, language)), text


REFUSED = """
cards card
    ace
    joker
pile out holds card, seen by all
hand grip of each player holds card, seen by all
setup
    fill out with 2 ace
    fill grip of player(1) with 2 ace
    fill grip of player(1) with 1 joker
play
    player(1) chooses pair
        lay(a: grip of player(1), b: out where b is not a)
            move a from grip of player(1) to out
        otherwise
            nothing
    player(2) wins
"""
ANOTHER_KIND = {
    "en": "It has to be another kind of card.", "de": "Es muss eine andere Sorte Karten sein.",
    "nl": "Het moet een andere soort kaart zijn.", "it": "Deve essere un altro tipo di carta.",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_of_the_same_kind_is_refused_for_its_kind(tmp_path: Path, language: str) -> None:
    """Another ace is another card, but is refused too."""
    game = load(write_rules(tmp_path, REFUSED)).game(2)
    state, _ = game.start(1)
    assert reasons(game, state, "lay(ace, ace)", language)[0] == ANOTHER_KIND[language]

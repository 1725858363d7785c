"""Things whose terms are only names are counted and denied as things of their sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.nlg.words import Translator

from .books import LANGUAGES, rules_in, text_of_book

GAME = """
enum sign = aa, bb
cards leaf
    one
    two
deck pad of leaf
    3 one, 3 two
tokens tray of each player holds sign, seen by all
tokens pot holds sign, seen by all
heap shelf holds leaf, seen by all
heap open of each player holds leaf, seen by all
score points
setup
    fill shelf with pad
play
    for each p in player
        if count of one in open of p = 0
            p gains 1 points
        if tray[p, aa] = 0 or tray[p, bb] > 2
            p gains 2 points
        move tray[p, bb] bb from tray of p to pot
        p chooses deed
            ditch(c: open of p where c is not one)
                move c from open of p to shelf
            pass
                nothing
    for each p in player with most count of one in open of p
        p gains 3 points
    for each p in player with fewest tray[p, aa]
        p gains 4 points
    end game
winner p
    most points of p
"""
NAMES = 'aa: A\n    bb: "7"\n    one: "1"\n    two: "2"'
NOUNS = {
    "en": "sign: {sg: sign, pl: signs}\n    leaf: {sg: leaf, pl: leaves}",
    "de": "sign: {gender: n, sg: Zeichen, sg.gen: Zeichens, pl: Zeichen, pl.dat: Zeichen}\n"
    "    leaf: {gender: n, sg: Blatt, sg.gen: Blatts, pl: Blätter, pl.dat: Blättern}",
    "nl": "sign: {gender: het, sg: teken, pl: tekens}\n    leaf: {gender: het, sg: blad, pl: bladen}",
    "it": "sign: {gender: m, sg: segno, pl: segni}\n    leaf: {gender: m, sg: foglio, pl: fogli}",
}
TOLD = {
    "en": [
        "no leaf “1”", "no sign “A”", "more than 2 signs “7”", "As many signs “7” as there are signs “7”",
        "that is not 1", "the most leaves “1”", "the fewest signs “A”",
    ],
    "de": [
        "kein Blatt „1“", "kein Zeichen „A“", "mehr als 2 Zeichen „7“", "So viele Zeichen „7“, wie Zeichen „7“",
        "das nicht 1 ist", "die meisten Blätter „1“", "die wenigsten Zeichen „A“",
    ],
    "nl": [
        "geen blad “1”", "geen teken “A”", "meer dan 2 tekens “7”", "zoveel tekens “7” als er tekens “7”",
        "dat niet 1 is", "de meeste bladen “1”", "de minste tekens “A”",
    ],
    "it": [
        "nessun foglio «1»", "nessun segno «A»", "più di 2 segni «7»",
        "Un numero di segni «7» pari al numero dei segni «7»",
        "che non è 1", "il maggior numero di fogli «1»", "il minor numero di segni «A»",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_mere_names_lose_no_word_that_goes_before_them(tmp_path: Path, language: str) -> None:
    rules = rules_in(write_rules(tmp_path, GAME))
    lexicon = tmp_path / "locales" / language / "lexicon.yaml"
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text(f"games:\n  {rules.name}:\n    {NAMES}\n    {NOUNS[language]}\n", encoding="utf-8")
    text = text_of_book(rules, language, "play", Translator.load(language, [tmp_path / "locales"]))
    assert [words for words in TOLD[language] if words not in text] == []


#: *5 Alpha and 4 two*: a name without a plural, whose sort has no term.
FILLED = """
cards leaf
    alpha
    two
pile shelf holds leaf, seen by all
play
    fill shelf with 5 alpha
    fill shelf with 4 two
    shuffle shelf
    player(1) wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_without_a_plural_is_counted(tmp_path: Path, language: str) -> None:
    rules = rules_in(write_rules(tmp_path, FILLED))
    lexicon = tmp_path / "locales" / language / "lexicon.yaml"
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text(f"games:\n  {rules.name}:\n    alpha: {{proper: yes, sg: Alpha}}\n", encoding="utf-8")
    speech = Translator.load(language, [tmp_path / "locales"])
    assert "5 Alpha" in (text := text_of_book(rules, language, "play", speech)), text
    assert not {"\ue000", "\ue001"} & {*text}, text


#: A counted card without a term, with an adjective and an article.
TOPMOST = """
cards leaf
    alpha
pile shelf holds leaf, seen by all
hand mitt of each player holds leaf
setup
    fill shelf with 9 alpha
play
    for each p in player
        move top of shelf to mitt of p
        move top of shelf to mitt of p
    player(1) wins
"""
AGREES = {
    "en": "The 2 top leaf", "de": "Die 2 obersten leaf", "nl": "De 2 bovenste leaf", "it": "I 2 primi leaf",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_article_and_adjective_agree_with_the_count_of_a_mere_name(tmp_path: Path, language: str) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, TOPMOST)), language, "play")
    assert AGREES[language].casefold() in text.casefold(), text

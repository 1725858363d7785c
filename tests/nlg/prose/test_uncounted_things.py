"""A condition that something is there names no number: *has gold*, not *has one gold*, and *no good* of no kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.nlg.words import Translator

from .books import LANGUAGES, rules_in, text_of_book

GAME = """
enum good = gold, scissors, mask
tokens goods of each player holds good, seen by all
score points
play
    for each p in player
        fill goods of p with 1 gold
        if goods[p, {kind}] {sign}
            p gains 3 points
        if (number of q in player where goods[q, {kind}] {sign}) = 1
            p gains 4 points
        if no g in good where goods[p, g] > 0
            p gains 5 points
        if no g in good where g is not gold and goods[p, g] > 0
            p gains 6 points
    nobody wins
"""
TERMS = {
    "de": """
    good: {gender: f, sg: Ware, pl: Waren, pl.dat: Waren}
    gold: {gender: n, only: sg, sg: Gold, sg.gen: Goldes}
    scissors: {gender: f, only: pl, pl: Leute, pl.dat: Leuten}
    mask: {gender: f, sg: Maske, pl: Masken, pl.dat: Masken}
""",
    "nl": """
    good: {gender: de, sg: waar, pl: waren}
    gold: {gender: het, only: sg, sg: goud}
    scissors: {gender: de, only: pl, pl: lieden}
    mask: {gender: het, sg: masker, pl: maskers}
""",
    "it": """
    good: {gender: f, sg: merce, pl: merci}
    gold: {gender: m, only: sg, sg: oro}
    scissors: {gender: f, only: pl, pl: forbici}
    mask: {gender: f, sg: maschera, pl: maschere}
""",
    "en": """
    good: {sg: good, pl: goods}
    gold: {only: sg, sg: gold}
    scissors: {only: pl, pl: scissors}
    mask: {sg: mask, pl: masks}
""",
}
#: The things in possession, for a noun without a plural, one without a singular, and one with both.
SOME = {
    "de": {"gold": " Gold ", "scissors": " Leute ", "mask": " eine Maske "},
    "nl": {"gold": " goud ", "scissors": " lieden ", "mask": " een masker "},
    "it": {"gold": " oro ", "scissors": " delle forbici ", "mask": " una maschera "},
    "en": {"gold": " gold ", "scissors": " scissors ", "mask": " a mask "},
}
MOVED = {"de": "ein gold", "nl": "één goud", "it": "un oro", "en": "one gold"}
NONE = {
    "de": ("keine Ware ", "keine Ware von irgendeiner "),
    "nl": ("geen waar ", "geen waar van enige "),
    "it": ("nessuna merce ", "nessuna merce di alcuna "),
    "en": ("no good ", "no good of any "),
}


def _told(tmp_path: Path, language: str, kind: str, sign: str) -> str:
    folder = tmp_path / "locales" / language
    folder.mkdir(parents=True)
    (folder / "lexicon.yaml").write_text(f"games:\n  small:{TERMS[language]}", encoding="utf-8")
    rules = rules_in(write_rules(tmp_path, GAME.format(kind=kind, sign=sign)))
    return text_of_book(rules, language, own=Translator.load(language, [tmp_path / "locales"]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["gold", "scissors", "mask"])
@pytest.mark.parametrize("sign", ["> 0", ">= 1"])
def test_there_may_be_more_than_one(tmp_path: Path, language: str, kind: str, sign: str) -> None:
    told = _told(tmp_path, language, kind, sign)
    lines = told.split("\n")
    [moved] = (line for line in lines if MOVED[language] in line.casefold())
    conditions = [line for line in lines if re.search(r"\b[34]\b", line)]
    assert len(conditions) == 2
    for line in conditions:
        assert SOME[language][kind] in line
        assert "1" not in line
        assert MOVED[language] not in line.casefold()
    assert moved not in conditions


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_named_like_what_lies_there_are_not_told_twice(tmp_path: Path, language: str) -> None:
    told = _told(tmp_path, language, "gold", "> 0")
    [nothing] = (line for line in told.split("\n") if "5 " in line)
    [nothing_else] = (line for line in told.split("\n") if "6 " in line)
    plain, of_any = NONE[language]
    assert plain in nothing
    assert of_any not in nothing
    assert nothing.replace("5 ", "6 ") != nothing_else

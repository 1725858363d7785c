"""A denied kind of card or token keeps its negation in every language, with every sort of term."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.nlg.prose.micro.plan_text import text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Translator

from .books import LANGUAGES, rules_in

GAME = """
cards sheet
    {kinds}
pile stock holds sheet, seen by all
hand open of each player holds sheet, seen by all
score points
play
    let p = player(1)
{statements}
    nobody wins
"""
#: Terms of each sort in each language; `unknown` has none.
TERMS = {
    "de": """
    sheet: {gender: n, sg: Blatt, sg.gen: Blatts, pl: Blätter, pl.dat: Blättern}
    label: A
    colour: {proper: yes, gender: n, sg: grün, pl: grün}
    plain: {gender: f, like: fem_n, stem: Maske}
    mass: {gender: n, only: sg, sg: Gold, sg.gen: Goldes}
    plural: {gender: f, only: pl, pl: Leute, pl.dat: Leuten}
""",
    "nl": """
    sheet: {gender: het, sg: blad, pl: bladen}
    label: A
    colour: {proper: yes, gender: het, sg: groen, pl: groen}
    plain: {gender: het, sg: masker, pl: maskers}
    mass: {gender: het, only: sg, sg: goud}
    plural: {gender: de, only: pl, pl: lieden}
""",
    "it": """
    sheet: {gender: m, sg: foglio, pl: fogli}
    label: A
    colour: {proper: yes, gender: m, sg: verde, pl: verdi}
    plain: {gender: f, sg: maschera, pl: maschere}
    mass: {gender: m, only: sg, sg: oro}
    plural: {gender: m, only: pl, pl: pantaloni}
""",
    "en": """
    sheet: {sg: sheet, pl: sheets}
    label: A
    colour: {proper: yes, sg: green, pl: green}
    plain: {sg: mask, pl: masks}
    mass: {only: sg, sg: gold}
    plural: {only: pl, pl: trousers}
""",
}
SORTS = ("label", "colour", "plain", "mass", "plural", "unknown")
DENIED = {
    "de": r"\b(nicht|kein\w*)\b",
    "nl": r"\b(niet|geen)\b",
    "it": r"\b(non|nessun\w*)\b",
    "en": r"\b(not?|none)\b",
}
CONDITIONS = (
    "if top of stock is not {kind}",
    "if not (top of stock is {kind})",
    "if some c in stock where c is not {kind}",
    "if some c in sheet where c is not {kind} and count of c in open of p > 0",
    "if every c in stock has c is not {kind}",
    "if no c in stock where c is {kind}",
    "for each c in open of p where c is not {kind}",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_card_is_not_is_denied(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "locales" / language
    folder.mkdir(parents=True)
    (folder / "lexicon.yaml").write_text(f"games:\n  small:{TERMS[language]}", encoding="utf-8")
    asked = [(condition, kind) for condition in CONDITIONS for kind in SORTS]
    statements = (f"    {condition.format(kind=kind)}\n        p gains 1 points" for condition, kind in asked)
    kinds = "\n    ".join(SORTS)
    rules = rules_in(write_rules(tmp_path, GAME.format(kinds=kinds, statements="\n".join(statements))))
    speech = Translator.load(language, [tmp_path / "locales"])
    [play] = (article for article in rules.code.articles if article.keyword == "play")
    told = [unit.text for unit in text_of(plan_of(rules, play, speech)[0], speech, rules.name)]
    lines = [line for line in told if re.search(r"\d|Punkt|punt|point", line)]
    assert len(lines) == len(asked), told
    silent = [line for line in lines if not re.search(DENIED[language], line)]
    assert silent == []

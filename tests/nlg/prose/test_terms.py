"""Terms of each sort: names, nouns without a plural or a singular, and terms that a language cannot use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.nlg.prose.micro.sentence_plan import text_of
from wongar_dsl.nlg.prose.pipeline import plan_of

from .books import LANGUAGES, assert_told, small, text_of_book, translator

SHEETS = """
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
    "de": """good: {gender: f, sg: Ware, pl: Waren, pl.dat: Waren}
    sheet: {gender: n, sg: Blatt, sg.gen: Blatts, pl: Blätter, pl.dat: Blättern}
    label: A
    colour: {proper: yes, gender: n, sg: grün, pl: grün}
    plain: {gender: f, like: fem_n, stem: Maske}
    mass: {gender: n, only: sg, sg: Gold, sg.gen: Goldes}
    plural: {gender: f, only: pl, pl: Leute, pl.dat: Leuten}""",
    "nl": """good: {gender: de, sg: waar, pl: waren}
    sheet: {gender: het, sg: blad, pl: bladen}
    label: A
    colour: {proper: yes, gender: het, sg: groen, pl: groen}
    plain: {gender: het, sg: masker, pl: maskers}
    mass: {gender: het, only: sg, sg: goud}
    plural: {gender: de, only: pl, pl: lieden}""",
    "it": """good: {gender: f, sg: merce, pl: merci}
    sheet: {gender: m, sg: foglio, pl: fogli}
    label: A
    colour: {proper: yes, gender: m, sg: verde, pl: verdi}
    plain: {gender: f, sg: maschera, pl: maschere}
    mass: {gender: m, only: sg, sg: oro}
    plural: {gender: m, only: pl, pl: pantaloni}""",
    "en": """good: {sg: good, pl: goods}
    sheet: {sg: sheet, pl: sheets}
    label: A
    colour: {proper: yes, sg: green, pl: green}
    plain: {sg: mask, pl: masks}
    mass: {only: sg, sg: gold}
    plural: {only: pl, pl: trousers}""",
}
SORTS = ("label", "colour", "plain", "mass", "plural", "unknown")
DENIED = {
    "de": r"\b(nicht|kein\w*)\b", "nl": r"\b(niet|geen)\b", "it": r"\b(non|nessun\w*)\b", "en": r"\b(not?|none)\b",
}  # fmt: skip
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
    asked = [condition.format(kind=kind) for condition in CONDITIONS for kind in SORTS]
    statements = "\n".join(f"    {condition}\n        p gains 1 points" for condition in asked)
    rules = small(SHEETS.format(kinds="\n    ".join(SORTS), statements=statements))
    speech = translator(tmp_path, language, TERMS[language])
    [play] = (article for article in rules.code.articles if article.keyword == "play")
    told = [unit.text for unit in text_of(plan_of(rules, play, speech)[0], speech, rules.name)]
    lines = [line for line in told if re.search(r"\d|Punkt|punt|point", line)]
    assert len(lines) == len(asked), told
    assert [line for line in lines if not re.search(DENIED[language], line)] == []


LEAVES = """
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
NAMES = 'aa: A\n    bb: "7"\n    one: "1"\n    two: "2"\n    '
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
    text = text_of_book(small(LEAVES), language, "play", translator(tmp_path, language, NAMES + NOUNS[language]))
    assert [words for words in TOLD[language] if words not in text] == []


#: *5 Alpha and 4 two*: a name without a plural, whose sort has no term; then without any term.
FILLED = """
cards leaf
    alpha
    two
pile shelf holds leaf, seen by all
hand mitt of each player holds leaf
play
    fill shelf with 5 alpha
    fill shelf with 4 two
    for each p in player
        move top of shelf to mitt of p
        move top of shelf to mitt of p
    player(1) wins
"""
AGREES = {"en": "The 2 top leaf", "de": "Die 2 obersten leaf", "nl": "De 2 bovenste leaf", "it": "I 2 primi leaf"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_without_a_plural_is_counted(tmp_path: Path, language: str) -> None:
    speech = translator(tmp_path, language, "alpha: {proper: yes, sg: Alpha}")
    assert "5 Alpha" in (text := text_of_book(small(FILLED), language, "play", speech)), text
    assert not {"\ue000", "\ue001"} & {*text}, text


def test_article_and_adjective_agree_with_the_count_of_a_mere_name() -> None:
    assert_told(small(FILLED), "play", {language: f"(?i){words}" for language, words in AGREES.items()})


GOODS = """
enum good = mass, plural, plain
tokens goods of each player holds good, seen by all
score points
play
    for each p in player
        fill goods of p with 1 mass
        if goods[p, {kind}] {sign}
            p gains 3 points
        if (number of q in player where goods[q, {kind}] {sign}) = 1
            p gains 4 points
        if no g in good where goods[p, g] > 0
            p gains 5 points
        if no g in good where g is not mass and goods[p, g] > 0
            p gains 6 points
    nobody wins
"""
#: The things in possession, for a noun without a plural, one without a singular, and one with both.
SOME = {
    "de": {"mass": " Gold ", "plural": " Leute ", "plain": " eine Maske "},
    "nl": {"mass": " goud ", "plural": " lieden ", "plain": " een masker "},
    "it": {"mass": " oro ", "plural": " dei pantaloni ", "plain": " una maschera "},
    "en": {"mass": " gold ", "plural": " trousers ", "plain": " a mask "},
}
MOVED = {"de": "ein gold", "nl": "één goud", "it": "un oro", "en": "one gold"}
NONE = {
    "de": ("keine Ware ", "keine Ware von irgendeiner "),
    "nl": ("geen waar ", "geen waar van enige "),
    "it": ("nessuna merce ", "nessuna merce di alcuna "),
    "en": ("no good ", "no good of any "),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "sign"), [("mass", "> 0"), ("plural", ">= 1"), ("plain", "> 0")])
def test_a_condition_that_something_is_there_names_no_number(
    tmp_path: Path, language: str, kind: str, sign: str
) -> None:
    rules, speech = small(GOODS.format(kind=kind, sign=sign)), translator(tmp_path, language, TERMS[language])
    lines = text_of_book(rules, language, own=speech).split("\n")
    [moved] = (line for line in lines if MOVED[language] in line.casefold())
    conditions = [line for line in lines if re.search(r"\b[34]\b", line)]
    assert len(conditions) == 2
    for line in conditions:
        assert SOME[language][kind] in line
        assert "1" not in line
        assert MOVED[language] not in line.casefold()
    assert moved not in conditions
    # Values named like what lies there are not told twice.
    [nothing], [nothing_else] = ([line for line in lines if number in line] for number in ("5 ", "6 "))
    plain, of_any = NONE[language]
    assert plain in nothing
    assert of_any not in nothing
    assert nothing.replace("5 ", "6 ") != nothing_else


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("fault", ["place: nowhere", "gender: neither", "only: all"])
def test_an_unusable_term_is_told_in_english(tmp_path: Path, language: str, fault: str) -> None:
    translator(tmp_path, "en", "mitt: {sg: hand, pl: hands}")
    speech = translator(tmp_path, language, f"mitt: {{{fault}, sg: xxx, pl: xxxs}}")
    told = text_of_book(small(FILLED), language, own=speech)
    assert "go into the hand" in told
    assert "prose." not in told

"""Directions, rows and columns are told by name; rulebooks say which number is which direction where rules use them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.words import Translator

from .books import LANGUAGES, model, rules_in, text_of_book

GAME = """
board square
    grid 5 by 5
remember owner of each square: player
remember wind: number 0 to 7 = 0
remember best: number = 0
option gust = 2 in 0 to 7
define across(way: number) = (way + 4) mod 8
score points
play
    repeat 3 times
        for each p in player
            p chooses turn
                go(here: square where owner of here is nobody, way: direction of square)
                    {}
                otherwise
                    impossible
            if best > 3
                p gains 1 points
    nobody wins
"""
#: Statements that only use directions as directions.
NAMED = (
    "set owner of step(here, way) to p",
    "set owner of step(here, way, 2) to p",
    "set owner of step(here, north) to p",
    "set owner of step(here, 2) to p",
    "set owner of step(here, (way + 4) mod 8) to p",
    "let back = (way + 4) mod 8\n                    set owner of step(here, back) to p",
    "for each s in square along way from here\n                        set owner of s to p",
    "for each w in direction of square where w is not way\n                        set owner of step(here, w) to p",
    "if way = 2\n                        set owner of here to p",
    "let w = first v in direction of square where v is not north\n                    set owner of step(here, w) to p",
)
#: Statements that need the number of a direction.
NUMBERED = (
    "set owner of step(here, wind) to p",
    "set owner of step(here, gust) to p",
    "set owner of step(here, across(way)) to p",
    "set owner of step(here, way + 1) to p",
    "for each s in square along wind from here\n                        set owner of s to p",
    "if way < 4\n                        set owner of here to p",
    "set best to way",
    "p gains way points",
    "for each w in direction of square where w mod 2 = 0\n                        set owner of step(here, w) to p",
)
#: The beginning of the line with the numbers of all directions.
NUMBERS = {
    "en": "directions are numbered clockwise: north (0), northeast (1),",
    "de": "Richtungen sind im Uhrzeigersinn nummeriert: Norden (0), Nordosten (1),",
    "nl": "richtingen zijn met de klok mee genummerd: noorden (0), noordoosten (1),",
    "it": "direzioni sono numerate in senso orario: nord (0), nord-est (1),",
}
#: A number called a direction's, the phrase for a direction by its number, and a direction taken for a number.
WORDS = {
    "en": ("the number of (?:this|the) direction", "in the direction whose number is", "this number|in direction wind"),
    "de": ("die Nummer der Richtung|Nummer dieser Richtung", "in der Richtung, deren Nummer", "diese[rn]? Zahl"),
    "nl": ("nummer van de(?:ze)? richting", "de richting waarvan het nummer", "dit getal"),
    "it": ("il numero (?:della|di questa) direzione", "nella direzione il cui numero è", "questo numero"),
}


def _texts(folder: Path, statement: str) -> dict[str, str]:
    """Return the rulebook of the game with a statement, by language."""
    rules = rules_in(write_rules(folder, GAME.format(statement)))
    return {language: text_of_book(rules, language) for language in LANGUAGES}


@pytest.mark.parametrize("statement", NAMED)
def test_a_direction_is_told_by_its_name(statement: str, tmp_path: Path) -> None:
    for language, text in _texts(tmp_path, statement).items():
        assert NUMBERS[language] not in text
        assert re.findall("|".join(WORDS[language]), text) == []


@pytest.mark.parametrize("statement", NUMBERED)
def test_the_numbers_of_directions_are_listed_where_rules_use_them(statement: str, tmp_path: Path) -> None:
    for language, text in _texts(tmp_path, statement).items():
        assert NUMBERS[language] in text
        assert re.findall(WORDS[language][2], text) == []


def test_a_number_is_called_that_of_a_direction(tmp_path: Path) -> None:
    stored, used = (_texts(tmp_path, f"set {deed}") for deed in ("best to way", "owner of step(here, wind) to p"))
    for language, (of_way, by_number, _) in WORDS.items():
        assert len(re.findall(of_way, stored[language])) == 1
        assert by_number in used[language]


def test_directions_in_order_are_clockwise(tmp_path: Path) -> None:
    statement = "for each w in direction of square\n                        set owner of step(here, w) to owner of here"
    starts = {"en": "starting with north)", "de": "mit Norden)", "nl": "met het noorden)", "it": "a partire da nord)"}
    ordered = f"{statement}\n                        set owner of here to left of p"
    for language, text in _texts(tmp_path, ordered).items():
        assert starts[language] in text


def test_a_table_with_the_number_of_each_direction_suffices() -> None:
    """Tongiaki has such a table, and its own words for directions."""
    text = text_of_book(model("tongiaki"), "en", "board")
    assert "direction" in text
    assert "numbered" not in text


@pytest.mark.parametrize("side", ["row", "column"])
def test_only_a_written_number_follows_the_noun_of_a_row(side: str, tmp_path: Path) -> None:
    deed = "set owner of here to p"
    named, written = (
        _texts(tmp_path, f"if {side} of here = {number}\n                        {deed}") for number in ("best", "3")
    )
    rows = {"row": ("row", "Reihe", "rij", "riga"), "column": ("column", "Spalte", "kolom", "colonna")}
    for language, noun in zip(("en", "de", "nl", "it"), rows[side], strict=True):
        assert f"{noun} 3" in written[language]
        assert f"{noun} best" not in named[language]
        assert f"{noun} " in named[language]


ADVERBS = {
    "de": ("Richtung", "oben"), "nl": ("richting", "boven"), "it": ("direzione", "su"), "en": ("direction", "up"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_direction_whose_term_may_be_an_adverb_stands_behind_its_noun(language: str, tmp_path: Path) -> None:
    noun, adverb = ADVERBS[language]
    changed = "set owner of step(here, north) to p\n                    set owner of step(here, north, 2) to p"
    rules = load(write_rules(tmp_path, GAME.format(changed))).model
    lexicon = tmp_path / "locales" / language / "lexicon.yaml"
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text(f"games:\n  {rules.name}:\n    north: {adverb}\n", encoding="utf-8")
    text = text_of_book(rules, language, "play", Translator.load(language, [tmp_path / "locales"]))
    told = re.findall(rf"\w+ .?{adverb}\b", text)
    assert len(told) == 2, text
    assert all(place.startswith(f"{noun} ") for place in told), told

"""A stored place that players mark with a thing is worded as the place, never as the thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

VARIANT = """variant marked of ubongo
    source house rule
remember lucky of each field: yes or no = no
remember charm of each field: number = 0
remember last: field
rule bless(here: field)
    set charm of here to 77
before rule take_gems
    {statement}
after rule take_gems
    if lucky of field_1 and charm of field_1 > 5 and last is field_1
        p wins
"""
#: Statements for each kind of use of the space of a pawn.
USES = (
    "set lucky of standing of p to yes",
    "set charm of standing of p to 77",
    "set charm of standing of p to charm of standing of p + 77",
    "if charm of standing of p > 77\n        p wins",
    "if lucky of standing of p\n        p wins",
    "if place_of[standing of p] > 77\n        p wins",
    "if position of standing of p > 77\n        p wins",
    "if last is standing of p\n        p wins",
    "if last is not standing of p\n        p wins",
    "if standing of left of p is standing of p\n        p wins",
    "if (some q in player where q is not p and standing of q is standing of p)\n        p wins",
    "if distance(standing of p, field_1) > 77\n        p wins",
    "set last to standing of p",
    "set standing of left of p to standing of p",
    "let here = standing of p\n    set charm of here to charm of here + 77",
    "bless(standing of p)",
    "for each here in field where here is not standing of p\n        set charm of here to 77",
)
PAWN = {"en": "pawn", "de": "Spielfigur", "nl": "pion", "it": "pedina"}
#: The words before the pawn, if its space is meant.
SPACE = {"en": r"space of (the|their) ", "de": r"Feld(s)? (der|seiner) ", "nl": r"veld van (de|zijn) "}
SPACE["it"] = r"casella della (sua )?"
#: The words before the pawn in the game's own clause for standing on a space.
STANDS = {"en": r"has the ", "de": r"mit der ", "nl": r"met de ", "it": r"ha la "}


def first_line(place: Path, statement: str, language: str) -> str:
    path = place / "marked.rules"
    path.write_text(VARIANT.format(statement=statement), encoding="utf-8")
    return lines(rules_in(path), "take_gems", language)[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", USES)
def test_the_value_is_worded_as_the_space_of_the_marker(tmp_path: Path, statement: str, language: str) -> None:
    text = first_line(tmp_path, statement, language)
    of_space = re.findall(rf"{SPACE[language]}{PAWN[language]}", text)
    standing = re.findall(rf"{STANDS[language]}{PAWN[language]}", text)
    assert of_space
    assert text.count(PAWN[language]) == len(of_space) + len(standing), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", ["if line of standing of p is empty", "if size of line of standing of p > 7"])
def test_the_marker_says_where_things_lie(tmp_path: Path, statement: str, language: str) -> None:
    text = first_line(tmp_path, f"{statement}\n        p wins", language)
    assert PAWN[language] in text
    assert re.search(SPACE[language], text) is None, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "statement", ["if standing of p is nobody\n        p wins", "set standing of left of p to nobody"]
)
def test_a_marker_without_a_place_is_nowhere(tmp_path: Path, statement: str, language: str) -> None:
    text = first_line(tmp_path, statement, language)
    board = {"en": "on the board", "de": "auf dem Spielplan", "nl": "op het bord", "it": "sul tabellone"}
    assert board[language] in text
    assert re.search(SPACE[language], text) is None, text

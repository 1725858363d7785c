"""Nested amounts name the things that each amount is computed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

GAME = """
enum colour = red, blue
enum plot = east, west
cards sheet
    one
    two
table worth
    one 1
    two 2
hand open of each player holds sheet, seen by all
tokens chips of each plot of each player holds colour, seen by all
remember owner of each plot: player
score points
play
    if ({number}) > 4
        player(1) gains 77 points
    player(2) wins
"""
#: Numbers whose outer element is named `x`, and whose inner one is `y`.
NESTED = (
    "highest (number of y in colour where chips[x, player(1), y] > 1) for x in plot",
    "highest (number of y in colour where chips[x, player(1), y] > 1) for x in plot where owner of x is player(1)",
    "lowest (number of y in plot where chips[y, x, red] > 1) for x in player",
    "sum of (number of y in plot where chips[y, x, red] > 1) for x in player where points of x > 2",
    "sum of (highest chips[y, x, red] for y in plot) for x in player",
    "highest (sum of chips[y, x, red] for y in plot) for x in player",
    "highest (lowest worth of y for y in open of x) for x in player",
    "sum of (1 + (highest worth of y for y in open of x)) for x in player",
    "sum of (sum of worth of y for y in open of x) for x in player",
)
#: Numbers of one thing only, or of things that need no name.
SIMPLE = (
    "highest chips[x, player(1), red] for x in plot",
    "sum of worth of x for x in open of player(1)",
    "number of x in plot where chips[x, player(1), red] > 1",
    "number of x in plot where (some y in player where chips[x, y, red] > 1)",
)


def condition(folder: Path, number: str, language: str) -> str:
    return lines(rules_in(write_rules(folder, GAME.format(number=number))), "play", language)[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", NESTED)
def test_the_outer_thing_is_introduced_by_a_name_that_the_inner_number_mentions(
    number: str, tmp_path: Path, language: str
) -> None:
    text = condition(tmp_path, number, language)
    assert len(re.findall(r"[„“«]x[“”»]", text)) >= 2, text
    assert text.index("(") < re.search(r"[„“«]x[“”»]", text).start(), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", SIMPLE)
def test_a_simple_number_needs_no_name(number: str, tmp_path: Path, language: str) -> None:
    assert re.search(r"[„“«]x[“”»]", condition(tmp_path, number, language)) is None


EACH_OTHER = {
    "de": "aller anderen|jedes anderen",
    "nl": "alle andere|elke andere",
    "it": "tutti gli altri|ogni altro",
    "en": "all other|every other",
}
KEPT = """
enum colour = red, blue
enum plot = east, west
tokens chips of each plot of each player holds colour, seen by all
score points
define even(here: plot) =
    no p in player where chips[here, p, red] > (sum of chips[here, q, red] for q in player where q is not p)
play
    for each p in player
        let {name} = number of here in plot where {condition}
        if {name} > 1
            p gains {name} points
    player(2) wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "condition",
    [
        "even(here)",
        "even(here) and chips[here, p, blue] > 0",
        "chips[here, p, red] > (sum of chips[here, q, red] for q in player where q is not p)",
        "chips[here, p, red] > (highest chips[here, q, red] for q in player where q is not p)",
    ],
)
def test_a_number_told_twice_is_of_the_same_things(tmp_path: Path, condition: str, language: str) -> None:
    """The sum over all others is not one of *the* other player when the kept number is told again."""
    rules = rules_in(write_rules(tmp_path, KEPT.format(name="evens", condition=condition)))
    text = " ".join(lines(rules, "play", language))
    assert len(re.findall(EACH_OTHER[language], text)) == 2, text

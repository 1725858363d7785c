"""A stored value is distinguished from its expression once the expression may have changed."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from .books import LANGUAGES, rules_in, text_of_book

GAME = """game kept
    players 2 to 3

board corner
    row here there
    here touches there
    there touches here
figure pawn on corner
figure crown held by player
cards leaf
    red
    green
deck leaves of leaf total 4
    2 red, 2 green
enum ore = nugget
pile stock holds leaf, seen by nobody
heap gone holds leaf, seen by all
tokens vein holds ore, seen by all
tokens sack of each player holds ore, seen by all
enum part = low, high
track trail
    low 4 spaces
    high 4 spaces
remember luck of each player: number 0 to 20
remember bold of each player: yes or no
remember king: player
remember seat of each player: corner
score points

setup
    fill vein with 20 nugget
    fill stock with leaves
    shuffle stock quietly

play
    repeat 2 times
        for each p in player
{body}
    end game

define wealth(p: player) = luck of p + sack[p, nugget]

rule work(p: player)
    {change}

rule compare(p: player, before: {type})
    {change}
    if {value} = before
        p gains 2 points

winner p
    most points of p
"""
#: Expression to store, its type, and a statement that changes it.
KEPT = {
    "luck of p": ("number", "set luck of p to luck of p + 1"),
    "wealth(p)": ("number", "set luck of p to luck of p + 1"),
    "sack[p, nugget]": ("number", "move 1 nugget from vein to sack of p quietly"),
    "size of stock": ("number", "move top of stock to gone quietly"),
    "space of trail": ("number", "advance trail by 1 quietly"),
    "number of q in player where luck of q > 0": ("number", "set luck of p to luck of p + 1"),
    "king": ("player", "set king to left of p"),
    "holder of crown": ("player", "p takes crown quietly"),
    "place of pawn": ("corner", "move pawn to there quietly"),
    "seat of p": ("corner", "set seat of p to there"),
}
#: Place of the change.
CHANGED = {
    "at once": "{change}",
    "on a condition": "if luck of p > 1\n    {change}",
    "in a loop": "repeat 2 times\n    {change}",
    "in a rule": "work(p)",
    "by a choice": "p chooses\n    dig\n        {change}\n    rest\n        nothing",
}
QUOTED = {"en": "“before”", "de": "„before“", "nl": "“before”", "it": "«before»"}
#: *If X is more than Y,*
COMPARED = re.compile(r"[Ii]f ([^.]+) (?:is|are) (?:not |more than |less than |at least |at most )?(.+?),")


def book_text(place: Path, value: str, body: str, language: str = "en") -> str:
    kind, change = KEPT[value]
    lines = "\n".join(" " * 12 + line for line in body.format(change=change, value=value).splitlines())
    path = place / "kept.rules"
    path.write_text(GAME.format(body=lines, change=change, type=kind, value=value))
    return text_of_book(rules_in(path), language)


def body_with_change(how: str) -> str:
    return f"let before = {{value}}\n{CHANGED[how]}\nif {{value}} = before\n    p gains 2 points"


@pytest.mark.parametrize(("value", "how"), list(product(KEPT, CHANGED)))
def test_changed_expression_does_not_replace_the_stored_value(tmp_path: Path, value: str, how: str) -> None:
    books = {language: book_text(tmp_path, value, body_with_change(how), language) for language in LANGUAGES}
    assert {language: text.count(QUOTED[language]) for language, text in books.items()} == dict.fromkeys(LANGUAGES, 2)
    # No value is compared with itself.
    pairs = COMPARED.findall(" ".join(books["en"].split()))
    assert any("before" in left + right for left, right in pairs)
    assert not [pair for pair in pairs if pair[0] == pair[1]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", KEPT)
def test_argument_is_stored_if_the_rule_changes_it(tmp_path: Path, value: str, language: str) -> None:
    document = book_text(tmp_path, value, "compare(p, {value})", language)
    assert document.count(QUOTED[language]) == 2


@pytest.mark.parametrize("value", KEPT)
@pytest.mark.parametrize(
    "body",
    [
        # The change comes after the use,
        "let before = {value}\nif {value} = before\n    p gains 2 points\n{change}",
        # or only on a path without the use,
        "let before = {value}\nif luck of p > 3\n    {change}\notherwise if {value} = before\n    p gains 2 points",
        # or the game ends after the change.
        "let before = {value}\nif luck of p > 3\n    {change}\n    end game\nif {value} = before\n    p gains 2 points",
    ],
)
def test_unchanged_value_is_written_out(tmp_path: Path, value: str, body: str) -> None:
    assert "before" not in book_text(tmp_path, value, body)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "value",
    ["king", "holder of crown", "left of king", "first q in player with most luck of q"],
)
def test_stored_player_is_distinguished_after_a_change(tmp_path: Path, value: str, language: str) -> None:
    change = "set king to left of p\nset luck of p to 3\nleft of p takes crown quietly"
    body = f"let before = {value}\nbefore gains 3 points\n{change}\nbefore gains 2 points"
    assert book_text(tmp_path, "luck of p", body, language).count(QUOTED[language]) == 3


def test_value_used_only_in_a_message_is_omitted(tmp_path: Path) -> None:
    document = book_text(tmp_path, "luck of p", "let before = {value}\n{change}\ntell grown(player: p, n: before)")
    assert "before" not in document


def test_boolean_values_are_stored(tmp_path: Path) -> None:
    body = "let before = bold of p\nset bold of p to yes\nif before\n    p gains 2 points"
    document = book_text(tmp_path, "luck of p", body)
    assert "What counts is this moment: “before” is “yes” if" in " ".join(document.split())

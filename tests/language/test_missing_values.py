"""Missing values: reads of `nobody`, beyond the edge or outside of a table give nothing; changes stop the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import start_fault_code, told_values

GAME = """
board square
    grid 3 by 3
cards card
    plain
deck pack of card
    2 plain
remember owner of each square: player
remember height of each square: number = 7
remember marked of each square: yes or no = yes
remember found: number
pile stack holds card, seen by all
pile own of each player holds card, seen by all
score points
table worth
    1 5
    2 6
rule keep(n: number)
    set found to n
rule above(here: square) gives player
    give owner of step(here, north)
rule last_owner(n: number) gives player
    if n = 1
        give player(2)
    if n = 2
        end rule
play
    fill stack with pack
    let off = step(b3, north)
    let other = owner of a1
    {}
    player(1) chooses
        go_on
            nothing
    nobody wins
winner p
    most points of p
"""


VALUES = {
    "height of off": 0,
    "height of step(a1, west)": 0,
    "(1 if marked of off otherwise 2)": 2,
    "(1 if owner of off is nobody otherwise 2)": 1,
    "(1 if above(a3) is nobody otherwise 2)": 1,
    "position of last_owner(1)": 2,
    "position of last_owner(2)": 0,
    "position of last_owner(3)": 0,
    "points of other": 0,
    "size of own of other": 0,
    "position of off": 0,
    "position of left of other": 0,
    "row of off + column of off": 0,
    "number of s in square touching off": 0,
    "(1 if player(players + 1) is nobody otherwise 2)": 1,
    "(1 if step(off, south) is none otherwise 2)": 1,
    "count of top of own of player(1) in stack": 0,
    "worth[2]": 6,
    "height of a1": 7,
}


def test_reads_of_missing_values_give_nothing(tmp_path: Path) -> None:
    assert dict(zip(VALUES, told_values(tmp_path, GAME, VALUES), strict=True)) == VALUES


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("set owner of off to player(1)", "R0610"),
        ("set height of step(c1, east) to 1", "R0610"),
        ("other gains 1 points", "R0610"),
        ("move top of stack to own of other", "R0610"),
        ("keep(worth[found])", "R0603"),
        ("keep(worth[found + 3])", "R0603"),
        ("keep(5 div found)", "R0608"),
    ],
)
def test_changes_of_missing_values_stop_the_rules(tmp_path: Path, line: str, code: str, backend: str) -> None:
    assert start_fault_code(tmp_path, GAME.format(line), backend) == code

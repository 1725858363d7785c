"""Code that is never reached because an earlier condition excludes it, in the same or in other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import codes_except

GAME = """
enum colour = red, blue
tokens box holds colour, seen by all
remember a: number 0 to 9 = 3
remember b: number 0 to 9 = 4
remember last: yes or no = no
remember chief: player
score points
play
    fill box with 2 red
    set a to b - 1
    if {first}
        end game
    {between}
    {second}
        player(1) gains 1 points
    {third}
winner p
    most points of p
"""


def codes(folder: Path, first: str, second: str, between: str = "nothing", third: str = "nothing") -> list[str]:
    text = GAME.format(first=first, second=second, between=between, third=third)
    return codes_except(folder, text, "R0204", "R0427", "R0422")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a <= b", "not (a > b)"),
        ("a <= b", "b >= a"),
        ("a < 4", "a <= 3"),
        ("a < 4", "not a > 3"),
        ("a > 3", "4 <= a"),
        ("a = b", "b = a"),
        ("not a = b", "a != b"),
        ("last", "not (not last)"),
        ("a = 1 or last", "last"),
        ("a = 1 or last", "last and b = 2"),
        ("not (a = 1 and last)", "not last or a != 1"),
        ("box is empty", "size of box = 0"),
        ("size of box > 0", "box is not empty"),
        ("(no c in colour where box[c] > a)", "not (some c in colour where a < box[c])"),
        ("chief is nobody", "nobody = chief"),
    ],
)
def test_a_condition_is_recognised_in_other_words(tmp_path: Path, first: str, second: str) -> None:
    assert codes(tmp_path, first, f"if {second}") == ["R0410"]
    assert codes(tmp_path, second.split(" and ")[0], f"if {first.rpartition(' or ')[2]}") == ["R0410"]
    assert codes(tmp_path, first, f"if {second}", "set a to 1\n    set last to yes\n    fill box with 1 red\n"
                 "    set chief to player(1)") == []  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second"),
    [("a <= b", "a < b + 1"), ("a < b", "a > b"), ("a = 1 and last", "last"), ("last", "last or a = 1"),
     ("a = b", "a = 4"), ("(some c in colour where box[c] > 0)", "(no c in colour where box[c] > 0)")],
)  # fmt: skip
def test_another_condition_is_not_reported(tmp_path: Path, first: str, second: str) -> None:
    assert codes(tmp_path, first, f"if {second}") == []


def test_a_branch_after_one_that_always_runs_is_reported(tmp_path: Path) -> None:
    branch = "otherwise\n        player(2) gains 1 points"
    assert codes(tmp_path, "a > b", "if a <= b", third=branch) == ["R0410"]
    assert codes(tmp_path, "a > b", "if a < b", third=branch) == []
    assert codes(tmp_path, "last", "if a < b", third=branch.replace("otherwise", "otherwise if b > a")) == ["R0410"]
    chance = "(random c in colour) is red"
    again = codes(tmp_path, "last", f"if {chance}", third=branch.replace("otherwise", f"otherwise if {chance}"))
    assert "R0410" not in again

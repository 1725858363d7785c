"""A loop's condition may look at what its body changes through a definition or through a rule alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.library import inspect

LOOP = """
game loop
    players 2
    source house rule
enum colour = red, blue
cards tile
    piece(of: colour)
deck box of tile
    5 piece(red), 5 piece(blue)
pile stack holds tile, seen by all
slot shown holds tile, seen by all
pile old holds tile, seen by all
score points
setup
    fill stack with box
    shuffle stack
{}
play
    move top of stack to shown
    repeat until shown_red()
        move shown to old
        move top of stack to shown
    end game
winner p
    most points of p
"""
RULE = "rule shown_red() gives yes or no\n    give shown is piece(red)"
DEFINE = "define shown_red() = shown is piece(red)"


@pytest.mark.parametrize("condition", [RULE, DEFINE], ids=["rule", "define"])
def test_a_loop_over_a_rule_that_looks_at_what_changes_is_in_order(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "loop.rules"
    path.write_text(LOOP.format(condition), encoding="utf-8")
    _, found = inspect(path)
    assert [d.code for d in found if d.code == "R0407"] == []


def test_a_loop_over_a_rule_that_looks_at_nothing_that_changes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "loop.rules"
    path.write_text(
        LOOP.format(RULE.replace("shown is", "top of old is")).replace(
            "        move shown to old\n        move top of stack to shown\n", "        shuffle stack\n"
        ),
        encoding="utf-8",
    )
    _, found = inspect(path)
    assert "R0407" in [d.code for d in found]

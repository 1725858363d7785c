"""Loop conditions that read state changed by the body through a definition or a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostic_codes

LOOP = """
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
def test_loop_condition_that_reads_changed_state_is_valid(tmp_path: Path, condition: str) -> None:
    assert "R0407" not in diagnostic_codes(tmp_path, LOOP.format(condition))


def test_loop_condition_that_reads_unchanged_state_is_refused(tmp_path: Path) -> None:
    changes = "        move shown to old\n        move top of stack to shown\n"
    text = LOOP.format(RULE.replace("shown is", "top of old is")).replace(changes, "        shuffle stack\n")
    assert "R0407" in diagnostic_codes(tmp_path, text)

"""What a game takes in memory is counted as it is laid out."""

from __future__ import annotations

from pathlib import Path

from tests.small_games import codes
from wongar_dsl.checker.limits import MAX_STATE

LAYOUT = """
enum mark = {names}
board field
    grid 40 by 40
cards tile
    piece(of: mark, by: mark, to: mark)
deck box of tile
    1 piece(n1, n1, n1)
layout map of each player holds tile on field, seen by all
score points
setup
    player(1) gains 0 points
play
    end game
winner p
    most points of p
"""


def test_a_layout_counts_the_area_and_the_turn_of_each_card(tmp_path: Path) -> None:
    many = next(n for n in range(10, 90) if 2 * (1 + n**3) < MAX_STATE < 2 * (1 + 2 * n**3))
    names = ", ".join(f"n{i}" for i in range(1, many + 1))
    assert codes(tmp_path, LAYOUT.format(names=names)).count("R0414") == 1

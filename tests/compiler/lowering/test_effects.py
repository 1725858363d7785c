"""Token moves: a count above the stock or below 0 is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import start_fault_code

GAME = """
enum piece = chip
remember debt: number = -2
tokens purse of each player holds piece, seen by all
setup
    for each p in player
        fill purse of p with 5 chip
play
    move {} chip from purse of player(1) to purse of player(2)
    nobody wins
"""


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize("count", ["6", "debt", "debt - 4"])
def test_invalid_token_count_is_a_fault(tmp_path: Path, count: str, backend: str) -> None:
    assert start_fault_code(tmp_path, GAME.format(count), backend) == "R0602"

"""Moving tokens: no more than there are, and no fewer than none."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import PlayFault
from wongar_dsl.library import load

GAME = """
game moving
    players 2
    source house rule
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
@pytest.mark.parametrize("count", ["6", "-2", "debt", "2 - 4"])
def test_tokens_are_not_moved_the_other_way_round(tmp_path: Path, count: str, backend: str) -> None:
    path = tmp_path / "moving.rules"
    path.write_text(GAME.format(count), encoding="utf-8")
    with pytest.raises(PlayFault) as caught:
        load(path).game(2, backend=backend).start(1)
    assert caught.value.diagnostic.code == "R0602"

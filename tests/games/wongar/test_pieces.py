"""Conservation of components: all pieces are present at every decision of many games.

Thousands of games: `python -m benchmarks.soak --only pieces`.
"""

from __future__ import annotations

import pytest

from tests.games.wongar.pieces import conservation_check
from tests.properties.play import game, play
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, State

GAMES = 20


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("name", ["wongar", "wongar/initiated"])
def test_no_piece_is_lost(name: str, seats: int) -> None:
    played = game(name, seats)
    count = conservation_check(played)

    def check(cells: State, _: list[Option]) -> None:
        count(cells)

    for seed in range(GAMES):
        assert play(played, seed, check)[ir.AT_WINNERS] > 0

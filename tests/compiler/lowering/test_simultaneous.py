"""Simultaneous choices are executed in the order that their domain had before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.engine.library import load

#: Each domain with the expected order.
ORDERS = {
    "player": 123,
    "player clockwise from opener": 231,
    "player clockwise after opener": 312,
    "player clockwise from p": 231,
    "player clockwise from player(3)": 312,
}
RACE = """        case_{number}
            each q in {domain} chooses race_{number} at once
                go
                    set log to log * 10 + position of q
                    set opener to player(1)
                    set p to player(1)
"""
GAME = f"""
remember opener: player
remember log: number = 0
play
    set opener to player(2)
    let p = player(2)
    player(1) chooses which
{"".join(RACE.format(number=number, domain=domain) for number, domain in enumerate(ORDERS))}
    player(1) chooses turn
        stop
            nothing
    nobody wins
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_choices_are_executed_in_the_order_of_the_domain(tmp_path: Path, backend: str) -> None:
    game = load(write_rules(tmp_path, GAME, players="3")).game(3, backend=backend)
    found = {}
    for domain, which in zip(ORDERS, game.start(1)[0].legal_moves(), strict=True):
        state, _ = game.start(1)
        state.apply(which)
        for _ in range(game.seats):
            state.apply(*state.legal_moves())
        found[domain] = state.cells[game.fields["log"].base]
    assert found == ORDERS

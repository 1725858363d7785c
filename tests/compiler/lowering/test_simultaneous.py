"""Simultaneous choices are executed in the order that their domain had before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.engine.library import load

GAME = """
game small
    players 3
    source house rule
remember opener: player
remember log: number = 0
play
    set opener to player(2)
    let p = player(2)
    each q in {domain} chooses race at once
        go
            set log to log * 10 + position of q
            set opener to player(1)
            set p to player(1)
    player(1) chooses turn
        stop
            nothing
    nobody wins
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("domain", "log"),
    [
        ("player", 123),
        ("player clockwise from opener", 231),
        ("player clockwise after opener", 312),
        ("player clockwise from p", 231),
        ("player clockwise from player(3)", 312),
    ],
)
def test_choices_are_executed_in_the_order_of_the_domain(tmp_path: Path, domain: str, log: int, backend: str) -> None:
    path = tmp_path / "small.rules"
    path.write_text(GAME.format(domain=domain), encoding="utf-8")
    game = load(path).game(3, backend=backend)
    state, _ = game.start(1)
    for _ in range(game.seats):
        state.apply(*state.legal_moves())
    assert state.cells[game.fields["log"].base] == log

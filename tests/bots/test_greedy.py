"""The bot that tries each option by random games."""

from __future__ import annotations

import pytest

from wongar_dsl import library
from wongar_dsl.bots import GreedyBot, luck


@pytest.mark.parametrize("name", ["kuhn_poker", "ubongo", "wongar"])
def test_it_takes_the_same_on_every_backend(name: str) -> None:
    rules, taken = library.load(name), []
    for backend in ("python", "native"):
        state, _ = rules.game(rules.model.players[0], backend=backend).start(3)
        for number in range(3):
            if not state.over:
                move = GreedyBot(6).choose(state, luck(3, state.seat, number))
                taken.append((backend, state.write(move)))
                state.apply(move)
    python, native = ([move for backend, move in taken if backend == wanted] for wanted in ("python", "native"))
    assert python == native
    assert len(python) > 1


def test_it_takes_a_win() -> None:
    state, _ = library.load("tictactoe").game(2).start(1)
    for move in ("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"):
        state.apply(state.read(move))
    assert state.write(GreedyBot().choose(state, luck(1, 0, 4))) == "mark(a3)"

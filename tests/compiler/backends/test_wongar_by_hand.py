"""Hand-written Wongar, the speed reference of the `python` backend, plays like the rule file, choice for choice."""

from __future__ import annotations

import pytest

from benchmarks import wongar_by_hand as by_hand
from wongar_dsl.compiler.backends import Backend, State
from wongar_dsl.compiler.backends.rng import Generator, Purpose, derive
from wongar_dsl.engine import library

Choice = tuple[int, int]
"""How many options there were, and the number of the chosen one."""
GAMES = 8


def play_by_rules(backend: Backend, seed: int) -> tuple[list[Choice], State]:
    state, luck = backend.start(seed), Generator(seed)
    made = []
    while options := backend.advance(state):
        made.append((len(options), luck.below(len(options))))
        backend.choose(state, options[made[-1][1]])
    return made, state


def play_by_hand(seats: int, seed: int) -> tuple[list[Choice], by_hand.Wongar]:
    luck = by_hand.Stream(seed, Purpose.SAMPLING)
    made = []

    def choose(n: int) -> int:
        made.append((n, luck.below(n)))
        return made[-1][1]

    game = by_hand.Wongar(seats, seed, choose)
    game.play()
    return made, game


@pytest.mark.parametrize("seats", [3, 5])
def test_hand_written_wongar_follows_the_rule_file(seats: int) -> None:
    backend = library.load("wongar").game(seats, backend="python").backend
    program = backend.program
    assert program.score is not None
    decisions = 0
    for number in range(GAMES):
        seed = derive(1, number)
        theirs, state = play_by_rules(backend, seed)
        ours, game = play_by_hand(seats, seed)
        assert ours == theirs
        assert game.points == [state[program.score.at(seat)] for seat in range(seats)]
        decisions += len(ours)
    assert decisions == by_hand.playouts(seats, 1, 0, GAMES)
    assert decisions == backend.playouts(1, 0, GAMES, 10_000)[0]

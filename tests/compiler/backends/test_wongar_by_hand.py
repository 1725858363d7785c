"""Hand-written Wongar, the speed reference of the `python` backend, plays like the rule file, choice for choice."""

from __future__ import annotations

import pytest

from benchmarks import wongar_by_hand as by_hand
from wongar_dsl.compiler import ir
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


def field_cells(program: ir.Program, state: State, name: str, *copy: int) -> list[int]:
    """Return the cells of a copy of a field."""
    field = next(field for field in program.fields if field.name == name)
    address = field.at(*copy)
    return state[address : address + field.width]


@pytest.mark.parametrize("seats", [3, 5])
def test_hand_written_wongar_follows_the_rule_file(seats: int) -> None:
    backend = library.load("wongar").game(seats, backend="python").backend
    program = backend.program
    decisions = 0
    for number in range(GAMES):
        seed = derive(1, number)
        theirs, state = play_by_rules(backend, seed)
        ours, game = play_by_hand(seats, seed)
        assert ours == theirs
        for seat in range(seats):
            assert game.points[seat] == field_cells(program, state, "points", seat)[0]
            assert game.supply[seat] == field_cells(program, state, "supply", seat)
            assert game.taken[seat] == field_cells(program, state, "taken", seat)[1:]
            assert game.hand[seat] == field_cells(program, state, "rituals_held", seat)[1:]
            for area in by_hand.AREAS:
                ground = [kind[seat] for kind in game.ground[area]]
                assert ground == field_cells(program, state, "ground", area, seat)
                assert game.standing[area][seat] == sum(ground)
        figures = [field_cells(program, state, "place", figure)[0] for figure in range(2)]
        assert [game.ancestor, game.elder] == figures
        decisions += len(ours)
    assert decisions == by_hand.playouts(seats, 1, 0, GAMES)
    assert decisions == backend.playouts(1, 0, GAMES, 10_000)[0]

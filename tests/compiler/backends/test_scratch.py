"""Scratch memory is empty before each statement, also after a fault."""

from __future__ import annotations

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, Backend, RuleFault, load_backend
from wongar_dsl.compiler.backends.protocol import State
from wongar_dsl.engine.library import load

#: Counts reached areas. The first option reaches all of them, the second divides by 0 on the way.
GAME = """
board field
    grid 3 by 3
remember found: number = 0
rule group(column_left_out: number) gives number
    give number of a in field reached from b2 while 6 div (column of a - column_left_out) > -100
play
    player(1) chooses turn
        whole
            set found to group(9)
        broken
            set found to group(3)
    nobody wins
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    return load(write_rules(tmp_path_factory.mktemp("scratch"), GAME)).game(2).program


def found(backend: Backend, state: State) -> int:
    return state[next(field.base for field in backend.program.fields if field.name == "found")]


def result_of_option(backend: Backend, number: int) -> int:
    """Return the cell `found` after an option."""
    state = backend.start(1)
    backend.choose(state, backend.advance(state)[number])
    backend.run(state)
    return found(backend, state)


@pytest.mark.parametrize("name", BACKENDS)
def test_fault_leaves_scratch_memory_empty(program: ir.Program, name: str) -> None:
    backend = load_backend(program, name)
    assert result_of_option(backend, 0) == 9
    with pytest.raises(RuleFault):
        result_of_option(backend, 1)
    assert result_of_option(backend, 0) == 9

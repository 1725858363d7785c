"""Marks of reached code are the same on every backend and for every kind of run.

Figures of simulations and the coverage of cases are computed from them.
"""

from __future__ import annotations

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, CHOICES, Backend, load_backend
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native import library as native_buffers
from wongar_dsl.compiler.backends.protocol import CycleQuery
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.compiler.lowering import lower
from wongar_dsl.engine.library import load

#: The player may walk both ways. Two rules need numbers of steps that are never reached.
WALK = """
enum bank = near, far, hill
remember walker: bank = near
remember steps: number 0 to 100 = 0
score points
rule climb()
    set walker to hill
rule rest()
    set steps to 100
play
    repeat until steps >= 6
        set steps to steps + 1
        player(1) chooses walk without going round
            over if walker = near
                set walker to far
            back if walker = far
                set walker to near
            up if walker = far and steps > 50
                climb()
            otherwise
                leave loop
        if steps = 90
            rest()
    player(1) wins
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    return lower(load(write_rules(tmp_path_factory.mktemp("walk"), WALK)).model, 2, marks=True)


def reached_marks(backend: Backend) -> set[int]:
    """Return the marks reached by playouts, single steps and perft."""
    backend.playouts(3, 0, 4, 100)
    cells = backend.start(1)
    while options := backend.advance(cells):
        backend.choose(cells, options[-1])
    list(backend.perft(1, 4, True))
    return set(backend.reached_marks)


def test_every_backend_reaches_the_same_marks_and_can_clear_them(program: ir.Program) -> None:
    found = []
    for name in CHOICES:
        backend = load_backend(program, name)
        found.append(reached_marks(backend))
        backend.reached_marks.clear()
        assert backend.reached_marks == set()
        assert reached_marks(backend) == found[0] == found[-1]
    assert 0 < len(found[0]) < len(program.marks)


@pytest.mark.parametrize("name", BACKENDS)
def test_cycle_search_reaches_no_marks(name: str, program: ir.Program) -> None:
    """The game stops where a position repeats, after a search from there."""
    backend = load_backend(program, name)
    cells = backend.start(1)
    backend.advance(cells)
    before = set(backend.reached_marks)
    [search] = [s for block in program.blocks for s in statements(block.body) if isinstance(s, ir.DetectCycle)]
    assert isinstance(search.seat, ir.Const)
    backend.search(cells, CycleQuery(search.decision, search.seat.value, search.first, search.end), 10_000_000)
    assert set(backend.reached_marks) == before


def test_marks_survive_a_restart_with_more_room(program: ir.Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_buffers, "INITIAL_MEMORY_BYTES", 1 << 13)
    made, plain = load_backend(program, "native"), load_backend(program)
    assert isinstance(made, NativeBackend)
    for backend in (made, plain):
        backend.playouts(3, 0, 4, 100)
    assert [buffers.room for buffers in made._idle] == [native_buffers.INITIAL_MEMORY_BYTES]
    for backend in (made, plain):
        list(backend.perft(1, 0, False))
    assert all(buffers.room > native_buffers.INITIAL_MEMORY_BYTES for buffers in made._idle)
    assert made.reached_marks == plain.reached_marks

"""Marks of reached code are the same on every backend and for every kind of run.

Figures of simulations and the coverage of cases are computed from them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, Backend, load_backend
from wongar_dsl.compiler.backends.native import NativeBackend
from wongar_dsl.compiler.backends.native import run_memory as native_buffers
from wongar_dsl.compiler.backends.protocol import CycleQuery
from wongar_dsl.compiler.lowering import lower
from wongar_dsl.engine.library import load

#: The player may walk both ways. Two rules need numbers of steps that are never reached.
WALK = """
game walk
    players 2
    source house rule
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


def marked_program(path: Path) -> ir.Program:
    path.write_text(WALK, encoding="utf-8")
    return lower(load(path).model, 2, marks=True)


def reached_marks(backend: Backend) -> set[int]:
    """Return the marks reached by playouts, single steps and perft."""
    backend.playouts(3, 0, 4, 100)
    cells = backend.start(1)
    while options := backend.advance(cells):
        backend.choose(cells, options[-1])
    list(backend.perft(1, 4, True))
    return set(backend.reached_marks)


def test_every_backend_reaches_the_same_marks(tmp_path: Path) -> None:
    program = marked_program(tmp_path / "walk.rules")
    marks_by_backend = [reached_marks(load_backend(program, backend)) for backend in (*BACKENDS, "auto")]
    assert all(marks == marks_by_backend[0] for marks in marks_by_backend)
    assert 0 < len(marks_by_backend[0]) < len(program.marks)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cycle_search_reaches_no_marks(backend: str, tmp_path: Path) -> None:
    """The game stops where a position repeats, after a search from there."""
    program = marked_program(tmp_path / "walk.rules")
    made = load_backend(program, backend)
    cells = made.start(1)
    made.advance(cells)
    before = set(made.reached_marks)
    [cycle_search] = [
        endless for block in program.blocks for statement in block.body if (endless := find_cycle_search(statement))
    ]
    assert isinstance(cycle_search.seat, ir.Const)
    made.search(
        cells,
        CycleQuery(cycle_search.decision, cycle_search.seat.value, cycle_search.first, cycle_search.end),
        10_000_000,
    )
    assert set(made.reached_marks) == before


def find_cycle_search(statement: ir.Stmt) -> ir.DetectCycle | None:
    """Return the cycle detection in a statement, if any."""
    if isinstance(statement, ir.DetectCycle):
        return statement
    inner = (*statement.then, *statement.otherwise) if isinstance(statement, ir.If) else ()
    return next((endless for part in inner if (endless := find_cycle_search(part)) is not None), None)


@pytest.mark.parametrize("backend", [*BACKENDS, "auto"])
def test_marks_can_be_cleared(backend: str, tmp_path: Path) -> None:
    made = load_backend(marked_program(tmp_path / "walk.rules"), backend)
    first = reached_marks(made)
    made.reached_marks.clear()
    assert made.reached_marks == set()
    assert reached_marks(made) == first


def test_marks_survive_a_restart_with_more_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = marked_program(tmp_path / "walk.rules")
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

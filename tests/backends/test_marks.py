"""What runs come to is the same on every backend, whoever asks for it and however often: the figures of a simulation
and the coverage of cases are made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl import ir
from wongar_dsl.backends import BACKENDS, Backend, load_backend
from wongar_dsl.backends.native import NativeBackend, memory
from wongar_dsl.backends.protocol import Question
from wongar_dsl.library import load
from wongar_dsl.lower import lower

#: Somebody may walk to and fro, and two rules are only for certain steps; what is over the bridge is never come to.
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


def marked(path: Path) -> ir.Program:
    path.write_text(WALK, encoding="utf-8")
    return lower(load(path).model, 2, marks=True)


def used(backend: Backend) -> set[int]:
    """What playouts, single steps and counts come to."""
    backend.playouts(3, 0, 4, 100)
    cells = backend.start(1)
    while options := backend.advance(cells):
        backend.choose(cells, options[-1])
    list(backend.perft(1, 4, True))
    return set(backend.reached)


def test_every_backend_comes_to_the_same_marks(tmp_path: Path) -> None:
    program = marked(tmp_path / "walk.rules")
    found = [used(load_backend(program, backend)) for backend in (*BACKENDS, "auto")]
    assert all(one == found[0] for one in found)
    assert 0 < len(found[0]) < len(program.marks)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_only_tried_out_is_not_come_to(backend: str, tmp_path: Path) -> None:
    """A game stops where a choice comes again, after a search that has gone on from there."""
    program = marked(tmp_path / "walk.rules")
    made = load_backend(program, backend)
    cells = made.start(1)
    made.advance(cells)
    before = set(made.reached)
    [asked] = [found for block in program.blocks for statement in block.body if (found := _search(statement))]
    assert isinstance(asked.seat, ir.Const)
    made.search(cells, Question(asked.decision, asked.seat.value, asked.first, asked.end), 10_000_000)
    assert set(made.reached) == before


def _search(statement: ir.Stmt) -> ir.Endless | None:
    """The search that a statement holds, if any."""
    if isinstance(statement, ir.Endless):
        return statement
    inner = (*statement.then, *statement.otherwise) if isinstance(statement, ir.If) else ()
    return next((found for one in inner if (found := _search(one)) is not None), None)


@pytest.mark.parametrize("backend", [*BACKENDS, "auto"])
def test_whoever_clears_the_marks_begins_anew(backend: str, tmp_path: Path) -> None:
    made = load_backend(marked(tmp_path / "walk.rules"), backend)
    first = used(made)
    made.reached.clear()
    assert made.reached == set()
    assert used(made) == first


def test_marks_are_kept_where_a_run_is_begun_again_with_more_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = marked(tmp_path / "walk.rules")
    monkeypatch.setattr(memory, "FIRST_ROOM", 1 << 13)
    made, plain = load_backend(program, "native"), load_backend(program)
    assert isinstance(made, NativeBackend)
    for backend in (made, plain):
        backend.playouts(3, 0, 4, 100)
    assert [one.room for one in made._idle] == [memory.FIRST_ROOM]
    for backend in (made, plain):
        list(backend.perft(1, 0, False))
    assert all(one.room > memory.FIRST_ROOM for one in made._idle)
    assert made.reached == plain.reached

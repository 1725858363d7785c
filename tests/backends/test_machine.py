"""What the long runs do with machine code, for a moment: see `python -m benchmarks.soak --only machine`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks import machine
from benchmarks.mutants.judging import changed
from wongar_dsl import ir
from wongar_dsl.backends import BACKENDS, load_backend
from wongar_dsl.library import load


def test_every_step_of_a_game_is_the_same_on_every_backend() -> None:
    program = load("goofspiel").program(2, {})
    backends = [machine.made("goofspiel", 2, backend) for backend in BACKENDS]
    assert not machine.difference(program, backends, 29, 10)
    assert not machine.difference(program, backends[1:], 31, machine.LONGEST)


def test_rules_with_a_change_are_played_alike() -> None:
    rules = load("nim")
    other = next(found for mutant in machine._mutants("nim")[11:] if (found := changed(rules, mutant)) is not None)
    assert not list(machine.changes(other, 2, 5))


def test_another_program_is_told_from_the_first() -> None:
    """What compares has to see a difference: in a cell, and in the blame of a fault."""
    program = load("nim").program(2, {})
    cell = replace(program, initial=(*program.initial, (program.size - 1, 7)))
    assert machine.difference(program, [load_backend(program), load_backend(cell)], 1, 50)
    first = program.faults[0]
    second = next(n for n, fault in enumerate(program.faults) if fault.span != first.span)
    one, other = (load_backend(failing(program, fault)) for fault in (0, second))
    assert not machine.difference(program, [one, one], 1, 50)
    assert machine.difference(program, [one, other], 1, 50)


def failing(program: ir.Program, fault: int) -> ir.Program:
    """A program that does nothing but fail."""
    return replace(program, blocks=tuple(replace(block, body=(ir.Fault(fault),)) for block in program.blocks))


#: Compiled as fast as that goes.
QUICKLY = [flag.replace("-O1", "-O0") for flag in machine.SANITIZED]


def test_a_game_with_sanitizers_is_clean_and_the_same() -> None:
    assert not list(machine.unclean("kuhn_poker", 2, 3, QUICKLY))


def test_what_the_sanitizers_say_is_heard(tmp_path: Path) -> None:
    broken = tmp_path / "broken.h"
    wrong = "__attribute__((constructor)) static void wrong(void) { row[sizeof row] = 1; }"
    broken.write_text(f"static int row[2];\n{wrong}\n", encoding="utf-8")
    [found] = machine.unclean("nim", 2, 3, (*QUICKLY, "-include", str(broken)))
    assert "out of bounds" in found

"""What the long runs do with machine code, for a moment: see `python -m benchmarks.soak --only machine`."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled as fast as that goes."""
    monkeypatch.setattr(machine, "SANITIZED", [flag.replace("-O1", "-O0") for flag in machine.SANITIZED])


@pytest.mark.usefixtures("quickly")
def test_a_game_with_sanitizers_is_clean_and_the_same() -> None:
    assert not list(machine.watched("kuhn_poker", 2, 3, 20))


def test_what_the_sanitizers_say_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "SANITIZED", ("-w", "-fsanitize=bounds", "-fno-sanitize-recover=all"))
    broken = machine.DRIVER.replace("int stopped", "r->cells[SIZE + depth] = 1;\n    int stopped")
    monkeypatch.setattr(machine, "DRIVER", broken)
    [found] = machine.watched("nim", 2, 3, 1)
    assert "out of bounds" in found

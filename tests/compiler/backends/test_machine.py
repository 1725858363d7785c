"""Short versions of the long machine code runs of `python -m benchmarks.soak --only machine`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks import native_equivalence
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, load_backend
from wongar_dsl.engine.library import load


def test_differing_programs_are_detected() -> None:
    """The comparison detects a difference in a cell and in the origin of a fault."""
    program = load("nim").program(2, {})
    cell = replace(program, initial=(*program.initial, (program.size - 1, 7)))
    backends = [native_equivalence.made("nim", 2, backend) for backend in BACKENDS]
    assert not native_equivalence.difference(program, backends, 31, native_equivalence.MAX_DECISIONS)
    assert native_equivalence.difference(program, [load_backend(program), load_backend(cell)], 1, 50)
    first = program.faults[0]
    second = next(n for n, fault in enumerate(program.faults) if fault.span != first.span)
    first_failure, second_failure = (load_backend(failing(program, fault)) for fault in (0, second))
    assert not native_equivalence.difference(program, [first_failure, first_failure], 1, 50)
    assert native_equivalence.difference(program, [first_failure, second_failure], 1, 50)


def failing(program: ir.Program, fault: int) -> ir.Program:
    """Return a program whose blocks only raise the fault."""
    return replace(program, blocks=tuple(replace(block, body=(ir.Fault(fault),)) for block in program.blocks))


#: Fast compilation.
QUICKLY = [flag.replace("-O1", "-O0") for flag in native_equivalence.SANITIZED]


def test_game_with_sanitizers_is_clean() -> None:
    assert not list(native_equivalence.unclean("nim", 2, 3, QUICKLY))


def test_sanitizer_message_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.h"
    wrong = "__attribute__((constructor)) static void wrong(void) { row[sizeof row] = 1; }"
    broken.write_text(f"static int row[2];\n{wrong}\n", encoding="utf-8")
    [message] = native_equivalence.unclean("nim", 2, 3, (*QUICKLY, "-include", str(broken)))
    assert "out of bounds" in message

"""Loops that machine code runs in a specialized form have the same results."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.compiler.backends.native import generate
from wongar_dsl.compiler.backends.native.optimizations import iteration_values, reads, search_loop
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.engine import library

#: Players mark fields of a small board until a condition about lines of three is true.
LINES = """
board field
    grid 4 by 4
remember owner of each field: player
remember last: field
define fits(here: field) = {where} and owner of here is nobody
play
    repeat
        for each p in player
            p chooses turn
                mark(here: field where fits(here))
                    set owner of here to p
                    set last to here
                    if {question}
                        p wins
                otherwise
                    nobody wins
"""
QUESTIONS = {
    "every": "some l in lines of 3 through last where (every c in l has owner of c is p)",
    "some": "every l in lines of 3 through last has (some c in l where owner of c is p and c is not last)",
    "looked up": "some l in lines of 3 through last where (every c in l has (owner of c is p or row of c = 4))",
}


def _program(folder: Path, question: str, where: str = "row of here < 5") -> ir.Program:
    return library.load(write_rules(folder, LINES.format(question=question, where=where))).game(2).program


def _check_equal_plays(program: ir.Program) -> None:
    python, native = (load_backend(program, backend).playouts(5, 0, 40, 100) for backend in ("python", "native"))
    assert python == native


def _loops(program: ir.Program) -> list[tuple[ir.ForList, ir.Body]]:
    bodies = [procedure.body for procedure in program.procedures] + [block.body for block in program.blocks]
    return [(s, body) for body in bodies for s in statements(body) if isinstance(s, ir.ForList)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_short_list_is_tested_at_once_with_the_same_result(question: str, tmp_path: Path) -> None:
    program = _program(tmp_path, QUESTIONS[question])
    queries = [a for loop, body in _loops(program) if (a := search_loop(loop, program, reads(body))) is not None]
    assert [query.things for query in queries] == [3]
    _check_equal_plays(program)


def test_nested_list_test_uses_one_row(tmp_path: Path) -> None:
    program = _program(tmp_path, QUESTIONS["every"])
    assert re.search(r"static const int8_t q\d+\[\] = ", generate(program))
    loops = _loops(program)
    [(inner, question)] = [(loop, a) for loop, body in loops if (a := search_loop(loop, program, reads(body)))]
    [outer] = [loop for loop, _ in loops if inner in loop.body]
    outer_value = ir.Bin("+", ir.Var(outer.number), ir.Const(1))
    row = iteration_values(outer, question, inner.lists, outer_value, program)
    turns = [value for values in program.lists[outer.lists] for value in values]
    assert row == tuple(thing for turn in turns for thing in program.lists[inner.lists][turn + 1])
    # No row for other expressions, missing lists, or where the loop variable is assigned.
    changed = replace(outer, body=(ir.SetVar(outer.number, ir.Const(0)), *outer.body))
    assert iteration_values(outer, question, inner.lists, ir.Load(ir.Const(9)), program) is None
    assert iteration_values(outer, question, inner.lists, ir.Bin("-", outer_value, ir.Const(1)), program) is None
    assert iteration_values(changed, question, inner.lists, outer_value, program) is None


def test_unsafe_list_test_is_not_combined(tmp_path: Path) -> None:
    # Where the first condition fails, the second would read outside of the state.
    program = _program(tmp_path, QUESTIONS["every"])
    loop, body = next(
        (loop, body) for loop, body in _loops(program) if search_loop(loop, program, reads(body)) is not None
    )
    beside = ir.Load(ir.Bin("+", ir.Var(loop.number), ir.Const(program.size)))
    [step] = loop.body
    assert isinstance(step, ir.If)
    careful = ir.If(ir.Bin("and", ir.Const(0), beside), step.then, step.otherwise)
    assert search_loop(ir.ForList(loop.number, loop.lists, loop.index, (careful,)), program, reads(body)) is None
    # Not combined either where the element at which the loop stops is read later.
    assert search_loop(loop, program, reads((*body, ir.SetVar(99, ir.Var(loop.number))))) is None

"""Hoisting of `Find` out of loops and into parameters of conditions keeps all results."""

from __future__ import annotations

from itertools import product

import pytest

from tests.compiler.backends.bare import bare_program
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.compiler.backends.native.optimizations import hoist_finds
from wongar_dsl.compiler.ir.cfg import expressions, statements
from wongar_dsl.engine import library

CAPACITY = 8
PILE = ir.FIRST_FREE
RESULT = PILE + 1 + CAPACITY
AT = ir.Const(PILE)
V = [ir.Var(number) for number in range(5)]


def find(value: ir.Expr) -> ir.Expr:
    return ir.Find(AT, ir.Const(PILE + 1), value)


def append(value: ir.Expr) -> ir.SetVar:
    """Add a value to the results in variable 4."""
    return ir.SetVar(4, ir.Bin("+", ir.Bin("*", V[4], ir.Const(11)), value))


def loop(number: int, *body: ir.Stmt) -> ir.ForRange:
    return ir.ForRange(number, ir.Const(3), body)


PUSH = ir.Push(AT, V[1], CAPACITY, False, 0)
FREE_VARIABLES, BOTH, CHANGING, SETTING = range(4)
PROCEDURES = (
    # Find a value after a check whether another one is in the pile.
    ir.Procedure("later", 2, (
        ir.SetVar(2, ir.Const(-7)),
        ir.If(ir.Bin(">=", find(V[1]), ir.Const(0)), (ir.SetVar(2, find(V[0])),), ()),
        ir.Return(V[2]),
    )),
    # Do the same in another procedure and here.
    ir.Procedure("both", 1, (
        ir.SetVar(1, ir.Const(2)), ir.Call(FREE_VARIABLES, (V[0], V[1]), 2), ir.Return(ir.Bin("+", V[2], find(V[0]))),
    )),
    # Find a value before and after a push to the pile.
    ir.Procedure("changing", 2, (
        ir.SetVar(2, find(V[0])), PUSH, ir.Return(ir.Bin("+", ir.Bin("*", V[2], ir.Const(5)), find(V[0]))),
    )),
    # Find another value than the given one.
    ir.Procedure("setting", 1, (ir.SetVar(0, ir.Bin("+", V[0], ir.Const(1))), ir.Return(find(V[0])))),
)  # fmt: skip
BLOCKS: dict[str, ir.Body] = {
    "asked at each turn": (loop(1, ir.Call(FREE_VARIABLES, (V[0], V[1]), 2), append(V[2])),),
    "asked by others": (
        loop(1, loop(2, ir.Call(BOTH, (V[1],), 3), append(V[3])), ir.Call(BOTH, (V[0],), 3), append(V[3])),
    ),
    "changed meanwhile": (loop(1, append(find(V[0])), PUSH),),
    "changed by others": (loop(1, append(find(V[0])), ir.Call(CHANGING, (V[0], V[1]), 2), append(V[2])),),
    "another value at each turn": (loop(1, append(find(V[0])), ir.SetVar(0, V[1])),),
    "another value by others": (loop(1, ir.Call(SETTING, (V[0],), 2), append(V[2])),),
    "by what was found": (loop(1, ir.Call(FREE_VARIABLES, (find(V[1]), find(V[0])), 2), append(V[2])),),
    "until it is found": (
        ir.Loop((ir.SetVar(1, ir.Bin("+", V[1], ir.Const(1))), append(find(V[0])),
                 ir.If(ir.Bin(">", V[1], ir.Bin("min", find(V[0]), ir.Const(3))), (ir.Break(),), ()))),
    ),
}  # fmt: skip


def program() -> ir.Program:
    """Return a program with a block for each kind of lookup."""
    store = ir.Store(ir.Const(RESULT), V[4])
    begun = [ir.SetVar(number, ir.Const(0)) for number in range(1, 5)]
    blocks = [
        ir.Block((ir.SetVar(0, ir.Load(ir.Const(RESULT))), *begun, *body, store), ir.Pause(0), "rule")
        for body in BLOCKS.values()
    ]
    return bare_program(RESULT + 1, tuple(blocks), PROCEDURES)


def find_count(body: ir.Body) -> int:
    """Return the number of `Find` expressions in statements."""
    waiting, count = [e for statement in statements(body) for e in expressions(statement)], 0
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        count += isinstance(e, ir.Find)
    return count


@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=list(BLOCKS))
def test_results_are_equal_on_all_backends(number: int) -> None:
    made = [load_backend(program(), "reference"), load_backend(program(), "native")]
    made.append(load_backend(hoist_finds(program()), "reference"))
    for cards in product(range(4), repeat=3):
        for value in (-1, 0, 3):
            states = []
            for backend in made:
                state = backend.start(1)
                state[ir.AT_BLOCK], state[RESULT] = number, value
                state[PILE : PILE + 4] = [3, *cards]
                backend.run(state)
                states.append(state)
            assert states[0] == states[1] == states[2], (cards, value)


def test_results_are_passed_only_to_procedures_without_changes() -> None:
    hoisted = hoist_finds(program())
    assert [p.parameters for p in hoisted.procedures] == [4, 2, 2, 1]
    assert [find_count(p.body) for p in hoisted.procedures] == [0, 1, 2, 1]
    loops = {name: next(s for s in block.body if isinstance(s, ir.ForRange | ir.Loop)).body
             for name, block in zip(BLOCKS, hoisted.blocks, strict=True)}  # fmt: skip
    # A value that depends on the iteration is looked up in each.
    assert {name: find_count(body) for name, body in loops.items()} == {
        "asked at each turn": 1, "asked by others": 1, "changed meanwhile": 1, "changed by others": 1,
        "another value at each turn": 1, "another value by others": 0, "by what was found": 4, "until it is found": 0,
    }  # fmt: skip


def test_program_without_find_is_unchanged() -> None:
    nim = library.load("nim").program(2, {})
    assert hoist_finds(nim) is nim

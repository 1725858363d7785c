"""What conditions are handed, and loops find once, is what they would have found themselves."""

from __future__ import annotations

from itertools import product

import pytest

from wongar_dsl import ir, library
from wongar_dsl.backends import load_backend
from wongar_dsl.backends.native.finding import looked_for_once
from wongar_dsl.ir.control_flow import expressions, statements
from wongar_dsl.text.span import Source, Span

CAPACITY = 8
PILE = ir.FIRST_FREE
RESULT = PILE + 1 + CAPACITY
SPAN = Span(Source("rows.rules", "row"), 1, 1, 1, 4)
AT = ir.Const(PILE)
V = [ir.Var(number) for number in range(5)]


def place_of(value: ir.Expr) -> ir.Expr:
    return ir.Find(AT, ir.Const(PILE + 1), value)


def also(value: ir.Expr) -> ir.SetVar:
    """Keep a value, with those before."""
    return ir.SetVar(4, ir.Bin("+", ir.Bin("*", V[4], ir.Const(11)), value))


def turns(number: int, *body: ir.Stmt) -> ir.ForRange:
    return ir.ForRange(number, ir.Const(3), body)


PUSH = ir.Push(AT, V[1], CAPACITY, False, 0)
LATER, BOTH, CHANGING, SETTING = range(4)
PROCEDURES = (
    # Where a value stands, after a look at whether another one is there.
    ir.Procedure("later", 2, (
        ir.SetVar(2, ir.Const(-7)),
        ir.If(ir.Bin(">=", place_of(V[1]), ir.Const(0)), (ir.SetVar(2, place_of(V[0])),), ()),
        ir.Return(V[2]),
    )),
    # The same of all that is asked about, by another procedure and here.
    ir.Procedure("both", 1, (
        ir.SetVar(1, ir.Const(2)), ir.Call(LATER, (V[0], V[1]), 2), ir.Return(ir.Bin("+", V[2], place_of(V[0]))),
    )),
    # Where a value stands, before and after something is laid on the pile.
    ir.Procedure("changing", 2, (
        ir.SetVar(2, place_of(V[0])), PUSH, ir.Return(ir.Bin("+", ir.Bin("*", V[2], ir.Const(5)), place_of(V[0]))),
    )),
    # Where another value stands than the one that was given.
    ir.Procedure("setting", 1, (ir.SetVar(0, ir.Bin("+", V[0], ir.Const(1))), ir.Return(place_of(V[0])))),
)  # fmt: skip
BLOCKS: dict[str, ir.Body] = {
    "asked at each turn": (turns(1, ir.Call(LATER, (V[0], V[1]), 2), also(V[2])),),
    "asked by others": (
        turns(1, turns(2, ir.Call(BOTH, (V[1],), 3), also(V[3])), ir.Call(BOTH, (V[0],), 3), also(V[3])),
    ),
    "changed meanwhile": (turns(1, also(place_of(V[0])), PUSH),),
    "changed by others": (turns(1, also(place_of(V[0])), ir.Call(CHANGING, (V[0], V[1]), 2), also(V[2])),),
    "another value at each turn": (turns(1, also(place_of(V[0])), ir.SetVar(0, V[1])),),
    "another value by others": (turns(1, ir.Call(SETTING, (V[0],), 2), also(V[2])),),
    "by what was found": (turns(1, ir.Call(LATER, (place_of(V[1]), place_of(V[0])), 2), also(V[2])),),
    "until it is found": (
        ir.Loop((ir.SetVar(1, ir.Bin("+", V[1], ir.Const(1))), also(place_of(V[0])),
                 ir.If(ir.Bin(">", V[1], ir.Bin("min", place_of(V[0]), ir.Const(3))), (ir.Break(),), ()))),
    ),
}  # fmt: skip


def program() -> ir.Program:
    """A program with a block for each way to look something up."""
    kept = ir.Store(ir.Const(RESULT), V[4])
    begun = [ir.SetVar(number, ir.Const(0)) for number in range(1, 5)]
    blocks = [
        ir.Block((ir.SetVar(0, ir.Load(ir.Const(RESULT))), *begun, *body, kept), ir.Pause(0), "rule")
        for body in BLOCKS.values()
    ]
    return ir.Program(
        name="rows", seats=1, settings={}, size=RESULT + 1, entry=0, fields=(), tables=(), lists=(),
        procedures=PROCEDURES, blocks=tuple(blocks), decisions=(), events=(),
        faults=(ir.FaultSpec("R0602", "rule", SPAN),), initial=(), scratch=0, resumed=frozenset(range(len(blocks))),
        spans={}, sealed=(), frames=RESULT + 1,
    )  # fmt: skip


def finds(body: ir.Body) -> int:
    """How often something is looked for in statements, as it is written."""
    waiting, found = [e for statement in statements(body) for e in expressions(statement)], 0
    while waiting:
        e = waiting.pop()
        waiting += expressions(e)
        found += isinstance(e, ir.Find)
    return found


@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=list(BLOCKS))
def test_it_comes_to_the_same(number: int) -> None:
    made = [load_backend(program(), "reference"), load_backend(program(), "native")]
    made.append(load_backend(looked_for_once(program()), "reference"))
    for cards in product(range(4), repeat=3):
        for value in (-1, 0, 3):
            found = []
            for backend in made:
                state = backend.start(1)
                state[ir.AT_BLOCK], state[RESULT] = number, value
                state[PILE : PILE + 4] = [3, *cards]
                backend.run(state)
                found.append(state)
            assert found[0] == found[1] == found[2], (cards, value)


def test_conditions_are_handed_it_and_what_changes_something_is_not() -> None:
    found = looked_for_once(program())
    assert [p.parameters for p in found.procedures] == [4, 2, 2, 1]
    assert [finds(p.body) for p in found.procedures] == [0, 1, 2, 1]
    loops = {name: next(s for s in block.body if isinstance(s, ir.ForRange | ir.Loop)).body
             for name, block in zip(BLOCKS, found.blocks, strict=True)}  # fmt: skip
    # What hangs on the turn is looked for at each.
    assert {name: finds(body) for name, body in loops.items()} == {
        "asked at each turn": 1, "asked by others": 1, "changed meanwhile": 1, "changed by others": 1,
        "another value at each turn": 1, "another value by others": 0, "by what was found": 4, "until it is found": 0,
    }  # fmt: skip


def test_a_program_that_looks_nothing_up_stays_as_it_is() -> None:
    nim = library.load("nim").program(2, {})
    assert looked_for_once(nim) is nim


def test_a_game_in_which_much_is_looked_up_is_played_the_same() -> None:
    tongiaki = library.load("tongiaki").program(3, {})
    found = looked_for_once(tongiaki)
    played = [load_backend(one, backend) for one, backend in
              ((tongiaki, "python"), (found, "python"), (tongiaki, "native"))]  # fmt: skip
    assert len({backend.playouts(9, 0, 12, 300) for backend in played}) == 1
    assert found != tongiaki

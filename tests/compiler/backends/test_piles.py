"""Instructions on piles and on the whole state leave the same cells on every backend."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compiler.backends.bare import bare_program
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, Backend, RuleFault, load_backend

CAPACITY = 5
PILE = ir.FIRST_FREE
RESULT = PILE + 1 + CAPACITY
AT = ir.Const(PILE)


#: All instructions that iterate over a pile or the whole state, and all queries of a pile.
STATEMENTS: tuple[ir.Stmt, ...] = (
    *(ir.Push(AT, ir.Const(card), CAPACITY, under, 0) for card in range(4) for under in (False, True)),
    *(ir.Pop(0, AT, bottom, 0) for bottom in (False, True)),
    *(ir.RemoveCard(AT, ir.Const(card), 0) for card in range(4)),
    ir.Shuffle(AT),
    *(ir.HashState(0, first, end) for first in range(PILE, RESULT + 1) for end in range(PILE, RESULT + 1)),
    *(ir.Chance(0, ir.Const(n)) for n in range(7)),
    *(ir.SetVar(0, query(AT)) for query in (ir.Top, ir.Bottom)),
    *(ir.SetVar(0, ir.CountIn(AT, ir.Const(card))) for card in range(4)),
    *(ir.SetVar(0, ir.Find(AT, ir.Const(PILE + 1), ir.Const(card))) for card in range(4)),
)


def block(statement: ir.Stmt) -> ir.Block:
    """Return a block that executes one statement on the pile, stores its result, and pauses."""
    body = (ir.SetVar(0, ir.Const(0)), statement, ir.Store(ir.Const(RESULT), ir.Var(0)))
    return ir.Block(body, ir.Pause(0), "rule")


@cache
def machine(backend: str) -> Backend:
    """Return a program with a block for each statement."""
    return load_backend(bare_program(RESULT + 1, tuple(map(block, STATEMENTS))), backend)


def outcome(backend: str, number: int, cards: list[int], seed: int) -> list[int] | str:
    """Return the cells after a statement, or the code of the fault."""
    state = machine(backend).start(seed)
    state[ir.AT_BLOCK] = number
    state[PILE : PILE + 1 + len(cards)] = [len(cards), *cards]
    try:
        machine(backend).run(state)
    except RuleFault as fault:
        return fault.fault.code
    return state


@settings(max_examples=600, deadline=None)
@given(
    st.integers(0, len(STATEMENTS) - 1), st.lists(st.integers(0, 3), max_size=CAPACITY), st.integers(0, 2**64)
)  # fmt: skip
def test_statements_leave_the_same_cells_on_every_backend(number: int, cards: list[int], seed: int) -> None:
    first, *others = (outcome(backend, number, cards, seed) for backend in BACKENDS)
    assert all(cells == first for cells in others)

"""What goes through piles and the whole state means the same in generated Python as in the reference, cell by cell."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wongar_dsl import ir
from wongar_dsl.backends import BACKENDS, RuleFault, load_backend
from wongar_dsl.text.span import Source, Span

CAPACITY = 5
PILE = ir.FIRST_FREE
RESULT = PILE + 1 + CAPACITY
SPAN = Span(Source("piles.rules", "pile"), 1, 1, 1, 5)
AT = ir.Const(PILE)


def program(statement: ir.Stmt, cards: list[int]) -> ir.Program:
    """A program that carries out one statement on a pile, keeps what it gave, and waits."""
    body = (ir.SetVar(0, ir.Const(0)), statement, ir.Store(ir.Const(RESULT), ir.Var(0)))
    return ir.Program(
        name="piles",
        seats=1,
        settings={},
        size=RESULT + 1,
        entry=0,
        fields=(),
        tables=(),
        lists=(),
        procedures=(),
        blocks=(ir.Block(body, ir.Pause(0), "rule"),),
        decisions=(),
        events=(),
        faults=(ir.FaultSpec("R0602", "rule", SPAN),),
        initial=((PILE, len(cards)), *((PILE + 1 + i, card) for i, card in enumerate(cards))),
        scratch=0,
        resumed=frozenset(),
        spans={},
        sealed=(),
        frames=RESULT + 1,
    )


def outcome(made: ir.Program, backend: str, seed: int) -> list[int] | str:
    """The cells after the statement, or the fault that it ended in."""
    machine = load_backend(made, backend)
    state = machine.start(seed)
    try:
        machine.run(state)
    except RuleFault as fault:
        return fault.fault.code
    return state


STATEMENTS = st.one_of(
    st.builds(lambda card, under: ir.Push(AT, ir.Const(card), CAPACITY, under, 0), st.integers(0, 3), st.booleans()),
    st.builds(lambda bottom: ir.Pop(0, AT, bottom, 0), st.booleans()),
    st.builds(lambda card: ir.Draw(AT, ir.Const(card), 0), st.integers(0, 3)),
    st.just(ir.Shuffle(AT)),
    st.builds(ir.HashState, st.just(0), st.integers(PILE, RESULT), st.integers(PILE, RESULT)),
    st.builds(lambda n: ir.Chance(0, ir.Const(n)), st.integers(0, 6)),
    st.builds(lambda e: ir.SetVar(0, e(AT)), st.sampled_from((ir.Top, ir.Bottom))),
    st.builds(lambda card: ir.SetVar(0, ir.CountIn(AT, ir.Const(card))), st.integers(0, 3)),
)


@settings(max_examples=150, deadline=None)
@given(STATEMENTS, st.lists(st.integers(0, 3), max_size=CAPACITY), st.integers(0, 2**64))
def test_each_statement_leaves_the_same_cells_on_every_backend(statement: ir.Stmt, cards: list[int], seed: int) -> None:
    made = program(statement, cards)
    first, *others = (outcome(made, backend, seed) for backend in BACKENDS)
    assert all(other == first for other in others)

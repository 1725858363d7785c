"""Range analysis: values of expressions lie in the computed ranges."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import MAX_VALUE, STORED, Extent, extent, fold

TABLE = (-3, 0, 12, MAX_VALUE)
KNOWN: dict[ir.Expr, Extent] = {ir.Bin("*", ir.Var(0), ir.Const(2)): (-2 * MAX_VALUE, 2 * MAX_VALUE)}
#: Binary operators on numbers; those for sets of seats need sets as operands.
SIGNS: tuple[ir.Operator, ...] = (
    "+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "min", "max", "and", "or",
)  # fmt: skip
numbers = st.one_of(st.integers(-3, 3), st.sampled_from((MAX_VALUE, -MAX_VALUE)), st.integers(*STORED))
leaves: st.SearchStrategy[ir.Expr] = st.one_of(
    numbers.map(ir.Const),
    st.just(ir.Var(0)),
    st.integers(0, len(TABLE) - 1).map(lambda n: ir.Lookup(0, ir.Const(n))),
    st.sampled_from(list(KNOWN)),
)


def compound_expressions(inner: st.SearchStrategy[ir.Expr]) -> st.SearchStrategy[ir.Expr]:
    return st.one_of(inner.map(ir.Not), st.builds(ir.Bin, st.sampled_from(SIGNS), inner, inner))


@settings(max_examples=500, deadline=None)
@given(st.recursive(leaves, compound_expressions, max_leaves=12), numbers)
def test_value_lies_in_its_computed_range(e: ir.Expr, kept: int) -> None:
    value = fold(e, 0, kept, [TABLE])
    if value is not None:  # None for a division by 0.
        low, high = extent(e, KNOWN, lambda _: (min(TABLE), max(TABLE)))
        assert low <= value <= high

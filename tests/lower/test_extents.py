"""A value lies where it is said to lie, whatever its parts are."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wongar_dsl import ir
from wongar_dsl.ir.extents import KEPT, MAX_VALUE, Extent, extent
from wongar_dsl.ir.folding import fold

TABLE = (-3, 0, 12, MAX_VALUE)
KNOWN: dict[ir.Expr, Extent] = {ir.Bin("*", ir.Var(0), ir.Const(2)): (-2 * MAX_VALUE, 2 * MAX_VALUE)}
#: What two numbers become another one by; sets of seats are made of seats only.
SIGNS: tuple[ir.Operator, ...] = (
    "+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "min", "max", "and", "or",
)  # fmt: skip
numbers = st.one_of(st.integers(-3, 3), st.sampled_from((MAX_VALUE, -MAX_VALUE)), st.integers(*KEPT))
leaves: st.SearchStrategy[ir.Expr] = st.one_of(
    numbers.map(ir.Const),
    st.just(ir.Var(0)),
    st.integers(0, len(TABLE) - 1).map(lambda n: ir.Lookup(0, ir.Const(n))),
    st.sampled_from(list(KNOWN)),
)


def joined(inner: st.SearchStrategy[ir.Expr]) -> st.SearchStrategy[ir.Expr]:
    return st.one_of(inner.map(ir.Not), st.builds(ir.Bin, st.sampled_from(SIGNS), inner, inner))


@settings(max_examples=500, deadline=None)
@given(st.recursive(leaves, joined, max_leaves=12), numbers)
def test_a_value_lies_where_it_is_said_to_lie(e: ir.Expr, kept: int) -> None:
    found = fold(e, 0, kept, [TABLE])
    if found is not None:  # Else something is divided by 0.
        low, high = extent(e, KNOWN, lambda _: (min(TABLE), max(TABLE)))
        assert low <= found <= high

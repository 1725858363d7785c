"""Loops over what is known before play: constant lists."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.ir.builder import Iteration
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower.context import Lowering


def listed(to: Lowering, key: object, lists: tuple[tuple[int, ...], ...], at: ir.Expr) -> Iteration:
    """What runs over one of several constant lists; `key` tells them apart, `at` which it is."""
    widest = max(map(len, lists), default=0)
    number = to.pool.list_table(key, lists)
    flat = to.pool.table(("flat", key), tuple(x for row in lists for x in (*row, *(-1,) * (widest - len(row)))))
    count = to.lookup(("lengths", key), tuple(map(len, lists)), at)
    return Iteration(count, lambda k: ir.Lookup(flat, plus(times(at, widest), k)), listed=(number, at))

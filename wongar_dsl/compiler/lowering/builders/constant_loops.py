"""Loops over constant lists."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Iteration
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.lowering.builders.program_builder import Lists
from wongar_dsl.compiler.lowering.context import Lowering


def constant_list_loop(ctx: Lowering, key: object, lists: Lists, at: ir.Expr) -> Iteration:
    """Return an iteration over one of several constant lists.

    The lists are made on first use of their `key`; `at` is the index of the list.
    """
    number = ctx.program.list_table(key, lists)
    flat, lengths, widest = ctx.program.flattened(key, number)
    return Iteration(ir.Lookup(lengths, at), lambda k: ir.Lookup(flat, plus(times(at, widest), k)), listed=(number, at))

"""Iteration metadata for prompts: the counted loop of a decision, so that a prompt can say "1 of 2"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Cell
from wongar_dsl.compiler.lowering.context import Lowering
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local

#: Reference kinds that are always public, and kinds that are public if declared so.
_ALWAYS_PUBLIC = frozenset({"value", "option", "players", "type", "table", "define"})
_DECLARED_PUBLIC = frozenset({"tokens", "zone", "slot"})


def counted_loop(step: Cell, count: ir.Expr) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return a loop of `count` iterations.  Returns None if it contains no decision or has only one iteration."""
    address, times = _address(step), _address(count)
    if address is None:
        return None
    if isinstance(count, ir.Const):
        return (ir.LoopCounter(address, count.value), None) if count.value > 1 else None
    return (ir.LoopCounter(address, 0, times), None) if times is not None else None


def under_conditions(ctx: Lowering, tests: Iterable[s.Expression]) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return the current counted loop for code that runs only under conditions, with the cells that these read.

    Returns None if a condition may depend on hidden values, because the iteration number would reveal its result.
    """
    if ctx.iteration is None:
        return None
    counter, player = ctx.iteration
    needs, parts = set(counter.needs), list(_parts(ctx, tests))
    # Names bound inside of a condition depend on its other parts.
    bound = {ctx.model.locals[node] for node in parts if node in ctx.model.locals}
    for node in parts:
        ref = ctx.model.refs.get(node)
        if ref is None or ref.kind in _ALWAYS_PUBLIC or ref.local in bound:
            continue
        if ref.kind in _DECLARED_PUBLIC and ctx.memory.field(ref.name).seen == "all":
            continue
        cell = ctx.code.names.get(ref.local) if ref.local is not None else None
        address = _address(cell) if cell is not None else None
        if address is None:
            return None
        needs.add(address)
    return replace(counter, needs=frozenset(needs)), player


def _parts(ctx: Lowering, tests: Iterable[s.Expression]) -> Iterator[s.Node]:
    """Yield all nodes of conditions, and of the definitions that they call."""
    waiting: list[s.Node] = list(tests)
    called: set[str] = set()
    while waiting:
        for node in s.walk(waiting.pop()):
            yield node
            ref = ctx.model.refs.get(node)
            if ref is not None and ref.kind == "define" and ref.name not in called:
                called.add(ref.name)
                waiting.append(ctx.model.code.defines[ref.name])


def per_player(ctx: Lowering, node: s.ForEach) -> tuple[ir.LoopCounter, Local | None] | None:
    """Return the current loop, extended by a loop over all players; None if that selects players."""
    local = ctx.model.locals[node.variable]
    if (
        ctx.iteration is None
        or ctx.iteration[1] is not None
        or local.type.kind != "player"
        or node.domain.where is not None
    ):
        return None
    return ctx.iteration[0], local


def per_seat(ctx: Lowering, chooser: s.Expression) -> ir.LoopCounter | None:
    """Return the loop that contains a decision exactly once per iteration."""
    if ctx.iteration is None:
        return None
    counter, player = ctx.iteration
    ref = ctx.model.refs.get(chooser)
    return counter if player is None or (ref is not None and ref.local is player) else None


def _address(cell: ir.Expr) -> int | None:
    match cell:
        case ir.Load(address=ir.Const(value=address)):
            return address
        case _:
            return None

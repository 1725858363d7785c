"""Lowering of domains: values of a bound name, their conditions, and the extremes of a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Cell, Iteration
from wongar_dsl.compiler.ir.constant_folding import fold, plus
from wongar_dsl.compiler.ir.ranges import join
from wongar_dsl.compiler.lowering import boards, zones
from wongar_dsl.compiler.lowering.builders.constant_loops import constant_list_loop
from wongar_dsl.compiler.lowering.context import ONE, ZERO, Dispatch, Lowering
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local

# ---- kinds of domains ----------------------------------------------------------------------------------------------


def everything(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower all values of a type, all directions, the areas of a line, exact covers, or the content of a zone."""
    kind, ref = ctx.type_of(d.base), ctx.model.refs.get(d.base)
    if kind.kind == "line":
        return boards.line(ctx, d, kind)
    if kind.kind == "coverings":
        return boards.covering(ctx, d.base, kind)
    assert ref is not None
    if ref.kind == "direction":
        return boards.directions(ctx, d)
    if ref.kind == "type":
        return Iteration(ir.Const(ctx.model.size(kind, ctx.seats)))
    return zones.contents(ctx, d.base)


def kinds(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower `kind of card in zone`: each kind present, once."""
    return replace(zones.contents(ctx, d.base), copies=None)


def span(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower `low to high`."""
    assert d.first is not None
    low, high = _at_first(ctx, ctx.bounded(d.base)), ctx.bounded(d.first)
    if local not in ctx.effects.assigned:
        ctx.bounds[local] = ctx.extent(low)[0], ctx.extent(high)[1]
    count = ctx.flow.once(ir.Bin("max", ZERO, plus(ir.Bin("-", high, low), ONE)))
    return Iteration(count, lambda k: plus(low, k))


def clockwise(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower `player clockwise from p` and `player clockwise after p`."""
    assert d.first is not None
    start = _at_first(ctx, plus(ctx.non_null(d.first), ir.Const(int(d.kind == "after"))))
    seats = ir.Const(ctx.seats)
    return Iteration(seats, lambda k: ir.Bin("%", plus(start, k), seats))


def _at_first(ctx: Lowering, value: ir.Expr) -> ir.Expr:
    """Return a value that assignments in the loop do not change."""
    stored = ctx.flow.once(value)
    if any(cell == stored and local in ctx.effects.assigned for local, cell in ctx.code.names.items()):
        extent = ctx.extent(stored)
        stored = ctx.code.variable(stored)
        ctx.code.known[stored] = extent
    return stored


# ---- loops ---------------------------------------------------------------------------------------------------------


def each(ctx: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell], None]) -> None:
    """Write a loop over a domain, with one iteration for equal cards in a zone."""
    each_counted(ctx, variable, d, lambda x, copies: body(x))


def each_counted(ctx: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell, ir.Expr], None]) -> None:
    """Write a loop over a domain; `body` gets each value and its number of copies."""
    local = ctx.model.locals[variable]
    with ctx.flow.scope():
        d, values, static = _statically_filtered(ctx, d, local) or (d, ctx.domain(d, local), ())
        copies = values.copies or (lambda x: ONE)
        _loop_over(ctx, d, replace(values, copies=None), static, local, lambda x: body(x, copies(x)))


def each_copy(ctx: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell], None]) -> None:
    """Write a loop over a domain, with an iteration for each of equal cards in a zone."""
    local = ctx.model.locals[variable]

    def run_body(x: Cell) -> None:
        # The number of copies depends on the original value, even if the name is reassigned in an iteration.
        if local in ctx.effects.assigned and values.copies is not None:
            x = ctx.code.names[local] = ctx.flow.local(x)
        body(x)

    with ctx.flow.scope():
        d, values, static = _statically_filtered(ctx, d, local) or (d, ctx.domain(d, local), ())
        _loop_over(ctx, d, values, static, local, run_body)


def _loop_over(
    ctx: Lowering, d: s.Domain, values: Iteration, static: Sequence[int], local: Local, body: Callable[[Cell], None]
) -> None:
    """Write a loop over the values that meet the conditions of a domain; `static` are those known before play."""
    single = replace(values, copies=None)
    goal = ctx.flow.once(best(ctx, d, single, local, static)) if d.measure is not None else None

    def inner(x: Cell) -> None:
        _if_condition(ctx, d, x, static, lambda: _if_extreme(ctx, d, goal, lambda: body(x)))

    ctx.flow.for_each(values, local, inner)


def best(ctx: Lowering, d: s.Domain, values: Iteration, local: Local, static: Sequence[int] = ()) -> ir.Var:
    """Return the greatest (or least) measure over a domain.  For `static` see `_without_implied`."""
    with ctx.immediate() as code:
        best_measure, has_best = code.fresh(), code.fresh()
        code.set(best_measure, ZERO)
        code.set(has_best, ZERO)

        def compare() -> None:
            assert d.measure is not None
            measure = ctx.once(d.measure)
            better = ir.Bin(">" if d.extreme == "most" else "<", measure, best_measure)
            take = (ir.SetVar(best_measure.number, measure), ir.SetVar(has_best.number, ONE))
            code.add(ir.If(ir.Bin("or", ir.Not(has_best), better), take, ()))
            code.known[best_measure] = join((0, 0), ctx.extent(measure))

        ctx.flow.for_each(values, local, lambda x: _if_condition(ctx, d, x, static, compare))
    return best_measure


def _if_condition(ctx: Lowering, d: s.Domain, x: Cell, static: Sequence[int], body: Callable[[], None]) -> None:
    if d.where is None:
        body()
    else:
        ctx.flow.when(_without_implied(ctx, ctx.condition(d.where), x, static), body)


def _if_extreme(ctx: Lowering, d: s.Domain, goal: ir.Expr | None, body: Callable[[], None]) -> None:
    if d.measure is None or goal is None:
        body()
    else:
        ctx.flow.when(ir.Bin("==", ctx.value(d.measure), goal), body)


# ---- static conditions ---------------------------------------------------------------------------------------------


def _statically_filtered(ctx: Lowering, d: s.Domain, local: Local) -> tuple[s.Domain, Iteration, Sequence[int]] | None:
    """Return a domain without its static conditions, and the values that satisfy them.

    The values are returned as an iteration and as a list.  Returns None if nothing is static.
    """
    if d.kind != "all" or d.where is None or ctx.model.refs[d.base].kind != "type":
        return None
    every = values = list(range(ctx.model.size(local.type, ctx.seats)))
    remaining = []
    for condition in s.conjuncts(d.where):
        values, is_static = _satisfying_values(ctx, condition, local, values)
        if not is_static:
            remaining.append(condition)
    if len(values) == len(every) and len(remaining) == len(s.conjuncts(d.where)):
        return None
    where = (
        None
        if not remaining
        else remaining[0]
        if len(remaining) == 1
        else s.Logical(d.where.span, "and", tuple(remaining))
    )
    return (
        replace(d, where=where),
        constant_list_loop(ctx, ("known", tuple(values)), lambda: (tuple(values),), ZERO),
        values,
    )


def _satisfying_values(
    ctx: Lowering, condition: s.Expression, local: Local, values: list[int]
) -> tuple[list[int], bool]:
    """Return the values that can satisfy a condition, and whether all of them always do."""
    if any(isinstance(n, s.Quantified | s.CountOf) for n in s.walk(condition)):
        return values, False
    outer = ctx.code
    with ctx.new_procedure(outer.rule, outer) as code:
        code.variables = outer.variables
        variable = code.names[local] = code.fresh()
        e = ctx.condition(condition)
    if any(not isinstance(statement, ir.CoverageMark) for statement in code.out):
        return values, False
    is_static = True
    for part in _conjuncts(e):
        results = [fold(part, variable.number, v, ctx.program.tables) for v in values]
        if None in results:
            is_static = False
        else:
            values = [v for v, holds in zip(values, results, strict=True) if holds]
    if is_static:
        ctx.code.add(*code.out)
    return values, is_static


def _without_implied(ctx: Lowering, e: ir.Expr, x: Cell, static: Sequence[int]) -> ir.Expr:
    """Return a condition without the conjuncts that hold for all values of `x`, if `static` lists these."""
    if not static or not isinstance(x, ir.Var):
        return e
    parts = [p for p in _conjuncts(e) if not all(fold(p, x.number, v, ctx.program.tables) for v in static)]
    return reduce(lambda left, right: ir.Bin("and", left, right), parts) if parts else ONE


def _conjuncts(e: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the conjuncts of a condition."""
    if isinstance(e, ir.Bin) and e.operator == "and":
        yield from _conjuncts(e.left)
        yield from _conjuncts(e.right)
    else:
        yield e


#: Lowering functions of this module.
LOWERED = Dispatch(
    domains={
        "all": everything,
        "kinds": kinds,
        "span": span,
        "from": clockwise,
        "after": clockwise,
    },
)

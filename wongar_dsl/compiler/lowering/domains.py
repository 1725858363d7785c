"""Lowering of domains: values of a bound name, their conditions, and the extremes of a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import fold, join, plus, times
from wongar_dsl.compiler.lowering import zones
from wongar_dsl.compiler.lowering.context import DOMAINS, NONE, ONE, REFERENCES, ZERO, Lowering
from wongar_dsl.compiler.lowering.flow import Cell, Iteration
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref, Type

# ---- values --------------------------------------------------------------------------------------------------------


def _direction(ctx: Lowering, e: s.Expression, ways: int) -> ir.Expr:
    """Lower a direction, modulo the number of directions of the lattice."""
    direction = ctx.value(e)
    return (
        ir.Const(direction.value % ways) if isinstance(direction, ir.Const) else ir.Bin("%", direction, ir.Const(ways))
    )


@REFERENCES("step")
def step(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `step(area, direction)` and `step(area, direction, how far)`."""
    board = ctx.type_of(e).name
    graph = ctx.model.boards[board]
    directions = graph.directions
    flat = (-1,) * directions + tuple(x for row in graph.steps for x in row)
    area, direction = ctx.value(e.arguments[0]), _direction(ctx, e.arguments[1], directions)
    table = ctx.program.table(("step", board), flat)
    if len(e.arguments) < 3:
        return ir.Lookup(table, plus(times(plus(area, ONE), directions), direction))
    distance, current, counter = ctx.value(e.arguments[2]), ctx.code.fresh(), ctx.code.fresh()
    direction = ctx.code.once(direction)
    ctx.code.set(current, area)
    advance = ir.SetVar(current.number, ir.Lookup(table, plus(times(plus(current, ONE), directions), direction)))
    ctx.code.add(ir.ForRange(counter.number, distance, (advance,)))
    return current


@REFERENCES("spot")
def spot(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `spot(board, column, row)`: the area there, none (-1) beyond the edge."""
    board = ctx.type_of(e).name
    spots = ctx.model.boards[board].spots
    wide, high = (max(position[i] for position in spots) for i in (0, 1))
    index = {position: i for i, position in enumerate(spots)}
    cells = tuple(index.get((x, y), -1) for x in range(wide + 1) for y in range(high + 1))
    column, row = (ctx.once(a) for a in e.arguments[1:])
    inside: ir.Expr = ONE
    for value, limit in ((column, wide), (row, high)):
        fits = ir.Bin("and", ir.Bin(">", value, ZERO), ir.Bin("<=", value, ir.Const(limit)))
        inside = ir.Bin("and", inside, fits)
    result = ctx.code.fresh()
    cell = ctx.lookup(("spot", board), cells, plus(times(column, high + 1), row))
    ctx.code.set(result, NONE)
    ctx.code.add(ir.If(inside, (ir.SetVar(result.number, cell),), ()))
    return result


@REFERENCES("row", "column")
def coordinate(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower `row of area` and `column of area`."""
    board = ctx.type_of(e.owner).name
    spots = tuple(position[ref.kind == "row"] for position in ctx.model.boards[board].spots)
    return ctx.lookup((ref.kind, board), (0, *spots), plus(ctx.value(e.owner), ONE))


# ---- domains -------------------------------------------------------------------------------------------------------


def _board(ctx: Lowering, d: s.Domain) -> str:
    return ctx.type_of(d.base).name


def directions(ctx: Lowering, d: s.Domain) -> Iteration:
    """Lower `direction of area`: all directions of the lattice."""
    assert isinstance(d.base, s.Of)
    return Iteration(ir.Const(ctx.model.boards[ctx.type_of(d.base.owner).name].directions))


def _listed(ctx: Lowering, key: object, lists: Callable[[], Iterable[tuple[int, ...]]], e: s.Expression) -> Iteration:
    """Return an iteration over a constant list for each value of an expression; empty for none."""
    index = ctx.flow.once(plus(ctx.value(e), ONE))
    return ctx.constant_list_loop(key, lambda: ((), *lists()), index)


@DOMAINS("touching")
def touching(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas adjacent to an area."""
    assert d.first is not None
    board = _board(ctx, d)
    return _listed(ctx, ("near", board, "touching", 1), lambda: ctx.model.boards[board].touching, d.first)


@DOMAINS("within")
def within(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas within a distance of an area."""
    assert isinstance(d.first, s.Number)
    assert d.second is not None
    board, distance = _board(ctx, d), d.first.value
    return _listed(ctx, ("near", board, "within", distance), lambda: ctx.model.boards[board].within(distance), d.second)


def line(ctx: Lowering, d: s.Domain, kind: Type) -> Iteration:
    """Lower the areas of a line."""
    board, length = kind.name, kind.length
    return _listed(ctx, ("line", board, length), lambda: ctx.model.boards[board].lines(length), d.base)


@DOMAINS("lines")
def lines(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower all lines of one length on a board."""
    assert isinstance(d.first, s.Number)
    board, length = _board(ctx, d), d.first.value
    number = ctx.program.list_table(("line", board, length), lambda: ((), *ctx.model.boards[board].lines(length)))
    return Iteration(ir.Const(len(ctx.program.lists[number]) - 1))


@DOMAINS("through")
def lines_through(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the lines of one length through an area."""
    assert isinstance(d.first, s.Number)
    board, length = _board(ctx, d), d.first.value
    return _listed(ctx, ("through", board, length), lambda: ctx.model.boards[board].lines_through(length), d.base)


@DOMAINS("along")
def along(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas from one in a direction, up to the edge or while the path condition holds."""
    assert d.first is not None
    assert d.second is not None
    board = _board(ctx, d)
    graph = ctx.model.boards[board]
    directions = graph.directions

    def rays() -> tuple[tuple[int, ...], ...]:
        return ((),) * directions + tuple(graph.ray(a, w) for a in range(len(graph.areas)) for w in range(directions))

    start = plus(times(plus(ctx.value(d.second), ONE), directions), _direction(ctx, d.first, directions))
    areas = ctx.constant_list_loop(("rays", board), rays, ctx.flow.once(start))
    if d.through is not None:
        condition = d.through
        areas.stop = lambda: ir.Not(ctx.condition(condition))
    return areas


@DOMAINS("reached")
def reached(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas reachable from one over areas that satisfy a condition.

    The generated code is a breadth-first search in scratch memory.
    """
    assert d.first is not None
    code, board = ctx.code, _board(ctx, d)
    size = len(ctx.model.boards[board].areas)
    marks = ctx.program.take_scratch(2 * size)
    queue = marks + size
    head, tail = code.fresh(), code.fresh()
    start = ctx.once(d.first)
    code.set(head, ZERO)
    code.set(tail, ZERO)

    def visit(area: ir.Expr) -> None:
        """Write code that enqueues an area if it is new and satisfies the condition."""
        with code.inner() as fresh:
            code.names[local] = area if isinstance(area, ir.Var) else code.variable(area)
            condition = ctx.condition(d.through) if d.through is not None else ONE
            enter = (
                ir.Poke(plus(ir.Const(marks), area), ONE),
                ir.Poke(plus(ir.Const(queue), tail), area),
                ir.SetVar(tail.number, ir.Bin("+", tail, ONE)),
            )
            code.add(ir.If(condition, enter, ()))
        new = ir.Not(ir.Peek(plus(ir.Const(marks), area)))
        code.add(ir.If(new, tuple(fresh), ()))

    with code.inner() as first:
        visit(start)
    code.add(ir.If(ir.Bin(">=", start, ZERO), tuple(first), ()))
    neighbour = code.fresh()
    lists = ctx.program.list_table(("near", board, "touching", 1), lambda: ((), *ctx.model.boards[board].touching))
    with code.inner() as search:
        code.add(ir.If(ir.Bin(">=", head, tail), (ir.Break(),), ()))
        with code.inner() as visits:
            visit(neighbour)
        code.add(ir.ForList(neighbour.number, lists, plus(ir.Peek(plus(ir.Const(queue), head)), ONE), tuple(visits)))
        code.set(head, ir.Bin("+", head, ONE))
    code.add(ir.Loop(tuple(search)))
    step = code.fresh()
    clear = ir.Poke(plus(ir.Const(marks), ir.Peek(plus(ir.Const(queue), step))), ZERO)
    code.add(ir.ForRange(step.number, tail, (clear,)))
    return Iteration(tail, lambda k: ir.Peek(plus(ir.Const(queue), k)))


def covering(ctx: Lowering, e: s.Expression, kind: Type) -> Iteration:
    """Lower the exact covers of an area by one of its sets."""
    data = ctx.model.coverings[kind.name]
    keys = len(ctx.model.enums[data.key]) if data.key else 1
    indices = e.indices if isinstance(e, s.Indexed) else (e.owner,) if isinstance(e, s.Of) else ()
    # The first lists are empty, for an area or key that is none.
    lists: list[tuple[int, ...]] = [()] * (keys + 1)
    for first in range(0, len(data.lists), keys):
        lists += [(), *data.lists[first : first + keys]]
    index = times(plus(ctx.value(indices[0]), ONE), keys + 1)
    index = plus(index, plus(ctx.value(indices[1]), ONE) if len(indices) > 1 else ONE)
    return ctx.constant_list_loop(("coverings", kind.name), lambda: tuple(lists), ctx.flow.once(index))


# ---- kinds of domains ----------------------------------------------------------------------------------------------


@DOMAINS("all")
def everything(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower all values of a type, all directions, the areas of a line, exact covers, or the content of a zone."""
    kind, ref = ctx.type_of(d.base), ctx.model.refs.get(d.base)
    if kind.kind == "line":
        return line(ctx, d, kind)
    if kind.kind == "coverings":
        return covering(ctx, d.base, kind)
    assert ref is not None
    if ref.kind == "direction":
        return directions(ctx, d)
    if ref.kind == "type":
        return Iteration(ir.Const(ctx.model.size(kind, ctx.seats)))
    return zones.contents(ctx, d.base)


@DOMAINS("kinds")
def kinds(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower `kind of card in zone`: each kind present, once."""
    return replace(zones.contents(ctx, d.base), copies=None)


@DOMAINS("span")
def span(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower `low to high`."""
    assert d.first is not None
    low, high = _at_first(ctx, ctx.bounded(d.base)), ctx.bounded(d.first)
    if local not in ctx.effects.assigned:
        ctx.bounds[local] = ctx.extent(low)[0], ctx.extent(high)[1]
    count = ctx.flow.once(ir.Bin("max", ZERO, plus(ir.Bin("-", high, low), ONE)))
    return Iteration(count, lambda k: plus(low, k))


@DOMAINS("from", "after")
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
        ctx.constant_list_loop(("known", tuple(values)), lambda: (tuple(values),), ZERO),
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

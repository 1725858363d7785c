"""Lowering of board functions, and of domains over areas and lines."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Iteration
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.lowering.builders.constant_loops import constant_list_loop
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Ref, Type

# ---- values --------------------------------------------------------------------------------------------------------


def _direction(ctx: Lowering, e: s.Expression, ways: int) -> ir.Expr:
    """Lower a direction, modulo the number of directions of the lattice."""
    direction = ctx.value(e)
    return (
        ir.Const(direction.value % ways) if isinstance(direction, ir.Const) else ir.Bin("%", direction, ir.Const(ways))
    )


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


def touching(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas adjacent to an area."""
    assert d.first is not None
    board = _board(ctx, d)
    index = ctx.flow.once(plus(ctx.value(d.first), ONE))
    return constant_list_loop(
        ctx, ("near", board, "touching", 1), lambda: ((), *ctx.model.boards[board].touching), index
    )


def within(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the areas within a distance of an area."""
    assert isinstance(d.first, s.Number)
    assert d.second is not None
    board, distance = _board(ctx, d), d.first.value
    index = ctx.flow.once(plus(ctx.value(d.second), ONE))
    return constant_list_loop(
        ctx, ("near", board, "within", distance), lambda: ((), *ctx.model.boards[board].within(distance)), index
    )


def line(ctx: Lowering, d: s.Domain, kind: Type) -> Iteration:
    """Lower the areas of a line."""
    index = ctx.flow.once(plus(ctx.value(d.base), ONE))
    return constant_list_loop(
        ctx, ("line", kind.name, kind.length), lambda: _all_lines(ctx, kind.name, kind.length), index
    )


def _all_lines(ctx: Lowering, board: str, length: int) -> tuple[tuple[int, ...], ...]:
    """Return all lines of one length, after an empty list for none."""
    return ((), *ctx.model.boards[board].lines(length))


def lines(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower all lines of one length on a board."""
    assert isinstance(d.first, s.Number)
    board, length = _board(ctx, d), d.first.value
    number = ctx.program.list_table(("line", board, length), lambda: _all_lines(ctx, board, length))
    return Iteration(ir.Const(len(ctx.program.lists[number]) - 1))


def lines_through(ctx: Lowering, d: s.Domain, local: Local) -> Iteration:
    """Lower the lines of one length through an area."""
    assert isinstance(d.first, s.Number)
    board, length = _board(ctx, d), d.first.value
    index = ctx.flow.once(plus(ctx.value(d.base), ONE))
    return constant_list_loop(
        ctx, ("through", board, length), lambda: ((), *ctx.model.boards[board].lines_through(length)), index
    )


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
    areas = constant_list_loop(ctx, ("rays", board), rays, ctx.flow.once(start))
    if d.through is not None:
        condition = d.through
        areas.stop = lambda: ir.Not(ctx.condition(condition))
    return areas


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
    return constant_list_loop(ctx, ("coverings", kind.name), lambda: tuple(lists), ctx.flow.once(index))


#: Lowering functions of this module.
LOWERED = Dispatch(
    references={
        "step": step,
        "spot": spot,
        "row": coordinate,
        "column": coordinate,
    },
    domains={
        "touching": touching,
        "within": within,
        "along": along,
        "reached": reached,
        "lines": lines,
        "through": lines_through,
    },
)

"""Domains: what a bound name runs over, with conditions, and the most or fewest of a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.builder import Cell, Iteration
from wongar_dsl.ir.extents import join
from wongar_dsl.ir.folding import fold, plus
from wongar_dsl.lower import boards, zones
from wongar_dsl.lower.context import ONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.iteration import listed
from wongar_dsl.model import Local

# ---- kinds of domains ----------------------------------------------------------------------------------------------


def everything(to: Lowering, d: s.Domain, local: Local) -> Iteration:
    """All values of a type, all directions, the areas of a line, coverings, or what lies in a zone."""
    kind, ref = to.type_of(d.base), to.model.refs.get(d.base)
    if kind.kind == "line":
        return boards.line(to, d, kind)
    if kind.kind == "coverings":
        return boards.covering(to, d.base, kind)
    assert ref is not None
    if ref.kind == "direction":
        return boards.directions(to, d)
    if ref.kind == "type":
        return Iteration(ir.Const(to.model.size(kind, to.seats)))
    return zones.contents(to, d.base)


def kinds(to: Lowering, d: s.Domain, local: Local) -> Iteration:
    """`kind of card in zone`: each kind that is there, once."""
    return replace(zones.contents(to, d.base), copies=None)


def span(to: Lowering, d: s.Domain, local: Local) -> Iteration:
    """`low to high`."""
    assert d.first is not None
    low, high = _at_first(to, to.bounded(d.base)), to.bounded(d.first)
    if local not in to.effects.assigned:
        to.bounds[local] = to.extent(low)[0], to.extent(high)[1]
    count = to.flow.once(ir.Bin("max", ZERO, plus(ir.Bin("-", high, low), ONE)))
    return Iteration(count, lambda k: plus(low, k))


def clockwise(to: Lowering, d: s.Domain, local: Local) -> Iteration:
    """`player clockwise from p`, `player clockwise after p`."""
    assert d.first is not None
    start = _at_first(to, plus(to.non_null(d.first), ir.Const(int(d.kind == "after"))))
    seats = ir.Const(to.seats)
    return Iteration(seats, lambda k: ir.Bin("%", plus(start, k), seats))


def _at_first(to: Lowering, value: ir.Expr) -> ir.Expr:
    """A value as it is before a loop, whatever is set in it."""
    kept = to.flow.once(value)
    if any(cell == kept and local in to.effects.assigned for local, cell in to.code.names.items()):
        extent = to.extent(kept)
        kept = to.code.variable(kept)
        to.code.known[kept] = extent
    return kept


# ---- loops ---------------------------------------------------------------------------------------------------------


def each(to: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell], None]) -> None:
    """A loop over a domain: `body` writes what is done for each value, of equal cards in a zone for one."""
    each_counted(to, variable, d, lambda x, copies: body(x))


def each_counted(to: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell, ir.Expr], None]) -> None:
    """A loop over a domain: `body` writes what is done for each value, given how often it is there."""
    local = to.model.locals[variable]
    with to.flow.scope():
        d, values, known = _narrowed(to, d, local) or (d, to.domain(d, local), ())
        copies = values.copies or (lambda x: ONE)
        _over(to, d, replace(values, copies=None), known, local, lambda x: body(x, copies(x)))


def each_copy(to: Lowering, variable: s.Word, d: s.Domain, body: Callable[[Cell], None]) -> None:
    """A loop over a domain: `body` writes what is done for each value, of equal cards in a zone for each."""
    local = to.model.locals[variable]

    def turn(x: Cell) -> None:
        # How many are left is asked of the value itself, whatever its name is set to in one of the turns.
        if local in to.effects.assigned and values.copies is not None:
            x = to.code.names[local] = to.flow.local(x)
        body(x)

    with to.flow.scope():
        d, values, known = _narrowed(to, d, local) or (d, to.domain(d, local), ())
        _over(to, d, values, known, local, turn)


def _over(
    to: Lowering, d: s.Domain, values: Iteration, known: Sequence[int], local: Local, body: Callable[[Cell], None]
) -> None:
    single = replace(values, copies=None)
    goal = to.flow.once(best(to, d, single, local, known)) if d.measure is not None else None
    to.flow.over(values, local, lambda x: _where(to, d, x, known, lambda: _reaching(to, d, goal, lambda: body(x))))


def best(to: Lowering, d: s.Domain, values: Iteration, local: Local, known: Sequence[int] = ()) -> ir.Var:
    """The greatest (or least) measure over a domain; `known` are the values where those are known before play."""
    with to.straight() as code:
        found_best, found = code.fresh(), code.fresh()
        code.set(found_best, ZERO)
        code.set(found, ZERO)

        def compare() -> None:
            assert d.measure is not None
            measure = to.once(d.measure)
            better = ir.Bin(">" if d.extreme == "most" else "<", measure, found_best)
            take = (ir.SetVar(found_best.number, measure), ir.SetVar(found.number, ONE))
            code.add(ir.If(ir.Bin("or", ir.Not(found), better), take, ()))
            code.known[found_best] = join((0, 0), to.extent(measure))

        to.flow.over(values, local, lambda x: _where(to, d, x, known, compare))
    return found_best


def _where(to: Lowering, d: s.Domain, x: Cell, known: Sequence[int], body: Callable[[], None]) -> None:
    if d.where is None:
        body()
    else:
        to.flow.when(_open(to, to.condition(d.where), x, known), body)


def _reaching(to: Lowering, d: s.Domain, goal: ir.Expr | None, body: Callable[[], None]) -> None:
    if d.measure is None or goal is None:
        body()
    else:
        to.flow.when(ir.Bin("==", to.value(d.measure), goal), body)


# ---- conditions that are known before play -------------------------------------------------------------------------


def _narrowed(to: Lowering, d: s.Domain, local: Local) -> tuple[s.Domain, Iteration, Sequence[int]] | None:
    """The domain without the conditions that are known before play, and what meets them, as a loop and as values."""
    if d.kind != "all" or d.where is None or to.model.refs[d.base].kind != "type":
        return None
    every = values = list(range(to.model.size(local.type, to.seats)))
    left = []
    for condition in s.conjuncts(d.where):
        values, known = _meeting(to, condition, local, values)
        if not known:
            left.append(condition)
    if len(values) == len(every) and len(left) == len(s.conjuncts(d.where)):
        return None
    where = None if not left else left[0] if len(left) == 1 else s.Logical(d.where.span, "and", tuple(left))
    return replace(d, where=where), listed(to, ("known", tuple(values)), lambda: (tuple(values),), ZERO), values


def _meeting(to: Lowering, condition: s.Expression, local: Local, values: list[int]) -> tuple[list[int], bool]:
    """The values for which a condition can hold, as far as that is known before play, and whether it always does."""
    if any(isinstance(n, s.Quantified | s.CountOf) for n in s.walk(condition)):
        return values, False
    around = to.code
    with to.apart(around.rule, around) as code:
        code.variables = around.variables
        variable = code.names[local] = code.fresh()
        e = to.condition(condition)
    if any(not isinstance(statement, ir.Mark) for statement in code.out):
        return values, False
    known = True
    for part in _parts(e):
        results = [fold(part, variable.number, v, to.pool.tables) for v in values]
        if None in results:
            known = False
        else:
            values = [v for v, holds in zip(values, results, strict=True) if holds]
    if known:
        to.code.add(*code.out)
    return values, known


def _open(to: Lowering, e: ir.Expr, x: Cell, known: Sequence[int]) -> ir.Expr:
    """A condition without the parts that hold for all the values that are known."""
    if not known or not isinstance(x, ir.Var):
        return e
    parts = [p for p in _parts(e) if not all(fold(p, x.number, v, to.pool.tables) for v in known)]
    return reduce(lambda left, right: ir.Bin("and", left, right), parts) if parts else ONE


def _parts(e: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a value that must all hold."""
    if isinstance(e, ir.Bin) and e.operator == "and":
        yield from _parts(e.left)
        yield from _parts(e.right)
    else:
        yield e


#: What is lowered here.
LOWERED = Dispatch(
    domains={
        "all": everything,
        "kinds": kinds,
        "span": span,
        "from": clockwise,
        "after": clockwise,
    },
)

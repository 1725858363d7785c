"""Domains: loops over values, areas, lines, seats and cards, and what is asked of all values of a domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.checker.lattices import line_board, line_length
from wongar_dsl.ir.folding import known
from wongar_dsl.lower.code import Unit, conjuncts, plus, times
from wongar_dsl.lower.pool import NONE, ONE, ZERO, Parts
from wongar_dsl.model import Local, Type
from wongar_dsl.syntax import walk as nodes

_LISTED = frozenset({"touching", "within"})


@dataclass(slots=True)
class Walk:
    """How a domain is walked through: `count` steps, `element(k)` at step k, which counts where `guard` holds.

    `listed` is the constant table of lists and the index into it, where there is one; the walk goes on only while
    `stop`, asked with the name bound, does not hold.
    """

    count: ir.Expr
    element: Callable[[ir.Expr], ir.Expr]
    guard: Callable[[ir.Expr], ir.Expr] | None = None
    listed: tuple[int, ir.Expr] | None = None
    zone: tuple[ir.Field, ir.Expr] | None = None
    stop: Callable[[], ir.Expr] | None = None


class Domains(Parts):
    """Lowers what binds a name."""

    def walk(self, d: s.Domain, keep: Callable[[ir.Expr], ir.Expr]) -> Walk:
        """How to walk a domain; `keep` puts away what is computed once, at the start."""
        kind = self.type_of(d.base)
        if d.kind == "span":
            assert d.first is not None
            low, high = keep(self.ex(d.base)), self.ex(d.first)
            count = keep(ir.Bin("max", ZERO, plus(ir.Bin("-", high, low), ONE)))
            return Walk(count, lambda k: plus(low, k))
        if d.kind in ("lines", "through") or kind.kind == "line":
            return self._lines(d, kind, keep)
        if kind.kind == "coverings":
            return self._coverings(d.base, kind, keep)
        if d.kind == "along":
            return self._ray(d, kind, keep)
        if d.kind == "reached":
            return self._region(d, kind)
        if d.kind in _LISTED:
            graph = self.model.boards[kind.name]
            distance = d.first.value if d.kind == "within" and isinstance(d.first, s.Number) else 1
            middle = d.second if d.kind == "within" else d.first
            assert middle is not None
            lists = graph.within(distance) if d.kind == "within" else graph.touching
            at = keep(plus(self.ex(middle), ONE))
            return self._listed(("near", kind.name, d.kind, distance), ((), *lists), at)
        if d.kind in ("from", "after"):
            assert d.first is not None
            start = keep(plus(self.sure(d.first), ir.Const(int(d.kind == "after"))))
            seats = ir.Const(self.seats)
            return Walk(seats, lambda k: ir.Bin("%", plus(start, k), seats))
        ref = self.model.refs[d.base]
        if ref.kind == "direction":
            assert isinstance(d.base, s.Of)
            return Walk(ir.Const(self.model.boards[self.type_of(d.base.owner).name].directions), lambda k: k)
        if ref.kind == "type":
            return Walk(ir.Const(self.model.size(kind, self.seats)), lambda k: k)
        place, address = self.zone(d.base)
        size = ir.Const(self.model.size(place.type, self.seats))
        at = keep(address)
        if place.kind == "tokens":
            return Walk(size, lambda k: k, lambda x: ir.Load(plus(at, x)), zone=(place, at))
        if place.kind == "slot":
            return Walk(ONE, lambda k: ir.Load(at), lambda x: ir.Bin(">=", x, ZERO))
        return Walk(size, lambda k: k, lambda x: self.copies_in(place, at, x), zone=(place, at))

    def _listed(self, key: object, lists: tuple[tuple[int, ...], ...], at: ir.Expr) -> Walk:
        """A walk through one of several constant lists."""
        widest = max(map(len, lists), default=0)
        number = self.list_table(key, lists)
        flat = self.table(("flat", key), tuple(x for row in lists for x in (*row, *(-1,) * (widest - len(row)))))
        lengths = self.table(("lengths", key), tuple(map(len, lists)))
        return Walk(ir.Lookup(lengths, at), lambda k: ir.Lookup(flat, plus(times(at, widest), k)), listed=(number, at))

    def _coverings(self, e: s.Expression, kind: Type, keep: Callable[[ir.Expr], ir.Expr]) -> Walk:
        """The exact coverings of an area by one of its sets."""
        data = self.model.coverings[kind.name]
        keys = len(self.model.enums[data.key]) if data.key else 1
        indices = e.indices if isinstance(e, s.Indexed) else (e.owner,) if isinstance(e, s.Of) else ()
        # Nothing is covered where area or key is none.
        lists: list[tuple[int, ...]] = [()] * (keys + 1)
        for first in range(0, len(data.lists), keys):
            lists += [(), *data.lists[first : first + keys]]
        at = times(plus(self.ex(indices[0]), ONE), keys + 1)
        at = plus(at, plus(self.ex(indices[1]), ONE) if len(indices) > 1 else ONE)
        return self._listed(("coverings", kind.name), tuple(lists), keep(at))

    def _lines(self, d: s.Domain, kind: Type, keep: Callable[[ir.Expr], ir.Expr]) -> Walk:
        """Lines of a board, lines through an area, or the areas of a line."""
        if kind.kind == "line":
            lists = self.model.boards[line_board(kind)].lines(line_length(kind))
            return self._listed(("line", kind.name), ((), *lists), keep(plus(self.ex(d.base), ONE)))
        assert isinstance(d.first, s.Number)
        lines = self.model.boards[kind.name].lines(d.first.value)
        if d.kind == "lines":
            return Walk(ir.Const(len(lines)), lambda k: k)
        areas = range(len(self.model.boards[kind.name].areas))
        through = tuple(tuple(i for i, line in enumerate(lines) if area in line) for area in areas)
        at = keep(plus(self.ex(d.base), ONE))
        return self._listed(("through", kind.name, d.first.value), ((), *through), at)

    def _ray(self, d: s.Domain, kind: Type, keep: Callable[[ir.Expr], ir.Expr]) -> Walk:
        """The areas from one in a direction, up to the edge or as long as the condition on the way holds."""
        assert d.first is not None
        assert d.second is not None
        graph = self.model.boards[kind.name]
        ways = graph.directions
        rays = tuple(graph.ray(a, w) for a in range(len(graph.areas)) for w in range(ways))
        start = plus(times(plus(self.ex(d.second), ONE), ways), self.direction(d.first, ways))
        walk = self._listed(("rays", kind.name), (((),) * ways + rays), keep(start))
        if d.through is not None:
            condition = d.through
            walk.stop = lambda: ir.Not(self.ex(condition))
        return walk

    def _region(self, d: s.Domain, kind: Type) -> Walk:
        """The areas that can be reached from one over areas for which a condition holds, found at once."""
        assert d.first is not None
        local = self.region_locals[d]
        size = len(self.model.boards[kind.name].areas)
        marks, queue = self.scratch, self.scratch + size
        self.scratch += 2 * size
        head, tail = self.unit.fresh(), self.unit.fresh()
        start = self.kept(d.first)
        self.unit.add(ir.SetVar(head.number, ZERO))
        self.unit.add(ir.SetVar(tail.number, ZERO))

        def visit(area: ir.Expr) -> None:
            """Enter an area, unless it was entered before or the condition does not hold for it."""
            with self.unit.inner() as fresh:
                self.unit.names[local] = area if isinstance(area, ir.Var) else self._variable(area)
                condition = self.ex(d.through) if d.through is not None else ONE
                enter = (
                    ir.Poke(plus(ir.Const(marks), area), ONE),
                    ir.Poke(plus(ir.Const(queue), tail), area),
                    ir.SetVar(tail.number, ir.Bin("+", tail, ONE)),
                )
                self.unit.add(ir.If(condition, enter, ()))
            new = ir.Not(ir.Peek(plus(ir.Const(marks), area)))
            self.unit.add(ir.If(new, tuple(fresh), ()))

        with self.unit.inner() as first:
            visit(start)
        self.unit.add(ir.If(ir.Bin(">=", start, ZERO), tuple(first), ()))
        lists = self.list_table(("near", kind.name, "touching", 1), ((), *self.model.boards[kind.name].touching))
        near = self.unit.fresh()
        with self.unit.inner() as spread:
            self.unit.add(ir.If(ir.Bin(">=", head, tail), (ir.Break(),), ()))
            with self.unit.inner() as around:
                visit(near)
            index = plus(ir.Peek(plus(ir.Const(queue), head)), ONE)
            self.unit.add(ir.ForList(near.number, lists, index, tuple(around)))
            self.unit.add(ir.SetVar(head.number, ir.Bin("+", head, ONE)))
        self.unit.add(ir.Loop(tuple(spread)))
        step = self.unit.fresh()
        clear = ir.Poke(plus(ir.Const(marks), ir.Peek(plus(ir.Const(queue), step))), ZERO)
        self.unit.add(ir.ForRange(step.number, tail, (clear,)))
        return Walk(tail, lambda k: ir.Peek(plus(ir.Const(queue), k)))

    def _variable(self, value: ir.Expr) -> ir.Var:
        variable = self.unit.fresh()
        self.unit.add(ir.SetVar(variable.number, value))
        return variable

    def each(self, variable: s.Word, d: s.Domain, body: Callable[[ir.Var], None]) -> None:
        """A loop over a domain, in the unit: `body` adds what is done for each value."""
        local = self.region_locals[d] = self.model.locals[variable]
        narrow = self._narrowed(d, local)
        if narrow is not None:
            d, walk = narrow
        else:
            walk = self.walk(d, self.unit.keep)
        best = self.best(d, walk, local) if d.measure is not None else None
        self.loop(walk, local, lambda x: self._where(d, best, x, body))

    def _narrowed(self, d: s.Domain, local: Local) -> tuple[s.Domain, Walk] | None:
        """The domain without the conditions that are known before play, and a walk through what meets them."""
        if d.kind != "all" or d.where is None or self.model.refs[d.base].kind != "type":
            return None
        values = list(range(self.model.size(local.type, self.seats)))
        left = []
        for condition in conjuncts(d.where):
            kept = self._meeting(condition, local, values)
            if kept is None:
                left.append(condition)
            else:
                values = kept
        if len(left) == len(conjuncts(d.where)):
            return None
        where = None if not left else left[0] if len(left) == 1 else s.Logical(d.where.span, "and", tuple(left))
        return replace(d, where=where), self._listed(("known", tuple(values)), (tuple(values),), ZERO)

    def _meeting(self, condition: s.Expression, local: Local, values: list[int]) -> list[int] | None:
        """The values for which a condition holds, None where that is not known before play."""
        if any(isinstance(n, s.Called | s.Quantified | s.CountOf) for n in nodes(condition)):
            return None
        around = self.unit
        self.unit = Unit(around.rule, variables=around.variables, names=dict(around.names))
        variable = self.unit.names[local] = self.unit.fresh()
        e = self.ex(condition)
        plain = not self.unit.out
        self.unit = around
        results = [known(e, variable.number, v, self.tables) for v in values] if plain else [None]
        if None in results:
            return None
        return [v for v, holds in zip(values, results, strict=True) if holds]

    def best(self, d: s.Domain, walk: Walk, local: Local) -> ir.Var:
        """The greatest (or least) measure over a domain."""
        best, found = self.unit.fresh(), self.unit.fresh()
        self.unit.add(ir.SetVar(best.number, ZERO))
        self.unit.add(ir.SetVar(found.number, ZERO))

        def compare(x: ir.Var) -> None:
            assert d.measure is not None
            measure = self.kept(d.measure)
            better = ir.Bin(">" if d.extreme == "most" else "<", measure, best)
            take = (ir.SetVar(best.number, measure), ir.SetVar(found.number, ONE))
            self.unit.add(ir.If(ir.Bin("or", ir.Not(found), better), take, ()))

        self.loop(walk, local, lambda x: self._where(d, None, x, compare))
        return best

    def _where(self, d: s.Domain, best: ir.Var | None, x: ir.Var, body: Callable[[ir.Var], None]) -> None:
        if d.where is not None:
            condition = self.ex(d.where)
            with self.unit.inner() as then:
                self._reaching(d, best, x, body)
            self.unit.add(ir.If(condition, tuple(then), ()))
        else:
            self._reaching(d, best, x, body)

    def _reaching(self, d: s.Domain, best: ir.Var | None, x: ir.Var, body: Callable[[ir.Var], None]) -> None:
        if best is None:
            body(x)
            return
        assert d.measure is not None
        condition = ir.Bin("==", self.ex(d.measure), best)
        with self.unit.inner() as then:
            body(x)
        self.unit.add(ir.If(condition, tuple(then), ()))

    def loop(self, walk: Walk, local: Local, body: Callable[[ir.Var], None]) -> None:
        """A loop over a walk, in the unit."""
        step = self.unit.fresh()
        value = step
        with self.unit.inner() as out:
            element = walk.element(step)
            if walk.listed is None and element != step:
                value = self.unit.fresh()
                self.unit.add(ir.SetVar(value.number, element))
            self.unit.names[local] = value
            if walk.stop is not None:
                self.unit.add(ir.If(walk.stop(), (ir.Break(),), ()))
            if walk.guard is not None:
                guard = walk.guard(value)
                with self.unit.inner() as then:
                    body(value)
                self.unit.add(ir.If(guard, tuple(then), ()))
            else:
                body(value)
        if walk.listed is not None:
            self.unit.add(ir.ForList(step.number, walk.listed[0], walk.listed[1], tuple(out)))
        else:
            self.unit.add(ir.ForRange(step.number, walk.count, tuple(out)))

    def quantified(self, e: s.Quantified) -> ir.Expr:
        """The value of an expression that binds a name."""
        if e.kind == "random":
            return self._random(e)
        result = self.unit.fresh()
        start = {"none": ONE, "every": ONE, "first": NONE}.get(e.kind, ZERO)
        self.unit.add(ir.SetVar(result.number, start))

        def stop(value: ir.Expr) -> tuple[ir.Stmt, ...]:
            return (ir.SetVar(result.number, value), ir.Break())

        def body(x: ir.Var) -> None:
            add = self.unit.add
            match e.kind:
                case "some":
                    for statement in stop(ONE):
                        add(statement)
                case "none":
                    for statement in stop(ZERO):
                        add(statement)
                case "first":
                    for statement in stop(x):
                        add(statement)
                case "every":
                    assert e.value is not None
                    add(ir.If(self.ex(e.value), (), stop(ZERO)))
                case "number":
                    add(ir.SetVar(result.number, ir.Bin("+", result, ONE)))
                case "sum":
                    assert e.value is not None
                    add(ir.SetVar(result.number, ir.Bin("+", result, self.ex(e.value))))

        if e.kind in ("highest", "lowest"):
            d = s.Domain(
                e.domain.span, e.domain.kind, e.domain.base, e.domain.first, e.domain.second, e.domain.where,
                "most" if e.kind == "highest" else "fewest", e.value, e.domain.through,
            )  # fmt: skip
            local = self.region_locals[d] = self.model.locals[e.variable]
            walk = self.walk(d, self.unit.keep)
            return self.best(d, walk, local)
        self.each(e.variable, e.domain, body)
        return result

    def _random(self, e: s.Quantified) -> ir.Expr:
        """Draw one value, each with its weight; a card of a zone with the number of its copies."""
        total, left, result = self.unit.fresh(), self.unit.fresh(), self.unit.fresh()
        base_zone: list[tuple[ir.Field, ir.Expr]] = []
        if e.domain.kind == "all" and self.model.refs[e.domain.base].kind == "zone":
            base_zone.append(self.zone(e.domain.base))

        def weight(x: ir.Var) -> ir.Expr:
            if e.value is not None:
                return self.kept(e.value)
            if not base_zone:
                return ONE
            place, address = base_zone[0]
            return ir.Load(plus(address, x)) if place.kind == "tokens" else self.copies_in(place, address, x)

        def count(x: ir.Var) -> None:
            self.unit.add(ir.SetVar(total.number, ir.Bin("+", total, weight(x))))

        def find(x: ir.Var) -> None:
            w = self.unit.keep(weight(x))
            hit = (ir.SetVar(result.number, x), ir.Break())
            self.unit.add(ir.If(ir.Bin("<", left, w), hit, ()))
            self.unit.add(ir.SetVar(left.number, ir.Bin("-", left, w)))

        self.unit.add(ir.SetVar(total.number, ZERO))
        self.each(e.variable, e.domain, count)
        self.unit.add(ir.If(ir.Bin("<=", total, ZERO), (ir.Fault(self.fault("R0609", e)),), ()))
        self.unit.add(ir.Chance(left.number, total))
        self.unit.add(ir.SetVar(result.number, NONE))
        self.each(e.variable, e.domain, find)
        return result

    def tally(self, e: s.Quantified) -> tuple[ir.Expr, ...]:
        """A tally of players: for each seat whether it counts, and its number."""
        assert e.value is not None
        inside = [self.unit.fresh() for _ in range(self.seats)]
        numbers = [self.unit.fresh() for _ in range(self.seats)]
        for variable in (*inside, *numbers):
            self.unit.add(ir.SetVar(variable.number, ZERO))

        def body(x: ir.Var) -> None:
            assert e.value is not None
            number = self.kept(e.value)
            for seat in range(self.seats):
                take = (ir.SetVar(inside[seat].number, ONE), ir.SetVar(numbers[seat].number, number))
                self.unit.add(ir.If(ir.Bin("==", x, ir.Const(seat)), take, ()))

        self.each(e.variable, e.domain, body)
        return tuple(cell for pair in zip(inside, numbers, strict=True) for cell in pair)

    def direction(self, e: s.Expression, ways: int) -> ir.Expr:
        """A direction as a number that a lattice has."""
        way = self.ex(e)
        return ir.Const(way.value % ways) if isinstance(way, ir.Const) else ir.Bin("%", way, ir.Const(ways))

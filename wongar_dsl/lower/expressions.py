"""Expressions and domains: pure code, with loops put in front where a bound name needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.checker.lattices import line_board, line_length
from wongar_dsl.lower.code import Unit, plus, times
from wongar_dsl.lower.layout import Layout
from wongar_dsl.model import Local, Model, Type

ZERO, ONE, NONE = ir.Const(0), ir.Const(1), ir.Const(-1)
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
    known: bool = True
    zone: tuple[ir.Place, ir.Expr] | None = None
    stop: Callable[[], ir.Expr] | None = None


class Expressions:
    """Lowers expressions of one game for a number of seats into the unit at hand."""

    def __init__(self, model: Model, seats: int, options: dict[str, int]) -> None:
        self.model = model
        self.seats = seats
        self.options = options
        self.layout = Layout(model, seats)
        self.unit = Unit("")
        self.article: s.Article | None = None
        self.tables: list[tuple[int, ...]] = []
        self.lists: list[tuple[tuple[int, ...], ...]] = []
        self.faults: list[ir.FaultSpec] = []
        self.procedures: list[ir.Procedure | None] = []
        self.scratch = 0
        self._table_numbers: dict[object, int] = {}
        self._list_numbers: dict[object, int] = {}
        self._procedure_numbers: dict[s.Article, int] = {}
        self.region_locals: dict[s.Domain, Local] = {}

    # ---- constants of the program ----

    def table(self, key: object, cells: tuple[int, ...]) -> int:
        """The number of a constant table; `key` tells it apart."""
        if key not in self._table_numbers:
            self._table_numbers[key] = len(self.tables)
            self.tables.append(cells)
        return self._table_numbers[key]

    def list_table(self, key: object, lists: tuple[tuple[int, ...], ...]) -> int:
        """The number of a constant table of lists."""
        if key not in self._list_numbers:
            self._list_numbers[key] = len(self.lists)
            self.lists.append(lists)
        return self._list_numbers[key]

    def fault(self, code: str, node: s.Node, name: str = "") -> int:
        """The number of a fault at a place in the rules."""
        rule = self.article.name.text if self.article is not None else ""
        self.faults.append(ir.FaultSpec(code, rule, node.span, name))
        return len(self.faults) - 1

    # ---- expressions ----

    def type_of(self, e: s.Expression) -> Type:
        """The type that the checker found."""
        return self.model.types[e]

    def ex(self, e: s.Expression) -> ir.Expr:
        """Lower an expression; what must be done first is added to the unit."""
        match e:
            case s.Number(value=value):
                return ir.Const(value)
            case s.Truth(value=yes):
                return ir.Const(int(yes))
            case s.Nobody():
                return NONE
            case s.Name() | s.Of() | s.Indexed() | s.Called():
                return self._reference(e)
            case s.Negation(operand=operand):
                inner = self.ex(operand)
                return ir.Const(int(not inner.value)) if isinstance(inner, ir.Const) else ir.Not(inner)
            case s.Minus(operand=operand):
                inner = self.ex(operand)
                return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Bin("-", ZERO, inner)
            case s.Binary(operator=operator, left=left, right=right):
                return self._binary(e, operator, left, right)
            case s.Logical(operator=operator, operands=operands):
                return self._logical(operator, operands)
            case s.Compare():
                return self._compare(e)
            case s.Empty(zone=zone, negated=negated):
                place, address = self.zone(zone)
                if place.kind == "slot":
                    return ir.Bin(">=" if negated else "<", ir.Load(address), ZERO)
                return ir.Bin(">" if negated else "==", self.size_of(place, address), ZERO)
            case s.CountOf(card=card, zone=zone):
                return self._count(card, zone)
            case s.Quantified():
                return self._quantified(e)
        raise AssertionError(e)

    def kept(self, e: s.Expression) -> ir.Expr:
        """Lower an expression and keep its value in a variable, unless it is a constant or one already."""
        return self.unit.keep(self.ex(e))

    def _binary(self, e: s.Expression, operator: str, left: s.Expression, right: s.Expression) -> ir.Expr:
        a, b = self.ex(left), self.ex(right)
        if operator in ("div", "mod"):
            if not isinstance(b, ir.Const) or b.value == 0:
                b = self.unit.keep(b)
                self.unit.add(ir.If(ir.Bin("==", b, ZERO), (ir.Fault(self.fault("R0608", e)),), ()))
            return ir.Bin({"div": "//", "mod": "%"}[operator], a, b)
        if isinstance(a, ir.Const) and isinstance(b, ir.Const):
            return ir.Const({"+": a.value + b.value, "-": a.value - b.value, "*": a.value * b.value}[operator])
        return plus(a, b) if operator == "+" else ir.Bin(operator, a, b)

    def _logical(self, operator: str, operands: tuple[s.Expression, ...]) -> ir.Expr:
        result = self.ex(operands[0])
        for operand in operands[1:]:
            with self.unit.inner() as before:
                right = self.ex(operand)
            if not before:
                result = ir.Bin(operator, result, right)
                continue
            # What comes first for the right side may only be done where the left side leaves it open.
            kept = self.unit.fresh()
            self.unit.add(ir.SetVar(kept.number, result))
            body = (*before, ir.SetVar(kept.number, right))
            self.unit.add(ir.If(kept, body, ()) if operator == "and" else ir.If(kept, (), body))
            result = kept
        return result

    def _compare(self, e: s.Compare) -> ir.Expr:
        operator = {"=": "=="}.get(e.operator, e.operator)
        left = self.ex(e.left)
        ref = self.model.refs.get(e.right)
        if ref is not None and ref.kind == "facekind":
            table, number = self._face_kinds(self.type_of(e.left).name, ref.name)
            return ir.Bin(operator, ir.Lookup(table, plus(left, ONE)), ir.Const(number))
        right = self.ex(e.right)
        if isinstance(left, ir.Const) and isinstance(right, ir.Const) and operator in ("==", "!="):
            return ir.Const(int((left.value == right.value) == (operator == "==")))
        return ir.Bin(operator, left, right)

    def _face_kinds(self, cards: str, kind: str) -> tuple[int, int]:
        """A table from card + 1 to the number of its kind, and the number of one kind."""
        faces = self.model.cards[cards].faces
        kinds = list(dict.fromkeys(f.kind for f in faces))
        return self.table(("kinds", cards), (-1, *(kinds.index(f.kind) for f in faces))), kinds.index(kind)

    def _count(self, card: s.Expression, zone: s.Expression) -> ir.Expr:
        place, address = self.zone(zone)
        ref = self.model.refs.get(card)
        if ref is not None and ref.kind == "facekind":
            faces = self.model.cards[place.type.name].faces
            wanted = [i for i, f in enumerate(faces) if f.kind == ref.name]
            total: ir.Expr = ZERO
            for face in wanted:
                total = plus(total, self.copies_in(place, address, ir.Const(face)))
            return total
        return self.copies_in(place, address, self.ex(card))

    def copies_in(self, place: ir.Place, address: ir.Expr, card: ir.Expr) -> ir.Expr:
        """How many of a card lie in a zone."""
        if place.kind == "heap":
            return ir.Load(plus(plus(address, ONE), card))
        if place.kind == "slot":
            return ir.Bin("==", ir.Load(address), card)
        return ir.CountIn(address, card)

    # ---- names ----

    def _reference(self, e: s.Name | s.Of | s.Indexed | s.Called) -> ir.Expr:
        ref = self.model.refs[e]
        match ref.kind:
            case "local":
                assert ref.local is not None
                return self.local(ref.local)
            case "value":
                return ir.Const(ref.number)
            case "players":
                return ir.Const(self.seats)
            case "time":
                return ir.Load(ir.Const(ir.AT_TIME))
            case "step" | "spot":
                assert isinstance(e, s.Called)
                return self._on_board(ref.kind, e)
            case "option":
                return ir.Const(self.options[ref.name])
            case "remember" | "score":
                return ir.Load(self.address(ref.name, self._indices(e)))
            case "slot":
                return ir.Load(self.zone(e)[1])
            case "tokens":
                *indices, kind = self._indices(e)
                return ir.Load(plus(self.address(ref.name, indices), kind))
            case "table":
                return self._cell(ref.name, self._indices(e))
            case "face":
                return self._face(e)
            case "define" | "rule":
                assert isinstance(e, s.Called)
                return self.call(self.model.articles[ref.kind, ref.name], e.arguments)
            case "least" | "greatest":
                assert isinstance(e, s.Called)
                first, *rest = [self.ex(a) for a in e.arguments]
                for other in rest:
                    first = ir.Bin("min" if ref.kind == "least" else "max", first, other)
                return first
        assert isinstance(e, s.Of)
        return self._property(e, ref.kind, ref.name)

    def local(self, local: Local) -> ir.Expr:
        """Where a local name is kept."""
        return self.unit.names[local]

    def _indices(self, e: s.Expression) -> list[ir.Expr]:
        match e:
            case s.Of(owner=owner):
                return [self.ex(owner)]
            case s.Indexed(indices=indices):
                return [self.ex(i) for i in indices]
        return []

    def address(self, name: str, indices: list[ir.Expr]) -> ir.Expr:
        """The address of one of several zones or values."""
        return self.address_in(self.layout.place(name), indices)

    def address_in(self, place: ir.Place, indices: list[ir.Expr]) -> ir.Expr:
        """The address of the copy of a place that the indices name."""
        result: ir.Expr = ir.Const(place.base)
        factor = place.width
        for index, size in zip(reversed(indices), reversed(place.sizes), strict=True):
            result = plus(result, times(index, factor))
            factor *= size
        return result

    def _cell(self, name: str, indices: list[ir.Expr]) -> ir.Expr:
        data = self.model.tables[name]
        index: ir.Expr = ZERO
        factor = 1
        for i, low, size in zip(reversed(indices), reversed(data.lows), reversed(data.sizes), strict=True):
            index = plus(index, times(plus(i, ir.Const(-low)), factor))
            factor *= size
        if isinstance(index, ir.Const) and 0 <= index.value < len(data.cells):
            return ir.Const(data.cells[index.value])
        return ir.Lookup(self.table(("table", name), data.cells), index)

    def _face(self, e: s.Expression) -> ir.Expr:
        assert isinstance(e, s.Called)
        sort = self.model.cards[self.type_of(e).name]
        faces = [(i, f) for i, f in enumerate(sort.faces) if f.kind == e.name]
        arguments = [self.ex(a) for a in e.arguments]
        # Faces of one kind stand together, the last parameter counting fastest.
        index: ir.Expr = ir.Const(faces[0][0])
        factor = 1
        for position in reversed(range(len(arguments))):
            index = plus(index, times(arguments[position], factor))
            factor *= 1 + max(f.arguments[position] for _, f in faces)
        return index

    def _property(self, e: s.Of, kind: str, name: str) -> ir.Expr:
        owner = e.owner
        match kind:
            case "left":
                return ir.Bin("%", plus(self.ex(owner), ONE), ir.Const(self.seats))
            case "right":
                return ir.Bin("%", plus(self.ex(owner), ir.Const(self.seats - 1)), ir.Const(self.seats))
            case "holder" | "place":
                return ir.Load(plus(ir.Const(self.layout.places[f"{kind} {kind}"].base), self.ex(owner)))
            case "top":
                return ir.Top(self.zone(owner)[1])
            case "bottom":
                return ir.Bottom(self.zone(owner)[1])
            case "size":
                return self.size_of(*self.zone(owner))
            case "attribute":
                card = self.ex(owner)
                cards = self.type_of(owner).name
                values = self.model.cards[cards].attributes[name][1]
                return ir.Lookup(self.table(("attribute", cards, name), (-1, *values)), plus(card, ONE))
        if kind in ("row", "column"):
            board = self.type_of(owner).name
            spots = tuple(spot[kind == "row"] for spot in self.model.boards[board].spots)
            return ir.Lookup(self.table((kind, board), (0, *spots)), plus(self.ex(owner), ONE))
        track = self.type_of(owner).name
        stretches = self.model.tracks[track]
        position = ir.Load(ir.Const(self.layout.place(track).base))
        match kind:
            case "space":
                return plus(position, ONE)
            case "spaces":
                return ir.Const(sum(n for _, n in stretches))
        phase_type = self.type_of(e)
        phases = self.model.enums[phase_type.name]
        cells = tuple(phases.index(phase) for phase, n in stretches for _ in range(n))
        return ir.Lookup(self.table(("phases", track), cells), position)

    def _on_board(self, name: str, e: s.Called) -> ir.Expr:
        """`step(area, direction)` and `spot(board, column, row)`."""
        board = self.type_of(e).name
        graph = self.model.boards[board]
        ways = graph.directions
        if name == "step":
            flat = (-1,) * ways + tuple(x for row in graph.steps for x in row)
            area, way = self.ex(e.arguments[0]), self._direction(e.arguments[1], ways)
            return ir.Lookup(self.table(("step", board), flat), plus(times(plus(area, ONE), ways), way))
        wide, high = (max(spot[i] for spot in graph.spots) for i in (0, 1))
        index = {spot: i for i, spot in enumerate(graph.spots)}
        cells = tuple(index.get((x, y), -1) for x in range(wide + 1) for y in range(high + 1))
        column, row = (self.unit.keep(self.ex(a)) for a in e.arguments[1:])
        inside: ir.Expr = ir.Const(1)
        for value, most in ((column, wide), (row, high)):
            fits = ir.Bin("and", ir.Bin(">", value, ZERO), ir.Bin("<=", value, ir.Const(most)))
            inside = ir.Bin("and", inside, fits)
        result = self.unit.fresh()
        cell = ir.Lookup(self.table(("spot", board), cells), plus(times(column, high + 1), row))
        self.unit.add(ir.SetVar(result.number, NONE))
        self.unit.add(ir.If(inside, (ir.SetVar(result.number, cell),), ()))
        return result

    def _direction(self, e: s.Expression, ways: int) -> ir.Expr:
        way = self.ex(e)
        return ir.Const(way.value % ways) if isinstance(way, ir.Const) else ir.Bin("%", way, ir.Const(ways))

    # ---- zones ----

    def zone(self, e: s.Expression) -> tuple[ir.Place, ir.Expr]:
        """The place that an expression names, and its address."""
        ref = self.model.refs[e]
        place = self.layout.place(ref.name)
        return place, self.address_in(place, self._indices(e))

    def zone_indices(self, e: s.Expression) -> tuple[ir.Place, list[ir.Expr]]:
        """The place that an expression names, and its indices."""
        return self.layout.place(self.model.refs[e].name), self._indices(e)

    def size_of(self, place: ir.Place, address: ir.Expr) -> ir.Expr:
        """How many cards or tokens are in a zone."""
        if place.kind == "slot":
            return ir.Bin(">=", ir.Load(address), ZERO)
        if place.kind != "tokens":
            return ir.Load(address)
        total: ir.Expr = ir.Load(address)
        for i in range(1, place.width):
            total = ir.Bin("+", total, ir.Load(plus(address, ir.Const(i))))
        return total

    def seen_by(self, place: ir.Place, indices: list[ir.Expr]) -> ir.Expr:
        """Who sees what is in a zone, as bits."""
        if place.seen == "all":
            return NONE
        if place.seen == "owner" and place.owner is not None:
            return ir.Bin("<<", ONE, indices[place.owner])
        return ZERO

    # ---- domains ----

    def walk(self, d: s.Domain, keep: Callable[[ir.Expr], ir.Expr]) -> Walk:
        """How to walk a domain; `keep` puts away what is computed once, at the start."""
        kind = self.type_of(d.base)
        if d.kind == "span":
            assert d.first is not None
            low, high = keep(self.ex(d.base)), self.ex(d.first)
            count = keep(ir.Bin("max", ZERO, plus(ir.Bin("-", high, low), ONE)))
            return Walk(count, lambda k: plus(low, k), known=isinstance(count, ir.Const))
        if d.kind in ("lines", "through") or kind.kind == "line":
            return self._lines(d, kind, keep)
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
            start = keep(plus(self.ex(d.first), ir.Const(int(d.kind == "after"))))
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
        return Walk(
            ir.Lookup(lengths, at), lambda k: ir.Lookup(flat, plus(times(at, widest), k)), listed=(number, at)
        )

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
        assert d.first is not None and d.second is not None
        graph = self.model.boards[kind.name]
        ways = graph.directions
        rays = tuple(graph.ray(a, w) for a in range(len(graph.areas)) for w in range(ways))
        start = plus(times(plus(self.ex(d.second), ONE), ways), self._direction(d.first, ways))
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
        self.unit.add(ir.ForRange(step.number, tail, (clear,), charged=True))
        return Walk(tail, lambda k: ir.Peek(plus(ir.Const(queue), k)), known=False)

    def _variable(self, value: ir.Expr) -> ir.Var:
        variable = self.unit.fresh()
        self.unit.add(ir.SetVar(variable.number, value))
        return variable

    def each(self, variable: s.Word, d: s.Domain, body: Callable[[ir.Var], None]) -> None:
        """A loop over a domain, in the unit: `body` adds what is done for each value."""
        local = self.region_locals[d] = self.model.locals[variable]
        walk = self.walk(d, self.unit.keep)
        best = self._best(d, walk, local) if d.measure is not None else None
        self.loop(walk, local, lambda x: self._where(d, best, x, body))

    def _best(self, d: s.Domain, walk: Walk, local: Local) -> ir.Var:
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
            self.unit.add(ir.ForRange(step.number, walk.count, tuple(out), charged=not walk.known))

    def _quantified(self, e: s.Quantified) -> ir.Expr:
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
            return self._best(d, walk, local)
        self.each(e.variable, e.domain, body)
        return result

    def _random(self, e: s.Quantified) -> ir.Expr:
        """Draw one value, each with its weight; a card of a zone with the number of its copies."""
        total, left, result = self.unit.fresh(), self.unit.fresh(), self.unit.fresh()
        base_zone: list[tuple[ir.Place, ir.Expr]] = []
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

    # ---- calls ----

    def call(self, article: s.Article, arguments: tuple[s.Expression, ...]) -> ir.Expr:
        """Call a definition or a rule without decisions; its value in a variable."""
        values = tuple(self.ex(a) for a in arguments)
        into = self.unit.fresh()
        self.unit.add(ir.Call(self.procedure(article), values, into.number))
        return into

    def procedure(self, article: s.Article) -> int:
        """The number of the procedure of an article, lowered at its first use."""
        if article not in self._procedure_numbers:
            number = self._procedure_numbers[article] = len(self.procedures)
            self.procedures.append(None)
            around, self.unit = self.unit, Unit(article.name.text)
            around_article, self.article = self.article, article
            for parameter in self.model.parameters[article]:
                self.unit.names[parameter] = self.unit.fresh()
            self.body_of(article)
            parameters = len(self.model.parameters[article])
            self.procedures[number] = ir.Procedure(article.name.text, parameters, tuple(self.unit.out))
            self.unit, self.article = around, around_article
        return self._procedure_numbers[article]

    def body_of(self, article: s.Article) -> None:
        """The body of a definition; statements know more articles."""
        assert isinstance(article, s.Define)
        self.unit.add(ir.Return(self.ex(article.value)))

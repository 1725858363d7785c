"""Expressions: pure code, with loops put in front where a bound name needs them."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import Unit, plus, times
from wongar_dsl.lower.domains import Domains
from wongar_dsl.lower.pool import MAX_VALUE, NONE, ONE, ZERO
from wongar_dsl.model import NUMBER, Local


class Expressions(Domains):
    """Lowers expressions into the unit at hand."""

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
            case s.Either(condition=condition, then=then, other=other):
                return self._either(condition, then, other)
            case s.Empty(zone=zone, negated=negated):
                place, address = self.zone(zone)
                if place.kind == "slot":
                    return ir.Bin(">=" if negated else "<", ir.Load(address), ZERO)
                return ir.Bin(">" if negated else "==", self.size_of(place, address), ZERO)
            case s.CountOf(card=card, zone=zone):
                return self._count(card, zone)
            case s.Quantified():
                return self.quantified(e)
        raise AssertionError(e)

    def _binary(self, e: s.Expression, operator: str, left: s.Expression, right: s.Expression) -> ir.Expr:
        a, b = self.ex(left), self.ex(right)
        if operator in ("div", "mod"):
            if not isinstance(b, ir.Const) or b.value == 0:
                b = self.unit.keep(b)
                self.unit.add(ir.If(ir.Bin("==", b, ZERO), (ir.Fault(self.fault("R0608", e)),), ()))
            return ir.Bin({"div": "//", "mod": "%"}[operator], a, b)
        small = max(abs(x.value) if isinstance(x, ir.Const) else 0 for x in (a, b)) < 1 << 31
        if isinstance(a, ir.Const) and isinstance(b, ir.Const) and (small or operator != "*"):
            return ir.Const({"+": a.value + b.value, "-": a.value - b.value, "*": a.value * b.value}[operator])
        if operator == "*":
            return self.in_range(e, ir.Bin("*", a, b), "*")
        return plus(a, b) if operator == "+" else ir.Bin(operator, a, b)

    def in_range(self, node: s.Node, value: ir.Expr, name: str) -> ir.Expr:
        """A value that could grow without bounds, kept, and a fault where it did."""
        kept = self.unit.keep(value)
        far = ir.Bin("or", ir.Bin(">", kept, ir.Const(MAX_VALUE)), ir.Bin("<", kept, ir.Const(-MAX_VALUE)))
        self.unit.add(ir.If(far, (ir.Fault(self.fault("R0603", node, name)),), ()))
        return kept

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

    def _either(self, condition: s.Expression, then: s.Expression, other: s.Expression) -> ir.Expr:
        test, result = self.ex(condition), self.unit.fresh()
        with self.unit.inner() as first:
            self.unit.add(ir.SetVar(result.number, self.ex(then)))
        with self.unit.inner() as second:
            self.unit.add(ir.SetVar(result.number, self.ex(other)))
        self.unit.add(ir.If(test, tuple(first), tuple(second)))
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
        if not self.doubts.may_be_none(card):
            return self.copies_in(place, address, self.ex(card))
        wanted_card, found = self.kept(card), self.unit.fresh()
        self.unit.add(ir.SetVar(found.number, ZERO))
        count = ir.SetVar(found.number, self.copies_in(place, address, wanted_card))
        self.unit.add(ir.If(ir.Bin(">=", wanted_card, ZERO), (count,), ()))
        return found

    def copies_in(self, place: ir.Field, address: ir.Expr, card: ir.Expr) -> ir.Expr:
        """How many of a card lie in a zone."""
        if place.kind == "heap":
            return ir.Load(plus(plus(address, ONE), card))
        if place.kind == "slot":
            return ir.Bin("==", ir.Load(address), card)
        if place.kind == "layout":
            return ir.Bin(">", ir.Load(plus(plus(address, ONE), times(card, 2))), ZERO)
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
            case "laid" | "laid_at" | "side" | "facing":
                return self._laid(ref.kind, self.memory.place(ref.name), e)
            case "step" | "spot":
                assert isinstance(e, s.Called)
                return self._on_board(ref.kind, e)
            case "player":
                assert isinstance(e, s.Called)
                return self._numbered(e.arguments[0])
            case "option":
                return ir.Const(self.settings[ref.name])
            case "remember" | "score":
                return self._read(e, lambda indices: ir.Load(self.address(ref.name, indices)))
            case "slot":
                return ir.Load(self.zone(e)[1])
            case "tokens":
                return self._read(
                    e, lambda indices: ir.Load(plus(self.address(ref.name, list(indices[:-1])), indices[-1]))
                )
            case "table":
                return self._read(e, lambda indices: self._cell(e, ref.name, indices))
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
        return [self.sure(index) for index in _index_nodes(e)]

    def _read(self, e: s.Expression, value: Callable[[list[ir.Expr]], ir.Expr]) -> ir.Expr:
        """What belongs to some values; to nobody belongs nothing: nobody, 0 or no."""
        indices, there = [], []
        for node in _index_nodes(e):
            index = self.ex(node)
            if self.doubts.may_be_none(node):
                index = self.unit.keep(index)
                there.append(ir.Bin(">=", index, ZERO))
            indices.append(index)
        if not there:
            return value(indices)
        result = self.unit.fresh()
        self.unit.add(ir.SetVar(result.number, NONE if self.type_of(e).can_be_none else ZERO))
        test: ir.Expr = there[0]
        for other in there[1:]:
            test = ir.Bin("and", test, other)
        with self.unit.inner() as then:
            self.unit.add(ir.SetVar(result.number, value(indices)))
        self.unit.add(ir.If(test, tuple(then), ()))
        return result

    def address(self, name: str, indices: list[ir.Expr]) -> ir.Expr:
        """The address of one of several zones or values."""
        return self.address_in(self.memory.place(name), indices)

    def address_in(self, place: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
        """The address of the copy of a place that the indices name."""
        result: ir.Expr = ir.Const(place.base)
        factor = place.width
        for index, size in zip(reversed(indices), reversed(place.sizes), strict=True):
            result = plus(result, times(index, factor))
            factor *= size
        return result

    def _cell(self, e: s.Expression, name: str, indices: list[ir.Expr]) -> ir.Expr:
        data = self.model.tables[name]
        for number, (kind, low, size) in enumerate(zip(data.keys, data.lows, data.sizes, strict=True)):
            at = indices[number]
            if kind == NUMBER and not (isinstance(at, ir.Const) and low <= at.value < low + size):
                at = indices[number] = self.unit.keep(at)
                out = ir.Bin("or", ir.Bin("<", at, ir.Const(low)), ir.Bin(">=", at, ir.Const(low + size)))
                self.unit.add(ir.If(out, (ir.Fault(self.fault("R0603", e, name)),), ()))
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
                return self._read(e, lambda at: ir.Bin("%", plus(at[0], ONE), ir.Const(self.seats)))
            case "right":
                return self._read(
                    e, lambda at: ir.Bin("%", plus(at[0], ir.Const(self.seats - 1)), ir.Const(self.seats))
                )
            case "position":
                return plus(self.ex(owner), ONE)
            case "holder" | "place":
                return ir.Load(plus(ir.Const(self.memory.places[f"{kind} {kind}"].base), self.ex(owner)))
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
        position = ir.Load(ir.Const(self.memory.place(track).base))
        match kind:
            case "space":
                return plus(position, ONE)
            case "spaces":
                return ir.Const(sum(n for _, n in stretches))
        phase_type = self.type_of(e)
        phases = self.model.enums[phase_type.name]
        cells = tuple(phases.index(phase) for phase, n in stretches for _ in range(n))
        return ir.Lookup(self.table(("phases", track), cells), position)

    def _numbered(self, e: s.Expression) -> ir.Expr:
        """The player of a number, counted from 1; nobody has another."""
        number = self.ex(e)
        if isinstance(number, ir.Const):
            return ir.Const(number.value - 1) if 1 <= number.value <= self.seats else NONE
        number, result = self.unit.keep(number), self.unit.fresh()
        there = ir.Bin("and", ir.Bin(">=", number, ONE), ir.Bin("<=", number, ir.Const(self.seats)))
        self.unit.add(ir.SetVar(result.number, NONE))
        self.unit.add(ir.If(there, (ir.SetVar(result.number, plus(number, NONE)),), ()))
        return result

    def _on_board(self, name: str, e: s.Called) -> ir.Expr:
        """`step(area, direction)` and `spot(board, column, row)`."""
        board = self.type_of(e).name
        graph = self.model.boards[board]
        ways = graph.directions
        if name == "step":
            flat = (-1,) * ways + tuple(x for row in graph.steps for x in row)
            area, way = self.ex(e.arguments[0]), self.direction(e.arguments[1], ways)
            table = self.table(("step", board), flat)
            if len(e.arguments) < 3:
                return ir.Lookup(table, plus(times(plus(area, ONE), ways), way))
            far, at, again = self.ex(e.arguments[2]), self.unit.fresh(), self.unit.fresh()
            way = self.unit.keep(way)
            self.unit.add(ir.SetVar(at.number, area))
            on = ir.SetVar(at.number, ir.Lookup(table, plus(times(plus(at, ONE), ways), way)))
            self.unit.add(ir.ForRange(again.number, far, (on,)))
            return at
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

    def _laid(self, kind: str, place: ir.Field, e: s.Name | s.Of | s.Indexed | s.Called) -> ir.Expr:
        """What is asked of a layout: the card in an area, a card's area, which side faces where.

        For each card a layout keeps its area, counted from 1, and by how many sides it is turned.
        """
        if kind == "laid":
            *indices, area = self._indices(e)
            at = self.unit.keep(plus(self.address_in(place, indices), ONE))
            wanted = self.unit.keep(plus(area, ONE))
            result, card = self.unit.fresh(), self.unit.fresh()
            self.unit.add(ir.SetVar(result.number, NONE))
            here = ir.Bin("==", ir.Load(plus(at, times(card, 2))), wanted)
            found = ir.If(here, (ir.SetVar(result.number, card), ir.Break()), ())
            every = ir.ForRange(card.number, ir.Const((place.width - 1) // 2), (found,))
            self.unit.add(ir.If(ir.Bin(">", wanted, ZERO), (every,), ()))
            return result
        first = ir.Const(place.base + 1)
        if kind == "laid_at":
            assert isinstance(e, s.Of)
            owner = self.unit.keep(self.ex(e.owner))
            area = self.unit.fresh()
            self.unit.add(ir.SetVar(area.number, NONE))
            load = ir.SetVar(area.number, ir.Bin("-", ir.Load(plus(first, times(owner, 2))), ONE))
            self.unit.add(ir.If(ir.Bin(">=", owner, ZERO), (load,), ()))
            return area
        assert isinstance(e, s.Called)
        zone = self.model.articles["zone", place.name]
        assert isinstance(zone, s.Zone)
        assert zone.board is not None
        sides = self.model.boards[zone.board.text].directions
        laid, number = (self.ex(a) for a in e.arguments)
        turned = ir.Load(plus(plus(first, ONE), times(laid, 2)))
        return ir.Bin("%", ir.Bin("-" if kind == "side" else "+", number, turned), ir.Const(sides))

    # ---- zones ----

    def zone(self, e: s.Expression) -> tuple[ir.Field, ir.Expr]:
        """The place that an expression names, and its address."""
        ref = self.model.refs[e]
        place = self.memory.place(ref.name)
        return place, self.address_in(place, self._indices(e))

    def zone_indices(self, e: s.Expression) -> tuple[ir.Field, list[ir.Expr]]:
        """The place that an expression names, and its indices."""
        return self.memory.place(self.model.refs[e].name), self._indices(e)

    def size_of(self, place: ir.Field, address: ir.Expr) -> ir.Expr:
        """How many cards or tokens are in a zone."""
        if place.kind == "slot":
            return ir.Bin(">=", ir.Load(address), ZERO)
        if place.kind != "tokens":
            return ir.Load(address)
        total: ir.Expr = ir.Load(address)
        for i in range(1, place.width):
            total = ir.Bin("+", total, ir.Load(plus(address, ir.Const(i))))
        return total

    def seen_by(self, place: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
        """Who sees what is in a zone, as bits."""
        if place.seen == "all":
            return NONE
        if place.seen == "owner" and place.owner is not None:
            return ir.Bin("<<", ONE, indices[place.owner])
        return ZERO

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


def _index_nodes(e: s.Expression) -> tuple[s.Expression, ...]:
    match e:
        case s.Of(owner=owner):
            return (owner,)
        case s.Indexed(indices=indices):
            return indices
    return ()

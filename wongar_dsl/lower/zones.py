"""Taking cards out of the zones where they lie, and putting them into others."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import plus, times
from wongar_dsl.lower.expressions import Expressions
from wongar_dsl.lower.pool import NONE, ONE, ZERO


class Handling(Expressions):
    """Lowers what hands do with cards."""

    def kept_zone(self, e: s.Expression) -> tuple[ir.Field, list[ir.Expr]]:
        """The place that an expression names, and its indices, computed once."""
        place, indices = self.zone_indices(e)
        return place, [self.unit.keep(i) for i in indices]

    def origin(self, node: s.Move | s.Lay) -> tuple[ir.Field, list[ir.Expr]]:
        """The zone that a card comes from."""
        if node.origin is not None:
            return self.kept_zone(node.origin)
        if self.model.refs[node.what].kind == "slot":
            return self.kept_zone(node.what)
        assert isinstance(node.what, s.Of)
        return self.kept_zone(node.what.owner)

    def taken_out(self, node: s.Move | s.Lay, place: ir.Field, origin: ir.Expr, card: ir.Expr) -> ir.Expr:
        """The card, taken out of the zone that it comes from."""
        ref = self.model.refs.get(node.what)
        if node.origin is None and ref is not None and ref.kind in ("top", "bottom"):
            into = self.unit.fresh()
            self.unit.add(ir.Pop(into.number, origin, ref.kind == "bottom", self.fault("R0605", node)))
            return into
        self.take_out(node, place, origin, card)
        return card

    def take_out(self, node: s.Node, place: ir.Field, at: ir.Expr, card: ir.Expr) -> None:
        """Take a card out of a place; the game stops where it is not there."""
        if place.kind == "pile":
            self.unit.add(ir.Draw(at, card, self.fault("R0605", node)))
            return
        if place.kind == "layout":
            spot = self.unit.keep(plus(plus(at, ONE), times(card, 2)))
            self.unit.add(ir.If(ir.Bin("<=", ir.Load(spot), ZERO), (ir.Fault(self.fault("R0605", node)),), ()))
            self.unit.add(ir.Store(spot, ZERO))
            self.unit.add(ir.Store(plus(spot, ONE), ZERO))
            self.unit.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))
            return
        if place.kind == "slot":
            wrong = ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("!=", ir.Load(at), card))
            self.unit.add(ir.If(wrong, (ir.Fault(self.fault("R0605", node)),), ()))
            self.unit.add(ir.Store(at, NONE))
            return
        cell = plus(plus(at, ONE), card)
        missing = ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("<=", ir.Load(cell), ZERO))
        self.unit.add(ir.If(missing, (ir.Fault(self.fault("R0605", node)),), ()))
        self.unit.add(ir.Store(cell, ir.Bin("-", ir.Load(cell), ONE)))
        self.unit.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))

    def put(self, node: s.Node, place: ir.Field, at: ir.Expr, card: ir.Expr, under: bool = False) -> None:
        """Put a card into a place, on top or under; the game stops where there is no room."""
        if place.kind == "pile":
            self.unit.add(ir.Push(at, card, place.capacity, under, self.fault("R0606", node)))
        elif place.kind == "slot":
            self.unit.add(ir.If(ir.Bin(">=", ir.Load(at), ZERO), (ir.Fault(self.fault("R0606", node)),), ()))
            self.unit.add(ir.Store(at, card))
        else:
            zone = self.model.articles.get(("zone", place.name))
            if isinstance(zone, s.Zone) and zone.capacity is not None:
                full = ir.Bin(">=", ir.Load(at), ir.Const(zone.capacity))
                self.unit.add(ir.If(full, (ir.Fault(self.fault("R0606", node)),), ()))
            cell = plus(plus(at, ONE), card)
            self.unit.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), ONE)))
            self.unit.add(ir.Store(at, ir.Bin("+", ir.Load(at), ONE)))

"""Laying cards on a lattice."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import plus, times
from wongar_dsl.lower.pool import NONE, ONE, ZERO
from wongar_dsl.lower.statements import Argument, Statements
from wongar_dsl.model import NUMBER, Type


class Laying(Statements):
    """Lowers what is done with layouts."""

    def change(self, node: s.Statement) -> None:
        """A statement that changes the table."""
        if not isinstance(node, s.Lay):
            super().change(node)
            return
        place, indices = self.kept_zone(node.target)
        origin_place, origin_indices = self.origin(node)
        card, area = self.kept(node.what), self.kept(node.area)
        zone = self.model.articles["zone", place.name]
        assert isinstance(zone, s.Zone)
        assert zone.board is not None
        graph = self.model.boards[zone.board.text]
        turned = self.unit.keep(ir.Bin("%", self.ex(node.turned), ir.Const(graph.directions)))
        fields: list[Argument] = [
            ("card", Type("cards", place.type.name), (card,), False),
            ("from", Type("place", origin_place.name), tuple(origin_indices), False),
            ("to", Type("place", place.name), tuple(indices), False),
            ("area", Type("board", zone.board.text), (area,), False),
            ("turned", NUMBER, (turned,), False),
        ]
        self._event("card_laid", fields, node.told, NONE)
        card = self.taken_out(node, origin_place, self.address_in(origin_place, origin_indices), card)
        first = plus(self.address_in(place, indices), ONE)
        spot = self.unit.keep(plus(first, times(card, 2)))
        other = self.unit.fresh()
        there = ir.Bin("==", ir.Load(plus(first, times(other, 2))), plus(area, ONE))
        fault = (ir.Fault(self.fault("R0606", node)),)
        wrong = ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("!=", ir.Load(spot), ZERO))
        self.unit.add(ir.If(wrong, fault, ()))
        cards = ir.Const((place.width - 1) // 2)
        self.unit.add(ir.ForRange(other.number, cards, (ir.If(there, fault, ()),)))
        self.unit.add(ir.Store(spot, plus(area, ONE)))
        self.unit.add(ir.Store(plus(spot, ONE), turned))
        size = self.address_in(place, indices)
        self.unit.add(ir.Store(size, ir.Bin("+", ir.Load(size), ONE)))

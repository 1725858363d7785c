"""Layouts: cards that are laid on a lattice, and what is asked of them.

For each card a layout keeps its area, counted from 1, and by how many sides it is turned.
"""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering
from wongar_dsl.lower.events import Argument, emit, place
from wongar_dsl.lower.zones import address_in, index_nodes, origin, taken_out, zone_once
from wongar_dsl.model import NUMBER, Ref, Type


def _board(to: Lowering, field: ir.Field) -> str:
    """The lattice that a layout lies on."""
    board = to.model.declared.zones[field.name].board
    assert board is not None
    return board


def laid(to: Lowering, e: s.Of | s.Indexed, ref: Ref) -> ir.Expr:
    """The card in an area of a layout."""
    code, field = to.code, to.memory.place(ref.name)
    *indices, area = [to.non_null(index) for index in index_nodes(e)]
    at = code.once(plus(address_in(field, indices), ONE))
    wanted = code.once(plus(area, ONE))
    result, card = code.fresh(), code.fresh()
    code.set(result, NONE)
    here = ir.Bin("==", ir.Load(plus(at, times(card, 2))), wanted)
    found = ir.If(here, (ir.SetVar(result.number, card), ir.Break()), ())
    every = ir.ForRange(card.number, ir.Const((field.width - 1) // 2), (found,))
    code.add(ir.If(ir.Bin(">", wanted, ZERO), (every,), ()))
    return result


def laid_at(to: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """The area where a card lies; nowhere, where it was not laid."""
    first = ir.Const(to.memory.place(ref.name).base + 1)
    owner, area = to.once(e.owner), to.code.variable(NONE)
    load = ir.SetVar(area.number, ir.Bin("-", ir.Load(plus(first, times(owner, 2))), ONE))
    to.code.add(ir.If(ir.Bin(">=", owner, ZERO), (load,), ()))
    return area


def facing(to: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """`side(card, direction)`, `facing(card, side)`: which side of a laid card faces where."""
    field = to.memory.place(ref.name)
    sides = to.model.boards[_board(to, field)].directions
    card, number = (to.value(a) for a in e.arguments)
    turned = ir.Load(plus(ir.Const(field.base + 2), times(card, 2)))
    return ir.Bin("%", ir.Bin("-" if ref.kind == "side" else "+", number, turned), ir.Const(sides))


def lay(to: Lowering, node: s.Lay) -> None:
    """`lay card on layout at area turned n`."""
    code = to.code
    target, source = zone_once(to, node.target), origin(to, node)
    field, _ = target
    card, area = to.once(node.what), to.once(node.area)
    board = _board(to, field)
    turned = code.once(ir.Bin("%", to.value(node.turned), ir.Const(to.model.boards[board].directions)))
    fields = [
        Argument("card", Type("cards", field.type.name), (card,)),
        place("from", source),
        place("to", target),
        Argument("area", Type("board", board), (area,)),
        Argument("turned", NUMBER, (turned,)),
    ]
    emit(to, "card_laid", fields, node.told)
    card = taken_out(to, node, source[0], address_in(*source), card)
    at = address_in(*target)
    first = plus(at, ONE)
    spot = code.once(plus(first, times(card, 2)))
    other = code.fresh()
    there = ir.Bin("==", ir.Load(plus(first, times(other, 2))), plus(area, ONE))
    fault = (ir.Fault(to.fault("R0606", node)),)
    wrong = ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("!=", ir.Load(spot), ZERO))
    code.add(ir.If(wrong, fault, ()))
    code.add(ir.ForRange(other.number, ir.Const((field.width - 1) // 2), (ir.If(there, fault, ()),)))
    code.add(ir.Store(spot, plus(area, ONE)), ir.Store(plus(spot, ONE), turned))
    code.add(ir.Store(at, ir.Bin("+", ir.Load(at), ONE)))

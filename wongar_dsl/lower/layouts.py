"""Lowering of layouts: placing cards on a lattice, and looking them up.

A layout stores its cards in the order of placement, each with its area and its rotation in sides.
"""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.folding import plus
from wongar_dsl.lower.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.events import Argument, emit, place
from wongar_dsl.lower.zones import address_in, laid_last, look, origin, rows, taken_out, zone_once
from wongar_dsl.model import NUMBER, Ref, Type


def _board(to: Lowering, field: ir.Field) -> str:
    """Return the lattice of a layout."""
    board = to.model.declared.zones[field.name].board
    assert board is not None
    return board


def _lying(to: Lowering, field: ir.Field, at: ir.Expr, area: ir.Expr) -> ir.Expr:
    """Return the index of the card in an area of a layout, from 0; -1 if it is empty."""
    _, areas, _ = rows(field, at)
    return to.code.once(ir.Find(at, areas, plus(area, ONE)))


def _of_lying(to: Lowering, row: ir.Expr, found: ir.Expr, nothing: ir.Expr) -> ir.Var:
    """Return the entry of a card in a row; `nothing` without a card."""
    result = to.code.variable(nothing)
    entry = ir.SetVar(result.number, ir.Load(plus(row, found)))
    to.code.add(ir.If(ir.Bin(">=", found, ZERO), (entry,), ()))
    return result


def laid(to: Lowering, e: s.Of | s.Indexed, ref: Ref) -> ir.Expr:
    """Lower the card in an area of a layout; none beyond the edge."""
    field = to.memory.place(ref.name)

    def card(indices: list[ir.Expr]) -> ir.Expr:
        *copy, area = indices
        address = to.code.once(address_in(field, copy))
        faces, _, _ = rows(field, address)
        return _of_lying(to, faces, _lying(to, field, address, area), NONE)

    return look(to, e, card, NONE)


def laid_at(to: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the area of a card, of several equal ones the last placed; nowhere if it is not on the layout."""
    field = to.memory.place(ref.name)
    address = ir.Const(field.base)
    card_index = laid_last(to, field, address, to.once(e.owner))
    _, areas, _ = rows(field, address)
    return plus(_of_lying(to, areas, card_index, ZERO), NONE)


def facing(to: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `side(card, direction)` and `facing(card, side)`, which convert by the rotation of a card.

    A card named by its area (`chart[here]`) is the one in that area, even if there are equal cards.
    """
    field = to.memory.place(ref.name)
    address = ir.Const(field.base)
    sides = to.model.boards[_board(to, field)].directions
    named = to.model.refs.get(e.arguments[0])
    if named is not None and named.kind == "laid" and named.name == field.name:
        card_index = _lying(to, field, address, to.value(s.index_nodes(e.arguments[0])[-1]))
    else:
        card_index = laid_last(to, field, address, to.once(e.arguments[0]))
    _, _, turns = rows(field, address)
    turned = _of_lying(to, turns, card_index, ZERO)
    number = to.value(e.arguments[1])
    return ir.Bin("%", ir.Bin("-" if ref.kind == "side" else "+", number, turned), ir.Const(sides))


def lay(to: Lowering, node: s.Lay) -> None:
    """Lower `lay card on layout at area turned n`."""
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
    address = address_in(*target)
    number = code.variable(ir.Load(address))
    occupied = ir.Bin(">=", _lying(to, field, address, area), ZERO)
    full = ir.Bin(">=", number, ir.Const(field.capacity))
    to.stop_if(ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("or", occupied, full)), "R0606", node)
    for row, value in zip(rows(field, address), (card, plus(area, ONE), turned), strict=True):
        code.add(ir.Store(plus(row, number), value))
    code.add(ir.Store(address, plus(number, ONE)))


#: Lowering functions of this module.
LOWERED = Dispatch(
    references={
        "laid": laid,
        "laid_at": laid_at,
        "side": facing,
        "facing": facing,
    },
    statements={
        s.Lay: lay,
    },
)

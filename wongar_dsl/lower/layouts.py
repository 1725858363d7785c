"""Layouts: cards that are laid on a lattice, and what is asked of them.

A layout keeps its cards in the order in which they were laid, each with its area and by how many sides it is turned.
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
    """The lattice that a layout lies on."""
    board = to.model.declared.zones[field.name].board
    assert board is not None
    return board


def _lying(to: Lowering, field: ir.Field, at: ir.Expr, area: ir.Expr) -> ir.Expr:
    """Which of the cards on a layout, counted from 0, lies in an area; -1: none."""
    _, areas, _ = rows(field, at)
    return to.code.once(ir.Find(at, areas, plus(area, ONE)))


def _of_lying(to: Lowering, row: ir.Expr, found: ir.Expr, nothing: ir.Expr) -> ir.Var:
    """What stands in a row for one of the cards, `nothing` where there is no such card."""
    result = to.code.variable(nothing)
    there = ir.SetVar(result.number, ir.Load(plus(row, found)))
    to.code.add(ir.If(ir.Bin(">=", found, ZERO), (there,), ()))
    return result


def laid(to: Lowering, e: s.Of | s.Indexed, ref: Ref) -> ir.Expr:
    """The card in an area of a layout; beyond the edge lies none."""
    field = to.memory.place(ref.name)

    def card(indices: list[ir.Expr]) -> ir.Expr:
        *copy, area = indices
        at = to.code.once(address_in(field, copy))
        faces, _, _ = rows(field, at)
        return _of_lying(to, faces, _lying(to, field, at, area), NONE)

    return look(to, e, card, NONE)


def laid_at(to: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """The area where a card lies, of several equal ones the one that was laid last; nowhere, where it was not laid."""
    field = to.memory.place(ref.name)
    at = ir.Const(field.base)
    found = laid_last(to, field, at, to.once(e.owner))
    _, areas, _ = rows(field, at)
    return plus(_of_lying(to, areas, found, ZERO), NONE)


def facing(to: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """`side(card, direction)`, `facing(card, side)`: which side of a laid card faces where.

    A card that is named by where it lies (`chart[here]`) is the one that lies there, whatever equal ones there are.
    """
    field = to.memory.place(ref.name)
    at = ir.Const(field.base)
    sides = to.model.boards[_board(to, field)].directions
    named = to.model.refs.get(e.arguments[0])
    if named is not None and named.kind == "laid" and named.name == field.name:
        found = _lying(to, field, at, to.value(s.index_nodes(e.arguments[0])[-1]))
    else:
        found = laid_last(to, field, at, to.once(e.arguments[0]))
    _, _, turns = rows(field, at)
    turned = _of_lying(to, turns, found, ZERO)
    number = to.value(e.arguments[1])
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
    number = code.variable(ir.Load(at))
    taken = ir.Bin(">=", _lying(to, field, at, area), ZERO)
    full = ir.Bin(">=", number, ir.Const(field.capacity))
    to.stop_if(ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("or", taken, full)), "R0606", node)
    for row, value in zip(rows(field, at), (card, plus(area, ONE), turned), strict=True):
        code.add(ir.Store(plus(row, number), value))
    code.add(ir.Store(at, plus(number, ONE)))


#: What is lowered here.
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

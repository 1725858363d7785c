"""Lowering of layouts: placing cards on a lattice, and looking them up.

A layout stores its cards in the order of placement, each with its area and its rotation in sides.
"""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.events import EventArgument, emit, place
from wongar_dsl.compiler.lowering.zones import (
    address_in,
    last_laid_index,
    origin,
    removed_card,
    resolve_indices,
    rows,
    zone_once,
)
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import NUMBER, Ref, Type


def _board(ctx: Lowering, field: ir.Field) -> str:
    """Return the lattice of a layout."""
    board = ctx.model.declared.zones[field.name].board
    assert board is not None
    return board


def _index_in_area(ctx: Lowering, field: ir.Field, at: ir.Expr, area: ir.Expr) -> ir.Expr:
    """Return the index of the card in an area of a layout, from 0; -1 if it is empty."""
    _, areas, _ = rows(field, at)
    return ctx.code.once(ir.Find(at, areas, plus(area, ONE)))


def _row_entry(ctx: Lowering, row: ir.Expr, found: ir.Expr, nothing: ir.Expr) -> ir.Var:
    """Return the entry of a card in a row; `nothing` without a card."""
    result = ctx.code.variable(nothing)
    entry = ir.SetVar(result.number, ir.Load(plus(row, found)))
    ctx.code.add(ir.If(ir.Bin(">=", found, ZERO), (entry,), ()))
    return result


def laid(ctx: Lowering, e: s.Of | s.Indexed, ref: Ref) -> ir.Expr:
    """Lower the card in an area of a layout; none beyond the edge."""
    field = ctx.memory.field(ref.name)

    def card(indices: list[ir.Expr]) -> ir.Expr:
        *copy, area = indices
        address = ctx.code.once(address_in(field, copy))
        faces, _, _ = rows(field, address)
        return _row_entry(ctx, faces, _index_in_area(ctx, field, address, area), NONE)

    return resolve_indices(ctx, e, card, NONE)


def laid_at(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the area of a card, of several equal ones the last placed; nowhere if it is not on the layout."""
    field = ctx.memory.field(ref.name)
    address = ir.Const(field.base)
    card_index = last_laid_index(ctx, field, address, ctx.once(e.owner))
    _, areas, _ = rows(field, address)
    return plus(_row_entry(ctx, areas, card_index, ZERO), NONE)


def facing(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `side(card, direction)` and `facing(card, side)`, which convert by the rotation of a card.

    A card named by its area (`chart[here]`) is the one in that area, even if there are equal cards.
    """
    field = ctx.memory.field(ref.name)
    address = ir.Const(field.base)
    sides = ctx.model.boards[_board(ctx, field)].directions
    named = ctx.model.refs.get(e.arguments[0])
    if named is not None and named.kind == "laid" and named.name == field.name:
        card_index = _index_in_area(ctx, field, address, ctx.value(s.index_nodes(e.arguments[0])[-1]))
    else:
        card_index = last_laid_index(ctx, field, address, ctx.once(e.arguments[0]))
    _, _, turns = rows(field, address)
    turned = _row_entry(ctx, turns, card_index, ZERO)
    number = ctx.value(e.arguments[1])
    return ir.Bin("%", ir.Bin("-" if ref.kind == "side" else "+", number, turned), ir.Const(sides))


def lay(ctx: Lowering, node: s.Lay) -> None:
    """Lower `lay card on layout at area turned n`."""
    code = ctx.code
    target, source = zone_once(ctx, node.target), origin(ctx, node)
    field, _ = target
    card, area = ctx.once(node.what), ctx.once(node.area)
    board = _board(ctx, field)
    turned = code.once(ir.Bin("%", ctx.value(node.turned), ir.Const(ctx.model.boards[board].directions)))
    fields = [
        EventArgument("card", Type("cards", field.type.name), (card,)),
        place("from", source),
        place("to", target),
        EventArgument("area", Type("board", board), (area,)),
        EventArgument("turned", NUMBER, (turned,)),
    ]
    emit(ctx, "card_laid", fields, node.message)
    card = removed_card(ctx, node, source[0], address_in(*source), card)
    address = address_in(*target)
    number = code.variable(ir.Load(address))
    occupied = ir.Bin(">=", _index_in_area(ctx, field, address, area), ZERO)
    full = ir.Bin(">=", number, ir.Const(field.capacity))
    ctx.stop_if(ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("or", occupied, full)), "R0606", node)
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

"""Zones: where they stand, who sees them, what lies in them, taking out and putting in."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.builder import Iteration
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering

Zone = tuple[ir.Field, list[ir.Expr]]
"""A zone, a remembered value or a score: its field, and the indices that tell its copies apart."""

# ---- where ---------------------------------------------------------------------------------------------------------


def address_in(field: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
    """The address of the copy of a field that the indices name."""
    result: ir.Expr = ir.Const(field.base)
    factor = field.width
    for index, size in zip(reversed(indices), reversed(field.sizes), strict=True):
        result = plus(result, times(index, factor))
        factor *= size
    return result


def index_nodes(e: s.Expression) -> tuple[s.Expression, ...]:
    """What stands in the brackets of an expression, or after `of`."""
    match e:
        case s.Of(owner=owner):
            return (owner,)
        case s.Indexed(indices=indices):
            return indices
    return ()


def zone(to: Lowering, e: s.Expression) -> tuple[ir.Field, ir.Expr]:
    """The field that an expression names, and the address in it."""
    field = to.memory.place(to.model.refs[e].name)
    return field, address_in(field, [to.non_null(index) for index in index_nodes(e)])


def zone_once(to: Lowering, e: s.Expression) -> Zone:
    """The field that an expression names, and its indices, computed once."""
    indices = [to.non_null(index) for index in index_nodes(e)]
    return to.memory.place(to.model.refs[e].name), [to.code.once(i) for i in indices]


def origin(to: Lowering, node: s.Move | s.Lay) -> Zone:
    """The zone that a card comes from."""
    if node.origin is not None:
        return zone_once(to, node.origin)
    if to.model.refs[node.what].kind == "slot":
        return zone_once(to, node.what)
    assert isinstance(node.what, s.Of)
    return zone_once(to, node.what.owner)


def seen_by(field: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
    """Who sees what is in a zone, as bits."""
    if field.seen == "all":
        return NONE
    if field.seen == "owner" and field.owner is not None:
        return ir.Bin("<<", ONE, indices[field.owner])
    return ZERO


# ---- what lies there -----------------------------------------------------------------------------------------------


def size_of(field: ir.Field, address: ir.Expr) -> ir.Expr:
    """How many cards or tokens are in a zone."""
    if field.kind == "slot":
        return ir.Bin(">=", ir.Load(address), ZERO)
    if field.kind != "tokens":
        return ir.Load(address)
    total: ir.Expr = ir.Load(address)
    for i in range(1, field.width):
        total = ir.Bin("+", total, ir.Load(plus(address, ir.Const(i))))
    return total


def copies_in(field: ir.Field, address: ir.Expr, card: ir.Expr) -> ir.Expr:
    """How many of a card lie in a zone."""
    if field.kind == "heap":
        return ir.Load(plus(plus(address, ONE), card))
    if field.kind == "slot":
        return ir.Bin("==", ir.Load(address), card)
    if field.kind == "layout":
        return ir.Bin(">", ir.Load(plus(plus(address, ONE), times(card, 2))), ZERO)
    return ir.CountIn(address, card)


def contents(to: Lowering, e: s.Expression) -> Iteration:
    """The kinds of tokens or cards that lie in a zone."""
    field, address = zone(to, e)
    at = to.flow.once(address)
    if field.kind == "slot":
        return Iteration(ONE, lambda k: ir.Load(at), lambda x: ir.Bin(">=", x, ZERO))
    size = ir.Const(to.model.size(field.type, to.seats))
    if field.kind == "tokens":
        return Iteration(size, guard=lambda x: ir.Load(plus(at, x)))
    return Iteration(size, guard=lambda x: copies_in(field, at, x))


def empty(to: Lowering, e: s.Empty) -> ir.Expr:
    """`x is empty`, `x is not empty`."""
    field, address = zone(to, e.zone)
    if field.kind == "slot":
        return ir.Bin(">=" if e.negated else "<", ir.Load(address), ZERO)
    return ir.Bin(">" if e.negated else "==", size_of(field, address), ZERO)


def count_of(to: Lowering, e: s.CountOf) -> ir.Expr:
    """How many of a card, or of a kind of card, lie in a zone."""
    field, address = zone(to, e.zone)
    ref = to.model.refs.get(e.card)
    if ref is not None and ref.kind == "facekind":
        total: ir.Expr = ZERO
        for number, face in enumerate(to.model.cards[field.type.name].faces):
            if face.kind == ref.name:
                total = plus(total, copies_in(field, address, ir.Const(number)))
        return total
    if not to.nullable.may_be_none(e.card):
        return copies_in(field, address, to.value(e.card))
    wanted, found = to.once(e.card), to.code.variable(ZERO)
    count = ir.SetVar(found.number, copies_in(field, address, wanted))
    to.code.add(ir.If(ir.Bin(">=", wanted, ZERO), (count,), ()))
    return found


# ---- taking out, putting in ----------------------------------------------------------------------------------------


def taken_out(to: Lowering, node: s.Move | s.Lay, field: ir.Field, at: ir.Expr, card: ir.Expr) -> ir.Expr:
    """The card, taken out of the zone that it comes from."""
    ref = to.model.refs.get(node.what)
    if node.origin is None and ref is not None and ref.kind in ("top", "bottom"):
        into = to.code.fresh()
        to.code.add(ir.Pop(into.number, at, ref.kind == "bottom", to.fault("R0605", node)))
        return into
    take_out(to, node, field, at, card)
    return card


def take_out(to: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr) -> None:
    """Take a card out of a zone; the game stops where it is not there."""
    if field.kind == "pile":
        to.code.add(ir.Draw(at, card, to.fault("R0605", node)))
    elif field.kind == "layout":
        spot = to.code.once(plus(plus(at, ONE), times(card, 2)))
        to.stop_if(ir.Bin("<=", ir.Load(spot), ZERO), "R0605", node)
        to.code.add(ir.Store(spot, ZERO), ir.Store(plus(spot, ONE), ZERO))
        to.code.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))
    elif field.kind == "slot":
        to.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("!=", ir.Load(at), card)), "R0605", node)
        to.code.add(ir.Store(at, NONE))
    else:
        cell = plus(plus(at, ONE), card)
        to.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("<=", ir.Load(cell), ZERO)), "R0605", node)
        to.code.add(ir.Store(cell, ir.Bin("-", ir.Load(cell), ONE)))
        to.code.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))


def put(to: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr, under: bool = False) -> None:
    """Put a card into a zone, on top or under; the game stops where there is no room."""
    if field.kind == "pile":
        to.code.add(ir.Push(at, card, field.capacity, under, to.fault("R0606", node)))
    elif field.kind == "slot":
        to.stop_if(ir.Bin(">=", ir.Load(at), ZERO), "R0606", node)
        to.code.add(ir.Store(at, card))
    else:
        capacity = to.model.declared.zones[field.name].capacity
        if capacity is not None:
            to.stop_if(ir.Bin(">=", ir.Load(at), ir.Const(capacity)), "R0606", node)
        cell = plus(plus(at, ONE), card)
        to.code.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), ONE)))
        to.code.add(ir.Store(at, ir.Bin("+", ir.Load(at), ONE)))

"""Zones: where they stand, who sees them, what lies in them, taking out and putting in."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir import containers
from wongar_dsl.ir.builder import Iteration
from wongar_dsl.ir.extents import CARDS, join
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower.context import NONE, ONE, ZERO, Dispatch, Lowering

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


def look(to: Lowering, e: s.Expression, value: Callable[[list[ir.Expr]], ir.Expr], nothing: ir.Expr) -> ir.Expr:
    """What belongs to the values in the brackets of an expression, `nothing` where one of them is nobody."""
    indices, there = present(to, e)
    if there is None:
        return value(indices)
    result = to.code.variable(nothing)
    with to.code.inner() as then:
        found = value(indices)
        to.code.set(result, found)
    to.code.add(ir.If(there, tuple(then), ()))
    to.code.known[result] = join(to.extent(nothing), to.extent(found))
    return result


def present(to: Lowering, e: s.Expression) -> tuple[list[ir.Expr], ir.Expr | None]:
    """The indices of an expression, and whether none of them is nobody; None where none can be."""
    indices: list[ir.Expr] = []
    there: ir.Expr | None = None
    for node in s.index_nodes(e):
        index = to.value(node)
        if to.nullable.may_be_none(node):
            index = to.code.once(index)
            test = ir.Bin(">=", index, ZERO)
            there = test if there is None else ir.Bin("and", there, test)
        indices.append(index)
    return indices, there


def look_into(
    to: Lowering, e: s.Expression, value: Callable[[ir.Field, ir.Expr], ir.Expr], nothing: ir.Expr = ZERO
) -> ir.Expr:
    """What is asked of a zone, by its field and its address; nobody's zone holds nothing."""
    field = to.memory.place(to.model.refs[e].name)
    return look(to, e, lambda indices: value(field, address_in(field, indices)), nothing)


def zone_once(to: Lowering, e: s.Expression) -> Zone:
    """The field that an expression names, and its indices, computed once."""
    indices = [to.non_null(index) for index in s.index_nodes(e)]
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


def number_at(field: ir.Field, address: ir.Expr, face: ir.Expr) -> ir.Expr:
    """Where it stands how many of a face, or of a kind of token, lie in a zone that keeps numbers."""
    return plus(plus(address, ir.Const(containers.CONTAINERS[field.kind].numbers)), face)


def faces_of(to: Lowering, field: ir.Field) -> int:
    """How many faces, or kinds of tokens, a zone can hold."""
    return to.model.size(field.type, to.seats)


def size_of(to: Lowering, field: ir.Field, address: ir.Expr) -> ir.Expr:
    """How many cards or tokens are in a zone."""
    zone = containers.CONTAINERS[field.kind]
    if zone.single:
        return ir.Bin(">=", ir.Load(address), ZERO)
    if zone.sized:
        return ir.Load(address)
    first, *others = (ir.Load(number_at(field, address, ir.Const(kind))) for kind in range(faces_of(to, field)))
    total: ir.Expr = first
    for number in others:
        total = ir.Bin("+", total, number)
    return total


def copies_in(to: Lowering, field: ir.Field, address: ir.Expr, card: ir.Expr) -> ir.Expr:
    """How many of a card lie in a zone."""
    zone = containers.CONTAINERS[field.kind]
    if zone.single:
        return ir.Bin("==", ir.Load(address), card)
    if not zone.counted:
        return ir.CountIn(address, card)
    number = ir.Load(number_at(field, address, card))
    if field.kind != "tokens":
        to.code.known[number] = CARDS
    return number


def contents(to: Lowering, e: s.Expression) -> Iteration:
    """The tokens or cards that lie in a zone, those of a kind one after the other; nobody's zone holds none."""
    field = to.memory.place(to.model.refs[e].name)
    indices, there = present(to, e)
    at = to.flow.once(address_in(field, indices))
    if containers.CONTAINERS[field.kind].single:
        one = ONE if there is None else to.flow.once(there)
        return Iteration(one, lambda k: ir.Load(at), lambda x: ir.Bin(">=", x, ZERO))

    def copies(x: ir.Expr) -> ir.Expr:
        return copies_in(to, field, at, x)

    size: ir.Expr = ir.Const(faces_of(to, field))
    if there is not None:
        size = to.flow.once(ir.Bin("*", there, size))
    return Iteration(size, guard=copies, copies=copies)


def empty(to: Lowering, e: s.Empty) -> ir.Expr:
    """`x is empty`, `x is not empty`."""
    held = look_into(to, e.zone, lambda field, address: size_of(to, field, address))
    return ir.Bin(">" if e.negated else "==", held, ZERO)


def count_of(to: Lowering, e: s.CountOf) -> ir.Expr:
    """How many of a card, or of a kind of card, lie in a zone."""
    return look_into(to, e.zone, lambda field, address: _count_of(to, e, field, address))


def _count_of(to: Lowering, e: s.CountOf, field: ir.Field, address: ir.Expr) -> ir.Expr:
    ref = to.model.refs.get(e.card)
    if ref is not None and ref.kind == "facekind":
        total: ir.Expr = ZERO
        for number, face in enumerate(to.model.cards[field.type.name].faces):
            if face.kind == ref.name:
                total = plus(total, copies_in(to, field, address, ir.Const(number)))
        return total
    if not to.nullable.may_be_none(e.card):
        return copies_in(to, field, address, to.value(e.card))
    wanted, found = to.once(e.card), to.code.variable(ZERO)
    count = ir.SetVar(found.number, copies_in(to, field, address, wanted))
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
        take_up(to, node, field, at, card)
    elif field.kind == "slot":
        to.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("!=", ir.Load(at), card)), "R0605", node)
        to.code.add(ir.Store(at, NONE))
    else:
        assert field.kind == "heap", field.kind
        cell = number_at(field, at, card)
        to.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("<=", ir.Load(cell), ZERO)), "R0605", node)
        to.code.add(ir.Store(cell, ir.Bin("-", ir.Load(cell), ONE)))
        to.code.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))


def rows(field: ir.Field, at: ir.Expr) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Where the faces of the cards on a layout stand, their areas, and by how much they are turned."""
    faces, areas, turns = (plus(at, ir.Const(begin)) for begin in containers.LAYOUT.rows(field.width))
    return faces, areas, turns


def laid_last(to: Lowering, field: ir.Field, at: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Which of the cards on a layout, counted from 0, is the one of a face that was laid last; -1: there is none."""
    faces, _, _ = rows(field, at)
    return to.code.once(ir.Find(at, faces, card))


def take_up(to: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr) -> None:
    """Take a card up from a layout, of several equal ones the one that was laid last; those behind it move up."""
    found = laid_last(to, field, at, card)
    to.stop_if(ir.Bin("<", found, ZERO), "R0605", node)
    left = to.code.variable(ir.Bin("-", ir.Load(at), ONE))
    to.code.add(ir.Store(at, left))
    step = to.code.fresh()
    up = tuple(ir.Store(plus(row, step), ir.Load(plus(plus(row, step), ONE))) for row in rows(field, at))
    to.code.add(ir.ForRange(step.number, left, (ir.If(ir.Bin(">=", step, found), up, ()),)))
    to.code.add(*(ir.Store(plus(row, left), ZERO) for row in rows(field, at)))


def put(to: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr, under: bool = False) -> None:
    """Put a card into a zone, on top or under; the game stops where there is no room."""
    if field.kind == "pile":
        to.code.add(ir.Push(at, card, field.capacity, under, to.fault("R0606", node)))
    elif field.kind == "slot":
        to.stop_if(ir.Bin(">=", ir.Load(at), ZERO), "R0606", node)
        to.code.add(ir.Store(at, card))
    else:
        assert field.kind == "heap", field.kind
        capacity = to.model.declared.zones[field.name].capacity
        if capacity is not None:
            to.stop_if(ir.Bin(">=", ir.Load(at), ir.Const(capacity)), "R0606", node)
        cell = number_at(field, at, card)
        to.code.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), ONE)))
        to.code.add(ir.Store(at, ir.Bin("+", ir.Load(at), ONE)))


#: What is lowered here.
LOWERED = Dispatch(
    expressions={
        s.Empty: empty,
        s.CountOf: count_of,
    },
)

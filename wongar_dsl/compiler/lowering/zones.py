"""Lowering of zones: addresses, visibility, content, removal and insertion."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir import containers
from wongar_dsl.compiler.ir.arithmetic import CARDS, join, plus, times
from wongar_dsl.compiler.lowering.context import NODES, NONE, ONE, REFERENCES, ZERO, Lowering
from wongar_dsl.compiler.lowering.flow import Iteration
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Ref

#: Copy of a zone, remembered value or score: field and indices.
Zone = tuple[ir.Field, list[ir.Expr]]

# ---- addresses -----------------------------------------------------------------------------------------------------


def address_in(field: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
    """Return the address of a copy of a field."""
    result: ir.Expr = ir.Const(field.base)
    factor = field.width
    for index, size in zip(reversed(indices), reversed(field.sizes), strict=True):
        result = plus(result, times(index, factor))
        factor *= size
    return result


def resolve_indices(
    ctx: Lowering, e: s.Expression, value: Callable[[list[ir.Expr]], ir.Expr], nothing: ir.Expr
) -> ir.Expr:
    """Lower a property of indexed values; `nothing` if an index is none."""
    indices, is_present = checked_indices(ctx, e)
    if is_present is None:
        return value(indices)
    result = ctx.code.variable(nothing)
    with ctx.code.inner() as then:
        inner_value = value(indices)
        ctx.code.set(result, inner_value)
    ctx.code.add(ir.If(is_present, tuple(then), ()))
    ctx.code.known[result] = join(ctx.extent(nothing), ctx.extent(inner_value))
    return result


def checked_indices(ctx: Lowering, e: s.Expression) -> tuple[list[ir.Expr], ir.Expr | None]:
    """Return the indices of an expression, and a test that none of them is none; None if no test is needed."""
    indices: list[ir.Expr] = []
    test_all: ir.Expr | None = None
    for node in s.index_nodes(e):
        index = ctx.value(node)
        if ctx.nullable.may_be_none(node):
            index = ctx.code.once(index)
            test = ir.Bin(">=", index, ZERO)
            test_all = test if test_all is None else ir.Bin("and", test_all, test)
        indices.append(index)
    return indices, test_all


def with_zone(
    ctx: Lowering, e: s.Expression, value: Callable[[ir.Field, ir.Expr], ir.Expr], nothing: ir.Expr = ZERO
) -> ir.Expr:
    """Lower a property of a zone, given its field and address; `nothing` if an index is none."""
    field = ctx.memory.field(ctx.model.refs[e].name)
    return resolve_indices(ctx, e, lambda indices: value(field, address_in(field, indices)), nothing)


def zone_once(ctx: Lowering, e: s.Expression) -> Zone:
    """Return the field of an expression, and its indices, computed once."""
    indices = [ctx.non_null(index) for index in s.index_nodes(e)]
    return ctx.memory.field(ctx.model.refs[e].name), [ctx.code.once(i) for i in indices]


def origin(ctx: Lowering, node: s.Move | s.Lay) -> Zone:
    """Return the zone that a card comes from."""
    if node.origin is not None:
        return zone_once(ctx, node.origin)
    if ctx.model.refs[node.what].kind == "slot_card":
        return zone_once(ctx, node.what)
    assert isinstance(node.what, s.Of)
    return zone_once(ctx, node.what.owner)


def seats_that_see(field: ir.Field, indices: list[ir.Expr]) -> ir.Expr:
    """Return the bit set of seats that see the content of a zone."""
    if field.seen == "all":
        return NONE
    if field.seen == "owner" and field.owner is not None:
        return ir.Bin("<<", ONE, indices[field.owner])
    return ZERO


# ---- content -------------------------------------------------------------------------------------------------------


def count_address(field: ir.Field, address: ir.Expr, face: ir.Expr) -> ir.Expr:
    """Return the address of the count of a face or token kind in a zone that stores counts."""
    return plus(plus(address, ir.Const(containers.CONTAINERS[field.kind].numbers)), face)


def faces_of(ctx: Lowering, field: ir.Field) -> int:
    """Return the number of faces or token kinds that a zone can hold."""
    return ctx.model.size(field.type, ctx.seats)


def size_of(ctx: Lowering, field: ir.Field, address: ir.Expr) -> ir.Expr:
    """Return the number of cards or tokens in a zone."""
    zone = containers.CONTAINERS[field.kind]
    if field.traits.single:
        return ir.Bin(">=", ir.Load(address), ZERO)
    if zone.sized:
        return ir.Load(address)
    first, *others = (ir.Load(count_address(field, address, ir.Const(kind))) for kind in range(faces_of(ctx, field)))
    total: ir.Expr = first
    for number in others:
        total = ir.Bin("+", total, number)
    return total


def copies_in(ctx: Lowering, field: ir.Field, address: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Return the number of copies of a card in a zone."""
    if field.traits.single:
        return ir.Bin("==", ir.Load(address), card)
    if not field.traits.counted:
        return ir.CountIn(address, card)
    number = ir.Load(count_address(field, address, card))
    if not field.traits.tokens:
        ctx.code.known[number] = CARDS
    return number


def contents(ctx: Lowering, e: s.Expression) -> Iteration:
    """Return an iteration over the content of a zone, by kind; empty if an index is none."""
    field = ctx.memory.field(ctx.model.refs[e].name)
    indices, is_present = checked_indices(ctx, e)
    start = ctx.flow.once(address_in(field, indices))
    if field.traits.single:
        count = ONE if is_present is None else ctx.flow.once(is_present)
        return Iteration(count, lambda k: ir.Load(start), lambda x: ir.Bin(">=", x, ZERO))

    def copies(x: ir.Expr) -> ir.Expr:
        return copies_in(ctx, field, start, x)

    size: ir.Expr = ir.Const(faces_of(ctx, field))
    if is_present is not None:
        size = ctx.flow.once(ir.Bin("*", is_present, size))
    return Iteration(size, guard=copies, copies=copies)


@NODES(s.Empty)
def empty(ctx: Lowering, e: s.Empty) -> ir.Expr:
    """Lower `x is empty` and `x is not empty`."""
    held = with_zone(ctx, e.zone, lambda field, address: size_of(ctx, field, address))
    return ir.Bin(">" if e.negated else "==", held, ZERO)


@NODES(s.CountOf)
def count_of(ctx: Lowering, e: s.CountOf) -> ir.Expr:
    """Lower the number of a card, or of a card kind, in a zone."""
    return with_zone(ctx, e.zone, lambda field, address: _count_of(ctx, e, field, address))


def _count_of(ctx: Lowering, e: s.CountOf, field: ir.Field, address: ir.Expr) -> ir.Expr:
    ref = ctx.model.refs.get(e.card)
    if ref is not None and ref.kind == "facekind":
        total: ir.Expr = ZERO
        for number, face in enumerate(ctx.model.cards[field.type.name].faces):
            if face.kind == ref.name:
                total = plus(total, copies_in(ctx, field, address, ir.Const(number)))
        return total
    if not ctx.nullable.may_be_none(e.card):
        return copies_in(ctx, field, address, ctx.value(e.card))
    card, result = ctx.once(e.card), ctx.code.variable(ZERO)
    count = ir.SetVar(result.number, copies_in(ctx, field, address, card))
    ctx.code.add(ir.If(ir.Bin(">=", card, ZERO), (count,), ()))
    return result


# ---- removal and insertion -----------------------------------------------------------------------------------------


def removed_card(ctx: Lowering, node: s.Move | s.Lay, field: ir.Field, at: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Remove a card from its zone and return it."""
    ref = ctx.model.refs.get(node.what)
    if node.origin is None and ref is not None and ref.kind in ("top", "bottom"):
        into = ctx.code.fresh()
        ctx.code.add(ir.Pop(into.number, at, ref.kind == "bottom", ctx.fault("R0605", node)))
        return into
    remove_card(ctx, node, field, at, card)
    return card


def remove_card(ctx: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr) -> None:
    """Remove a card from a zone; the game stops if it is absent."""
    if field.traits.ordered:
        ctx.code.add(ir.RemoveCard(at, card, ctx.fault("R0605", node)))
    elif field.traits.spread:
        remove_laid_card(ctx, node, field, at, card)
    elif field.traits.single:
        ctx.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("!=", ir.Load(at), card)), "R0605", node)
        ctx.code.add(ir.Store(at, NONE))
    else:
        assert field.traits.loose, field.kind
        cell = count_address(field, at, card)
        ctx.stop_if(ir.Bin("or", ir.Bin("<", card, ZERO), ir.Bin("<=", ir.Load(cell), ZERO)), "R0605", node)
        ctx.code.add(ir.Store(cell, ir.Bin("-", ir.Load(cell), ONE)))
        ctx.code.add(ir.Store(at, ir.Bin("-", ir.Load(at), ONE)))


def rows(field: ir.Field, at: ir.Expr) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Return the addresses of the rows of a layout: faces, areas and rotations."""
    faces, areas, turns = (plus(at, ir.Const(begin)) for begin in containers.LAYOUT.rows(field.width))
    return faces, areas, turns


def last_laid_index(ctx: Lowering, field: ir.Field, at: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Return the index of the last placed card with a face on a layout, from 0; -1 if there is none."""
    faces, _, _ = rows(field, at)
    return ctx.code.once(ir.Find(at, faces, card))


def remove_laid_card(ctx: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr) -> None:
    """Remove a card from a layout, of several equal ones the last placed; later cards move up."""
    card_index = last_laid_index(ctx, field, at, card)
    ctx.stop_if(ir.Bin("<", card_index, ZERO), "R0605", node)
    new_size = ctx.code.variable(ir.Bin("-", ir.Load(at), ONE))
    ctx.code.add(ir.Store(at, new_size))
    step = ctx.code.fresh()
    up = tuple(ir.Store(plus(row, step), ir.Load(plus(plus(row, step), ONE))) for row in rows(field, at))
    ctx.code.add(ir.ForRange(step.number, new_size, (ir.If(ir.Bin(">=", step, card_index), up, ()),)))
    ctx.code.add(*(ir.Store(plus(row, new_size), ZERO) for row in rows(field, at)))


def insert_card(ctx: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, card: ir.Expr, under: bool = False) -> None:
    """Put a card into a zone, on top or under; the game stops if there is no room."""
    if field.traits.ordered:
        ctx.code.add(ir.Push(at, card, field.capacity, under, ctx.fault("R0606", node)))
    elif field.traits.single:
        ctx.stop_if(ir.Bin(">=", ir.Load(at), ZERO), "R0606", node)
        ctx.code.add(ir.Store(at, card))
    else:
        assert field.traits.loose, field.kind
        capacity = ctx.model.declared.zones[field.name].capacity
        if capacity is not None:
            ctx.stop_if(ir.Bin(">=", ir.Load(at), ir.Const(capacity)), "R0606", node)
        cell = count_address(field, at, card)
        ctx.code.add(ir.Store(cell, ir.Bin("+", ir.Load(cell), ONE)))
        ctx.code.add(ir.Store(at, ir.Bin("+", ir.Load(at), ONE)))


# ---- layouts -------------------------------------------------------------------------------------------------------


def board_of(ctx: Lowering, field: ir.Field) -> str:
    """Return the lattice of a layout."""
    board = ctx.model.declared.zones[field.name].board
    assert board is not None
    return board


def index_in_area(ctx: Lowering, field: ir.Field, at: ir.Expr, area: ir.Expr) -> ir.Expr:
    """Return the index of the card in an area of a layout, from 0; -1 if it is empty."""
    _, areas, _ = rows(field, at)
    return ctx.code.once(ir.Find(at, areas, plus(area, ONE)))


def _row_entry(ctx: Lowering, row: ir.Expr, found: ir.Expr, nothing: ir.Expr) -> ir.Var:
    """Return the entry of a card in a row; `nothing` without a card."""
    result = ctx.code.variable(nothing)
    entry = ir.SetVar(result.number, ir.Load(plus(row, found)))
    ctx.code.add(ir.If(ir.Bin(">=", found, ZERO), (entry,), ()))
    return result


@REFERENCES("laid")
def laid(ctx: Lowering, e: s.Of | s.Indexed, ref: Ref) -> ir.Expr:
    """Lower the card in an area of a layout; none beyond the edge."""
    field = ctx.memory.field(ref.name)

    def card(indices: list[ir.Expr]) -> ir.Expr:
        *copy, area = indices
        address = ctx.code.once(address_in(field, copy))
        faces, _, _ = rows(field, address)
        return _row_entry(ctx, faces, index_in_area(ctx, field, address, area), NONE)

    return resolve_indices(ctx, e, card, NONE)


@REFERENCES("laid_at")
def laid_at(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the area of a card, of several equal ones the last placed; nowhere if it is not on the layout."""
    field = ctx.memory.field(ref.name)
    address = ir.Const(field.base)
    card_index = last_laid_index(ctx, field, address, ctx.once(e.owner))
    _, areas, _ = rows(field, address)
    return plus(_row_entry(ctx, areas, card_index, ZERO), NONE)


@REFERENCES("side", "facing")
def facing(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `side(card, direction)` and `facing(card, side)`, which convert by the rotation of a card.

    A card named by its area (`chart[here]`) is the one in that area, even if there are equal cards.
    """
    field = ctx.memory.field(ref.name)
    address = ir.Const(field.base)
    sides = ctx.model.boards[board_of(ctx, field)].directions
    named = ctx.model.refs.get(e.arguments[0])
    if named is not None and named.kind == "laid" and named.name == field.name:
        card_index = index_in_area(ctx, field, address, ctx.value(s.index_nodes(e.arguments[0])[-1]))
    else:
        card_index = last_laid_index(ctx, field, address, ctx.once(e.arguments[0]))
    _, _, turns = rows(field, address)
    turned = _row_entry(ctx, turns, card_index, ZERO)
    number = ctx.value(e.arguments[1])
    return ir.Bin("%", ir.Bin("-" if ref.kind == "side" else "+", number, turned), ir.Const(sides))

"""Lowering of state changes: moves of cards, tokens and figures, and assignments."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus
from wongar_dsl.compiler.lowering.context import NONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.events import EventArgument, emit, place, recorded_message
from wongar_dsl.compiler.lowering.zones import (
    Zone,
    address_in,
    count_address,
    faces_of,
    insert_card,
    origin,
    remove_card,
    removed_card,
    seats_that_see,
    size_of,
    zone_once,
)
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import FIGURE, NUMBER, PLAYER, Type

# ---- cards and figures ---------------------------------------------------------------------------------------------


def _seen_either(*ends: Zone) -> tuple[ir.Expr, bool]:
    """Return the viewers of a change between zones, and whether it is hidden from some players."""
    if any(field.seen == "all" for field, _ in ends):
        return NONE, False
    seen = [seats_that_see(*end) for end in ends]
    seen = [e for e in seen if e != ZERO] or [ZERO]
    result = seen[0]
    for mask in seen[1:]:
        result = ir.Bin("|", result, mask)
    return result, True


def _hides_number(*ends: Zone) -> bool:
    """Return whether the number of things that move is hidden: the sizes of both zones are."""
    return all(field.seen == "nobody" for field, _ in ends)


def move(ctx: Lowering, node: s.Move) -> None:
    """Lower `move what from zone to place` for a card or figure."""
    if ctx.type_of(node.what) == FIGURE:
        figure, area = ctx.once(node.what), ctx.once(node.target)
        fields = [EventArgument("figure", FIGURE, (figure,)), EventArgument("to", ctx.type_of(node.target), (area,))]
        emit(ctx, "figure_moved", fields, node.message)
        ctx.code.add(ir.Store(plus(ir.Const(ctx.memory.field("place").base), figure), area))
        return
    under, destination = False, node.target
    if isinstance(destination, s.Of) and ctx.model.refs.get(destination) is None:
        under, destination = destination.name == "bottom", destination.owner
    target, source = zone_once(ctx, destination), origin(ctx, node)
    card = ctx.once(node.what)
    seen, secret = _seen_either(source, target)
    fields = [
        EventArgument("card", Type("cards", source[0].type.name), (card,), secret),
        place("from", source),
        place("to", target),
    ]
    emit(ctx, "card_moved", fields, node.message, seen)
    card = removed_card(ctx, node, source[0], address_in(*source), card)
    insert_card(ctx, node, target[0], address_in(*target), card, under)


def take(ctx: Lowering, node: s.Take) -> None:
    """Lower `p takes figure`."""
    player = ctx.once(node.taker)
    figure = ir.Const(ctx.model.figures.index(node.figure.text))
    emit(
        ctx,
        "figure_taken",
        [EventArgument("figure", FIGURE, (figure,)), EventArgument("player", PLAYER, (player,))],
        node.message,
    )
    ctx.code.add(ir.Store(plus(ir.Const(ctx.memory.field("holder").base), figure), player))


# ---- several at once -----------------------------------------------------------------------------------------------


def move_tokens(ctx: Lowering, node: s.MoveTokens) -> None:
    """Lower `move n kind from zone to zone`."""
    count, kind = ctx.once(node.count), ctx.non_null(node.kind)
    source, target = zone_once(ctx, node.origin), zone_once(ctx, node.target)
    seen, secret = _seen_either(source, target)
    fields = [
        EventArgument("n", NUMBER, (count,), _hides_number(source, target)),
        EventArgument("token", source[0].type, (kind,), secret),
        place("from", source),
        place("to", target),
    ]
    emit(ctx, "tokens_moved", fields, node.message, seen)
    source_cell, target_cell = (
        count_address(field, address_in(field, indices), kind) for field, indices in (source, target)
    )
    short = ir.Bin("<", ir.Load(source_cell), count)
    if not isinstance(count, ir.Const) or count.value < 0:
        short = ir.Bin("or", ir.Bin("<", count, ZERO), short)
    ctx.stop_if(short, "R0602", node)
    ctx.code.add(ir.Store(source_cell, ir.Bin("-", ir.Load(source_cell), count)))
    _add_tokens(ctx, node, target[0], target_cell, count)


def _add_tokens(ctx: Lowering, node: s.Node, field: ir.Field, cell: ir.Expr, count: ir.Expr) -> None:
    """Add tokens of a kind to a zone, with a range check for their number."""
    number = ctx.in_range(node, ir.Bin("+", ir.Load(cell), count), field.name)
    ctx.code.add(ir.Store(cell, number))


def move_all(ctx: Lowering, node: s.MoveAll) -> None:
    """Lower `move all of zone to zone`."""
    code = ctx.code
    source, target = zone_once(ctx, node.origin), zone_once(ctx, node.target)
    field, address, destination = source[0], address_in(*source), address_in(*target)
    unseen = _hides_number(source, target)
    number = EventArgument("n", NUMBER, (ctx.code.once(size_of(ctx, field, address)),), unseen)
    seen = ZERO if unseen else NONE
    emit(ctx, "all_moved", [number, place("from", source), place("to", target)], node.message, seen)
    step = code.fresh()
    if field.kind == "tokens":
        source_cell, target_cell = count_address(field, address, step), count_address(target[0], destination, step)
        with code.inner() as each_kind:
            # Removed before they are added, because both can be the same zone.
            moved = code.once(ir.Load(source_cell))
            code.add(ir.Store(source_cell, ZERO))
            _add_tokens(ctx, node, target[0], target_cell, moved)
        code.add(ir.ForRange(step.number, ir.Const(faces_of(ctx, field)), tuple(each_kind)))
        return
    if field.kind == "pile":
        with code.inner() as body:
            card = code.fresh()
            code.add(ir.Pop(card.number, address, False, ctx.fault("R0605", node)))
            insert_card(ctx, node, target[0], destination, card)
        code.add(ir.ForRange(step.number, ir.Load(address), tuple(body)))
        return
    face, counter = step, code.fresh()
    with code.inner() as copies:
        remove_card(ctx, node, field, address, face)
        insert_card(ctx, node, target[0], destination, face)
    held = ir.Load(count_address(field, address, face))
    move_each = ir.ForRange(counter.number, held, tuple(copies))
    code.add(ir.ForRange(face.number, ir.Const(faces_of(ctx, field)), (move_each,)))


def fill(ctx: Lowering, node: s.Fill) -> None:
    """Lower `fill zone with deck` and `fill zone with n kind`."""
    code = ctx.code
    target = zone_once(ctx, node.zone)
    field, address, where = target[0], address_in(*target), place("zone", target)
    if node.count is not None:
        count, kind = ctx.once(node.count), code.once(ctx.non_null(node.filling))
        # The number is public if the size of the zone is, or if it is a constant in the rules.
        unknown = field.seen == "nobody" and not isinstance(count, ir.Const)
        many = EventArgument("n", NUMBER, (count,), unknown)
        fields = [where, many, EventArgument("token", field.type, (kind,), field.seen != "all")]
        emit(ctx, "filled", fields, recorded_message(node), seats_that_see(*target))
        if not isinstance(count, ir.Const) or count.value < 0:
            ctx.stop_if(ir.Bin("<", count, ZERO), "R0603", node, field.name)
        _insert_copies(ctx, node, field, address, kind, count)
        return
    assert isinstance(node.filling, s.Name)
    deck = ctx.model.declared.decks[node.filling.text]
    emit(ctx, "filled", [where, EventArgument("n", NUMBER, (ir.Const(deck.total),))], recorded_message(node))
    for face, number in deck.copies:
        if number:
            _insert_copies(ctx, node, field, address, ir.Const(face), ir.Const(number))


def _insert_copies(ctx: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, kind: ir.Expr, count: ir.Expr) -> None:
    """Put equal tokens or cards into a zone."""
    if field.kind == "tokens":
        cell = count_address(field, at, kind)
        _add_tokens(ctx, node, field, cell, count)
        return
    with ctx.code.inner() as body:
        insert_card(ctx, node, field, at, kind)
    ctx.code.add(ir.ForRange(ctx.code.fresh().number, count, tuple(body)))


def shuffle(ctx: Lowering, node: s.Shuffle) -> None:
    """Lower `shuffle pile`."""
    target = zone_once(ctx, node.zone)
    emit(ctx, "pile_shuffled", [place("pile", target)], node.message or recorded_message(node))
    ctx.code.add(ir.Shuffle(address_in(*target)))


# ---- assignments ---------------------------------------------------------------------------------------------------


def assign(ctx: Lowering, node: s.Assign) -> None:
    """Lower `set x to e` for a local name, the holder or location of a figure, or a remembered value."""
    ref = ctx.model.refs[node.target]
    if ref.local is not None:
        cell = ctx.code.names[ref.local]
        # Only parameters of definitions can be constant, and definitions assign nothing.
        assert not isinstance(cell, ir.Const)
        new = ctx.in_range(node, ctx.value(node.value), ref.local.name)
        ctx.code.add(ir.SetVar(cell.number, new) if isinstance(cell, ir.Var) else ir.Store(cell.address, new))
    elif ref.kind in ("holder", "place"):
        assert isinstance(node.target, s.Of)
        figure, new = ctx.once(node.target.owner), ctx.once(node.value)
        kind: ir.EventName = "figure_taken" if ref.kind == "holder" else "figure_moved"
        name, destination = ("player", PLAYER) if ref.kind == "holder" else ("to", ctx.type_of(node.target))
        emit(
            ctx,
            kind,
            [EventArgument("figure", FIGURE, (figure,)), EventArgument(name, destination, (new,))],
            recorded_message(node),
        )
        field = ctx.memory.field(ref.kind)
        ctx.code.add(ir.Store(plus(ir.Const(field.base), figure), new))
    else:
        target = zone_once(ctx, node.target)
        field, indices = target
        new = _in_declared_range(ctx, node, field, ctx.once(node.value))
        field_argument = EventArgument("what", Type("place", field.name), tuple(indices))
        value = EventArgument("value", field.type, (new,), field.seen != "all")
        emit(ctx, "changed", [field_argument, value], recorded_message(node), seats_that_see(field, indices))
        ctx.code.add(ir.Store(address_in(*target), new))


def _in_declared_range(ctx: Lowering, node: s.Node, field: ir.Field, value: ir.Expr) -> ir.Expr:
    """Return a value to be remembered, with a check of its declared range."""
    held = ctx.model.code.remembered[field.name].type
    if held.low is None or held.high is None:
        return ctx.in_range(node, value, field.name) if field.type == NUMBER else value
    low, high = ctx.value(held.low), ctx.value(held.high)
    ctx.stop_if(ir.Bin("or", ir.Bin("<", value, low), ir.Bin(">", value, high)), "R0603", node, field.name)
    return value


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.Assign: assign,
        s.Move: move,
        s.MoveTokens: move_tokens,
        s.MoveAll: move_all,
        s.Fill: fill,
        s.Shuffle: shuffle,
        s.Take: take,
    },
)

"""Lowering of state changes: moves of cards, tokens and figures, and assignments."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.folding import plus
from wongar_dsl.lower.context import NONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.events import Argument, emit, place, silent
from wongar_dsl.lower.zones import (
    Zone,
    address_in,
    faces_of,
    number_at,
    origin,
    put,
    seen_by,
    size_of,
    take_out,
    taken_out,
    zone_once,
)
from wongar_dsl.model import FIGURE, NUMBER, PLAYER, Type

# ---- cards and figures ---------------------------------------------------------------------------------------------


def _seen_either(*ends: Zone) -> tuple[ir.Expr, bool]:
    """Return the viewers of a change between zones, and whether it is hidden from some players."""
    if any(field.seen == "all" for field, _ in ends):
        return NONE, False
    seen = [seen_by(*end) for end in ends]
    seen = [e for e in seen if e != ZERO] or [ZERO]
    result = seen[0]
    for mask in seen[1:]:
        result = ir.Bin("|", result, mask)
    return result, True


def move(to: Lowering, node: s.Move) -> None:
    """Lower `move what from zone to place` for a card or figure."""
    if to.type_of(node.what) == FIGURE:
        figure, goal = to.once(node.what), to.once(node.target)
        fields = [Argument("figure", FIGURE, (figure,)), Argument("to", to.type_of(node.target), (goal,))]
        emit(to, "figure_moved", fields, node.told)
        to.code.add(ir.Store(plus(ir.Const(to.memory.place("place").base), figure), goal))
        return
    under, destination = False, node.target
    if isinstance(destination, s.Of) and to.model.refs.get(destination) is None:
        under, destination = destination.name == "bottom", destination.owner
    target, source = zone_once(to, destination), origin(to, node)
    card = to.once(node.what)
    seen, secret = _seen_either(source, target)
    fields = [
        Argument("card", Type("cards", source[0].type.name), (card,), secret),
        place("from", source),
        place("to", target),
    ]
    emit(to, "card_moved", fields, node.told, seen)
    card = taken_out(to, node, source[0], address_in(*source), card)
    put(to, node, target[0], address_in(*target), card, under)


def take(to: Lowering, node: s.Take) -> None:
    """Lower `p takes figure`."""
    player = to.once(node.taker)
    figure = ir.Const(to.model.figures.index(node.figure.text))
    emit(to, "figure_taken", [Argument("figure", FIGURE, (figure,)), Argument("player", PLAYER, (player,))], node.told)
    to.code.add(ir.Store(plus(ir.Const(to.memory.place("holder").base), figure), player))


# ---- several at once -----------------------------------------------------------------------------------------------


def move_tokens(to: Lowering, node: s.MoveTokens) -> None:
    """Lower `move n kind from zone to zone`."""
    count, kind = to.once(node.count), to.non_null(node.kind)
    source, target = zone_once(to, node.origin), zone_once(to, node.target)
    seen, secret = _seen_either(source, target)
    fields = [
        Argument("n", NUMBER, (count,), secret),
        Argument("token", source[0].type, (kind,), secret),
        place("from", source),
        place("to", target),
    ]
    emit(to, "tokens_moved", fields, node.told, seen)
    source_cell, target_cell = (
        number_at(field, address_in(field, indices), kind) for field, indices in (source, target)
    )
    short = ir.Bin("<", ir.Load(source_cell), count)
    if not isinstance(count, ir.Const) or count.value < 0:
        short = ir.Bin("or", ir.Bin("<", count, ZERO), short)
    to.stop_if(short, "R0602", node)
    to.code.add(ir.Store(source_cell, ir.Bin("-", ir.Load(source_cell), count)))
    _more(to, node, target[0], target_cell, count)


def _more(to: Lowering, node: s.Node, field: ir.Field, cell: ir.Expr, count: ir.Expr) -> None:
    """Add tokens of a kind to a zone, with a range check for their number."""
    number = to.in_range(node, ir.Bin("+", ir.Load(cell), count), field.name)
    to.code.add(ir.Store(cell, number))


def move_all(to: Lowering, node: s.MoveAll) -> None:
    """Lower `move all of zone to zone`."""
    code = to.code
    source, target = zone_once(to, node.origin), zone_once(to, node.target)
    field, address, goal = source[0], address_in(*source), address_in(*target)
    # The number is public, unless both zones are hidden from all players.
    unseen = field.seen == target[0].seen == "nobody"
    number = Argument("n", NUMBER, (to.code.once(size_of(to, field, address)),), unseen)
    seen = ZERO if unseen else NONE
    emit(to, "all_moved", [number, place("from", source), place("to", target)], node.told, seen)
    step = code.fresh()
    if field.kind == "tokens":
        source_cell, target_cell = number_at(field, address, step), number_at(target[0], goal, step)
        with code.inner() as each_kind:
            # Removed before they are added, because both can be the same zone.
            moved = code.once(ir.Load(source_cell))
            code.add(ir.Store(source_cell, ZERO))
            _more(to, node, target[0], target_cell, moved)
        code.add(ir.ForRange(step.number, ir.Const(faces_of(to, field)), tuple(each_kind)))
        return
    if field.kind == "pile":
        with code.inner() as body:
            card = code.fresh()
            code.add(ir.Pop(card.number, address, False, to.fault("R0605", node)))
            put(to, node, target[0], goal, card)
        code.add(ir.ForRange(step.number, ir.Load(address), tuple(body)))
        return
    face, counter = step, code.fresh()
    with code.inner() as copies:
        take_out(to, node, field, address, face)
        put(to, node, target[0], goal, face)
    held = ir.Load(number_at(field, address, face))
    each = ir.ForRange(counter.number, held, tuple(copies))
    code.add(ir.ForRange(face.number, ir.Const(faces_of(to, field)), (each,)))


def fill(to: Lowering, node: s.Fill) -> None:
    """Lower `fill zone with deck` and `fill zone with n kind`."""
    code = to.code
    target = zone_once(to, node.zone)
    field, address, where = target[0], address_in(*target), place("zone", target)
    if node.count is not None:
        count, kind = to.once(node.count), code.once(to.non_null(node.filling))
        # The number is public if the size of the zone is, or if it is a constant in the rules.
        unknown = field.seen == "nobody" and not isinstance(count, ir.Const)
        many = Argument("n", NUMBER, (count,), unknown)
        fields = [where, many, Argument("token", field.type, (kind,), field.seen != "all")]
        emit(to, "filled", fields, silent(node), seen_by(*target))
        if not isinstance(count, ir.Const) or count.value < 0:
            to.stop_if(ir.Bin("<", count, ZERO), "R0603", node, field.name)
        _put_many(to, node, field, address, kind, count)
        return
    assert isinstance(node.filling, s.Name)
    deck = to.model.declared.decks[node.filling.text]
    emit(to, "filled", [where, Argument("n", NUMBER, (ir.Const(deck.total),))], silent(node))
    for face, number in deck.copies:
        if number:
            _put_many(to, node, field, address, ir.Const(face), ir.Const(number))


def _put_many(to: Lowering, node: s.Node, field: ir.Field, at: ir.Expr, kind: ir.Expr, count: ir.Expr) -> None:
    """Put equal tokens or cards into a zone."""
    if field.kind == "tokens":
        cell = number_at(field, at, kind)
        _more(to, node, field, cell, count)
        return
    with to.code.inner() as body:
        put(to, node, field, at, kind)
    to.code.add(ir.ForRange(to.code.fresh().number, count, tuple(body)))


def shuffle(to: Lowering, node: s.Shuffle) -> None:
    """Lower `shuffle pile`."""
    target = zone_once(to, node.zone)
    emit(to, "pile_shuffled", [place("pile", target)], node.told or silent(node))
    to.code.add(ir.Shuffle(address_in(*target)))


# ---- assignments ---------------------------------------------------------------------------------------------------


def assign(to: Lowering, node: s.Assign) -> None:
    """Lower `set x to e` for a local name, the holder or location of a figure, or a remembered value."""
    ref = to.model.refs[node.target]
    if ref.local is not None:
        cell = to.code.names[ref.local]
        # Only parameters of definitions can be constant, and definitions assign nothing.
        assert not isinstance(cell, ir.Const)
        new = to.in_range(node, to.value(node.value), ref.local.name)
        to.code.add(ir.SetVar(cell.number, new) if isinstance(cell, ir.Var) else ir.Store(cell.address, new))
    elif ref.kind in ("holder", "place"):
        assert isinstance(node.target, s.Of)
        figure, new = to.once(node.target.owner), to.once(node.value)
        kind: ir.EventName = "figure_taken" if ref.kind == "holder" else "figure_moved"
        name, goal = ("player", PLAYER) if ref.kind == "holder" else ("to", to.type_of(node.target))
        emit(to, kind, [Argument("figure", FIGURE, (figure,)), Argument(name, goal, (new,))], silent(node))
        field = to.memory.place(ref.kind)
        to.code.add(ir.Store(plus(ir.Const(field.base), figure), new))
    else:
        target = zone_once(to, node.target)
        field, indices = target
        new = _in_its_range(to, node, field, to.once(node.value))
        field_argument = Argument("what", Type("place", field.name), tuple(indices))
        value = Argument("value", field.type, (new,), field.seen != "all")
        emit(to, "changed", [field_argument, value], silent(node), seen_by(field, indices))
        to.code.add(ir.Store(address_in(*target), new))


def _in_its_range(to: Lowering, node: s.Node, field: ir.Field, value: ir.Expr) -> ir.Expr:
    """Return a value to be remembered, with a check of its declared range."""
    held = to.model.code.remembered[field.name].type
    if held.low is None or held.high is None:
        return to.in_range(node, value, field.name) if field.type == NUMBER else value
    low, high = to.value(held.low), to.value(held.high)
    to.stop_if(ir.Bin("or", ir.Bin("<", value, low), ir.Bin(">", value, high)), "R0603", node, field.name)
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

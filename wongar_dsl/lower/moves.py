"""What changes on the table: cards, tokens and figures that move, and values that are set."""

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
    """Who sees a change between zones, and whether that is not everybody."""
    if any(field.seen == "all" for field, _ in ends):
        return NONE, False
    seen = [seen_by(*end) for end in ends]
    seen = [e for e in seen if e != ZERO] or [ZERO]
    result = seen[0]
    for other in seen[1:]:
        result = ir.Bin("|", result, other)
    return result, True


def move(to: Lowering, node: s.Move) -> None:
    """`move what from zone to place`: a card or a figure."""
    if to.type_of(node.what) == FIGURE:
        figure, goal = to.once(node.what), to.once(node.target)
        fields = [Argument("figure", FIGURE, (figure,)), Argument("to", to.type_of(node.target), (goal,))]
        emit(to, "figure_moved", fields, node.told)
        to.code.add(ir.Store(plus(ir.Const(to.memory.place("place").base), figure), goal))
        return
    under, wanted = False, node.target
    if isinstance(wanted, s.Of) and to.model.refs.get(wanted) is None:
        under, wanted = wanted.name == "bottom", wanted.owner
    target, source = zone_once(to, wanted), origin(to, node)
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
    """`p takes figure`."""
    player = to.once(node.taker)
    figure = ir.Const(to.model.figures.index(node.figure.text))
    emit(to, "figure_taken", [Argument("figure", FIGURE, (figure,)), Argument("player", PLAYER, (player,))], node.told)
    to.code.add(ir.Store(plus(ir.Const(to.memory.place("holder").base), figure), player))


# ---- several at once -----------------------------------------------------------------------------------------------


def move_tokens(to: Lowering, node: s.MoveTokens) -> None:
    """`move n kind from zone to zone`."""
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
    here, there = (number_at(field, address_in(field, indices), kind) for field, indices in (source, target))
    short = ir.Bin("<", ir.Load(here), count)
    if not isinstance(count, ir.Const) or count.value < 0:
        short = ir.Bin("or", ir.Bin("<", count, ZERO), short)
    to.stop_if(short, "R0602", node)
    to.code.add(ir.Store(here, ir.Bin("-", ir.Load(here), count)))
    _more(to, node, target[0], there, count)


def _more(to: Lowering, node: s.Node, field: ir.Field, cell: ir.Expr, count: ir.Expr) -> None:
    """More tokens of a kind come into a zone; the game stops where there are more than a number may be."""
    number = to.in_range(node, ir.Bin("+", ir.Load(cell), count), field.name)
    to.code.add(ir.Store(cell, number))


def move_all(to: Lowering, node: s.MoveAll) -> None:
    """`move all of zone to zone`."""
    code = to.code
    source, target = zone_once(to, node.origin), zone_once(to, node.target)
    field, at, goal = source[0], address_in(*source), address_in(*target)
    # How many there are everybody sees, unless nobody sees anything.
    unseen = field.seen == target[0].seen == "nobody"
    number = Argument("n", NUMBER, (to.code.once(size_of(to, field, at)),), unseen)
    seen = ZERO if unseen else NONE
    emit(to, "all_moved", [number, place("from", source), place("to", target)], node.told, seen)
    step = code.fresh()
    if field.kind == "tokens":
        here, there = number_at(field, at, step), number_at(target[0], goal, step)
        with code.inner() as each_kind:
            # Taken out before they are put in: it may be the same zone.
            moved = code.once(ir.Load(here))
            code.add(ir.Store(here, ZERO))
            _more(to, node, target[0], there, moved)
        code.add(ir.ForRange(step.number, ir.Const(faces_of(to, field)), tuple(each_kind)))
        return
    if field.kind == "pile":
        with code.inner() as body:
            card = code.fresh()
            code.add(ir.Pop(card.number, at, False, to.fault("R0605", node)))
            put(to, node, target[0], goal, card)
        code.add(ir.ForRange(step.number, ir.Load(at), tuple(body)))
        return
    face, again = step, code.fresh()
    with code.inner() as copies:
        take_out(to, node, field, at, face)
        put(to, node, target[0], goal, face)
    held = ir.Load(number_at(field, at, face))
    each = ir.ForRange(again.number, held, tuple(copies))
    code.add(ir.ForRange(face.number, ir.Const(faces_of(to, field)), (each,)))


def fill(to: Lowering, node: s.Fill) -> None:
    """`fill zone with deck`, `fill zone with n kind`."""
    code = to.code
    target = zone_once(to, node.zone)
    field, at, where = target[0], address_in(*target), place("zone", target)
    if node.count is not None:
        count, kind = to.once(node.count), code.once(to.non_null(node.filling))
        # How many it is everybody knows who sees the number, or reads it in the rules.
        unknown = field.seen == "nobody" and not isinstance(count, ir.Const)
        many = Argument("n", NUMBER, (count,), unknown)
        fields = [where, many, Argument("token", field.type, (kind,), field.seen != "all")]
        emit(to, "filled", fields, silent(node), seen_by(*target))
        if not isinstance(count, ir.Const) or count.value < 0:
            to.stop_if(ir.Bin("<", count, ZERO), "R0603", node, field.name)
        _put_many(to, node, field, at, kind, count)
        return
    assert isinstance(node.filling, s.Name)
    deck = to.model.declared.decks[node.filling.text]
    emit(to, "filled", [where, Argument("n", NUMBER, (ir.Const(deck.total),))], silent(node))
    for face, number in deck.copies:
        if number:
            _put_many(to, node, field, at, ir.Const(face), ir.Const(number))


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
    """`shuffle pile`."""
    target = zone_once(to, node.zone)
    emit(to, "pile_shuffled", [place("pile", target)], node.told or silent(node))
    to.code.add(ir.Shuffle(address_in(*target)))


# ---- values that are set -------------------------------------------------------------------------------------------


def assign(to: Lowering, node: s.Assign) -> None:
    """`set x to e`: a local name, a figure's holder or place, or what the game keeps."""
    ref = to.model.refs[node.target]
    if ref.local is not None:
        cell = to.code.names[ref.local]
        # Only what a definition is given can be constant, and that sets nothing.
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
        what = Argument("what", Type("place", field.name), tuple(indices))
        value = Argument("value", field.type, (new,), field.seen != "all")
        emit(to, "changed", [what, value], silent(node), seen_by(field, indices))
        to.code.add(ir.Store(address_in(*target), new))


def _in_its_range(to: Lowering, node: s.Node, field: ir.Field, value: ir.Expr) -> ir.Expr:
    """A value that is remembered; the game stops where it is a number that leaves its range."""
    held = to.model.code.remembered[field.name].type
    if held.low is None or held.high is None:
        return to.in_range(node, value, field.name) if field.type == NUMBER else value
    low, high = to.value(held.low), to.value(held.high)
    to.stop_if(ir.Bin("or", ir.Bin("<", value, low), ir.Bin(">", value, high)), "R0603", node, field.name)
    return value


#: What is lowered here.
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

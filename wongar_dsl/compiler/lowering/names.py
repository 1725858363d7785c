"""Lowering of names, properties and built-in functions."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.ir.ranges import MAX_VALUE
from wongar_dsl.compiler.lowering import procedures, zones
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import NUMBER, Ref

Reference = s.Name | s.Of | s.Indexed | s.Called


def reference(ctx: Lowering, e: Reference) -> ir.Expr:
    """Lower a name by its reference kind."""
    ref = ctx.model.refs[e]
    return ctx.dispatch.references[ref.kind](ctx, e, ref)


def _read(ctx: Lowering, e: s.Expression, value: Callable[[list[ir.Expr]], ir.Expr]) -> ir.Expr:
    """Lower a property of indexed values; the property of none is none, 0 or no."""
    return zones.resolve_indices(ctx, e, value, NONE if ctx.type_of(e).can_be_none else ZERO)


# ---- names of values -----------------------------------------------------------------------------------------------


def local(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a parameter, bound name or `let` name."""
    assert ref.local is not None
    cell = ctx.code.names[ref.local]
    if ref.local in ctx.bounds:
        ctx.code.known[cell] = ctx.bounds[ref.local]
    return cell


def constant(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower an enumeration value, area, figure or card."""
    return ir.Const(ref.number)


def players(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower the number of players."""
    return ir.Const(ctx.seats)


def setting(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a setting of the game."""
    return ir.Const(ctx.settings[ref.name])


def time(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower the time of the answer, limited to the range of numbers."""
    return ir.Bin("min", ir.Load(ir.Const(ir.AT_TIME)), ir.Const(MAX_VALUE))


# ---- state ---------------------------------------------------------------------------------------------------------


def remembered(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a remembered value or score."""
    declared = ctx.model.declared.remembered.get(ref.name)

    def cell(indices: list[ir.Expr]) -> ir.Expr:
        loaded = ir.Load(zones.address_in(ctx.memory.field(ref.name), indices))
        if declared is not None and declared.numbers:
            ctx.code.known[loaded] = declared.numbers[0], declared.numbers[-1]
        return loaded

    return _read(ctx, e, cell)


def slot(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower the card in a slot."""
    return _read(ctx, e, lambda indices: ir.Load(zones.address_in(ctx.memory.field(ref.name), indices)))


def tokens(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower the number of tokens of a kind in a zone."""
    field = ctx.memory.field(ref.name)

    def number(indices: list[ir.Expr]) -> ir.Expr:
        *copy, kind = indices
        return ir.Load(zones.count_address(field, zones.address_in(field, copy), kind))

    return _read(ctx, e, number)


def of_figure(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the holder or location of a figure."""
    return ir.Load(plus(ir.Const(ctx.memory.field(ref.kind).base), ctx.value(e.owner)))


def top(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the top card of a pile."""
    return zones.with_zone(ctx, e.owner, lambda field, address: ir.Top(address), NONE)


def bottom(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the bottom card of a pile."""
    return zones.with_zone(ctx, e.owner, lambda field, address: ir.Bottom(address), NONE)


def size(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the number of cards or tokens in a zone."""
    return zones.with_zone(ctx, e.owner, lambda field, address: zones.size_of(ctx, field, address))


# ---- constants -----------------------------------------------------------------------------------------------------


def cell(ctx: Lowering, e: Reference, ref: Ref) -> ir.Expr:
    """Lower a cell of a table."""
    return _read(ctx, e, lambda indices: _cell(ctx, e, ref.name, indices))


def _cell(ctx: Lowering, e: Reference, name: str, indices: list[ir.Expr]) -> ir.Expr:
    data = ctx.model.tables[name]
    for number, (kind, low, count) in enumerate(zip(data.keys, data.lows, data.sizes, strict=True)):
        key = indices[number]
        if kind == NUMBER and not (isinstance(key, ir.Const) and low <= key.value < low + count):
            key = indices[number] = ctx.code.once(key)
            out = ir.Bin("or", ir.Bin("<", key, ir.Const(low)), ir.Bin(">=", key, ir.Const(low + count)))
            ctx.stop_if(out, "R0603", e, name)
    index: ir.Expr = ZERO
    factor = 1
    for i, low, count in zip(reversed(indices), reversed(data.lows), reversed(data.sizes), strict=True):
        index = plus(index, times(plus(i, ir.Const(-low)), factor))
        factor *= count
    if isinstance(index, ir.Const) and 0 <= index.value < len(data.cells):
        return ir.Const(data.cells[index.value])
    return ctx.lookup(("table", name), data.cells, index)


def face(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower a card with parameters."""
    sort = ctx.model.cards[ctx.type_of(e).name]
    faces = [(i, f) for i, f in enumerate(sort.faces) if f.kind == e.name]
    # A card has no face for a parameter that is none: its computed number would denote another card.
    arguments = [ctx.non_null(a) for a in e.arguments]
    # Faces of one kind are numbered consecutively; the last parameter varies fastest.
    index: ir.Expr = ir.Const(faces[0][0])
    factor = 1
    for position in reversed(range(len(arguments))):
        index = plus(index, times(arguments[position], factor))
        factor *= 1 + max(f.arguments[position] for _, f in faces)
    return index


def attribute(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower a parameter of a card."""
    card, cards = ctx.value(e.owner), ctx.type_of(e.owner).name
    return attribute_of(ctx, cards, ref.name, card)


def attribute_of(ctx: Lowering, cards: str, name: str, card: ir.Expr) -> ir.Expr:
    """Return a parameter of a card, given its card type."""
    values = ctx.model.cards[cards].attributes[name][1]
    return ctx.lookup(("attribute", cards, name), (-1, *values), plus(card, ONE))


def is_face_kind(ctx: Lowering, operator: ir.Operator, cards: str, card: ir.Expr, kind: str) -> ir.Expr:
    """Return a comparison of the kind of a card."""
    sort = ctx.model.cards[cards]
    number = ctx.lookup(("kinds", cards), (-1, *sort.kinds_of_faces), plus(card, ONE))
    return ir.Bin(operator, number, ir.Const(sort.kind_numbers[kind]))


def position(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the number of a value in its enumeration, from 1."""
    return plus(ctx.value(e.owner), ONE)


# ---- players -------------------------------------------------------------------------------------------------------


def neighbour(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the left or right neighbour of a player."""
    far = ONE if ref.kind == "left" else ir.Const(ctx.seats - 1)
    return _read(ctx, e, lambda at: ir.Bin("%", plus(at[0], far), ir.Const(ctx.seats)))


def player(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower the player of a number, from 1; none for another number."""
    number = ctx.value(e.arguments[0])
    if isinstance(number, ir.Const):
        return ir.Const(number.value - 1) if 1 <= number.value <= ctx.seats else NONE
    number = ctx.code.once(number)
    valid = ir.Bin("and", ir.Bin(">=", number, ONE), ir.Bin("<=", number, ir.Const(ctx.seats)))
    result = ctx.code.variable(NONE)
    ctx.code.add(ir.If(valid, (ir.SetVar(result.number, plus(number, NONE)),), ()))
    return result


# ---- tracks --------------------------------------------------------------------------------------------------------


def _track_position(ctx: Lowering, e: s.Of) -> ir.Expr:
    return ir.Load(ir.Const(ctx.memory.field(ctx.type_of(e.owner).name).base))


def space(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the space of a track, from 1."""
    return plus(_track_position(ctx, e), ONE)


def spaces(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the number of spaces of a track."""
    return ir.Const(sum(n for _, n in ctx.model.tracks[ctx.type_of(e.owner).name]))


def phase(ctx: Lowering, e: s.Of, ref: Ref) -> ir.Expr:
    """Lower the phase of a track."""
    track, phases = ctx.type_of(e.owner).name, ctx.model.enums[ctx.type_of(e).name]
    cells = tuple(phases.index(name) for name, n in ctx.model.tracks[track] for _ in range(n))
    return ctx.lookup(("phases", track), cells, _track_position(ctx, e))


# ---- functions -----------------------------------------------------------------------------------------------------


def called(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower the value of a definition, or of a rule without decisions."""
    values = tuple(ctx.bounded(a) for a in e.arguments)
    article = ctx.model.code.called(ref.kind, ref.name)
    value = procedures.inline_definition(ctx, article, values)
    if value is not None:
        # A rule called in the same expression may change the value, so the order of evaluation must be kept.
        return value if ctx.query_mode else ctx.code.once(value)
    into = ctx.code.fresh()
    ctx.code.add(ir.Call(procedures.number(ctx, article), values, into.number))
    return into


def extreme(ctx: Lowering, e: s.Called, ref: Ref) -> ir.Expr:
    """Lower `least(a, b)` and `greatest(a, b)`."""
    first, *rest = [ctx.value(a) for a in e.arguments]
    for value in rest:
        first = ir.Bin("min" if ref.kind == "least" else "max", first, value)
    return first


#: Lowering functions of this module.
LOWERED = Dispatch(
    expressions={
        s.Name: reference,
        s.Called: reference,
        s.Indexed: reference,
        s.Of: reference,
    },
    references={
        "local": local,
        "value": constant,
        "players": players,
        "option": setting,
        "time": time,
        "remember": remembered,
        "score": remembered,
        "slot": slot,
        "tokens": tokens,
        "holder": of_figure,
        "place": of_figure,
        "top": top,
        "bottom": bottom,
        "size": size,
        "table": cell,
        "face": face,
        "attribute": attribute,
        "position": position,
        "left": neighbour,
        "right": neighbour,
        "player": player,
        "space": space,
        "spaces": spaces,
        "phase": phase,
        "define": called,
        "rule": called,
        "least": extreme,
        "greatest": extreme,
    },
)

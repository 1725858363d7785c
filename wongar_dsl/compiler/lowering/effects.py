"""Lowering of state changes: events, moves, assignments, points, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import is_within, plus
from wongar_dsl.compiler.ir.containers import ORIGINS
from wongar_dsl.compiler.lowering import expressions
from wongar_dsl.compiler.lowering.context import NODES, NONE, ONE, ZERO, Lowering
from wongar_dsl.compiler.lowering.expressions import tally
from wongar_dsl.compiler.lowering.zones import (
    Zone,
    address_in,
    board_of,
    count_address,
    faces_of,
    index_in_area,
    insert_card,
    origin,
    remove_card,
    removed_card,
    rows,
    seats_that_see,
    size_of,
    zone_once,
)
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import FIGURE, NUMBER, PLAYER, TALLY, MessageArgument, MessageUse, Model, Type

# ---- events --------------------------------------------------------------------------------------------------------


class EventArgument(NamedTuple):
    """Event argument.  The values of a place are its indices; a secret argument is visible only to some players."""

    name: str
    type: Type
    values: tuple[ir.Expr, ...]
    secret: bool = False


_NOTHING = MessageUse()


def place(name: str, zone: Zone) -> EventArgument:
    """Return a zone or remembered value as an argument."""
    field, indices = zone
    return EventArgument(name, Type("place", field.name), tuple(indices))


def recorded_message(node: s.Node) -> s.MessageRef:
    """Return the message of an event that is recorded but not shown."""
    return s.MessageRef(node.span, None)


def emit(
    ctx: Lowering,
    kind: ir.EventName,
    fields: Sequence[EventArgument],
    reference: s.MessageRef | None = None,
    seen: ir.Expr = NONE,
    extra: Sequence[EventArgument] = (),
) -> None:
    """Add code that emits an event: fields of the primitive, then slots of its message.

    `extra` are values available to the sentence that records do not contain.
    """
    message = ctx.model.message_uses.get(reference, _NOTHING) if reference is not None else _NOTHING
    with ctx.code.inner() as prepare:
        slots = [_slot(ctx, slot, fields, extra) for slot in message.written]
    needed = {slot.field for slot in message.offered}
    arguments = [*fields, *slots, *(a for a in extra if a.name in needed)]
    numbers = {a.name: i for i, a in enumerate(arguments) if not len(fields) <= i < len(fields) + len(slots)}
    spec = ir.EventSpec(
        kind,
        # None: no message; empty: recorded, not shown.
        None if reference is None else reference.name or "",
        tuple((a.name, a.type) for a in arguments),
        len(fields),
        len(slots),
        tuple(a.secret for a in arguments),
        tuple((slot.name, slot.type, numbers[slot.field], slot.part) for slot in message.offered),
        tuple(_doubtful(arguments, len(fields), _copies(ctx.code.out))),
        ctx.origin(),
    )
    ctx.code.add(ir.Emit(ctx.program.event(spec), tuple(prepare), tuple(a.values for a in arguments), seen))


def _doubtful(arguments: Sequence[EventArgument], own: int, copies: Mapping[ir.Expr, ir.Expr]) -> Iterator[int]:
    """Yield message arguments that may reveal a secret: those not known from the public fields of the event.

    `copies` are variables with the value that each is a copy of.
    """
    if any(a.secret for a in arguments[:own]):
        shown = {value for a in arguments[:own] if not a.secret for value in a.values}
        shown |= {copies[value] for value in shown if value in copies}
        for number, argument in enumerate(arguments[own:], own):
            if not argument.secret and not all(v in shown or isinstance(v, ir.Const) for v in argument.values):
                yield number


def _copies(before: Sequence[ir.Stmt]) -> dict[ir.Expr, ir.Expr]:
    """Return the variables set by the last of some statements, behind everything that might change what they copy."""
    last = takewhile(lambda statement: isinstance(statement, ir.SetVar), reversed(before))
    return {ir.Var(s.number): s.value for s in last if isinstance(s, ir.SetVar) and isinstance(s.value, ir.Load)}


def _slot(
    ctx: Lowering, slot: MessageArgument, fields: Sequence[EventArgument], extra: Sequence[EventArgument]
) -> EventArgument:
    """Return the argument of a message slot: an expression, or a value known to the statement."""
    if slot.value is None:
        source = next(a for a in (*fields, *extra) if a.name == slot.field)
        values = source.values if slot.part is None else source.values[slot.part : slot.part + 1]
        return EventArgument(slot.name, slot.type, values, source.secret)
    if slot.type == TALLY:
        assert isinstance(slot.value, s.Quantified)
        return EventArgument(slot.name, slot.type, tally(ctx, slot.value))
    # A card in the message of a move is as secret as the move.
    secret = slot.type.kind == "cards" and any(f.secret for f in fields)
    return EventArgument(slot.name, slot.type, (ctx.value(slot.value),), secret)


@NODES(s.Tell)
def tell(ctx: Lowering, node: s.Tell) -> None:
    """Lower `tell message(a, b)`."""
    emit(ctx, "told", [], node.message)


# ---- layouts -------------------------------------------------------------------------------------------------------


@NODES(s.Lay)
def lay(ctx: Lowering, node: s.Lay) -> None:
    """Lower `lay card on layout at area turned n`."""
    code = ctx.code
    target, source = zone_once(ctx, node.target), origin(ctx, node)
    field, _ = target
    card, area = ctx.once(node.what), ctx.once(node.area)
    board = board_of(ctx, field)
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
    occupied = ir.Bin(">=", index_in_area(ctx, field, address, area), ZERO)
    full = ir.Bin(">=", number, ir.Const(field.capacity))
    ctx.stop_if(ir.Bin("or", ir.Bin("<", area, ZERO), ir.Bin("or", occupied, full)), "R0606", node)
    for row, value in zip(rows(field, address), (card, plus(area, ONE), turned), strict=True):
        code.add(ir.Store(plus(row, number), value))
    code.add(ir.Store(address, plus(number, ONE)))


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


@NODES(s.Move)
def move(ctx: Lowering, node: s.Move) -> None:
    """Lower `move what from zone to place` for a card or figure."""
    if ctx.type_of(node.what) == FIGURE:
        _set_figure(ctx, "place", ctx.once(node.what), ctx.once(node.target), ctx.type_of(node.target), node.message)
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


@NODES(s.Take)
def take(ctx: Lowering, node: s.Take) -> None:
    """Lower `p takes figure`."""
    player = ctx.once(node.taker)
    figure = ir.Const(ctx.model.figures.index(node.figure.text))
    _set_figure(ctx, "holder", figure, player, PLAYER, node.message)


def _set_figure(
    ctx: Lowering, field: str, figure: ir.Expr, value: ir.Expr, kind: Type, message: s.MessageRef | None
) -> None:
    """Change the holder or the location of a figure."""
    event: ir.EventName = "figure_taken" if field == "holder" else "figure_moved"
    name = "player" if field == "holder" else "to"
    emit(ctx, event, [EventArgument("figure", FIGURE, (figure,)), EventArgument(name, kind, (value,))], message)
    ctx.code.add(ir.Store(plus(ir.Const(ctx.memory.field(field).base), figure), value))


# ---- several at once -----------------------------------------------------------------------------------------------


@NODES(s.MoveTokens)
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


@NODES(s.MoveAll)
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
    if field.traits.tokens:
        source_cell, target_cell = count_address(field, address, step), count_address(target[0], destination, step)
        with code.inner() as each_kind:
            # Removed before they are added, because both can be the same zone.
            moved = code.once(ir.Load(source_cell))
            code.add(ir.Store(source_cell, ZERO))
            _add_tokens(ctx, node, target[0], target_cell, moved)
        code.add(ir.ForRange(step.number, ir.Const(faces_of(ctx, field)), tuple(each_kind)))
        return
    if field.traits.ordered:
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


@NODES(s.Fill)
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
    if field.traits.tokens:
        cell = count_address(field, at, kind)
        _add_tokens(ctx, node, field, cell, count)
        return
    with ctx.code.inner() as body:
        insert_card(ctx, node, field, at, kind)
    ctx.code.add(ir.ForRange(ctx.code.fresh().number, count, tuple(body)))


@NODES(s.Shuffle)
def shuffle(ctx: Lowering, node: s.Shuffle) -> None:
    """Lower `shuffle pile`."""
    target = zone_once(ctx, node.zone)
    emit(ctx, "pile_shuffled", [place("pile", target)], node.message or recorded_message(node))
    ctx.code.add(ir.Shuffle(address_in(*target)))


# ---- assignments ---------------------------------------------------------------------------------------------------


@NODES(s.Assign)
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
        kind = PLAYER if ref.kind == "holder" else ctx.type_of(node.target)
        _set_figure(ctx, ref.kind, figure, new, kind, recorded_message(node))
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


# ---- points and tracks ---------------------------------------------------------------------------------------------


#: Interval of amounts that can be added in every step of the longest game without overflowing 64 bits.
_SAFE_AMOUNTS = (-1_000_000, 1_000_000)


@NODES(s.Gain)
def gain(ctx: Lowering, node: s.Gain) -> None:
    """Lower `p gains n points for origin` and `p loses n points`."""
    code = ctx.code
    player, amount = code.once(ctx.non_null(node.player)), code.once(ctx.bounded(node.amount))
    signed = code.once(ir.Bin("-", ZERO, amount)) if node.loses else amount
    field = ctx.memory.field(node.score.text)
    fields = [EventArgument("player", PLAYER, (player,)), EventArgument("n", NUMBER, (signed,))]
    address = address_in(field, [player])
    origin = code.once(ctx.non_null(node.origin)) if node.origin is not None else None
    if origin is not None:
        fields.append(EventArgument("origin", field.type, (origin,)))
    emit(ctx, "points", fields, node.message, extra=(EventArgument("lost", NUMBER, (amount,)),))
    code.add(ir.Store(address, ctx.in_range(node, ir.Bin("+", ir.Load(address), signed), field.name)))
    if origin is not None:
        # The rules never read this number, so small amounts need no check: they cannot overflow within one game.
        cell = plus(plus(address, ir.Const(ORIGINS)), origin)
        number: ir.Expr = ir.Bin("+", ir.Load(cell), signed)
        if not is_within(ctx.extent(signed), _SAFE_AMOUNTS):
            number = ctx.in_range(node, number, field.name)
        code.add(ir.Store(cell, number))


@NODES(s.Advance)
def advance(ctx: Lowering, node: s.Advance) -> None:
    """Lower `advance track by n`, limited to the ends of the track."""
    field = ctx.memory.field(node.track.text)
    amount = ctx.once(node.amount)
    last = sum(n for _, n in ctx.model.tracks[node.track.text]) - 1
    address = ir.Const(field.base)
    new = ctx.code.once(ir.Bin("max", ZERO, ir.Bin("min", plus(ir.Load(address), amount), ir.Const(last))))
    fields = [place("track", (field, [])), EventArgument("space", NUMBER, (plus(new, ONE),))]
    steps = EventArgument("steps", NUMBER, (ir.Bin("-", new, ir.Load(address)),))
    emit(ctx, "track_advanced", fields, node.message, extra=(steps,))
    ctx.code.add(ir.Store(address, new))


# ---- the end -------------------------------------------------------------------------------------------------------


@NODES(s.Wins)
def wins(ctx: Lowering, node: s.Wins) -> None:
    """Lower `p wins`; with none there is no winner."""
    _end(ctx, _single_winner(ctx, node.player))


def _single_winner(ctx: Lowering, player: s.Expression) -> ir.Expr:
    """Return the bit set of one winner; empty for none."""
    if isinstance(player, s.Nobody):
        return ZERO
    if not ctx.nullable.may_be_none(player):
        return ir.Bin("<<", ONE, ctx.value(player))
    winner, winners = ctx.once(player), ctx.code.variable(ZERO)
    set_winner = ir.SetVar(winners.number, ir.Bin("<<", ONE, winner))
    ctx.code.add(ir.If(ir.Bin(">=", winner, ZERO), (set_winner,), ()))
    return winners


def end_game(ctx: Lowering) -> None:
    """Write the end of the game, with the winners by the ranking, or none without a ranking."""
    article = ctx.model.code.winner
    winners: ir.Expr = ZERO
    if article is not None:
        ranking = expressions.procedure_number(ctx, article)
        winners = ctx.code.fresh()
        ctx.code.add(ir.Call(ranking, (), winners.number))
    _end(ctx, winners)


def _end(ctx: Lowering, winners: ir.Expr) -> None:
    winner_set = ctx.code.once(winners)
    emit(ctx, "game_ended", [EventArgument("winners", NUMBER, (winner_set,))])
    ctx.code.add(ir.EndGame(winner_set))


@NODES(s.Winner)
def ranking(ctx: Lowering, article: s.Winner) -> None:
    """Lower the ranking to a bit set of winners; each criterion keeps the best of the remaining players."""
    code, local = ctx.code, ctx.model.locals[article.name]
    remaining: ir.Expr = ir.Const((1 << ctx.seats) - 1)
    for line in article.ranking:
        best, mask, number = code.fresh(), code.fresh(), code.fresh()
        code.set(mask, ZERO)
        code.set(best, ZERO)
        code.names[local] = number
        with code.inner() as body:
            measure = ctx.once(line.measure)
            bit = ir.Bin("<<", ONE, number)
            better = ir.Bin(">" if line.extreme == "most" else "<", measure, best)
            sole_best = (ir.SetVar(best.number, measure), ir.SetVar(mask.number, bit))
            also = (ir.SetVar(mask.number, ir.Bin("|", mask, bit)),)
            same = ir.If(ir.Bin("==", measure, best), also, ())
            code.add(ir.If(ir.Bin("or", ir.Bin("==", mask, ZERO), better), sole_best, (same,)))
        among = ir.Bin("!=", ir.Bin("&", remaining, ir.Bin("<<", ONE, number)), ZERO)
        code.add(ir.ForRange(number.number, ir.Const(ctx.seats), (ir.If(among, tuple(body), ()),)))
        remaining = mask
    code.add(ir.Return(remaining))


def fewest_win(model: Model) -> bool:
    """Return whether the first criterion of the ranking is the fewest points."""
    if model.code.winner is None:
        return False
    first = model.code.winner.ranking[0]
    scored = any((ref := model.refs.get(node)) is not None and ref.kind == "score" for node in s.walk(first.measure))
    return scored and first.extreme == "fewest"

"""Lowering of points, tracks, and the end of the game with its winners."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus
from wongar_dsl.compiler.ir.containers import ORIGINS
from wongar_dsl.compiler.ir.ranges import is_within
from wongar_dsl.compiler.lowering import procedures
from wongar_dsl.compiler.lowering.context import ONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.events import EventArgument, emit, place
from wongar_dsl.compiler.lowering.zones import address_in
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import NUMBER, PLAYER, Model

#: Interval of amounts that can be added in every step of the longest game without overflowing 64 bits.
_SAFE_AMOUNTS = (-1_000_000, 1_000_000)


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
        ranking = procedures.number(ctx, article)
        winners = ctx.code.fresh()
        ctx.code.add(ir.Call(ranking, (), winners.number))
    _end(ctx, winners)


def _end(ctx: Lowering, winners: ir.Expr) -> None:
    winner_set = ctx.code.once(winners)
    emit(ctx, "game_ended", [EventArgument("winners", NUMBER, (winner_set,))])
    ctx.code.add(ir.EndGame(winner_set))


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


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.Gain: gain,
        s.Advance: advance,
        s.Wins: wins,
    },
    articles={
        s.Winner: ranking,
    },
)

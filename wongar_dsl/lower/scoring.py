"""Lowering of points, tracks, and the end of the game with its winners."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.containers import ORIGINS
from wongar_dsl.ir.extents import within
from wongar_dsl.ir.folding import plus
from wongar_dsl.lower import procedures
from wongar_dsl.lower.context import ONE, ZERO, Dispatch, Lowering
from wongar_dsl.lower.events import Argument, emit, place
from wongar_dsl.lower.zones import address_in
from wongar_dsl.model import NUMBER, PLAYER, Model

#: Interval of amounts that can be added in every step of the longest game without overflowing 64 bits.
_ALWAYS_ADDED = (-1_000_000, 1_000_000)


def gain(to: Lowering, node: s.Gain) -> None:
    """Lower `p gains n points for origin` and `p loses n points`."""
    code = to.code
    player, amount = code.once(to.non_null(node.player)), code.once(to.bounded(node.amount))
    signed = code.once(ir.Bin("-", ZERO, amount)) if node.loses else amount
    field = to.memory.place(node.score.text)
    fields = [Argument("player", PLAYER, (player,)), Argument("n", NUMBER, (signed,))]
    address = address_in(field, [player])
    origin = code.once(to.non_null(node.origin)) if node.origin is not None else None
    if origin is not None:
        fields.append(Argument("origin", field.type, (origin,)))
    emit(to, "points", fields, node.told, besides=(Argument("lost", NUMBER, (amount,)),))
    code.add(ir.Store(address, to.in_range(node, ir.Bin("+", ir.Load(address), signed), field.name)))
    if origin is not None:
        # The rules never read this number, so small amounts need no check: they cannot overflow within one game.
        cell = plus(plus(address, ir.Const(ORIGINS)), origin)
        number: ir.Expr = ir.Bin("+", ir.Load(cell), signed)
        if not within(to.extent(signed), _ALWAYS_ADDED):
            number = to.in_range(node, number, field.name)
        code.add(ir.Store(cell, number))


def advance(to: Lowering, node: s.Advance) -> None:
    """Lower `advance track by n`, limited to the ends of the track."""
    field = to.memory.place(node.track.text)
    amount = to.once(node.amount)
    last = sum(n for _, n in to.model.tracks[node.track.text]) - 1
    address = ir.Const(field.base)
    new = to.code.once(ir.Bin("max", ZERO, ir.Bin("min", plus(ir.Load(address), amount), ir.Const(last))))
    fields = [place("track", (field, [])), Argument("space", NUMBER, (plus(new, ONE),))]
    steps = Argument("steps", NUMBER, (ir.Bin("-", new, ir.Load(address)),))
    emit(to, "track_advanced", fields, node.told, besides=(steps,))
    to.code.add(ir.Store(address, new))


# ---- the end -------------------------------------------------------------------------------------------------------


def wins(to: Lowering, node: s.Wins) -> None:
    """Lower `p wins`; with none there is no winner."""
    _end(to, _alone(to, node.player))


def _alone(to: Lowering, player: s.Expression) -> ir.Expr:
    """Return the bit set of one winner; empty for none."""
    if isinstance(player, s.Nobody):
        return ZERO
    if not to.nullable.may_be_none(player):
        return ir.Bin("<<", ONE, to.value(player))
    winner, winners = to.once(player), to.code.variable(ZERO)
    alone = ir.SetVar(winners.number, ir.Bin("<<", ONE, winner))
    to.code.add(ir.If(ir.Bin(">=", winner, ZERO), (alone,), ()))
    return winners


def end_game(to: Lowering) -> None:
    """Write the end of the game, with the winners by the ranking, or none without a ranking."""
    article = to.model.code.winner
    winners: ir.Expr = ZERO
    if article is not None:
        ranking = procedures.number(to, article)
        winners = to.code.fresh()
        to.code.add(ir.Call(ranking, (), winners.number))
    _end(to, winners)


def _end(to: Lowering, winners: ir.Expr) -> None:
    winner_set = to.code.once(winners)
    emit(to, "game_ended", [Argument("winners", NUMBER, (winner_set,))])
    to.code.add(ir.EndGame(winner_set))


def ranking(to: Lowering, article: s.Winner) -> None:
    """Lower the ranking to a bit set of winners; each criterion keeps the best of the remaining players."""
    code, local = to.code, to.model.locals[article.name]
    remaining: ir.Expr = ir.Const((1 << to.seats) - 1)
    for line in article.ranking:
        best, mask, number = code.fresh(), code.fresh(), code.fresh()
        code.set(mask, ZERO)
        code.set(best, ZERO)
        code.names[local] = number
        with code.inner() as body:
            measure = to.once(line.measure)
            bit = ir.Bin("<<", ONE, number)
            better = ir.Bin(">" if line.extreme == "most" else "<", measure, best)
            alone = (ir.SetVar(best.number, measure), ir.SetVar(mask.number, bit))
            also = (ir.SetVar(mask.number, ir.Bin("|", mask, bit)),)
            same = ir.If(ir.Bin("==", measure, best), also, ())
            code.add(ir.If(ir.Bin("or", ir.Bin("==", mask, ZERO), better), alone, (same,)))
        among = ir.Bin("!=", ir.Bin("&", remaining, ir.Bin("<<", ONE, number)), ZERO)
        code.add(ir.ForRange(number.number, ir.Const(to.seats), (ir.If(among, tuple(body), ()),)))
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

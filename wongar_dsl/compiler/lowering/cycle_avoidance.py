"""Cycle avoidance for choices: in a repeated position, only the options chosen least often are offered.

The state contains a memory: the verdict of a search for cycles, the hash of the current position, the number of keys,
and each key with its count.  There is a key for each position, and for each option chosen in it.  A search for a way
out of the cycle runs if a position recurs or the memory is full.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.constant_folding import plus, times
from wongar_dsl.compiler.lowering import events
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Lowering

CAPACITY = 200
#: Layout of the memory: verdict, position hash, number of keys, keys.
VERDICT, POSITION, COUNT, KEYS = range(4)
SIZE = KEYS + 2 * CAPACITY
#: Value of `VERDICT`, beside those of `ir.CycleVerdict`, in the states of a search.
SEARCHING = 1
#: Stands for the option in the key of a position.
NO_OPTION = -1

#: Callback that writes code for an option, given its number and arguments.
Leaf = Callable[[int, list[ir.Expr]], None]


def _base(ctx: Lowering) -> int:
    return ctx.memory.reserve_range("choices", SIZE)


def _at(ctx: Lowering, number: int) -> ir.Load:
    return ir.Load(ir.Const(_base(ctx) + number))


def _is(value: ir.Expr, number: int) -> ir.Expr:
    return ir.Bin("==", value, ir.Const(number))


def _searching(ctx: Lowering) -> ir.Expr:
    return _is(_at(ctx, VERDICT), SEARCHING)


def _entry(ctx: Lowering, number: ir.Expr) -> ir.Expr:
    """Return the address of a key."""
    return plus(times(number, 2), ir.Const(_base(ctx) + KEYS))


def _key(ctx: Lowering, option: int, values: list[ir.Expr]) -> ir.Expr:
    """Return the key of an option in the current position."""
    key: ir.Expr = _at(ctx, POSITION)
    for value in (ir.Const(option), *values):
        key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
    return ctx.code.once(plus(key, ONE))


def _find(ctx: Lowering, key: ir.Expr) -> ir.Var:
    """Return the address of a key in the memory, -1 if absent."""
    match, step = ctx.code.fresh(), ctx.code.fresh()
    ctx.code.set(match, NONE)
    entry = _entry(ctx, step)
    hit = (ir.SetVar(match.number, entry), ir.Break())
    ctx.code.add(ir.ForRange(step.number, _at(ctx, COUNT), (ir.If(ir.Bin("==", ir.Load(entry), key), hit, ()),)))
    return match


def _add(ctx: Lowering, key: ir.Expr) -> ir.Stmt:
    """Return a statement that adds a key to the memory, if there is room."""
    size = _at(ctx, COUNT)
    entry = _entry(ctx, size)
    enter = (
        ir.Store(entry, key),
        ir.Store(plus(entry, ONE), ONE),
        ir.Store(size.address, ir.Bin("+", size, ONE)),
    )
    return ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, ())


def record_position(ctx: Lowering, decision: int, seat: ir.Expr, offer_again: bool) -> None:
    """Record the position before a decision.

    Unless all options are offered `offer_again` in a repeated position, search for a way out.
    """
    with ctx.immediate() as code:
        with code.inner() as record_code:
            hashed = code.fresh()
            code.add(ir.HashState(hashed.number, _base(ctx), _base(ctx) + SIZE))
            code.add(ir.Store(_at(ctx, POSITION).address, hashed))
            key = _key(ctx, NO_OPTION, [])
            match = _find(ctx, key)
            if not offer_again:
                _search(ctx, decision, seat, match)
            code.add(ir.If(ir.Bin("<", match, ZERO), (_add(ctx, key),), ()))
        code.add(ir.If(_searching(ctx), (), tuple(record_code)))


def _search(ctx: Lowering, decision: int, seat: ir.Expr, found: ir.Var) -> None:
    """Search for a way out if the position recurs or the memory is full; `found` is the address of its key, or -1."""
    code, verdict = ctx.code, _at(ctx, VERDICT)
    recurring, full = ir.Bin(">=", found, ZERO), ir.Bin(">=", _at(ctx, COUNT), ir.Const(CAPACITY))

    def set_verdict(result: ir.CycleVerdict) -> ir.Stmt:
        return ir.Store(verdict.address, ir.Const(result))

    with code.inner() as search_code:
        result = code.fresh()
        code.add(ir.DetectCycle(result.number, decision, seat, _base(ctx), _base(ctx) + SIZE))
        with code.inner() as unknown:
            code.add(set_verdict(ir.CycleVerdict.UNKNOWN))
            events.emit(ctx, "rounds_unknown", [])
        # The event is emitted once, until choices are forgotten.
        not_reported = ir.Bin("==", verdict, ZERO)
        code.add(ir.If(ir.Bin("and", _is(result, ir.CycleVerdict.UNKNOWN), not_reported), tuple(unknown), ()))
        is_inescapable = ir.Bin(
            "or", _is(result, ir.CycleVerdict.RECURS), ir.Bin("and", full, _is(result, ir.CycleVerdict.NO_EXIT))
        )
        code.add(ir.If(is_inescapable, (set_verdict(ir.CycleVerdict.RECURS),), ()))
    code.add(ir.If(ir.Bin("or", recurring, full), tuple(search_code), ()))


def reset_after_no_option(ctx: Lowering) -> None:
    """Reset the verdict after a decision without options."""
    verdict = _at(ctx, VERDICT)
    ctx.code.add(ir.If(_is(verdict, ir.CycleVerdict.RECURS), (ir.Store(verdict.address, ZERO),), ()))


def count_choice(ctx: Lowering, option: int, values: list[ir.Expr]) -> None:
    """Write code that counts a choice in the current position."""
    code = ctx.code
    with code.inner() as counting:
        key = _key(ctx, option, values)
        match = _find(ctx, key)
        times_chosen = ir.Load(plus(match, ONE))
        increment = (ir.Store(times_chosen.address, ir.Bin("+", times_chosen, ONE)),)
        code.add(ir.If(ir.Bin(">=", match, ZERO), increment, (_add(ctx, key),)))
        code.add(ir.Store(_at(ctx, POSITION).address, ZERO))
    code.add(ir.If(_searching(ctx), (), tuple(counting)))


def list_least_chosen(ctx: Lowering, each_option: Callable[[Leaf], None]) -> None:
    """Write the lister: the options chosen least often in this position; none if no choice leads out of the cycle."""
    code = ctx.code
    least = code.variable(NONE)

    def times_chosen(option: int, values: list[ir.Expr]) -> ir.Var:
        match = _find(ctx, _key(ctx, option, values))
        number = code.variable(ZERO)
        code.add(ir.If(ir.Bin(">=", match, ZERO), (ir.SetVar(number.number, ir.Load(plus(match, ONE))),), ()))
        return number

    def compare(option: int, values: list[ir.Expr]) -> None:
        number = times_chosen(option, values)
        fewer = ir.Bin("or", ir.Bin("<", least, ZERO), ir.Bin("<", number, least))
        code.add(ir.If(fewer, (ir.SetVar(least.number, number),), ()))

    def list_least(option: int, values: list[ir.Expr]) -> None:
        number = times_chosen(option, values)
        code.add(ir.If(ir.Bin("==", number, least), (ir.Yield(option, tuple(values)),), ()))

    with code.inner() as comparing:
        each_option(compare)
    # A search has no memory of choices: all counts are equal.
    code.add(ir.If(_searching(ctx), (ir.SetVar(least.number, ZERO),), tuple(comparing)))
    with code.inner() as rest:
        each_option(list_least)
    code.add(ir.If(_is(_at(ctx, VERDICT), ir.CycleVerdict.RECURS), (), tuple(rest)))


def reset_cycles(ctx: Lowering) -> None:
    """Clear the memory, for `forget choices`."""
    step = ctx.code.fresh()
    entry = _entry(ctx, step)
    wipe = (ir.Store(entry, ZERO), ir.Store(plus(entry, ONE), ZERO))
    ctx.code.add(ir.ForRange(step.number, _at(ctx, COUNT), wipe))
    for number in range(KEYS):
        ctx.code.add(ir.Store(_at(ctx, number).address, ZERO))

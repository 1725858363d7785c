"""Cycle avoidance for choices: in a repeated position, only the options chosen least often are offered.

The state contains a memory: the verdict of a search for cycles, the hash of the current position, the number of keys,
and each key with its count.  There is a key for each position, and for each option chosen in it.  A search for a way
out of the cycle runs if a position recurs or the memory is full.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower import events
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering

CAPACITY = 200
#: Layout of the memory: verdict, position hash, number of keys, keys.
FOUND, POSITION, COUNT, KEYS = range(4)
SIZE = KEYS + 2 * CAPACITY
#: Value of `FOUND`, beside those of `ir.Rounds`, in the states of a search.
SEARCHING = 1
#: Stands for the option in the key of a position.
NO_OPTION = -1

#: Callback that writes code for an option, given its number and arguments.
Leaf = Callable[[int, list[ir.Expr]], None]


def _base(to: Lowering) -> int:
    return to.memory.stretch("choices", SIZE)


def _at(to: Lowering, number: int) -> ir.Load:
    return ir.Load(ir.Const(_base(to) + number))


def _is(value: ir.Expr, number: int) -> ir.Expr:
    return ir.Bin("==", value, ir.Const(number))


def _searching(to: Lowering) -> ir.Expr:
    return _is(_at(to, FOUND), SEARCHING)


def _entry(to: Lowering, number: ir.Expr) -> ir.Expr:
    """Return the address of a key."""
    return plus(times(number, 2), ir.Const(_base(to) + KEYS))


def _key(to: Lowering, option: int, values: list[ir.Expr]) -> ir.Expr:
    """Return the key of an option in the current position."""
    key: ir.Expr = _at(to, POSITION)
    for value in (ir.Const(option), *values):
        key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
    return to.code.once(plus(key, ONE))


def _find(to: Lowering, key: ir.Expr) -> ir.Var:
    """Return the address of a key in the memory, -1 if absent."""
    match, step = to.code.fresh(), to.code.fresh()
    to.code.set(match, NONE)
    entry = _entry(to, step)
    hit = (ir.SetVar(match.number, entry), ir.Break())
    to.code.add(ir.ForRange(step.number, _at(to, COUNT), (ir.If(ir.Bin("==", ir.Load(entry), key), hit, ()),)))
    return match


def _add(to: Lowering, key: ir.Expr) -> ir.Stmt:
    """Return a statement that adds a key to the memory, if there is room."""
    size = _at(to, COUNT)
    entry = _entry(to, size)
    enter = (
        ir.Store(entry, key),
        ir.Store(plus(entry, ONE), ONE),
        ir.Store(size.address, ir.Bin("+", size, ONE)),
    )
    return ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, ())


def enter(to: Lowering, decision: int, seat: ir.Expr, again: bool) -> None:
    """Record the position before a decision.

    Unless all options are offered `again` in a repeated position, search for a way out.
    """
    with to.straight() as code:
        with code.inner() as noting:
            hashed = code.fresh()
            code.add(ir.HashState(hashed.number, _base(to), _base(to) + SIZE))
            code.add(ir.Store(_at(to, POSITION).address, hashed))
            key = _key(to, NO_OPTION, [])
            match = _find(to, key)
            if not again:
                _search(to, decision, seat, match)
            code.add(ir.If(ir.Bin("<", match, ZERO), (_add(to, key),), ()))
        code.add(ir.If(_searching(to), (), tuple(noting)))


def _search(to: Lowering, decision: int, seat: ir.Expr, found: ir.Var) -> None:
    """Search for a way out if the position recurs or the memory is full."""
    code, stage = to.code, _at(to, FOUND)
    recurring, full = ir.Bin(">=", found, ZERO), ir.Bin(">=", _at(to, COUNT), ir.Const(CAPACITY))

    def became(answer: ir.Rounds) -> ir.Stmt:
        return ir.Store(stage.address, ir.Const(answer))

    with code.inner() as asking:
        answer = code.fresh()
        code.add(ir.Endless(answer.number, decision, seat, _base(to), _base(to) + SIZE))
        with code.inner() as unknown:
            code.add(became(ir.Rounds.UNKNOWN))
            events.emit(to, "rounds_unknown", [])
        # The event is emitted once, until choices are forgotten.
        untold = ir.Bin("==", stage, ZERO)
        code.add(ir.If(ir.Bin("and", _is(answer, ir.Rounds.UNKNOWN), untold), tuple(unknown), ()))
        ever = ir.Bin("or", _is(answer, ir.Rounds.HERE_AGAIN), ir.Bin("and", full, _is(answer, ir.Rounds.ENDLESS)))
        code.add(ir.If(ever, (became(ir.Rounds.HERE_AGAIN),), ()))
    code.add(ir.If(ir.Bin("or", recurring, full), tuple(asking), ()))


def left(to: Lowering) -> None:
    """Reset the verdict after a decision without options."""
    stage = _at(to, FOUND)
    to.code.add(ir.If(_is(stage, ir.Rounds.HERE_AGAIN), (ir.Store(stage.address, ZERO),), ()))


def made(to: Lowering, option: int, values: list[ir.Expr]) -> None:
    """Count a choice."""
    code = to.code
    with code.inner() as counting:
        key = _key(to, option, values)
        match = _find(to, key)
        often = ir.Load(plus(match, ONE))
        increment = (ir.Store(often.address, ir.Bin("+", often, ONE)),)
        code.add(ir.If(ir.Bin(">=", match, ZERO), increment, (_add(to, key),)))
        code.add(ir.Store(_at(to, POSITION).address, ZERO))
    code.add(ir.If(_searching(to), (), tuple(counting)))


def offer(to: Lowering, every: Callable[[Leaf], None]) -> None:
    """List the options chosen least often; none if the search found no way out."""
    code = to.code
    least = code.variable(NONE)

    def often(option: int, values: list[ir.Expr]) -> ir.Var:
        match = _find(to, _key(to, option, values))
        number = code.variable(ZERO)
        code.add(ir.If(ir.Bin(">=", match, ZERO), (ir.SetVar(number.number, ir.Load(plus(match, ONE))),), ()))
        return number

    def compare(option: int, values: list[ir.Expr]) -> None:
        number = often(option, values)
        fewer = ir.Bin("or", ir.Bin("<", least, ZERO), ir.Bin("<", number, least))
        code.add(ir.If(fewer, (ir.SetVar(least.number, number),), ()))

    def list_least(option: int, values: list[ir.Expr]) -> None:
        number = often(option, values)
        code.add(ir.If(ir.Bin("==", number, least), (ir.Yield(option, tuple(values)),), ()))

    with code.inner() as comparing:
        every(compare)
    # A search has no memory of choices: all counts are equal.
    code.add(ir.If(_searching(to), (ir.SetVar(least.number, ZERO),), tuple(comparing)))
    with code.inner() as rest:
        every(list_least)
    code.add(ir.If(_is(_at(to, FOUND), ir.Rounds.HERE_AGAIN), (), tuple(rest)))


def forget(to: Lowering) -> None:
    """Clear the memory."""
    step = to.code.fresh()
    entry = _entry(to, step)
    wipe = (ir.Store(entry, ZERO), ir.Store(plus(entry, ONE), ZERO))
    to.code.add(ir.ForRange(step.number, _at(to, COUNT), wipe))
    for number in range(KEYS):
        to.code.add(ir.Store(_at(to, number).address, ZERO))

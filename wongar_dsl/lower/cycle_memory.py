"""Choices without going round: in a position that comes again, the options come first that were made least often.

The state keeps a memory of choices: what a search found out about going round, a hash of the position that is being
decided in, how many keys there are, and each key with how often it came: of a position, and of each choice that was
made in it.  Where a position comes again, or the memory is full, it is searched whether any choices lead on.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower import events
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering

CAPACITY = 200
#: Where in the memory stands what: what was found out, the hash of the position, how many keys there are, the keys.
FOUND, POSITION, COUNT, KEYS = range(4)
SIZE = KEYS + 2 * CAPACITY
#: What stands at `FOUND` beside `ir.Rounds`: this is a search.
SEARCHING = 1
#: Stands in a key where an option would, for the position itself.
NO_OPTION = -1

Leaf = Callable[[int, list[ir.Expr]], None]
"""Writes what is done for an option, by its number and its arguments."""


def _base(to: Lowering) -> int:
    return to.memory.stretch("choices", SIZE)


def _at(to: Lowering, number: int) -> ir.Load:
    return ir.Load(ir.Const(_base(to) + number))


def _is(value: ir.Expr, number: int) -> ir.Expr:
    return ir.Bin("==", value, ir.Const(number))


def _searching(to: Lowering) -> ir.Expr:
    return _is(_at(to, FOUND), SEARCHING)


def _entry(to: Lowering, number: ir.Expr) -> ir.Expr:
    """Where a key stands."""
    return plus(times(number, 2), ir.Const(_base(to) + KEYS))


def _key(to: Lowering, option: int, values: list[ir.Expr]) -> ir.Expr:
    """A number for an option in the position that was noted."""
    key: ir.Expr = _at(to, POSITION)
    for value in (ir.Const(option), *values):
        key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
    return to.code.once(plus(key, ONE))


def _find(to: Lowering, key: ir.Expr) -> ir.Var:
    """Where a key stands in the memory, -1 where it does not."""
    found, step = to.code.fresh(), to.code.fresh()
    to.code.set(found, NONE)
    at = _entry(to, step)
    hit = (ir.SetVar(found.number, at), ir.Break())
    to.code.add(ir.ForRange(step.number, _at(to, COUNT), (ir.If(ir.Bin("==", ir.Load(at), key), hit, ()),)))
    return found


def _add(to: Lowering, key: ir.Expr) -> ir.Stmt:
    """Add a key to the memory, if there is room."""
    size = _at(to, COUNT)
    at = _entry(to, size)
    enter = (
        ir.Store(at, key),
        ir.Store(plus(at, ONE), ONE),
        ir.Store(size.address, ir.Bin("+", size, ONE)),
    )
    return ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, ())


def enter(to: Lowering, decision: int, seat: ir.Expr, again: bool) -> None:
    """Note the position in which a seat is about to decide; unless all is offered `again`, find out where it leads."""
    with to.straight() as code:
        with code.inner() as noting:
            hashed = code.fresh()
            code.add(ir.HashState(hashed.number, _base(to), _base(to) + SIZE))
            code.add(ir.Store(_at(to, POSITION).address, hashed))
            key = _key(to, NO_OPTION, [])
            found = _find(to, key)
            if not again:
                _search(to, decision, seat, found)
            code.add(ir.If(ir.Bin("<", found, ZERO), (_add(to, key),), ()))
        code.add(ir.If(_searching(to), (), tuple(noting)))


def _search(to: Lowering, decision: int, seat: ir.Expr, found: ir.Var) -> None:
    """Where a position comes again, or nobody can tell any more, find out whether all choices go round for ever."""
    code, stage = to.code, _at(to, FOUND)
    known, full = ir.Bin(">=", found, ZERO), ir.Bin(">=", _at(to, COUNT), ir.Const(CAPACITY))

    def became(answer: ir.Rounds) -> ir.Stmt:
        return ir.Store(stage.address, ir.Const(answer))

    with code.inner() as asking:
        answer = code.fresh()
        code.add(ir.Endless(answer.number, decision, seat, _base(to), _base(to) + SIZE))
        with code.inner() as unknown:
            code.add(became(ir.Rounds.UNKNOWN))
            events.emit(to, "rounds_unknown", [])
        # It is told once, until choices are forgotten.
        untold = ir.Bin("==", stage, ZERO)
        code.add(ir.If(ir.Bin("and", _is(answer, ir.Rounds.UNKNOWN), untold), tuple(unknown), ()))
        ever = ir.Bin("or", _is(answer, ir.Rounds.HERE_AGAIN), ir.Bin("and", full, _is(answer, ir.Rounds.ENDLESS)))
        code.add(ir.If(ever, (became(ir.Rounds.HERE_AGAIN),), ()))
    code.add(ir.If(ir.Bin("or", known, full), tuple(asking), ()))


def left(to: Lowering) -> None:
    """Nothing was offered: whether that came of going round is settled."""
    stage = _at(to, FOUND)
    to.code.add(ir.If(_is(stage, ir.Rounds.HERE_AGAIN), (ir.Store(stage.address, ZERO),), ()))


def made(to: Lowering, option: int, values: list[ir.Expr]) -> None:
    """Count a choice that was made."""
    code = to.code
    with code.inner() as counting:
        key = _key(to, option, values)
        found = _find(to, key)
        often = ir.Load(plus(found, ONE))
        again = (ir.Store(often.address, ir.Bin("+", often, ONE)),)
        code.add(ir.If(ir.Bin(">=", found, ZERO), again, (_add(to, key),)))
        code.add(ir.Store(_at(to, POSITION).address, ZERO))
    code.add(ir.If(_searching(to), (), tuple(counting)))


def offer(to: Lowering, every: Callable[[Leaf], None]) -> None:
    """List the options made least often; none of them where all go round for ever."""
    code = to.code
    least = code.variable(NONE)

    def often(option: int, values: list[ir.Expr]) -> ir.Var:
        found = _find(to, _key(to, option, values))
        number = code.variable(ZERO)
        code.add(ir.If(ir.Bin(">=", found, ZERO), (ir.SetVar(number.number, ir.Load(plus(found, ONE))),), ()))
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
    # A search knows of no choices: none was made more often than another.
    code.add(ir.If(_searching(to), (ir.SetVar(least.number, ZERO),), tuple(comparing)))
    with code.inner() as rest:
        every(list_least)
    code.add(ir.If(_is(_at(to, FOUND), ir.Rounds.HERE_AGAIN), (), tuple(rest)))


def forget(to: Lowering) -> None:
    """Forget which choices were made in which positions."""
    step = to.code.fresh()
    at = _entry(to, step)
    wipe = (ir.Store(at, ZERO), ir.Store(plus(at, ONE), ZERO))
    to.code.add(ir.ForRange(step.number, _at(to, COUNT), wipe))
    for number in range(KEYS):
        to.code.add(ir.Store(_at(to, number).address, ZERO))

"""Choices without going round: in a position that comes again, the options come first that were made least often.

The state keeps a memory of choices: a hash of the position that is being decided in, how many options of the
positions that came up were not made yet, how many keys there are, and each key with how often it came: of a position,
and of each choice that was made in it.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl.ir.folding import plus, times
from wongar_dsl.lower.context import NONE, ONE, ZERO, Lowering

CAPACITY = 200
HEAD = 3
SIZE = HEAD + 2 * CAPACITY
#: Stands in a key where an option would, for the position itself.
POSITION = -1
#: So many options are left when the memory is full: nobody knows any more that all were made, so they go on.
FULL = 1_000_000_000

Leaf = Callable[[int, list[ir.Expr]], None]
"""Writes what is done for an option, by its number and its arguments."""


def _base(to: Lowering) -> int:
    return to.memory.stretch("choices", SIZE)


def _at(to: Lowering, number: int) -> ir.Load:
    return ir.Load(ir.Const(_base(to) + number))


def _entry(to: Lowering, number: ir.Expr) -> ir.Expr:
    """Where a key stands."""
    return plus(times(number, 2), ir.Const(_base(to) + HEAD))


def _key(to: Lowering, option: int, values: list[ir.Expr]) -> ir.Expr:
    """A number for an option in the position that was noted."""
    key: ir.Expr = _at(to, 0)
    for value in (ir.Const(option), *values):
        key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
    return to.code.once(plus(key, ONE))


def _find(to: Lowering, key: ir.Expr) -> ir.Var:
    """Where a key stands in the memory, -1 where it does not."""
    found, step = to.code.fresh(), to.code.fresh()
    to.code.set(found, NONE)
    at = _entry(to, step)
    hit = (ir.SetVar(found.number, at), ir.Break())
    to.code.add(ir.ForRange(step.number, _at(to, 2), (ir.If(ir.Bin("==", ir.Load(at), key), hit, ()),)))
    return found


def _add(to: Lowering, key: ir.Expr) -> ir.Stmt:
    """Add a key to the memory, if there is room."""
    opened, size = _at(to, 1), _at(to, 2)
    at = _entry(to, size)
    enter = (
        ir.Store(at, key),
        ir.Store(plus(at, ONE), ONE),
        ir.Store(size.address, ir.Bin("+", size, ONE)),
    )
    full = (ir.Store(opened.address, ir.Const(FULL)),)
    return ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, full)


def enter(to: Lowering, every: Callable[[Leaf], None]) -> None:
    """Note the position in which somebody is about to decide; what is there is new, if the position is."""
    with to.straight() as code:
        hashed, number = code.fresh(), code.fresh()
        code.add(ir.HashState(hashed.number, _base(to), _base(to) + SIZE))
        code.add(ir.Store(_at(to, 0).address, hashed))
        code.set(number, ZERO)
        every(lambda option, values: code.set(number, ir.Bin("+", number, ONE)))
        opened = _at(to, 1)
        more = ir.Store(opened.address, ir.Bin("+", opened, number))
        key = _key(to, POSITION, [])
        code.add(ir.If(ir.Bin("<", _find(to, key), ZERO), (more, _add(to, key)), ()))


def made(to: Lowering, option: int, values: list[ir.Expr]) -> None:
    """Count a choice that was made."""
    key = _key(to, option, values)
    found = _find(to, key)
    often, opened = ir.Load(plus(found, ONE)), _at(to, 1)
    again = (ir.Store(often.address, ir.Bin("+", often, ONE)),)
    first = (ir.Store(opened.address, ir.Bin("-", opened, ONE)), _add(to, key))
    to.code.add(ir.If(ir.Bin(">=", found, ZERO), again, first))
    to.code.add(ir.Store(_at(to, 0).address, ZERO))


def offer(to: Lowering, every: Callable[[Leaf], None], again: bool) -> None:
    """List the options made least often; with nothing new anywhere, none of them, unless `again`."""
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

    every(compare)
    with code.inner() as rest:
        every(list_least)
    if again:
        code.add(*rest)
    else:
        code.add(ir.If(ir.Bin(">", _at(to, 1), ZERO), tuple(rest), ()))


def forget(to: Lowering) -> None:
    """Forget which choices were made in which positions."""
    step = to.code.fresh()
    at = _entry(to, step)
    wipe = (ir.Store(at, ZERO), ir.Store(plus(at, ONE), ZERO))
    to.code.add(ir.ForRange(step.number, _at(to, 2), wipe))
    for number in range(HEAD):
        to.code.add(ir.Store(_at(to, number).address, ZERO))

"""Choices without going round: in a position that comes again, the options come first that were made least often.

The state keeps a memory of choices: an imprint of the position that is being decided in, how many options of the
positions that came up were not made yet, how many keys there are, and each key with how often it came: of a position,
and of each choice that was made in it.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl.lower.code import plus, times
from wongar_dsl.lower.pool import NONE, ONE, ZERO
from wongar_dsl.lower.suspension import Stages

CAPACITY = 200
HEAD = 3
#: Stands in a key where an option would, for the position itself.
POSITION = -1
#: So few options are left when the memory is full: from then on there is nothing new.
FULL = -1_000_000

Leaf = Callable[[int, list[ir.Expr]], None]


class Rounds(Stages):
    """Lowers the memory of choices."""

    _memory: int | None = None

    @property
    def choice_memory(self) -> int:
        """Where the memory begins, made at its first use."""
        if self._memory is None:
            self._memory = self.memory.frame()
            for _ in range(HEAD + 2 * CAPACITY - 1):
                self.memory.frame()
        return self._memory

    def _at(self, number: int) -> ir.Load:
        return ir.Load(ir.Const(self.choice_memory + number))

    def _key(self, option: int, values: list[ir.Expr]) -> ir.Expr:
        """A number for an option in the position that was noted."""
        key: ir.Expr = self._at(0)
        for value in (ir.Const(option), *values):
            key = ir.Bin("&", plus(times(key, ir.FACTOR), plus(value, ir.Const(2))), ir.Const(ir.MASK))
        return self.unit.keep(plus(key, ONE))

    def _find(self, key: ir.Expr) -> ir.Var:
        """Where a key stands in the memory, -1 where it does not."""
        found, step = self.unit.fresh(), self.unit.fresh()
        self.unit.add(ir.SetVar(found.number, NONE))
        at = plus(times(step, 2), ir.Const(self.choice_memory + HEAD))
        hit = (ir.SetVar(found.number, at), ir.Break())
        self.unit.add(ir.ForRange(step.number, self._at(2), (ir.If(ir.Bin("==", ir.Load(at), key), hit, ()),)))
        return found

    def enter(self, every: Callable[[Leaf], None]) -> None:
        """Note the position in which somebody is about to decide; what is there is new, if the position is."""
        imprint, number = self.unit.fresh(), self.unit.fresh()
        self.unit.add(ir.HashState(imprint.number, self.choice_memory, self.choice_memory + HEAD + 2 * CAPACITY))
        self.unit.add(ir.Store(self._at(0).address, imprint))
        self.unit.add(ir.SetVar(number.number, ZERO))
        every(lambda option, values: self.unit.add(ir.SetVar(number.number, ir.Bin("+", number, ONE))))
        opened = self._at(1)
        more = ir.Store(opened.address, ir.Bin("+", opened, number))
        key = self._key(POSITION, [])
        self.unit.add(ir.If(ir.Bin("<", self._find(key), ZERO), (more, *self._add(key)), ()))

    def _add(self, key: ir.Expr) -> tuple[ir.Stmt, ...]:
        """Add a key to the memory, if there is room."""
        opened, size = self._at(1), self._at(2)
        at = plus(times(size, 2), ir.Const(self.choice_memory + HEAD))
        enter = (
            ir.Store(at, key),
            ir.Store(plus(at, ONE), ONE),
            ir.Store(size.address, ir.Bin("+", size, ONE)),
        )
        full = (ir.Store(opened.address, ir.Const(FULL)),)
        return (ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, full),)

    def made(self, option: int, values: list[ir.Expr]) -> None:
        """Count a choice that was made."""
        key = self._key(option, values)
        found = self._find(key)
        often, opened = ir.Load(plus(found, ONE)), self._at(1)
        again = (ir.Store(often.address, ir.Bin("+", often, ONE)),)
        first = (ir.Store(opened.address, ir.Bin("-", opened, ONE)), *self._add(key))
        self.unit.add(ir.If(ir.Bin(">=", found, ZERO), again, first))
        self.unit.add(ir.Store(self._at(0).address, ZERO))

    def list_fresh(self, every: Callable[[Leaf], None], again: bool) -> None:
        """List the options made least often; with nothing new anywhere, none of them, unless `again`."""
        least = self.unit.fresh()
        self.unit.add(ir.SetVar(least.number, NONE))

        def often(option: int, values: list[ir.Expr]) -> ir.Var:
            found = self._find(self._key(option, values))
            number = self.unit.fresh()
            self.unit.add(ir.SetVar(number.number, ZERO))
            known = ir.SetVar(number.number, ir.Load(plus(found, ONE)))
            self.unit.add(ir.If(ir.Bin(">=", found, ZERO), (known,), ()))
            return number

        def compare(option: int, values: list[ir.Expr]) -> None:
            number = often(option, values)
            fewer = ir.Bin("or", ir.Bin("<", least, ZERO), ir.Bin("<", number, least))
            self.unit.add(ir.If(fewer, (ir.SetVar(least.number, number),), ()))

        def offer(option: int, values: list[ir.Expr]) -> None:
            number = often(option, values)
            self.unit.add(ir.If(ir.Bin("==", number, least), (ir.Yield(option, tuple(values)),), ()))

        every(compare)
        with self.unit.inner() as rest:
            every(offer)
        if again:
            for statement in rest:
                self.unit.add(statement)
        else:
            self.unit.add(ir.If(ir.Bin(">", self._at(1), ZERO), tuple(rest), ()))

    def forget_choices(self) -> None:
        """See `Statements.forget_choices`."""
        step = self.unit.fresh()
        at = plus(times(step, 2), ir.Const(self.choice_memory + HEAD))
        wipe = (ir.Store(at, ZERO), ir.Store(plus(at, ONE), ZERO))
        self.unit.add(ir.ForRange(step.number, self._at(2), wipe))
        for number in range(HEAD):
            self.unit.add(ir.Store(self._at(number).address, ZERO))

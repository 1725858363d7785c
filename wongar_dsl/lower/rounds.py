"""Choices without going round: in a position that comes again, the options come first that were made least often.

The state keeps a memory of choices: an imprint of the position that is being decided in, how many known options were
not made yet, how many are known, and for each of them its key and how often it was made.
"""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl import ir
from wongar_dsl.lower.code import plus, times
from wongar_dsl.lower.parts import NONE, ONE, ZERO
from wongar_dsl.lower.stages import Stages

CAPACITY = 120
HEAD = 3
#: So few options are left when the memory is full: from then on there is nothing new.
FULL = -1_000_000

Leaf = Callable[[int, list[ir.Expr]], None]


class Rounds(Stages):
    """Lowers the memory of choices."""

    _memory: int | None = None

    @property
    def memory(self) -> int:
        """Where the memory begins, made at its first use."""
        if self._memory is None:
            self._memory = self.layout.frame()
            for _ in range(HEAD + 2 * CAPACITY - 1):
                self.layout.frame()
        return self._memory

    def _at(self, number: int) -> ir.Load:
        return ir.Load(ir.Const(self.memory + number))

    def take_imprint(self) -> None:
        """Note the position in which somebody is about to decide."""
        imprint = self.unit.fresh()
        self.unit.add(ir.Imprint(imprint.number, self.memory, self.memory + HEAD + 2 * CAPACITY))
        self.unit.add(ir.Store(self._at(0).address, imprint))

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
        at = plus(times(step, 2), ir.Const(self.memory + HEAD))
        hit = (ir.SetVar(found.number, at), ir.Break())
        self.unit.add(ir.ForRange(step.number, self._at(2), (ir.If(ir.Bin("==", ir.Load(at), key), hit, ()),), True))
        return found

    def register(self, option: int, values: list[ir.Expr]) -> None:
        """Enter an option that is there, unless it is known."""
        key = self._key(option, values)
        found = self._find(key)
        opened, size = self._at(1), self._at(2)
        at = plus(times(size, 2), ir.Const(self.memory + HEAD))
        enter = (
            ir.Store(at, key),
            ir.Store(size.address, ir.Bin("+", size, ONE)),
            ir.Store(opened.address, ir.Bin("+", opened, ONE)),
        )
        full = (ir.Store(opened.address, ir.Const(FULL)),)
        room = ir.If(ir.Bin("<", size, ir.Const(CAPACITY)), enter, full)
        self.unit.add(ir.If(ir.Bin("<", found, ZERO), (room,), ()))

    def made(self, option: int, values: list[ir.Expr]) -> None:
        """Count a choice that was made."""
        found = self._find(self._key(option, values))
        times_made, opened = ir.Load(plus(found, ONE)), self._at(1)
        first = ir.If(ir.Bin("==", times_made, ZERO), (ir.Store(opened.address, ir.Bin("-", opened, ONE)),), ())
        count = ir.Store(times_made.address, ir.Bin("+", times_made, ONE))
        self.unit.add(ir.If(ir.Bin(">=", found, ZERO), (first, count), ()))
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
        at = plus(times(step, 2), ir.Const(self.memory + HEAD))
        wipe = (ir.Store(at, ZERO), ir.Store(plus(at, ONE), ZERO))
        self.unit.add(ir.ForRange(step.number, self._at(2), wipe, True))
        for number in range(HEAD):
            self.unit.add(ir.Store(self._at(number).address, ZERO))

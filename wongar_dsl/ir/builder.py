"""Code under construction: where statements go, where names are kept, and how control flow is written.

Straight code is added to a `Code` whatever is around it.  Control flow goes through a `Builder`, of which there are
two: `Structured` here, for code that never waits, and the suspending one of lowering, for code that somebody's decision
can interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from wongar_dsl.ir import code as ir
from wongar_dsl.ir.extents import Extent
from wongar_dsl.model.types import Local

Cell = ir.Var | ir.Load
"""Where a value is kept: a variable, or a cell of the state."""
Do = Callable[[], None]
"""Writes a part of the code."""


@dataclass(slots=True)
class Code:
    """A procedure or a block: its statements so far, its variables, and what its names stand for."""

    rule: str
    out: list[ir.Stmt] = field(default_factory=list)
    variables: int = 0
    names: dict[Local, Cell | ir.Const] = field(default_factory=dict)
    #: Where values lie, as far as more is known of them than that they are kept.
    known: dict[ir.Expr, Extent] = field(default_factory=dict)

    def fresh(self) -> ir.Var:
        """A new local variable, without a value."""
        self.variables += 1
        return ir.Var(self.variables - 1)

    def variable(self, value: ir.Expr) -> ir.Var:
        """A new local variable with a value."""
        variable = self.fresh()
        self.add(ir.SetVar(variable.number, value))
        return variable

    def once(self, value: ir.Expr) -> ir.Const | ir.Var:
        """The value, computed once."""
        return value if isinstance(value, ir.Const | ir.Var) else self.variable(value)

    def add(self, *statements: ir.Stmt) -> None:
        """Append statements."""
        self.out.extend(statements)

    def set(self, variable: ir.Var, value: ir.Expr) -> None:
        """Give a variable a value."""
        self.add(ir.SetVar(variable.number, value))

    @contextmanager
    def inner(self) -> Iterator[list[ir.Stmt]]:
        """Collect statements apart, for the body of a compound statement."""
        around, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = around


@dataclass(slots=True)
class Iteration:
    """What a loop runs over: `count` steps, with `element(k)` at step k, which counts where `guard` holds.

    `listed` is the constant table of lists and the index into it, where there is one; the loop goes on only while
    `stop`, asked with the name bound, does not hold.  Where a value can be there several times, `copies` says how
    often; a loop over it has so many turns with that value, as long as one is left.
    """

    count: ir.Expr
    element: Callable[[ir.Expr], ir.Expr] = lambda step: step
    guard: Callable[[ir.Expr], ir.Expr] | None = None
    listed: tuple[int, ir.Expr] | None = None
    stop: Callable[[], ir.Expr] | None = None
    copies: Callable[[ir.Expr], ir.Expr] | None = None


class Builder(Protocol):
    """How control flow is written: what the branches and bodies hold is written by the functions that are handed in."""

    @property
    def code(self) -> Code:
        """Where straight code goes now."""

    @property
    def straight(self) -> Builder:
        """The builder for what is done at once: expressions, and statements that nothing interrupts."""

    def local(self, value: ir.Expr) -> Cell:
        """A place of its own for a value, as long as its scope lasts."""

    def once(self, value: ir.Expr) -> ir.Expr:
        """The value, computed once, as long as its scope lasts."""

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """One of two branches."""

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """The case whose test holds, if any; at most one does."""

    def over(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """A loop over values, each bound to a name where one is given."""

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """A loop without an end of its own, or until something holds, which is asked before each turn."""

    def leave_loop(self) -> None:
        """Leave the innermost loop of the rules."""

    def leave_rule(self) -> None:
        """Leave the rule."""

    def scope(self) -> AbstractContextManager[None]:
        """What is kept inside lasts until its end."""


def decided(test: ir.Expr, then: Do, otherwise: Do | None) -> bool:
    """Write the one branch that can be taken, where the test is known before play; False where it is not."""
    if not isinstance(test, ir.Const):
        return False
    chosen = then if test.value else otherwise
    if chosen is not None:
        chosen()
    return True


@dataclass(slots=True)
class Structured:
    """Writes `ir.If`, `ir.ForRange` and their like; what is kept is kept in variables."""

    code: Code
    #: The loops around, innermost last: where a loop of the rules is two of the code, what says that both are left.
    _loops: list[ir.Var | None] = field(default_factory=list)

    @property
    def straight(self) -> Structured:
        """Itself: nothing interrupts structured code."""
        return self

    def local(self, value: ir.Expr) -> Cell:
        """See `Builder.local`."""
        return self.code.variable(value)

    def once(self, value: ir.Expr) -> ir.Expr:
        """See `Builder.once`."""
        return self.code.once(value)

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """See `Builder.when`."""
        if decided(test, then, otherwise):
            return
        with self.code.inner() as first:
            then()
        with self.code.inner() as second:
            if otherwise is not None:
                otherwise()
        self.code.add(ir.If(test, tuple(first), tuple(second)))

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """See `Builder.one_of`: one test after the other, which is as quick and stays flat."""
        for test, then in cases:
            self.when(test, then)

    def over(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """See `Builder.over`."""
        step = self.code.fresh()
        with self.code.inner() as out:
            element = values.element(step)
            value = step if values.listed is not None or element == step else self.code.variable(element)
            if local is not None:
                self.code.names[local] = value
            if values.stop is not None:
                self.code.add(ir.If(values.stop(), (ir.Break(),), ()))
            if values.copies is not None:
                self._each_copy(values.copies(value), lambda: body(value))
            else:
                self._loops.append(None)
                if values.guard is not None:
                    self.when(values.guard(value), lambda: body(value))
                else:
                    body(value)
                self._loops.pop()
        if values.listed is not None:
            self.code.add(ir.ForList(step.number, *values.listed, tuple(out)))
        else:
            self.code.add(ir.ForRange(step.number, values.count, tuple(out)))

    def _each_copy(self, copies: ir.Expr, body: Do) -> None:
        """One turn for each copy that was there at the first, while there is one; whoever leaves it leaves all."""
        left = self.code.variable(ir.Const(0))
        self._loops.append(left)
        with self.code.inner() as turn:
            body()
        self._loops.pop()
        gone = ir.If(copies, (), (ir.Break(),))
        self.code.add(ir.ForRange(self.code.fresh().number, copies, (gone, *turn)))
        self.code.add(ir.If(left, (ir.Break(),), ()))

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """See `Builder.loop`."""
        self._loops.append(None)
        with self.code.inner() as out:
            if until is not None:
                self.code.add(ir.If(until(), (ir.Break(),), ()))
            body()
        self._loops.pop()
        self.code.add(ir.Loop(tuple(out)))

    def leave_loop(self) -> None:
        """See `Builder.leave_loop`."""
        left = self._loops[-1]
        if left is not None:
            self.code.set(left, ir.Const(1))
        self.code.add(ir.Break())

    def leave_rule(self) -> None:
        """See `Builder.leave_rule`."""
        self.code.add(ir.Return(None))

    def scope(self) -> AbstractContextManager[None]:
        """See `Builder.scope`: variables need no end."""
        return nullcontext()

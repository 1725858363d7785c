"""Builder for IR code: statements, variables, names and control flow.

Straight-line code is appended to a `CodeBuffer`.  Control flow goes through a `Builder`, which has two implementations:
`StructuredBuilder` here for code that never suspends, and the suspending builder of lowering for code with decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.ranges import Extent
from wongar_dsl.language.semantics.model import Local

#: Location of a value: a variable, or a cell of the state.
Cell = ir.Var | ir.Load
#: Callback that writes code.
Do = Callable[[], None]


@dataclass(slots=True)
class CodeBuffer:
    """Procedure or block under construction: statements, variables, and the values of names."""

    rule: str
    out: list[ir.Stmt] = field(default_factory=list)
    variables: int = 0
    names: dict[Local, Cell | ir.Const] = field(default_factory=dict)
    #: Known value ranges of stored values.
    known: dict[ir.Expr, Extent] = field(default_factory=dict)

    def fresh(self) -> ir.Var:
        """Return a new local variable without a value."""
        self.variables += 1
        return ir.Var(self.variables - 1)

    def variable(self, value: ir.Expr) -> ir.Var:
        """Return a new local variable with a value."""
        variable = self.fresh()
        self.add(ir.SetVar(variable.number, value))
        return variable

    def once(self, value: ir.Expr) -> ir.Const | ir.Var:
        """Return the value, stored in a variable unless it is a constant or variable."""
        return value if isinstance(value, ir.Const | ir.Var) else self.variable(value)

    def add(self, *statements: ir.Stmt) -> None:
        """Append statements."""
        self.out.extend(statements)

    def set(self, variable: ir.Var, value: ir.Expr) -> None:
        """Append an assignment to a variable."""
        self.add(ir.SetVar(variable.number, value))

    @contextmanager
    def inner(self) -> Iterator[list[ir.Stmt]]:
        """Collect the statements of a nested body in a separate list."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer


@dataclass(slots=True)
class Iteration:
    """Range of a loop: `count` steps with the value `element(k)` at step k, skipped unless `guard` holds.

    `listed` is the constant table of lists and the index into it, if any.  The loop ends when `stop`, evaluated with
    the name bound, holds.  For a multiset `copies` is the number of copies of a value; the body runs once per copy,
    while any is left.
    """

    count: ir.Expr
    element: Callable[[ir.Expr], ir.Expr] = lambda step: step
    guard: Callable[[ir.Expr], ir.Expr] | None = None
    listed: tuple[int, ir.Expr] | None = None
    stop: Callable[[], ir.Expr] | None = None
    copies: Callable[[ir.Expr], ir.Expr] | None = None


class Builder(Protocol):
    """Interface for control flow.  Branches and bodies are written by callbacks."""

    @property
    def code(self) -> CodeBuffer:
        """Code object that straight-line code is appended to."""

    @property
    def immediate(self) -> Builder:
        """Builder for straight-line code: expressions, and statements without a decision."""

    def local(self, value: ir.Expr) -> Cell:
        """Allocate a cell for a value until the end of the scope."""

    def once(self, value: ir.Expr) -> ir.Expr:
        """Return the value, computed once until the end of the scope."""

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """Write a conditional with two branches."""

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """Write mutually exclusive cases; at most one of the tests holds."""

    def for_each(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """Write a loop over values, each bound to a name if one is given."""

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """Write a loop that ends when `until` holds before an iteration, or never."""

    def leave_loop(self) -> None:
        """Write an exit from the innermost loop of the rules."""

    def leave_rule(self) -> None:
        """Write a return from the rule."""

    def scope(self) -> AbstractContextManager[None]:
        """Return a context; values stored inside of it are released at its end."""


def emit_if_constant(test: ir.Expr, then: Do, otherwise: Do | None) -> bool:
    """Write the branch taken if the test is constant.  Returns False, without effect, if it is not."""
    if not isinstance(test, ir.Const):
        return False
    chosen = then if test.value else otherwise
    if chosen is not None:
        chosen()
    return True


@dataclass(slots=True)
class StructuredBuilder:
    """Builder for structured control flow (`ir.If`, `ir.ForRange`, ...), with values in variables."""

    code: CodeBuffer
    #: Enclosing loops, innermost last.  For a loop of the rules that is two nested loops of the IR, the flag that makes
    #: the outer one break too.
    _loops: list[ir.Var | None] = field(default_factory=list)

    @property
    def immediate(self) -> StructuredBuilder:
        """Returns itself: structured code never suspends."""
        return self

    def local(self, value: ir.Expr) -> Cell:
        """Implement `Builder.local`."""
        return self.code.variable(value)

    def once(self, value: ir.Expr) -> ir.Expr:
        """Implement `Builder.once`."""
        return self.code.once(value)

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """Implement `Builder.when`."""
        if emit_if_constant(test, then, otherwise):
            return
        with self.code.inner() as first:
            then()
        with self.code.inner() as second:
            if otherwise is not None:
                otherwise()
        self.code.add(ir.If(test, tuple(first), tuple(second)))

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """Implement `Builder.one_of` by consecutive conditionals, which are as fast as nested ones and stay flat."""
        for test, then in cases:
            self.when(test, then)

    def for_each(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """Implement `Builder.for_each`."""
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
        """Write a loop over the copies present at the start that ends when none is left.

        A break inside of it breaks the enclosing loop too.
        """
        broken = self.code.variable(ir.Const(0))
        self._loops.append(broken)
        with self.code.inner() as turn:
            body()
        self._loops.pop()
        stop_at_zero = ir.If(copies, (), (ir.Break(),))
        self.code.add(ir.ForRange(self.code.fresh().number, copies, (stop_at_zero, *turn)))
        self.code.add(ir.If(broken, (ir.Break(),), ()))

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """Implement `Builder.loop`."""
        self._loops.append(None)
        with self.code.inner() as out:
            if until is not None:
                self.code.add(ir.If(until(), (ir.Break(),), ()))
            body()
        self._loops.pop()
        self.code.add(ir.Loop(tuple(out)))

    def leave_loop(self) -> None:
        """Implement `Builder.leave_loop`."""
        broken = self._loops[-1]
        if broken is not None:
            self.code.set(broken, ir.Const(1))
        self.code.add(ir.Break())

    def leave_rule(self) -> None:
        """Implement `Builder.leave_rule`."""
        self.code.add(ir.Return(None))

    def scope(self) -> AbstractContextManager[None]:
        """Implement `Builder.scope`; variables need no release."""
        return nullcontext()

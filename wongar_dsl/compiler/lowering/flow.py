"""Builder for IR code: statements, variables, names and control flow.

Straight-line code is appended to a `CodeBuffer`.  Control flow goes through a `Builder`:
`StructuredBuilder` for code that never suspends, and `CoroutineBuilder` for code with decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import Extent
from wongar_dsl.compiler.lowering.layout import ProgramBuilder, StateLayout
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
        """Allocate a cell for a value until the end of the scope."""
        return self.code.variable(value)

    def once(self, value: ir.Expr) -> ir.Expr:
        """Return the value, computed once until the end of the scope."""
        return self.code.once(value)

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """Write a conditional with two branches."""
        if emit_if_constant(test, then, otherwise):
            return
        with self.code.inner() as first:
            then()
        with self.code.inner() as second:
            if otherwise is not None:
                otherwise()
        self.code.add(ir.If(test, tuple(first), tuple(second)))

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """Write mutually exclusive cases as consecutive conditionals, which are as fast as nested ones."""
        for test, then in cases:
            self.when(test, then)

    def for_each(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """Write a loop over values, each bound to a name if one is given."""
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
        """Write a loop that ends when `until` holds before an iteration, or never."""
        self._loops.append(None)
        with self.code.inner() as out:
            if until is not None:
                self.code.add(ir.If(until(), (ir.Break(),), ()))
            body()
        self._loops.pop()
        self.code.add(ir.Loop(tuple(out)))

    def leave_loop(self) -> None:
        """Write an exit from the innermost loop of the rules."""
        broken = self._loops[-1]
        if broken is not None:
            self.code.set(broken, ir.Const(1))
        self.code.add(ir.Break())

    def leave_rule(self) -> None:
        """Write a return from the rule."""
        self.code.add(ir.Return(None))

    def scope(self) -> AbstractContextManager[None]:
        """Return a context; values stored inside of it are released at its end."""
        return nullcontext()


# ---- code with decisions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActivationRecord:
    """Activation record of a rule with decisions: its blocks, and its cells in the state."""

    rule: str
    entry: int
    parameters: tuple[int, ...]
    back: int
    exit: int
    cells: list[int] = field(default_factory=list)


@dataclass(slots=True)
class CoroutineBuilder:
    """Builder of a state machine: blocks that end at decisions and jumps, with all variables in cells of the state."""

    immediate: StructuredBuilder
    memory: StateLayout
    program: ProgramBuilder
    activation: ActivationRecord
    current: int = -1
    _loops: list[int] = field(default_factory=list)

    @property
    def code(self) -> CodeBuffer:
        """Code object that straight-line code is appended to."""
        return self.immediate.code

    # ---- blocks ----

    def reserve(self) -> int:
        """Reserve the number of a new block."""
        return self.program.blocks.reserve()

    def start(self, block: int) -> None:
        """Continue in a block."""
        self.current = block
        self.code.out = []

    def finish(self, end: ir.End) -> None:
        """End the current block."""
        self.program.blocks.fill(self.current, ir.Block(tuple(self.code.out), end, self.code.rule))

    def jump(self, block: int) -> None:
        """End the current block with a jump."""
        self.finish(ir.Jump(block))

    def continue_in(self, block: int) -> None:
        """End the current block with a jump, and continue in its target."""
        self.jump(block)
        self.start(block)

    # ---- values ----

    def cell(self) -> ir.Load:
        """Allocate a cell of the state for the current scope."""
        address = self.memory.cell()
        self.activation.cells.append(address)
        return ir.Load(ir.Const(address))

    def local(self, value: ir.Expr) -> ir.Load:
        """Implement `StructuredBuilder.local`."""
        cell = self.cell()
        self.code.add(ir.Store(cell.address, value))
        return cell

    def once(self, value: ir.Expr) -> ir.Expr:
        """Implement `StructuredBuilder.once`."""
        return value if isinstance(value, ir.Const) else self.local(value)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Implement `StructuredBuilder.scope`; cleared cells make equal positions equal states."""
        before = len(self.activation.cells)
        yield
        self.clear(self.activation.cells[before:])

    def clear(self, cells: Iterable[int]) -> None:
        """Write 0 into cells."""
        self.code.add(*(ir.Store(ir.Const(address), ir.Const(0)) for address in cells))

    # ---- control flow ----

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """Implement `StructuredBuilder.when`."""
        if emit_if_constant(test, then, otherwise):
            return
        after, first = self.reserve(), self.reserve()
        second = self.reserve() if otherwise is not None else after
        self._branch(test, first, second)
        self.start(first)
        then()
        self.jump(after)
        if otherwise is not None:
            self.start(second)
            otherwise()
            self.jump(after)
        self.start(after)

    def _branch(self, test: ir.Expr, then: int, otherwise: int) -> None:
        if isinstance(test, ir.Not):
            test, then, otherwise = test.operand, otherwise, then
        self.finish(ir.Branch(test, then, otherwise))

    def one_of(self, cases: Iterable[tuple[ir.Expr, Do]]) -> None:
        """Implement `StructuredBuilder.one_of`."""
        after = self.reserve()
        for test, then in cases:
            inside, next_case = self.reserve(), self.reserve()
            self._branch(test, inside, next_case)
            self.start(inside)
            then()
            self.jump(after)
            self.start(next_case)
        self.continue_in(after)

    def for_each(self, values: Iteration, local: Local | None, body: Callable[[Cell], None]) -> None:
        """Implement `StructuredBuilder.for_each`."""
        with self.scope():
            step = self.local(ir.Const(0))
            head, inside, after = self.reserve(), self.reserve(), self.reserve()
            self.continue_in(head)
            self._branch(ir.Bin("<", step, values.count), inside, after)
            self.start(inside)
            value = step
            if local is not None:
                value = self.code.names[local] = self.local(values.element(step))
            if values.stop is not None:
                going = self.reserve()
                self._branch(values.stop(), after, going)
                self.start(going)
            self._loops.append(after)
            if values.copies is not None:
                self._each_copy(values.copies(value), lambda: body(value))
            elif values.guard is not None:
                self.when(values.guard(value), lambda: body(value))
            else:
                body(value)
            self._loops.pop()
            self.code.add(ir.Store(step.address, ir.Bin("+", step, ir.Const(1))))
            self.jump(head)
            self.start(after)

    def _each_copy(self, copies: ir.Expr, body: Do) -> None:
        """Write a loop over the copies present at the start that ends when none is left.

        A break inside of it breaks the enclosing loop too.
        """
        with self.scope():
            remaining = self.local(copies)
            head, inside, after = self.reserve(), self.reserve(), self.reserve()
            self.continue_in(head)
            self._branch(ir.Bin(">", ir.Bin("min", remaining, copies), ir.Const(0)), inside, after)
            self.start(inside)
            self.code.add(ir.Store(remaining.address, ir.Bin("-", remaining, ir.Const(1))))
            body()
            self.jump(head)
            self.start(after)

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """Implement `StructuredBuilder.loop`."""
        head, after = self.reserve(), self.reserve()
        self.continue_in(head)
        if until is not None:
            test, inside = until(), self.reserve()
            self._branch(test, after, inside)
            self.start(inside)
        self._loops.append(after)
        body()
        self._loops.pop()
        self.jump(head)
        self.start(after)

    def leave_loop(self) -> None:
        """Implement `StructuredBuilder.leave_loop`."""
        self._leave(self._loops[-1])

    def leave_rule(self) -> None:
        """Implement `StructuredBuilder.leave_rule`."""
        self._leave(self.activation.exit)

    def _leave(self, block: int) -> None:
        """Jump out of the current code.  Code that follows is unreachable, but needs a block."""
        self.jump(block)
        self.start(self.reserve())


Builder = StructuredBuilder | CoroutineBuilder

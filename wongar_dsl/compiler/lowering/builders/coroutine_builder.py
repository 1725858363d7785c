"""Lowering of rules with decisions to state machines: blocks end at decisions, and all variables live in the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Cell, CodeBuffer, Do, Iteration, StructuredBuilder, emit_if_constant
from wongar_dsl.compiler.lowering.builders.program_builder import ProgramBuilder
from wongar_dsl.compiler.lowering.builders.state_layout import StateLayout
from wongar_dsl.compiler.lowering.context import ONE, ZERO, ActivationRecord, Lowering
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local


@dataclass(slots=True)
class CoroutineBuilder:
    """Builder for blocks and jumps, with values in cells of the state."""

    immediate: StructuredBuilder
    memory: StateLayout
    program: ProgramBuilder
    activation: ActivationRecord
    current: int = -1
    _loops: list[int] = field(default_factory=list)

    @property
    def code(self) -> CodeBuffer:
        """Implement `Builder.code`."""
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
        """Implement `Builder.local`."""
        cell = self.cell()
        self.code.add(ir.Store(cell.address, value))
        return cell

    def once(self, value: ir.Expr) -> ir.Expr:
        """Implement `Builder.once`."""
        return value if isinstance(value, ir.Const) else self.local(value)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Implement `Builder.scope`: cells are cleared at the end, so that equal positions are equal states."""
        before = len(self.activation.cells)
        yield
        self.clear(self.activation.cells[before:])

    def clear(self, cells: Iterable[int]) -> None:
        """Write 0 into cells."""
        self.code.add(*(ir.Store(ir.Const(address), ZERO) for address in cells))

    # ---- control flow ----

    def when(self, test: ir.Expr, then: Do, otherwise: Do | None = None) -> None:
        """Implement `Builder.when`."""
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
        """Implement `Builder.one_of`."""
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
        """Implement `Builder.for_each`."""
        with self.scope():
            step = self.local(ZERO)
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
            self.code.add(ir.Store(step.address, ir.Bin("+", step, ONE)))
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
            self._branch(ir.Bin(">", ir.Bin("min", remaining, copies), ZERO), inside, after)
            self.start(inside)
            self.code.add(ir.Store(remaining.address, ir.Bin("-", remaining, ONE)))
            body()
            self.jump(head)
            self.start(after)

    def loop(self, body: Do, until: Callable[[], ir.Expr] | None) -> None:
        """Implement `Builder.loop`."""
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
        """Implement `Builder.leave_loop`."""
        self._leave(self._loops[-1])

    def leave_rule(self) -> None:
        """Implement `Builder.leave_rule`."""
        self._leave(self.activation.exit)

    def _leave(self, block: int) -> None:
        """Jump out of the current code.  Code that follows is unreachable, but needs a block."""
        self.jump(block)
        self.start(self.reserve())


# ---- rules ---------------------------------------------------------------------------------------------------------


def flow_of(ctx: Lowering) -> CoroutineBuilder:
    """Return the current builder, which must be a suspending one."""
    assert isinstance(ctx.flow, CoroutineBuilder)
    return ctx.flow


@contextmanager
def suspending(ctx: Lowering, activation: ActivationRecord) -> Iterator[CoroutineBuilder]:
    """Write the blocks of a rule with decisions, from its entry."""
    outer, immediate = ctx.flow, StructuredBuilder(CodeBuffer(activation.rule))
    ctx.flow = flow = CoroutineBuilder(immediate, ctx.memory, ctx.program, activation)
    flow.start(activation.entry)
    yield flow
    ctx.flow = outer


def call(ctx: Lowering, article: s.Procedure, values: tuple[ir.Expr, ...]) -> None:
    """Call a rule with decisions and continue after its return."""
    flow = flow_of(ctx)
    callee = _activation(ctx, article)
    after = flow.reserve()
    for address, value in zip(callee.parameters, values, strict=True):
        flow.code.add(ir.Store(ir.Const(address), value))
    ctx.program.resumed.add(after)
    flow.code.add(ir.Store(ir.Const(callee.back), ir.Const(after)))
    flow.jump(callee.entry)
    flow.start(after)


def _activation(ctx: Lowering, article: s.Procedure) -> ActivationRecord:
    """Return the activation record of a rule, which is lowered at its first call; rules are not recursive."""
    if article in ctx.activations:
        return ctx.activations[article]
    locals_ = ctx.model.parameters[article]
    parameters = tuple(ctx.memory.cell() for _ in locals_)
    entry = ctx.program.blocks.reserve()
    record = ActivationRecord(article.name.text, entry, parameters, ctx.memory.cell(), ctx.program.blocks.reserve())
    ctx.activations[article] = record
    with suspending(ctx, record) as flow, ctx.in_declaration(article), ctx.in_counted_loop(None):
        for local, address in zip(locals_, parameters, strict=True):
            flow.code.names[local] = ir.Load(ir.Const(address))
        ctx.block(article.body)
        flow.continue_in(record.exit)
        # Cells are cleared for every exit from the rule.
        flow.clear((*parameters, *record.cells))
        flow.finish(ir.Resume(record.back))
    return record

"""Lowering of simultaneous decisions: all choices are collected per seat, then carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.builder import Iteration
from wongar_dsl.compiler.ir.constant_folding import plus
from wongar_dsl.compiler.lowering.builders.coroutine_builder import flow_of
from wongar_dsl.compiler.lowering.context import NONE, ONE, ZERO, Dispatch, Lowering
from wongar_dsl.compiler.lowering.decisions import (
    clock_of,
    enter_option,
    is_always_offered,
    lister_of,
    scope_of,
    shown_time,
)
from wongar_dsl.compiler.lowering.domains import each
from wongar_dsl.language import ast as s


@dataclass(frozen=True, slots=True)
class _AnswerRows:
    """One row per seat: chosen option from 1, duration, arguments."""

    base: int
    width: int

    def of(self, player: ir.Expr) -> ir.Expr:
        """Return the address of a player's row."""
        return plus(ir.Const(self.base), ir.Bin("*", player, ir.Const(self.width)))


def choose_simultaneously(ctx: Lowering, node: s.ChooseSimultaneously) -> None:
    """Lower `each p in player chooses name at once`."""
    flow = flow_of(ctx)
    with flow.scope():
        number = ctx.program.decisions.reserve()
        width = 2 + max((len(c.parameters) for c in node.options), default=0)
        first, *_ = (flow.cell() for _ in range(ctx.seats * width))
        assert isinstance(first.address, ir.Const)
        rows = _AnswerRows(first.address.value, width)
        order = _order(ctx, node)
        each(ctx, node.variable, node.domain, lambda _: _ask(ctx, node, number, rows))
        _carry_out(ctx, node, rows, order)


def _order(ctx: Lowering, node: s.ChooseSimultaneously) -> Callable[[], Iteration]:
    """Return a function for the order of the players.

    The order is computed before the choices are carried out if these could change it.
    """
    domain = replace(node.domain, where=None, extreme=None, measure=None)

    def values() -> Iteration:
        return ctx.domain(domain, ctx.model.locals[node.variable])

    bodies = tuple(statement for choice in node.options for statement in choice.body)
    if not ctx.effects.reads(domain).intersects(ctx.effects.writes(bodies)):
        return values
    before = values()
    return lambda: before


def _ask(ctx: Lowering, node: s.ChooseSimultaneously, number: int, rows: _AnswerRows) -> None:
    """Write the decision of one seat, which stores its choice in its row."""
    flow = flow_of(ctx)
    player = flow.code.names[ctx.model.locals[node.variable]]
    assert isinstance(player, ir.Load)
    assert isinstance(player.address, ir.Const)
    ctx.program.simultaneous_cells.append((number, rows.base, rows.width, player.address.value))
    after = flow.reserve()
    flow.finish(ir.Decide(number, player, -1 if is_always_offered(node.options) else after))
    options: list[ir.OptionSpec] = []
    scope = scope_of(ctx)
    lister = lister_of(ctx, node.options)
    clock = clock_of(ctx, node.clock)
    row = rows.of(player)
    for i, choice in enumerate(node.options):
        with flow.scope():
            cells = enter_option(ctx, choice, options)
            flow.code.add(ir.Store(row, ir.Const(i + 1)))
            flow.code.add(ir.Store(plus(row, ONE), shown_time(ctx, node.clock)))
            for j, cell in enumerate(cells):
                flow.code.add(ir.Store(plus(row, ir.Const(j + 2)), cell))
        flow.code.add(ir.Store(ir.Const(ir.AT_TIME), ZERO))
        flow.jump(after)
    name = ctx.model.decision_names[node]
    spec = ir.DecisionSpec(name, tuple(options), lister, True, flow.code.rule, clock, scope)
    ctx.program.decisions.fill(number, spec)
    flow.start(after)


def _carry_out(ctx: Lowering, node: s.ChooseSimultaneously, rows: _AnswerRows, order: Callable[[], Iteration]) -> None:
    """Write the loop that carries out the choices in order, or the quickest first."""
    flow = flow_of(ctx)
    with flow.scope():
        player = flow.cell()
        head, body, after = flow.reserve(), flow.reserve(), flow.reserve()
        flow.continue_in(head)
        flow.code.add(ir.Store(player.address, _next(ctx, node, rows, order)))
        flow.finish(ir.Branch(ir.Bin(">=", player, ZERO), body, after))
        flow.start(body)
        flow.code.names[ctx.model.locals[node.variable]] = player
        row = rows.of(player)
        flow.code.add(ir.Store(ir.Const(ir.AT_TIME), ir.Load(plus(row, ONE))))
        for i, choice in enumerate(node.options):
            then, next_test = flow.reserve(), flow.reserve()
            flow.finish(ir.Branch(ir.Bin("==", ir.Load(row), ir.Const(i + 1)), then, next_test))
            flow.start(then)
            with flow.scope():
                for j, offered in enumerate(choice.parameters):
                    cell = flow.local(ir.Load(plus(row, ir.Const(j + 2))))
                    flow.code.names[ctx.model.locals[offered.name]] = cell
                flow.code.add(*(ir.Store(plus(row, ir.Const(j)), ZERO) for j in range(rows.width)))
                with ctx.in_counted_loop(None):
                    ctx.block(choice.body)
            flow.jump(head)
            flow.start(next_test)
        flow.jump(head)
        flow.start(after)


def _next(ctx: Lowering, node: s.ChooseSimultaneously, rows: _AnswerRows, order: Callable[[], Iteration]) -> ir.Var:
    """Return the player whose choice is carried out next, -1 if none remains."""
    with ctx.immediate() as code:
        pick, best = code.variable(NONE), code.variable(ZERO)

        def compare(x: ir.Expr) -> None:
            row = rows.of(x)
            time = ir.Load(plus(row, ONE))
            better: ir.Expr = ir.Bin("<", pick, ZERO)
            if node.clock is not None:
                better = ir.Bin("or", better, ir.Bin("<", time, best))
            take = (ir.SetVar(pick.number, x), ir.SetVar(best.number, time))
            code.add(ir.If(ir.Bin("and", ir.Bin(">", ir.Load(row), ZERO), better), take, ()))

        ctx.flow.for_each(order(), ctx.model.locals[node.variable], compare)
    return pick


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.ChooseSimultaneously: choose_simultaneously,
    },
)

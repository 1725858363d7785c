"""Lowering of control flow, names and calls, for both builders."""

from __future__ import annotations

from functools import partial

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering import decisions, effects, expressions
from wongar_dsl.compiler.lowering.context import NODES, Lowering
from wongar_dsl.compiler.lowering.domains import each_copy
from wongar_dsl.compiler.lowering.expressions import attribute_of, is_face_kind
from wongar_dsl.compiler.lowering.flow import Cell, Iteration
from wongar_dsl.language import ast as s


@NODES(s.If)
def if_(ctx: Lowering, node: s.If) -> None:
    """Lower `if c ... otherwise if d ... otherwise ...`."""

    def branch(number: int) -> None:
        if number == len(node.branches):
            ctx.block(node.otherwise)
            return
        test, body = node.branches[number]
        last = number + 1 == len(node.branches) and not node.otherwise
        ctx.flow.when(ctx.condition(test), lambda: ctx.block(body), None if last else lambda: branch(number + 1))

    with ctx.in_counted_loop(decisions.under_conditions(ctx, [test for test, _ in node.branches])):
        branch(0)


@NODES(s.Repeat)
def repeat(ctx: Lowering, node: s.Repeat) -> None:
    """Lower `repeat n times`, `while c`, `until c` and endless loops."""
    with ctx.flow.scope():
        subject = node.subject
        if subject is None:
            with ctx.in_counted_loop(None):
                ctx.flow.loop(lambda: ctx.block(node.body), None)
        elif node.kind == "times":
            count = ctx.flow.once(ctx.value(subject))

            def run_body(step: Cell) -> None:
                with ctx.in_counted_loop(decisions.counted_loop(step, count)):
                    ctx.block(node.body)

            ctx.flow.for_each(Iteration(count), None, run_body)
        else:
            holds = node.kind == "until"
            with ctx.in_counted_loop(None):
                ctx.flow.loop(
                    lambda: ctx.block(node.body), lambda: ctx.value(subject) if holds else ir.Not(ctx.value(subject))
                )


@NODES(s.ForEach)
def for_each(ctx: Lowering, node: s.ForEach) -> None:
    """Lower `for each x in domain`."""
    with ctx.in_counted_loop(decisions.per_player(ctx, node)):
        each_copy(ctx, node.variable, node.domain, lambda _: ctx.block(node.body))


@NODES(s.Let)
def let(ctx: Lowering, node: s.Let) -> None:
    """Lower `let x = e`."""
    ctx.code.names[ctx.model.locals[node.variable]] = ctx.flow.local(ctx.bounded(node.value))


@NODES(s.KeywordStatement)
def keyword_statement(ctx: Lowering, node: s.KeywordStatement) -> None:
    """Lower a statement that consists of keywords."""
    match node.word:
        case "leave loop":
            ctx.flow.leave_loop()
        case "end rule":
            expressions.end_rule(ctx)
        case "end game":
            effects.end_game(ctx)
        case "forget choices":
            decisions.reset_cycles(ctx)
        case "impossible":
            ctx.code.add(ir.Fault(ctx.fault("R0604", node)))


@NODES(s.Give)
def give(ctx: Lowering, node: s.Give) -> None:
    """Lower `give e`."""
    ctx.code.add(ir.Return(ctx.bounded(node.value)))


# ---- rules and cards -----------------------------------------------------------------------------------------------


@NODES(s.Call)
def call(ctx: Lowering, node: s.Call) -> None:
    """Lower a call of a rule."""
    assert isinstance(node.call, s.Called)
    article = ctx.model.code.called(ctx.model.refs[node.call].kind, node.call.name)
    run(ctx, article, tuple(ctx.bounded(a) for a in node.call.arguments))


@NODES(s.Perform)
def perform(ctx: Lowering, node: s.Perform) -> None:
    """Lower `perform card for p at place`: the effect of the card's kind."""
    with ctx.flow.scope():
        cards = ctx.type_of(node.card).name
        arguments = [e for e in (node.player, node.place) if e is not None]
        card, *values = [ctx.flow.once(ctx.value(e)) for e in (node.card, *arguments)]

        def case(effect: s.Effect) -> None:
            run(ctx, effect, (*_parameters(ctx, cards, effect, card), *values))

        ctx.flow.one_of(
            (is_face_kind(ctx, "==", cards, card, effect.name.text), partial(case, effect))
            for effect in ctx.model.code.effects[cards]
        )


def _parameters(ctx: Lowering, cards: str, effect: s.Effect, card: ir.Expr) -> list[ir.Expr]:
    """Return the parameters of a card, as arguments of its effect."""
    parameters = ctx.model.cards[cards].kinds[effect.name.text]
    return [attribute_of(ctx, cards, name, card) for name, _ in parameters]


def run(ctx: Lowering, article: s.Declaration, values: tuple[ir.Expr, ...]) -> None:
    """Call a rule as a statement."""
    if isinstance(article, s.Procedure) and article in ctx.calls.suspending:
        ctx.call_suspending(article, values)
    else:
        ctx.code.add(ir.Call(expressions.procedure_number(ctx, article), values, None))

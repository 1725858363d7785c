"""Lowering of rules, definitions and effects to procedures on first use.

Short definitions are inlined as expressions instead.
"""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.cfg import weight
from wongar_dsl.compiler.lowering.context import NONE, Dispatch, Lowering
from wongar_dsl.language import ast as s

#: Maximum size of an inlined expression, in nodes.
MAX_INLINE_PARTS = 24
#: Result types that have a value other than none by default.
_TYPES_WITHOUT_NONE = frozenset({"number", "yes or no"})


def number(ctx: Lowering, article: s.Declaration) -> int:
    """Return the procedure number of a declaration without decisions."""
    if article not in ctx.procedures:
        reserved = ctx.procedures[article] = ctx.program.procedures.reserve()
        name = "winner" if isinstance(article, s.Winner) else article.name.text
        parameters = ctx.model.parameters.get(article, ())
        with ctx.new_procedure(name) as code, ctx.in_declaration(article):
            for parameter in parameters:
                code.names[parameter] = code.fresh()
            ctx.mark(article)
            ctx.dispatch.articles[type(article)](ctx, article)
        ctx.program.procedures.fill(reserved, ir.Procedure(name, len(parameters), tuple(code.out)))
    return ctx.procedures[article]


def inline_definition(ctx: Lowering, article: s.Declaration, values: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """Return the value of a short definition as an inline expression, or None.

    The expression must not need code before it.  Inlining allows constant folding and saves a call.
    """
    if not isinstance(article, s.Define) or article in ctx.never_inline:
        return None
    # While it is being lowered it is not inlined into itself.
    ctx.never_inline.add(article)
    outer, arguments = ctx.code, tuple(ctx.code.once(v) if not isinstance(v, ir.Load) else v for v in values)
    with ctx.new_procedure(outer.rule, outer) as code, ctx.in_declaration(article), ctx.as_query():
        code.variables, code.known = outer.variables, outer.known
        code.names.update(zip(ctx.model.parameters.get(article, ()), arguments, strict=True))
        value = ctx.bounded(article.value)
    if any(not isinstance(statement, ir.CoverageMark) for statement in code.out) or weight(value) > MAX_INLINE_PARTS:
        return None
    ctx.never_inline.discard(article)
    ctx.mark(article)
    ctx.code.add(*code.out)
    return value


def define(ctx: Lowering, article: s.Define) -> None:
    """Lower a definition."""
    ctx.code.add(ir.Return(ctx.bounded(article.value)))


def body(ctx: Lowering, article: s.Procedure) -> None:
    """Lower the body of a rule, effect, setup or play; the default result of a rule is none."""
    ctx.block(article.body)
    if _returns_none_by_default(article) and not isinstance(article.body[-1], s.Give):
        ctx.code.add(ir.Return(NONE))


def end_rule(ctx: Lowering) -> None:
    """Lower `end rule`; a rule with a result returns its default: none, 0 or no."""
    if _returns_none_by_default(ctx.article):
        ctx.code.add(ir.Return(NONE))
    else:
        ctx.flow.leave_rule()


def _returns_none_by_default(article: s.Declaration | None) -> bool:
    return isinstance(article, s.Rule) and article.gives is not None and article.gives.name not in _TYPES_WITHOUT_NONE


#: Lowering functions of this module.
LOWERED = Dispatch(
    articles={
        s.Define: define,
        s.Setup: body,
        s.Play: body,
        s.Rule: body,
        s.Effect: body,
    },
)

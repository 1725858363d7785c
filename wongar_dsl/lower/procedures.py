"""Lowering of rules, definitions and effects to procedures on first use.

Short definitions are inlined as expressions instead.
"""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.control_flow import weight
from wongar_dsl.lower.context import NONE, Dispatch, Lowering

#: Maximum size of an inlined expression, in nodes.
SHORT = 24
#: Result types that have a value other than none by default.
_NEVER_NOBODY = frozenset({"number", "yes or no"})


def number(to: Lowering, article: s.Article) -> int:
    """Return the procedure number of a declaration without decisions."""
    if article not in to.procedures:
        reserved = to.procedures[article] = to.pool.procedures.reserve()
        name = "winner" if isinstance(article, s.Winner) else article.name.text
        parameters = to.model.parameters.get(article, ())
        with to.apart(name) as code, to.about(article):
            for parameter in parameters:
                code.names[parameter] = code.fresh()
            to.mark(article)
            to.dispatch.articles[type(article)](to, article)
        to.pool.procedures.fill(reserved, ir.Procedure(name, len(parameters), tuple(code.out)))
    return to.procedures[article]


def in_place(to: Lowering, article: s.Article, values: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """Return the value of a short definition as an inline expression, or None.

    The expression must not need code before it.  Inlining allows constant folding and saves a call.
    """
    if not isinstance(article, s.Define) or article in to.apart_only:
        return None
    # While it is being lowered it is not inlined into itself.
    to.apart_only.add(article)
    around, arguments = to.code, tuple(to.code.once(v) if not isinstance(v, ir.Load) else v for v in values)
    with to.apart(around.rule, around) as code, to.about(article), to.asked():
        code.variables, code.known = around.variables, around.known
        code.names.update(zip(to.model.parameters.get(article, ()), arguments, strict=True))
        value = to.bounded(article.value)
    if any(not isinstance(statement, ir.Mark) for statement in code.out) or weight(value) > SHORT:
        return None
    to.apart_only.discard(article)
    to.mark(article)
    to.code.add(*code.out)
    return value


def define(to: Lowering, article: s.Define) -> None:
    """Lower a definition."""
    to.code.add(ir.Return(to.bounded(article.value)))


def body(to: Lowering, article: s.Procedure) -> None:
    """Lower the body of a rule, effect, setup or play; the default result of a rule is none."""
    to.block(article.body)
    if _may_give_nobody(article) and not isinstance(article.body[-1], s.Give):
        to.code.add(ir.Return(NONE))


def leave(to: Lowering) -> None:
    """Lower `end rule`; a rule with a result returns its default: none, 0 or no."""
    if _may_give_nobody(to.article):
        to.code.add(ir.Return(NONE))
    else:
        to.flow.leave_rule()


def _may_give_nobody(article: s.Article | None) -> bool:
    return isinstance(article, s.Rule) and article.gives is not None and article.gives.name not in _NEVER_NOBODY


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

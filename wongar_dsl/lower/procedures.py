"""Rules, definitions and effects: each is one procedure, lowered at its first use; short definitions are none, but
expressions where they are used."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.control_flow import weight
from wongar_dsl.lower.context import NONE, Dispatch, Lowering

#: Expressions of so many parts, at most, stand where they are used.
SHORT = 24
#: Of these types there is always a value.
_NEVER_NOBODY = frozenset({"number", "yes or no"})


def number(to: Lowering, article: s.Article) -> int:
    """The number of the procedure of an article in which nobody decides."""
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
    """The value of a definition as an expression, where that is short and nothing has to be done first; else None.

    What stands in place can be known before play, and costs no call.
    """
    if not isinstance(article, s.Define) or article in to.apart_only:
        return None
    # A definition that comes to itself is none of these.
    to.apart_only.add(article)
    around, given = to.code, tuple(to.code.once(v) if not isinstance(v, ir.Load) else v for v in values)
    with to.apart(around.rule, around) as code, to.about(article), to.asked():
        code.variables, code.known = around.variables, around.known
        code.names.update(zip(to.model.parameters.get(article, ()), given, strict=True))
        value = to.bounded(article.value)
    if any(not isinstance(statement, ir.Mark) for statement in code.out) or weight(value) > SHORT:
        return None
    to.apart_only.discard(article)
    to.mark(article)
    to.code.add(*code.out)
    return value


def define(to: Lowering, article: s.Define) -> None:
    """The value of a definition."""
    to.code.add(ir.Return(to.bounded(article.value)))


def body(to: Lowering, article: s.Procedure) -> None:
    """What a rule, an effect, the setup or the play does; a rule that comes to its end without a value gives nobody."""
    to.block(article.body)
    if _may_give_nobody(article) and not isinstance(article.body[-1], s.Give):
        to.code.add(ir.Return(NONE))


def leave(to: Lowering) -> None:
    """`end rule`: a rule that should give a value gives nobody, 0 or no."""
    if _may_give_nobody(to.article):
        to.code.add(ir.Return(NONE))
    else:
        to.flow.leave_rule()


def _may_give_nobody(article: s.Article | None) -> bool:
    return isinstance(article, s.Rule) and article.gives is not None and article.gives.name not in _NEVER_NOBODY


#: What is lowered here.
LOWERED = Dispatch(
    articles={
        s.Define: define,
        s.Setup: body,
        s.Play: body,
        s.Rule: body,
        s.Effect: body,
    },
)

"""Purity check: conditions, domains, definitions, clocks and message arguments must have no side effects.

They are evaluated repeatedly: for every menu, for bots, and to explain illegal moves. They must not change the game,
draw random numbers, emit messages or end the game, directly or through rules that they call.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.base.diagnostics import Label
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.checker.context import CheckContext

#: Keyword statements with an effect that outlasts their rule.
_LASTING: frozenset[s.KeywordPhrase] = frozenset({"end game", "forget choices"})


def check_purity(context: CheckContext) -> None:
    """Report the first side effect of each query, once, with the first place that evaluates it."""
    changes: dict[s.Rule, s.Node | None] = {}
    reported: set[s.Node] = set()
    for article in context.model.articles.values():
        for query in _queries(article):
            for node in walk(query):
                change = _change_of(context, node, changes)
                if change is not None and change not in reported:
                    reported.add(change)
                    labels = () if change is node else (Label(node.span, "asked"),)
                    context.report("R0420", change, labels)


def _queries(article: s.Declaration) -> Iterator[object]:
    """Yield all parts of an article that must be pure."""
    for node in walk(article):
        match node:
            case s.If(branches=branches):
                yield from (test for test, _ in branches)
            case s.Repeat(subject=s.ExpressionNode() as query):
                yield query
            case s.Domain() | s.Define() | s.Winner() | s.Clock() | s.MessageRef():
                yield node
            case s.Option(condition=s.ExpressionNode() as query) | s.Conditional(condition=query):
                yield query
            case s.Quantified(value=s.ExpressionNode() as query):
                yield query


def _change_of(context: CheckContext, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the first side effect of evaluating a node: a random draw, or one in a rule that it calls."""
    if isinstance(node, s.Quantified) and node.kind == "random":
        return node
    rule = _called_rule(context, node)
    # Using a rule without a result as a value is reported elsewhere.
    return _change_in(context, rule, known) if rule is not None and rule.gives is not None else None


def _change_in(context: CheckContext, rule: s.Rule, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the first side effect of a rule, its own or one of the rules that it calls."""
    if rule not in known:
        known[rule] = None  # recursion is reported elsewhere
        known[rule] = next((change for node in walk(rule.body) if (change := _side_effect(context, node, known))), None)
    return known[rule]


def _side_effect(context: CheckContext, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """Return the side effect of a node in the body of a rule."""
    lasting = isinstance(node, s.Statement) and (
        node.lasting or (isinstance(node, s.KeywordStatement) and node.word in _LASTING)
    )
    if lasting or (isinstance(node, s.Assign) and _outside(context, node)):
        return node
    rule = _called_rule(context, node)
    return _change_in(context, rule, known) if rule is not None else _change_of(context, node, known)


def _called_rule(context: CheckContext, node: s.Node) -> s.Rule | None:
    ref = context.model.refs.get(node)
    rule = context.model.article(s.Rule, ref.name) if ref is not None and ref.kind == "rule" else None
    return rule if isinstance(rule, s.Rule) else None


def _outside(context: CheckContext, node: s.Assign) -> bool:
    """Return whether an assignment changes something that outlives its rule."""
    ref = context.model.refs.get(node.target)
    return ref is not None and ref.kind != "local"

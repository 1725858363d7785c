"""Whatever is only asked changes nothing: conditions, domains, definitions, clocks, and the arguments of messages.

They are asked again and again: for every menu, for every bot, to say why a move cannot be made.  So nothing in them may
change the game, draw chance, tell something or end the game, through every rule that they call.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Context
from wongar_dsl.syntax import walk
from wongar_dsl.text.diagnostics import Label

#: The statements of set words that outlast the rule that they stand in.
_LASTING: frozenset[s.SimpleWord] = frozenset({"end game", "forget choices"})


def check_purity(context: Context) -> None:
    """Report for each question the first change that it would make, once, with the first place that asks."""
    known: dict[s.Rule, s.Node | None] = {}
    reported: set[s.Node] = set()
    for article in context.model.articles.values():
        for question in _questions(article):
            for node in walk(question):
                change = _change_of(context, node, known)
                if change is not None and change not in reported:
                    reported.add(change)
                    labels = () if change is node else (Label(node.span, "asked"),)
                    context.report("R0420", change, labels)


def _questions(article: s.Article) -> Iterator[object]:
    """All that is only asked in an article."""
    for node in walk(article):
        match node:
            case s.If(branches=branches):
                yield from (test for test, _ in branches)
            case s.Repeat(subject=s.ExpressionNode() as asked):
                yield asked
            case s.Domain() | s.Define() | s.Winner() | s.Clock() | s.MessageRef():
                yield node
            case s.Choice(condition=s.ExpressionNode() as asked) | s.Either(condition=asked):
                yield asked
            case s.Quantified(value=s.ExpressionNode() as asked):
                yield asked


def _change_of(context: Context, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """The first thing that a node changes: it draws chance itself, or calls a rule that changes something."""
    if isinstance(node, s.Quantified) and node.kind == "random":
        return node
    rule = _called(context, node)
    # A rule that gives nothing is no value: that is reported elsewhere.
    return _change_in(context, rule, known) if rule is not None and rule.gives is not None else None


def _change_in(context: Context, rule: s.Rule, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """The first change that a rule makes, by itself or through the rules that it calls."""
    if rule not in known:
        known[rule] = None  # A ring of calls is reported elsewhere.
        known[rule] = next((change for node in walk(rule.body) if (change := _made(context, node, known))), None)
    return known[rule]


def _made(context: Context, node: s.Node, known: dict[s.Rule, s.Node | None]) -> s.Node | None:
    """What a node of a rule's body changes."""
    lasting = isinstance(node, s.Statement) and (node.lasting or (isinstance(node, s.Simple) and node.word in _LASTING))
    if lasting or (isinstance(node, s.Assign) and _outside(context, node)):
        return node
    rule = _called(context, node)
    return _change_in(context, rule, known) if rule is not None else _change_of(context, node, known)


def _called(context: Context, node: s.Node) -> s.Rule | None:
    ref = context.model.refs.get(node)
    rule = context.model.article(s.Rule, ref.name) if ref is not None and ref.kind == "rule" else None
    return rule if isinstance(rule, s.Rule) else None


def _outside(context: Context, node: s.Assign) -> bool:
    """Whether a statement sets something that outlives its rule."""
    ref = context.model.refs.get(node.target)
    return ref is not None and ref.kind != "local"

"""Size limits: state size, call depth, nesting depth, and expanded size of rules."""

from __future__ import annotations

from math import prod

from wongar_dsl.compiler.ir.containers import zone_facts
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import field_names, walk
from wongar_dsl.language.ast.node import Node
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.checker.expressions import MAX_CALLS
from wongar_dsl.language.checker.references import each_type
from wongar_dsl.language.dataflow.call_graph import CallGraph
from wongar_dsl.language.semantics import NUMBER, UNKNOWN, Type

#: Maximum size of a game state, in numbers.
MAX_STATE = 100_000
#: Maximum nesting depth of expressions and statements, with definitions expanded.
MAX_NESTED = 100
#: Maximum number of nodes in a rule, with definitions expanded.
MAX_WRITTEN_OUT = 20_000


def check_sizes(context: CheckContext, calls: CallGraph) -> None:
    """Report rules that exceed a size limit.

    Checks that depend on an acyclic call graph are skipped after an error in it.
    """
    _state(context)
    if not any(d.code == "R0408" for d in context.diagnostics):
        _nested(context, calls)
        if not any(d.code == "R0104" for d in context.diagnostics):
            _call_depths(context, calls)
        _expanded_sizes(context, calls)


def _state(context: CheckContext) -> None:
    total = 0
    places: list[s.Zone | s.Remember] = [*context.model.all_of(s.Zone), *context.model.all_of(s.Remember)]
    for article in places:
        cells = _cells(context, article)
        total += cells
        if total > MAX_STATE:
            context.report("R0414", article.name, what=article.name.text, found=max(cells, total), limit=MAX_STATE)
            return


def _cells(context: CheckContext, article: s.Zone | s.Remember) -> int:
    """Return the number of numbers that a zone or a remembered value takes in a game state."""
    copies = prod(_size(context, each_type(context, word)) for word in article.each)
    if isinstance(article, s.Remember):
        return copies
    held = context.zone_content(article)
    capacity = article.capacity
    if capacity is None:
        decks = [d for d in context.model.all_of(s.Deck) if d.cards.text == held.name]
        capacity = sum(c.count for d in decks for c in d.copies) * copies
    return copies * zone_facts(article.kind).width(_size(context, held), capacity)


def _size(context: CheckContext, value_type: Type) -> int:
    """Return the maximum number of values of a type; 1 for a wrong one."""
    if value_type in (UNKNOWN, NUMBER) or (value_type.kind == "cards" and value_type.name not in context.model.cards):
        return 1
    return context.model.size(value_type, context.model.players[1])


# ---- call graph, if it is acyclic ------------------------------------------------------------------------------------


def _call_depths(context: CheckContext, calls: CallGraph) -> None:
    depths: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        depths[article] = 1 + max((depths[called] for called in calls.callees_of(article)), default=0)
        if depths[article] == MAX_CALLS + 1:
            context.report("R0104", article.name, limit=MAX_CALLS)


def _nested(context: CheckContext, calls: CallGraph) -> None:
    """Report the first articles nested too deeply; the parser limits the depth of a single line."""
    depths: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        inside = max(
            (depths[called] for called in calls.callees_of(article) if isinstance(called, s.Define)), default=0
        )
        depths[article] = _depth(article) + inside if inside or isinstance(article, s.Define) else 0
        if inside and depths[article] > MAX_NESTED >= inside:
            context.report("R0104", article.name, limit=MAX_NESTED)


def _depth(part: object) -> int:
    if isinstance(part, tuple):
        return max(map(_depth, part), default=0)
    if not isinstance(part, Node):
        return 0
    return 1 + max((_depth(getattr(part, name)) for name in field_names(type(part))), default=0)


def _expanded_sizes(context: CheckContext, calls: CallGraph) -> None:
    weights: dict[s.Declaration, int] = {}
    for article in calls.callees_first():
        inside = [called for called in calls.callees_of(article) if isinstance(called, s.Define)]
        weights[article] = min(
            sum(1 for _ in walk(article)) + sum(weights.get(called, 0) for called in inside), MAX_WRITTEN_OUT * 1000
        )
        if weights[article] > MAX_WRITTEN_OUT >= max((weights.get(called, 0) for called in inside), default=0):
            context.report("R0414", article.name, what=article.name.text, found=weights[article], limit=MAX_WRITTEN_OUT)

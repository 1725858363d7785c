"""Checks of the game as a whole: recursion, endless loops, choices without options, unused declarations."""

from __future__ import annotations

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.dataflow.call_graph import CallGraph
from wongar_dsl.language.dataflow.conditions import contradicts, normal
from wongar_dsl.language.dataflow.effects import Effects, ends_block


def check_whole_game(context: CheckContext, calls: CallGraph) -> None:
    """Report recursion, endless loops, choices without options, and missing or unused articles."""
    effects = Effects(context.model, calls)
    _recursion(context, calls)
    _misplaced_decisions(context, calls)
    for article in context.model.articles.values():
        for node in walk(article):
            if isinstance(node, s.Repeat):
                _endless_loop(context, effects, node)
            elif isinstance(node, s.Choose) and node.otherwise is None:
                _empty_choice(context, node.name or node, context.model.decision_names.get(node, ""), node.options)
        if isinstance(article, s.Procedure):
            _dead_code(context, effects, article)
    _missing_articles(context)
    _silent_game(context)
    _citations(context)
    _unused(context)


# ---- calls ---------------------------------------------------------------------------------------------------------


def _recursion(context: CheckContext, calls: CallGraph) -> None:
    """Report recursive rules: their activation records would have no fixed address."""
    for cycle, span in calls.cycles():
        context.report("R0408", span, names=tuple(a.name.text for a in cycle))


def _misplaced_decisions(context: CheckContext, calls: CallGraph) -> None:
    """Report decisions where play cannot pause: in rules with a result, and in loops over `reached`."""
    for article in calls.suspending:
        if isinstance(article, s.Define) or (isinstance(article, s.Rule) and article.gives is not None):
            context.report("R0413", article.name, name=article.name.text)
    for loop in context.uninterruptible_loops:
        if calls.suspends(loop.body):
            context.report("R0413", loop.variable, name=loop.variable.text)


# ---- branches that can never run ------------------------------------------------------------------------------------


def _dead_code(context: CheckContext, effects: Effects, article: s.Procedure) -> None:
    """Report branches that can never run, because an earlier branch or exit from the rule excludes them."""
    for block in s.all_blocks(article.body):
        for number, statement in enumerate(block):
            match statement:
                case s.If(branches=((condition, body),), otherwise=()) if body and ends_block(body[-1]):
                    if _is_stable(context, effects, condition):
                        _repeated_condition(context, effects, condition, block[number + 1 :])
                case s.If(branches=(_, _, *_)):
                    _report_dead_branch(context, effects, statement)


def _is_stable(context: CheckContext, effects: Effects, condition: s.Expression) -> bool:
    """Return whether a condition has the same value as long as nothing changes what it reads."""
    refs = (context.model.refs.get(node) for node in walk(condition))
    return not effects.draws_chance(condition) and all(ref is None or ref.kind != "time" for ref in refs)


def _report_dead_branch(context: CheckContext, effects: Effects, statement: s.If, *false: s.Expression) -> bool:
    """Report the first branch that does something but cannot run, given that the conditions `false` do not hold."""
    excluded = list(false)
    always = False
    for test, body in (*statement.branches, (s.Truth(statement.span, True), statement.otherwise)):
        dead = always or contradicts(normal(test), excluded)
        if dead and any(not isinstance(done, s.KeywordStatement) or done.word != "nothing" for done in body):
            context.report("R0410", body[0])
            return True
        always = always or contradicts(normal(test, negated=True), excluded)
        if _is_stable(context, effects, test):
            excluded.append(normal(test))
    return False


def _repeated_condition(context: CheckContext, effects: Effects, condition: s.Expression, block: s.Block) -> None:
    """Report the first branch in a block that a false condition excludes; stop where what it reads may change."""
    for statement in block:
        if isinstance(statement, s.If) and _report_dead_branch(context, effects, statement, normal(condition)):
            return
        if effects.writes(statement).intersects(effects.reads(condition)):
            return


# ---- loops ---------------------------------------------------------------------------------------------------------


def _endless_loop(context: CheckContext, effects: Effects, loop: s.Repeat) -> None:
    """Report a loop that nothing can end."""
    if loop.kind == "times" or effects.can_end_loop(loop.body):
        return
    if loop.subject is not None and (
        effects.reads(loop.subject).intersects(effects.writes(loop.body)) or effects.draws_chance(loop.subject)
    ):
        return
    context.report("R0407", loop)


# ---- choices -------------------------------------------------------------------------------------------------------


def _empty_choice(context: CheckContext, place: s.Node, name: str, choices: tuple[s.Option, ...]) -> None:
    """Report a choice that may have no option."""
    for choice in choices:
        if choice.condition is None and all(_never_empty(context, o.domain) for o in choice.parameters):
            return
    context.report("R0406", place, choice=name)


def _never_empty(context: CheckContext, d: s.Domain) -> bool:
    if d.where is not None:
        return False
    kind = context.model.types.get(d.base)
    if d.kind == "span":
        return isinstance(d.base, s.Number) and isinstance(d.first, s.Number) and d.base.value <= d.first.value
    if d.kind in ("touching", "within"):
        graph = context.model.boards.get(kind.name) if kind is not None else None
        return graph is None or all(graph.touching)
    if d.kind in ("along", "reached", "lines", "through"):
        return False
    ref = context.model.refs.get(d.base)
    return ref is None or ref.kind in ("type", "direction")


# ---- articles ------------------------------------------------------------------------------------------------------


def _missing_articles(context: CheckContext) -> None:
    articles = context.model.articles
    if ("play", "") not in articles:
        context.report("R0412", context.model.merged.head, article="play")
        return
    # The game also ends when `play` returns.
    wins = any(isinstance(n, s.Wins) for a in articles.values() for n in walk(a))
    if not (wins or ("winner", "") in articles):
        context.report("R0415", context.model.merged.head)


def _silent_game(context: CheckContext) -> None:
    """Report a game with decisions but without any visible event."""
    nodes = [node for article in context.model.articles.values() for node in walk(article)]
    deciding = next((n for n in nodes if isinstance(n, s.Choose | s.ChooseSimultaneously)), None)
    if deciding is not None and not any(map(_shows_event, nodes)):
        context.report("R0427", deciding.name or deciding)


def _shows_event(node: s.Node) -> bool:
    if isinstance(node, s.Shuffle):
        return node.message is not None and node.message.name is not None
    if isinstance(node, s.Tell):
        return True
    return isinstance(node, s.EventStatement) and (node.message is None or node.message.name is not None)


def _citations(context: CheckContext) -> None:
    head = context.model.merged.head
    books = {b.name for b in head.books}
    for article in (head, *context.model.articles.values()):
        for citation in article.sources:
            if citation.book is not None and citation.book not in books:
                context.report("R0210", citation, name=citation.book)
        if article.sourced and not article.sources and not head.sources:
            context.report("R0411", article.name, article=article.name.text)


def _unused(context: CheckContext) -> None:
    for article in context.model.articles.values():
        if article.used and article.name.text not in context.used:
            context.report("R0204", article.name, name=article.name.text)
    for local in context.lets:
        if local not in context.used_locals:
            context.report("R0204", local.span_node, name=local.name)

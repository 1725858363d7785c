"""What holds for rules as a whole: nothing goes round for ever, every choice has an option, everything is used."""

from __future__ import annotations

from typing import assert_never

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Context
from wongar_dsl.model import Local
from wongar_dsl.model.builtins import REFERENCES
from wongar_dsl.syntax import walk

_LEAVING = frozenset({"end game", "end rule", "impossible"})
_SOURCED = (
    s.Board, s.Shapes, s.Coverings, s.Cards, s.Deck, s.Track, s.Table, s.Paths, s.Option, s.Setup, s.Play, s.Rule,
    s.Effect, s.Winner, s.Define,
)  # fmt: skip

_USED = (
    "enum", "shapes", "coverings", "board", "cards", "deck", "zone", "remember", "score", "track", "table", "paths",
    "option", "rule", "define",
)  # fmt: skip


def check_shape(context: Context) -> None:
    """All checks that need the types of the whole game."""
    _rings(context)
    _staged(context)
    for article in context.model.articles.values():
        for node in walk(article):
            if isinstance(node, s.Repeat):
                _loop(context, node)
            elif isinstance(node, s.Choose) and node.otherwise is None:
                _choice(context, node.name or node, context.model.decision_names.get(node, ""), node.choices)
    _missing_articles(context)
    _sources(context)
    _unused(context)


# ---- calls ---------------------------------------------------------------------------------------------------------


def _rings(context: Context) -> None:
    """Rules that come back to themselves: their frames would have no fixed place."""
    done: set[s.Article] = set()
    for start in context.calls:
        path: list[s.Article] = []
        stack: list[tuple[s.Article, int]] = [(start, 0)]
        while stack:
            article, depth = stack.pop()
            done.update(path[depth:])
            del path[depth:]
            if article in path:
                ring = path[path.index(article) :]
                names = tuple(a.name.text for a in [*ring, article])
                place = next((sp for called, sp in context.calls[ring[-1]] if called is article), article.span)
                context.report("R0408", place, names=names)
            elif article not in done:
                path.append(article)
                called = dict.fromkeys(called for called, _ in context.calls.get(article, ()))
                stack.extend((one, depth + 1) for one in called)
        done.update(path)


def _staged(context: Context) -> None:
    """Find the rules in which somebody decides, directly or through another rule."""
    staged = {
        a
        for a in context.model.articles.values()
        if any(isinstance(n, s.Choose | s.ChooseSimultaneously) for n in walk(a))
    }
    while True:
        more = {a for a, calls in context.calls.items() if any(called in staged for called, _ in calls)} - staged
        if not more:
            break
        staged |= more
    for article in staged:
        if isinstance(article, s.Define) or (isinstance(article, s.Rule) and article.gives is not None):
            context.report("R0413", article.name, name=article.name.text)
    context.model.staged = staged
    for loop in context.one_piece:
        # What is reached is found at once and not kept, so nobody can decide in between.
        if any(
            isinstance(n, s.Choose | s.ChooseSimultaneously)
            or (isinstance(n, s.Called) and context.model.articles.get(("rule", n.name)) in staged)
            for n in walk(loop.body)
        ):
            context.report("R0413", loop.variable, name=loop.variable.text)


# ---- loops ---------------------------------------------------------------------------------------------------------


def _loop(context: Context, loop: s.Repeat) -> None:
    if loop.kind == "times" or _leaves(context, loop.body, own=True):
        return
    if loop.kind == "forever":
        context.report("R0407", loop)
        return
    assert loop.subject is not None
    names, locals_ = _reads(context, loop.subject)
    changed, changed_locals = _writes(context, loop.body, set())
    chance = any(isinstance(n, s.Quantified) and n.kind == "random" for n in walk(loop.subject))
    if not (names & changed or locals_ & changed_locals or chance):
        context.report("R0407", loop)


def _leaves(context: Context, body: s.Block, own: bool) -> bool:
    """Whether something in a loop's body can end the loop."""
    for node in body:
        match node:
            case s.Simple(word=word) if word in _LEAVING or (own and word == "leave loop"):
                return True
            case s.Give() | s.Wins():
                return True
            case s.If(branches=branches, otherwise=otherwise):
                if any(_leaves(context, b, own) for _, b in branches) or _leaves(context, otherwise, own):
                    return True
            case s.Repeat(body=inner) | s.ForEach(body=inner):
                if _leaves(context, inner, own=False):
                    return True
            case s.Choose(choices=choices, otherwise=otherwise_block):
                if any(_leaves(context, c.body, own) for c in choices) or _leaves(context, otherwise_block or (), own):
                    return True
            case s.ChooseSimultaneously(choices=choices):
                if any(_leaves(context, c.body, own) for c in choices):
                    return True
            case s.Call(call=s.Called(name=name)):
                rule = context.model.articles.get(("rule", name))
                if isinstance(rule, s.Rule) and any(
                    isinstance(n, s.Wins) or (isinstance(n, s.Simple) and n.word == "end game") for n in walk(rule)
                ):
                    return True
            case _:
                pass
    return False


def _reads(context: Context, e: object, seen: frozenset[s.Article] = frozenset()) -> tuple[set[str], set[Local]]:
    """The names of everything changeable that an expression looks at, through what it calls; not into `seen`."""
    names: set[str] = set()
    locals_: set[Local] = set()
    for node in walk(e):
        ref = context.model.refs.get(node)
        if ref is None:
            continue
        match REFERENCES[ref.kind].reads:
            case "local":
                locals_.update((ref.local,) if ref.local is not None else ())
            case "named":
                names.add(ref.name)
            case "figures":
                names.add("figures")
            case "called":
                article = context.model.articles.get((ref.kind, ref.name))
                if isinstance(article, s.Define):
                    names |= _reads(context, article.value, seen)[0]
                elif isinstance(article, s.Rule) and article not in seen:
                    names |= _reads(context, article.body, seen | {article})[0]
            case "nothing":
                pass
            case never:
                assert_never(never)
    return names, locals_


def _writes(context: Context, body: object, seen: set[s.Article]) -> tuple[set[str], set[Local]]:
    """The names of everything that statements change, through the rules that they call too."""
    names: set[str] = set()
    locals_: set[Local] = set()
    for node in walk(body):
        targets: list[s.Expression] = []
        match node:
            case s.Assign(target=target):
                targets = [target]
            case s.Move():
                targets = [t for t in (node.what, node.origin, node.target) if t is not None]
            case s.Lay():
                targets = [t for t in (node.what, node.origin, node.target) if t is not None]
            case s.MoveTokens(origin=origin, target=target) | s.MoveAll(origin=origin, target=target):
                targets = [origin, target]
            case s.Fill(zone=target) | s.Shuffle(zone=target):
                targets = [target]
            case s.Take():
                names.add("figures")
            case s.Gain(score=word) | s.Advance(track=word):
                names.add(word.text)
            case s.Perform(card=card):
                kind = context.model.types.get(card)
                called = context.model.effects(kind.name) if kind is not None and kind.kind == "cards" else []
                for effect in called:
                    if effect not in seen:
                        seen.add(effect)
                        names |= _writes(context, effect.body, seen)[0]
            case s.Called(name=name):
                rule = context.model.articles.get(("rule", name))
                if rule is not None and rule not in seen:
                    seen.add(rule)
                    assert isinstance(rule, s.Rule)
                    names |= _writes(context, rule.body, seen)[0]
            case _:
                pass
        for target in targets:
            read, own = _reads(context, target)
            names |= read
            locals_ |= own
            if context.model.types.get(target) is not None and context.model.types[target].kind == "figure":
                names.add("figures")
    return names, locals_


# ---- choices -------------------------------------------------------------------------------------------------------


def _choice(context: Context, place: s.Node, name: str, choices: tuple[s.Choice, ...]) -> None:
    """A choice must have an option that is always there."""
    for choice in choices:
        if choice.condition is None and all(_surely_some(context, o.domain) for o in choice.parameters):
            return
    context.report("R0406", place, choice=name)


def _surely_some(context: Context, d: s.Domain) -> bool:
    """Whether a domain always has a value."""
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


def _missing_articles(context: Context) -> None:
    articles = context.model.articles
    if ("play", "") not in articles:
        context.report("R0412", context.model.merged.head, article="play")
        return
    # Where `play` comes to its end, the game is over too.
    wins = any(isinstance(n, s.Wins) for a in articles.values() for n in walk(a))
    if not (wins or ("winner", "") in articles):
        context.report("R0415", context.model.merged.head)


def _sources(context: Context) -> None:
    head = context.model.merged.head
    books = {b.name for b in head.books}
    for article in (head, *context.model.articles.values()):
        for citation in article.sources:
            if citation.book is not None and citation.book not in books:
                context.report("R0210", citation, name=citation.book)
        if isinstance(article, _SOURCED) and not article.sources and not head.sources:
            context.report("R0411", article.name, article=article.name.text)


def _unused(context: Context) -> None:
    for sort in _USED:
        for article in context.model.of_sort(sort):
            if article.name.text not in context.used:
                context.report("R0204", article.name, name=article.name.text)
    for word in context.let_words:
        if context.model.locals[word] not in context.used_locals:
            context.report("R0204", word, name=word.text)

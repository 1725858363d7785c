"""Which rules and definitions call which, which of them come back to themselves, and in which somebody decides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl import syntax as s
from wongar_dsl.model import Code, Model
from wongar_dsl.model.builtins import REFERENCES
from wongar_dsl.text.span import Span


class CallGraph:
    """The calls of a game, through the effects of cards too."""

    def __init__(self, model: Model, code: Code) -> None:
        self._model, self._code = model, code
        #: For each article that calls others: which, and where that stands, in the order of the text.
        self.calls: dict[s.Article, tuple[tuple[s.Article, Span], ...]] = {}
        for article in code.articles:
            if found := tuple(self._calls_in(article)):
                self.calls[article] = found

    def callees(self, node: s.Node) -> tuple[s.Article, ...]:
        """What one node calls, itself and not the nodes in it."""
        model = self._model
        if isinstance(node, s.Perform):
            kind = model.types.get(node.card)
            return self._code.effects.get(kind.name, ()) if kind is not None and kind.kind == "cards" else ()
        ref = model.refs.get(node) if isinstance(node, s.Called) else None
        if ref is None or REFERENCES[ref.kind].reads != "called":
            return ()
        return (self._code.called(ref.kind, ref.name),)

    def called_by(self, article: s.Article) -> list[s.Article]:
        """What an article calls, as often as it does, in the order of the text."""
        return [called for called, _ in self.calls.get(article, ())]

    def callees_first(self) -> Iterator[s.Article]:
        """All articles that call or are called, each after those that it calls; there must be no ring."""
        done: set[s.Article] = set()
        for start in self.calls:
            stack = [(start, False)]
            while stack:
                article, ready = stack.pop()
                if ready:
                    yield article
                elif article not in done:
                    done.add(article)
                    stack.append((article, True))
                    stack.extend((called, False) for called in self.called_by(article))

    def _calls_in(self, article: s.Article) -> Iterator[tuple[s.Article, Span]]:
        for node in s.walk(article):
            yield from ((called, node.span) for called in self.callees(node))

    def rings(self) -> Iterator[tuple[tuple[s.Article, ...], Span]]:
        """The rules that come back to themselves, from the first round to itself, and where the last call stands."""
        done: set[s.Article] = set()
        for start in self.calls:
            path: list[s.Article] = []
            stack: list[tuple[s.Article, int]] = [(start, 0)]
            while stack:
                article, depth = stack.pop()
                done.update(path[depth:])
                del path[depth:]
                if article in path:
                    ring = path[path.index(article) :]
                    span = next(span for called, span in self.calls[ring[-1]] if called is article)
                    yield (*ring, article), span
                elif article not in done:
                    path.append(article)
                    stack.extend((one, depth + 1) for one in dict.fromkeys(self.called_by(article)))
            done.update(path)

    def reached(self, article: s.Article) -> frozenset[s.Article]:
        """An article and everything that it calls, directly or through others."""
        found = {article}
        left = [article]
        while left:
            new = set(self.called_by(left.pop())) - found
            found |= new
            left.extend(new)
        return frozenset(found)

    @cached_property
    def suspending(self) -> frozenset[s.Article]:
        """The rules in which somebody decides, directly or through another rule."""
        callers: dict[s.Article, set[s.Article]] = {}
        for article, calls in self.calls.items():
            for called, _ in calls:
                callers.setdefault(called, set()).add(article)
        found: set[s.Article] = {a for a in self._code.articles if any(map(decides, s.walk(a)))}
        left = list(found)
        while left:
            new = callers.get(left.pop(), set()) - found
            found |= new
            left.extend(new)
        return frozenset(found)

    def suspends(self, node: s.Node | s.Block) -> bool:
        """Whether somebody decides while statements are done."""
        return any(decides(n) or any(c in self.suspending for c in self.callees(n)) for n in s.walk(node))


def decides(node: s.Node) -> bool:
    """Whether a node is itself a decision."""
    return isinstance(node, s.Choose | s.ChooseSimultaneously)

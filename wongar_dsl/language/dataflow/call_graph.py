"""Call graph of rules, definitions and card effects: cycles, reachability, and rules that contain decisions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import CodeDeclarations, Model
from wongar_dsl.language.semantics.builtins import REFERENCES


class CallGraph:
    """Call graph of a game, including the effects of cards."""

    def __init__(self, model: Model, code: CodeDeclarations) -> None:
        self._model, self._code = model, code
        #: Callees of each calling declaration, with the span of each call, in source order.
        self.calls: dict[s.Declaration, tuple[tuple[s.Declaration, Span], ...]] = {}
        for article in code.articles:
            if callees := tuple(self._calls_in(article)):
                self.calls[article] = callees

    def callees(self, node: s.Node) -> tuple[s.Declaration, ...]:
        """Return the callees of one node, without its descendants."""
        model = self._model
        if isinstance(node, s.Perform):
            kind = model.types.get(node.card)
            return self._code.effects.get(kind.name, ()) if kind is not None and kind.kind == "cards" else ()
        ref = model.refs.get(node) if isinstance(node, s.Called) else None
        if ref is None or REFERENCES[ref.kind].reads != "called":
            return ()
        return (self._code.called(ref.kind, ref.name),)

    def callees_of(self, article: s.Declaration) -> list[s.Declaration]:
        """Return the callees of a declaration in source order, with repetitions."""
        return [called for called, _ in self.calls.get(article, ())]

    def callees_first(self) -> Iterator[s.Declaration]:
        """Yield all declarations in the graph, callees before callers.  The graph must not have a cycle."""
        done: set[s.Declaration] = set()
        for start in self.calls:
            stack = [(start, False)]
            while stack:
                article, ready = stack.pop()
                if ready:
                    yield article
                elif article not in done:
                    done.add(article)
                    stack.append((article, True))
                    stack.extend((called, False) for called in self.callees_of(article))

    def _calls_in(self, article: s.Declaration) -> Iterator[tuple[s.Declaration, Span]]:
        for node in s.walk(article):
            yield from ((called, node.span) for called in self.callees(node))

    def cycles(self) -> Iterator[tuple[tuple[s.Declaration, ...], Span]]:
        """Yield the cycles of the graph as paths, with the span of the call that closes each."""
        done: set[s.Declaration] = set()
        for start in self.calls:
            path: list[s.Declaration] = []
            stack: list[tuple[s.Declaration, int]] = [(start, 0)]
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
                    stack.extend((callee, depth + 1) for callee in dict.fromkeys(self.callees_of(article)))
            done.update(path)

    def reachable(self, article: s.Declaration) -> frozenset[s.Declaration]:
        """Return a declaration and its direct and indirect callees."""
        reachable = {article}
        pending = [article]
        while pending:
            new = set(self.callees_of(pending.pop())) - reachable
            reachable |= new
            pending.extend(new)
        return frozenset(reachable)

    @cached_property
    def suspending(self) -> frozenset[s.Declaration]:
        """Declarations that contain a decision, directly or through a callee."""
        callers: dict[s.Declaration, set[s.Declaration]] = {}
        for article, calls in self.calls.items():
            for called, _ in calls:
                callers.setdefault(called, set()).add(article)
        with_decision: set[s.Declaration] = {a for a in self._code.articles if any(map(is_decision, s.walk(a)))}
        pending = list(with_decision)
        while pending:
            new = callers.get(pending.pop(), set()) - with_decision
            with_decision |= new
            pending.extend(new)
        return frozenset(with_decision)

    def suspends(self, node: s.Node | s.Block) -> bool:
        """Return whether statements contain a decision, directly or through a callee."""
        return any(is_decision(n) or any(c in self.suspending for c in self.callees(n)) for n in s.walk(node))


def is_decision(node: s.Node) -> bool:
    """Return whether a node is itself a decision."""
    return isinstance(node, s.Choose | s.ChooseSimultaneously)

"""Comparison of the rules behind the lines of two rulebooks, regardless of their wording.

A line states a rule that is the same in both versions if its nodes are equal, and so is everything that they refer to:
values bound in a rule, declarations, and the nodes that decide its wording.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.game_facts import calls
from wongar_dsl.nlg.prose.micro.plan_text import frames
from wongar_dsl.nlg.prose.render.text_diff import tree

#: Declarations whose content stands in the lines about them, where they are called or under a heading.
_CALLED = (s.Procedure, s.Define, s.Winner)


class RuleComparison:
    """The rules of one rulebook, compared with those of another version."""

    def __init__(self, book: Rulebook, other: Rulebook) -> None:
        self._model, self._other = book.model, other.model
        self._book, self._log = book, book.log
        self._articles = {s.key_of(article): article for article in book.model.merged.articles}

    def rule(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> object | None:
        """Return what a line with these origins states; None if it refers to anything that the other version changes.

        It equals that of a line in the other version with the same rule. `block` are the nodes of the lines around it.
        """
        if any(node not in self._above for node in origins):
            return None
        trees, decisive, seen = list[object](), set[object](), set[s.Node]()
        waiting: list[tuple[s.Node, Collection[s.Node]]] = [(node, block) for node in self._roots(origins, block)]
        for node, told in waiting:
            trees.append(tree(node, told))
            for part in _parts(node, told):
                if part in seen:
                    continue
                seen.add(part)
                if not self._changed.isdisjoint(self._names(part)):
                    return None
                waiting += ((other, self._told) for other in (*self._bound_to(part), *self._called(part)))
                # What decides whether a part is omitted is no part of the rule.
                dependencies = self._log.dependencies.get(part, ()) if self._is_said(part) else ()
                decisive.update(tree(node, self._told) for node in dependencies if self.is_own((node,), self._told))
        return tuple(trees), frozenset(decisive)

    def is_own(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> bool:
        """Return whether the other version lacks one of the nodes that a line states."""
        roots = self._roots([node for node in origins if node in self._above], block)
        return any(_place(part) not in self._places for node in roots for part in _parts(node, block))

    def _roots(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> list[s.Node]:
        """Return the nodes of a line, what decides before them, and what around them has no line of its own."""
        roots = [*origins]
        for node in origins:
            winner = self._above[node]
            if isinstance(winner, s.Winner) and isinstance(node, s.RankingLine):
                roots += winner.ranking[: winner.ranking.index(node)]
        for node in roots:
            above = self._above[node]
            if above is not None and above not in block and not isinstance(above, s.Procedure):
                roots.append(above)
        return roots

    def _is_said(self, node: s.Node) -> bool:
        return self._log.fates.get(node, ("said",))[0] == "said"

    @cached_property
    def _above(self) -> dict[s.Node, s.Node | None]:
        """The node around each node, None around a declaration."""
        every = [node for article in self._articles.values() for node in s.walk(article)]
        return dict.fromkeys(every) | {part: node for node in every for part in _parts_of(node)}

    @cached_property
    def _places(self) -> frozenset[object]:
        """The positions of the nodes of the other version."""
        return frozenset(_place(node) for article in self._other.merged.articles for node in s.walk(article))

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The names of the declarations of things and numbers that differ, or use one that does."""
        mine, others = self._articles, {s.key_of(article): article for article in self._other.merged.articles}
        told = {key for key, article in (*mine.items(), *others.items()) if isinstance(article, _CALLED)}
        keys = {*mine, *others} - told
        changed = {key[1] for key in keys if not s.same(mine.get(key), others.get(key))}
        uses = dict[str, set[str]]()
        for key in keys & mine.keys():
            uses.setdefault(key[1], set()).update(name for node in s.walk(mine[key]) for name in self._names(node))
        while using := {name for name, used in uses.items() if name not in changed and not changed.isdisjoint(used)}:
            changed |= using
        return frozenset(changed - {""})

    def _names(self, node: s.Node) -> Iterator[str]:
        """Yield the names in a node that can be those of declarations."""
        ref = self._model.refs.get(node)
        if ref is None or ref.local is None:
            yield from (name for part in ("text", "name") if isinstance(name := getattr(node, part, None), str))

    def _bound_to(self, node: s.Node) -> tuple[s.Node, ...]:
        """Return the nodes that a local name stands for."""
        ref = self._model.refs.get(node)
        return () if ref is None or ref.local is None else self._bound.get(ref.local.span_node, ())

    @cached_property
    def _told(self) -> frozenset[s.Node]:
        """The nodes that have lines of their own in the text about their declaration."""
        blocks = (block for _, section in self._book.walk() for block in section.blocks if isinstance(block, Prose))
        texts = (block.plans for block in blocks if block.key == s.key_text(block.article))
        return frozenset(node for plans in texts for frame in frames(plans) for node in frame.origins)

    def _called(self, node: s.Node) -> Iterator[s.Node]:
        """Yield the rule or definition that a node calls, unless it has lines of its own."""
        if isinstance(node, s.Called):
            called = (self._articles.get((sort, node.name)) for sort in ("rule", "define"))
            yield from (article for article in called if article is not None and article not in self._told)

    @cached_property
    def _bound(self) -> dict[s.Node, tuple[s.Node, ...]]:
        """The nodes that each local name stands for, by the node that introduces it."""
        bound = dict[s.Node, tuple[s.Node, ...]]()
        arguments = dict[str, list[tuple[s.Expression, ...]]]()
        for called in calls(self._model.merged.articles):
            arguments.setdefault(called.name, []).append(called.arguments)
        for node in self._above:
            if isinstance(node, s.Let):
                bound[node.variable] = (node,)
            elif isinstance(node, s.ForEach | s.ChooseSimultaneously | s.Quantified):
                bound[node.variable] = (node.domain,)
            elif isinstance(node, s.OptionParameter):
                bound[node.name] = (node.domain,)
            elif isinstance(node, s.Rule | s.Define):
                given = zip(*arguments.get(node.name.text, ()), strict=False)
                bound.update({typed.name: values for typed, values in zip(node.parameters, given, strict=False)})
        return bound


def _place(node: s.Node) -> object:
    """Return the text and position of a node in its file, whose name depends on how the game was opened."""
    span = node.span
    return span.source.text, span.line, span.column, span.end_line, span.end_column


def _parts(node: s.Node, without: Collection[s.Node]) -> Iterator[s.Node]:
    """Yield a node and its descendants, except for the descendants in `without` and those below them."""
    waiting: list[s.Node] = [node]
    while waiting:
        part = waiting.pop()
        if part is node or part not in without:
            yield part
            waiting += _parts_of(part)


def _parts_of(node: s.Node) -> Iterator[s.Node]:
    """Yield the nodes directly below a node."""
    return (part for name in s.field_names(type(node)) for part in s.outermost(getattr(node, name)))

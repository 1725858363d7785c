"""Sentences that a change of the rules may affect: those that depend on the changed nodes or on references to them.

A sentence depends on the nodes that it verbalises and on the referents of their names. Referents are values bound in a
rule, declarations, and rules or conditions without a text of their own, which are written out in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.mutants.rulebook_lines import Line, shape
from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import CallGraph
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.document.short_rules import SHORT
from wongar_dsl.nlg.prose.micro.plan_text import frames
from wongar_dsl.nlg.prose.pipeline import unresolved_plan
from wongar_dsl.nlg.words import Translator


class Naming:
    """Dependencies of the sentences of one game."""

    def __init__(self, model: Model, book: Rulebook, words: Translator) -> None:
        self.model, self.book, self.words = model, book, words
        self._articles = {s.key_of(article): article for article in model.merged.articles}
        #: Nodes that a local name stands for, by the node that introduces it.
        self._meant: dict[s.Node, tuple[s.Node, ...]] = {}
        #: The choice that contains an option: all options form one sentence.
        self._chosen: dict[s.Node, s.Node] = {}
        #: Nodes that refer to a remembered value, a table or a rule. An unused one need not be described; a called one
        #: is described in place or under a heading.
        self._asked: dict[str, list[s.Node]] = {}
        self._within = {node: article for article in model.merged.articles for node in s.walk(article)}
        graph = CallGraph(model, model.code)
        set_up = [a for a in model.merged.articles if isinstance(a, s.Setup)]
        self._set_up = (
            *(reached for article in set_up for reached in graph.reachable(article)),
            *(a for a in model.merged.articles if isinstance(a, s.Deck)),
        )
        every = [node for article in model.merged.articles for node in s.walk(article)]
        calls = [node for node in every if isinstance(node, s.Called)]
        for node in every:
            ref = model.refs.get(node)
            if ref is not None and ref.kind in ("remember", "table", "rule", "define"):
                self._asked.setdefault(ref.name, []).append(node)
            match node:
                case s.Compare(left=s.Called(name=name), right=right):
                    self._asked.setdefault(name, []).extend((node, right))
                case s.Choose(options=options) | s.ChooseSimultaneously(options=options):
                    self._chosen.update(dict.fromkeys(options, node))
                case s.Let(variable=variable):
                    self._meant[variable] = (node,)
                case (
                    s.ForEach(variable=variable, domain=domain)
                    | s.ChooseSimultaneously(variable=variable, domain=domain)
                ):
                    self._meant[variable] = (domain,)
                case s.Quantified(variable=variable, domain=domain) | s.OptionParameter(name=variable, domain=domain):
                    self._meant[variable] = (domain,)
                case s.Rule(parameters=parameters) | s.Define(parameters=parameters):
                    for position, typed in enumerate(parameters):
                        values = (
                            c.arguments[position]
                            for c in calls
                            if c.name == node.name.text and position < len(c.arguments)
                        )
                        self._meant[typed.name] = tuple(values)

    def _written_out(self, article: s.Declaration) -> bool:
        """Return whether a rule or condition has no text of its own and is written out where it is called."""
        return not self.words.has_message(f"{article.keyword}.{article.name.text}", self.model.scope)

    def account(self, line: Line, everywhere: bool) -> frozenset[s.Node]:
        """Return the nodes that a line depends on.

        Unless the line is `everywhere` under the same heading, they include the calls of the rule that contains it.
        """
        nodes: dict[s.Node, None] = {}
        hangs = self.book.log.dependencies
        waiting: list[object] = [*line.origins]
        if line.block == SHORT:
            # A paragraph of the summary is marked or left out if anything that leads to its declarations changes.
            waiting += self.model.merged.articles
        for origin in line.origins:
            if origin in self._chosen:
                waiting.append(self._chosen[origin])
            if isinstance(origin, s.Deck | s.Cards | s.Enumeration | s.Word):
                # Component counts depend on the decks, the setup and all rules that it calls.
                waiting += self._set_up
            article = self._within.get(origin)
            if article is not None:
                waiting += hangs.get(article, ())
            if article is not None and not (everywhere and line.block == s.key_text(article)):
                calls = dict.fromkeys(self._callers(article, line.block))
                nodes.update(calls)
                waiting += (referent for node in calls for referent in self._stands_for(node))
            if isinstance(article, s.Define):
                # The callers decide whether it is worded as a number or as existence.
                nodes.update(dict.fromkeys(self._asked.get(article.name.text, ())))
        while waiting:
            for node in s.walk(waiting.pop()):
                if node not in nodes:
                    nodes[node] = None
                    waiting += (*self._named(node), *hangs.get(node, ()))
        return frozenset(nodes)

    def _callers(self, article: s.Declaration, block: str) -> Iterator[s.Node]:
        """Yield the calls of a rule with their arguments, and the calls of the rules that it is written out in."""
        seen, waiting = {article}, [article]
        while waiting:
            for call in self._asked.get(waiting.pop().name.text, ()):
                yield from s.walk(call)
                caller = self._within[call]
                if caller not in seen and s.key_text(caller) != block:
                    seen.add(caller)
                    waiting.append(caller)

    def _stands_for(self, node: s.Node) -> Iterator[s.Node]:
        """Yield the nodes that a local name stands for."""
        ref = self.model.refs.get(node)
        local = self.model.locals.get(node) or (ref.local if ref is not None else None)
        if local is not None:
            yield from (local.span_node, *self._meant.get(local.span_node, ()))

    def _named(self, node: s.Node) -> Iterator[s.Node]:
        """Yield the nodes that a node refers to."""
        ref = self.model.refs.get(node)
        yield from self._stands_for(node)
        if isinstance(node, s.Remember | s.LookupTable):
            yield from self._asked.get(node.name.text, ())
        if isinstance(node, s.Called):
            for sort in ("rule", "define"):
                called = self._articles.get((sort, node.name))
                if called is not None and self._written_out(called):
                    yield called
        elif ref is not None and ref.name:
            yield from (a for key, a in self._articles.items() if key[1] == ref.name and not isinstance(a, _DEEDS))


_DEEDS = (s.Procedure, s.Define, s.Winner)


@dataclass(frozen=True, slots=True)
class Version:
    """Rulebook of a game or of a mutant, and its nodes that the other version does not have."""

    naming: Naming
    lines: tuple[Line, ...]
    changed: frozenset[s.Node]


def strays(old: Version, new: Version) -> list[Line]:
    """Return the lines that exist in only one of two rulebooks and do not depend on any changed node."""
    mine, theirs = tuple(_others(old, new)), tuple(_others(new, old))
    both = {line.block for line in old.lines} & {line.block for line in new.lines}
    named = [
        line
        for line in (*mine, *theirs)
        if any(not each.naming.account(line, line.block in both).isdisjoint(each.changed) for each in (old, new))
    ]
    # A line that was combined with a changed one may be separate now.
    explained = {origin for line in named for origin in line.origins}
    return [
        line
        for version, counterpart, lines in ((old, new, mine), (new, old, theirs))
        for line in lines
        if line not in named
        and not explained.intersection(line.origins)
        and not _only_called(version, counterpart, line)
    ]


def _others(version: Version, other: Version) -> Iterator[Line]:
    """Yield the lines that the other version does not have, without headings."""
    remaining = Counter((line.block, _sentence(line)) for line in other.lines)
    for line in version.lines:
        remaining[line.block, _sentence(line)] -= 1
        if remaining[line.block, _sentence(line)] < 0 and line.origins:
            yield line


def _sentence(line: Line) -> tuple[str, ...]:
    """Return the text of a line, regardless of its indentation."""
    return tuple(text.strip() for text in line.texts)


def _only_called(version: Version, other: Version, line: Line) -> bool:
    """Return whether a line differs only in its referring expressions, for example in pronouns."""
    mine, theirs = _meant(version, line.block), _meant(other, line.block)
    return any(origins == line.origins and content in theirs.values() for origins, content in mine.items())


def _meant(version: Version, key: str) -> dict[tuple[s.Node, ...], object]:
    """Return the content of each line of a block before referring expressions are chosen."""
    naming = version.naming
    for _, section in naming.book.walk():
        for block in section.blocks:
            if block.key == key and isinstance(block, Prose) and isinstance(block.article, _DEEDS):
                plans = unresolved_plan(naming.model, block.article, naming.words)
                return {frame.origins: shape(frame.sentence, frozenset()) for frame in frames(plans)}
    return {}

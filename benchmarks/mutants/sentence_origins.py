"""Lines of a rulebook in every language, and the sentences that a change of the rules may affect.

Each line is worded only once for all rulebooks that contain it: most mutants differ in one or two lines. A sentence
depends on the nodes that it verbalises and on the referents of their names. Referents are values bound in a rule,
declarations, and rules or conditions without a text of their own, which are written out in place. Each reset that the
sentences omit must be in the table of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import CallGraph
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Block, BookTable, CountList, PicturePlace, Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import SHORT
from wongar_dsl.nlg.prose.game_facts import ENDED, ResetIndex
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention, SentenceFrame, frames
from wongar_dsl.nlg.prose.pipeline import unresolved_plan
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, drawing
from wongar_dsl.nlg.words import Listing, Sentence, Translator, Value

Say = Callable[[RealisedRulebook], str]

#: Fields that do not affect the text of a line.
SILENT = frozenset({"entity", "origin", "key", "notes", "picture"})


@dataclass(frozen=True, slots=True)
class Line:
    """Line of a rulebook: its block, its nodes, its text in each language, and whether it has no text yet."""

    block: str
    origins: tuple[s.Node, ...]
    texts: tuple[str, ...]
    unsaid: bool = False


class Pages:
    """Rulebooks of one game and of its mutants, in some languages."""

    def __init__(self, languages: tuple[Translator, ...]) -> None:
        self.languages = languages
        self._said: dict[object, tuple[str, ...]] = {}

    def of(self, model: Model) -> tuple[tuple[Line, ...], Rulebook]:
        """Return the lines of a game's rulebook, and the rulebook."""
        book = rulebook(model, self.languages[0])
        readings = tuple(RealisedRulebook(book, words, model.name) for words in self.languages)
        return tuple(self._lines(book, readings)), book

    def _lines(self, book: Rulebook, readings: tuple[RealisedRulebook, ...]) -> Iterator[Line]:
        for level, section in book.walk():
            heading = section.heading
            texts = self._texts(
                ("heading", level, shape(heading)), lambda r, target=heading: r.heading(target), readings
            )
            yield Line(section.key, (), texts)
            for block in section.blocks:
                for origins, key, say in _said(block):
                    unsaid = key[0] == "line" and key[-1] is None
                    yield Line(block.key, origins, self._texts(key, say, readings), unsaid)

    def _texts(self, key: object, say: Say, readings: tuple[RealisedRulebook, ...]) -> tuple[str, ...]:
        if key not in self._said:
            self._said[key] = tuple(say(reading) for reading in readings)
        return self._said[key]


def _said(block: Block) -> Iterator[tuple[tuple[s.Node, ...], tuple[object, ...], Say]]:
    """Yield the lines of a block: their nodes, a cache key, and a function that words them."""
    match block:
        case Prose(plans=plans):
            for frame in frames(plans):
                yield frame.origins, ("line", frame.message, frame.depth, shape(frame.sentence)), _framed(frame)
        case CountList(items=items, title=title, columns=columns, origin=origin):
            if title is not None:
                yield (origin,), ("title", shape(title)), lambda reading: reading.heading(title)
            for item in items:
                key = ("item", shape(item.thing), item.counts if columns else item.count, item.each)
                yield (
                    (item.origin,),
                    key,
                    lambda r, entry=item: " ".join(
                        [*(r.counts(entry) if columns else [r.number(entry)]), r.thing(entry)]
                    ),
                )
        case BookTable(title=title, corner=corner, columns=heads, rows=rows, origin=origin):
            head = (title, corner, *heads)
            yield (origin,), ("head", shape(head)), _cells(head)
            for row in rows:
                cells = (row.heading, *row.cells)
                yield (row.origin,), ("row", shape(cells)), _cells(cells)
        case PicturePlace(origin=origin):
            # Boards and shapes are drawn as in the rules.
            yield (origin,), ("picture", origin), lambda reading: "\n".join(drawing(reading, block))


def _framed(frame: SentenceFrame) -> Say:
    def say(reading: RealisedRulebook) -> str:
        if frame.sentence is None:
            return f"[{frame.origins[0].span.line}]"
        return "  " * frame.depth + reading.say(frame.message, said=frame.sentence)

    return say


def _cells(cells: tuple[Value | None, ...]) -> Say:
    return lambda reading: " | ".join(map(reading.cell, cells))


def shape(value: object, beyond: frozenset[Entity] | None = None) -> object:
    """Return a key of everything that determines the text of a value; equal keys mean equal texts.

    With `beyond`, referring expressions are not chosen yet: each entity counts as its thing, except those in `beyond`.
    """
    match value:
        case tuple():
            return tuple(shape(inner, beyond) for inner in value)
        case Mapping():
            return tuple((name, shape(inner, beyond)) for name, inner in sorted(value.items()))
        case Mention(entity=Entity() as entity) if beyond is not None and entity not in beyond:
            return (Mention, shape(entity.thing, beyond | {entity}), shape(value.modifiers, beyond))
    names = _parts(type(value))
    return (type(value), *(shape(getattr(value, name), beyond) for name in names)) if names is not None else value


@cache
def _parts(sort: type) -> tuple[str, ...] | None:
    return tuple(part.name for part in fields(sort) if part.name not in SILENT) if is_dataclass(sort) else None


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


def forgotten(model: Model, book: Rulebook) -> Iterator[str]:
    """Yield the values that a rule resets without mention in its sentences or in the table of values, with the rule."""
    reset_index, rows = ResetIndex(model), dict(_rows(book))
    for procedure in reset_index.procedures:
        rule_name = procedure.name.text if isinstance(procedure, s.Rule) else procedure.keyword
        for node in s.walk(procedure.body):
            if book.log.fates.get(node) == ("implied", ENDED):
                # A value without a row is used only by messages, so players need not track it.
                names = [name for name in reset_index.resets.get(node, ()) if name in rows]
                yield from (
                    f"{name}: set back in {rule_name}" for name in names if f"rule.{rule_name}" not in rows[name]
                )


def _rows(book: Rulebook) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the remembered values in the tables of a rulebook, each with the messages in its row."""
    for _, section in book.walk():
        for block in section.blocks:
            for row in block.rows if isinstance(block, BookTable) else ():
                if isinstance(row.origin, s.Remember):
                    yield row.origin.name.text, frozenset(m for cell in row.cells for m in _messages(cell))


def _messages(value: Value | None) -> Iterator[str]:
    match value:
        case Sentence(message=message, values=values):
            yield message
            for inner in values.values():
                yield from _messages(inner)
        case Listing(items=items):
            for item in items:
                yield from _messages(item)

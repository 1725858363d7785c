"""Symbol table of rule files: the meaning of each name, and all its occurrences.

It is built from the syntax tree and, unlike the checker's, covers rules with mistakes and rules that a variant
replaces. Names cannot be shadowed, so a symbol is identified by its spelling and scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import field_names, walk
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.semantics.builtins import FUNCTIONS, NUMBERS, PROPERTIES, TYPES
from wongar_dsl.language.server.text_positions import lines_of, part

#: Kinds of symbols: a global name, a local name, a parameter of cards, a message, a decision, one of its options, a
#: rulebook, a rule file, or a built-in name.
SymbolKind = Literal["name", "local", "attribute", "message", "decision", "option", "book", "file", "builtin"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """The meaning of a name; `owner` is the decision of an option, or the position where a local name is bound."""

    kind: SymbolKind
    name: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a name in an article; `declares`: it is the declaration.

    `slot`: a message uses the name as that of an argument.
    """

    symbol: Symbol
    span: Span
    article: s.Declaration
    node: s.Node
    declares: bool = False
    slot: bool = False


def owner_key(span: Span) -> str:
    """Return the position of a local name in the form used as `Symbol.owner`."""
    return f"{span.source.name}:{span.line}:{span.column}"


@dataclass(slots=True)
class GameSymbols:
    """The declarations of the files of a game: names, parameters of cards, messages, decisions with their options."""

    names: dict[str, s.Word] = field(default_factory=dict)
    attributes: dict[str, s.Word] = field(default_factory=dict)
    messages: dict[str, s.MessageRef] = field(default_factory=dict)
    options: dict[str, dict[str, list[s.Option]]] = field(default_factory=dict)
    #: Spans of local names of a base, keyed by the places where a variant uses them.
    inherited: dict[tuple[str, int, int], Span] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[s.File], model: Model | None) -> GameSymbols:
        """Collect the declarations of these files, base first."""
        scope = cls()
        for file in files:
            for article in file.articles:
                scope._declare(article)
        if model is not None:
            for node, ref in model.refs.items():
                if ref.local is not None:
                    scope.inherited[_key(node.span)] = ref.local.span_node.span
        return scope

    def _declare(self, article: s.Declaration) -> None:
        if isinstance(article, s.Replace):
            return self._declare(article.article)
        for word in declared_names(article):
            self.names.setdefault(word.text, word)
        for node in walk(article):
            if isinstance(node, s.Face):
                for typed in node.parameters:
                    self.attributes.setdefault(typed.name.text, typed.name)
            elif isinstance(node, s.MessageRef) and node.name is not None:
                self.messages.setdefault(node.name, node)
            elif isinstance(node, s.Choose | s.ChooseSimultaneously):
                self._options(title_of(node, article), node.options)
        if isinstance(article, s.AddTo) and article.sort == "choice":
            self._options(article.name.text, tuple(p for p in article.parts if isinstance(p, s.Option)))
        return None

    def _options(self, title: str, choices: Sequence[s.Option]) -> None:
        options = self.options.setdefault(title, {})
        for choice in choices:
            options.setdefault(choice.name.text, []).append(choice)


def title_of(node: s.Choose | s.ChooseSimultaneously, article: s.Declaration) -> str:
    """Return the title of a decision: its own name, or that of its article."""
    return node.name.text if node.name is not None else article.name.text


def declared_names(article: s.Declaration) -> Iterator[s.Word]:
    """Yield the global names that an article declares."""
    match article:
        case s.Enumeration(name=name, values=values):
            yield from (name, *values)
        case s.Board(name=name, rows=rows):
            yield from (name, *(word for row in rows for word in row))
        case s.Cards(name=name, faces=faces):
            yield from (name, *(face.name for face in faces))
        case s.Shapes(name=name, drawings=drawings):
            yield from (name, *(drawing.name for drawing in drawings))
        case s.Paths(name=name, number=number):
            yield from (name, *((number,) if number is not None else ()))
        case s.AddTo(sort="enum" | "cards", parts=parts):
            yield from (p if isinstance(p, s.Word) else p.name for p in parts if isinstance(p, s.Word | s.Face))
        case _ if article.named:
            yield article.name


def _key(span: Span) -> tuple[str, int, int]:
    return (span.source.name, span.line, span.column)


#: Visible local names, each with the span where it is bound.
_Locals = Mapping[str, Span]
_BUILTIN = frozenset({*TYPES, *NUMBERS, "direction"})


class _OccurrenceFinder:
    """Visitor of syntax trees that collects all names of a file."""

    def __init__(self, source: Source, scope: GameSymbols) -> None:
        self.source, self.scope = source, scope
        self.lines = lines_of(source.text)
        self.occurrences: list[Occurrence] = []
        self.article: s.Declaration | None = None

    def file(self, file: s.File) -> None:
        head = file.head
        if head is not None:
            self.article = head
            self.record(head, head.name.span, head.name.text, Symbol("file", head.name.text), declares=True)
            if isinstance(head, s.Variant):
                for word in (head.base, *head.others):
                    self.record(word, word.span, word.text, Symbol("file", word.text))
            for book in head.books:
                self.record(book, book.span, book.name, Symbol("book", book.name), declares=True)
            self.visit_all(head.sources, {})
        for article in file.articles:
            self.article = article
            self.visit_article(article)

    def record(self, node: s.Node, span: Span, text: str, symbol: Symbol, declares: bool = False) -> None:
        """Record a name at its first occurrence as a word at or after the start of a span."""
        assert self.article is not None
        for number in range(span.line, min(span.end_line, span.line + 20) + 1):
            line = self.lines[number - 1] if 0 < number <= len(self.lines) else ""
            start = span.column - 1 if number == span.line else 0
            word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)").search(line, start)
            if word is not None:
                place = part(self.source, number, word.start() + 1, len(text))
                self.occurrences.append(Occurrence(symbol, place, self.article, node, declares))
                return

    def visit_article(self, article: s.Declaration) -> None:
        match article:
            case s.Replace(article=inner):
                self.visit_article(inner)
                return
            case s.Procedure():
                visible: dict[str, Span] = {}
                if isinstance(article, s.Effect):
                    self.word(article.name)
                    visible |= {w.text: self.declare_local(w) for w in article.card_parameters}
                elif not article.single:
                    self.word(article.name, declares=True)
                visible |= self.parameters(article.parameters)
                self.visit(article.gives, visible)
                self.block(article.body, visible)
            case s.Define():
                self.word(article.name, declares=True)
                self.visit(article.value, self.parameters(article.parameters))
            case s.Winner():
                self.visit_all(article.ranking, {article.name.text: self.declare_local(article.name)})
            case _ if isinstance(article, s.PartialChange):
                self.visit_change(article)
            case _:
                declared = {id(word) for word in declared_names(article)}
                if not isinstance(article, s.SetPlayers):
                    self.word(article.name, declares=id(article.name) in declared)
                for name in field_names(type(article)):
                    if name not in ("name", "sources"):
                        self.visit_declaration(getattr(article, name), declared)
        self.visit_all(article.sources, {})

    def visit_declaration(self, node_part: object, own: set[int]) -> None:
        """Visit a part of an article in which the words of `own` are declarations."""
        if isinstance(node_part, tuple):
            for item in node_part:
                self.visit_declaration(item, own)
        elif isinstance(node_part, s.Face):
            self.word(node_part.name, declares=True)
            for typed in node_part.parameters:
                self.record(
                    typed, typed.name.span, typed.name.text, Symbol("attribute", typed.name.text), declares=True
                )
                self.visit(typed.type, {})
        elif isinstance(node_part, s.Word):
            self.word(node_part, declares=id(node_part) in own)
        elif isinstance(node_part, s.ShapeDrawing | s.CoveringTask | s.Touches | s.TrackPhase):
            for name in field_names(type(node_part)):
                self.visit_declaration(getattr(node_part, name), own)
        else:
            self.visit(node_part, {})

    def visit_change(self, change: s.PartialChange) -> None:
        match change:
            case s.AddTo(sort="choice", name=name):
                self.decision(name, name.text)
                self.option_of(change.anchor, name.text)
                for choice in change.parts:
                    if isinstance(choice, s.Option):
                        self.choice(choice, name.text, {})
                self.block(change.otherwise or (), {})
            case s.AddTo():
                declared = {id(word) for word in declared_names(change)}
                if change.sort != "winner":
                    self.word(change.name)
                self.visit(change.anchor, {})
                self.visit_all(change.columns, {})
                self.visit_declaration(change.parts, declared)
            case s.RemoveFrom(sort="choice", name=name):
                self.decision(name, name.text)
                self.option_of(change.part, name.text)
            case s.RemoveFrom(sort="rule" | "effect" | "setup" | "play"):
                self.procedure(change)
                if isinstance(change.part, s.Name | s.Called):
                    self.step(change.part, change.part.text if isinstance(change.part, s.Name) else change.part.name)
            case s.RemoveFrom():
                self.word(change.name)
                self.visit(change.part, {})
            case s.Insert():
                self.procedure(change)
                if change.step is not None:
                    self.step(change.step, change.step.text)
                self.block(change.body, {})
            case s.SetStep():
                self.procedure(change)
                self.step(change.step, change.step.text)
                self.visit(change.value, {})
            case s.AllowOnly(option=option, name=name):
                self.decision(name, name.text)
                self.record(option, option.span, option.text, Symbol("option", option.text, name.text))
                self.visit(change.condition, self.offered(name.text, option.text))
            case s.SetOffered(option=option, name=name, parameter=parameter):
                self.decision(name, name.text)
                self.record(option, option.span, option.text, Symbol("option", option.text, name.text))
                visible = self.offered(name.text, option.text)
                if parameter.text in visible:
                    self.record(parameter, parameter.span, parameter.text, _local(parameter.text, visible))
                self.visit(change.domain, visible)

    def procedure(self, change: s.RemoveFrom | s.Insert | s.SetStep) -> None:
        if change.sort in ("rule", "effect"):
            self.word(change.name)

    def step(self, node: s.Node, name: str) -> None:
        """Record the label of a step: a rule, a decision, a message or a remembered value."""
        declarations = self.scope
        if name in declarations.names:
            self.name(node, name, {})
        elif name in declarations.options:
            self.record(node, node.span, name, Symbol("decision", name))
        elif name in declarations.messages:
            self.record(node, node.span, name, Symbol("message", name))

    def decision(self, word: s.Word, title: str, declares: bool = False) -> None:
        self.record(word, word.span, word.text, Symbol("decision", title), declares)

    def option_of(self, node_part: s.Expression | None, title: str) -> None:
        if isinstance(node_part, s.Name):
            self.record(node_part, node_part.span, node_part.text, Symbol("option", node_part.text, title))

    def offered(self, title: str, option: str) -> dict[str, Span]:
        """Return the parameters of an option of the base."""
        choices = self.scope.options.get(title, {}).get(option, [])
        return {offered.name.text: offered.name.span for choice in choices[:1] for offered in choice.parameters}

    def declare_local(self, word: s.Word) -> Span:
        """Record the binding of a local name."""
        self.record(word, word.span, word.text, Symbol("local", word.text, owner_key(word.span)), declares=True)
        return word.span

    def parameters(self, parameters: Sequence[s.Typed]) -> dict[str, Span]:
        bindings = {}
        for typed in parameters:
            bindings[typed.name.text] = self.declare_local(typed.name)
            # The player of an effect is written without a type.
            if typed.type.span != typed.name.span:
                self.visit(typed.type, {})
        return bindings

    def block(self, body: s.Block, visible: _Locals) -> None:
        inside = dict(visible)
        for statement in body:
            self.visit(statement, inside)
            if isinstance(statement, s.Let):
                inside[statement.variable.text] = statement.variable.span

    def choice(self, choice: s.Option, title: str, visible: _Locals) -> None:
        self.record(
            choice, choice.name.span, choice.name.text, Symbol("option", choice.name.text, title), declares=True
        )
        inside = dict(visible)
        for offered in choice.parameters:
            inside[offered.name.text] = self.declare_local(offered.name)
            self.visit(offered.domain, inside)
        self.visit(choice.condition, inside)
        self.block(choice.body, inside)

    # ---- expressions ----

    def visit_all(self, parts: Sequence[object], visible: _Locals) -> None:
        for item in parts:
            self.visit(item, visible)

    def visit(self, node: object, visible: _Locals) -> None:
        match node:
            case None | str() | int():
                return
            case tuple():
                if node and all(isinstance(item, s.Statement) for item in node):
                    self.block(node, visible)
                else:
                    self.visit_all(node, visible)
            case s.Let(variable=variable, value=value):
                self.visit(value, visible)
                self.declare_local(variable)
            case s.Choose() | s.ChooseSimultaneously():
                self.choose(node, visible)
            case s.MessageRef(name=name, arguments=arguments):
                if name is not None:
                    first = self.scope.messages.get(name)
                    declares = first is not None and _key(first.span) == _key(node.span)
                    self.record(node, node.span, name, Symbol("message", name), declares)
                for argument in arguments:
                    slot = isinstance(argument.value, s.Name) and argument.value.span == argument.span
                    self.argument(argument.value, visible, slot)
            case s.Citation(book=book):
                if book is not None:
                    self.record(node, node.span, book, Symbol("book", book))
            case s.Word():
                self.word(node)
            case s.TypeName(name=name, low=low, high=high):
                if name not in TYPES:
                    self.name(node, name, visible)
                self.visit_all((low, high), visible)
            case s.Name(text=text):
                self.name(node, text, visible)
            case s.Called(name=name) | s.Indexed(name=name) | s.Of(name=name):
                self.property(node, name) if isinstance(node, s.Of) else self.name(node, name, {})
                self.inner(node, visible)
            case s.Node():
                self.inner(node, visible)

    def inner(self, node: s.Node, visible: _Locals) -> None:
        bound = getattr(node, s.BOUND, None)
        if isinstance(bound, s.Word):
            visible = {**visible, bound.text: self.declare_local(bound)}
        for name in field_names(type(node)):
            if name != s.BOUND:
                self.visit(getattr(node, name), visible)

    def argument(self, value: s.Expression, visible: _Locals, slot: bool) -> None:
        before = len(self.occurrences)
        self.visit(value, visible)
        if slot and len(self.occurrences) == before + 1:
            last = self.occurrences[-1]
            self.occurrences[-1] = Occurrence(last.symbol, last.span, last.article, last.node, last.declares, True)

    def choose(self, node: s.Choose | s.ChooseSimultaneously, visible: _Locals) -> None:
        assert self.article is not None
        article = self.article.article if isinstance(self.article, s.Replace) else self.article
        title = title_of(node, article)
        inside: _Locals = visible
        if isinstance(node, s.ChooseSimultaneously):
            inside = {**visible, node.variable.text: self.declare_local(node.variable)}
            self.visit(node.domain, inside)
        else:
            self.visit(node.chooser, visible)
        if node.name is not None:
            self.decision(node.name, title, declares=True)
        self.visit(node.clock, inside)
        for choice in node.options:
            self.choice(choice, title, inside)
        if isinstance(node, s.Choose):
            self.block(node.otherwise or (), inside)

    def word(self, word: s.Word, declares: bool = False) -> None:
        kind: SymbolKind = "builtin" if word.text in _BUILTIN else "name"
        self.record(word, word.span, word.text, Symbol(kind, word.text), declares)

    def property(self, node: s.Node, name: str) -> None:
        kind: SymbolKind = "name"
        if name not in self.scope.names:
            kind = "attribute" if name in self.scope.attributes else "builtin" if name in PROPERTIES else "name"
        self.record(node, node.span, name, Symbol(kind, name))

    def name(self, node: s.Node, text: str, visible: _Locals) -> None:
        if text in visible:
            symbol = _local(text, visible)
        elif text in self.scope.names:
            symbol = Symbol("name", text)
        elif _key(node.span) in self.scope.inherited:
            symbol = _local(text, {text: self.scope.inherited[_key(node.span)]})
        else:
            symbol = Symbol("builtin" if text in _BUILTIN or text in FUNCTIONS else "name", text)
        self.record(node, node.span, text, symbol)


def _local(text: str, visible: _Locals) -> Symbol:
    return Symbol("local", text, owner_key(visible[text]))


def occurrences(file: s.File, scope: GameSymbols) -> tuple[Occurrence, ...]:
    """Return all names of a file, in source order."""
    finder = _OccurrenceFinder(file.span.source, scope)
    finder.file(file)
    return tuple(sorted(finder.occurrences, key=lambda occurrence: (occurrence.span.line, occurrence.span.column)))

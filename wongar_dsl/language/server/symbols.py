"""Snapshot of a rule file with the meaning of each name and all its occurrences, and positions across edits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from wongar_dsl import pipeline
from wongar_dsl.base.span import Source, Span
from wongar_dsl.engine.library.loader import LoadResult, RuleFile, read_open
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import field_names, walk
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.semantics.builtins import FUNCTIONS, NUMBERS, PROPERTIES, TYPES
from wongar_dsl.language.variants.merge import MergedRules
from wongar_dsl.nlg.translation import MissingText, missing_texts

#: Unit of columns: bytes of UTF-8, code units of UTF-16, or characters.
Encoding = Literal["utf-8", "utf-16", "utf-32"]
_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A position between two characters, with line and column counted from 1."""

    line: int
    column: int


def units(line: str, column: int, encoding: Encoding) -> int:
    """Return the number of units before a column (from 1); the length of the line for a column after its end."""
    code, size = _WIDTHS[encoding]
    return len(line[: max(column - 1, 0)].encode(code, "replace")) // size


def column_at(line: str, count: int, encoding: Encoding) -> int:
    """Return the column after `count` units; a position inside a character is moved before it."""
    code, size = _WIDTHS[encoding]
    passed = 0
    for number, character in enumerate(line):
        passed += len(character.encode(code, "replace")) // size
        if passed > count:
            return number + 1
    return len(line) + 1


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without line ends."""
    return [line.rstrip("\r") for line in text.split("\n")]


def part(source: Source, line: int, column: int, length: int) -> Span:
    """Return the span of `length` characters of a line."""
    return Span(source, line, column, line, column + length)


def holds(span: Span, at: TextPosition) -> bool:
    """Return whether a position is in a span, or right after it."""
    return (span.line, span.column) <= (at.line, at.column) <= (span.end_line, span.end_column)


@dataclass(frozen=True, slots=True)
class LineShift:
    """Line mapping between two texts of `old` and `new` lines that are equal in the first `above` and last `below`."""

    above: int
    below: int
    old: int
    new: int

    @classmethod
    def between(cls, old: Sequence[str], new: Sequence[str]) -> LineShift:
        """Return the mapping from old to new lines."""
        most = min(len(old), len(new))
        above = next((i for i in range(most) if old[i] != new[i]), most)
        most -= above
        below = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
        return cls(above, below, len(old), len(new))

    def newer(self, line: int) -> int:
        """Return the number of a line in the newer text; for a changed line, the one now at its place."""
        if line <= self.above:
            return line
        if line > self.old - self.below:
            return line + self.new - self.old
        return max(1, min(line, self.new - self.below))

    def older(self, line: int) -> int:
        """Return the number of a line in the older text; the inverse of `newer`."""
        return LineShift(self.above, self.below, self.new, self.old).newer(line)


# ---- symbols ---------------------------------------------------------------------------------------------------------
#
# It is built from the syntax tree and, unlike the checker's, covers rules with mistakes and rules that a variant
# replaces. Names cannot be shadowed, so a symbol is identified by its spelling and scope.


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
    """The declarations of the files of a game: names, parameters of cards, messages, decisions with their options.

    `settings` are those names that are options of the game.
    """

    names: dict[str, s.Word] = field(default_factory=dict)
    settings: set[str] = field(default_factory=set)
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
        article = article.new_article
        if isinstance(article, s.Setting):
            self.settings.add(article.name.text)
        for word in declared_names(article):
            self.names.setdefault(word.text, word)
        for node in walk(article):
            if isinstance(node, s.Face):
                for typed in node.parameters:
                    self.attributes.setdefault(typed.name.text, typed.name)
            elif isinstance(node, s.MessageRef) and node.name is not None:
                self.messages.setdefault(node.name, node)
        for title, options in offers(article):
            for option in options:
                self.options.setdefault(title, {}).setdefault(option.name.text, []).append(option)


def title_of(node: s.Decision, article: s.Declaration) -> str:
    """Return the title of a decision: its own name, or that of its article."""
    return node.label or article.name.text


def offers(article: s.Declaration) -> Iterator[tuple[str, Sequence[s.Option]]]:
    """Yield the decisions in an article, or the one that it extends: the title and the options."""
    for node in walk(article):
        if isinstance(node, s.Decision):
            yield title_of(node, article), node.options
    if isinstance(article, s.AddTo) and article.sort == "choice":
        yield article.name.text, [part for part in article.parts if isinstance(part, s.Option)]


def declared_names(article: s.Declaration) -> tuple[s.Word, ...]:
    """Return the global names that an article declares."""
    own = (article.name,) if article.named or isinstance(article, s.Paths) else ()
    return (*own, *article.inner_names)


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
        #: The words of the article that declare global names.
        self.declared: frozenset[int] = frozenset()

    def file(self, file: s.File) -> None:
        head = file.head
        if head is not None:
            self.article = head
            self.record(head, head.name.text, Symbol("file", head.name.text), declares=True, span=head.name.span)
            for word in (head.base, *head.others) if isinstance(head, s.Variant) else ():
                self.mark(word, "file")
            for book in head.books:
                self.record(book, book.name, Symbol("book", book.name), declares=True)
            self.visit(head.sources, {})
            for fact in head.facts if isinstance(head, s.Game) else ():
                self.visit(fact.sources, {})
        for article in file.articles:
            self.article = article
            self.visit_article(article.new_article)

    def record(self, node: s.Node, text: str, symbol: Symbol, declares: bool = False, span: Span | None = None) -> None:
        """Record a name at its first occurrence as a word at or after the start of a span, by default the node's."""
        assert self.article is not None
        span = span or node.span
        for number in range(span.line, min(span.end_line, span.line + 20) + 1):
            line = self.lines[number - 1] if 0 < number <= len(self.lines) else ""
            start = span.column - 1 if number == span.line else 0
            word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)").search(line, start)
            if word is not None:
                place = part(self.source, number, word.start() + 1, len(text))
                self.occurrences.append(Occurrence(symbol, place, self.article, node, declares))
                return

    def mark(self, word: s.Word | s.Name, kind: SymbolKind, owner: str = "", declares: bool = False) -> None:
        """Record a word or name."""
        self.record(word, word.text, Symbol(kind, word.text, owner), declares)

    def visit_article(self, article: s.Declaration) -> None:
        self.declared = frozenset(id(word) for word in declared_names(article))
        visible: _Locals = {}
        if isinstance(article, s.PartialChange):
            self.visit_change(article)
        else:
            if isinstance(article, s.Winner):
                visible = {article.name.text: self.declare_local(article.name)}
            elif isinstance(article, s.SetBoxFact):
                if article.name.text in self.scope.settings:
                    self.word(article.name)
            elif not article.single and not isinstance(article, s.SetPlayers):
                self.word(article.name)
            if isinstance(article, s.Effect):
                visible = {word.text: self.declare_local(word) for word in article.card_parameters}
            self.inner(article, visible, without=("name", "sources", "card_parameters", "fact"))
        self.visit(article.sources, {})

    def visit_change(self, change: s.PartialChange) -> None:
        """Visit a change of a part; in a choice its name is that of the decision."""
        name = change.name
        if getattr(change, "sort", "choice") == "choice":
            self.mark(name, "decision")
        elif change.keyword == "change" and getattr(change, "sort", "") not in ("winner", "setup", "play"):
            self.word(name)
        match change:
            case s.AddTo(sort="choice"):
                self.option_of(change.anchor, name.text)
                for option in change.parts:
                    if isinstance(option, s.Option):
                        self.option(option, name.text, {})
                self.visit(change.otherwise, {})
            case s.AddTo():
                self.visit((change.anchor, change.columns, change.parts), {})
            case s.RemoveFrom(sort="choice", part=expression):
                self.option_of(expression, name.text)
            case s.RemoveFrom(sort="rule" | "effect" | "setup" | "play", part=expression):
                if isinstance(expression, s.Name | s.Called):
                    self.step(expression, expression.name_text)
            case s.RemoveFrom(part=expression):
                self.visit(expression, {})
            case s.Insert(step=step):
                if step is not None:
                    self.step(step, step.text)
                self.visit(change.body, {})
            case s.SetStep(step=step):
                self.step(step, step.text)
                self.visit(change.value, {})
            case s.AllowOnly(option=chosen) | s.SetOffered(option=chosen):
                self.mark(chosen, "option", name.text)
                choices = self.scope.options.get(name.text, {}).get(chosen.text, [])
                visible = {offered.name.text: offered.name.span for c in choices[:1] for offered in c.parameters}
                if isinstance(change, s.AllowOnly):
                    self.visit(change.condition, visible)
                    return
                if change.parameter.text in visible:
                    self.record(change.parameter, change.parameter.text, _local(change.parameter.text, visible))
                self.visit(change.domain, visible)

    def step(self, node: s.Node, name: str) -> None:
        """Record the label of a step: a rule, a decision, a message or a remembered value."""
        if name in self.scope.names:
            self.name(node, name, {})
        elif name in self.scope.options or name in self.scope.messages:
            self.record(node, name, Symbol("decision" if name in self.scope.options else "message", name))

    def option_of(self, expression: s.Expression | None, title: str) -> None:
        if isinstance(expression, s.Name):
            self.mark(expression, "option", title)

    def declare_local(self, word: s.Word) -> Span:
        """Record the binding of a local name."""
        self.mark(word, "local", owner_key(word.span), declares=True)
        return word.span

    def option(self, option: s.Option, title: str, visible: _Locals) -> None:
        name = option.name
        self.record(option, name.text, Symbol("option", name.text, title), declares=True, span=name.span)
        self.inner(option, visible, without=("name",))

    # ---- expressions ----

    def visit(self, node: object, visible: _Locals) -> _Locals:
        """Record the names in a node; return the local names that are visible after it."""
        match node:
            case tuple():
                inside = visible
                for item in node:
                    inside = self.visit(item, inside)
                # Names that a block binds end with it.
                return visible if node and isinstance(node[0], s.StatementNode) else inside
            case s.Let(variable=variable, value=value):
                self.visit(value, visible)
                return {**visible, variable.text: self.declare_local(variable)}
            case s.OptionParameter(name=word, domain=domain):
                visible = {**visible, word.text: self.declare_local(word)}
                self.visit(domain, visible)
            case s.Typed(name=word, type=written):
                visible = {**visible, word.text: self.declare_local(word)}
                # The player of an effect is written without a type.
                if written.span != word.span:
                    self.visit(written, {})
            case s.Choose() | s.ChooseSimultaneously():
                self.choose(node, visible)
            case s.MessageRef(name=name, arguments=arguments):
                if name is not None:
                    first = self.scope.messages.get(name)
                    declares = first is not None and _key(first.span) == _key(node.span)
                    self.record(node, name, Symbol("message", name), declares)
                for argument in arguments:
                    slot = isinstance(argument.value, s.Name) and argument.value.span == argument.span
                    self.argument(argument.value, visible, slot)
            case s.Citation(book=book):
                if book is not None:
                    self.record(node, book, Symbol("book", book))
            case s.Face(name=word, parameters=parameters):
                self.word(word)
                for typed in parameters:
                    symbol = Symbol("attribute", typed.name.text)
                    self.record(typed, typed.name.text, symbol, declares=True, span=typed.name.span)
                    self.visit(typed.type, {})
            case s.Word():
                self.word(node)
            case s.TypeName(name=name):
                if name not in TYPES:
                    self.name(node, name, visible)
                self.inner(node, visible)
            case s.Name(text=text):
                self.name(node, text, visible)
            case s.Of(name=name):
                kind: SymbolKind = "name"
                if name not in self.scope.names:
                    kind = "attribute" if name in self.scope.attributes else "builtin" if name in PROPERTIES else "name"
                self.record(node, name, Symbol(kind, name))
                self.inner(node, visible)
            case s.Called(name=name) | s.Indexed(name=name):
                self.name(node, name, {})
                self.inner(node, visible)
            case s.Node():
                self.inner(node, visible)
        return visible

    def inner(self, node: s.Node, visible: _Locals, without: Sequence[str] = ()) -> _Locals:
        """Visit the fields of a node, in which the names of earlier fields are visible; return all visible names."""
        bound = getattr(node, s.BOUND, None)
        if isinstance(bound, s.Word):
            visible = {**visible, bound.text: self.declare_local(bound)}
        for name in field_names(type(node)):
            if name not in (s.BOUND, *without):
                visible = self.visit(getattr(node, name), visible)
        return visible

    def argument(self, value: s.Expression, visible: _Locals, slot: bool) -> None:
        before = len(self.occurrences)
        self.visit(value, visible)
        if slot and len(self.occurrences) == before + 1:
            self.occurrences[-1] = replace(self.occurrences[-1], slot=True)

    def choose(self, node: s.Decision, visible: _Locals) -> None:
        assert self.article is not None
        title = title_of(node, self.article.new_article)
        if node.name is not None:
            self.record(node.name, node.name.text, Symbol("decision", title), declares=True)
        inside = self.inner(node, visible, without=("name", "options"))
        for option in node.options:
            self.option(option, title, inside)

    def word(self, word: s.Word) -> None:
        self.mark(word, "builtin" if word.text in _BUILTIN else "name", declares=id(word) in self.declared)

    def name(self, node: s.Node, text: str, visible: _Locals) -> None:
        if text in visible:
            symbol = _local(text, visible)
        elif text in self.scope.names:
            symbol = Symbol("name", text)
        elif _key(node.span) in self.scope.inherited:
            symbol = _local(text, {text: self.scope.inherited[_key(node.span)]})
        else:
            symbol = Symbol("builtin" if text in _BUILTIN or text in FUNCTIONS else "name", text)
        self.record(node, text, symbol)


def _local(text: str, visible: _Locals) -> Symbol:
    return Symbol("local", text, owner_key(visible[text]))


def occurrences(file: s.File, scope: GameSymbols) -> tuple[Occurrence, ...]:
    """Return all names of a file, in source order."""
    finder = _OccurrenceFinder(file.span.source, scope)
    finder.file(file)
    return tuple(sorted(finder.occurrences, key=lambda occurrence: (occurrence.span.line, occurrence.span.column)))


# ---- snapshots -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Snapshot:
    """A rule file as it was read, with all that it builds on; `path` is its full path."""

    path: Path
    loaded: LoadResult

    @property
    def files(self) -> tuple[RuleFile, ...]:
        """The files of the game, base first, this one last; empty if it cannot be read."""
        return self.loaded.chain

    @property
    def file(self) -> RuleFile | None:
        """The file itself."""
        return self.files[-1] if self.files else None

    @property
    def tree(self) -> s.File | None:
        """The syntax tree of the file itself."""
        return self.file.tree if self.file is not None else None

    @property
    def model(self) -> Model | None:
        """The checked rules, None if not even the files of the base could be checked."""
        return self.loaded.model

    @property
    def text_scope(self) -> str | None:
        """The scope under which the texts of the game are looked up: `game/variant`."""
        return self.model.scope if self.model is not None else None

    @property
    def is_complete(self) -> bool:
        """Return whether every article of the file could be parsed."""
        return self.tree is not None and self.tree.head is not None and not self.tree.unparsed_words

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return lines_of(self.file.source.text) if self.file is not None else []

    @cached_property
    def symbols(self) -> GameSymbols:
        """The declarations of all its files."""
        return GameSymbols.of([file.tree for file in self.files], self.model)

    @cached_property
    def base(self) -> MergedRules | None:
        """The rules before this file changed them; None for a game, and for a base that cannot be read."""
        if len(self.files) < 2:
            return None
        levels, _ = pipeline.apply_variants([pipeline.Layer(file.tree) for file in self.files[:-1]])
        return levels[-1][0] if levels else None

    @cached_property
    def missing_texts(self) -> tuple[MissingText, ...]:
        """Missing texts in any language; empty for rules with mistakes, and for rules without any texts."""
        rules = self.loaded.rules
        if rules is None:
            return ()
        return missing_texts(rules.game(rules.model.players[0]), rules.words_beside, homes=rules.homes)

    @property
    def missing_texts_ready(self) -> bool:
        """Return whether `missing_texts` has been computed, which takes long."""
        return "missing_texts" in vars(self)

    @cached_property
    def names(self) -> tuple[Occurrence, ...]:
        """All names of the file, in source order."""
        return occurrences(self.tree, self.symbols) if self.tree is not None else ()

    @cached_property
    def everywhere(self) -> Mapping[Symbol, tuple[Occurrence, ...]]:
        """All occurrences of each symbol in all files."""
        results: dict[Symbol, list[Occurrence]] = {}
        for file in self.files[:-1]:
            for name in occurrences(file.tree, self.symbols):
                results.setdefault(name.symbol, []).append(name)
        for name in self.names:
            results.setdefault(name.symbol, []).append(name)
        return {symbol: tuple(names) for symbol, names in results.items()}

    def at(self, place: TextPosition) -> Occurrence | None:
        """Return the name at a position; of two adjacent names, the one that begins there."""
        return next((name for name in reversed(self.names) if holds(name.span, place)), None)

    def path_of(self, source: Source) -> Path | None:
        """Return the path of a source; None for one inside of a package."""
        file = next((file for file in self.files if file.source == source), None)
        if file is None or not isinstance(file.at, Path):
            return None
        return self.path if file is self.file else file.at.resolve()

    def prepare(self) -> None:
        """Compute in advance the values that most requests need."""
        _ = self.everywhere


def read_snapshot(path: Path, texts: Mapping[Path, str]) -> Snapshot:
    """Read a snapshot of the rule file at a path; `texts` are the files open in editors, by full path."""
    snapshot = Snapshot(path, read_open(path, texts))
    snapshot.prepare()
    return snapshot


@dataclass(frozen=True)
class DocumentView:
    """The current text of a file, and its last snapshot without parse errors."""

    text: str
    snapshot: Snapshot

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return lines_of(self.text)

    @cached_property
    def shift(self) -> LineShift:
        """The line mapping from the snapshot to the text."""
        return LineShift.between(self.snapshot.lines, self.lines)

    def older(self, place: TextPosition) -> TextPosition:
        """Return the position in the snapshot that corresponds to one in the text."""
        return TextPosition(self.shift.older(place.line), place.column)

    def current_span(self, span: Span) -> Span:
        """Return the current span of a part of a line of the snapshot."""
        line = self.shift.newer(span.line)
        return Span(span.source, line, span.column, line, span.end_column)

    def at(self, place: TextPosition) -> Occurrence | None:
        """Return the name at a position, if it has not been changed."""
        name = self.snapshot.at(self.older(place))
        line = self.lines[place.line - 1] if 0 < place.line <= len(self.lines) else ""
        if name is None or line[name.span.column - 1 : name.span.end_column - 1] != name.symbol.name:
            return None
        return name

"""Texts that an editor shows: diagnostics, hover texts, inlay hints, and the outline of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.printer import span_text
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.language.server.symbols import (
    DocumentView,
    LineShift,
    Occurrence,
    Snapshot,
    Symbol,
    TextPosition,
    lines_of,
    offers,
    title_of,
)
from wongar_dsl.language.variants.merge import MergedRules
from wongar_dsl.nlg.diagnostic_text import advice, message
from wongar_dsl.nlg.prose.micro.sentence_plan import SentenceUnit, text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Listing, Text, Translator, Value

# ---- diagnostics -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic at a span of the file itself, with its text and related spans."""

    span: Span
    text: str
    diagnostic: Diagnostic
    others: tuple[tuple[Span, str], ...] = ()


def findings(snapshot: Snapshot, words: Translator, with_missing_texts: bool = False) -> tuple[Finding, ...]:
    """Return all diagnostics of a file; errors in files that it builds on are placed at its head line.

    The search for missing texts takes longer than everything else.
    """
    own_file = snapshot.file
    source = own_file.source if own_file is not None else None
    name = source.name if source is not None else str(snapshot.path)
    results = []
    missing = [text.diagnostic for text in snapshot.missing_texts] if with_missing_texts else []
    for diagnostic in (*snapshot.loaded.diagnostics, *missing):
        text = f"{message(diagnostic, words.say)}\n{advice(diagnostic, words.say)}"
        others = tuple((label.span, words.say(f"label.{label.name}")) for label in diagnostic.labels)
        span = diagnostic.span
        if span is not None and span.source.name == name:
            results.append(Finding(span, text, diagnostic, others))
        elif diagnostic.severity is Severity.ERROR:
            place = ((span, message(diagnostic, words.say)),) if span is not None else ()
            results.append(Finding(_head(snapshot, source), text, diagnostic, (*place, *others)))
    return tuple(results)


def _head(snapshot: Snapshot, source: Source | None) -> Span:
    """Return the span where a file names its base, else its beginning."""
    head = snapshot.tree.head if snapshot.tree is not None else None
    if isinstance(head, s.Variant):
        return head.base.span
    return Span(source or Source(str(snapshot.path), ""), 1, 1, 1, 1)


# ---- hover texts -----------------------------------------------------------------------------------------------------


#: Maximum numbers of lines of a declaration, of articles that use a name, and of sentences.
MAX_LINES, MAX_PLACES, MAX_SENTENCES = 6, 8, 12
#: Rules with more nodes are not verbalised, since that takes too long.
MAX_NODES = 1000


def hover(view: DocumentView, place: TextPosition, words: Translator) -> str | None:
    """Return the description of the name at a position as Markdown; None if there is no name."""
    name = view.at(place)
    if name is None:
        return None
    parts = [part for part in _parts(view.snapshot, name, words) if part]
    return "\n\n".join(parts) if parts else None


def _parts(snapshot: Snapshot, name: Occurrence, words: Translator) -> Iterator[str]:
    symbol, game = name.symbol, snapshot.text_scope
    declared = declaration(snapshot, symbol)
    if words.has_term(symbol.name, game) and symbol.kind in ("name", "local", "builtin", "file", "attribute"):
        yield f"**{words.capital(_plain(words.term(symbol.name, game)))}**"
    yield kind_of(snapshot, name, declared, words)
    if declared is not None and symbol.kind != "file":
        yield _code(declared)
    yield from _sentences(snapshot, name, declared, words)
    if declared is not None:
        yield _source(snapshot, declared, words)
        yield _used(snapshot, symbol, declared, words)


def declaration(snapshot: Snapshot, symbol: Symbol) -> Occurrence | None:
    """Return the declaration of a name, in the last file of the game that has one."""
    declarations = [name for name in snapshot.everywhere.get(symbol, ()) if name.declares]
    return declarations[-1] if declarations else None


def kind_of(snapshot: Snapshot, name: Occurrence, declared: Occurrence | None, words: Translator) -> str:
    """Return a description of the kind of a name: a table, a kind of tokens, a local name of some type."""
    symbol, model = name.symbol, snapshot.model
    match symbol.kind:
        case "local":
            kind = type_of(model, declared)
            return words.say("editor.local", type=_quoted(str(kind))) if kind is not None else ""
        case "attribute":
            sorts = model.cards.values() if model is not None else ()
            kinds = [sort.attributes[symbol.name][0] for sort in sorts if symbol.name in sort.attributes]
            return words.say("editor.attribute", type=_quoted(str(kinds[0]))) if kinds else ""
        case "option":
            return words.say("editor.option", decision=_quoted(symbol.owner))
        case "message" | "decision" | "book":
            return words.say(f"editor.{symbol.kind}")
        case "name" if declared is not None:
            return _declared(symbol, declared, words)
    return ""


def _declared(symbol: Symbol, declared: Occurrence, words: Translator) -> str:
    article = declared.article.new_article
    if article.name.text != symbol.name and isinstance(article, s.Cards | s.AddTo | s.Enumeration | s.Board | s.Shapes):
        return words.say("editor.value", sort=_quoted(article.name.text))
    return words.capital(words.say(f"plain.{article.sort_text}"))


def type_of(model: Model | None, declared: Occurrence | None) -> Type | None:
    """Return the type of a local name."""
    if model is None or declared is None:
        return None
    local = next((local for node, local in model.locals.items() if node.span == declared.node.span), None)
    return model.display_type(local) if local is not None else None


def written_change(article: s.Declaration) -> str:
    """Return a change as written."""
    return article.span.source.line(article.span.line).partition("#")[0].strip()


def shown_article(name: Occurrence) -> str:
    """Return the article that contains a name, as `rule take_turn`."""
    article = name.article.new_article
    if article.keyword == "change":
        return written_change(article)
    return article.sort_text if article.single else f"{article.sort_text} {article.name.text}"


def _quoted(text: str) -> Text:
    """Return text from files as inline code, in which Markdown has no effect."""
    return Text(f"`{' '.join(text.replace('`', ' ').split())}`")


def _plain(text: str) -> str:
    """Return text from files without Markdown markup."""
    return "".join(" " if c in "`*_[]<>\\\n" and c != "_" else c for c in text)


def _code(declared: Occurrence) -> str:
    """Return the lines of a declaration as a code block."""
    article, source = declared.article, declared.span.source
    lines = lines_of(source.text)
    first = declared.span.line
    end = first
    if isinstance(declared.article.new_article, s.Define | s.LookupTable) and first == article.name.span.line:
        while end < len(lines) and end < first + MAX_LINES - 1 and lines[end].startswith((" ", ")")):
            if lines[end].split()[:1] == ["source"]:
                break
            end += 1
    shown = "\n".join(line.rstrip() for line in lines[first - 1 : end]).strip().replace("```", "")
    return f"```game-rules\n{shown}\n```"


def _sentences(snapshot: Snapshot, name: Occurrence, declared: Occurrence | None, words: Translator) -> Iterator[str]:
    """Yield sentences about a name: generated from its rule, or its description or message text."""
    symbol, game, model = name.symbol, snapshot.text_scope, snapshot.model
    if model is None:
        return
    match symbol.kind:
        case "message" | "decision" | "option":
            prefix = {"message": "", "decision": "decision.", "option": f"decision.{symbol.owner}."}[symbol.kind]
            if words.has_message(f"{prefix}{symbol.name}", game):
                slots = words.slots(f"{prefix}{symbol.name}", game)
                values: dict[str, Value] = {slot: Text(f"‹{slot}›") for slot in slots}
                yield f"> {_plain(words.say(f'{prefix}{symbol.name}', game, **values))}"
        case "name" if snapshot.loaded.rules is not None:
            # Wrong rules cannot be verbalised.
            yield from _of_article(model, symbol.name, game or "", words)


def _of_article(model: Model, name: str, game: str, words: Translator) -> Iterator[str]:
    effects = [e for effects in model.code.effects.values() for e in effects if e.name.text == name]
    article = model.code.rules.get(name) or model.code.defines.get(name) or next(iter(effects), None)
    lines: list[SentenceUnit] = []
    if article is not None and _short(model, article, game, words):
        lines = list(islice(text_of(plan_of(model, article, words)[0], words, game), MAX_SENTENCES + 1))
    # A text with too many gaps would be useless.
    if lines and 2 * sum(line.unsaid for line in lines) < len(lines):
        shown = [f"{'  ' * line.depth}- {'…' if line.unsaid else _plain(line.text)}" for line in lines[:MAX_SENTENCES]]
        yield "\n".join([*shown, *(["- …"] if len(lines) > MAX_SENTENCES else [])])
    elif words.has_message(f"card.{name}", game) and not words.slots(f"card.{name}", game):
        yield f"> {_plain(words.say(f'card.{name}', game))}"


def _short(model: Model, article: s.Declaration, game: str, words: Translator) -> bool:
    """Return whether an article is short enough, with the rules that it calls and that have no text of their own."""
    waiting, nodes = [article], 0
    while waiting and nodes <= MAX_NODES:
        for node in walk(waiting.pop()):
            nodes += 1
            called = model.code.rules.get(node.name) if isinstance(node, s.Called) else None
            if called is not None and not words.has_message(f"rule.{called.name.text}", game):
                waiting.append(called)
    return nodes <= MAX_NODES


def _source(snapshot: Snapshot, declared: Occurrence, words: Translator) -> str:
    """Return the book and heading of an article."""
    model = snapshot.model
    titles = {book.name: book.title for book in model.merged.head.books} if model is not None else {}
    cited = [(s.book, *s.headings) for s in declared.article.new_article.sources if s.book is not None]
    citations = [Text(_plain(words.chain([titles.get(book, book), *headings]))) for book, *headings in cited]
    return words.say("editor.source", source=Listing(tuple(citations))) if citations else ""


def _used(snapshot: Snapshot, symbol: Symbol, declared: Occurrence, words: Translator) -> str:
    """Return which articles use a name."""
    if symbol.kind == "local":
        return ""
    others = [name for name in snapshot.everywhere.get(symbol, ()) if name.article is not declared.article]
    named = tuple(_quoted(place) for place in dict.fromkeys(map(shown_article, others)))
    if not named:
        return words.say("editor.unused")
    return words.say("editor.used", places=Listing(named[:MAX_PLACES], more=len(named) > MAX_PLACES))


def prepare(view: DocumentView, words: Translator) -> None:
    """Load texts in advance by describing each sort of name once."""
    seen: set[str] = set()
    for name in view.snapshot.names:
        sort = name.article.new_article.keyword if name.declares else name.symbol.kind
        if sort not in seen:
            seen.add(sort)
            hover(view, TextPosition(name.span.line, name.span.column), words)


# ---- inlay hints in a variant ----------------------------------------------------------------------------------------


#: Maximum length of a value in a hint.
MAX_HINT_LENGTH = 60


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A text that the editor shows at a position."""

    place: TextPosition
    text: str


def inlay_hints(view: DocumentView, words: Translator) -> tuple[InlayHint, ...]:
    """Return the hints of a file: beside each `set` of a variant the value that it replaces."""
    tree, base = view.snapshot.tree, view.snapshot.base
    hints = []
    for article in tree.articles if tree is not None and base is not None else ():
        value = _before(article, base) if base is not None else None
        if value is None or len(value) > MAX_HINT_LENGTH:
            continue
        line = view.shift.newer(article.span.line)
        text = view.lines[line - 1] if 0 < line <= len(view.lines) else ""
        # A line that is being edited may no longer set that value.
        if text == view.snapshot.lines[article.span.line - 1]:
            end = len(text.partition("#")[0].rstrip()) + 1
            hints.append(InlayHint(TextPosition(line, end), words.say("editor.before", value=Text(value))))
    return tuple(hints)


def _before(article: s.Declaration, base: MergedRules) -> str | None:
    """Return the value in the base that an article changes; None if it sets nothing, or nothing that the base has."""
    articles = {s.key_of(old): old for old in base.articles}
    name = article.name.text

    def parts(sort: s.Sort, part: s.Expression) -> list[Any]:
        old = articles.get((sort, name))
        return [p for p in old.listed_parts if p.part_name == part.part_text] if old is not None else []

    values: Iterable[str] = ()
    if isinstance(article, s.SetPlayers):
        values = (span_text(*(base.head.players or (1, 1))),)
    elif isinstance(article, s.SetBoxFact) and (fact := base.head.fact(article.fact.about)) is not None:
        values = (span_text(fact.low, fact.high),)
    elif isinstance(article, s.SetSetting):
        option = articles.get(("option", name))
        values = (_text(option.value),) if isinstance(option, s.Setting) else ()
    elif isinstance(article, s.SetCount) and ("track", name) in articles:
        values = (str(phase.spaces) for phase in parts("track", article.face))
    elif isinstance(article, s.SetCount):
        values = (str(sum(copies.count for copies in parts("deck", article.face))),)
    elif isinstance(article, s.SetCell):
        table, column = articles.get(("table", name)), article.keys[-1].part_text
        columns = table.column_names if isinstance(table, s.LookupTable) else []
        number = columns.index(column) if len(article.keys) > 1 and column in columns else 0
        values = (_text(row.cells[number]) for row in parts("table", article.keys[0]) if number < len(row.cells))
    elif isinstance(article, s.SetRow):
        values = (" ".join(map(_text, row.cells)) for row in parts("table", article.key))
    elif isinstance(article, s.SetStep):
        rule = articles.get((article.sort, name if article.sort in ("rule", "effect") else ""))
        steps = (
            (step for step in rule.steps if step.label == article.step.text) if isinstance(rule, s.Procedure) else ()
        )
        values = (_text(step.value) for step in steps if isinstance(step, s.Let | s.Assign))
    elif isinstance(article, s.SetOffered):
        offered = _offered(base, name, article.option.text)
        values = (_text(o.domain) for o in offered if o.name.text == article.parameter.text)
    return next(iter(values), None)


def _offered(base: MergedRules, decision: str, option: str) -> Iterator[s.OptionParameter]:
    """Yield the parameters of an option of a decision."""
    for article in base.articles:
        for title, options in offers(article):
            yield from (o for c in options if (title, c.name.text) == (decision, option) for o in c.parameters)


def _text(node: s.Node) -> str:
    """Return a value as written in its file."""
    if isinstance(node, s.Number | s.Truth):
        return node.part_text
    span = node.span
    line = span.source.line(span.line)
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None].strip()


# ---- outline ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutlineSymbol:
    """An outline entry: its name, its term for players, its sort, its whole span, and the span of its name.

    `sort` is that of an article, `value` for a name that an article lists, `choice` for a decision.
    """

    name: str
    detail: str
    sort: str
    whole: Span
    place: Span
    inside: tuple[OutlineSymbol, ...] = ()


def outline(view: DocumentView, words: Translator) -> tuple[OutlineSymbol, ...]:
    """Return the outline of a file, at current positions."""
    tree, game = view.snapshot.tree, view.snapshot.text_scope
    if tree is None or tree.head is None:
        return ()
    articles = sorted((tree.head, *tree.articles), key=lambda article: article.span.line)
    ends = [article.span.line - 1 for article in articles[1:]]
    entries = []
    for article, end in zip(articles, [*ends, len(view.snapshot.lines)], strict=True):
        last = _last(view.snapshot.lines, article.span.line, end)
        whole = Span(tree.span.source, article.span.line, 1, last, len(view.snapshot.lines[last - 1]) + 1)
        entries.append(_moved(_entry(article, whole, words, game), view.shift, view.lines))
    return tuple(entries)


def _last(lines: list[str], first: int, end: int) -> int:
    """Return the last line of an article without trailing comments, which belong to the next one."""
    while end > first and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return end


def _entry(article: s.Declaration, whole: Span, words: Translator, game: str | None) -> OutlineSymbol:
    article = article.new_article
    text, place, inside = article.name.text, article.name.span, _inside(article, words, game)
    detail = words.term(text, game) if words.has_term(text, game) else ""
    if isinstance(article, s.Setup | s.Play | s.Winner):
        return OutlineSymbol(article.keyword, "", article.keyword, whole, place, inside)
    if isinstance(article, s.Game | s.Variant):
        sort = "game"
    elif article.keyword == "change":
        text, sort = written_change(article), "change"
    else:
        sort = article.sort_text
    return OutlineSymbol(text, detail, sort, whole, place, inside)


def _inside(article: s.Declaration, words: Translator, game: str | None) -> tuple[OutlineSymbol, ...]:
    return tuple(
        OutlineSymbol(
            word.text, words.term(word.text, game) if words.has_term(word.text, game) else "", sort, whole, word.span
        )
        for word, sort, whole in _inner_names(article)
    )


def _inner_names(article: s.Declaration) -> Iterator[tuple[s.Word, str, Span]]:
    match article:
        case s.Enumeration() | s.Board() | s.Cards() | s.Shapes():
            yield from ((word, "value", word.span) for word in article.inner_names)
        case s.Procedure() | s.Insert():
            for node in walk(article.body):
                if isinstance(node, s.Decision):
                    place = node.name.span if node.name is not None else node.span
                    yield s.Word(place, title_of(node, article)), "choice", place


def _moved(entry: OutlineSymbol, shift: LineShift, lines: list[str]) -> OutlineSymbol:
    """Return an entry shifted to its current position."""

    def now(span: Span) -> Span:
        line, end = shift.newer(span.line), shift.newer(span.end_line)
        long = len(lines[end - 1]) if 0 < end <= len(lines) else 0
        return Span(span.source, line, span.column, max(line, end), min(span.end_column, long + 1))

    inside = tuple(_moved(part, shift, lines) for part in entry.inside)
    whole, place = now(entry.whole), now(entry.place)
    if (place.line, place.column) >= (whole.end_line, whole.end_column):
        place = Span(whole.source, whole.line, whole.column, whole.line, whole.column)
    return OutlineSymbol(entry.name, entry.detail, entry.sort, whole, place, inside)

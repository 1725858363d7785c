"""Hover text: the description of a name for authors of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.semantics import CardSort, Model, Type
from wongar_dsl.language.server.snapshot import DocumentView, Snapshot
from wongar_dsl.language.server.symbols import Occurrence, Symbol
from wongar_dsl.language.server.text_positions import TextPosition, lines_of
from wongar_dsl.nlg.prose.micro.plan_text import SentenceUnit, text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Listing, Text, Translator, Value

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
            kinds = [sort.attributes[symbol.name][0] for sort in _cards(model) if symbol.name in sort.attributes]
            return words.say("editor.attribute", type=_quoted(str(kinds[0]))) if kinds else ""
        case "option":
            return words.say("editor.option", decision=_quoted(symbol.owner))
        case "message" | "decision" | "book":
            return words.say(f"editor.{symbol.kind}")
        case "name" if declared is not None:
            return _declared(symbol, declared, words)
    return ""


def _declared(symbol: Symbol, declared: Occurrence, words: Translator) -> str:
    article = _article(declared)
    if article.name.text != symbol.name and isinstance(article, s.Cards | s.AddTo | s.Enumeration | s.Board | s.Shapes):
        return words.say("editor.value", sort=_quoted(article.name.text))
    return words.capital(words.say(f"plain.{article.kind if isinstance(article, s.Zone) else article.keyword}"))


def type_of(model: Model | None, declared: Occurrence | None) -> Type | None:
    """Return the type of a local name."""
    if model is None or declared is None:
        return None
    local = next((local for node, local in model.locals.items() if node.span == declared.node.span), None)
    return model.display_type(local) if local is not None else None


def _cards(model: Model | None) -> Sequence[CardSort]:
    return tuple(model.cards.values()) if model is not None else ()


def _article(name: Occurrence) -> s.Declaration:
    return name.article.article if isinstance(name.article, s.Replace) else name.article


def shown_article(name: Occurrence) -> str:
    """Return the article that contains a name, as `rule take_turn`."""
    article = _article(name)
    if article.keyword == "change":
        return article.span.source.line(article.span.line).partition("#")[0].strip()
    sort = article.kind if isinstance(article, s.Zone) else article.keyword
    return sort if article.single else f"{sort} {article.name.text}"


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
    if isinstance(_article(declared), s.Define | s.LookupTable) and first == article.name.span.line:
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
    cited = [(s.book, *s.headings) for s in _article(declared).sources if s.book is not None]
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
        sort = _article(name).keyword if name.declares else name.symbol.kind
        if sort not in seen:
            seen.add(sort)
            hover(view, TextPosition(name.span.line, name.span.column), words)

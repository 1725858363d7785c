"""Outline of a rule file: its articles, and their declarations and decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.server.snapshot import DocumentView
from wongar_dsl.language.server.symbols import title_of
from wongar_dsl.language.server.text_positions import LineShift
from wongar_dsl.nlg.words import Translator


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
    name = article.name
    detail = words.term(name.text, game) if words.has_term(name.text, game) else ""
    match article:
        case s.Game() | s.Variant():
            sort = "game"
        case s.Replace(article=inner):
            return _entry(inner, whole, words, game)
        case s.Setup() | s.Play() | s.Winner():
            return OutlineSymbol(article.keyword, "", article.keyword, whole, name.span, _inside(article, words, game))
        case _ if article.keyword == "change":
            return OutlineSymbol(_line(article), detail, "change", whole, name.span, _inside(article, words, game))
        case _:
            sort = article.kind if isinstance(article, s.Zone) else article.keyword
    return OutlineSymbol(name.text, detail, sort, whole, name.span, _inside(article, words, game))


def _line(article: s.Declaration) -> str:
    """Return a change as written."""
    return article.span.source.line(article.span.line).partition("#")[0].strip()


def _inside(article: s.Declaration, words: Translator, game: str | None) -> tuple[OutlineSymbol, ...]:
    return tuple(
        OutlineSymbol(
            word.text, words.term(word.text, game) if words.has_term(word.text, game) else "", sort, whole, word.span
        )
        for word, sort, whole in _parts(article)
    )


def _parts(article: s.Declaration) -> Iterator[tuple[s.Word, str, Span]]:
    match article:
        case s.Enumeration(values=values):
            yield from ((word, "value", word.span) for word in values)
        case s.Board(rows=rows):
            yield from ((word, "value", word.span) for row in rows for word in row)
        case s.Cards(faces=faces):
            yield from ((face.name, "value", face.name.span) for face in faces)
        case s.Shapes(drawings=drawings):
            yield from ((drawing.name, "value", drawing.name.span) for drawing in drawings)
        case s.Procedure() | s.Insert():
            for node in walk(article.body):
                if isinstance(node, s.Choose | s.ChooseSimultaneously):
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

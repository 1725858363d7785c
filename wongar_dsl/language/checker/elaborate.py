"""Elaboration: builds the typed declarations of a model from checked articles.

Except for `collect_code`, it assumes rules without errors, in which every name is resolved.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.checker.references import each_type
from wongar_dsl.language.semantics import (
    CodeDeclarations,
    DeckDecl,
    Declarations,
    FigureDecl,
    PathsDecl,
    RememberDecl,
    ScoreDecl,
    Type,
    ZoneDecl,
)


def collect_code(context: CheckContext) -> CodeDeclarations:
    """Collect all articles with a body; also works for rules with errors."""
    model = context.model
    articles = tuple(a for a in model.articles.values() if isinstance(a, s.Procedure | s.Define | s.Winner))
    effects = [a for a in articles if isinstance(a, s.Effect)]
    return CodeDeclarations(
        articles=articles,
        main_procedures=tuple(a for sort in (s.Setup, s.Play) for a in articles if isinstance(a, sort)),
        remembered={a.name.text: a for a in model.articles.values() if isinstance(a, s.Remember)},
        rules={a.name.text: a for a in articles if isinstance(a, s.Rule)},
        effects={
            name: tuple(effect for effect in effects if effect.name.text in cards.kinds)
            for name, cards in model.cards.items()
        },
        defines={a.name.text: a for a in articles if isinstance(a, s.Define)},
        winner=next((a for a in articles if isinstance(a, s.Winner)), None),
    )


def collect_declarations(context: CheckContext) -> Declarations:
    """Build all declarations of a game without errors."""
    model = context.model
    articles = list(model.articles.values())
    return Declarations(
        zones={a.name.text: _zone(context, a) for a in articles if isinstance(a, s.Zone)},
        figures={
            a.name.text: FigureDecl(
                a.name.text, a.name.span, model.figures.index(a.name.text), a.board.text if a.board else None, a.held
            )
            for a in articles
            if isinstance(a, s.Figure)
        },
        remembered={a.name.text: _remembered(context, a) for a in articles if isinstance(a, s.Remember)},
        scores={
            a.name.text: ScoreDecl(a.name.text, a.name.span, Type("enum", a.by.text) if a.by is not None else None)
            for a in articles
            if isinstance(a, s.Score)
        },
        decks={
            a.name.text: DeckDecl(
                a.name.text,
                a.name.span,
                Type("cards", a.cards.text),
                tuple((model.refs[c.face].number, c.count) for c in a.copies),
            )
            for a in articles
            if isinstance(a, s.Deck)
        },
        paths={
            a.name.text: PathsDecl(
                a.name.text,
                a.name.span,
                model.tables[a.name.text].keys[0],
                a.number.text if a.number is not None else None,
            )
            for a in articles
            if isinstance(a, s.Paths)
        },
        spans={a.name.text: a.name.span for a in articles},
        shown=dict(_shown(model.merged.head, articles)),
    )


def _zone(context: CheckContext, article: s.Zone) -> ZoneDecl:
    model = context.model
    kinds = {word.text for word in article.never}
    holds = context.zone_content(article)
    return ZoneDecl(
        article.name.text,
        article.name.span,
        article.kind,
        tuple(each_type(context, word) for word in article.each),
        holds,
        article.seen,
        article.capacity,
        tuple(i for i, face in enumerate(model.cards[holds.name].faces) if face.kind in kinds) if kinds else (),
        article.board.text if article.board is not None else None,
    )


def _remembered(context: CheckContext, article: s.Remember) -> RememberDecl:
    low, high = (s.written_number(e) if e is not None else None for e in (article.type.low, article.type.high))
    return RememberDecl(
        article.name.text,
        article.name.span,
        tuple(each_type(context, word) for word in article.each),
        context.type_of(article.type),
        range(low, high + 1) if low is not None and high is not None else None,
        article.seen,
        article.quiet,
    )


def _shown(head: s.Declaration, articles: list[s.Declaration]) -> Iterator[tuple[str, Span]]:
    """Yield the names that players see, each with the span of its declaration."""
    words: list[s.Word] = [head.name]
    for article in articles:
        match article:
            case s.Enumeration(values=values):
                words += values
            case s.Board(rows=rows):
                words += (article.name, *(word for row in rows for word in row))
            case s.Cards(faces=faces):
                words += (article.name, *(face.name for face in faces))
            case s.Figure() | s.Zone() | s.Score() | s.Track():
                words.append(article.name)
            case _:
                pass
    yield from ((word.text, word.span) for word in words)

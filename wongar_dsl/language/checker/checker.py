"""Entry point of the checker: runs all checks on merged rules and builds the model.

All errors of a game are reported at once. A wrong part gets the type `unknown`, which fits everywhere, so that each
mistake is reported only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label, Severity
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.checker.context import A, CheckContext, ModelBuilder, each_type
from wongar_dsl.language.checker.declarations import check_layout, check_paths, check_tables, declare_all
from wongar_dsl.language.checker.expressions import MAX_COUNT, check_range, check_value, define
from wongar_dsl.language.checker.game_checks import (
    check_endings,
    check_purity,
    check_sizes,
    check_whole_game,
    find_directions,
)
from wongar_dsl.language.checker.statements import check_messages, check_procedure
from wongar_dsl.language.dataflow.effects import CallGraph
from wongar_dsl.language.semantics import (
    NUMBER,
    PLAYER,
    CodeDeclarations,
    DeckDecl,
    Declarations,
    FigureDecl,
    Model,
    PathsDecl,
    RememberDecl,
    ScoreDecl,
    Type,
    ZoneDecl,
)
from wongar_dsl.language.semantics.builtins import REFERENCES
from wongar_dsl.language.variants.merge import MergedRules

D = TypeVar("D")

# ---- typed declarations ----------------------------------------------------------------------------------------------
#
# Except for `collect_code`, it assumes rules without errors, in which every name is resolved.


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

    def named(sort: type[A], new: Callable[[A], D]) -> dict[str, D]:
        return {article.name.text: new(article) for article in model.all_of(sort)}

    def each(words: tuple[s.Word, ...]) -> tuple[Type, ...]:
        return tuple(each_type(context, word) for word in words)

    def zone(a: s.Zone) -> ZoneDecl:
        holds, kinds = context.zone_content(a), {word.text for word in a.never}
        faces = model.cards[holds.name].faces if kinds else ()
        never = tuple(number for number, face in enumerate(faces) if face.kind in kinds)
        board = _text(a.board)
        return ZoneDecl(a.name.text, a.name.span, a.kind, each(a.each), holds, a.seen, a.capacity, never, board)

    def figure(a: s.Figure) -> FigureDecl:
        return FigureDecl(a.name.text, a.name.span, model.figures.index(a.name.text), _text(a.board), a.held)

    def remember(a: s.Remember) -> RememberDecl:
        low, high = (s.written_number(e) if e is not None else None for e in (a.type.low, a.type.high))
        numbers = range(low, high + 1) if low is not None and high is not None else None
        value_type = context.type_of(a.type)
        return RememberDecl(a.name.text, a.name.span, each(a.each), value_type, numbers, a.seen, a.quiet)

    def score(a: s.Score) -> ScoreDecl:
        return ScoreDecl(a.name.text, a.name.span, Type("enum", a.by.text) if a.by is not None else None)

    def deck(a: s.Deck) -> DeckDecl:
        copies = tuple((model.refs[c.face].number, c.count) for c in a.copies)
        return DeckDecl(a.name.text, a.name.span, Type("cards", a.cards.text), copies)

    def paths(a: s.Paths) -> PathsDecl:
        return PathsDecl(a.name.text, a.name.span, model.tables[a.name.text].keys[0], _text(a.number))

    articles = list(model.articles.values())
    return Declarations(
        zones=named(s.Zone, zone),
        figures=named(s.Figure, figure),
        remembered=named(s.Remember, remember),
        scores=named(s.Score, score),
        decks=named(s.Deck, deck),
        paths=named(s.Paths, paths),
        spans={a.name.text: a.name.span for a in articles},
        shown=dict(_shown(model.merged.head, articles)),
    )


def _text(word: s.Word | None) -> str | None:
    return word.text if word is not None else None


def _shown(head: s.Declaration, articles: list[s.Declaration]) -> Iterator[tuple[str, Span]]:
    """Yield the names that players see, each with the span of its declaration."""
    yield head.name.text, head.name.span
    for article in articles:
        own = (article.name,) if isinstance(article, s.Board | s.Cards | s.Figure | s.Zone | s.Score | s.Track) else ()
        inner = article.inner_names if isinstance(article, s.Enumeration | s.Board | s.Cards) else ()
        yield from ((word.text, word.span) for word in (*own, *inner))


# ---- order of the checks ---------------------------------------------------------------------------------------------
#
# All errors of a game are reported at once. A wrong part gets the type `unknown`, which fits everywhere, so that each
# mistake is reported only once.


#: Number of further uses of an unknown name that a diagnostic points at.
MAX_FURTHER_USES = 3


def check_game(
    merged: MergedRules, reserved: frozenset[str], lines_only: bool = False
) -> tuple[Model, tuple[Diagnostic, ...]]:
    """Check a game; return its model and the diagnostics.

    `reserved` are the keywords of the grammar. The model is complete, with its declarations, only if there is no error.
    With `lines_only`, only the names and types of each line are checked, not what they do to the rest of the game.
    """
    context = CheckContext(ModelBuilder(merged), reserved)
    declare_all(context)
    context.code = collect_code(context)
    check_tables(context)
    check_paths(context)
    _check_storage(context)
    for article in context.model.articles.values():
        if isinstance(article, s.Procedure):
            check_procedure(context, article)
        elif isinstance(article, s.Define):
            define(context, article)
    winner = context.model.article(s.Winner)
    if winner is not None:
        context.article = winner
        context.scopes = [{}]
        context.bind(winner.name, PLAYER)
        for line in winner.ranking:
            check_value(context, line.measure, NUMBER)
    if not lines_only:
        find_directions(context)
    check_messages(context)
    if not lines_only:
        calls = CallGraph(context.model, context.code)
        check_whole_game(context, calls)
        check_purity(context)
        check_sizes(context, calls)
        check_endings(context)
    order = sorted(
        context.diagnostics, key=lambda d: (d.span.source.name, d.span.line, d.span.column) if d.span else ("", 0, 0)
    )
    is_valid = not lines_only and not any(d.severity is Severity.ERROR for d in context.diagnostics)
    declared = collect_declarations(context) if is_valid else Declarations()
    return context.model.finished(context.code, declared), tuple(_without_repetitions(order))


def _without_repetitions(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Drop repetitions, such as those from a definition that is used many times."""
    seen: dict[tuple[str, object, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        seen.setdefault((diagnostic.code, diagnostic.span, str(dict(diagnostic.arguments))), diagnostic)
    errors = [d for d in seen.values() if d.severity is Severity.ERROR]
    # Warnings about unused or missing parts mean nothing if errors kept parts from being read.
    ignored_codes = {"R0204"} if errors else set()
    if any(d.hint is not None and d.hint.name == "only_one" for d in errors):
        ignored_codes |= {"R0415", "R0422"}
    return [d for d in seen.values() if d.code not in ignored_codes]


def merge_unknown_names(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Merge the diagnostics of an unknown name in a file into one that shows its first uses."""
    unknown: dict[object, list[Diagnostic]] = {}
    for number, d in enumerate(diagnostics):
        named = (d.arguments["name"], d.span.source.name) if d.code == "R0201" and d.span is not None else number
        unknown.setdefault(named, []).append(d)
    for first, *others in unknown.values():
        places = {d.span.line: d.span for d in reversed(others) if d.span is not None}
        places.pop(first.span.line if first.span is not None else 0, None)
        near = next((d.suggestion for d in (first, *others) if d.suggestion is not None), None)
        labels = (*first.labels, *(Label(places[line], "used") for line in sorted(places)[:MAX_FURTHER_USES]))
        yield replace(first, labels=labels, suggestion=near) if others else first


def _check_storage(context: CheckContext) -> None:
    """Check declarations of game state (zones, remembered values, scores), and the ranges of written types."""
    context.scopes = [{}]
    for article in context.model.all_of(s.Zone):
        _check_indices(context, article.each)
        facts = article.traits
        expected_kind = facts.holds
        declared = context.names.get(article.holds.text)
        if declared is None or declared.kind != expected_kind:
            names = [a.name.text for a in context.model.all_of(s.Enumeration if expected_kind == "enum" else s.Cards)]
            context.report_unknown(article.holds, article.holds.text, names)
        else:
            context.used.add(article.holds.text)
        for word in article.never:
            kind = context.names.get(word.text)
            if kind is None or kind.kind != "facekind":
                context.report_unknown(word, word.text, context.names_of("facekind"))
        if article.capacity is not None and not facts.bounded:
            context.report("R0416", article, statement="at most")
        elif article.capacity is not None and article.capacity < 1:
            hint = Hint("at_least_one")
            context.report("R0305", article, hint=hint, value=article.capacity, low=1, high=MAX_COUNT)
        check_layout(context, article)
        if article.seen == "owner" and not any(w.text == "player" for w in article.each):
            context.report("R0416", article, statement="seen by owner")
    for remember in context.model.all_of(s.Remember):
        _check_indices(context, remember.each)
        value_type = context.type_of(remember.type)
        if remember.start is not None:
            check_value(context, remember.start, value_type)
            _check_is_constant(context, remember.start)
            _start_in_range(context, remember.start, remember.type)
    for written in _written_types(context):
        if written.low is not None and written.high is not None:
            check_range(context, written.low, written.high)
    for score in context.model.all_of(s.Score):
        if score.by is not None:
            by = context.type_of(s.TypeName(score.by.span, score.by.text))
            context.expect(score.by, by if by.kind == "enum" else Type("enum"), by)


def _written_types(context: CheckContext) -> Iterator[s.TypeName]:
    """Yield the types of remembered values, of parameters, and of what rules give."""
    for article in context.model.articles.values():
        if isinstance(article, s.Remember):
            yield article.type
        elif isinstance(article, s.Procedure | s.Define):
            yield from (p.type for p in article.parameters)
            if isinstance(article, s.Procedure) and article.gives is not None:
                yield article.gives


def _start_in_range(context: CheckContext, start: s.Expression, written: s.TypeName) -> None:
    """Check that a written start value lies between written bounds."""
    value, low, high = (s.constant_number(e) if e is not None else None for e in (start, written.low, written.high))
    if value is not None and low is not None and high is not None and low <= high and not low <= value <= high:
        context.report("R0305", start, value=value, low=low, high=high)


def _check_is_constant(context: CheckContext, e: s.Expression) -> None:
    """Check that a start value is constant."""
    for node in walk(e):
        ref = context.model.refs.get(node)
        constant = ref is None or REFERENCES[ref.kind].constant
        if not constant or isinstance(node, s.Quantified | s.CountOf | s.Conditional | s.Empty | s.Logical | s.Compare):
            context.report("R0203", e, name=e.part_text, found="expression", expected=("value",))
            return


def _check_indices(context: CheckContext, words: tuple[s.Word, ...]) -> None:
    """Check that a zone or value is indexed (`of each`) by types with a fixed number of values."""
    for word in words:
        kind = PLAYER if word.text == "player" else context.type_of(s.TypeName(word.span, word.text))
        if kind.kind not in ("player", "enum", "board", "cards", "unknown"):
            sort = kind.kind if kind.kind in ("figure", "coverings") else "value"
            expected = ("player", "enum", "board", "cards")
            context.report("R0203", word, name=word.text, found=sort, expected=expected)

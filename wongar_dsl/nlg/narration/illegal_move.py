"""Explanation of an illegal move: the failing condition in words, and the rule that contains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from wongar_dsl.base.span import Span
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.compiler import ir
from wongar_dsl.engine import IllegalMove, Move, State, notation
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.words import Listing, Text, quoted

if TYPE_CHECKING:
    from wongar_dsl.nlg.narration.illegal_move_reasons import IllegalMoveReason

#: Maximum number of different reasons that explain one text.
MAX_REASONS = 3

#: The sources of each explanation, by its sentence.
_Explanations = dict[str, list[str]]


def explain(error: IllegalMove, state: State, narrator: Narrator, reader: int | None = None) -> list[str]:
    """Explain an illegal move: a sentence, and the source of the rule; empty if the text names no option.

    `reader` is the addressed seat: it reads the rulebook, others names, lines and conditions of the rule file.
    """
    say, decision = narrator.words.say, state.decision
    if error.reason == "over" or decision is None:
        return [say("engine.illegal.over")]
    move = _move_of(error, state)
    if move is None:
        return []
    return _explanation(error, move, _reason_of(error, move, state, narrator, reader), state, narrator, reader)


def explain_nearest(errors: Sequence[IllegalMove], state: State, narrator: Narrator, reader: int) -> list[str]:
    """Explain illegal moves that a text can mean as `explain` does, by those that fulfil the most conditions.

    A move that no position permits explains nothing if another one is permitted in some. Of different reasons, the
    first `MAX_REASONS` are given.
    """
    by_number: dict[int, list[IllegalMove]] = {}
    for error in errors:
        by_number.setdefault(_fulfilled(error, state), []).append(error)
    nearest: _Explanations = {}
    for fulfilled in sorted(by_number, reverse=True):
        permitted, explanations = _deepest(by_number[fulfilled], state, narrator, reader)
        nearest = explanations if permitted else nearest or explanations
        if permitted:
            break
    reasons = list(nearest)[:MAX_REASONS]
    return [" ".join(reasons), *dict.fromkeys(chain(*(nearest[reason] for reason in reasons)))] if reasons else []


def _deepest(
    errors: Sequence[IllegalMove], state: State, narrator: Narrator, reader: int
) -> tuple[bool, _Explanations]:
    """Return the explanations of the moves that fulfil most of a condition, and whether a position permits them."""
    by_rank: dict[tuple[bool, tuple[int, ...]], _Explanations] = {}
    for error in errors:
        move = _move_of(error, state)
        if move is not None:
            reason = _reason_of(error, move, state, narrator, reader)
            rank = (True, ()) if reason is None else (not reason.lasting, reason.depth)
            for sentence, *rest in filter(None, [_explanation(error, move, reason, state, narrator, reader)]):
                by_rank.setdefault(rank, {})[sentence] = rest
    deepest = max(by_rank, default=None)
    return (False, {}) if deepest is None else (deepest[0], by_rank[deepest])


def _fulfilled(error: IllegalMove, state: State) -> int:
    """Return how many conditions of its option an illegal move fulfils before the one that excludes it."""
    assert state.decision is not None
    checks = next((option.checks for option in state.decision.options if option.name == error.option), ())
    return len(checks) if error.check is None else checks.index(error.check)


def _explanation(
    error: IllegalMove,
    move: Move,
    reason: IllegalMoveReason | None,
    state: State,
    narrator: Narrator,
    reader: int | None,
) -> list[str]:
    """Return the sentence for an illegal move, with its reason if there are words for that, and the sources."""
    say = narrator.words.say
    if error.check is None:
        # Every condition holds, so the option was chosen before; options not yet chosen come first.
        return [say("reason.again")] if error.reason == "condition" else []
    if reason is not None:
        return [reason.text, *sources(state.game.model, reason.places, narrator, reader)]
    span = error.check.span
    rule = narrator.sentence_at(span) if reader is not None else None
    name = "rule" if rule is not None else "argument" if error.check.member else "condition"
    option = Text(escape_line(narrator.option(state, move)))
    sentence = say(f"engine.illegal.{name}", text=option, condition=quoted(rule or span.text))
    return [sentence, *sources(state.game.model, (span,), narrator, reader)]


def reason_for_illegal_move(error: IllegalMove, state: State, narrator: Narrator) -> IllegalMoveReason | None:
    """Return the reason for an illegal move in the words of the rules, or None if there are no words for it."""
    move = _move_of(error, state)
    return None if move is None else _reason_of(error, move, state, narrator, None)


def _move_of(error: IllegalMove, state: State) -> Move | None:
    """Return the illegal move; None if the text names no option."""
    if state.decision is None:
        return None
    raw = notation.read(state.game.model, state.decision, error.text, state.game.seats)
    return None if raw is None else Move.from_raw(raw)


def _reason_of(
    error: IllegalMove, move: Move, state: State, narrator: Narrator, reader: int | None
) -> IllegalMoveReason | None:
    if error.check is None:
        return None
    # Imported late: finding the reason needs the compiler, which is slow to import.
    from wongar_dsl.nlg.narration.illegal_move_reasons import illegal_move_reason

    return illegal_move_reason(narrator, state, move, error.check, reader)


def sources(model: Model, places: Sequence[Span], narrator: Narrator, reader: int | None = None) -> list[str]:
    """Return the declarations that contain some spans as in a log, for a player the sections, and their citations."""
    by_article = {article: span for span in reversed(places) if (article := article_at(model, span)) is not None}
    articles = [ir.SourceOrigin(article.name.text, span) for article, span in reversed(by_article.items())]
    cited = (line for article in reversed(by_article) for line in citations(model, article, narrator))
    named = narrator.articles(articles) if reader is None else narrator.sections(articles)
    return [*filter(None, [named]), *dict.fromkeys(cited)]


def article_at(model: Model, span: Span) -> s.Declaration | None:
    """Return the declaration that contains a span, even if the span is in the file of a variant."""
    for article in model.merged.articles:
        if any(node.span == span for node in s.walk(article)):
            return article
    before = [
        a for a in model.merged.articles if a.span.source.name == span.source.name and a.span.line <= span.line
    ]  # fmt: skip
    return max(before, key=lambda a: a.span.line, default=None)


def citations(model: Model, article: s.Declaration, narrator: Narrator) -> Iterator[str]:
    """Yield the cited sources of a declaration in words."""
    titles = {b.name: b.title for b in model.merged.head.books}
    for source in article.sources:
        book = Text(escape_line(titles.get(source.book or "", source.book or "")))
        headings = Listing(tuple(Text(narrator.words.say("engine.quoted", text=quoted(h))) for h in source.headings))
        end = "" if source.book is None else ".headings" if source.headings else ".book"
        yield narrator.words.say(f"engine.source.{source.kind}{end}", book=book, headings=headings)

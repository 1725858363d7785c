"""Rule coverage: the lines of rules that no case and no random game reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from wongar_dsl.base.span import Source, Span
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.backends.rng import Generator, Purpose
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.bots.protocol import playout
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model

#: Position in the rules by which a mark is looked up: text of the file, line and column.
RulePosition = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class MissedLines:
    """Consecutive lines of an article that were not reached; `whole`: the article has no other lines."""

    article: Span
    first: int
    last: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of a file: number of lines with executable rules, number of those reached, and the missed ranges."""

    lines: int
    reached: int
    missed: tuple[MissedLines, ...]


def reached_marks(games: Iterable[Game]) -> set[RulePosition]:
    """Return the positions that marked games have reached so far."""
    return {mark_position(game.program.marks[number]) for game in games for number in game.backend.reached_marks}


def articles_by_position(model: Model) -> dict[RulePosition, s.Procedure | s.Define | s.Winner]:
    """Return the article of each position that is tracked."""
    return {mark_position(step): article for article in model.code.articles for _, step in _tracked_spans(article)}


@dataclass(frozen=True, slots=True)
class CoveredPart:
    """Coverage of one article in one file.

    It gives the number of lines, of unreached lines, the missed ranges, and the positions by line.
    """

    article: s.Procedure | s.Define | s.Winner
    lines: int
    unreached: int
    missed: tuple[MissedLines, ...]
    positions: Mapping[int, frozenset[RulePosition]]


def covered_parts(model: Model, source: Source, reached: set[RulePosition]) -> Iterator[CoveredPart]:
    """Yield the coverage of each article with lines in a file.

    A line counts as missed if any step that begins there was not reached.
    """
    for article in model.code.articles:
        spans_and_positions = [
            (span, mark_position(step)) for span, step in _tracked_spans(article) if span.source.text == source.text
        ]
        if spans_and_positions:
            line_numbers = sorted({span.line for span, _ in spans_and_positions})
            positions = {
                line: frozenset(position for span, position in spans_and_positions if span.line == line)
                for line in line_numbers
            }
            absent = {span.line for span, position in spans_and_positions if position not in reached}
            missed = tuple(_missed_ranges(article.span, line_numbers, absent))
            yield CoveredPart(article, len(line_numbers), len(absent), missed, positions)


def coverage(model: Model, source: Source, reached: set[RulePosition]) -> Coverage:
    """Return the coverage of one file of some rules."""
    file_parts = list(covered_parts(model, source, reached))
    lines = sum(part.lines for part in file_parts)
    missed = sorted((run for part in file_parts for run in part.missed), key=lambda run: run.first)
    return Coverage(lines, lines - sum(part.unreached for part in file_parts), tuple(missed))


def _tracked_nodes(article: s.Procedure | s.Define | s.Winner) -> Iterator[s.Node]:
    """Yield the parts of an article whose execution is tracked."""
    if not isinstance(article, s.Procedure):
        yield article
        return
    for node in s.walk(article.body):
        # `impossible` marks code that is not meant to be reached.
        if isinstance(node, s.Statement | s.Option) and not (
            isinstance(node, s.KeywordStatement) and node.word == "impossible"
        ):
            yield node


def _tracked_spans(article: s.Procedure | s.Define | s.Winner) -> Iterator[tuple[Span, Span]]:
    """Yield the spans of an article's parts, each with the span of the tracked part that covers it.

    A variant may have written only a value, a domain or a condition of a step or option of its base.
    """
    for node in _tracked_nodes(article):
        yield node.span, node.span
        written_parts: tuple[s.Node | None, ...] = ()
        match node:
            case s.Let(value=value) | s.Assign(value=value):
                written_parts = (value,)
            case s.Option(parameters=offered, condition=condition):
                written_parts = (*(parameter.domain for parameter in offered), condition)
        for part in written_parts:
            if part is not None and part.span.source.text != node.span.source.text:
                yield part.span, node.span


def _missed_ranges(article: Span, wanted: list[int], absent: set[int]) -> Iterator[MissedLines]:
    if absent and len(absent) == len(wanted):
        yield MissedLines(article, wanted[0], wanted[-1], True)
        return
    first = None
    for index, line in enumerate(wanted):
        if line in absent:
            first = first if first is not None else line
            if index + 1 == len(wanted) or wanted[index + 1] not in absent:
                yield MissedLines(article, first, line, False)
                first = None


def mark_position(span: Span) -> RulePosition:
    """Return the lookup key of a mark."""
    return span.source.text, span.line, span.column


def play_random_games(
    make: Callable[[int], Game], seats: tuple[int, int], count: int, should_stop: Callable[[], bool]
) -> tuple[list[Game], int]:
    """Play random games, with each number of seats in turn, until `should_stop`; return the games and the number of
    playouts.

    Playout number n has seed n.
    """
    low, high = seats
    games: dict[int, Game] = {}
    for number in range(count):
        if should_stop():
            return list(games.values()), number
        seat_count = low + number % (high - low + 1)
        game = games[seat_count] = games.get(seat_count) or make(seat_count)
        try:
            playout(State(game, game.backend.start(number)), Generator(number, Purpose.BOT))
        except RuleFault:
            continue  # the positions reached before the fault count
    return list(games.values()), count

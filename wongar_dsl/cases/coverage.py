"""What of the rules nobody came to: no case, and no game played at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.backends.chance import Generator, Purpose
from wongar_dsl.backends.protocol import RuleFault
from wongar_dsl.bots.playouts import playout
from wongar_dsl.engine import Game, State
from wongar_dsl.model import Model
from wongar_dsl.text.span import Source, Span

Spot = tuple[str, int, int]
"""Where something stands: the text of its file, the line and the column."""


@dataclass(frozen=True, slots=True)
class Missed:
    """Lines of an article that nobody came to, one after the other; `whole`: there are no others in it."""

    article: Span
    first: int
    last: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many lines of a file say what is done, how many of them were come to, and which were not."""

    lines: int
    reached: int
    missed: tuple[Missed, ...]


def reached(games: Iterable[Game]) -> set[Spot]:
    """What marked games have come to, in all that was played with them."""
    return {spot(game.program.marks[number]) for game in games for number in game.backend.reached}


@dataclass(frozen=True, slots=True)
class Part:
    """What stands in one file of an article that says what is done: how many lines, those that nobody came to, and
    the spots of the steps that begin in them, by line."""

    article: s.Procedure | s.Define | s.Winner
    lines: int
    unreached: int
    missed: tuple[Missed, ...]
    spots: Mapping[int, frozenset[Spot]]


def parts(model: Model, source: Source, found: set[Spot]) -> Iterator[Part]:
    """The articles as far as they stand in a file; a line counts as missed as soon as something that begins there
    is."""
    for article in model.code.articles:
        there = [(at, spot(step)) for at, step in _places(article) if at.source.text == source.text]
        if there:
            wanted = sorted({at.line for at, _ in there})
            spots = {line: frozenset(where for at, where in there if at.line == line) for line in wanted}
            absent = {at.line for at, where in there if where not in found}
            missed = tuple(_runs(article.span, wanted, absent))
            yield Part(article, len(wanted), len(absent), missed, spots)


def coverage(model: Model, source: Source, found: set[Spot]) -> Coverage:
    """What of a file of some rules was come to."""
    there = list(parts(model, source, found))
    lines = sum(part.lines for part in there)
    missed = sorted((run for part in there for run in part.missed), key=lambda run: run.first)
    return Coverage(lines, lines - sum(part.unreached for part in there), tuple(missed))


def _told_apart(article: s.Procedure | s.Define | s.Winner) -> Iterator[s.Node]:
    """The parts of an article of which it is noted whether a run comes to them."""
    if not isinstance(article, s.Procedure):
        yield article
        return
    for node in s.walk(article.body):
        # Nobody is meant to come to what is impossible.
        if isinstance(node, s.Statement | s.Choice) and not (isinstance(node, s.Simple) and node.word == "impossible"):
            yield node


def _places(article: s.Procedure | s.Define | s.Winner) -> Iterator[tuple[Span, Span]]:
    """Where the parts of an article stand, and what a run comes to there.

    Of a step or option of its base, a variant may have written no more than a value, an offer or a condition.
    """
    for node in _told_apart(article):
        yield node.span, node.span
        own: tuple[s.Node | None, ...] = ()
        match node:
            case s.Let(value=value) | s.Assign(value=value):
                own = (value,)
            case s.Choice(parameters=offered, condition=condition):
                own = (*(parameter.domain for parameter in offered), condition)
        for part in own:
            if part is not None and part.span.source.text != node.span.source.text:
                yield part.span, node.span


def _runs(article: Span, wanted: list[int], absent: set[int]) -> Iterator[Missed]:
    """The missed lines of an article; what stands one after the other is one."""
    if absent and len(absent) == len(wanted):
        yield Missed(article, wanted[0], wanted[-1], True)
        return
    first = None
    for at, line in enumerate(wanted):
        if line in absent:
            first = first if first is not None else line
            if at + 1 == len(wanted) or wanted[at + 1] not in absent:
                yield Missed(article, first, line, False)
                first = None


def spot(span: Span) -> Spot:
    """Where a mark stands, so that it can be looked up."""
    return span.source.text, span.line, span.column


def play_out(
    make: Callable[[int], Game], seats: tuple[int, int], count: int, late: Callable[[], bool]
) -> tuple[list[Game], int]:
    """Games played at random, of which each has a seed of its own, with each number of seats in turn; and how many
    there were before it was late."""
    low, high = seats
    games: dict[int, Game] = {}
    for number in range(count):
        if late():
            return list(games.values()), number
        around = low + number % (high - low + 1)
        game = games[around] = games.get(around) or make(around)
        try:
            playout(State(game, game.backend.start(number)), Generator(number, Purpose.BOT))
        except RuleFault:
            continue  # How far it came is told all the same.
    return list(games.values()), count

"""`wongar test --coverage`: rule lines that neither the cases nor random playouts reach."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from wongar_dsl.base.span import Source
from wongar_dsl.base.text.terminal import escape_line
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.coverage import Coverage, MissedLines, coverage, play_random_games, reached_marks
from wongar_dsl.nlg.words import Text, Translator

#: Default number of random playouts, and the limit in seconds of processor time for the playouts of one game.
PLAYOUTS, MAX_CPU_S = 20, 5.0


class CoverageReport:
    """Coverage of the games that cases are run with."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._rules: dict[str, Rules] = {}
        self._games: list[Game] = []

    def game(self, rules: Rules, seats: int, settings: Mapping[str, int]) -> Game:
        """Return an instrumented game to run cases with."""
        self._rules[rules.hash] = rules
        self._games.append(rules.marked(seats, settings, self._backend))
        return self._games[-1]

    def report(self, words: Translator, playouts: int | None) -> Iterator[str]:
        """Yield the lines of the report: coverage by the cases, then by random playouts.

        Without a number, as many of the default number are played as the time limit allows.
        """
        marks = reached_marks(self._games)
        for rules, source in self._sources():
            yield ""
            yield from _coverage_lines(words, "cases", source, coverage(rules.model, source, marks))
        for rules in self._rules.values() if playouts != 0 else ():
            sources = [source for source in _own(rules) if coverage(rules.model, source, set()).lines]
            games, played = self._played(rules, playouts) if sources else ([], 0)
            marks = reached_marks(games)
            for source in sources:
                yield ""
                yield from _coverage_lines(words, "games", source, coverage(rules.model, source, marks), played)

    def _played(self, rules: Rules, playouts: int | None) -> tuple[list[Game], int]:
        """Play random playouts of a game; return the instrumented games and the number of playouts."""
        end = time.process_time() + MAX_CPU_S

        def late() -> bool:
            return playouts is None and time.process_time() > end

        def marked(seats: int) -> Game:
            return rules.marked(seats, backend=self._backend)

        return play_random_games(marked, rules.model.players, playouts or PLAYOUTS, late)

    def _sources(self) -> Iterator[tuple[Rules, Source]]:
        """Yield each source file that the cases test once, with its rules."""
        seen: set[str] = set()
        for rules in self._rules.values():
            for source in _own(rules):
                if source.text not in seen:
                    seen.add(source.text)
                    yield rules, source


def _own(rules: Rules) -> tuple[Source, ...]:
    """Return the sources of the rules; for a variant, without those of its base."""
    return rules.sources[1:] or rules.sources


def _coverage_lines(words: Translator, kind: str, source: Source, found: Coverage, games: int = 0) -> Iterator[str]:
    if not found.lines:
        yield words.say("coverage.nothing", None, file=Text(escape_line(source.name)))
        return
    reached_count, lines = Text(words.number(found.reached)), Text(words.number(found.lines))
    yield words.say(
        f"coverage.{kind}", None, file=Text(escape_line(source.name)), n=games, reached=reached_count, lines=lines
    )
    if found.missed:
        yield "  " + words.say(f"coverage.{kind}.missed")
    for missed in found.missed:
        numbers = str(missed.first) if missed.first == missed.last else f"{missed.first}–{missed.last}"
        yield f"    {numbers:<9} {_part(words, source, missed)}"


def _part(words: Translator, source: Source, missed: MissedLines) -> str:
    """Return the declaration and, if part of it was reached, the first line that was not."""
    article = escape_line(missed.article.text)
    if missed.whole and missed.article.source.text == source.text:
        return words.say("coverage.whole", article=Text(article))
    return f"{article} … {escape_line(source.line(missed.first).strip())}"

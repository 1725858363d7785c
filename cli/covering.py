"""`wongar test --coverage`: what of the rules no case and no game played at random has come to, in words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from wongar_dsl.cases.coverage import Coverage, Missed, coverage, play_out, reached
from wongar_dsl.engine import Game
from wongar_dsl.library import Rules
from wongar_dsl.text.escapes import visible
from wongar_dsl.text.span import Source
from wongar_dsl.words import Text, Words

#: How many games are played at random where nobody says, and how much processor time those of some rules may take.
PLAYOUTS, MOST_SECONDS = 20, 5.0


class Covering:
    """The games that cases are run with, and what they come to."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._rules: dict[str, Rules] = {}
        self._games: list[Game] = []

    def game(self, rules: Rules, seats: int, settings: Mapping[str, int]) -> Game:
        """A game for cases to be run with."""
        self._rules[rules.hash] = rules
        self._games.append(rules.marked(seats, settings, self._backend))
        return self._games[-1]

    def report(self, words: Words, playouts: int | None) -> Iterator[str]:
        """What was come to, line by line: by the cases, then by so many games; without a number by as many as there is
        time for."""
        found = reached(self._games)
        for rules, source in self._sources():
            yield ""
            yield from _told(words, "cases", source, coverage(rules.model, source, found))
        for rules in self._rules.values() if playouts != 0 else ():
            sources = [source for source in _own(rules) if coverage(rules.model, source, set()).lines]
            games, played = self._played(rules, playouts) if sources else ([], 0)
            found = reached(games)
            for source in sources:
                yield ""
                yield from _told(words, "games", source, coverage(rules.model, source, found), played)

    def _played(self, rules: Rules, playouts: int | None) -> tuple[list[Game], int]:
        """Games of some rules played at random, and how many there were."""
        end = time.process_time() + MOST_SECONDS

        def late() -> bool:
            return playouts is None and time.process_time() > end

        def marked(seats: int) -> Game:
            return rules.marked(seats, backend=self._backend)

        return play_out(marked, rules.model.players, playouts or PLAYOUTS, late)

    def _sources(self) -> Iterator[tuple[Rules, Source]]:
        """Each file that cases are about, once, with the rules that it belongs to."""
        told: set[str] = set()
        for rules in self._rules.values():
            for source in _own(rules):
                if source.text not in told:
                    told.add(source.text)
                    yield rules, source


def _own(rules: Rules) -> tuple[Source, ...]:
    """The files that rules are about: of variants not the game that they change."""
    return rules.sources[1:] or rules.sources


def _told(words: Words, who: str, source: Source, found: Coverage, games: int = 0) -> Iterator[str]:
    if not found.lines:
        yield words.say("coverage.nothing", None, file=Text(visible(source.name)))
        return
    there, lines = Text(words.number(found.reached)), Text(words.number(found.lines))
    yield words.say(f"coverage.{who}", None, file=Text(visible(source.name)), n=games, reached=there, lines=lines)
    if found.missed:
        yield "  " + words.say(f"coverage.{who}.missed")
    for missed in found.missed:
        yield f"    {_lines(missed):<9} {_part(words, source, missed)}"


def _lines(missed: Missed) -> str:
    return str(missed.first) if missed.first == missed.last else f"{missed.first}–{missed.last}"


def _part(words: Words, source: Source, missed: Missed) -> str:
    """The article, and where something in it was come to, the first of the lines that were not."""
    article = visible(missed.article.text)
    if missed.whole and missed.article.source.text == source.text:
        return words.say("coverage.whole", article=Text(article))
    return f"{article} … {visible(source.line(missed.first).strip())}"

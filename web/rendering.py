"""Pages and bots' decisions, worked out apart from the server, by somebody who knows a table by its course.

What is handed over is the game, how it began and what was chosen; from that, whoever works it out has a match of their
own, which they bring up to date with each request.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import Rules, load
from wongar_dsl.table.bots import decide
from wongar_dsl.table.digest import last_decided
from wongar_dsl.table.forecast import Forecasts
from wongar_dsl.table.lesson import LEARNER, Guide
from wongar_dsl.table.lesson_file import lesson_of
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.table.renumbering import catch_up
from wongar_dsl.table.table import Table
from wongar_dsl.words import Words

from .questions import questions, seen_from
from .spoken import Spoken
from .viewing import Clock, Person, TakenBack, Viewing, Wish

#: So many tables each process has at hand, and so many games and languages.
AT_HAND, MOST_GAMES = 64, 24
#: For how many seconds forecasts are worked out before a page is shown, and how long each time that it is asked again;
#: and the same where others wait for their pages.
AT_ONCE, LATER = 0.05, 0.15
HURRIED, LATER_HURRIED = 0.01, 0.06

#: The parts of a move that are chosen already, as raw numbers.
Parts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """What every process that works out something has to know: the cache, further folders of words, the backend."""

    cache: str
    roots: tuple[str, ...]
    backend: str

    def words(self, language: str, rules: Rules | None = None) -> Words:
        """The words of a language, with those that lie beside rules; raises `WordsError`."""
        roots = [*map(Path, self.roots), *(rules.words_beside if rules is not None else ())]
        return Spoken.load(language, list(dict.fromkeys(roots)), cache=Cache(Path(self.cache)))


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game at a table: what is played, who sits there, how it began, what was chosen in which time."""

    table: str
    name: str
    rules: str
    settings: tuple[tuple[str, int], ...]
    seats: tuple[Seat, ...]
    seed: int
    first: tuple[int, ...]
    choices: tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page of a table that a viewer wants to see, with all that it needs beside the course of the game."""

    page: str
    viewer: int | None
    language: str
    version: int
    key: str
    persons: tuple[Person, ...]
    since: int | None
    asked: bool = False
    chosen: Parts = ()
    waiting: tuple[int, ...] = ()
    clock: Clock | None = None
    undo: bool = False
    wish: Wish | None = None
    languages: tuple[tuple[str, str], ...] = ()
    host: bool = False
    scheme: str = "auto"
    foretell: bool = True
    note: str = ""
    #: Of a game that is over: after how many steps, and whether all that was hidden is shown.
    replay: tuple[int, bool] = (0, False)
    #: Whether this is a guided first game.
    learn: bool = False
    #: What was taken back since the viewer had last decided.
    taken: tuple[TakenBack, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as text, and whether it will have more on it a moment later."""

    text: str
    unfinished: bool = False


class OtherRules(Exception):
    """The rules of a table are not there any more as they were when it was opened."""


class Replica:
    """A match of one's own that follows the course of a game."""

    def __init__(self, program: Program, course: Course) -> None:
        """Raises `OtherRules`, and `RulesError` where the rules are not there at all."""
        self._program = program
        self.rules, self.game = _game(program, course.name, course.rules, len(course.seats), course.settings)
        self._begin(course)

    def _begin(self, course: Course) -> None:
        self._begun = (course.seed, course.first)
        self.match = Match(self.game, course.seats, course.seed, course.rules, list(course.first))
        self._choices: list[tuple[tuple[int, ...], int]] = []
        self._tables: dict[str, Table] = {}
        self._numbering, self._numbered = Numbering(), 0
        self._forecasts: Forecasts | None = None
        self._guide: Guide | None = None

    def follow(self, course: Course) -> None:
        """Bring the match up to date."""
        if (course.seed, course.first) != self._begun:
            self._begin(course)
        known, new = self._choices, list(course.choices)
        if known != new:
            self._forecasts = None
            same = len(known) if new[: len(known)] == known else _common(known, new)
            if same < len(known):
                self.match.back_to(same)
                self._number_anew()
            for option, took in new[same:]:
                self.match.play(Move(option[0], option[1:]), took)
            self._choices = new
        if self.match.seats != course.seats:
            self.match.seats = course.seats
            self._number_anew()
        self._numbered = catch_up(self._numbering, self.match, self._numbered)

    def _number_anew(self) -> None:
        """Numbers hang on the course of the game alone: each process, and each start of the server, has the same."""
        self._numbering, self._numbered = Numbering(), 0
        self._tables.clear()

    def viewing(self, wanted: Wanted, hurried: bool = False) -> Viewing:
        """What a viewer is shown; raises `WordsError` for a language that is not there."""
        state = questions(self.match).get(wanted.viewer) if wanted.asked and wanted.viewer is not None else None
        table = self._table(wanted.language, state)
        chosen = legal_parts(state, wanted.chosen) if state is not None else ()
        menu, puzzle, forecasts = None, None, None
        if state is not None:
            puzzle = Puzzle.of(state)
            menu = Menu.of(state, table.narrator, chosen, table.numbering)
            forecasts = self._foreseen(table.match, menu, hurried)
        since = wanted.since if wanted.since is not None else last_decided(self.match, wanted.viewer)
        return Viewing(
            table, table.narrator, table.words, wanted.viewer, wanted.version, wanted.key, wanted.persons,
            min(since, len(self.match.steps)), menu, write_parts(chosen), puzzle, forecasts, wanted.clock,
            wanted.waiting, wanted.undo, wanted.wish, forecasts is not None and not forecasts.complete,
            wanted.languages, wanted.host, wanted.scheme, wanted.foretell, wanted.note,
            self._guided() if wanted.learn and wanted.viewer == LEARNER else None, wanted.taken,
        )  # fmt: skip

    def _guided(self) -> Guide | None:
        """Who follows the match for the one who learns; None where there is no lesson."""
        lesson = lesson_of(self.rules) if self._guide is None else None
        if lesson is not None:
            self._guide = Guide(lesson, self.match)
        return self._guide

    def _table(self, language: str, state: State | None) -> Table:
        """The table in a language, as it is seen where somebody is asked."""
        if language not in self._tables:
            words = _words(self._program, language, self.rules)
            self._tables[language] = Table(self.rules, self.match, words, "", Path())
            self._tables[language].numbering = self._numbering
        table = self._tables[language]
        if state is None or state is self.match.state:
            return table
        ahead = Table(self.rules, seen_from(self.match, state), table.words, "", Path())
        ahead.numbering = self._numbering
        return ahead

    def _foreseen(self, match: Match, menu: Menu, hurried: bool) -> Forecasts | None:
        """What each option would bring, as far as there is time for it."""
        if menu.part is not None or len(menu.entries) < 2 or match is not self.match:
            return None
        late = self._forecasts is not None
        if self._forecasts is None:
            self._forecasts = Forecasts(match, [entry.move for entry in menu.entries])
        first, later = (HURRIED, LATER_HURRIED) if hurried else (AT_ONCE, LATER)
        end = time.monotonic() + (later if late else first)
        self._forecasts.work(lambda: time.monotonic() > end)
        return self._forecasts


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many things at the beginning are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ---- the parts of a move -------------------------------------------------------------------------------------------


def write_parts(parts: Parts) -> str:
    """Parts of a move as they are sent."""
    return ",".join(map(str, parts))


def read_parts(text: str) -> Parts:
    """Parts of a move as they were sent; none for what means nothing."""
    try:
        return tuple(int(part) for part in text.split(",")[:20]) if 0 < len(text) <= 200 else ()
    except ValueError:
        return ()


def legal_parts(state: State, parts: Parts) -> Parts:
    """The parts if a move begins with them, else none."""
    return parts if parts and any(option[: len(parts)] == parts for option in state.options()) else ()


# ---- what a process does -------------------------------------------------------------------------------------------


class _AtHand(threading.local):
    """The tables that whoever works here knows: each process, and each thread, has its own."""

    def __init__(self) -> None:
        self.replicas: OrderedDict[str, Replica] = OrderedDict()
        self.games: OrderedDict[tuple[object, ...], tuple[Rules, Game]] = OrderedDict()
        self.words: OrderedDict[tuple[str, str], Words] = OrderedDict()


_at_hand = _AtHand()


def _game(
    program: Program, name: str, fingerprint: str, seats: int, settings: tuple[tuple[str, int], ...]
) -> tuple[Rules, Game]:
    """A game that several tables can play; raises what a `Replica` does."""
    known, key = _at_hand.games, (name, fingerprint, seats, settings)
    if key not in known:
        cache = Cache(Path(program.cache))
        rules = load(name, cache)
        if rules.hash != fingerprint:
            raise OtherRules(name)
        known[key] = (rules, rules.game(seats, dict(settings), program.backend, cache))
        while len(known) > MOST_GAMES:
            known.popitem(last=False)
    return known[key]


def _words(program: Program, language: str, rules: Rules) -> Words:
    """The words of a language, for all tables with the same rules; raises `WordsError`."""
    known, key = _at_hand.words, (language, rules.hash)
    if key not in known:
        known[key] = program.words(language, rules)
        while len(known) > MOST_GAMES:
            known.popitem(last=False)
    return known[key]


def _replica(program: Program, course: Course) -> Replica:
    known = _at_hand.replicas
    found = known.pop(course.table, None)
    if found is None or found.rules.hash != course.rules or found.game.settings != dict(course.settings):
        found = Replica(program, course)
    # What is left half done by an error is not at hand any more.
    found.follow(course)
    known[course.table] = found
    while len(known) > AT_HAND:
        known.popitem(last=False)
    return found


def render(program: Program, course: Course, wanted: Wanted, hurried: bool = False) -> Rendered:
    """A page of a table, with fewer forecasts where others wait (`hurried`); raises what a `Replica` does."""
    from . import pages

    v = _replica(program, course).viewing(wanted, hurried)
    if wanted.page == "replay":
        return Rendered(pages.replay_page(v, *wanted.replay))
    made = {
        "table": pages.table_page,
        "part": pages.table_part,
        "story": pages.story_page,
        "rules": pages.rules_page,
    }
    return Rendered(made[wanted.page](v), v.unfinished)


def choose(program: Program, course: Course) -> tuple[tuple[int, ...], int]:
    """What the bot decides whose turn it is, and in which time; raises what a `Replica` does."""
    move, took = decide(_replica(program, course).match)
    return move.raw, took


def make_ready(program: Program, course: Course, wanted: Wanted) -> None:
    """Get to know a table, and what draws it, before anybody asks."""
    render(program, course, wanted)

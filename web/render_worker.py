"""Rendering of pages and choice of bot moves in worker processes.

A worker receives the game, its start and the choices made. From these it builds its own match, which it updates with
each request.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context, parent_process
from pathlib import Path
from typing import Any, TypeVar

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration.teaching_book import MAX_EXAMPLES_CPU_S, teaching_book
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.position_svg.excerpt import Excerpt
from wongar_dsl.render.position_svg.translation_cache import CachedTranslator
from wongar_dsl.render.rulebook_page import page_content
from wongar_dsl.session.changes import last_decision_of
from wongar_dsl.session.decisions import match_at, pending_decisions
from wongar_dsl.session.forecast import ForecastWorker
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu, OptionNumbers, renumber
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.session.scene import sample_setup
from wongar_dsl.session.seats import decide
from wongar_dsl.session.tutorial import LEARNER, TutorialRunner, lesson_of

from . import pages
from .views.turn_view import Parts, RenderRequest, TableView

#: Maximum number of tables that each worker caches, and of games, of languages and of rulebooks.
MAX_CACHED_TABLES, MAX_CACHED_GAMES = 64, 24
#: Seconds spent on forecasts before a page is first shown, and each time it is requested again; and the same while
#: other requests wait.
FIRST_FORECAST_S, NEXT_FORECAST_S = 0.05, 0.15
FIRST_FORECAST_BUSY_S, NEXT_FORECAST_BUSY_S = 0.01, 0.06


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Configuration of the workers: cache folder, additional folders of languages, backend."""

    cache: str
    roots: tuple[str, ...]
    backend: str

    def words(self, language: str, rules: Rules | None = None) -> Translator:
        """Return the texts of a language, including catalogs beside the rules; raise `WordsError`."""
        roots = [*map(Path, self.roots), *(rules.words_beside if rules is not None else ())]
        return CachedTranslator.load(language, list(dict.fromkeys(roots)), cache=Cache(Path(self.cache)))


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """Snapshot of a game at a table: rules, seats, start, and choices with their times in ms."""

    table: str
    name: str
    rules: str
    settings: tuple[tuple[str, int], ...]
    seats: tuple[Seat, ...]
    seed: int
    first: tuple[int, ...]
    choices: tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True, slots=True)
class BookRequest:
    """Request for the rulebook of some rules in a language: with these settings and for a number of seats.

    `settings` and `seats` are None for a game without a table.
    """

    name: str
    rules: str
    settings: tuple[tuple[str, int], ...] | None
    seats: int | None
    language: str


class RulesChangedError(Exception):
    """The rules of a table have changed since it was opened."""


class MatchReplica:
    """A worker's own match, which follows the game at a table."""

    def __init__(self, worker_settings: WorkerSettings, snapshot: GameSnapshot) -> None:
        """Build the match; raise `RulesChangedError`, or `RulesError` if the rules are missing."""
        self._worker_settings = worker_settings
        self.rules, self.game = _game(
            worker_settings, snapshot.name, snapshot.rules, len(snapshot.seats), snapshot.settings
        )
        self._begin(snapshot)

    def _begin(self, snapshot: GameSnapshot) -> None:
        self._begun = (snapshot.seed, snapshot.first)
        self.match = Match(self.game, snapshot.seats, snapshot.seed, snapshot.rules, list(snapshot.first))
        self._choices: list[tuple[tuple[int, ...], int]] = []
        self._sessions: dict[str, GameSession] = {}
        self._numbering, self._numbered = OptionNumbers(), 0
        self._forecasts: ForecastWorker | None = None
        self._tutorial: TutorialRunner | None = None

    def sync(self, snapshot: GameSnapshot) -> None:
        """Update the match to a newer snapshot."""
        if (snapshot.seed, snapshot.first) != self._begun:
            self._begin(snapshot)
        old, new = self._choices, list(snapshot.choices)
        if old != new:
            self._forecasts = None
            same = len(old) if new[: len(old)] == old else _common(old, new)
            if same < len(old):
                self.match.truncate(same)
                self._reset_numbering()
            for option, took in new[same:]:
                self.match.play(Move.from_raw(option), took)
            self._choices = new
        if self.match.seats != snapshot.seats:
            self.match.seats = snapshot.seats
            self._reset_numbering()
        self._numbered = renumber(self._numbering, self.match, self._numbered)

    def _reset_numbering(self) -> None:
        """Restart the option numbers, which depend only on the choices and are therefore the same in every process."""
        self._numbering, self._numbered = OptionNumbers(), 0
        self._sessions.clear()

    def view(self, request: RenderRequest, hurried: bool = False) -> TableView:
        """Return the view for a page request; raise `WordsError` for a missing language."""
        seat = request.viewer if request.is_deciding else None
        state = pending_decisions(self.match).get(seat) if seat is not None else None
        session = self._session_in(request.language, state)
        chosen = legal_parts(state, request.chosen) if state is not None else ()
        menu, puzzle, forecasts = None, None, None
        if state is not None:
            puzzle = Puzzle.of(state)
            menu = Menu.of(state, session.narrator, chosen, session.numbering)
            forecasts = self._compute_forecasts(session.match, menu, hurried)
        since = request.since if request.since is not None else last_decision_of(self.match, request.viewer)
        return TableView(
            **vars(request) | {"since": min(since, len(self.match.steps)), "chosen": chosen},
            session=session,
            menu=menu,
            puzzle=puzzle,
            forecasts=forecasts,
            guide=self._tutorial_runner() if request.learn and request.viewer == LEARNER else None,
        )

    def _tutorial_runner(self) -> TutorialRunner | None:
        """Return the tutorial runner; None if there is no tutorial."""
        lesson = lesson_of(self.rules) if self._tutorial is None else None
        if lesson is not None:
            self._tutorial = TutorialRunner(lesson, self.match)
        return self._tutorial

    def _session_in(self, language: str, state: State | None) -> GameSession:
        """Return the session in a language, in the state in which a seat is asked."""
        if language not in self._sessions:
            words = _words(self._worker_settings, language, self.rules)
            self._sessions[language] = GameSession(self.rules, self.match, words, "", Path())
            self._sessions[language].numbering = self._numbering
        session = self._sessions[language]
        if state is None or state is self.match.state:
            return session
        ahead = GameSession(self.rules, match_at(self.match, state), session.words, "", Path())
        ahead.numbering = self._numbering
        return ahead

    def _compute_forecasts(self, match: Match, menu: Menu, hurried: bool) -> ForecastWorker | None:
        """Return the forecasts of the options, as far as the time limit allows."""
        if menu.part is not None or len(menu.entries) < 2 or match is not self.match:
            return None
        late = self._forecasts is not None
        if self._forecasts is None:
            self._forecasts = ForecastWorker(match, [entry.move for entry in menu.entries])
        first, later = (FIRST_FORECAST_BUSY_S, NEXT_FORECAST_BUSY_S) if hurried else (FIRST_FORECAST_S, NEXT_FORECAST_S)
        end = time.monotonic() + (later if late else first)
        self._forecasts.work(lambda: time.monotonic() > end)
        return self._forecasts


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common prefix."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ---- parts of a move -----------------------------------------------------------------------------------------------


def read_parts(text: str) -> Parts:
    """Parse the parts of a move; empty if invalid."""
    try:
        return tuple(int(part) for part in text.split(",")[:20]) if 0 < len(text) <= 200 else ()
    except ValueError:
        return ()


def legal_parts(state: State, parts: Parts) -> Parts:
    """Return the parts if a legal move begins with them, otherwise none."""
    return parts if parts and any(option[: len(parts)] == parts for option in state.options()) else ()


# ---- worker functions ----------------------------------------------------------------------------------------------


class _WorkerCache(threading.local):
    """Cache of a worker; each process and thread has its own."""

    def __init__(self) -> None:
        self.replicas: OrderedDict[str, MatchReplica] = OrderedDict()
        self.games: OrderedDict[tuple[object, ...], tuple[Rules, Game]] = OrderedDict()
        self.words: OrderedDict[tuple[str, str], Translator] = OrderedDict()
        self.books: OrderedDict[BookRequest, tuple[str, str]] = OrderedDict()


_cache = _WorkerCache()


def _cached(entries: OrderedDict[K, T], key: K, make: Callable[[], T]) -> T:
    """Return the value of a key, created on first use; the oldest values are dropped."""
    if key not in entries:
        entries[key] = make()
        while len(entries) > MAX_CACHED_GAMES:
            entries.popitem(last=False)
    return entries[key]


def _game(
    worker_settings: WorkerSettings, name: str, fingerprint: str, seats: int, settings: tuple[tuple[str, int], ...]
) -> tuple[Rules, Game]:
    """Return a cached game, shared by tables with the same rules and settings; raise what `MatchReplica` does."""

    def make() -> tuple[Rules, Game]:
        cache = Cache(Path(worker_settings.cache))
        rules = load(name, cache)
        if rules.hash != fingerprint:
            raise RulesChangedError(name)
        return rules, rules.game(seats, dict(settings), worker_settings.backend, cache)

    return _cached(_cache.games, (name, fingerprint, seats, settings), make)


def _words(worker_settings: WorkerSettings, language: str, rules: Rules) -> Translator:
    """Return the cached texts of a language, shared by tables with the same rules; raise `WordsError`."""
    return _cached(_cache.words, (language, rules.hash), lambda: worker_settings.words(language, rules))


def _replica(worker_settings: WorkerSettings, snapshot: GameSnapshot) -> MatchReplica:
    replicas = _cache.replicas
    replica = replicas.pop(snapshot.table, None)
    if replica is None or replica.rules.hash != snapshot.rules or replica.game.settings != dict(snapshot.settings):
        replica = MatchReplica(worker_settings, snapshot)
    # If an error interrupts the update, the replica is not put back into the cache.
    replica.sync(snapshot)
    replicas[snapshot.table] = replica
    while len(replicas) > MAX_CACHED_TABLES:
        replicas.popitem(last=False)
    return replica


def render(
    worker_settings: WorkerSettings, snapshot: GameSnapshot, request: RenderRequest, hurried: bool = False
) -> tuple[str, bool]:
    """Return a page of a table, and whether it will contain more when requested again.

    There are fewer forecasts if other requests wait (`hurried`). Raises what `MatchReplica` does.
    """
    v = _replica(worker_settings, snapshot).view(request, hurried)
    if request.page == "replay":
        return pages.replay_page(v, *request.replay), False
    renderers = {"table": pages.table_page, "part": pages.table_part, "story": pages.story_page}
    return renderers[request.page](v), v.unfinished


def read_book(worker_settings: WorkerSettings, request: BookRequest) -> tuple[str, str]:
    """Return the title and the content of the teaching rulebook; raise what `MatchReplica` does."""

    def make() -> tuple[str, str]:
        cache = Cache(Path(worker_settings.cache))
        rules = load(request.name, cache)
        if rules.hash != request.rules:
            raise RulesChangedError(request.name)
        words = _words(worker_settings, request.language, rules)
        settings = dict(request.settings) if request.settings is not None else None
        end = time.process_time() + MAX_EXAMPLES_CPU_S
        book = teaching_book(rules, words, request.seats, settings, cache, lambda: time.process_time() > end)
        start = sample_setup(rules, words, request.seats, settings, cache)
        excerpts = {text: Excerpt.of(example, words) for text, example in book.examples.items()}
        return book.reading.title, page_content(book.reading, book.reading.book.model, start, excerpts)

    return _cached(_cache.books, request, make)


def choose(worker_settings: WorkerSettings, snapshot: GameSnapshot) -> tuple[tuple[int, ...], int]:
    """Return the move of the bot whose turn it is, and its time in ms; raise what `MatchReplica` does."""
    move, took = decide(_replica(worker_settings, snapshot).match)
    return move.raw, took


K = TypeVar("K")
T = TypeVar("T")

#: Niceness of processes for bots and rulebooks relative to the render processes.
NICE_INCREMENT = 10


class WorkerPools:
    """Workers that render pages, workers that play bots, and one that writes rulebooks, which takes a second.

    Each caches the tables that it has worked on, or the rulebooks.
    """

    def __init__(self, worker_settings: WorkerSettings, processes: int) -> None:
        """Start the workers; with 0 `processes`, threads are used instead."""
        self.worker_settings, self._processes = worker_settings, processes
        if processes:
            # If the server is killed, the resource tracker frees its semaphores; this warning is suppressed.
            sys.warnoptions.append("ignore:resource_tracker:UserWarning")
        count = max(1, processes)
        self._drawing = [self._new(False) for _ in range(count)]
        self._thinking = [self._new(True) for _ in range(count)]
        self._writing = [self._new(True)]
        self._busy, self._closed = [0] * count, False

    def _new(self, in_background: bool) -> Executor:
        if self._processes == 0:
            return ThreadPoolExecutor(1)
        can_fork = "forkserver" in get_all_start_methods()
        context = get_context("forkserver" if can_fork else "spawn")
        if can_fork:
            # Workers are forked from a process that has imported this module.
            context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(in_background,))

    @property
    def has_processes(self) -> bool:
        """True if pages are rendered in worker processes."""
        return self._processes > 0

    def close(self) -> None:
        """Stop all workers."""
        self._closed = True
        for executor in (*self._drawing, *self._thinking, *self._writing):
            # A bot's running search is not waited for.
            for process in list((getattr(executor, "_processes", None) or {}).values()):
                process.terminate()
            executor.shutdown(wait=self.has_processes, cancel_futures=True)

    def _worker_of(self, table: str) -> int:
        """Return the worker that renders the options of a table: always the same, since it remembers their numbers."""
        return zlib.crc32(table.encode()) % len(self._drawing)

    async def draw(self, snapshot: GameSnapshot, request: RenderRequest) -> tuple[str, bool]:
        """Return a page of a table as `render` does."""
        number = self._worker_of(snapshot.table)
        if not request.is_deciding:
            number = min(range(len(self._busy)), key=lambda index: (self._busy[index], index != number))
        hurried = sum(self._busy) >= len(self._busy)
        self._busy[number] += 1
        try:
            return await self._run(self._drawing, number, render, self.worker_settings, snapshot, request, hurried)
        finally:
            self._busy[number] -= 1

    async def think(self, snapshot: GameSnapshot) -> tuple[tuple[int, ...], int]:
        """Return a bot's move and its time in ms."""
        return await self._run(self._thinking, self._worker_of(snapshot.table), choose, self.worker_settings, snapshot)

    async def write(self, request: BookRequest) -> tuple[str, str]:
        """Return a rulebook as `read_book` does."""
        return await self._run(self._writing, 0, read_book, self.worker_settings, request)

    async def warm_up(self, snapshot: GameSnapshot, request: RenderRequest) -> None:
        """Prepare all render workers for a table by rendering a page of it; errors are reported on a later request."""
        arguments = self.worker_settings, snapshot, request
        runs = (self._run(self._drawing, number, render, *arguments) for number in range(len(self._drawing)))
        await asyncio.gather(*runs, return_exceptions=True)

    async def _run(self, row: list[Executor], number: int, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(row[number], work, *arguments)
        except BrokenExecutor:
            # The worker was killed or crashed, and is replaced.
            if self._closed:
                raise
            with contextlib.suppress(Exception):
                row[number].shutdown(wait=False)
            row[number] = self._new(row is not self._drawing)
            return await loop.run_in_executor(row[number], work, *arguments)


def _begin(in_background: bool) -> None:
    """Initialise a worker process: ignore Ctrl-C, exit with the server, and lower the priority in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if in_background and hasattr(os, "nice"):
        os.nice(NICE_INCREMENT)


def _end_with_server() -> None:
    """Exit as soon as the server process has ended, even if it was killed."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)

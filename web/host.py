"""The host: open tables, bots that play at them, and pages for the guests."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from wongar_dsl.cache import Cache
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import SaveFile
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.library import Rules, load, located
from wongar_dsl.table.lesson_file import lesson_of
from wongar_dsl.table.setup import deal
from wongar_dsl.table.table import Table, reopened
from wongar_dsl.text.diagnostics import RulesError
from wongar_dsl.words import Words, WordsError, available

from .guests import Guests
from .presence import Presence
from .rendering import Course, Program, Wanted
from .sitting import HUMAN, NotKeptError, Sitting, StaleError
from .store import FORGOTTEN, WATCHING, Guest, Open, Store
from .stream import Bell
from .viewing import Person
from .workers import Workers

T = TypeVar("T")

#: Seconds between checks of clocks and presence, and between saves of elapsed times.
TICK, KEPT = 0.25, 2.0
#: Seconds without activity after which a table is only reopened at the host's request.
LEFT = 7 * 86_400
#: Maximum number of open tables, and of cached pages per table.
MOST_TABLES, MOST_PAGES = 200, 64
SUFFIX = ".json"
#: Number of recent bot thinking times remembered.
PACES = 16
#: Pages that show a question and start its clock.
DRAWN = ("table", "part")


class TooManyError(Exception):
    """The maximum number of tables is open."""


class NoSeatError(Exception):
    """The guest is not (or no longer) admitted to the table."""


class Host:
    """The tables of one server."""

    def __init__(
        self, program: Program, saves: Path, language: str, address: str = "", processes: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`saves` is the folder of saves, `language` the host's; with 0 `processes`, threads render the pages."""
        self.program, self.saves, self.language, self.address, self.now = program, saves, language, address, now
        self.guests = Guests(Store(saves))
        self.workers = Workers(program, processes)
        self.presence = Presence(now)
        self.sittings: dict[str, Sitting] = {}
        self.bells: dict[str, Bell] = {}
        self.closed = False
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._pages: dict[str, dict[Wanted, asyncio.Task[str]]] = {}
        self._paces: dict[tuple[str, tuple[Seat, ...]], deque[float]] = {}
        self._getting_ready: set[asyncio.Task[None]] = set()
        self.words = cache(program.words)
        available_languages = available([Path(root) for root in program.roots])
        for guest in self.store.guests.values():
            # A guest's language may have been removed since the last start.
            guest.language = guest.language if guest.language in available_languages else language
        self._spoken: dict[tuple[str, str], Words] = {}

    @property
    def store(self) -> Store:
        """The persistent data of the server."""
        return self.guests.store

    @cached_property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """The available languages: codes with names."""
        codes = available([Path(root) for root in self.program.roots])
        named_languages = []
        for code in codes:
            with contextlib.suppress(WordsError):
                named_languages.append((code, self.words(code).name))
        return tuple(named_languages)

    def spoken(self, language: str, rules: Rules) -> Words:
        """Return the texts of a language, including catalogs beside the rules."""
        if (language, rules.hash) not in self._spoken:
            self._spoken[language, rules.hash] = self.program.words(language, rules)
        return self._spoken[language, rules.hash]

    # ---- tables ----

    def lay(self, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None) -> Sitting:
        """Create a table.

        Raises `RulesError`, `TableError`, `PlayFault`, `TooManyError`, OSError and `SaveError`.
        """
        self._require_room()
        key = secrets.token_hex(4)
        return self._open(key, self.new_table(key, name, seats, settings, seed), Open(""))

    def teach(self, name: str) -> Sitting | None:
        """Create a tutorial table; None if the game has no tutorial.

        Raises what `lay` does.
        """
        lesson = lesson_of(load(name, Cache(Path(self.program.cache))))
        if lesson is None:
            return None
        self._require_room()
        key = secrets.token_hex(4)
        return self._open(key, self.new_table(key, name, lesson.seats, (), lesson.seed), Open("", learn=True))

    def new_table(
        self, key: str, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None
    ) -> Table:
        """Return a new session without players.

        Raises what `lay` does.
        """
        cached = Cache(Path(self.program.cache))
        rules = load(name, cached)
        game = deal(rules, len(seats), settings, self.program.backend, cached)
        match = Match.begin(game, seats, seed if seed is not None else new_seed(), rules.hash)
        path = self._path(game.name, key)
        return Table(rules, match, self.program.words(self.language, rules), "\n".join(located(name)), path)

    def resume(self, path: Path) -> Sitting:
        """Open the table of a save.

        Raises `SaveError`, `TooManyError` and OSError.
        """
        self._require_room()
        stored_tables = ((key, stored) for key, stored in self.store.tables.items() if stored.save == path.name)
        key, stored = next(stored_tables, (secrets.token_hex(4), Open(path.name)))
        return self._open(key, self._reopened(path), stored)

    def _reopened(self, path: Path) -> Table:
        saved_game = reopened(path, self.program.backend, Cache(Path(self.program.cache)))
        save_file = SaveFile.resume(path, saved_game.saved, saved_game.match)
        language = saved_game.saved.language or self.language
        try:
            words = self.program.words(language, saved_game.rules)
        except WordsError:
            words = self.program.words(self.language, saved_game.rules)
        return Table(saved_game.rules, saved_game.match, words, saved_game.file, path, saved_game.saved.torn, save_file)

    def _open(self, key: str, table: Table, kept: Open) -> Sitting:
        kept.save = table.path.name
        try:
            sitting = Sitting(key, table, kept, self.now)
            sitting.save()
        except BaseException:
            table.close()
            raise
        if key in self.sittings:
            table.close()
            raise SaveError("in_use", path=str(table.path))
        self.sittings[key] = sitting
        self.bells[key] = Bell()
        self.store.tables[key] = kept
        for kind in ("any", "watch"):
            self.guests.invite(kind, key)
        sitting.dirty = False
        self.guests.write()
        return sitting

    def _require_room(self) -> None:
        if len(self.sittings) >= MOST_TABLES:
            raise TooManyError

    def go_on(self) -> int:
        """Reopen the tables that were open when the server stopped; return the number of open tables."""
        for key, stored in list(self.store.tables.items()):
            path = self.saves / stored.save
            try:
                age = time.time() - path.stat().st_mtime
                if age < LEFT and len(self.sittings) < MOST_TABLES:
                    self._open(key, self._reopened(path), stored)
                elif age > FORGOTTEN:
                    self.store.drop(key)
            except FileNotFoundError:
                self.store.drop(key)
            except (OSError, SaveError, RulesError, PlayFault, ValueError):
                # The save may be available later; then all players find their seats.
                continue
        return len(self.sittings)

    async def close(self, key: str) -> None:
        """Close a table if it is open; its save remains.

        Raises OSError if the change cannot be saved.
        """
        sitting = self.sittings.pop(key, None)
        if sitting is None:
            return
        self._pages.pop(key, None)
        if (task := self._thinking.pop(key, None)) is not None:
            task.cancel()
        self.bells.pop(key).ring()
        self.presence.forget(key)
        await asyncio.to_thread(self._leave, sitting)
        self.guests.drop(key)
        await asyncio.to_thread(self.guests.write)

    def begin_again(self, sitting: Sitting) -> None:
        """Start a rematch with seats rotated by one.

        Raises `PlayFault`, OSError and `SaveError`.
        """
        old = sitting.table
        named = [Seat(seat.kind, name) for seat, name in zip(old.match.seats, old.names, strict=True)]
        match = Match.begin(old.match.game, [*named[1:], named[0]], new_seed(), old.rules.hash)
        new = Table(old.rules, match, old.words, old.file, self._path(match.game.name, sitting.key))
        sitting.kept.learn = False
        sitting.begin_again(new)
        self.guests.turn(sitting.key, len(named))

    def _path(self, game: str, key: str) -> Path:
        """Return the path of a new save."""
        called = re.sub(r"[^A-Za-z0-9_]+", "-", game)
        return self.saves / f"{datetime.now():%Y-%m-%d-%H%M%S}-{called}-{key}{secrets.token_hex(2)}{SUFFIX}"

    # ---- time ----

    async def watch_time(self) -> None:
        """Check clocks and presence, and save regularly, until the server stops."""
        last_save = self.now()
        while not self.closed:
            await asyncio.sleep(TICK)
            keep = self.now() - last_save >= KEPT
            if keep:
                last_save = self.now()
            for sitting in list(self.sittings.values()):
                with contextlib.suppress(OSError, SaveError, PlayFault, StaleError):
                    if keep and (sitting.dirty or sitting.table.lost or self.store.lost):
                        await self.do(sitting, sitting.save)
                    if sitting.runs:
                        await self.do(sitting, sitting.let_time_go)
                    if keep and sitting.runs:
                        await self.do(sitting, sitting.keep_clocks)
                    if keep and self.presence.changed(sitting.key, range(len(sitting.match.seats))):
                        await self.do(sitting, sitting.raise_version)

    async def shut(self) -> None:
        """Stop the server; the tables can be reopened later."""
        self.closed = True
        for bell in self.bells.values():
            bell.ring()
        for task in self._thinking.values():
            task.cancel()
        await asyncio.to_thread(self.workers.close)
        for sitting in self.sittings.values():
            await asyncio.to_thread(self._leave, sitting)
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self.guests.write)
        self.store.close()

    def _leave(self, sitting: Sitting) -> None:
        with sitting.lock:
            with contextlib.suppress(OSError, SaveError):
                sitting.keep_clocks()
            # A request that waited for the lock finds the table closed.
            sitting.closed = True
            sitting.table.close()

    # ---- requests ----

    async def do(self, sitting: Sitting, work: Callable[..., T], *arguments: object) -> T:
        """Run `work` with the table locked, save, and notify all guests of a new version.

        Raises what `work` does, OSError, and `StaleError` for a closed table.
        """
        before = sitting.version

        def alone() -> T:
            with sitting.lock:
                if sitting.closed:
                    raise StaleError
                done = sitting.version
                try:
                    try:
                        return work(*arguments)
                    finally:
                        if sitting.dirty or self.store.lost:
                            self.guests.write()
                            sitting.dirty = False
                except (OSError, SaveError) as error:
                    sitting.dirty = True
                    if sitting.version != done:
                        raise NotKeptError from error
                    raise

        try:
            return await asyncio.to_thread(alone)
        finally:
            if sitting.version != before:
                self.tell(sitting)

    def tell(self, sitting: Sitting) -> None:
        """Notify all guests of a new version, and let bots move."""
        self._pages.pop(sitting.key, None)
        if (bell := self.bells.get(sitting.key)) is not None:
            bell.ring()
        self.think(sitting)

    def think(self, sitting: Sitting) -> None:
        """Start the bot that is to move, if any, and those after it."""
        running = self._thinking.get(sitting.key)
        if sitting.thinks and (running is None or running.done()) and not self.closed:
            self._thinking[sitting.key] = asyncio.create_task(self._think(sitting))

    async def _think(self, sitting: Sitting) -> None:
        with contextlib.suppress(PlayFault, RulesError, StaleError):
            while sitting.thinks and not self.closed and self.sittings.get(sitting.key) is sitting:
                try:
                    course = await self.do(sitting, sitting.course)
                    begun, secret = self.now(), sitting.forced_secretly
                    option, took = await self.workers.think(course)
                    await self._pace(course, secret, self.now() - begun)
                    await self.do(sitting, sitting.decided, course, option, took)
                except (OSError, SaveError):  # The change cannot be saved at present.
                    await asyncio.sleep(KEPT)

    async def _pace(self, course: Course, secret: bool, took: float) -> None:
        """Delay forced bot moves so that the response time does not reveal that the bot had no choice."""
        last = self._paces.setdefault((course.name, course.seats), deque(maxlen=PACES))
        if not secret:
            last.append(took)
        elif last:
            await asyncio.sleep(max(0.0, random.choice(last) - took))

    async def opened(self, sitting: Sitting) -> None:
        """Start the bots of a new table, and prepare the render workers before the first request."""
        self.think(sitting)
        if self.workers.apart:
            course = await asyncio.to_thread(sitting.course)
            persons = tuple(Person(seat.kind, False) for seat in course.seats)
            request = Wanted("table", None, self.language, sitting.version, f"/t/{sitting.key}", persons, None)
            task = asyncio.create_task(self._get_ready(course, request))
            self._getting_ready.add(task)
            task.add_done_callback(self._getting_ready.discard)

    async def _get_ready(self, course: Course, wanted: Wanted) -> None:
        with contextlib.suppress(Exception):  # Errors are reported when a page is requested.
            await self.workers.make_ready(course, wanted)

    # ---- pages ----

    async def page(
        self, sitting: Sitting, guest: Guest, page: str, chosen: tuple[int, ...] = (), note: str = "",
        replay: tuple[int, bool] = (0, False),
    ) -> str:  # fmt: skip
        """Return a page of a table for a guest.

        Raises `NoSeatError`.
        """

        def looked() -> tuple[Wanted, Course]:
            with sitting.lock:
                # The guest's seat can change while the request waits for the lock.
                seat = self.guests.seat(guest, sitting.key)
                viewer = seat if seat != WATCHING else None
                if seat is None or seat >= len(sitting.match.seats):
                    raise NoSeatError
                if viewer is not None and page in DRAWN:
                    sitting.watch(viewer)
                since = sitting.since.get(viewer) if viewer is not None else None
                request = Wanted(
                    page, viewer, guest.language, sitting.version, f"/t/{sitting.key}", self._persons(sitting), since,
                    viewer in sitting.asked, chosen, sitting.waiting, sitting.clock(viewer), sitting.may_wish(viewer),
                    sitting.wish_for(viewer), self.languages, guest.host, guest.scheme, guest.foretell, note,
                    replay, sitting.kept.learn, sitting.taken_back(viewer),
                )  # fmt: skip
                return request, sitting.course()

        request, course = await asyncio.to_thread(looked)
        pages = self._pages.setdefault(sitting.key, {})
        task = pages.get(request)
        if task is None:
            task = asyncio.create_task(self._drawn(course, request))
            if request.clock is None and not note and len(pages) < MOST_PAGES:
                pages[request] = task
        return await asyncio.shield(task)

    async def _drawn(self, course: Course, wanted: Wanted) -> str:
        pages = self._pages.get(course.table, {})
        try:
            rendered = await self.workers.draw(course, wanted)
        except BaseException:
            pages.pop(wanted, None)
            raise
        if rendered.unfinished:
            # A later request shows more.
            pages.pop(wanted, None)
        return rendered.text

    def _persons(self, sitting: Sitting) -> tuple[Person, ...]:
        """Return the occupants of the seats and their presence."""
        key, present = sitting.key, self.presence.told(sitting.key)
        return tuple(
            Person(
                seat.kind,
                seat.kind != HUMAN or number in present,
                seat.kind != HUMAN or self.guests.seated(key, number),
            )
            for number, seat in enumerate(sitting.match.seats)
        )


def new_seed() -> int:
    """Return a random 64-bit seed that cannot be guessed by enumeration."""
    return int.from_bytes(os.urandom(8), "big")

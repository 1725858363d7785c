"""A host: the tables that are open on it, the bots that think for them, and what everybody there is shown."""

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

#: How often, in seconds, the host looks at clocks and at who is there, and how often it keeps how long clocks have run.
TICK, KEPT = 0.25, 2.0
#: A table at which nothing has happened for so many seconds is opened again only when who hosts wishes it.
LEFT = 7 * 86_400
#: So many tables are open at the same time, and so many pages of a table are at hand.
MOST_TABLES, MOST_PAGES = 200, 64
SUFFIX = ".json"
#: So many times that bots took for a decision are remembered.
PACES = 16
#: The pages that show a question, so that its clock runs.
DRAWN = ("table", "part")


class TooManyError(Exception):
    """More tables than a host has room for."""


class NoSeatError(Exception):
    """Somebody has no place at a table (any more)."""


class Host:
    """The tables of one server."""

    def __init__(
        self, program: Program, saves: Path, language: str, address: str = "", processes: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`saves` is the folder of saves, `language` the one of who hosts; with no `processes`, threads draw pages."""
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
        there = available([Path(root) for root in program.roots])
        for guest in self.store.guests.values():
            # Words that were there at the last start need not be there now.
            guest.language = guest.language if guest.language in there else language
        self._spoken: dict[tuple[str, str], Words] = {}

    @property
    def store(self) -> Store:
        """What is remembered from one start to the next."""
        return self.guests.store

    @cached_property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """The languages that can be chosen: codes with names."""
        codes = available([Path(root) for root in self.program.roots])
        found = []
        for code in codes:
            with contextlib.suppress(WordsError):
                found.append((code, self.words(code).name))
        return tuple(found)

    def spoken(self, language: str, rules: Rules) -> Words:
        """The words of a language, with those that lie beside rules."""
        if (language, rules.hash) not in self._spoken:
            self._spoken[language, rules.hash] = self.program.words(language, rules)
        return self._spoken[language, rules.hash]

    # ---- tables ----

    def lay(self, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None) -> Sitting:
        """A new table; raises `RulesError`, `TableError`, `PlayFault`, `TooManyError`, OSError and `SaveError`."""
        self._require_room()
        key = secrets.token_hex(4)
        return self._open(key, self.new_table(key, name, seats, settings, seed), Open(""))

    def teach(self, name: str) -> Sitting | None:
        """A new table for the guided first game of a game, None where it has no lesson; raises what `lay` does."""
        lesson = lesson_of(load(name, Cache(Path(self.program.cache))))
        if lesson is None:
            return None
        self._require_room()
        key = secrets.token_hex(4)
        return self._open(key, self.new_table(key, name, lesson.seats, (), lesson.seed), Open("", learn=True))

    def new_table(
        self, key: str, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None
    ) -> Table:
        """A game on a table that nobody sits at yet; raises what `lay` does."""
        kept = Cache(Path(self.program.cache))
        rules = load(name, kept)
        game = deal(rules, len(seats), settings, self.program.backend, kept)
        match = Match.begin(game, seats, seed if seed is not None else new_seed(), rules.hash)
        path = self._path(game.name, key)
        return Table(rules, match, self.program.words(self.language, rules), "\n".join(located(name)), path)

    def resume(self, path: Path) -> Sitting:
        """A table that a save holds; raises `SaveError`, `TooManyError` and OSError."""
        self._require_room()
        left = ((key, kept) for key, kept in self.store.tables.items() if kept.save == path.name)
        key, kept = next(left, (secrets.token_hex(4), Open(path.name)))
        return self._open(key, self._reopened(path), kept)

    def _reopened(self, path: Path) -> Table:
        found = reopened(path, self.program.backend, Cache(Path(self.program.cache)))
        kept = SaveFile.resume(path, found.saved, found.match)
        language = found.saved.language or self.language
        try:
            words = self.program.words(language, found.rules)
        except WordsError:
            words = self.program.words(self.language, found.rules)
        return Table(found.rules, found.match, words, found.file, path, found.saved.torn, kept)

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
        """Open the tables again that were open when the host was ended; how many."""
        for key, kept in list(self.store.tables.items()):
            path = self.saves / kept.save
            try:
                age = time.time() - path.stat().st_mtime
                if age < LEFT and len(self.sittings) < MOST_TABLES:
                    self._open(key, self._reopened(path), kept)
                elif age > FORGOTTEN:
                    self.store.drop(key)
            except FileNotFoundError:
                self.store.drop(key)
            except (OSError, SaveError, RulesError, PlayFault, ValueError):
                # It may be there again later, and then everybody finds their seat.
                continue
        return len(self.sittings)

    async def close(self, key: str) -> None:
        """Close a table, if it is open; its save stays.  Raises OSError where nobody can keep that it is closed."""
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
        """Another game at a table, with everybody a seat further; raises `PlayFault`, OSError and `SaveError`."""
        old = sitting.table
        named = [Seat(seat.kind, name) for seat, name in zip(old.match.seats, old.names, strict=True)]
        match = Match.begin(old.match.game, [*named[1:], named[0]], new_seed(), old.rules.hash)
        new = Table(old.rules, match, old.words, old.file, self._path(match.game.name, sitting.key))
        sitting.kept.learn = False
        sitting.begin_again(new)
        self.guests.turn(sitting.key, len(named))

    def _path(self, game: str, key: str) -> Path:
        """Where the save of a new game lies."""
        called = re.sub(r"[^A-Za-z0-9_]+", "-", game)
        return self.saves / f"{datetime.now():%Y-%m-%d-%H%M%S}-{called}-{key}{secrets.token_hex(2)}{SUFFIX}"

    # ---- time ----

    async def watch_time(self) -> None:
        """Look at clocks and at who is there, until the host is closed."""
        kept = self.now()
        while not self.closed:
            await asyncio.sleep(TICK)
            keep = self.now() - kept >= KEPT
            if keep:
                kept = self.now()
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
        """Leave all tables as they are, to go on with them later."""
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
            # Whoever waited for the lock finds a table that nobody sits at.
            sitting.closed = True
            sitting.table.close()

    # ---- what everybody does ----

    async def do(self, sitting: Sitting, work: Callable[..., T], *arguments: object) -> T:
        """Let something be done at a table, keep it, and tell everybody; raises what `work` does, OSError, and
        `StaleError` for a table that is closed."""
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
        """Tell everybody that there is a new version, and let bots think about it."""
        self._pages.pop(sitting.key, None)
        if (bell := self.bells.get(sitting.key)) is not None:
            bell.ring()
        self.think(sitting)

    def think(self, sitting: Sitting) -> None:
        """Let the bot think whose turn it is, if there is one, and those after it."""
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
                except (OSError, SaveError):  # Nothing can be kept now.
                    await asyncio.sleep(KEPT)

    async def _pace(self, course: Course, secret: bool, took: float) -> None:
        """Let nobody tell from the time whether a bot had a choice where only it knows that it had none."""
        last = self._paces.setdefault((course.name, course.seats), deque(maxlen=PACES))
        if not secret:
            last.append(took)
        elif last:
            await asyncio.sleep(max(0.0, random.choice(last) - took))

    async def opened(self, sitting: Sitting) -> None:
        """A table is there: bots may think, and those who draw get to know it before anybody asks."""
        self.think(sitting)
        if self.workers.apart:
            course = await asyncio.to_thread(sitting.course)
            persons = tuple(Person(seat.kind, False) for seat in course.seats)
            wanted = Wanted("table", None, self.language, sitting.version, f"/t/{sitting.key}", persons, None)
            task = asyncio.create_task(self._get_ready(course, wanted))
            self._getting_ready.add(task)
            task.add_done_callback(self._getting_ready.discard)

    async def _get_ready(self, course: Course, wanted: Wanted) -> None:
        with contextlib.suppress(Exception):  # Whoever asks for a page is told what is wrong.
            await self.workers.make_ready(course, wanted)

    # ---- what everybody is shown ----

    async def page(
        self, sitting: Sitting, guest: Guest, page: str, chosen: tuple[int, ...] = (), note: str = "",
        replay: tuple[int, bool] = (0, False),
    ) -> str:  # fmt: skip
        """A page of a table as a guest is shown it; raises `NoSeatError`."""

        def looked() -> tuple[Wanted, Course]:
            with sitting.lock:
                # Where somebody sits can change as long as one waits for the table.
                seat = self.guests.seat(guest, sitting.key)
                viewer = seat if seat != WATCHING else None
                if seat is None or seat >= len(sitting.match.seats):
                    raise NoSeatError
                if viewer is not None and page in DRAWN:
                    sitting.watch(viewer)
                since = sitting.since.get(viewer) if viewer is not None else None
                wanted = Wanted(
                    page, viewer, guest.language, sitting.version, f"/t/{sitting.key}", self._persons(sitting), since,
                    viewer in sitting.asked, chosen, sitting.waiting, sitting.clock(viewer), sitting.may_wish(viewer),
                    sitting.wish_for(viewer), self.languages, guest.host, guest.scheme, guest.foretell, note,
                    replay, sitting.kept.learn, sitting.taken_back(viewer),
                )  # fmt: skip
                return wanted, sitting.course()

        wanted, course = await asyncio.to_thread(looked)
        pages = self._pages.setdefault(sitting.key, {})
        task = pages.get(wanted)
        if task is None:
            task = asyncio.create_task(self._drawn(course, wanted))
            if wanted.clock is None and not note and len(pages) < MOST_PAGES:
                pages[wanted] = task
        return await asyncio.shield(task)

    async def _drawn(self, course: Course, wanted: Wanted) -> str:
        pages = self._pages.get(course.table, {})
        try:
            rendered = await self.workers.draw(course, wanted)
        except BaseException:
            pages.pop(wanted, None)
            raise
        if rendered.unfinished:
            # Who asks again is shown more.
            pages.pop(wanted, None)
        return rendered.text

    def _persons(self, sitting: Sitting) -> tuple[Person, ...]:
        """Who sits at a table, and who of them is there."""
        key, here = sitting.key, self.presence.told(sitting.key)
        return tuple(
            Person(
                seat.kind, seat.kind != HUMAN or number in here, seat.kind != HUMAN or self.guests.seated(key, number)
            )
            for number, seat in enumerate(sitting.match.seats)
        )


def new_seed() -> int:
    """A seed that nobody chose, and that nobody finds by trying all."""
    return int.from_bytes(os.urandom(8), "big")

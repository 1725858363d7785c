"""The host: open tables, presence of guests, notification of new versions, bots, and pages for the guests."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import secrets
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import Rules, load, resolved_pieces
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveError, SaveFile
from wongar_dsl.nlg.words import Translator, WordsError, available
from wongar_dsl.session.game_session import SUFFIX, GameSession, new_seed, reopen_save
from wongar_dsl.session.menu import forced_move
from wongar_dsl.session.seats import create_game

from .render_worker import BookRequest, GameSnapshot, WorkerPools, WorkerSettings
from .store import GUEST_TTL_S, WATCHING, Guest, OpenTable, Store
from .table_session import HUMAN, NotSavedError, StaleError, TableSession
from .views.turn_view import Person, RenderRequest

#: Seconds after a page request during which its guest counts as present.
PRESENCE_TIMEOUT_S = 20.0


class SeatPresence:
    """Presence by seat; spectators have none."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._streams_by_seat: Counter[tuple[str, int]] = Counter()
        self._streams_by_guest: Counter[int] = Counter()
        self._seen: dict[tuple[str, int], float] = {}
        self._announced: dict[str, frozenset[int]] = {}

    def stream_opened(self, table: str, seat: int, guest: object) -> None:
        """Count a new event stream of a guest to a seat."""
        self._streams_by_seat[table, seat] += 1
        self._streams_by_guest[id(guest)] += 1

    def stream_closed(self, table: str, seat: int, guest: object) -> None:
        """Count the end of an event stream."""
        self._streams_by_seat[table, seat] -= 1
        self._streams_by_guest[id(guest)] -= 1
        if not self._streams_by_guest[id(guest)]:
            del self._streams_by_guest[id(guest)]
        self.page_requested(table, seat)

    def streams_of(self, guest: object) -> int:
        """Return the number of a guest's event streams at all tables."""
        return self._streams_by_guest[id(guest)]

    def streams(self, table: str, seat: int) -> int:
        """Return the number of event streams to a seat."""
        return self._streams_by_seat[table, seat]

    def page_requested(self, table: str, seat: int) -> None:
        """Record a page request."""
        self._seen[table, seat] = self._clock()

    def announced(self, table: str) -> frozenset[int]:
        """Return the seats present, as last reported to the guests."""
        return self._announced.get(table, frozenset())

    def update_announced(self, table: str, seats: Iterable[int]) -> bool:
        """Return whether the presence has changed since the last report, and update the report."""
        now = self._clock()
        present = frozenset(
            seat
            for seat in seats
            if self._streams_by_seat[table, seat] > 0
            or now - self._seen.get((table, seat), -PRESENCE_TIMEOUT_S) < PRESENCE_TIMEOUT_S
        )
        old, self._announced[table] = self.announced(table), present
        return present != old

    def forget(self, table: str) -> None:
        """Forget a closed table."""
        self._announced.pop(table, None)
        for key in [key for key in self._seen if key[0] == table]:
            del self._seen[key]


#: Seconds of silence after which a comment line is sent, so that clients do not take the connection for dead.
HEARTBEAT_S = 15.0


class VersionNotifier:
    """Notifies all waiting tasks of a new version of a table."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        """Notify of a new version or of the end."""
        event, self._event = self._event, asyncio.Event()
        event.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a notification for at most `seconds`; return whether there was one."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        return True


async def versions(
    notifier: VersionNotifier, version: Callable[[], int | None], last: int | None, heartbeat: float = HEARTBEAT_S
) -> AsyncIterator[bytes]:
    """Yield events for the current and later versions, except `last`, which the client knows.

    Ends when `version` returns None.
    """
    yield b"retry: 2000\n\n"
    while (now := version()) is not None:
        if now != last:
            last = now
            yield f'id: {now}\ndata: {{"version": {now}}}\n\n'.encode()
            continue
        if not await notifier.wait(heartbeat):
            yield b":\n\n"


T = TypeVar("T")

#: Interval between checks of clocks and presence, and between saves of elapsed times.
TICK_S, SAVE_INTERVAL_S = 0.25, 2.0
#: Seconds without activity after which a table is only reopened at the host's request.
ABANDONED_AFTER_S = 7 * 86_400
#: Maximum number of open tables, of cached pages per table, and of rulebooks being written.
MAX_TABLES, MAX_CACHED_PAGES, MAX_WAITING_BOOKS = 200, 64, 8
#: Number of recent bot thinking times remembered.
MAX_THINKING_TIMES = 16
#: Pages whose rendering starts the clock of the question they show.
CLOCK_STARTING_PAGES = ("table", "part")


class TooManyError(Exception):
    """Raised if the maximum number of tables is already open, or of rulebooks being written."""


class NoSeatError(Exception):
    """Raised if the guest is not (or no longer) admitted to the table."""


class Host:
    """The tables of one server."""

    def __init__(
        self, worker_settings: WorkerSettings, saves: Path, language: str, address: str = "", processes: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`saves` is the folder of saves, `language` the host's; with 0 `processes`, threads render the pages."""
        self.worker_settings, self.saves, self.language = worker_settings, saves, language
        self.address, self.clock = address, clock
        self.store = Store(saves)
        self.workers = WorkerPools(worker_settings, processes)
        self.presence = SeatPresence(clock)
        self.table_sessions: dict[str, TableSession] = {}
        self.notifiers: dict[str, VersionNotifier] = {}
        self.closed = False
        self._bot_tasks: dict[str, asyncio.Task[None]] = {}
        self._books: dict[BookRequest, asyncio.Task[tuple[str, str]]] = {}
        self._pages: dict[str, dict[RenderRequest, asyncio.Task[str]]] = {}
        self._thinking_times: dict[tuple[str, tuple[Seat, ...]], deque[float]] = {}
        self._warm_ups: set[asyncio.Task[None]] = set()
        self.words = cache(worker_settings.words)
        available_languages = available([Path(root) for root in worker_settings.roots])
        for guest in self.store.guests.values():
            # A guest's language may have been removed since the last start.
            guest.language = guest.language if guest.language in available_languages else language
        self._spoken: dict[tuple[str, str], Translator] = {}

    @cached_property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """The available languages: codes with names."""
        named_languages = []
        for code in available([Path(root) for root in self.worker_settings.roots]):
            with contextlib.suppress(WordsError):
                named_languages.append((code, self.words(code).lexicon.name))
        return tuple(named_languages)

    def spoken(self, language: str, rules: Rules) -> Translator:
        """Return the texts of a language, including catalogs beside the rules."""
        if (language, rules.hash) not in self._spoken:
            self._spoken[language, rules.hash] = self.worker_settings.words(language, rules)
        return self._spoken[language, rules.hash]

    # ---- tables ----

    def create_table(
        self, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None, guided: bool = False
    ) -> TableSession:
        """Create a table, perhaps for a guided first game.

        Raises `RulesError`, `SessionSetupError`, `PlayFault`, `TooManyError`, OSError and `SaveError`.
        """
        self._require_room()
        key = secrets.token_hex(4)
        session = self.new_session(key, name, seats, settings, seed)
        session.guided = guided
        return self._open(key, session, OpenTable(""))

    def new_session(
        self, key: str, name: str, seats: Sequence[Seat], settings: Sequence[str], seed: int | None = None
    ) -> GameSession:
        """Return a new session without players; raise what `create_table` does."""
        cached = Cache(Path(self.worker_settings.cache))
        rules = load(name, cached)
        game = create_game(rules, len(seats), settings, self.worker_settings.backend, cached)
        match = Match.begin(game, seats, seed if seed is not None else new_seed(), rules.hash)
        path = self._path(game.name, key)
        return GameSession(
            rules, match, self.worker_settings.words(self.language, rules), "\n".join(resolved_pieces(name)), path
        )

    def resume(self, path: Path) -> TableSession:
        """Open the table of a save; raise `SaveError`, `TooManyError` and OSError."""
        self._require_room()
        stored_tables = ((key, stored) for key, stored in self.store.tables.items() if stored.save == path.name)
        key, stored = next(stored_tables, (secrets.token_hex(4), OpenTable(path.name)))
        return self._open(key, self._reopened(path), stored)

    def _reopened(self, path: Path) -> GameSession:
        saved_game = reopen_save(path, self.worker_settings.backend, Cache(Path(self.worker_settings.cache)))
        save_file = SaveFile.resume(path, saved_game.saved, saved_game.match)
        language = saved_game.saved.language or self.language
        try:
            words = self.worker_settings.words(language, saved_game.rules)
        except WordsError:
            words = self.worker_settings.words(self.language, saved_game.rules)
        return GameSession(
            saved_game.rules, saved_game.match, words, saved_game.file, path, saved_game.saved.torn, save_file,
            saved_game.saved.guided,
        )  # fmt: skip

    def _open(self, key: str, session: GameSession, open_table: OpenTable) -> TableSession:
        open_table.play(session.path, session.match)
        open_table.learn |= session.guided
        try:
            table_session = TableSession(key, session, open_table, self.clock)
            table_session.save()
        except BaseException:
            session.close()
            raise
        if key in self.table_sessions:
            session.close()
            raise SaveError("in_use", path=str(session.path))
        self.table_sessions[key] = table_session
        self.notifiers[key] = VersionNotifier()
        self.store.tables[key] = open_table
        for kind in ("any", "watch"):
            self.store.invite(kind, key)
        table_session.dirty = False
        self.store.write()
        return table_session

    def _require_room(self) -> None:
        if len(self.table_sessions) >= MAX_TABLES:
            raise TooManyError

    def restore_tables(self) -> int:
        """Reopen the tables that were open when the server stopped; return the number of open tables."""
        for key, stored in list(self.store.tables.items()):
            path = self.saves / stored.save
            try:
                age = time.time() - path.stat().st_mtime
                if age < ABANDONED_AFTER_S and len(self.table_sessions) < MAX_TABLES:
                    self._open(key, self._reopened(path), stored)
                elif age > GUEST_TTL_S:
                    self.store.drop(key)
            except FileNotFoundError:
                self.store.drop(key)
            except (OSError, SaveError, RulesError, PlayFault, ValueError):
                # The save may be available later; then all players find their seats.
                continue
        return len(self.table_sessions)

    async def close(self, key: str) -> None:
        """Close a table if it is open; its save remains; raise OSError if the change cannot be saved."""
        table_session = self.table_sessions.pop(key, None)
        if table_session is None:
            return
        self._pages.pop(key, None)
        if (task := self._bot_tasks.pop(key, None)) is not None:
            task.cancel()
        self.notifiers.pop(key).notify()
        self.presence.forget(key)
        await asyncio.to_thread(self._close_session, table_session)
        self.store.drop(key)
        await asyncio.to_thread(self.store.write)

    def rematch(self, table_session: TableSession) -> None:
        """Start a rematch with seats rotated by one; raise `PlayFault`, OSError and `SaveError`."""
        match = table_session.match
        table_session.open_table.learn = False
        table_session.rematch(table_session.session.rematch(self._path(match.game.name, table_session.key)))
        self.store.rotate_seats(table_session.key, len(match.seats))

    def _path(self, game: str, key: str) -> Path:
        """Return the path of a new save."""
        called = re.sub(r"[^A-Za-z0-9_]+", "-", game)
        return self.saves / f"{datetime.now():%Y-%m-%d-%H%M%S}-{called}-{key}{secrets.token_hex(2)}{SUFFIX}"

    # ---- time ----

    async def tick_loop(self) -> None:
        """Check clocks and presence, and save regularly, until the server stops."""
        last_save = self.clock()
        while not self.closed:
            await asyncio.sleep(TICK_S)
            save_due = self.clock() - last_save >= SAVE_INTERVAL_S
            if save_due:
                last_save = self.clock()
            for table_session in list(self.table_sessions.values()):
                with contextlib.suppress(OSError, SaveError, PlayFault, StaleError):
                    if save_due and (table_session.dirty or table_session.session.lost or self.store.lost):
                        await self.run_exclusive(table_session, table_session.save)
                    if table_session.clock_is_running:
                        await self.run_exclusive(table_session, table_session.expire_clocks)
                    if save_due and table_session.clock_is_running:
                        await self.run_exclusive(table_session, table_session.persist_clocks)
                    seats = range(len(table_session.match.seats))
                    if save_due and self.presence.update_announced(table_session.key, seats):
                        await self.run_exclusive(table_session, table_session.raise_version)

    async def shutdown(self) -> None:
        """Stop the server; the tables can be reopened later."""
        self.closed = True
        for notifier in self.notifiers.values():
            notifier.notify()
        for task in self._bot_tasks.values():
            task.cancel()
        await asyncio.to_thread(self.workers.close)
        for table_session in self.table_sessions.values():
            await asyncio.to_thread(self._close_session, table_session)
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self.store.write)
        self.store.close()

    def _close_session(self, table_session: TableSession) -> None:
        with table_session.lock:
            with contextlib.suppress(OSError, SaveError):
                table_session.persist_clocks()
            # A request that waited for the lock finds the table closed.
            table_session.closed = True
            table_session.session.close()

    # ---- seats ----

    def free_seats(self, table_session: TableSession, guest: Guest | None) -> set[int]:
        """Return the seats that a guest can take.

        In a game with hidden information, a guest who has seen a seat's view may only return to that seat.
        """
        own_seat = guest.seats.get(table_session.key) if guest is not None else None
        free = {
            number
            for number in range(len(table_session.match.seats))
            if table_session.is_human(number)
            and (number == own_seat or not self.store.is_seated(table_session.key, number))
        }
        return free & (self.required_seats(table_session, guest) or free)

    def required_seats(self, table_session: TableSession, guest: Guest | None) -> set[int]:
        """Return the only seats a guest may have because of the information seen; empty if there is no restriction."""
        if guest is None or not table_session.match.game.knowledge.has_private_information:
            return set()
        return self.store.seen_seats(guest, table_session.key)

    # ---- requests ----

    async def run_exclusive(self, table_session: TableSession, work: Callable[..., T], *arguments: object) -> T:
        """Run `work` with the table locked, save, and notify all guests of a new version.

        Raises what `work` does, OSError, and `StaleError` for a closed table.
        """
        before = table_session.version

        def locked() -> T:
            with table_session.lock:
                if table_session.closed:
                    raise StaleError
                version = table_session.version
                try:
                    try:
                        return work(*arguments)
                    finally:
                        if table_session.dirty or self.store.lost:
                            self.store.write()
                            table_session.dirty = False
                        if table_session.unsaved and not table_session.session.lost:
                            table_session.unsaved, table_session.version = False, table_session.version + 1
                except (OSError, SaveError) as error:
                    table_session.dirty = table_session.unsaved = True
                    if table_session.version != version:
                        raise NotSavedError from error
                    raise

        try:
            return await asyncio.to_thread(locked)
        finally:
            if table_session.version != before:
                self.broadcast(table_session)

    def broadcast(self, table_session: TableSession) -> None:
        """Notify all guests of a new version, and let bots move."""
        self._pages.pop(table_session.key, None)
        if (notifier := self.notifiers.get(table_session.key)) is not None:
            notifier.notify()
        self.schedule_bot(table_session)

    def schedule_bot(self, table_session: TableSession) -> None:
        """Start the bot that is to move, if any, and those after it."""
        running = self._bot_tasks.get(table_session.key)
        if table_session.bot_is_next and (running is None or running.done()) and not self.closed:
            self._bot_tasks[table_session.key] = asyncio.create_task(self._think(table_session))

    async def _think(self, table_session: TableSession) -> None:
        with contextlib.suppress(PlayFault, RulesError, StaleError):
            key = table_session.key
            while table_session.bot_is_next and not self.closed and self.table_sessions.get(key) is table_session:
                try:
                    snapshot = await self.run_exclusive(table_session, table_session.snapshot)
                    started_at, secret = self.clock(), forced_move(table_session.match.state) == "private"
                    option, took = await self.workers.think(snapshot)
                    await self._disguise_forced_move(snapshot, secret, self.clock() - started_at)
                    await self.run_exclusive(table_session, table_session.bot_decided, snapshot, option, took)
                except (OSError, SaveError):  # The change cannot be saved at present.
                    await asyncio.sleep(SAVE_INTERVAL_S)

    async def _disguise_forced_move(self, snapshot: GameSnapshot, secret: bool, took: float) -> None:
        """Delay forced bot moves so that the response time does not reveal that the bot had no choice."""
        last = self._thinking_times.setdefault((snapshot.name, snapshot.seats), deque(maxlen=MAX_THINKING_TIMES))
        if not secret:
            last.append(took)
        elif last:
            await asyncio.sleep(max(0.0, random.choice(last) - took))

    async def warm_up(self, table_session: TableSession) -> None:
        """Start the bots of a new table, and prepare the render workers before the first request."""
        self.schedule_bot(table_session)
        if self.workers.has_processes:
            snapshot = await asyncio.to_thread(table_session.snapshot)
            persons = tuple(Person(seat.kind, False) for seat in snapshot.seats)
            version, key = table_session.version, f"/t/{table_session.key}"
            request = RenderRequest(viewer=None, language=self.language, version=version, key=key, persons=persons)
            task = asyncio.create_task(self.workers.warm_up(snapshot, request))
            self._warm_ups.add(task)
            task.add_done_callback(self._warm_ups.discard)

    # ---- pages ----

    async def page(
        self, table_session: TableSession, guest: Guest, page: str, chosen: tuple[int, ...] = (), note: str = "",
        replay: tuple[int, bool] = (0, False),
    ) -> str:  # fmt: skip
        """Return a page of a table for a guest; raise `NoSeatError`."""

        def prepare() -> tuple[RenderRequest, GameSnapshot]:
            with table_session.lock:
                # The guest's seat can change while the request waits for the lock.
                seat = self.store.seat(guest, table_session.key)
                viewer = seat if seat != WATCHING else None
                if seat is None or seat >= len(table_session.match.seats):
                    raise NoSeatError
                if viewer is not None and page in CLOCK_STARTING_PAGES:
                    table_session.start_clock(viewer)
                request = RenderRequest(
                    page=page,
                    viewer=viewer,
                    language=guest.language,
                    version=table_session.version,
                    key=f"/t/{table_session.key}",
                    persons=self._persons(table_session),
                    since=table_session.since.get(viewer) if viewer is not None else None,
                    is_deciding=viewer in table_session.pending,
                    chosen=chosen,
                    waiting=table_session.waiting,
                    clock=table_session.clock(viewer),
                    undo=table_session.may_request_undo(viewer),
                    undo_request=table_session.undo_request,
                    languages=self.languages,
                    host=guest.host,
                    scheme=guest.scheme,
                    foretell=guest.foretell,
                    note=note or (self.words(guest.language).say("serve.unsaved") if table_session.unsaved else ""),
                    replay=replay,
                    learn=table_session.open_table.learn,
                    undone=table_session.undone.get(viewer, ()),
                )
                return request, table_session.snapshot()

        request, snapshot = await asyncio.to_thread(prepare)
        pages = self._pages.setdefault(table_session.key, {})
        task = pages.get(request)
        if task is None:
            task = asyncio.create_task(self._render(snapshot, request))
            if request.clock is None and not request.note and len(pages) < MAX_CACHED_PAGES:
                pages[request] = task
        return await asyncio.shield(task)

    async def book(self, request: BookRequest) -> tuple[str, str]:
        """Return the title and the content of a rulebook; raise `TooManyError` if too many others are being written."""
        task = self._books.get(request)
        if task is None:
            if len(self._books) >= MAX_WAITING_BOOKS:
                raise TooManyError
            task = self._books[request] = asyncio.create_task(self.workers.write(request))
            task.add_done_callback(lambda _: self._books.pop(request, None))
        return await asyncio.shield(task)

    async def _render(self, snapshot: GameSnapshot, request: RenderRequest) -> str:
        pages = self._pages.get(snapshot.table, {})
        try:
            text, unfinished = await self.workers.draw(snapshot, request)
        except BaseException:
            pages.pop(request, None)
            raise
        if unfinished:
            # A later request shows more.
            pages.pop(request, None)
        return text

    def _persons(self, table_session: TableSession) -> tuple[Person, ...]:
        """Return the occupants of the seats and their presence."""
        key, present = table_session.key, self.presence.announced(table_session.key)
        return tuple(
            Person(
                seat.kind,
                seat.kind != HUMAN or number in present,
                seat.kind != HUMAN or self.store.is_seated(key, number),
            )
            for number, seat in enumerate(table_session.match.seats)
        )

"""Hosts and browsers for tests: a server in this process, and clients that keep their cookies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

import httpx2 as httpx
from starlette.testclient import TestClient

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.match import Seat
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.web.app import application
from wongar_dsl.web.host import Host
from wongar_dsl.web.render_worker import WorkerSettings
from wongar_dsl.web.table_session import TableSession

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".pytest_cache" / "web"
ADDRESS = "http://testserver"
NAMES = ("testserver",)


@dataclass
class Time:
    """A clock that a test advances by hand."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def fail_with_full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def wait_until(what: Callable[[], object], seconds: float = 20.0) -> None:
    end = monotonic() + seconds
    while not what():
        assert monotonic() < end
        sleep(0.02)


def program(backend: str = "python") -> WorkerSettings:
    return WorkerSettings(str(Cache(CACHE).folder), (), backend)


def new_host(saves: Path, time: Time | None = None, language: str = "en") -> Host:
    return Host(program(), saves, language, ADDRESS, 0, time or Time())


@dataclass
class Browser:
    """A browser with its cookies, for one guest of a table."""

    client: httpx.Client
    key: str = ""
    once: int = 0
    origin: dict[str, str] = field(default_factory=lambda: {"origin": ADDRESS})

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers, follow_redirects=False)

    def post(self, path: str, data: dict[str, str], **headers: str) -> httpx.Response:
        return self.client.post(path, data=data, headers={**self.origin, **headers}, follow_redirects=False)

    def page(self, name: str = "") -> str:
        answer = self.get(f"{self.key}{name}")
        assert answer.status_code == 200, answer.status_code
        return answer.text

    def form(self, page: str | None = None) -> dict[str, str]:
        """Return the fields that a form of the page sends, without the choice."""
        page = self.page() if page is None else page
        version = {"version": re.findall(r'name="version" value="(\d+)"', page)[0]}
        self.once += 1
        part = re.search(r'name="part" value="([^"]*)"', page)
        return {**version, "once": f"o{self.once}", **({"part": part[1]} if part else {})}

    def choices(self, page: str | None = None) -> list[str]:
        return re.findall(r'name="choice" value="([^"]*)"', self.page() if page is None else page)

    def choice_form(self, number: int = 0) -> dict[str, str]:
        page = self.page()
        return {**self.form(page), "choice": self.choices(page)[number]}

    def send(self, name: str, data: dict[str, str] | None = None, **headers: str) -> int:
        """Send a form of the table and return the status of the answer."""
        return self.post(f"{self.key}/{name}", data or {}, **headers).status_code

    def choose(self, number: int = 0) -> httpx.Response:
        return self.post(f"{self.key}/move", self.choice_form(number))


@dataclass
class Played:
    """A host with one table, and one browser per human seat in seat order."""

    host: Host
    table_session: TableSession
    seated: list[Browser]

    @property
    def decider(self) -> Browser:
        """The browser of the first seat with a pending decision."""
        return self.seated[next(iter(self.table_session.pending))]

    @property
    def steps(self) -> int:
        return len(self.table_session.match.steps)

    def stranger(self) -> Browser:
        return Browser(new_client(self.seated[0].client))

    def host_browser(self, browser: Browser | None = None) -> Browser:
        """Return a browser with the rights of the host: a new one, or that of a guest."""
        browser = browser or self.stranger()
        answer = browser.post(f"/join/{self.host.store.invite('host')}", {"lang": "en"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        return browser

    def invitation(self, kind: str = "any", seat: int | None = None) -> str:
        """Return the path of the table's own invitation, or of a new one to a seat."""
        guests, key = self.host.store, self.table_session.key
        return f"/join/{guests.key(kind, key) if seat is None else guests.invite('seat', key, seat)}"

    def cookies(self) -> list[dict[str, str]]:
        return [dict(browser.client.cookies) for browser in self.seated]

    def play(self, steps: int = 1000, last: bool = False) -> int:
        """Make up to `steps` decisions and return how many were made."""
        for made in range(steps):
            if self.table_session.match.state.over:
                return made
            pending = list(self.table_session.pending)
            seat = pending[-1 if last else 0]
            browser, state = self.seated[seat], self.table_session.pending[seat].state
            page = browser.page()
            form, choices, puzzle = browser.form(page), browser.choices(page), Puzzle.of(state)
            if puzzle is not None and made % 3:
                form["drawing"] = next(iter(puzzle.solutions))
            elif choices:
                form["choice"] = choices[made % len(choices)]
            else:
                form["choice"] = re.findall(r'<input id="number"[^>]* min="(\d+)"', page)[0]
            answer = browser.post(f"{browser.key}/move", form)
            assert answer.status_code == 303, (answer.status_code, answer.text[-2000:])
        return steps


def join(
    browser: Browser, host: Host, session: TableSession, seat: int | None, name: str, language: str = "en"
) -> None:
    """Take a seat, or join as a spectator if `seat` is None."""
    key = host.store.key("any", session.key)
    sent = {"seat": "watch" if seat is None else str(seat), "name": name, "lang": language}
    answer = browser.post(f"/join/{key}", sent)
    assert answer.status_code == 303, answer.text
    browser.key = f"/t/{session.key}"
    assert answer.headers["location"] == browser.key


def new_client(client: TestClient, cookies: dict[str, str] | None = None) -> TestClient:
    """Return another client of the same server."""
    client_copy = TestClient(client.app, cookies=cookies)
    client_copy.portal = client.portal
    return client_copy


@contextmanager
def restarted_host(
    saves: Path, cookies: Sequence[dict[str, str]], time: Time | None = None
) -> Iterator[tuple[Host, list[Browser]]]:
    """A host restarted from its saves, and browsers that still have their cookies."""
    host = new_host(saves, time)
    host.restore_tables()
    with TestClient(application(host, NAMES, time or Time()), cookies=cookies[0]) as first:
        yield host, [Browser(first), *(Browser(new_client(first, jar)) for jar in cookies[1:])]


@contextmanager
def restarted(saves: Path, key: str, cookies: Sequence[dict[str, str]], time: Time | None = None) -> Iterator[Played]:
    """A host restarted with its only table, and the browsers of its seats."""
    with restarted_host(saves, cookies, time) as (host, seated):
        (table_session,) = host.table_sessions.values()
        assert table_session.key == key
        for browser in seated:
            browser.key = f"/t/{key}"
        yield Played(host, table_session, seated)


@contextmanager
def hosted(
    saves: Path, game: str, kinds: Sequence[str], languages: Sequence[str] = ("en",), seed: int = 5,
    settings: Sequence[str] = (), time: Time | None = None,
) -> Iterator[Played]:  # fmt: skip
    """A hosted table with a browser on every human seat."""
    host = new_host(saves, time)
    table_session = host.create_table(game, [Seat(kind) for kind in kinds], settings, seed)
    app = application(host, NAMES, time or Time())
    # The first client runs the application's lifespan for all clients.
    with TestClient(app) as first:
        seated = []
        for seat, kind in enumerate(kinds):
            browser = Browser(first if not seated else new_client(first))
            if kind == "human":
                join(browser, host, table_session, seat, f"P{seat}", languages[seat % len(languages)])
            seated.append(browser)
        yield Played(host, table_session, seated)


class Tables:
    """Tables hosted one after the other in a folder, until the end of a test."""

    def __init__(self, saves: Path) -> None:
        self.saves, self.time, self.stack = saves, Time(), ExitStack()

    def open(
        self, game: str = "nim", kinds: Sequence[str] = ("human", "human"), languages: Sequence[str] = ("en",),
        seed: int = 5,
    ) -> Played:  # fmt: skip
        self.played = self.stack.enter_context(hosted(self.saves, game, kinds, languages, seed, (), self.time))
        return self.played

    def restart(self, after: Callable[[], object] = lambda: None) -> Played:
        """End the host, and start another one from its saves, with the same browsers."""
        cookies, key = self.played.cookies(), self.played.table_session.key
        self.stack.close()
        after()
        self.played = self.stack.enter_context(restarted(self.saves, key, cookies, self.time))
        return self.played

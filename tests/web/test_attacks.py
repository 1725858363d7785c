"""Attempts to see hidden cards, to block the server or to spoil a table."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx2 as httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tests.web.hosting import Played, Tables, Time, fail_with_full_disk, hosted, join, new_host
from wongar_dsl.session.seats import SessionSetupError, clean_name, lookalike_key
from wongar_dsl.web import app as connection_limits
from wongar_dsl.web import store
from wongar_dsl.web import store as auth
from wongar_dsl.web.security import HEADERS, SecurityMiddleware
from wongar_dsl.web.store import WATCHING, Guest, Store
from wongar_dsl.web.table_session import StaleError, TableSession

T = TypeVar("T")

# ---- hands ---------------------------------------------------------------------------------------------------------


def answer_after(table_session: TableSession, ask: Callable[[], T], change: Callable[[], object]) -> T:
    """Return the answer to a request that waits for its table while the table is changed."""
    with ThreadPoolExecutor(1) as threads:
        with table_session.lock:
            answer = threads.submit(ask)
            time.sleep(0.2)
            change()
        return answer.result(20)


def test_page_requested_during_a_rematch_shows_the_new_seat(tables: Tables) -> None:
    played = tables.open("kuhn_poker")
    played.play()
    session = played.table_session
    part = answer_after(session, lambda: played.seated[0].page("/part"), lambda: played.host.rematch(session))
    (guest,) = [entry for entry in played.host.store.guests.values() if entry.name == "P0"]
    assert guest.seats[session.key] == 1
    assert session.session.names[1] == "P0"
    assert '<strong>P0</strong> <span class="tag">' in part


def test_choice_sent_before_a_rematch_is_not_applied_to_another_seat(nim: Played) -> None:
    browser, form, session = nim.decider, nim.decider.choice_form(), nim.table_session
    rotate = nim.host.store.rotate_seats
    assert answer_after(session, lambda: browser.send("move", form), lambda: rotate(session.key, 2)) == 409
    assert nim.steps == 0


# ---- guests and spectators -----------------------------------------------------------------------------------------


def test_many_spectators_do_not_push_out_players(nim: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "MAX_SPECTATORS", 5)
    monkeypatch.setattr(store, "MAX_GUESTS", 4)
    for _ in range(30):
        assert nim.stranger().post(nim.invitation("watch"), {"seat": "watch", "lang": "en"}).status_code == 303
    assert all(browser.get(browser.key).status_code == 200 for browser in nim.seated)
    watching = {nim.table_session.key: WATCHING}
    assert sum(guest.seats == watching for guest in nim.host.store.guests.values()) <= 4


def test_event_streams_per_guest_are_limited(nim: Played) -> None:
    watcher, presence, key = nim.stranger(), nim.host.presence, nim.table_session.key
    join(watcher, nim.host, nim.table_session, None, "")
    (guest,) = [entry for entry in nim.host.store.guests.values() if WATCHING in entry.seats.values()]
    for _ in range(8):
        presence.stream_opened(key, WATCHING, guest)
    assert watcher.get(f"{watcher.key}/events").status_code == 429
    presence.stream_closed(key, WATCHING, guest)
    assert presence.streams_of(guest) == 7


# ---- connections ---------------------------------------------------------------------------------------------------


@contextmanager
def listening(most: int, silence: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server of one page with short timeouts and few connections."""
    import uvicorn

    monkeypatch.setattr(connection_limits, "READ_TIMEOUT_S", silence)
    monkeypatch.setattr(connection_limits, "MAX_LOCAL_CONNECTIONS", most)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await Response("here")(scope, receive, send)

    config = uvicorn.Config(app, http=connection_limits.LimitedConnection, ws="none", log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(64)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([bound])), daemon=True)
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)


def open_connection(port: int, text: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(20)
    connection.sendall(text)
    return connection


def test_incomplete_requests_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(50, 0.3, monkeypatch) as port:
        texts = (b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT")
        for silent in [open_connection(port, text) for text in texts]:
            with silent, suppress(ConnectionResetError):
                while silent.recv(1000):
                    pass
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"


def test_connections_per_client_are_limited_to_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(5, 20.0, monkeypatch) as port, ExitStack() as held:
        whole = [held.enter_context(open_connection(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")) for _ in range(5)]
        assert all(connection.recv(1000) for connection in whole)
        # Answered connections make room for new ones.
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"
        texts = (b"", b"GET / HT", b"", b"", b"", b"", b"")
        connections = [held.enter_context(open_connection(port, text)) for text in texts]
        time.sleep(0.2)
        assert len(connection_limits.LimitedConnection.open["127.0.0.1"]) == 5
        for connection in connections[:2]:
            with suppress(ConnectionResetError):
                assert connection.recv(10) == b""
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"


def test_connection_is_closed_after_a_form_times_out(nim: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(_: object) -> bytes:
        raise TimeoutError

    monkeypatch.setattr("wongar_dsl.web.security._body", late)
    answer = nim.seated[0].post(f"{nim.seated[0].key}/leave", {"a": "b"})
    assert (answer.status_code, answer.headers["connection"]) == (408, "close")


# ---- full disk -----------------------------------------------------------------------------------------------------


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let the store not be written; undo the patch to have room again."""
    with monkeypatch.context() as broken:
        broken.setattr(Store, "write", fail_with_full_disk)
        yield broken


def test_guests_join_leave_and_close_while_the_disk_is_full(nim: Played, full_disk: pytest.MonkeyPatch) -> None:
    first, second, stranger = *nim.seated, nim.stranger()
    assert second.send("leave") == 303
    assert stranger.post(nim.invitation(), {"seat": "1", "name": "Ben", "lang": "en"}).status_code == 303
    assert stranger.get(first.key).status_code == 200
    assert nim.table_session.dirty
    next(iter(nim.host.store.guests.values())).host = True
    assert [first.send("close") for _ in range(2)] == [303, 404]


def test_failed_save_is_retried_at_the_next_save(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    played = tables.open("goofspiel")
    session, seat = played.table_session, list(played.table_session.pending)[-1]

    def saved() -> list[str]:
        return list(json.loads(played.host.store.path.read_text())["tables"][session.key]["answers"])

    with monkeypatch.context() as broken:
        broken.setattr(Store, "write", fail_with_full_disk)
        assert played.seated[seat].choose().status_code == 200
    assert saved() == []
    asyncio.run(played.host.run_exclusive(session, session.save))
    assert saved() == [str(seat)]


def test_operation_waiting_for_a_closed_table_is_rejected(nim: Played) -> None:
    session = nim.table_session
    asyncio.run(nim.host.close(session.key))
    with pytest.raises(StaleError):
        asyncio.run(nim.host.run_exclusive(session, session.raise_version))
    # The save is not locked.
    assert nim.host.resume(session.session.path).key != session.key


# ---- damaged stores ------------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "format": 1,
    "name": "abcd",
    "guests": {"g": {"language": "de", "name": "Eva", "scheme": "dark", "foretell": True, "host": True,
                     "seats": {"t": 1}, "seen": 10**11, "seen_seats": {"0123456789abcdef/a.json": [1]}}},
    "invitations": {"i": {"kind": "any", "table": "t", "seat": -1}},
    "tables": {"t": {"save": "a.json", "opened": 1, "choices": 2, "answers": {"1": ["x", 5]},
                     "clocks": {"0": 7}, "learn": True, "deal": "0123456789abcdef"}},
}  # fmt: skip
WRONG: tuple[tuple[str, str, str, Any], ...] = (
    *(("tables", "t", "save", value) for value in (5, None, "a\0b", "../x.json", "a/b.json")),
    *(("tables", "t", "opened", value) for value in ("x", None, -1, True)),
    *(("tables", "t", "answers", value) for value in ({"a": ["x", 1]}, {"1": 5}, [1], {"1": [None, 1]})),
    *(("tables", "t", "clocks", value) for value in ([1], {"zz": 1}, {"1": "x"})),
    *(("guests", "g", "language", value) for value in (5, [1], None)),
    *(("guests", "g", "seats", value) for value in ([1], {"t": 100}, {"t": -5}, {"t": "0"})),
    *(("guests", "g", "seen_seats", value) for value in ([1], {"a.json": 1}, {"a.json": [-1]})),
    *(("guests", "g", "seen_seats", {path: [0]}) for path in ("../a.json", "a/b.json", "0123456789abcdef/../a.json")),
    ("guests", "g", "scheme", [1]), ("guests", "g", "name", "\ud800"), ("guests", "g", "seen", "now"),
    ("invitations", "i", "kind", "zzz"), ("invitations", "i", "seat", 101), ("invitations", "i", "table", [1]),
)  # fmt: skip


def store_from(folder: Path, data: object) -> Store:
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "tables" / "store").write_text(data if isinstance(data, str) else json.dumps(data))
    return Store(folder)


def test_store_is_read_back_unchanged(tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    first = store_from(tmp_path, GOOD)
    assert (len(first.guests), len(first.invitations), len(first.tables)) == (1, 1, 1)
    first.write()
    assert json.loads(first.path.read_text()) == GOOD
    first.close()


@pytest.mark.parametrize(("part", "key", "name", "value"), WRONG)
def test_damage_in_a_store_affects_only_its_entry(
    part: str, key: str, name: str, value: object, tmp_path: Path
) -> None:
    data = json.loads(json.dumps(GOOD))
    data[part][key][name] = value
    damaged = store_from(tmp_path, data)
    sizes = {"guests": len(damaged.guests), "invitations": len(damaged.invitations), "tables": len(damaged.tables)}
    assert sizes == {table: int(table != part) for table in sizes}
    damaged.write()
    damaged.close()


@pytest.mark.parametrize("text", ["[" * 200_000, "{", "[]", "null", '{"format": 1}', '{"format": 1, "guests": 5}'])
def test_invalid_store_files_are_treated_as_empty(text: str, tmp_path: Path) -> None:
    reopened = store_from(tmp_path, text)
    assert reopened.guests == reopened.tables == reopened.invitations == {}
    reopened.close()


def test_guest_with_an_unknown_language_gets_another_one(nim: Played, tables: Tables) -> None:
    for guest in nim.host.store.guests.values():
        guest.language = "tlh"
    nim.host.store.write()
    assert all(browser.get(browser.key).status_code == 200 for browser in tables.restart().seated)


def test_answer_keeps_status_and_headers_if_the_error_page_fails() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError

    def unable(request: Request, name: str, status: int) -> Response:
        raise RuntimeError

    async def ask() -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.request"}

        guard = SecurityMiddleware(broken, ("here",), "guest", lambda _: False, unable, Time())
        scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b"",
                 "headers": [(b"host", b"here")], "client": ("1.2.3.4", 5), "server": ("here", 80)}  # fmt: skip
        await guard(scope, receive, send)
        return sent

    begin = asyncio.run(ask())[0]
    assert begin["status"] == 500
    assert {name.encode() for name in HEADERS} <= {name for name, _ in begin["headers"]}


# ---- undo requests and names ---------------------------------------------------------------------------------------


def test_stale_agreement_does_not_apply_to_a_later_undo_request(tables: Tables) -> None:
    played = tables.open("connect_four")
    first, second = played.seated
    first.choose()
    second.choose()
    assert first.send("undo", first.form()) == 303
    old = {**second.form(), "answer": "yes"}
    assert first.send("answer", {**first.form(), "answer": "never"}) == 303
    assert first.send("undo", first.form()) == 303
    assert second.send("answer", old) == 409
    assert played.steps == 2
    assert second.send("answer", {**second.form(), "answer": "yes"}) == 303
    assert played.steps == 0


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u2800", "\u115f\u1160", "a" + "\u0301" * 9, "\u0301", "\u200b", "a\u202eb", "Аnnа", "Αnnа"],
)
def test_invisible_or_misleading_names_are_refused(name: str) -> None:
    with pytest.raises(SessionSetupError):
        clean_name(name)


@pytest.mark.parametrize("name", ["Zoë", "Ren\u0065\u0301", "Łukasz", "Ναι", "हिन्दी", "李", "🦘", "J.-P.", "Ben 2"])
def test_names_of_people_are_accepted(name: str) -> None:
    assert clean_name(name)


def test_names_that_look_alike_are_equal() -> None:
    assert {lookalike_key(name) for name in ("anna", "Аnnа", "ΑΝΝΑ", "Αnnа", "Ａnna")} == {lookalike_key("Anna")}
    assert lookalike_key("Rene\u0301") == lookalike_key("René") != lookalike_key("Rena")


def test_hosts_on_one_computer_use_different_cookies(tmp_path: Path) -> None:
    hosts = [Store(tmp_path / name) for name in ("one", "two")]
    cookie = hosts[0].cookie
    assert cookie != hosts[1].cookie
    hosts[0].guests["g"] = Guest("en", seen=int(time.time()))
    hosts[0].write()
    for host in hosts:
        host.close()
    reopened = Store(tmp_path / "one")
    assert reopened.cookie == cookie
    reopened.close()


def test_security_middleware_and_pages_read_the_same_cookie(nim: Played) -> None:
    name, stranger, path = nim.host.store.cookie, nim.stranger(), nim.seated[0].key
    token = nim.seated[0].client.cookies[name]
    for cookie in (f"{name}=x; {name}={token}", f'{name}="{token}"', f"guest={token}"):
        assert stranger.get(path, cookie=cookie).status_code == 403
    assert stranger.get(path, cookie=f"{name}={token}").status_code == 200


# ---- replaced players, restarts and odd files in the folder ---------------------------------------------------------


def test_replaced_player_can_neither_undo_nor_rename(tables: Tables) -> None:
    played = tables.open("connect_four")
    first = played.seated[0]
    first.choose()
    played.table_session.set_occupant(0, "easy", "P0")
    assert f'{first.key}/undo"' not in first.page()
    assert first.send("undo", {"version": str(played.table_session.version)}) == 409
    assert first.send("settings", {"name": "Hal", "lang": "en"}) == 303
    assert played.table_session.session.names[0] == "P0"
    assert played.steps == 1


def test_unavailable_save_keeps_its_seats_for_later(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        seat = list(played.table_session.pending)[-1]
        assert played.seated[seat].choose().status_code == 303
        key, path = played.table_session.key, played.table_session.session.path
    held = new_host(tmp_path / "elsewhere")
    busy = held.resume(path)
    host = new_host(tmp_path)
    assert host.restore_tables() == 0
    host.store.write()
    busy.session.close()
    held.store.close()
    # The host resumes it: same table, same guests, same answers given ahead.
    resumed = host.resume(path)
    assert resumed.key == key
    assert seat not in resumed.pending
    assert {guest.seats[key] for guest in host.store.guests.values()} == {0, 1}
    resumed.session.close()
    host.store.close()
    last = new_host(tmp_path)
    assert last.restore_tables() == 1
    last.table_sessions[key].session.close()
    last.store.close()
    # Without its save, the table is forgotten.
    path.unlink()
    host = new_host(tmp_path)
    assert host.restore_tables() == 0
    assert not host.store.tables
    host.store.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_pipes_and_links_in_the_store_folder_are_harmless(tmp_path: Path) -> None:
    folder, precious = tmp_path / "tables", tmp_path / "precious"
    folder.mkdir()
    os.mkfifo(folder / "store")
    Store(tmp_path).close()
    (folder / "lock").unlink()
    precious.write_text("mine")
    (folder / "lock").symlink_to(precious)
    with pytest.raises(OSError, match="lock"):
        Store(tmp_path)
    assert precious.read_text() == "mine"


def test_lobby_survives_odd_saves(nim: Played, tmp_path: Path) -> None:
    host = nim.host_browser()
    text = nim.table_session.session.path.read_text()
    line, _, rest = text.partition("\n")
    (tmp_path / "\udcff.json").write_text(text)
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "none")
    for head in ({"game": "\ud800"}, {"game": "x" * 1000}, {"file": "nim\n" * 5000}):
        (tmp_path / "odd.json").write_text(f"{json.dumps({**json.loads(line), **head})}\n{rest}")
        assert host.get("/").status_code == 200
        assert host.post("/saves", {"file": "odd.json"}).status_code == 422


def test_forced_bot_moves_take_as_long_as_others(tables: Tables) -> None:
    played = tables.open("goofspiel")
    host, course = played.host, played.table_session.snapshot()

    async def waited(*arguments: Any) -> float:
        begun = time.monotonic()
        await host._disguise_forced_move(course, *arguments)
        return time.monotonic() - begun

    async def pace() -> list[float]:
        return [await waited(*arguments) for arguments in ((False, 0.4), (True, 0.1), (False, 0.4))]

    first, forced, last = asyncio.run(pace())
    assert 0.29 < forced < 2
    assert max(first, last) < 0.2

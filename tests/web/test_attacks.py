"""Attempts to see hidden cards, to block the server or to spoil a table."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tests.web.hosting import Browser, Time, hosted, join, new_host, restarted
from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.seat_spec import clean_name, lookalike_key
from wongar_dsl.web.security import auth, connection_limits
from wongar_dsl.web.security.auth import GuestRegistry
from wongar_dsl.web.security.middleware import HEADERS, SecurityMiddleware
from wongar_dsl.web.tables import store
from wongar_dsl.web.tables.store import WATCHING, Guest, Store
from wongar_dsl.web.tables.table_session import StaleError

# ---- hands ---------------------------------------------------------------------------------------------------------


def test_page_requested_during_a_rematch_shows_the_new_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        played.play()
        assert played.table_session.match.state.over
        anna, key = played.seated[0], played.table_session.key
        parts: list[str] = []
        asking = threading.Thread(target=lambda: parts.append(anna.page("/part")))
        with played.table_session.lock:
            asking.start()
            time.sleep(0.3)
            played.host.rematch(played.table_session)
        asking.join(20)
        (guest,) = [entry for entry in played.host.store.guests.values() if entry.name == "P0"]
        assert guest.seats[key] == 1
        name = played.table_session.session.names[1]
        assert name == "P0"
        assert f'<strong>{name}</strong> <span class="tag">' in parts[0]


def test_choice_sent_before_a_rematch_is_not_applied_to_another_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        browser = played.decider
        form = {**browser.form(), "choice": browser.choices()[0]}
        answers: list[httpx.Response] = []
        sending = threading.Thread(target=lambda: answers.append(browser.post(f"{browser.key}/move", form)))
        with played.table_session.lock:
            sending.start()
            time.sleep(0.3)
            played.host.guests.rotate_seats(played.table_session.key, 2)
        sending.join(20)
        assert answers[0].status_code == 409
        assert not played.table_session.match.steps


def test_guest_who_saw_a_hand_cannot_take_another_seat(tmp_path: Path) -> None:
    host = new_host(tmp_path)
    with hosted(tmp_path / "two", "kuhn_poker", ["human", "human"]) as played:
        played.host.guests.release_seat(played.table_session.key, 1)
        link = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        answer = played.seated[0].post(link, {"seat": "1", "name": "Anna", "lang": "en"})
        assert answer.status_code == 409
        assert played.seated[0].post(link, {"seat": "0", "name": "Anna", "lang": "en"}).status_code == 303
    host.store.close()


def test_guests_may_change_seats_in_an_open_game(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.release_seat(played.table_session.key, 1)
        link = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        assert played.seated[0].post(link, {"seat": "1", "name": "Anna", "lang": "en"}).status_code == 303


# ---- guests and spectators -----------------------------------------------------------------------------------------


def test_many_spectators_do_not_push_out_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "MAX_SPECTATORS", 5)
    monkeypatch.setattr(store, "MAX_GUESTS", 4)
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        link = f"/join/{played.host.guests.key('watch', played.table_session.key)}"
        for _ in range(30):
            assert played.stranger().post(link, {"seat": "watch", "lang": "en"}).status_code == 303
        assert all(browser.get(browser.key).status_code == 200 for browser in played.seated)
        watching = [
            guest for guest in played.host.store.guests.values() if guest.seats == {played.table_session.key: WATCHING}
        ]
        assert len(watching) <= 4


def test_event_streams_per_guest_are_limited(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        watcher = played.stranger()
        join(watcher, played.host, played.table_session, None, "")
        (guest,) = [entry for entry in played.host.store.guests.values() if WATCHING in entry.seats.values()]
        for _ in range(8):
            played.host.presence.stream_opened(played.table_session.key, WATCHING, guest)
        assert watcher.get(f"{watcher.key}/events").status_code == 429
        played.host.presence.stream_closed(played.table_session.key, WATCHING, guest)
        assert played.host.presence.streams_of(guest) == 7


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


@pytest.mark.parametrize("text", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT"])
def test_incomplete_requests_time_out(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(50, 0.3, monkeypatch) as port, open_connection(port, text) as silent:
        try:
            while silent.recv(1000):
                pass
        except ConnectionResetError:
            pass
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"


def test_connections_per_client_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(5, 20.0, monkeypatch) as port:
        held = [open_connection(port, text) for text in (b"", b"GET / HT", b"", b"", b"", b"", b"")]
        time.sleep(0.2)
        assert len(connection_limits.LimitedConnection.open["127.0.0.1"]) == 5
        # The server closes the oldest connections and accepts the newest.
        for connection in held[:2]:
            with suppress(ConnectionResetError):
                assert connection.recv(10) == b""
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"
        for connection in held:
            connection.close()


def test_answered_connections_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(3, 20.0, monkeypatch) as port:
        held = [open_connection(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") for _ in range(3)]
        for connection in held:
            assert connection.recv(1000)
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"
        for connection in held:
            connection.close()


@pytest.mark.parametrize(
    "headers", [{"x-a": "a" * 20_000}, {f"x-{n}": "a" for n in range(2_000)}, {"cookie": "a=b; " * 4_000}]
)
def test_requests_with_too_large_headers_are_refused(headers: dict[str, str], tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(browser.key, **headers).status_code == 431
        assert browser.get(f"{browser.key}?part={'1' * 20_000}").status_code == 431
        assert browser.get(browser.key, **{"x-a": "a" * 8_000}).status_code == 200


def test_connection_is_closed_after_a_form_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(_: object) -> bytes:
        raise TimeoutError

    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        monkeypatch.setattr("wongar_dsl.web.security.forms._body", late)
        answer = browser.post(f"{browser.key}/leave", {"a": "b"})
        assert (answer.status_code, answer.headers["connection"]) == (408, "close")


# ---- full disk -----------------------------------------------------------------------------------------------------


def fail_with_full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_guest_who_joins_while_the_disk_is_full_is_seated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.release_seat(played.table_session.key, 1)
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", fail_with_full_disk)
            answer = stranger.post(link, {"seat": "1", "name": "Ben", "lang": "en"})
        assert answer.status_code == 303
        assert stranger.get(f"/t/{played.table_session.key}").status_code == 200
        assert played.table_session.dirty


def test_failed_save_is_retried_at_the_next_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        seat = list(played.table_session.pending)[-1]
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", fail_with_full_disk)
            assert played.seated[seat].choose().status_code == 200
        assert json.loads(played.host.store.path.read_text())["tables"][played.table_session.key]["answers"] == {}
        asyncio.run(played.host.run_exclusive(played.table_session, played.table_session.save))
        saved = json.loads(played.host.store.path.read_text())["tables"][played.table_session.key]["answers"]
        assert list(saved) == [str(seat)]


def test_leaving_and_closing_work_while_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        monkeypatch.setattr(Store, "write", fail_with_full_disk)
        browser = played.seated[1]
        assert browser.post(f"{browser.key}/leave", {}).status_code == 303
        next(iter(played.host.store.guests.values())).host = True
        host = played.seated[0]
        assert host.post(f"{host.key}/close", {}).status_code == 303
        assert host.post(f"{host.key}/close", {}).status_code == 404


def test_operation_waiting_for_a_closed_table_is_rejected(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        asyncio.run(played.host.close(played.table_session.key))
        with pytest.raises(StaleError):
            asyncio.run(played.host.run_exclusive(played.table_session, played.table_session.raise_version))
        # The save is not locked.
        assert played.host.resume(played.table_session.session.path).key != played.table_session.key


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


def test_guest_with_an_unknown_language_gets_another_one(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for guest in played.host.store.guests.values():
            guest.language = "tlh"
        key = played.table_session.key
        cookies = [dict(browser.client.cookies) for browser in played.seated]
        played.host.guests.write()
    with restarted(tmp_path, key, cookies) as restored:
        assert all(browser.get(browser.key).status_code == 200 for browser in restored.seated)


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


def test_stale_agreement_does_not_apply_to_a_later_undo_request(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first, second = played.seated
        first.choose()
        second.choose()
        assert first.post(f"{first.key}/undo", first.form()).status_code == 303
        old = {**second.form(), "answer": "yes"}
        assert first.post(f"{first.key}/answer", {**first.form(), "answer": "never"}).status_code == 303
        assert first.post(f"{first.key}/undo", first.form()).status_code == 303
        assert second.post(f"{second.key}/answer", old).status_code == 409
        assert len(played.table_session.match.steps) == 2
        assert second.post(f"{second.key}/answer", {**second.form(), "answer": "yes"}).status_code == 303
        assert not played.table_session.match.steps


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\u115f\u1160", "a" + "\u0301" * 9, "\u0301", "\u200b", "a\u202eb"]
)
def test_invisible_or_misleading_names_are_refused(name: str) -> None:
    with pytest.raises(SessionSetupError):
        clean_name(name)


@pytest.mark.parametrize("name", ["Zoë", "Ren\u0065\u0301", "Łukasz", "Ναι", "हिन्दी", "李", "🦘", "J.-P.", "Ben 2"])
def test_names_of_people_are_accepted(name: str) -> None:
    assert clean_name(name)


def test_names_that_look_alike_are_equal() -> None:
    assert lookalike_key("Ａnna") == lookalike_key("anna")
    assert lookalike_key("Rene\u0301") == lookalike_key("René")


def test_invalid_save_names_are_not_found(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        next(iter(played.host.store.guests.values())).host = True
        for file in ("x.json\0.json", "../x.json", ".x.json", "x", "a\\b.json", "x\n.json"):
            assert played.seated[0].post("/saves", {"file": file}).status_code == 404


def test_hosts_on_one_computer_use_different_cookies(tmp_path: Path) -> None:
    hosts = [GuestRegistry(Store(tmp_path / name)) for name in ("one", "two")]
    assert hosts[0].store.cookie != hosts[1].store.cookie
    cookie = hosts[0].store.cookie
    hosts[0].store.guests["g"] = Guest("en", seen=int(time.time()))
    hosts[0].write()
    for host in hosts:
        host.store.close()
    reopened = Store(tmp_path / "one")
    assert reopened.cookie == cookie
    reopened.close()


def test_security_middleware_and_pages_read_the_same_cookie(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        name = played.host.store.cookie
        token = played.seated[0].client.cookies[name]
        stranger: Browser = played.stranger()
        for cookie in (f"{name}=x; {name}={token}", f'{name}="{token}"', f"guest={token}"):
            assert stranger.get(f"/t/{played.table_session.key}", cookie=cookie).status_code == 403
        assert stranger.get(f"/t/{played.table_session.key}", cookie=f"{name}={token}").status_code == 200


# ---- replaced players, restarts and odd files in the folder ---------------------------------------------------------


def test_replaced_player_can_neither_undo_nor_rename(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first = played.seated[0]
        first.choose()
        played.table_session.set_occupant(0, "easy", "P0")
        assert f'{first.key}/undo"' not in first.page()
        version = str(played.table_session.version)
        assert first.post(f"{first.key}/undo", {"version": version}).status_code == 409
        assert first.post(f"{first.key}/settings", {"name": "Hal", "lang": "en"}).status_code == 303
        assert played.table_session.session.names[0] == "P0"
        assert len(played.table_session.match.steps) == 1


def test_unavailable_save_keeps_its_seats_for_later(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        seat = list(played.table_session.pending)[-1]
        assert played.seated[seat].choose().status_code == 303
        key, path = played.table_session.key, played.table_session.session.path
    held = new_host(tmp_path / "elsewhere")
    busy = held.resume(path)
    host = new_host(tmp_path)
    assert host.restore_tables() == 0
    host.guests.write()
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


def test_table_without_a_save_is_forgotten(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        path = played.table_session.session.path
    path.unlink()
    host = new_host(tmp_path)
    assert host.restore_tables() == 0
    assert not host.store.tables
    host.store.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_pipes_and_links_in_the_store_folder_are_harmless(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    os.mkfifo(folder / "store")
    Store(tmp_path).close()
    (folder / "lock").unlink()
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (folder / "lock").symlink_to(precious)
    with pytest.raises(OSError, match="lock"):
        Store(tmp_path)
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("head", [{"game": "\ud800"}, {"game": "x" * 1000}, {"file": "nim\n" * 5000}])
def test_lobby_survives_odd_saves(head: dict[str, str], tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        next(iter(played.host.store.guests.values())).host = True
        text = played.table_session.session.path.read_text()
        line, _, rest = text.partition("\n")
        (tmp_path / "odd.json").write_text(f"{json.dumps({**json.loads(line), **head})}\n{rest}")
        (tmp_path / "\udcff.json").write_text(text)
        (tmp_path / "nowhere.json").symlink_to(tmp_path / "none")
        assert played.seated[0].get("/").status_code == 200
        assert played.seated[0].post("/saves", {"file": "odd.json"}).status_code == 422


def test_forced_bot_moves_take_as_long_as_others(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        host, course = played.host, played.table_session.snapshot()

        async def pace() -> tuple[float, float]:
            await host._disguise_forced_move(course, False, 0.4)
            begun = time.monotonic()
            await host._disguise_forced_move(course, True, 0.1)
            waited = time.monotonic() - begun
            await host._disguise_forced_move(course, False, 0.4)
            return waited, time.monotonic() - begun - waited

        waited, not_waited = asyncio.run(pace())
        assert 0.29 < waited < 2
        assert not_waited < 0.2

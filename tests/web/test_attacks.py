"""What somebody tried who wanted to see, stop or spoil a table, and what came of it."""

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

from tests.web.hosting import Browser, Time, going_on, hosted, join, new_host
from wongar_dsl.table.errors import TableError
from wongar_dsl.table.names import alike, clean
from wongar_dsl.web import guests, patience, store
from wongar_dsl.web.guests import Guests
from wongar_dsl.web.headers import HEADERS, Guard
from wongar_dsl.web.sitting import StaleError
from wongar_dsl.web.store import WATCHING, Guest, Store

# ---- whose hand is shown -------------------------------------------------------------------------------------------


def test_a_page_asked_for_during_a_rematch_is_of_the_seat_that_one_has_then(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        played.play()
        assert played.sitting.match.state.over
        anna, key = played.seated[0], played.sitting.key
        found: list[str] = []
        asking = threading.Thread(target=lambda: found.append(anna.page("/part")))
        with played.sitting.lock:
            asking.start()
            time.sleep(0.3)
            played.host.begin_again(played.sitting)
        asking.join(20)
        (guest,) = [one for one in played.host.store.guests.values() if one.name == "P0"]
        assert guest.seats[key] == 1
        own = played.sitting.table.names[1]
        assert own == "P0"
        assert f'<strong>{own}</strong> <span class="tag">' in found[0]


def test_a_choice_sent_before_a_rematch_is_not_taken_for_another_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        browser = played.asked
        form = {**browser.form(), "choice": browser.choices()[0]}
        answers: list[httpx.Response] = []
        sending = threading.Thread(target=lambda: answers.append(browser.post(f"{browser.key}/move", form)))
        with played.sitting.lock:
            sending.start()
            time.sleep(0.3)
            played.host.guests.turn(played.sitting.key, 2)
        sending.join(20)
        assert answers[0].status_code == 409
        assert not played.sitting.match.steps


def test_who_has_seen_a_hand_does_not_get_to_see_another_one(tmp_path: Path) -> None:
    host = new_host(tmp_path)
    with hosted(tmp_path / "two", "kuhn_poker", ["human", "human"]) as played:
        played.host.guests.leave(played.sitting.key, 1)
        link = f"/join/{played.host.guests.key('any', played.sitting.key)}"
        answer = played.seated[0].post(link, {"seat": "1", "name": "Anna", "lang": "en"})
        assert answer.status_code == 409
        assert played.seated[0].post(link, {"seat": "0", "name": "Anna", "lang": "en"}).status_code == 303
    host.store.close()


def test_where_nothing_is_hidden_one_may_change_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.leave(played.sitting.key, 1)
        link = f"/join/{played.host.guests.key('any', played.sitting.key)}"
        assert played.seated[0].post(link, {"seat": "1", "name": "Anna", "lang": "en"}).status_code == 303


# ---- who stays in --------------------------------------------------------------------------------------------------


def test_strangers_without_number_do_not_make_players_guests_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "MOST_WATCHING", 5)
    monkeypatch.setattr(store, "MOST_GUESTS", 4)
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        link = f"/join/{played.host.guests.key('watch', played.sitting.key)}"
        for _ in range(30):
            assert played.stranger().post(link, {"seat": "watch", "lang": "en"}).status_code == 303
        assert all(browser.get(browser.key).status_code == 200 for browser in played.seated)
        watching = [one for one in played.host.store.guests.values() if one.seats == {played.sitting.key: WATCHING}]
        assert len(watching) <= 4


def test_a_guest_has_so_many_streams_and_no_more(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        watcher = played.stranger()
        join(watcher, played.host, played.sitting, None, "")
        (guest,) = [one for one in played.host.store.guests.values() if WATCHING in one.seats.values()]
        for _ in range(8):
            played.host.presence.come(played.sitting.key, WATCHING, guest)
        assert watcher.get(f"{watcher.key}/events").status_code == 429
        played.host.presence.go(played.sitting.key, WATCHING, guest)
        assert played.host.presence.streams_of(guest) == 7


# ---- connections ---------------------------------------------------------------------------------------------------


@contextmanager
def listening(most: int, silence: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server of one page, with little patience."""
    import uvicorn

    monkeypatch.setattr(patience, "SILENCE", silence)
    monkeypatch.setattr(patience, "MOST_HERE", most)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await Response("here")(scope, receive, send)

    config = uvicorn.Config(app, http=patience.Patient, ws="none", log_config=None, lifespan="off")
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


def begun(port: int, text: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port))
    found.settimeout(20)
    found.sendall(text)
    return found


@pytest.mark.parametrize("text", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT"])
def test_who_says_nothing_whole_is_not_waited_for(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(50, 0.3, monkeypatch) as port, begun(port, text) as silent:
        try:
            while silent.recv(1000):
                pass
        except ConnectionResetError:
            pass
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"


def test_one_client_has_not_all_the_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(5, 20.0, monkeypatch) as port:
        held = [begun(port, text) for text in (b"", b"GET / HT", b"", b"", b"", b"", b"")]
        time.sleep(0.2)
        assert len(patience.Patient.open["127.0.0.1"]) == 5
        # The oldest connections are ended, and not that of the player who comes last.
        for one in held[:2]:
            with suppress(ConnectionResetError):
                assert one.recv(10) == b""
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"
        for one in held:
            one.close()


def test_connections_that_have_been_answered_give_room_to_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(3, 20.0, monkeypatch) as port:
        held = [begun(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") for _ in range(3)]
        for one in held:
            assert one.recv(1000)
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "here"
        for one in held:
            one.close()


@pytest.mark.parametrize(
    "headers", [{"x-a": "a" * 20_000}, {f"x-{n}": "a" for n in range(2_000)}, {"cookie": "a=b; " * 4_000}]
)
def test_requests_with_too_many_bytes_of_headers_are_refused(headers: dict[str, str], tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(browser.key, **headers).status_code == 431
        assert browser.get(f"{browser.key}?part={'1' * 20_000}").status_code == 431
        assert browser.get(browser.key, **{"x-a": "a" * 8_000}).status_code == 200


def test_after_a_form_that_cannot_be_read_the_connection_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(_: object) -> bytes:
        raise TimeoutError

    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        monkeypatch.setattr("wongar_dsl.web.forms._body", late)
        answer = browser.post(f"{browser.key}/leave", {"a": "b"})
        assert (answer.status_code, answer.headers["connection"]) == (408, "close")


# ---- what cannot be kept -------------------------------------------------------------------------------------------


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_who_comes_in_while_the_disk_is_full_sits_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.leave(played.sitting.key, 1)
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('any', played.sitting.key)}"
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", full)
            answer = stranger.post(link, {"seat": "1", "name": "Ben", "lang": "en"})
        assert answer.status_code == 303
        assert stranger.get(f"/t/{played.sitting.key}").status_code == 200
        assert played.sitting.dirty


def test_what_could_not_be_kept_is_kept_as_soon_as_it_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        seat = list(played.sitting.asked)[-1]
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", full)
            assert played.seated[seat].choose().status_code == 200
        assert json.loads(played.host.store.path.read_text())["tables"][played.sitting.key]["answers"] == {}
        asyncio.run(played.host.do(played.sitting, played.sitting.save))
        kept = json.loads(played.host.store.path.read_text())["tables"][played.sitting.key]["answers"]
        assert list(kept) == [str(seat)]


def test_somebody_leaves_and_a_table_is_closed_while_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        monkeypatch.setattr(Store, "write", full)
        browser = played.seated[1]
        assert browser.post(f"{browser.key}/leave", {}).status_code == 303
        next(iter(played.host.store.guests.values())).host = True
        host = played.seated[0]
        assert host.post(f"{host.key}/close", {}).status_code == 303
        assert host.post(f"{host.key}/close", {}).status_code == 404


def test_who_waited_for_a_table_that_is_closed_does_nothing_there(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        asyncio.run(played.host.close(played.sitting.key))
        with pytest.raises(StaleError):
            asyncio.run(played.host.do(played.sitting, played.sitting.raise_version))
        # Nobody holds its save.
        assert played.host.resume(played.sitting.table.path).key != played.sitting.key


# ---- what was kept, and damaged ------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "format": 1,
    "name": "abcd",
    "guests": {"g": {"language": "de", "name": "Eva", "scheme": "dark", "foretell": True, "host": True,
                     "seats": {"t": 1}, "seen": 10**11, "held": {"t": [1]}}},
    "invitations": {"i": {"kind": "any", "table": "t", "seat": -1}},
    "tables": {"t": {"save": "a.json", "opened": 1, "choices": 2, "answers": {"1": ["x", 5]},
                     "clocks": {"0": 7}, "learn": True}},
}  # fmt: skip
WRONG: tuple[tuple[str, str, str, Any], ...] = (
    *(("tables", "t", "save", value) for value in (5, None, "a\0b", "../x.json", "a/b.json")),
    *(("tables", "t", "opened", value) for value in ("x", None, -1, True)),
    *(("tables", "t", "answers", value) for value in ({"a": ["x", 1]}, {"1": 5}, [1], {"1": [None, 1]})),
    *(("tables", "t", "clocks", value) for value in ([1], {"zz": 1}, {"1": "x"})),
    *(("guests", "g", "language", value) for value in (5, [1], None)),
    *(("guests", "g", "seats", value) for value in ([1], {"t": 100}, {"t": -5}, {"t": "0"})),
    ("guests", "g", "scheme", [1]), ("guests", "g", "name", "\ud800"), ("guests", "g", "seen", "now"),
    ("invitations", "i", "kind", "zzz"), ("invitations", "i", "seat", 101), ("invitations", "i", "table", [1]),
)  # fmt: skip


def stored(folder: Path, data: object) -> Store:
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "tables" / "store").write_text(data if isinstance(data, str) else json.dumps(data))
    return Store(folder)


def test_a_store_is_read_as_it_was_written(tmp_path: Path) -> None:
    first = stored(tmp_path, GOOD)
    assert (len(first.guests), len(first.invitations), len(first.tables)) == (1, 1, 1)
    first.write()
    assert json.loads(first.path.read_text()) == GOOD
    first.close()


@pytest.mark.parametrize(("part", "key", "name", "value"), WRONG)
def test_of_a_damaged_store_only_what_is_damaged_is_lost(
    part: str, key: str, name: str, value: object, tmp_path: Path
) -> None:
    data = json.loads(json.dumps(GOOD))
    data[part][key][name] = value
    found = stored(tmp_path, data)
    sizes = {"guests": len(found.guests), "invitations": len(found.invitations), "tables": len(found.tables)}
    assert sizes == {one: int(one != part) for one in sizes}
    found.write()
    found.close()


@pytest.mark.parametrize("text", ["[" * 200_000, "{", "[]", "null", '{"format": 1}', '{"format": 1, "guests": 5}'])
def test_what_is_no_store_is_as_if_there_were_none(text: str, tmp_path: Path) -> None:
    found = stored(tmp_path, text)
    assert found.guests == found.tables == found.invitations == {}
    found.close()


def test_a_guest_whose_language_is_not_there_any_more_is_spoken_to_in_another(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for guest in played.host.store.guests.values():
            guest.language = "tlh"
        key = played.sitting.key
        cookies = [dict(browser.client.cookies) for browser in played.seated]
        played.host.guests.write()
    with going_on(tmp_path, key, cookies) as again:
        assert all(browser.get(browser.key).status_code == 200 for browser in again.seated)


def test_where_nothing_can_be_said_the_status_and_the_headers_still_are() -> None:
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

        guard = Guard(broken, ("here",), "guest", lambda _: False, unable, Time())
        scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b"",
                 "headers": [(b"host", b"here")], "client": ("1.2.3.4", 5), "server": ("here", 80)}  # fmt: skip
        await guard(scope, receive, send)
        return sent

    begin = asyncio.run(ask())[0]
    assert begin["status"] == 500
    assert {name.encode() for name in HEADERS} <= {name for name, _ in begin["headers"]}


# ---- what is agreed to, and names ----------------------------------------------------------------------------------


def test_an_old_yes_does_not_agree_to_another_wish(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first, second = played.seated
        first.choose()
        second.choose()
        assert first.post(f"{first.key}/undo", first.form()).status_code == 303
        old = {**second.form(), "answer": "yes"}
        assert first.post(f"{first.key}/answer", {**first.form(), "answer": "never"}).status_code == 303
        assert first.post(f"{first.key}/undo", first.form()).status_code == 303
        assert second.post(f"{second.key}/answer", old).status_code == 409
        assert len(played.sitting.match.steps) == 2
        assert second.post(f"{second.key}/answer", {**second.form(), "answer": "yes"}).status_code == 303
        assert not played.sitting.match.steps


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\u115f\u1160", "a" + "\u0301" * 9, "\u0301", "\u200b", "a\u202eb"]
)
def test_names_of_which_nothing_is_seen_or_too_much_are_refused(name: str) -> None:
    with pytest.raises(TableError):
        clean(name)


@pytest.mark.parametrize("name", ["Zoë", "Ren\u0065\u0301", "Łukasz", "Ναι", "हिन्दी", "李", "🦘", "J.-P.", "Ben 2"])
def test_names_of_people_are_names(name: str) -> None:
    assert clean(name)


def test_names_that_look_the_same_are_the_same_name() -> None:
    assert alike("Ａnna") == alike("anna")
    assert alike("Rene\u0301") == alike("René")


def test_a_name_of_a_save_that_is_none_is_nowhere(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        next(iter(played.host.store.guests.values())).host = True
        for file in ("x.json\0.json", "../x.json", ".x.json", "x", "a\\b.json", "x\n.json"):
            assert played.seated[0].post("/saves", {"file": file}).status_code == 404


def test_two_hosts_on_one_computer_do_not_take_each_others_cookies(tmp_path: Path) -> None:
    hosts = [Guests(Store(tmp_path / name)) for name in ("one", "two")]
    assert hosts[0].store.cookie != hosts[1].store.cookie
    cookie = hosts[0].store.cookie
    hosts[0].store.guests["g"] = Guest("en", seen=int(time.time()))
    hosts[0].write()
    for one in hosts:
        one.store.close()
    again = Store(tmp_path / "one")
    assert again.cookie == cookie
    again.close()


def test_the_guard_and_the_pages_mean_the_same_cookie(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        name = played.host.store.cookie
        token = played.seated[0].client.cookies[name]
        stranger: Browser = played.stranger()
        for cookie in (f"{name}=x; {name}={token}", f'{name}="{token}"', f"guest={token}"):
            assert stranger.get(f"/t/{played.sitting.key}", cookie=cookie).status_code == 403
        assert stranger.get(f"/t/{played.sitting.key}", cookie=f"{name}={token}").status_code == 200


# ---- who is replaced, who comes again, and what lies in the folder --------------------------------------------------


def test_who_was_replaced_by_a_bot_takes_nothing_back_and_renames_nobody(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first = played.seated[0]
        first.choose()
        played.sitting.sit(0, "easy", "P0")
        assert f'{first.key}/undo"' not in first.page()
        version = str(played.sitting.version)
        assert first.post(f"{first.key}/undo", {"version": version}).status_code == 409
        assert first.post(f"{first.key}/settings", {"name": "Hal", "lang": "en"}).status_code == 303
        assert played.sitting.table.names[0] == "P0"
        assert len(played.sitting.match.steps) == 1


def test_a_save_that_cannot_be_opened_now_keeps_the_seats_for_later(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        seat = list(played.sitting.asked)[-1]
        assert played.seated[seat].choose().status_code == 303
        key, path = played.sitting.key, played.sitting.table.path
    held = new_host(tmp_path / "elsewhere")
    busy = held.resume(path)
    host = new_host(tmp_path)
    assert host.go_on() == 0
    host.guests.write()
    busy.table.close()
    held.store.close()
    # Who hosts takes it up again: it is the same table, with its guests and what was decided ahead.
    again = host.resume(path)
    assert again.key == key
    assert seat not in again.asked
    assert {guest.seats[key] for guest in host.store.guests.values()} == {0, 1}
    again.table.close()
    host.store.close()
    last = new_host(tmp_path)
    assert last.go_on() == 1
    last.sittings[key].table.close()
    last.store.close()


def test_a_table_whose_save_is_gone_is_forgotten(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        path = played.sitting.table.path
    path.unlink()
    host = new_host(tmp_path)
    assert host.go_on() == 0
    assert not host.store.tables
    host.store.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_a_folder_with_odd_things_in_it_neither_hangs_nor_loses_a_file(tmp_path: Path) -> None:
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
def test_an_odd_save_does_not_take_the_lobby_away(head: dict[str, str], tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        next(iter(played.host.store.guests.values())).host = True
        text = played.sitting.table.path.read_text()
        line, _, rest = text.partition("\n")
        (tmp_path / "odd.json").write_text(f"{json.dumps({**json.loads(line), **head})}\n{rest}")
        (tmp_path / "\udcff.json").write_text(text)
        (tmp_path / "nowhere.json").symlink_to(tmp_path / "none")
        assert played.seated[0].get("/").status_code == 200
        assert played.seated[0].post("/saves", {"file": "odd.json"}).status_code == 422


def test_a_bot_without_a_choice_takes_as_long_as_one_with_a_choice(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        host, course = played.host, played.sitting.course()

        async def pace() -> tuple[float, float]:
            await host._pace(course, False, 0.4)
            begun = time.monotonic()
            await host._pace(course, True, 0.1)
            waited = time.monotonic() - begun
            await host._pace(course, False, 0.4)
            return waited, time.monotonic() - begun - waited

        waited, not_waited = asyncio.run(pace())
        assert 0.29 < waited < 2
        assert not_waited < 0.2

"""Refused requests, protected data and response headers."""

from __future__ import annotations

import json
import os
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.routing import Route

from tests.web.hosting import ADDRESS, Played, Time, hosted, join
from tests.web.test_server import host_browser
from wongar_dsl.web.routes import join as routes_join
from wongar_dsl.web.routes import lobby, table
from wongar_dsl.web.security.middleware import HEADERS
from wongar_dsl.web.security.rate_limit import TokenBucket
from wongar_dsl.web.security.tokens import digest, new_key

ROUTES: list[Route] = [*lobby.ROUTES, *routes_join.ROUTES, *table.ROUTES]


def paths(played: Played) -> list[tuple[str, str]]:
    """Return every route with values that fit this table, without event streams."""
    requests = [("GET", "/static/table.css"), ("GET", "/static/none.js"), ("GET", "/no/such/path")]
    for route in ROUTES:
        path = route.path.replace("{table}", played.table_session.key).replace("{key}", "nobody")
        requests += [(method, path) for method in sorted(route.methods or ()) if method != "HEAD"]
    return [(method, path) for method, path in requests if not path.endswith("/events")]


def test_all_answers_carry_the_security_headers(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for browser in (*played.seated, played.stranger(), host_browser(played)):
            for method, path in paths(played):
                send = browser.get(path) if method == "GET" else browser.post(path, {"version": "1", "seat": "0"})
                for name, value in HEADERS.items():
                    assert send.headers[name] == value, (method, path)
                if not path.startswith("/static/table"):
                    assert send.headers["cache-control"] == "no-store"
                assert "server" not in send.headers


def test_pages_have_no_inline_script_or_style(tmp_path: Path) -> None:
    with hosted(tmp_path, "wongar", ["human", "human", "human"]) as played:
        pages = [
            played.seated[0].page(),
            host_browser(played).get("/").text,
            host_browser(played).get("/new?game=wongar").text,
        ]
        for page in pages:
            assert not re.search(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "testserver.evil.example", "127.0.0.1"])
def test_requests_for_other_host_names_are_refused(host: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(browser.key, host=host).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "https://testserver", "http://testserver:81", "null", ""])
def test_cross_origin_forms_are_refused(origin: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        assert browser.post(f"{browser.key}/move", form, origin=origin).status_code == 403
        browser.origin = {}
        assert browser.post(f"{browser.key}/move", form).status_code == 403
        assert len(played.table_session.match.steps) == 0


def test_cross_origin_streams_are_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(f"{browser.key}/events", origin="http://evil.example").status_code == 403
        assert browser.get(f"{browser.key}/events", **{"sec-fetch-site": "cross-site"}).status_code == 403
        assert played.stranger().get(f"{browser.key}/events").status_code == 403


def test_guests_cannot_decide_for_another_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        decider = played.decider
        opponent = next(browser for browser in played.seated if browser is not decider)
        page = decider.page()
        form = {**decider.form(page), "choice": decider.choices(page)[0]}
        assert opponent.post(f"{opponent.key}/move", form).status_code == 409
        assert opponent.post(f"{opponent.key}/move", {**form, "seat": "0"}).status_code == 409
        assert played.stranger().post(f"{decider.key}/move", form).status_code == 403
        assert len(played.table_session.match.steps) == 0


@pytest.mark.parametrize("what", ["seat", "close"])
def test_only_the_host_manages_a_table(what: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        form = {"seat": "1", "do": "bot", "kind": "easy"}
        assert browser.post(f"{browser.key}/{what}", form).status_code == 403
        assert browser.post("/tables", {"game": "nim"}).status_code == 403
        assert browser.post("/saves", {"file": "a.json"}).status_code == 403
        assert browser.get("/new?game=nim").status_code == 403


@pytest.mark.parametrize("version", ["-1", "1e3", "", "x", "9" * 30, "１"])
def test_non_numeric_versions_are_refused(version: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        assert browser.post(f"{browser.key}/move", {"version": version, "choice": "take(heap_a, 1)"}).status_code == 400


def test_too_large_bodies_are_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        form = browser.form()
        assert browser.post(f"{browser.key}/move", {**form, "choice": "x" * 70_000}).status_code == 413

        def drip() -> object:
            for _ in range(200):
                yield b"choice=" + b"x" * 1000

        headers = {"origin": ADDRESS, "content-type": "application/x-www-form-urlencoded"}
        answer = browser.client.post(f"{browser.key}/move", content=drip(), headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 413


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{}"),
        ("text/plain", b"version=1"),
        ("multipart/form-data; boundary=x", b"--x--"),
        ("application/x-www-form-urlencoded", b"version=\xff\xfe"),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(500))),
        ("application/x-www-form-urlencoded", b"version=%zz&choice=%ff%fe"),
    ],
)
def test_invalid_forms_are_refused(kind: str, body: bytes, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        headers = {"origin": ADDRESS, "content-type": kind}
        answer = browser.client.post(f"{browser.key}/move", content=body, headers=headers)
        assert answer.status_code in (400, 415)
        assert len(played.table_session.match.steps) == 0


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT"])
def test_other_methods_are_refused(method: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        answer = played.seated[0].client.request(method, "/", headers={"origin": ADDRESS})
        assert answer.status_code == 405


def test_wrong_invitations_do_not_lock_out_a_guest(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        good = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        for _ in range(40):
            assert stranger.get(f"/join/{new_key()}").status_code == 404
        assert stranger.get(good).status_code == 200


def test_other_sites_may_link_but_not_fetch(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        good = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        for site in ("cross-site", "same-site"):
            link = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
            assert played.stranger().get(good, **link).status_code == 200
            for mode in ("no-cors", "cors", "same-origin"):
                assert played.stranger().get(good, **{**link, "sec-fetch-mode": mode}).status_code == 403


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        answers = [stranger.get("/static/icon.svg").status_code for _ in range(400)]
        assert 429 in answers
        # A known guest has a separate limit.
        assert played.seated[0].get(f"{played.seated[0].key}/version").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%2Fetc%2Fpasswd",
        "/static/table.css%00.js",
        "/static/....//app.py",
        "/t/../store",
        "/t/%2e%2e",
        "/join/..%2f..%2fstore",
    ],
)
def test_path_traversal_is_refused(path: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        assert played.seated[0].get(path).status_code in (404, 303)


@pytest.mark.parametrize(
    "file", ["../a.json", "/etc/passwd", "tables/store", ".hidden.json", "..\\a.json", "", "a.txt"]
)
def test_only_saves_inside_the_folder_are_resumed(file: str, tmp_path: Path) -> None:
    with hosted(tmp_path / "saves", "nim", ["human", "human"]) as played:
        (tmp_path / "a.json").write_text("{}")
        assert host_browser(played).post("/saves", {"file": file}).status_code == 404


class Elements(HTMLParser):
    """Parser that collects each element of a page with its attribute names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name for name, _ in attrs}))


NASTY = ["<svg onload=x>", '"><script>x', "' onx='x", "&lt;b&gt;", "{{ 7 * 7 }}", "</title><b>", '" onx="x']


@pytest.mark.parametrize("name", NASTY)
def test_player_name_is_escaped(name: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": name}).status_code == 303
        assert played.table_session.session.names[0] == name
        played.play(1)
        pages = [b.page(part) for b in played.seated for part in ("", "/part", "/story")]
        for page in (*pages, host_browser(played).get("/").text):
            assert "{{ 7 * 7 }}" in page or name != "{{ 7 * 7 }}"
            for tag, attributes in Elements(page).found:
                assert tag != "b"
                assert not {"onload", "onx"} & attributes
                assert tag != "script" or "src" in attributes


@pytest.mark.parametrize("name", ["x" * 21, "a\x00b", "a\u202eb", "\x1b[31mred", "a\ud7ff\u0085"])
def test_invalid_player_name_is_refused(name: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": name}).status_code == 422
        assert played.table_session.session.names[0] == "P0"


def test_cookie_is_protected_from_scripts_and_other_sites(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('watch', played.table_session.key)}"
        answer = stranger.post(link, {"seat": "watch", "lang": "en"})
        cookie = answer.headers["set-cookie"].lower()
        assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))
        assert link.rpartition("/")[2] not in answer.headers["location"]


def test_secrets_are_stored_only_as_digests(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        tokens = [browser.client.cookies[played.host.store.cookie] for browser in played.seated]
        keys = [str(played.host.guests.key("any", played.table_session.key)), played.host.guests.invite("host")]
        played.host.guests.write()
        text = played.host.store.path.read_text()
        assert all(secret not in text for secret in (*tokens, *keys))
        assert all(digest(token) in json.loads(text)["guests"] for token in tokens)
        if os.name == "posix":
            assert stat.S_IMODE(played.host.store.path.stat().st_mode) == 0o600


def test_stored_digests_grant_no_access(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        stranger.client.cookies.set(played.host.store.cookie, next(iter(played.host.store.guests)))
        assert stranger.get(played.seated[0].key).status_code == 403
        assert stranger.get(f"/join/{next(iter(played.host.store.invitations))}").status_code == 404


def test_spectator_invitation_gives_no_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.release_seat(played.table_session.key, 1)
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('watch', played.table_session.key)}"
        assert stranger.post(link, {"seat": "1", "name": "Eve", "lang": "en"}).status_code == 409
        join(stranger, played.host, played.table_session, 1, "Eve")


def test_secrets_are_unique_and_long() -> None:
    assert len({new_key() for _ in range(100)}) == 100
    assert min(len(new_key()) for _ in range(100)) >= 22


def test_token_bucket_refills() -> None:
    clock = Time()
    bucket = TokenBucket(3, 1, clock)
    assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
    assert bucket.take("b")
    clock.now += 2
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]

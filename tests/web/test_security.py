"""What is not let in, what nobody gets to see, and what every answer carries."""

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
from tests.web.test_server import hosting
from wongar_dsl.web import doors, play
from wongar_dsl.web.headers import HEADERS
from wongar_dsl.web.keys import Bucket, kept, new_key, same

ROUTES: list[Route] = [*doors.ROUTES, *play.ROUTES]


def paths(played: Played) -> list[tuple[str, str]]:
    """Every route, with what fits this table."""
    found = [("GET", "/static/table.css"), ("GET", "/static/none.js"), ("GET", "/no/such/path")]
    for route in ROUTES:
        path = route.path.replace("{table}", played.sitting.key).replace("{key}", "nobody")
        found += [(method, path) for method in sorted(route.methods or ()) if method != "HEAD"]
    return [(method, path) for method, path in found if not path.endswith("/events")]


def test_every_answer_carries_what_protects_it(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for browser in (*played.seated, played.stranger(), hosting(played)):
            for method, path in paths(played):
                send = browser.get(path) if method == "GET" else browser.post(path, {"version": "1", "seat": "0"})
                for name, value in HEADERS.items():
                    assert send.headers[name] == value, (method, path)
                if not path.startswith("/static/table"):
                    assert send.headers["cache-control"] == "no-store"
                assert "server" not in send.headers


def test_no_page_has_a_script_or_style_of_its_own(tmp_path: Path) -> None:
    with hosted(tmp_path, "wongar", ["human", "human", "human"]) as played:
        pages = [played.seated[0].page(), hosting(played).get("/").text, hosting(played).get("/new?game=wongar").text]
        for page in pages:
            assert not re.search(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "testserver.evil.example", "127.0.0.1"])
def test_only_names_of_ones_own_are_answered(host: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(browser.key, host=host).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "https://testserver", "http://testserver:81", "null", ""])
def test_only_forms_of_ones_own_pages_are_taken(origin: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        assert browser.post(f"{browser.key}/move", form, origin=origin).status_code == 403
        browser.origin = {}
        assert browser.post(f"{browser.key}/move", form).status_code == 403
        assert len(played.sitting.match.steps) == 0


def test_a_stream_is_for_pages_of_ones_own(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.get(f"{browser.key}/events", origin="http://evil.example").status_code == 403
        assert browser.get(f"{browser.key}/events", **{"sec-fetch-site": "cross-site"}).status_code == 403
        assert played.stranger().get(f"{browser.key}/events").status_code == 403


def test_nobody_decides_for_another_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        asked = played.asked
        other = next(browser for browser in played.seated if browser is not asked)
        page = asked.page()
        form = {**asked.form(page), "choice": asked.choices(page)[0]}
        assert other.post(f"{other.key}/move", form).status_code == 409
        assert other.post(f"{other.key}/move", {**form, "seat": "0"}).status_code == 409
        assert played.stranger().post(f"{asked.key}/move", form).status_code == 403
        assert len(played.sitting.match.steps) == 0


@pytest.mark.parametrize("what", ["seat", "close"])
def test_only_who_hosts_manages_a_table(what: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        form = {"seat": "1", "do": "bot", "kind": "easy"}
        assert browser.post(f"{browser.key}/{what}", form).status_code == 403
        assert browser.post("/tables", {"game": "nim"}).status_code == 403
        assert browser.post("/saves", {"file": "a.json"}).status_code == 403
        assert browser.get("/new?game=nim").status_code == 403


@pytest.mark.parametrize("version", ["-1", "1e3", "", "x", "9" * 30, "１"])
def test_a_version_is_a_number(version: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
        assert browser.post(f"{browser.key}/move", {"version": version, "choice": "take(heap_a, 1)"}).status_code == 400


def test_a_body_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
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
def test_what_is_no_form_is_refused(kind: str, body: bytes, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
        headers = {"origin": ADDRESS, "content-type": kind}
        answer = browser.client.post(f"{browser.key}/move", content=body, headers=headers)
        assert answer.status_code in (400, 415)
        assert len(played.sitting.match.steps) == 0


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT"])
def test_other_methods_are_refused(method: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        answer = played.seated[0].client.request(method, "/", headers={"origin": ADDRESS})
        assert answer.status_code == 405


def test_wrong_invitations_lock_nobody_out(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        good = f"/join/{played.host.guests.key('any', played.sitting.key)}"
        for _ in range(40):
            assert stranger.get(f"/join/{new_key()}").status_code == 404
        assert stranger.get(good).status_code == 200


def test_pages_of_others_may_link_here_and_fetch_nothing(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        good = f"/join/{played.host.guests.key('any', played.sitting.key)}"
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
        # Who is known has a share of their own.
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
def test_no_path_leads_elsewhere(path: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        assert played.seated[0].get(path).status_code in (404, 303)


@pytest.mark.parametrize(
    "file", ["../a.json", "/etc/passwd", "tables/store", ".hidden.json", "..\\a.json", "", "a.txt"]
)
def test_only_saves_of_the_folder_are_resumed(file: str, tmp_path: Path) -> None:
    with hosted(tmp_path / "saves", "nim", ["human", "human"]) as played:
        (tmp_path / "a.json").write_text("{}")
        assert hosting(played).post("/saves", {"file": file}).status_code == 404


class Elements(HTMLParser):
    """The elements of a page, each with the names of its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name for name, _ in attrs}))


NASTY = ["<svg onload=x>", '"><script>x', "' onx='x", "&lt;b&gt;", "{{ 7 * 7 }}", "</title><b>", '" onx="x']


@pytest.mark.parametrize("name", NASTY)
def test_a_name_is_only_a_name(name: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": name}).status_code == 303
        assert played.sitting.table.names[0] == name
        played.play(1)
        pages = [b.page(part) for b in played.seated for part in ("", "/part", "/story")]
        for page in (*pages, hosting(played).get("/").text):
            assert "{{ 7 * 7 }}" in page or name != "{{ 7 * 7 }}"
            for tag, attributes in Elements(page).found:
                assert tag != "b"
                assert not {"onload", "onx"} & attributes
                assert tag != "script" or "src" in attributes


@pytest.mark.parametrize("name", ["x" * 21, "a\x00b", "a\u202eb", "\x1b[31mred", "a\ud7ff\u0085"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": name}).status_code == 422
        assert played.sitting.table.names[0] == "P0"


def test_the_cookie_is_out_of_reach(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('watch', played.sitting.key)}"
        answer = stranger.post(link, {"seat": "watch", "lang": "en"})
        cookie = answer.headers["set-cookie"].lower()
        assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))
        assert link.rpartition("/")[2] not in answer.headers["location"]


def test_secrets_are_kept_as_fingerprints_alone(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        tokens = [browser.client.cookies[played.host.store.cookie] for browser in played.seated]
        keys = [str(played.host.guests.key("any", played.sitting.key)), played.host.guests.invite("host")]
        played.host.guests.write()
        text = played.host.store.path.read_text()
        assert all(secret not in text for secret in (*tokens, *keys))
        assert all(kept(token) in json.loads(text)["guests"] for token in tokens)
        if os.name == "posix":
            assert stat.S_IMODE(played.host.store.path.stat().st_mode) == 0o600


def test_a_secret_of_the_store_opens_nothing(tmp_path: Path) -> None:
    """Who reads the store cannot come in with what stands there."""
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stranger = played.stranger()
        stranger.client.cookies.set(played.host.store.cookie, next(iter(played.host.store.guests)))
        assert stranger.get(played.seated[0].key).status_code == 403
        assert stranger.get(f"/join/{next(iter(played.host.store.invitations))}").status_code == 404


def test_an_invitation_to_watch_gives_no_seat(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.host.guests.leave(played.sitting.key, 1)
        stranger = played.stranger()
        link = f"/join/{played.host.guests.key('watch', played.sitting.key)}"
        assert stranger.post(link, {"seat": "1", "name": "Eve", "lang": "en"}).status_code == 409
        join(stranger, played.host, played.sitting, 1, "Eve")


def test_secrets_are_compared_and_made_as_they_should() -> None:
    assert same("a", "a")
    assert not same("a", "ä")
    assert len({new_key() for _ in range(100)}) == 100
    assert min(len(new_key()) for _ in range(100)) >= 22


def test_a_bucket_fills_again() -> None:
    clock = Time()
    bucket = Bucket(3, 1, clock)
    assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
    assert bucket.take("b")
    clock.now += 2
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]

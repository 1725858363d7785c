"""Refused requests, protected data and response headers."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.routing import Route

from tests.web.hosting import ADDRESS, Played, Time, join
from tests.web.test_pages import Checked
from wongar_dsl.web import routes
from wongar_dsl.web.security import HEADERS, TokenBucket
from wongar_dsl.web.store import digest, new_key

ROUTES: list[Route] = routes.ROUTES


def paths(played: Played) -> list[tuple[str, str]]:
    """Return every route with values that fit this table, without event streams."""
    requests = [("GET", "/static/table.css"), ("GET", "/static/none.js"), ("GET", "/no/such/path")]
    for route in ROUTES:
        path = route.path.replace("{table}", played.table_session.key).replace("{key}", "nobody")
        requests += [(method, path) for method in sorted(route.methods or ()) if method != "HEAD"]
    return [(method, path) for method, path in requests if not path.endswith("/events")]


def test_all_answers_carry_the_security_headers(nim: Played) -> None:
    for browser in (*nim.seated, nim.stranger(), nim.host_browser()):
        for method, path in paths(nim):
            send = browser.get(path) if method == "GET" else browser.post(path, {"version": "1", "seat": "0"})
            assert {name: send.headers[name] for name in HEADERS} == HEADERS, (method, path)
            if not path.startswith("/static/table"):
                assert send.headers["cache-control"] == "no-store"
            assert "server" not in send.headers


FORM, MOVE = "application/x-www-form-urlencoded", urlencode({"version": 1, "choice": "take(heap_a, 1)"}).encode()
CROSS_SITE = "http://evil.example"
#: Improper requests by the status of their answer: method, path (`T` is the table), headers and body.
IMPROPER: dict[int, list[tuple[str, str, dict[str, str], bytes]]] = {
    421: [("GET", "T", {"host": name}, b"")
          for name in ("evil.example", "evil.example:80", "", "testserver.evil.example", "127.0.0.1")],
    403: [
        *(("POST", "T/move", {"origin": origin} if origin is not None else {}, MOVE)
          for origin in (CROSS_SITE, "https://testserver", "http://testserver:81", "null", "", None)),
        ("GET", "T/events", {"origin": CROSS_SITE}, b""),
        ("GET", "T/events", {"sec-fetch-site": "cross-site"}, b""),
    ],
    400: [
        *(("POST", "T/move", {"origin": ADDRESS}, urlencode({"version": version, "choice": "take(heap_a, 1)"}).encode())
          for version in ("-1", "1e3", "", "x", "9" * 30, "１")),
        *(("POST", "T/move", {"origin": ADDRESS}, body)
          for body in (b"version=\xff\xfe", b"&".join(b"a%d=1" % n for n in range(500)), b"version=%zz&choice=%ff%fe")),
    ],
    415: [("POST", "T/move", {"origin": ADDRESS, "content-type": kind}, body)
          for kind, body in (("application/json", b"{}"), ("text/plain", b"version=1"),
                             ("multipart/form-data; boundary=x", b"--x--"))],
    405: [(method, "/", {"origin": ADDRESS}, b"")
          for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT")],
    413: [("POST", "T/move", {"origin": ADDRESS}, MOVE + b"x" * 70_000)],
    422: [("POST", "T/settings", {"origin": ADDRESS}, urlencode({"lang": "en", "name": name}).encode())
          for name in ("x" * 21, "a\x00b", "a\u202eb", "\x1b[31mred", "a\ud7ff\u0085")],
    404: [("GET", path, {}, b"")
          for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/%2Fetc%2Fpasswd",
                       "/static/table.css%00.js", "/static/....//app.py", "/t/../store", "/t/%2e%2e",
                       "/join/..%2f..%2fstore")],
    431: [
        *(("GET", "T", headers, b"")
          for headers in ({"x-a": "a" * 20_000}, {f"x-{n}": "a" for n in range(2_000)}, {"cookie": "a=b; " * 4_000})),
        ("GET", f"T?part={'1' * 20_000}", {}, b""),
    ],
}  # fmt: skip


@pytest.mark.parametrize("status", IMPROPER)
def test_improper_requests_are_refused(status: int, nim: Played) -> None:
    browser = nim.decider
    for method, path, headers, body in IMPROPER[status]:
        given = {"content-type": FORM, **headers} if method == "POST" else headers
        answer = browser.client.request(
            method, path.replace("T", browser.key, path[0] == "T"), headers=given, content=body, follow_redirects=False
        )
        assert answer.status_code == status, (method, path[:99], headers, body[:99])
    assert nim.steps == 0
    assert nim.table_session.session.names[0] == "P0"
    assert browser.get(browser.key, **{"x-a": "a" * 8_000}).status_code == 200


def test_too_long_streamed_bodies_are_refused(nim: Played) -> None:
    headers = {"origin": ADDRESS, "content-type": FORM}
    drip = (b"choice=" + b"x" * 1000 for _ in range(200))
    assert nim.decider.client.post(f"{nim.decider.key}/move", content=drip, headers=headers).status_code == 413


def test_guests_cannot_decide_for_another_seat(nim: Played) -> None:
    form, opponent = nim.decider.choice_form(), nim.seated[1]
    assert opponent is not nim.decider
    assert opponent.send("move", form) == 409
    assert opponent.send("move", {**form, "seat": "0"}) == 409
    assert nim.stranger().post(f"{nim.decider.key}/move", form).status_code == 403
    assert nim.stranger().get(f"{nim.decider.key}/events").status_code == 403
    assert nim.steps == 0


def test_only_the_host_manages_tables(nim: Played) -> None:
    browser = nim.seated[0]
    sent = {"seat": "1", "do": "bot", "kind": "easy", "game": "nim", "file": "a.json"}
    for path in (f"{browser.key}/seat", f"{browser.key}/close", "/tables", "/saves"):
        assert browser.post(path, sent).status_code == 403
    assert browser.get("/new?game=nim").status_code == 403


def test_only_saves_inside_the_folder_are_resumed(nim: Played, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.json").write_text("{}")
    for file in ("folder/a.json", "../a.json", "/etc/passwd", "tables/store", ".hidden.json", "..\\a.json", "", "a.txt",
                 "x", "x.json\0.json", "a\\b.json", "x\n.json"):  # fmt: skip
        assert nim.host_browser(nim.seated[0]).post("/saves", {"file": file}).status_code == 404, file


def test_wrong_invitations_do_not_lock_out_a_guest(nim: Played) -> None:
    stranger = nim.stranger()
    for _ in range(40):
        assert stranger.get(f"/join/{new_key()}").status_code == 404
    assert stranger.get(nim.invitation()).status_code == 200


def test_other_sites_may_link_but_not_fetch(nim: Played) -> None:
    for site in ("cross-site", "same-site"):
        for mode, status in (("navigate", 200), ("no-cors", 403), ("cors", 403), ("same-origin", 403)):
            headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
            assert nim.stranger().get(nim.invitation(), **headers).status_code == status


def test_too_many_requests_are_refused(nim: Played) -> None:
    stranger = nim.stranger()
    assert any(stranger.get("/static/icon.svg").status_code == 429 for _ in range(400))
    # A known guest has a separate limit.
    assert nim.seated[0].get(f"{nim.seated[0].key}/version").status_code == 200


NASTY = ["<svg onload=x>", '"><script>x', "' onx='x", "&lt;b&gt;", "{{ 7 * 7 }}", "</title><b>", '" onx="x']


def test_player_names_are_escaped(nim: Played) -> None:
    for name in NASTY:
        assert nim.seated[0].send("settings", {"lang": "en", "name": name}) == 303
        assert nim.table_session.session.names[0] == name
        if name == NASTY[0]:
            nim.play(1)
        pages = [browser.page(part) for browser in nim.seated for part in ("", "/part", "/story")]
        for page in (*pages, nim.host_browser().get("/").text):
            assert "{{ 7 * 7 }}" in page or name != "{{ 7 * 7 }}"
            for tag, attributes in Checked(page).attributes:
                assert tag != "b"
                assert not {"onload", "onx"} & attributes.keys()
                assert tag != "script" or "src" in attributes


def test_cookie_is_protected_from_scripts_and_other_sites(nim: Played) -> None:
    link = nim.invitation("watch")
    answer = nim.stranger().post(link, {"seat": "watch", "lang": "en"})
    assert {"httponly", "samesite=strict", "path=/"} <= set(answer.headers["set-cookie"].lower().split("; "))
    assert link.rpartition("/")[2] not in answer.headers["location"]


def test_secrets_are_stored_only_as_digests_that_grant_no_access(nim: Played) -> None:
    store = nim.host.store
    tokens = [browser.client.cookies[store.cookie] for browser in nim.seated]
    keys = [str(store.key("any", nim.table_session.key)), store.invite("host")]
    store.write()
    text = store.path.read_text()
    assert all(secret not in text for secret in (*tokens, *keys))
    assert all(digest(token) in json.loads(text)["guests"] for token in tokens)
    if os.name == "posix":
        assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    stranger = nim.stranger()
    stranger.client.cookies.set(store.cookie, next(iter(store.guests)))
    assert stranger.get(nim.seated[0].key).status_code == 403
    assert stranger.get(f"/join/{next(iter(store.invitations))}").status_code == 404


def test_spectator_invitation_gives_no_seat(nim: Played) -> None:
    nim.host.store.release_seat(nim.table_session.key, 1)
    stranger = nim.stranger()
    assert stranger.post(nim.invitation("watch"), {"seat": "1", "name": "Eve", "lang": "en"}).status_code == 409
    join(stranger, nim.host, nim.table_session, 1, "Eve")


def test_token_bucket_refills() -> None:
    clock = Time()
    bucket = TokenBucket(3, 1, clock)
    assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
    assert bucket.take("b")
    clock.now += 2
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]

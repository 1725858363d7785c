"""Joining, new tables, the start of the server; who saw hidden state at a seat may take no other seat."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, Tables, hosted, join, restarted, restarted_host
from tests.web.test_pages import Checked
from tests.web.viewings import NAMES, match, viewing, words
from wongar_dsl.cli.commands import serve
from wongar_dsl.cli.errors import UserError
from wongar_dsl.engine.library import builtin_names, load
from wongar_dsl.engine.match import Seat
from wongar_dsl.web import pages
from wongar_dsl.web.host import Host
from wongar_dsl.web.store import MAX_SEEN_SAVES
from wongar_dsl.web.views.turn_view import Person
from wongar_dsl.web.views.view_models import FreeSeat, HostedSeat, HostedTable

LANGUAGES = (("de", "Deutsch"), ("en", "English"))


ENDED = {
    "de": "Nim: P0 und P1, zu Ende", "en": "Nim: P0 and P1, over", "it": "Nim: P0 e P1, finita",
    "nl": "Nim: P0 en P1, afgelopen",
}  # fmt: skip


def test_startup_output_tells_new_running_and_finished_tables_apart(
    tables: Tables, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(language: str, since: int) -> list[str]:
        serve._print_links(played.host, False, words(language), since)
        return capsys.readouterr().out.splitlines()

    played = tables.open()
    assert printed("en", 0)[0] == "Nim"
    played.play()
    played = tables.restart()
    assert {language: printed(language, 1)[0] for language in ENDED} == ENDED
    for names in (("Anna", "Ben"), ("", "")):
        played.host.create_table("nim", [Seat("human", name) for name in names], [], 1)
    lines = printed("en", 2)
    assert "Nim: Anna and Ben, in progress" in lines
    assert "Nim: a new table" in lines


def test_next_free_port_is_used_if_the_default_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as blocker:
        blocker.bind(("127.0.0.1", 0))
        blocker.listen()
        port = blocker.getsockname()[1]
        with pytest.raises(UserError):
            serve._listening("127.0.0.1", port, words("en"))
        monkeypatch.setattr(serve, "PORT", port)
        with serve._listening("127.0.0.1", port, words("en")) as listener:
            assert port < listener.getsockname()[1] < port + serve.MAX_PORTS_TRIED


def test_join_page_labels_free_taken_and_own_seats() -> None:
    places = [FreeSeat(0, "Anna", False), FreeSeat(1, "Ben", True), FreeSeat(2, "Cleo", True, True)]
    page = pages.join_page(words("en"), "Nim", "/j/1", places, True, LANGUAGES)
    assert re.findall(r'<span class="tag">([^<]*)', page) == ["taken", "free", "your seat"]
    # A returning guest's own seat is preselected.
    assert re.findall(r'value="(\w+)" required checked', page) == ["2"]
    assert re.findall(r'name="seat" value="(\w+)" required( disabled)?', page) == [
        ("0", " disabled"), ("1", ""), ("2", ""), ("watch", "")
    ]  # fmt: skip
    assert {'name="name"', 'name="lang"'} <= set(re.findall(r'name="\w+"', page))


@pytest.mark.parametrize(
    ("name", "free", "played", "suggested"),
    [
        ("", [0, 1, 2], [], ["0"]),
        ("Cleo", [0, 1, 2], [], ["2"]),
        ("cleo", [1, 2], [0, 1, 2], ["2"]),
        # On the seats of others that have already played, a guest sits only by choice.
        ("", [0, 1, 2], [0, 1, 2], []),
        ("Eva", [1, 2], [0, 1, 2], []),
        ("Eva", [1, 2], [0, 1], ["2"]),
        ("Eva", [1], [0, 1, 2], ["1"]),
        ("Cleo", [], [0, 1, 2], ["watch"]),
    ],
)
def test_join_page_suggests_no_seat_of_another_player(
    name: str, free: list[int], played: list[int], suggested: list[str]
) -> None:
    places = [FreeSeat(n, seat, n in free, False, n in played) for n, seat in enumerate(("Anna", "Ben", "Cleo"))]
    for language, _ in LANGUAGES:
        page = pages.join_page(words(language), "Nim", "/j/1", places, True, LANGUAGES, name)
        assert re.findall(r'value="(\w+)" required checked', page) == suggested
        assert (words(language).say("web.join.back") in page) == (not free)


def test_resumed_table_suggests_the_seat_of_a_guest_by_name(nim: Played) -> None:
    nim.play(2)
    for seat in (0, 1):
        nim.host.store.release_seat(nim.table_session.key, seat)
    for browser, suggested in ((nim.seated[1], ["1"]), (nim.stranger(), [])):
        assert re.findall(r'value="(\w+)" required checked', browser.get(nim.invitation()).text) == suggested


def test_lobby_offers_a_seat_to_a_host_who_does_not_play() -> None:
    seats = [HostedSeat(0, "Anna", "human", True, True), HostedSeat(1, "Ben", "human", False, False)]
    hosted = HostedTable("/t/4f", "Nim", seats, "http://x/join/2", "", None, False, True)
    page = pages.lobby_page(words("en"), [hosted], [], [], [("easy", "easy")])
    assert '<a class="go" href="http://x/join/2">Take a seat' in page
    page = pages.lobby_page(words("en"), [replace(hosted, inviting=False)], [], [], [])
    assert "Take a seat" not in page
    assert '<a class="go" href="/t/4f">Go to the table' in page


def test_absent_player_is_not_shown_as_thinking() -> None:
    sample = match("wongar", 3, 12)
    decider = sample.state.seat
    v = viewing(sample, "en", (decider + 1) % 3)
    assert f"{NAMES[decider]} is thinking." in pages.table_part(v)
    persons = tuple(Person("human", seat != decider, seat != decider) for seat in range(3))
    assert f"{NAMES[decider]} is not here yet." in pages.table_part(replace(v, persons=persons))


def test_refused_guest_reads_page_and_reason_in_the_chosen_language(nim: Played) -> None:
    nim.host.store.release_seat(nim.table_session.key, 1)
    for language, seat, name, status in (
        ("de", "1", nim.table_session.session.names[0], 422),
        ("it", "0", "Cleo", 409),
    ):
        answer = nim.stranger().post(nim.invitation(), {"seat": seat, "name": name, "lang": language})
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
        assert f'<html lang="{language}"' in answer.text
        assert re.search(rf'<option value="{language}" lang="{language}" selected', answer.text)


def form(page: str, action: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the fields of the form with an action, as a browser submits them unchanged, and the options of each."""
    fields, options, select = dict[str, str](), dict[str, list[str]](), ""
    for tag, values in Checked(page.partition(f'action="{action}"')[2].partition("</form>")[0]).attributes:
        name, value = values.get("name") or "", values.get("value") or ""
        if tag == "input" and (values.get("type") != "checkbox" or "checked" in values):
            fields[name] = value
        elif tag == "select":
            select, options[name] = name, []
        elif tag == "option":
            # A browser submits the first option where none is selected.
            if not options[select] or "selected" in values:
                fields[select] = value
            options[select].append(value)
    return fields, options


def test_lobby_and_new_table_tell_the_players_and_the_age_of_a_game(nim: Played) -> None:
    host = nim.host_browser()
    lobby = host.get("/").text
    players = {"ubongo": "for 2 to 4 players", "nim": "for 2 players"}
    rows = {game: lobby.split(f'href="/new?game={game}"')[1].split("</a>")[0] for game in players}
    new_tables = {game: host.get(f"/new?game={game}").text for game in players}
    for game, text in players.items():
        assert f'<span class="tag">{text}</span>' in rows[game]
        assert f'<span class="tag">{text}</span>' in new_tables[game]
    assert ['<span class="tag">from age 8</span>' in row for row in rows.values()] == [True, False]
    assert ["from age 8" in page for page in new_tables.values()] == [True, False]


@pytest.mark.parametrize("game", builtin_names())
def test_tables_can_be_opened_for_the_fewest_and_most_players(game: str, nim: Played) -> None:
    low, high = load(game, None).model.players
    host = nim.host_browser()
    for players in {low, high}:
        fields, options = form(host.get(f"/new?game={game.replace('+', '%2B')}").text, "/tables")
        seats = [name for name in fields if name.startswith("kind-")]
        assert [fields[name] for name in seats] == ["human"] * low + [""] * (high - low)
        for name in seats[low:players]:
            assert "easy" in options[name]
            fields[name] = "human"
        answer = host.post("/tables", fields)
        assert answer.status_code == 303, answer.text
        newest = list(nim.host.table_sessions)[-1]
        assert [seat.kind for seat in nim.host.table_sessions[newest].match.seats] == ["human"] * players
        # The new table comes first, with its link.
        (top, *_) = articles(host.get(answer.headers["location"]).text)
        assert f'href="/t/{newest}"' in top
        assert f"/join/{nim.host.store.key('any', newest)}" in top
        assert "<svg" in top
        assert host.post(f"/t/{newest}/close", {}).status_code == 303


def articles(page: str) -> list[str]:
    return re.findall(r"<article.*?</article>", page, re.DOTALL)


def test_only_the_newest_or_requested_table_shows_its_code(nim: Played) -> None:
    host = nim.host_browser()
    for _ in range(3):
        assert host.post("/tables", form(host.get("/new?game=nim").text, "/tables")[0]).status_code == 303
    page = host.get("/").text
    assert ["<svg" in article for article in articles(page)] == [True, False, False, False]
    (_, _, oldest) = re.findall(r'href="(/\?code=[^"#]*)', page)
    assert ["<svg" in article for article in articles(host.get(oldest).text)] == [True, False, False, True]


def test_guest_can_take_the_name_of_any_free_seat(nim: Played) -> None:
    host, kinds = nim.host_browser(), ["human", "easy", "human", "easy"]
    fields, _ = form(host.get("/new?game=ubongo").text, "/tables")
    fields |= {f"kind-{number}": kind for number, kind in enumerate(kinds)}
    assert host.post("/tables", fields).status_code == 303
    table_session = list(nim.host.table_sessions.values())[-1]
    # Seat 0 takes the name that the table gave to seat 2, and seat 2 that of a bot.
    for seat, other in ((0, 2), (2, 3)):
        name = table_session.session.names[other]
        join(nim.stranger(), nim.host, table_session, seat, name)
        names = table_session.session.names
        assert names[seat] == name
        assert len(set(names)) == len(kinds)


def test_games_are_told_by_their_own_sentence_or_that_of_their_base(nim: Played) -> None:
    page = nim.host_browser().get("/").text
    told = {
        game: re.search(rf'href="/new\?game={game}">.*?class="hint">(.*?)</span>', page) for game in builtin_names()
    }
    sentences = {game: match[1] for game, match in told.items() if match is not None}
    assert {*sentences} == {*builtin_names()}
    assert sentences["wongar/initiated"].startswith("For the initiated")
    assert sentences["ubongo/hard"] == sentences["ubongo"]


def take_seat(browser: Browser, played: Played, seat: int, kind: str = "any", name: str = "Eve") -> int:
    """Request a seat by an invitation and return the status of the answer."""
    invitation = played.invitation(kind, seat if kind == "seat" else None)
    return browser.post(invitation, {"seat": str(seat), "name": name, "lang": "en"}).status_code


def leave_table(browser: Browser, played: Played) -> None:
    assert browser.post(f"/t/{played.table_session.key}/leave", {}).status_code == 303


def close_table(played: Played, browser: Browser) -> str:
    """Close the table on the host's page and return the name of its save."""
    save = played.table_session.session.path.name
    assert played.host_browser(browser).post(f"/t/{played.table_session.key}/close", {}).status_code == 303
    assert not played.host.table_sessions
    return save


def resume_table(host: Host, browser: Browser, save: str) -> Played:
    """Resume a save on the host's page."""
    assert browser.post(f"/join/{host.store.invite('host')}", {"lang": "en"}).status_code == 303
    assert browser.post("/saves", {"file": save}).status_code == 303
    (table_session,) = host.table_sessions.values()
    return Played(host, table_session, [browser])


def require_seat(spy: Browser, played: Played, seat: int) -> None:
    """Check that a guest may take only this one of two seats, with the link of the table and with that of a seat."""
    for kind in ("any", "seat"):
        assert take_seat(spy, played, 1 - seat, kind) == 409
    assert take_seat(spy, played, seat) == 303


@pytest.mark.parametrize(
    ("game", "steps", "leaves"), [("kuhn_poker", 0, True), ("kuhn_poker", 1, False), ("goofspiel", 1, True)]
)
def test_seen_seat_stays_the_only_one(game: str, steps: int, leaves: bool, tmp_path: Path) -> None:
    with hosted(tmp_path, game, ["human", "human"], seed=3) as played:
        played.play(steps)
        spy = played.seated[0]
        cookies = [dict(spy.client.cookies)]
        if leaves:
            for browser in played.seated:
                leave_table(browser, played)
            assert "checked" in spy.get(played.invitation()).text.split('value="0"')[1].split(">")[0]
            require_seat(spy, played, 0)
            leave_table(spy, played)
        save = close_table(played, spy)
        again = resume_table(played.host, spy, save)
        assert again.table_session.key != played.table_session.key
        require_seat(spy, again, 0)
        assert close_table(again, spy) == save
    # The server is restarted between closing and resuming.
    with restarted_host(tmp_path, cookies) as (host, (spy,)):
        assert not host.table_sessions
        again = resume_table(host, spy, save)
        # Joining as a spectator first does not help.
        assert spy.post(again.invitation("watch"), {"seat": "watch", "lang": "en"}).status_code == 303
        require_seat(spy, again, 0)
        # Another guest may have the other seat.
        assert take_seat(again.stranger(), again, 1) in (303, 422)
        key = again.table_session.key
    # The resumed table is restored at a restart.
    with restarted(tmp_path, key, cookies) as again:
        leave_table(again.seated[0], again)
        require_seat(again.seated[0], again, 0)


def test_rematch_is_another_game_that_binds_guests_to_their_new_seats(tables: Tables) -> None:
    played = tables.open("kuhn_poker")
    played.play()
    first, old = played.seated[0], played.table_session.session.path.name
    assert first.send("rematch") == 303
    assert [seat.name for seat in played.table_session.match.seats] == ["P1", "P0"]
    for browser in played.seated:
        leave_table(browser, played)
    require_seat(first, played, 1)
    again = resume_table(played.host, first, close_table(played, first))
    require_seat(first, again, 1)
    close_table(again, first)
    require_seat(first, resume_table(played.host, first, old), 0)


@contextmanager
def seen_and_closed(folder: Path) -> Iterator[tuple[Played, Browser, list[dict[str, str]], str]]:
    """Yield a host whose table has been closed, a guest who has seen seat 0, their cookies, and the save."""
    with hosted(folder, "kuhn_poker", ["human", "human"], seed=3) as played:
        played.play(1)
        spy = guest_who_left(played)
        yield played, spy, [dict(spy.client.cookies)], close_table(played, spy)


def test_seen_seat_is_remembered_while_the_save_is_absent(tmp_path: Path) -> None:
    with seen_and_closed(tmp_path) as (_, _, cookies, save):
        pass
    elsewhere = (tmp_path / save).rename(tmp_path / f"{save}.moved")
    with restarted_host(tmp_path, cookies) as (host, (spy,)):
        # Any visit writes the store.
        assert spy.post(f"/join/{host.store.invite('host')}", {"lang": "en"}).status_code == 303
    elsewhere.rename(tmp_path / save)
    with restarted_host(tmp_path, cookies) as (host, (spy,)):
        require_seat(spy, resume_table(host, spy, save), 0)


@pytest.mark.parametrize("copied", [False, True])
def test_seen_seat_is_remembered_if_the_save_is_renamed_or_copied(tmp_path: Path, copied: bool) -> None:
    with seen_and_closed(tmp_path) as (played, spy, cookies, save):
        (tmp_path / f"other-{save}").write_bytes((tmp_path / save).read_bytes())
        if not copied:
            (tmp_path / save).unlink()
        again = resume_table(played.host, spy, f"other-{save}")
        require_seat(spy, again, 0)
    with restarted(tmp_path, again.table_session.key, cookies) as again:
        leave_table(again.seated[0], again)
        require_seat(again.seated[0], again, 0)


def test_only_seats_seen_in_many_absent_saves_are_forgotten(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        cookies = [dict(played.seated[0].client.cookies)]
        save = close_table(played, played.seated[0])
        for guest in played.host.store.guests.values():
            guest.seen_seats |= {f"absent{number}.json": [1] for number in range(2 * MAX_SEEN_SAVES)}
        played.host.store.write()
    with restarted_host(tmp_path, cookies) as (host, _):
        for guest in host.store.guests.values():
            assert len(guest.seen_seats) == MAX_SEEN_SAVES
            assert f"absent{2 * MAX_SEEN_SAVES - 1}.json" in guest.seen_seats
        assert any(key.endswith(f"/{save}") for guest in host.store.guests.values() for key in guest.seen_seats)


def test_guest_keeps_the_name_when_changing_seats_in_an_open_game(nim: Played) -> None:
    leave_table(nim.seated[1], nim)
    assert take_seat(nim.seated[0], nim, 1, name="P0") == 303
    names = nim.table_session.session.names
    assert names[1] == "P0" != names[0]
    # The name of a seated guest stays reserved.
    assert take_seat(nim.seated[1], nim, 0) == 303
    assert take_seat(nim.seated[1], nim, 0, name="p0") == 422
    for browser in nim.seated:
        leave_table(browser, nim)
    assert take_seat(nim.seated[0], nim, 0) == 303


@pytest.mark.parametrize("named", [False, True])
def test_store_of_an_older_version_is_read(tables: Tables, named: bool) -> None:
    path = tables.open("kuhn_poker").host.store.path

    def grow_old() -> None:
        text = path.read_text(encoding="utf-8")
        assert '"seen_seats"' in text
        named_only = re.sub(r'"seen_seats": ?{"[0-9a-f]+/', '"seen_seats": {"', text)
        text = named_only if named else text.replace("seen_seats", "other")
        path.write_text(re.sub(r'"deal": ?"[0-9a-f]+"', '"older": true', text), encoding="utf-8")

    played = tables.restart(grow_old)
    assert played.seated[1].get(played.seated[1].key).status_code == 200
    assert take_seat(played.seated[0], played, 1) == 409


# ---- seats on offer ------------------------------------------------------------------------------------------------


def guest_who_left(played: Played) -> Browser:
    leave_table(played.seated[0], played)
    return played.seated[0]


def guest_whose_seat_is_taken(played: Played) -> Browser:
    guest = guest_who_left(played)
    assert take_seat(played.stranger(), played, 0) == 303
    return guest


def guest_whose_seat_a_bot_plays(played: Played) -> Browser:
    guest = guest_who_left(played)
    played.table_session.set_occupant(0, "easy", "Bot")
    return guest


VISITORS: dict[str, Callable[[Played], Browser]] = {
    "stranger": Played.stranger,
    "seated guest": lambda played: played.seated[0],
    "guest who left": guest_who_left,
    "guest whose seat is taken": guest_whose_seat_is_taken,
    "guest whose seat a bot plays": guest_whose_seat_a_bot_plays,
    "host who left": lambda played: played.host_browser(guest_who_left(played)),
}


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize(
    ("game", "kind"), [("goofspiel", "any"), *(("goofspiel", seat) for seat in "012"), ("tongiaki", "any")]
)
def test_exactly_the_seats_on_offer_can_be_taken(game: str, kind: str, visitor: str, tmp_path: Path) -> None:
    """Goofspiel hides something, Tongiaki nothing."""
    for seat in range(3) if kind == "any" else [int(kind)]:
        # Seat 1 is taken, seat 2 is free.
        with hosted(tmp_path / str(seat), game, ["human"] * 3, seed=3) as played:
            leave_table(played.seated[2], played)
            browser, guests, key = VISITORS[visitor](played), played.host.store, played.table_session.key
            invitation = played.invitation("any", None if kind == "any" else seat)
            page = browser.get(invitation).text
            seats = re.findall(r'name="seat" value="(\d)" required( disabled)?', page)
            offered = [int(number) for number, disabled in seats if not disabled]
            # Seats that are not on offer are shown only if another person has them.
            assert all(guests.is_seated(key, int(number)) for number, disabled in seats if disabled)
            # Without anything to take there is nothing to send.
            assert ('<button class="go">' in page) == (bool(offered) or kind == "any")
            status = browser.post(invitation, {"seat": str(seat), "name": "Zoe", "lang": "en"}).status_code
            assert status == (303 if seat in offered else 409), (seat, offered)


@pytest.mark.parametrize("visitor", VISITORS)
def test_lobby_offers_a_seat_only_if_the_host_can_take_one(visitor: str, tables: Tables) -> None:
    played = tables.open("goofspiel", ["human"] * 3, seed=3)
    leave_table(played.seated[2], played)
    browser = played.host_browser(VISITORS[visitor](played))
    links = [played.invitation("seat", seat) for seat in range(3)]
    lobby = browser.get("/").text
    assert ("Take a seat" in lobby) == (visitor in ("stranger", "guest who left", "host who left"))
    # Links to a seat are shown as long as they can be used.
    open_seats = played.host.free_seats(played.table_session, None)
    assert [seat for seat in range(3) if links[seat] in lobby] == sorted(open_seats)

"""A guest who saw hidden state at one seat may take no other seat of that game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, Tables, hosted, restarted, restarted_host
from wongar_dsl.web.host import Host
from wongar_dsl.web.store import MAX_SEEN_SAVES


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

"""A guest who saw hidden state at one seat may take no other seat of that game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, hosted, restarted

HIDING = [("kuhn_poker", 2), ("wongar", 3), ("goofspiel", 2)]


def take_seat(browser: Browser, played: Played, seat: int, kind: str = "any") -> int:
    """Request a seat by an invitation and return the status of the answer."""
    guests, key = played.host.guests, played.sitting.key
    invitation = guests.invite("seat", key, seat) if kind == "seat" else guests.key("any", key)
    return browser.post(f"/join/{invitation}", {"seat": str(seat), "name": "Eve", "lang": "en"}).status_code


def leave_table(browser: Browser, played: Played) -> None:
    assert browser.post(f"/t/{played.sitting.key}/leave", {}).status_code == 303


@pytest.mark.parametrize(("game", "seats"), HIDING)
@pytest.mark.parametrize("steps", [0, 1])
def test_guest_who_left_a_seat_may_only_return_to_it(game: str, seats: int, steps: int, tmp_path: Path) -> None:
    with hosted(tmp_path, game, ["human"] * seats, seed=3) as played:
        assert played.sitting.match.game.knowledge.has_private_information
        played.play(steps)
        cookies = [dict(player.client.cookies) for player in played.seated]
        key = played.sitting.key
        for browser in played.seated[:2]:
            leave_table(browser, played)
        spy = played.seated[0]
        for kind in ("any", "seat"):
            assert take_seat(spy, played, 1, kind) == 409
        page = spy.get(f"/join/{played.host.guests.key('any', key)}").text
        assert "checked" in page.split('value="0"')[1].split(">")[0]
    with restarted(tmp_path, key, cookies) as played:
        spy = played.seated[0]
        for kind in ("any", "seat"):
            assert take_seat(spy, played, 1, kind) == 409
        # Joining as a spectator first does not help.
        invitation = played.host.guests.key("watch", key)
        assert spy.post(f"/join/{invitation}", {"seat": "watch", "lang": "en"}).status_code == 303
        assert take_seat(spy, played, 1) == 409
        assert take_seat(spy, played, 0) == 303
        # Another guest can take the free seat.
        assert take_seat(played.stranger(), played, 1) in (303, 422)


def test_guest_can_change_seats_in_an_open_game(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for browser in played.seated:
            leave_table(browser, played)
        assert take_seat(played.seated[0], played, 1) == 303


def test_guest_keeps_the_name_when_changing_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        leave_table(played.seated[1], played)
        key = played.host.guests.key("any", played.sitting.key)
        moved = {"seat": "1", "name": "P0", "lang": "en"}
        assert played.seated[0].post(f"/join/{key}", moved).status_code == 303
        assert played.sitting.table.names[1] == "P0"
        assert played.sitting.table.names[0] != "P0"
        # The name of a seated guest stays reserved.
        assert take_seat(played.seated[1], played, 0) == 303
        assert played.seated[1].post(f"/join/{key}", {"seat": "0", "name": "p0", "lang": "en"}).status_code == 422


def test_rematch_binds_guests_to_their_new_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        played.play()
        first = played.seated[0]
        assert first.post(f"{first.key}/rematch", {}).status_code == 303
        assert [seat.name for seat in played.sitting.match.seats] == ["P1", "P0"]
        for browser in played.seated:
            leave_table(browser, played)
        assert take_seat(first, played, 0) == 409
        assert take_seat(first, played, 1) == 303


def test_store_of_an_older_version_is_read(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        cookies = [dict(player.client.cookies) for player in played.seated]
        key, path = played.sitting.key, played.host.store.path
    text = path.read_text(encoding="utf-8")
    assert '"held"' in text
    path.write_text(text.replace('"held"', '"other"'), encoding="utf-8")
    with restarted(tmp_path, key, cookies) as played:
        assert played.seated[1].get(f"/t/{key}").status_code == 200
        assert take_seat(played.seated[0], played, 1) == 409

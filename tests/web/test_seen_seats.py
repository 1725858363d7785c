"""A guest who has seen what is hidden at one seat gets no other seat of this game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, going_on, hosted

HIDING = [("kuhn_poker", 2), ("wongar", 3), ("goofspiel", 2)]


def sits(browser: Browser, played: Played, seat: int, kind: str = "any") -> int:
    """Ask for a seat by an invitation; return the status of the answer."""
    guests, key = played.host.guests, played.sitting.key
    invitation = guests.invite("seat", key, seat) if kind == "seat" else guests.key("any", key)
    return browser.post(f"/join/{invitation}", {"seat": str(seat), "name": "Eve", "lang": "en"}).status_code


def stands_up(browser: Browser, played: Played) -> None:
    """Leave the table."""
    assert browser.post(f"/t/{played.sitting.key}/leave", {}).status_code == 303


@pytest.mark.parametrize(("game", "seats"), HIDING)
@pytest.mark.parametrize("steps", [0, 1])
def test_who_has_left_a_seat_comes_back_to_no_other_also_after_a_restart(
    game: str, seats: int, steps: int, tmp_path: Path
) -> None:
    with hosted(tmp_path, game, ["human"] * seats, seed=3) as played:
        assert played.sitting.match.game.knowledge.private
        played.play(steps)
        cookies = [dict(one.client.cookies) for one in played.seated]
        key = played.sitting.key
        for browser in played.seated[:2]:
            stands_up(browser, played)
        spy = played.seated[0]
        for kind in ("any", "seat"):
            assert sits(spy, played, 1, kind) == 409
        page = spy.get(f"/join/{played.host.guests.key('any', key)}").text
        assert "checked" in page.split('value="0"')[1].split(">")[0]
    with going_on(tmp_path, key, cookies) as played:
        spy = played.seated[0]
        for kind in ("any", "seat"):
            assert sits(spy, played, 1, kind) == 409
        # Watching is no way round.
        invitation = played.host.guests.key("watch", key)
        assert spy.post(f"/join/{invitation}", {"seat": "watch", "lang": "en"}).status_code == 303
        assert sits(spy, played, 1) == 409
        assert sits(spy, played, 0) == 303
        # Another guest can have the seat that is free.
        assert sits(played.stranger(), played, 1) in (303, 422)


def test_where_nothing_is_hidden_a_guest_can_change_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for browser in played.seated:
            stands_up(browser, played)
        assert sits(played.seated[0], played, 1) == 303


def test_a_guest_keeps_a_name_when_changing_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        stands_up(played.seated[1], played)
        key = played.host.guests.key("any", played.sitting.key)
        moved = {"seat": "1", "name": "P0", "lang": "en"}
        assert played.seated[0].post(f"/join/{key}", moved).status_code == 303
        assert played.sitting.table.names[1] == "P0"
        assert played.sitting.table.names[0] != "P0"
        # The name of somebody who sits there is still theirs.
        assert sits(played.seated[1], played, 0) == 303
        assert played.seated[1].post(f"/join/{key}", {"seat": "0", "name": "p0", "lang": "en"}).status_code == 422


def test_a_new_game_at_the_table_binds_guests_to_their_new_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        played.play()
        first = played.seated[0]
        assert first.post(f"{first.key}/rematch", {}).status_code == 303
        assert [seat.name for seat in played.sitting.match.seats] == ["P1", "P0"]
        for browser in played.seated:
            stands_up(browser, played)
        assert sits(first, played, 0) == 409
        assert sits(first, played, 1) == 303


def test_a_store_of_an_older_version_is_read(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        cookies = [dict(one.client.cookies) for one in played.seated]
        key, path = played.sitting.key, played.host.store.path
    text = path.read_text(encoding="utf-8")
    assert '"held"' in text
    path.write_text(text.replace('"held"', '"other"'), encoding="utf-8")
    with going_on(tmp_path, key, cookies) as played:
        assert played.seated[1].get(f"/t/{key}").status_code == 200
        assert sits(played.seated[0], played, 1) == 409

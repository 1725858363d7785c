"""How people find their table and their seat: what the terminal says, what the form says, and who is waited for."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from wongar_dsl.cli.commands import serve
from wongar_dsl.cli.errors import Refusal
from wongar_dsl.web import pages
from wongar_dsl.web.app import application
from wongar_dsl.web.viewing import Hosted, HostedSeat, Joining, Lobby, Person, Place

from tests.web.hosting import NAMES as HERE
from tests.web.hosting import Time, new_host
from tests.web.viewings import NAMES, match, viewing, words
from wongar_dsl.engine.match import Seat

LANGUAGES = (("de", "Deutsch"), ("en", "English"))


def test_a_table_that_goes_on_and_a_new_one_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = new_host(tmp_path)
    # What the application ends, it closes.
    with TestClient(application(host, HERE, Time())):
        host.lay("nim", [Seat("human", "Anna"), Seat("human", "Ben")], [], 1)
        serve._tell(host, False, words("en"), 0)
        assert capsys.readouterr().out.splitlines()[0] == "Nim"
        host.lay("nim", [Seat("human"), Seat("human")], [], 1)
        serve._tell(host, False, words("en"), 1)
        said = capsys.readouterr().out.splitlines()
        assert "Nim: Anna and Ben, in progress" in said
        assert "Nim: a new table" in said


def test_where_the_usual_port_is_taken_the_next_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(Refusal):
            serve._listening("127.0.0.1", taken, words("en"))
        monkeypatch.setattr(serve, "PORT", taken)
        with serve._listening("127.0.0.1", taken, words("en")) as found:
            assert taken < found.getsockname()[1] < taken + serve.NEXT


def test_a_seat_says_whether_it_is_free_taken_or_ones_own() -> None:
    places = [Place(0, "Anna", False), Place(1, "Ben", True), Place(2, "Cleo", True, True)]
    page = pages.join_page(Joining(words("en"), "Nim", "/j/1", places, True, LANGUAGES))
    assert re.findall(r'<span class="tag">([^<]*)', page) == ["taken", "free", "your seat"]
    # Who comes back has their own seat chosen.
    assert re.findall(r'value="(\w+)" required checked', page) == ["2"]


def test_who_hosts_and_does_not_play_is_led_to_a_seat() -> None:
    seats = [HostedSeat(0, "Anna", "human", True, True), HostedSeat(1, "Ben", "human", False, False)]
    hosted = Hosted("/t/4f", "Nim", seats, "http://x/join/2", "", None, False, True)
    page = pages.lobby_page(Lobby(words("en"), [hosted], [], [], [("easy", "easy")], LANGUAGES))
    assert '<a class="go" href="http://x/join/2">Take a seat' in page
    page = pages.lobby_page(Lobby(words("en"), [replace(hosted, inviting=False)], [], [], [], LANGUAGES))
    assert "Take a seat" not in page
    assert '<a class="go" href="/t/4f">Go to the table' in page


def test_who_has_never_come_is_not_said_to_think() -> None:
    at = match("wongar", 3, 12)
    asked = at.state.seat
    v = viewing(at, "en", (asked + 1) % 3)
    assert f"{NAMES[asked]} is thinking." in pages.table_part(v)
    persons = tuple(Person("human", seat != asked, seat != asked) for seat in range(3))
    assert f"{NAMES[asked]} is not here yet." in pages.table_part(replace(v, persons=persons))

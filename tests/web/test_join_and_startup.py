"""Guidance of players to their table and seat: startup output, join form and absent players."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.hosting import NAMES as HERE
from tests.web.hosting import Time, hosted, new_host, restarted
from tests.web.viewings import NAMES, match, viewing, words
from wongar_dsl.cli.commands.play import serve
from wongar_dsl.cli.errors import UserError
from wongar_dsl.engine.match import Seat
from wongar_dsl.web.app import application
from wongar_dsl.web.rendering import pages
from wongar_dsl.web.views.view_models import FreeSeat, HostedSeat, HostedTable, JoinView, Lobby, Person

LANGUAGES = (("de", "Deutsch"), ("en", "English"))


def test_startup_output_distinguishes_resumed_and_new_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = new_host(tmp_path)
    # The application closes the tables when it ends.
    with TestClient(application(host, HERE, Time())):
        host.create_table("nim", [Seat("human", "Anna"), Seat("human", "Ben")], [], 1)
        serve._print_links(host, False, words("en"), 0)
        assert capsys.readouterr().out.splitlines()[0] == "Nim"
        host.create_table("nim", [Seat("human"), Seat("human")], [], 1)
        serve._print_links(host, False, words("en"), 1)
        lines = capsys.readouterr().out.splitlines()
        assert "Nim: Anna and Ben, in progress" in lines
        assert "Nim: a new table" in lines


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Nim: P0 und P1, zu Ende"),
        ("en", "Nim: P0 and P1, over"),
        ("it", "Nim: P0 e P1, finita"),
        ("nl", "Nim: P0 en P1, afgelopen"),
    ],
)
def test_startup_output_tells_that_a_restored_game_is_over(
    language: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.play()
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with restarted(tmp_path, played.table_session.key, cookies) as played:
        serve._print_links(played.host, False, words(language), 1)
        assert capsys.readouterr().out.splitlines()[0] == line


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
    page = pages.join_page(JoinView(words("en"), "Nim", "/j/1", places, True, LANGUAGES))
    assert re.findall(r'<span class="tag">([^<]*)', page) == ["taken", "free", "your seat"]
    # A returning guest's own seat is preselected.
    assert re.findall(r'value="(\w+)" required checked', page) == ["2"]


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
        page = pages.join_page(JoinView(words(language), "Nim", "/j/1", places, True, LANGUAGES, name))
        assert re.findall(r'value="(\w+)" required checked', page) == suggested
        assert (words(language).say("web.join.back") in page) == (not free)


def test_resumed_table_suggests_the_seat_of_a_guest_by_name(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        played.play(2)
        guests, table = played.host.guests, played.table_session.key
        for seat in (0, 1):
            guests.release_seat(table, seat)
        for browser, suggested in ((played.seated[1], ["1"]), (played.stranger(), [])):
            page = browser.get(f"/join/{guests.key('any', table)}").text
            assert re.findall(r'value="(\w+)" required checked', page) == suggested


def test_lobby_offers_a_seat_to_a_host_who_does_not_play() -> None:
    seats = [HostedSeat(0, "Anna", "human", True, True), HostedSeat(1, "Ben", "human", False, False)]
    hosted = HostedTable("/t/4f", "Nim", seats, "http://x/join/2", "", None, False, True)
    page = pages.lobby_page(Lobby(words("en"), [hosted], [], [], [("easy", "easy")], LANGUAGES))
    assert '<a class="go" href="http://x/join/2">Take a seat' in page
    page = pages.lobby_page(Lobby(words("en"), [replace(hosted, inviting=False)], [], [], [], LANGUAGES))
    assert "Take a seat" not in page
    assert '<a class="go" href="/t/4f">Go to the table' in page


def test_absent_player_is_not_shown_as_thinking() -> None:
    sample = match("wongar", 3, 12)
    decider = sample.state.seat
    v = viewing(sample, "en", (decider + 1) % 3)
    assert f"{NAMES[decider]} is thinking." in pages.table_part(v)
    persons = tuple(Person("human", seat != decider, seat != decider) for seat in range(3))
    assert f"{NAMES[decider]} is not here yet." in pages.table_part(replace(v, persons=persons))


@pytest.mark.parametrize(("seat", "name"), [("1", " "), ("1", "Ben"), ("0", "Cleo")], ids=["empty", "equal", "taken"])
@pytest.mark.parametrize("language", ["de", "it"])
def test_refused_guest_reads_page_and_reason_in_the_chosen_language(
    seat: str, name: str, language: str, tmp_path: Path
) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        link = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        if (seat, name) == ("1", "Ben"):
            name = played.table_session.session.names[0]
        answer = played.stranger().post(link, {"seat": seat, "name": name, "lang": language})
        assert answer.status_code in (409, 422), answer.text
        assert f'<html lang="{language}"' in answer.text
        assert re.search(rf'<option value="{language}" lang="{language}" selected', answer.text)

"""Joining, new tables, and the start of the server."""

from __future__ import annotations

import re
import socket
from dataclasses import replace

import pytest

from tests.web.hosting import Played, Tables, join
from tests.web.test_pages import Checked
from tests.web.viewings import NAMES, match, viewing, words
from wongar_dsl.cli.commands import serve
from wongar_dsl.cli.errors import UserError
from wongar_dsl.engine.library import builtin_names, load
from wongar_dsl.engine.match import Seat
from wongar_dsl.web import pages
from wongar_dsl.web.views.turn_view import Person
from wongar_dsl.web.views.view_models import FreeSeat, HostedSeat, HostedTable, JoinView, Lobby

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
    page = pages.join_page(JoinView(words("en"), "Nim", "/j/1", places, True, LANGUAGES))
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
        page = pages.join_page(JoinView(words(language), "Nim", "/j/1", places, True, LANGUAGES, name))
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

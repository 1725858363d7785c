"""The new-table form, submitted as by a browser, and the resulting lobby."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, hosted, join
from wongar_dsl.engine.library import builtin_names, load


class Form(HTMLParser):
    """The fields of the form with an action, as a browser submits them unchanged."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.action, self.inside, self.select = action, False, ""
        self.fields: dict[str, str] = {}
        self.options: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.inside = values.get("action") == self.action
        if not self.inside:
            return
        if tag == "input" and (values.get("type") != "checkbox" or "checked" in values):
            self.fields[values["name"]] = values.get("value", "")
        elif tag == "select":
            self.select = values["name"]
            self.options[self.select] = []
        elif tag == "option":
            # A browser submits the first option where none is selected.
            if not self.options[self.select] or "selected" in values:
                self.fields[self.select] = values["value"]
            self.options[self.select].append(values["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False


def host_browser(played: Played) -> Browser:
    """Return a browser with the rights of the host."""
    browser = played.stranger()
    assert browser.post(f"/join/{played.host.guests.invite('host')}", {"lang": "en"}).status_code == 303
    return browser


@pytest.mark.parametrize("game", builtin_names())
def test_tables_can_be_opened_for_every_number_of_players(game: str, tmp_path: Path) -> None:
    low, high = load(game, None).model.players
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host = host_browser(played)
        for players in range(low, high + 1):
            form = Form(host.get(f"/new?game={game.replace('+', '%2B')}").text, "/tables")
            seats = [name for name in form.fields if name.startswith("kind-")]
            assert [form.fields[name] for name in seats] == ["human"] * low + [""] * (high - low)
            for name in seats[low:players]:
                assert "easy" in form.options[name]
                form.fields[name] = "human"
            answer = host.post("/tables", form.fields)
            assert answer.status_code == 303, answer.text
            newest = list(played.host.table_sessions)[-1]
            assert [seat.kind for seat in played.host.table_sessions[newest].match.seats] == ["human"] * players
            # The new table comes first, with its link.
            top = re.search(r"<article.*?</article>", host.get(answer.headers["location"]).text, re.DOTALL)
            assert top is not None
            assert f'href="/t/{newest}"' in top[0]
            assert f"/join/{played.host.guests.key('any', newest)}" in top[0]
            assert "<svg" in top[0]
            assert host.post(f"/t/{newest}/close", {}).status_code == 303


def test_only_the_newest_or_requested_table_shows_its_code(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host = host_browser(played)
        for _ in range(3):
            assert host.post("/tables", Form(host.get("/new?game=nim").text, "/tables").fields).status_code == 303
        page = host.get("/").text
        codes = ["<svg" in article for article in re.findall(r"<article.*?</article>", page, re.DOTALL)]
        assert codes == [True, False, False, False]
        (_, _, oldest) = re.findall(r'href="(/\?code=[^"#]*)', page)
        codes = [
            "<svg" in article for article in re.findall(r"<article.*?</article>", host.get(oldest).text, re.DOTALL)
        ]
        assert codes == [True, False, False, True]


# ---- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "kinds"), [("wongar", ["human"] * 5), ("ubongo", ["human", "easy", "human", "easy"])])
def test_guest_can_take_the_name_of_any_free_seat(game: str, kinds: list[str], tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host = host_browser(played)
        form = Form(host.get(f"/new?game={game}").text, "/tables")
        form.fields |= {f"kind-{number}": kind for number, kind in enumerate(kinds)}
        assert host.post("/tables", form.fields).status_code == 303
        table_session = list(played.host.table_sessions.values())[-1]
        people = [number for number, kind in enumerate(kinds) if kind == "human"]
        for seat in people:
            # Take the name of the next seat, which the table shows elsewhere.
            name = table_session.session.names[(seat + 1) % len(kinds)]
            if seat == people[-1]:
                name = next(
                    n for number, n in enumerate(table_session.session.names) if number not in people or number == seat
                )
            join(played.stranger(), played.host, table_session, seat, name)
            assert table_session.session.names[seat] == name
            assert len(set(table_session.session.names)) == len(kinds)


@pytest.mark.parametrize("name", ["anna", "Аnnа", "ΑΝΝΑ", "Αnnа", "Ａnna"])
def test_guest_cannot_take_a_name_that_resembles_another_guests(name: str, tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        first = played.seated[0]
        assert first.post(f"{first.key}/settings", {"lang": "en", "name": "Anna"}).status_code == 303
        second = played.seated[1]
        assert second.post(f"{second.key}/settings", {"lang": "en", "name": name}).status_code == 422
        assert played.table_session.session.names == ("Anna", "P1")


def test_games_are_told_by_their_own_sentence_or_that_of_their_base(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        page = host_browser(played).get("/").text
    told = {
        game: re.search(rf'href="/new\?game={game}">.*?class="hint">(.*?)</span>', page) for game in builtin_names()
    }
    sentences = {game: match[1] for game, match in told.items() if match is not None}
    assert {*sentences} == {*builtin_names()}
    assert sentences["wongar/initiated"].startswith("For the initiated")
    assert sentences["ubongo/hard"] == sentences["ubongo"]

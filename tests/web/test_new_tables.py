"""The new-table form, submitted as by a browser, and the resulting lobby."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.web.hosting import Played, join
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


@pytest.mark.parametrize("game", builtin_names())
def test_tables_can_be_opened_for_the_fewest_and_most_players(game: str, nim: Played) -> None:
    low, high = load(game, None).model.players
    host = nim.host_browser()
    for players in {low, high}:
        form = Form(host.get(f"/new?game={game.replace('+', '%2B')}").text, "/tables")
        seats = [name for name in form.fields if name.startswith("kind-")]
        assert [form.fields[name] for name in seats] == ["human"] * low + [""] * (high - low)
        for name in seats[low:players]:
            assert "easy" in form.options[name]
            form.fields[name] = "human"
        answer = host.post("/tables", form.fields)
        assert answer.status_code == 303, answer.text
        newest = list(nim.host.table_sessions)[-1]
        assert [seat.kind for seat in nim.host.table_sessions[newest].match.seats] == ["human"] * players
        # The new table comes first, with its link.
        (top, *_) = articles(host.get(answer.headers["location"]).text)
        assert f'href="/t/{newest}"' in top
        assert f"/join/{nim.host.guests.key('any', newest)}" in top
        assert "<svg" in top
        assert host.post(f"/t/{newest}/close", {}).status_code == 303


def articles(page: str) -> list[str]:
    return re.findall(r"<article.*?</article>", page, re.DOTALL)


def test_only_the_newest_or_requested_table_shows_its_code(nim: Played) -> None:
    host = nim.host_browser()
    for _ in range(3):
        assert host.post("/tables", Form(host.get("/new?game=nim").text, "/tables").fields).status_code == 303
    page = host.get("/").text
    assert ["<svg" in article for article in articles(page)] == [True, False, False, False]
    (_, _, oldest) = re.findall(r'href="(/\?code=[^"#]*)', page)
    assert ["<svg" in article for article in articles(host.get(oldest).text)] == [True, False, False, True]


def test_guest_can_take_the_name_of_any_free_seat(nim: Played) -> None:
    host, kinds = nim.host_browser(), ["human", "easy", "human", "easy"]
    form = Form(host.get("/new?game=ubongo").text, "/tables")
    form.fields |= {f"kind-{number}": kind for number, kind in enumerate(kinds)}
    assert host.post("/tables", form.fields).status_code == 303
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

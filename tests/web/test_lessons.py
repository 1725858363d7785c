"""A guided first game at a browser table: what is explained, and to whom."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.hosting import NAMES, Browser, Time, join, new_host
from tests.web.test_pages import checked
from tests.web.viewings import LANGUAGES, game, rules, viewing
from wongar_dsl.engine.match import Match
from wongar_dsl.table.lesson import LEARNER, Guide
from wongar_dsl.table.lesson_file import lesson_of
from wongar_dsl.table.teaching import Teacher
from wongar_dsl.web import pages
from wongar_dsl.web.app import application
from wongar_dsl.web.viewing import Viewing


def learning(name: str) -> Match:
    lesson = lesson_of(rules(name))
    assert lesson is not None
    return Match.begin(game(name, len(lesson.seats)), lesson.seats, lesson.seed, rules(name).hash)


def taught(at: Match, language: str, viewer: int | None = LEARNER) -> Viewing:
    lesson = lesson_of(rules(at.game.name))
    assert lesson is not None
    guide = Guide(lesson, at) if viewer == LEARNER else None
    return replace(viewing(at, language, viewer, at.game.name), guide=guide)


@pytest.mark.parametrize("name", ["wongar", "tongiaki"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_hint_stands_above_the_options_of_who_learns(name: str, language: str) -> None:
    at, said = learning(name), 0
    for step in range(24):
        v = taught(at, language)
        page = pages.table_part(v)
        checked(page)
        assert v.guide is not None
        hints = v.guide.hints() if v.menu is not None else ()
        assert ('id="lesson"' in page) == bool(hints)
        teacher = Teacher(v.guide.lesson, at, v.narrator)
        for hint in hints:
            text = teacher.text(hint)
            assert text in html.unescape(page)
            assert page.index('id="lesson"') < page.index('id="options"')
            said += bool(text)
        if not step % 5:
            assert 'id="lesson"' not in pages.table_part(viewing(at, language, 1, name))
        at.play(at.state.legal_moves()[0])
    assert said >= 3


def test_what_is_suggested_has_the_number_of_its_option() -> None:
    at = learning("wongar")
    while True:
        v = taught(at, "en")
        advice = re.search(r"A good choice here: (\d+) ", pages.table_part(v))
        if advice:
            break
        at.play(at.state.legal_moves()[0])
    assert v.menu is not None
    assert v.guide is not None
    wanted = {hint.topic.suggestion for hint in v.guide.hints()}
    assert next(e.notation for e in v.menu.entries if e.number == int(advice[1])) in wanted


def test_a_game_without_a_lesson_has_none() -> None:
    assert lesson_of(rules("nim")) is None
    assert lesson_of(rules("wongar/initiated")) is not None


def test_who_hosts_opens_a_guided_first_game_which_is_one_after_the_next_start_too(tmp_path: Path) -> None:
    host = new_host(tmp_path)
    way = host.guests.invite("host")
    with TestClient(application(host, NAMES, Time())) as client:
        browser = Browser(client)
        assert browser.post(f"/join/{way}", {"lang": "en"}).status_code == 303
        assert 'name="learn"' in browser.get("/new?game=wongar").text
        assert 'name="learn"' not in browser.get("/new?game=nim").text
        assert browser.post("/tables", {"game": "wongar", "learn": "1"}).status_code == 303
        (sitting,) = host.sittings.values()
        assert [seat.kind for seat in sitting.match.seats] == ["human", "easy", "easy"]
        learner = Browser(client)
        join(learner, host, sitting, 0, "Lea", "nl")
        assert "Voor je eerste partij" in learner.page()
        cookies = dict(client.cookies)
    again = new_host(tmp_path)
    assert again.go_on() == 1
    with TestClient(application(again, NAMES, Time()), cookies=cookies) as client:
        assert "Voor je eerste partij" in client.get(learner.key).text

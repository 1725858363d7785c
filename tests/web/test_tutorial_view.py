"""Tutorial games at a browser table: hints, and the seat that sees them."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from tests.web.hosting import Tables, join
from tests.web.test_pages import Checked
from tests.web.viewings import LANGUAGES, game, rules, viewing
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.session.tutorial import LEARNER, TutorialRunner, TutorialText, lesson_of
from wongar_dsl.web import pages
from wongar_dsl.web.views.view_models import TableView


def lesson_match(name: str) -> Match:
    lesson = lesson_of(rules(name))
    assert lesson is not None
    return Match.begin(game(name, len(lesson.seats)), lesson.seats, lesson.seed, rules(name).hash)


def lesson_view(at: Match, language: str, viewer: int | None = LEARNER) -> TableView:
    lesson = lesson_of(rules(at.game.name))
    assert lesson is not None
    guide = TutorialRunner(lesson, at) if viewer == LEARNER else None
    return replace(viewing(at, language, viewer, at.game.name), guide=guide)


@pytest.mark.parametrize("name", ["wongar", "tongiaki"])
def test_hints_are_shown_above_the_learners_options(name: str) -> None:
    sample, shown = lesson_match(name), dict.fromkeys(LANGUAGES, 0)
    for step in range(8):
        language = LANGUAGES[step % 4]
        v, place = lesson_view(sample, language), (language, step)
        page = pages.table_part(v)
        faults = Checked(page).faults
        assert not faults, (place, faults)
        assert v.guide is not None
        hints = v.guide.hints() if v.menu is not None else ()
        assert ('id="lesson"' in page) == bool(hints), place
        teacher = TutorialText(v.guide.lesson, sample, v.narrator)
        for hint in hints:
            text = teacher.text(hint)
            assert text in html.unescape(page), place
            assert page.index('id="lesson"') < page.index('id="options"'), place
            shown[language] += bool(text)
        if not step % 5:
            assert 'id="lesson"' not in pages.table_part(viewing(sample, language, 1, name)), place
        sample.play(sample.state.legal_moves()[0])
    assert sum(map(bool, shown.values())) > 2, shown


def test_hint_with_nothing_to_show_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    v = lesson_view(lesson_match("wongar"), "en")
    assert 'id="lesson"' in pages.table_part(v)
    for name, nothing in (("text", ""), ("rules", ()), ("sources", []), ("suggestion", None)):
        monkeypatch.setattr(TutorialText, name, lambda *_, nothing=nothing: nothing)
    assert 'id="lesson"' not in pages.table_part(v)


def test_suggestion_shows_the_number_of_its_option() -> None:
    sample = lesson_match("wongar")
    while True:
        v = lesson_view(sample, "en")
        advice = re.search(r"A good choice here: (\d+) ", pages.table_part(v))
        if advice:
            break
        sample.play(sample.state.legal_moves()[0])
    assert v.menu is not None
    assert v.guide is not None
    suggestions = {hint.topic.suggestion for hint in v.guide.hints()}
    assert next(e.notation for e in v.menu.entries if e.number == int(advice[1])) in suggestions


def test_games_without_a_lesson_return_none() -> None:
    assert lesson_of(rules("nim")) is None
    assert lesson_of(rules("wongar/initiated")) is not None


LESSON = "Voor je eerste partij"


@pytest.mark.parametrize("begun", ["browser", "terminal"])
def test_tutorial_game_keeps_its_hints_until_the_rematch(begun: str, tables: Tables) -> None:
    played = tables.open()
    host, browser = played.host, played.host_browser()
    if begun == "browser":
        assert 'name="learn"' in browser.get("/new?game=wongar").text
        assert 'name="learn"' not in browser.get("/new?game=nim").text
        assert browser.post("/tables", {"game": "wongar", "learn": "1"}).status_code == 303
        (*_, session) = host.table_sessions.values()
        assert [seat.kind for seat in session.match.seats] == ["human", "easy", "easy"]
        assert browser.post(f"/t/{session.key}/close", {}).status_code == 303
    else:
        lesson = lesson_of(rules("wongar"))
        assert lesson is not None
        table = host.new_session("terminal", "wongar", lesson.seats, (), lesson.seed)
        table.guided = True
        table.save()
        table.close()
    (save,) = set(tables.saves.glob("*.json")) - {played.table_session.session.path}
    # The terminal resumes it with hints, too.
    assert read_save(save).guided
    assert browser.post("/saves", {"file": save.name}).status_code == 303
    (*_, session) = host.table_sessions.values()
    learner = played.seated[0]
    join(learner, host, session, 0, "Lea", "nl")
    assert LESSON in learner.page()
    host.rematch(session)
    assert LESSON not in learner.page()
    assert not read_save(session.session.path).guided


def test_hints_survive_a_restart(tables: Tables) -> None:
    lesson = lesson_of(rules("wongar"))
    assert lesson is not None
    played = tables.open("wongar", [seat.kind for seat in lesson.seats], ["nl"], lesson.seed)
    played.table_session.open_table.learn = True
    played.host.store.write()
    assert LESSON in played.seated[0].page()
    assert LESSON in tables.restart().seated[0].page()

"""Parts of the page of a turn: the form for several answers, and the hints of a tutorial."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from itertools import combinations, islice

import pytest

from tests.web.hosting import Played, Tables, join
from tests.web.test_pages import Checked, valid_page
from tests.web.viewings import LANGUAGES, NAMES, game, match, random_positions, rules, viewing
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.session.decisions import move_sequence, repeat_count
from wongar_dsl.session.tutorial import LEARNER, TutorialRunner, TutorialText, lesson_of
from wongar_dsl.web import pages
from wongar_dsl.web.routes import read_counts
from wongar_dsl.web.security import FormError
from wongar_dsl.web.views import turn_view
from wongar_dsl.web.views.turn_view import TableView


@pytest.fixture
def series(tables: Tables) -> Played:
    """Return a table at a decision that repeats often enough for a form of counts."""
    played = tables.open("tongiaki", languages=["de"], seed=1)
    while True:
        state = next(iter(played.table_session.pending.values())).state
        if len(state.options()) > 1 and repeat_count(state) >= turn_view.MIN_REPEATS:
            return played
        played.play(1)


def fields(page: str) -> list[str]:
    return re.findall(rf'name="({turn_view.FIELD}[^"]*)"', page)


def maxima(page: str) -> dict[str, int]:
    """Return the maximum of each count field."""
    matches = re.findall(rf'name="({turn_view.FIELD}[^"]*)"[^>]* max="(\d+)"', page)
    return {name: int(most) for name, most in matches}


@pytest.mark.parametrize("steps", [12, 24])
def test_field_maximum_is_the_largest_count_the_rules_allow(steps: int) -> None:
    v = viewing(match("tongiaki", 2, steps, seed=1), rules_name="tongiaki")
    state, limits = v.session.match.state, maxima(pages.table_part(v))
    times = repeat_count(state)
    assert times >= turn_view.MIN_REPEATS
    assert limits
    for field, most in limits.items():
        move = state.read(field.removeprefix(turn_view.FIELD))
        assert 1 <= most <= times
        others = [candidate for candidate in state.legal_moves() if candidate != move]
        together = [
            move_sequence(state, {move: most, **dict.fromkeys(some, 1)}) for some in combinations(others, times - most)
        ]
        assert any(together)
        assert move_sequence(state, {move: most + 1}) is None


def test_count_fields_are_shown_only_for_repeated_decisions() -> None:
    seen = {True: 0, False: 0}
    for number, sample in enumerate(islice(random_positions("tongiaki", 2, 1, NAMES), 0, 44, 3)):
        v = viewing(sample, LANGUAGES[number % 4], rules_name="tongiaki")
        page = pages.table_part(v)
        several = (
            v.menu is not None
            and len(v.menu.entries) > 1
            and repeat_count(v.session.match.state) >= turn_view.MIN_REPEATS
        )
        seen[several] += 1
        expected = [f"{turn_view.FIELD}{entry.notation}" for entry in v.menu.entries] if several and v.menu else []
        assert fields(page) == expected
        valid_page(page)
    assert min(seen.values()) > 2


def test_counts_are_submitted_at_once_and_announced_one_by_one(series: Played) -> None:
    browser, table_session, page = series.decider, series.table_session, series.decider.page()
    both = dict.fromkeys(fields(page)[:2], "1")
    steps, version = series.steps, table_session.version
    sent = {**browser.form(page), **dict.fromkeys(fields(page), "0"), **both, "several": "1"}
    # The second submission has no effect.
    assert [browser.send("move", sent) for _ in range(2)] == [303, 303]
    chosen = [step.text for step in table_session.match.steps[steps:]]
    assert chosen[:2] == [field.removeprefix(turn_view.FIELD) for field in both]
    assert table_session.version - version == len(chosen)


def test_impossible_counts_are_explained_and_not_applied(series: Played) -> None:
    browser, page, steps = series.decider, series.decider.page(), series.steps
    first, every = fields(page)[0], dict.fromkeys(fields(page), "1")
    most, times = maxima(page)[first], repeat_count(next(iter(series.table_session.pending.values())).state)
    assert most < times < len(every)
    too_many = f"höchstens {'einmal' if most == 1 else most}"
    for values, status, message in (
        ({first: "0"}, 422, "in keiner Reihenfolge"),
        ({first: str(most + 1)}, 422, too_many),
        ({first: "99999"}, 422, too_many),
        (every, 422, "wähle zusammen nicht mehr"),
        ({"count nonsense(1)": "2"}, 422, ""),
        ({first: "x"}, 400, ""),
        ({first: "1", "version": "5"}, 409, ""),
    ):
        answer = browser.post(f"{browser.key}/move", {**browser.form(page), **values, "several": "1"})
        assert answer.status_code == status, values
        assert message.casefold() in answer.text.casefold()
    opponent = next(candidate for candidate in series.seated if candidate is not browser)
    assert opponent.send("move", {**browser.form(page), first: "1", "several": "1"}) == 409
    assert series.steps == steps


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "²", "1234567"])
def test_non_numeric_counts_are_form_errors(text: str) -> None:
    with pytest.raises(FormError):
        read_counts({"count a": text})


def test_empty_and_zero_counts_are_left_out() -> None:
    assert read_counts({"count a": "", "count b": " 2", "count c": "0", "other": "x"}) == {"b": 2}


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

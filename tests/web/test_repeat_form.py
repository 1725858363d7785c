"""Repeated decisions answered with one form that has a count per option."""

from __future__ import annotations

import re
from itertools import combinations, islice

import pytest

from tests.web.hosting import Played, Tables
from tests.web.test_pages import valid_page
from tests.web.viewings import LANGUAGES, NAMES, match, random_positions, viewing
from wongar_dsl.session.decisions import max_repeats, move_sequence, repeat_count
from wongar_dsl.web import pages
from wongar_dsl.web.security import FormError
from wongar_dsl.web.views import turn_view
from wongar_dsl.web.views.turn_view import read_counts


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


def test_maxima_are_omitted_if_there_are_too_many_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    state = match("tongiaki", 2, 12, seed=1).state
    assert set(max_repeats(state, 4).values()) == {1}
    monkeypatch.setattr("wongar_dsl.session.decisions.MAX_EXAMINED_MOVES", 20)
    assert max_repeats(state, 4) == {}


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

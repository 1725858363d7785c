"""Repeated decisions answered with one form that has a count per option."""

from __future__ import annotations

import re
from itertools import combinations, islice
from pathlib import Path

import pytest

from tests.web.hosting import Played, hosted
from tests.web.test_pages import valid_page
from tests.web.viewings import LANGUAGES, NAMES, match, random_positions, viewing
from wongar_dsl.session.options.repeat_answers import max_repeats, move_sequence, repeat_count
from wongar_dsl.web.rendering import pages
from wongar_dsl.web.security.forms import FormError
from wongar_dsl.web.views import repeat_form
from wongar_dsl.web.views.repeat_form import read_counts


def play_to_a_series(played: Played) -> int:
    """Play until a decision repeats often enough for a form of counts, and return the number of repetitions."""
    while True:
        state = next(iter(played.table_session.pending.values())).state
        if len(state.options()) > 1 and (times := repeat_count(state)) >= repeat_form.MIN_REPEATS:
            return times
        played.play(1)


def fields(page: str) -> list[str]:
    return re.findall(rf'name="({repeat_form.FIELD}[^"]*)"', page)


def maxima(page: str) -> dict[str, int]:
    """Return the maximum of each count field."""
    matches = re.findall(rf'name="({repeat_form.FIELD}[^"]*)"[^>]* max="(\d+)"', page)
    return {name: int(most) for name, most in matches}


@pytest.mark.parametrize("steps", [12, 24, 30])
def test_field_maximum_is_the_largest_count_the_rules_allow(steps: int) -> None:
    v = viewing(match("tongiaki", 2, steps, seed=1), rules_name="tongiaki")
    state, limits = v.session.match.state, maxima(pages.table_part(v))
    times = repeat_count(state)
    assert times >= repeat_form.MIN_REPEATS
    assert limits
    for field, most in limits.items():
        move = state.read(field.removeprefix(repeat_form.FIELD))
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
    monkeypatch.setattr("wongar_dsl.session.options.repeat_answers.MAX_EXAMINED_MOVES", 20)
    assert max_repeats(state, 4) == {}


def test_count_fields_are_shown_only_for_repeated_decisions() -> None:
    seen = {True: 0, False: 0}
    for number, sample in enumerate(islice(random_positions("tongiaki", 2, 1, NAMES), 0, 60, 2)):
        v = viewing(sample, LANGUAGES[number % 4], rules_name="tongiaki")
        page = pages.table_part(v)
        several = (
            v.menu is not None
            and len(v.menu.entries) > 1
            and repeat_count(v.session.match.state) >= repeat_form.MIN_REPEATS
        )
        seen[several] += 1
        expected = [f"{repeat_form.FIELD}{entry.notation}" for entry in v.menu.entries] if several and v.menu else []
        assert fields(page) == expected
        valid_page(page)
    assert min(seen.values()) > 2


def test_counts_are_submitted_at_once_and_announced_one_by_one(tmp_path: Path) -> None:
    with hosted(tmp_path, "tongiaki", ["human", "human"], seed=1) as played:
        play_to_a_series(played)
        browser, table_session = played.decider, played.table_session
        page = browser.page()
        both = dict.fromkeys(fields(page)[:2], "1")
        steps, version = len(table_session.match.steps), table_session.version
        sent = {**browser.form(page), **dict.fromkeys(fields(page), "0"), **both, "several": "1"}
        for _ in range(2):  # The second submission has no effect.
            assert browser.post(f"{browser.key}/move", sent).status_code == 303
        chosen = [step.text for step in table_session.match.steps[steps:]]
        assert chosen[:2] == [field.removeprefix(repeat_form.FIELD) for field in both]
        assert table_session.version - version == len(chosen)


def test_impossible_counts_are_explained_and_not_applied(tmp_path: Path) -> None:
    with hosted(tmp_path, "tongiaki", ["human", "human"], ["de"], seed=1) as played:
        times = play_to_a_series(played)
        browser, table_session = played.decider, played.table_session
        page = browser.page()
        first, steps = fields(page)[0], len(table_session.match.steps)
        most = maxima(page)[first]
        every = dict.fromkeys(fields(page), "1")
        assert most < times < len(every)
        for values, message in (
            ({first: "0"}, "in keiner Reihenfolge"),
            ({first: str(most + 1)}, f"höchstens {'einmal' if most == 1 else most}"),
            ({first: "99999"}, f"höchstens {'einmal' if most == 1 else most}"),
            (every, "wähle zusammen nicht mehr"),
        ):
            answer = browser.post(f"{browser.key}/move", {**browser.form(page), **values, "several": "1"})
            assert answer.status_code == 422
            assert message.casefold() in answer.text.casefold()
        answer = browser.post(f"{browser.key}/move", {**browser.form(page), "count nonsense(1)": "2", "several": "1"})
        assert answer.status_code == 422
        no_number = {**browser.form(page), first: "x", "several": "1"}
        assert browser.post(f"{browser.key}/move", no_number).status_code == 400
        stale = {**browser.form(page), "version": "5", first: "1", "several": "1"}
        assert browser.post(f"{browser.key}/move", stale).status_code == 409
        opponent = next(candidate for candidate in played.seated if candidate is not browser)
        assert (
            opponent.post(f"{opponent.key}/move", {**browser.form(page), first: "1", "several": "1"}).status_code == 409
        )
        assert (
            browser.post(f"{browser.key}/move", {**browser.form(page), first: "x", "several": "1"}).status_code == 400
        )
        assert len(table_session.match.steps) == steps


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "²", "1234567"])
def test_non_numeric_counts_are_form_errors(text: str) -> None:
    with pytest.raises(FormError):
        read_counts({"count a": text})


def test_empty_and_zero_counts_are_left_out() -> None:
    assert read_counts({"count a": "", "count b": " 2", "count c": "0", "other": "x"}) == {"b": 2}

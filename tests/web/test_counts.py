"""What is asked several times in a row is answered at once, with a number for each option."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.web.hosting import Played, hosted
from tests.web.test_pages import checked
from tests.web.viewings import LANGUAGES, match, viewing
from wongar_dsl.table.series import in_a_row, most_of_each, series
from wongar_dsl.web import counts, pages
from wongar_dsl.web.counts import read_counts
from wongar_dsl.web.forms import FormError


def to_a_series(played: Played) -> int:
    """Play until the same is asked several times; how often."""
    while True:
        state = next(iter(played.sitting.asked.values())).state
        if len(state.options()) > 1 and (times := in_a_row(state)) >= counts.WORTH:
            return times
        played.play(1)


def fields(page: str) -> list[str]:
    return re.findall(rf'name="({counts.FIELD}[^"]*)"', page)


def mosts(page: str) -> dict[str, int]:
    """How often each option can be chosen, as its field says."""
    found = re.findall(rf'name="({counts.FIELD}[^"]*)"[^>]* max="(\d+)"', page)
    return {name: int(most) for name, most in found}


@pytest.mark.parametrize("steps", [12, 24, 30])
def test_a_field_takes_as_many_as_the_rules_allow_and_no_more(steps: int) -> None:
    v = viewing(match("tongiaki", 2, steps, seed=1), rules_name="tongiaki")
    state, found = v.table.match.state, mosts(pages.table_part(v))
    times = in_a_row(state)
    assert times >= counts.WORTH
    assert found
    for field, most in found.items():
        move = state.read(field.removeprefix(counts.FIELD))
        assert 1 <= most <= times
        others = [one for one in state.legal_moves() if one != move]
        together = [
            series(state, {move: most, **dict.fromkeys(some, 1)}) for some in combinations(others, times - most)
        ]
        assert any(together)
        assert series(state, {move: most + 1}) is None


def test_of_too_many_ways_not_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    state = match("tongiaki", 2, 12, seed=1).state
    assert set(most_of_each(state, 4).values()) == {1}
    monkeypatch.setattr("wongar_dsl.table.series.LOOKED_AT", 20)
    assert most_of_each(state, 4) == {}


def test_there_is_a_field_for_each_option_only_where_the_same_is_asked_several_times() -> None:
    seen = {True: 0, False: 0}
    for number, steps in enumerate(range(0, 60, 2)):
        v = viewing(match("tongiaki", 2, steps, seed=1), LANGUAGES[number % 4], rules_name="tongiaki")
        page = pages.table_part(v)
        several = v.menu is not None and len(v.menu.entries) > 1 and in_a_row(v.table.match.state) >= counts.WORTH
        seen[several] += 1
        wanted = [f"{counts.FIELD}{entry.notation}" for entry in v.menu.entries] if several and v.menu else []
        assert fields(page) == wanted
        checked(page)
    assert min(seen.values()) > 2


def test_all_of_it_is_answered_at_once_and_everybody_hears_of_each_decision(tmp_path: Path) -> None:
    with hosted(tmp_path, "tongiaki", ["human", "human"], seed=1) as played:
        to_a_series(played)
        browser, sitting = played.asked, played.sitting
        page = browser.page()
        both = dict.fromkeys(fields(page)[:2], "1")
        steps, version = len(sitting.match.steps), sitting.version
        sent = {**browser.form(page), **dict.fromkeys(fields(page), "0"), **both, "several": "1"}
        for _ in range(2):  # What is sent twice is done once.
            assert browser.post(f"{browser.key}/move", sent).status_code == 303
        chosen = [step.text for step in sitting.match.steps[steps:]]
        assert chosen[:2] == [one.removeprefix(counts.FIELD) for one in both]
        assert sitting.version - version == len(chosen)


def test_what_does_not_go_together_is_said_and_nothing_is_done(tmp_path: Path) -> None:
    with hosted(tmp_path, "tongiaki", ["human", "human"], ["de"], seed=1) as played:
        times = to_a_series(played)
        browser, sitting = played.asked, played.sitting
        page = browser.page()
        first, steps = fields(page)[0], len(sitting.match.steps)
        most = mosts(page)[first]
        every = dict.fromkeys(fields(page), "1")
        assert most < times < len(every)
        for wanted, said in (
            ({first: "0"}, "in keiner Reihenfolge"),
            ({first: str(most + 1)}, f"höchstens {'einmal' if most == 1 else most}"),
            ({first: "99999"}, f"höchstens {'einmal' if most == 1 else most}"),
            (every, "wähle zusammen nicht mehr"),
        ):
            answer = browser.post(f"{browser.key}/move", {**browser.form(page), **wanted, "several": "1"})
            assert answer.status_code == 422
            assert said.casefold() in answer.text.casefold()
        answer = browser.post(f"{browser.key}/move", {**browser.form(page), "count nonsense(1)": "2", "several": "1"})
        assert answer.status_code == 422
        no_number = {**browser.form(page), first: "x", "several": "1"}
        assert browser.post(f"{browser.key}/move", no_number).status_code == 400
        stale = {**browser.form(page), "version": "5", first: "1", "several": "1"}
        assert browser.post(f"{browser.key}/move", stale).status_code == 409
        other = next(one for one in played.seated if one is not browser)
        assert other.post(f"{other.key}/move", {**browser.form(page), first: "1", "several": "1"}).status_code == 409
        assert (
            browser.post(f"{browser.key}/move", {**browser.form(page), first: "x", "several": "1"}).status_code == 400
        )
        assert len(sitting.match.steps) == steps


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "²", "1234567"])
def test_what_is_no_number_is_no_form(text: str) -> None:
    with pytest.raises(FormError):
        read_counts({"count a": text})


def test_an_empty_field_is_none() -> None:
    assert read_counts({"count a": "", "count b": " 2", "count c": "0", "other": "x"}) == {"b": 2}

"""Report data, compared with a game small enough to know all figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import pytest

from tests.lab.reports.played import simulated
from tests.small_games import write_rules
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.report_data import MIN_GROUP_SIZE, Report
from wongar_dsl.lab.reports.report_export import as_csv, as_json

COIN = """
enum result = heads, tails
score points
option prize = 3 in 0 to 9
option loud = no
play
    player(1) chooses coin
        toss(s: result)
            if s is heads
                player(1) gains prize points
            otherwise
                player(2) gains 1 points
        rest
    if loud
        shout()
    end game

rule shout()
    player(2) gains 5 points

winner p
    most points of p
"""


T = TypeVar("T")


def not_none(found: T | None) -> T:
    assert found is not None
    return found


def report(folder: Path, games: int, *settings: dict[str, int]) -> Report:
    file = str(write_rules(folder, COIN))
    return simulated([(file, changes) for changes in settings or ({},)], 2, games)[0]


def test_report_has_the_effect_of_each_choice(tmp_path: Path) -> None:
    [arm] = report(tmp_path, 600).arms
    toss, heads, tails, rest = arm.choices
    assert [(choice.option, choice.thing) for choice in arm.choices] == [
        ("toss", ""), ("toss", "heads"), ("toss", "tails"), ("rest", "")
    ]  # fmt: skip
    assert heads.offered == tails.offered == rest.offered == 600
    assert heads.taken + tails.taken == toss.taken == 600 - rest.taken
    # Heads wins, tails loses, and resting shares the win.
    assert [not_none(choice.took.wins).value for choice in (heads, tails, rest)] == [1.0, 0.0, 0.5]
    assert not_none(heads.wins).value == pytest.approx(0.75, abs=0.06)
    assert (not_none(heads.wins).significant, not_none(rest.wins).significant) == (True, False)
    assert not_none(heads.points).value == 3.0
    assert (arm.shared, arm.first, arm.seats[0].won) == (rest.taken, 0, heads.taken + rest.taken)
    assert not_none(arm.starter).wins == arm.seats[0].wins


def test_too_few_games_give_no_estimate(tmp_path: Path) -> None:
    [arm] = report(tmp_path, MIN_GROUP_SIZE - 1).arms
    assert all(choice.wins is None and choice.points is None for choice in arm.choices)
    assert arm.choices[0].took.wins is not None


def test_report_has_the_course_of_games(tmp_path: Path) -> None:
    [arm] = report(tmp_path, 300).arms
    heads, tails, rest = (choice.taken for choice in arm.choices[1:])
    gap, decided, length = not_none(arm.lead_history.gap), not_none(arm.lead_history.decided), not_none(arm.length)
    assert {(entry.low, entry.count) for entry in gap.bins if entry.count} == {(0, rest), (1, tails), (3, heads)}
    assert gap.mean.value == pytest.approx((3 * heads + tails) / 300)
    assert (decided.least, arm.lead_history.decided_games) == (1000, heads + tails)
    assert [(entry.part, entry.right.value) for entry in arm.lead_history.lead[::20]] == [(0, 0.0), (1000, 1.0)]
    assert (length.least, length.quartiles, length.deviation) == (1, (1, 1, 1), 0.0)


def test_unreached_declaration_is_reported(tmp_path: Path) -> None:
    quiet, loud = report(tmp_path, 25, {"loud": 0}, {"loud": 1}).arms
    games_and_missed = [
        {declaration.name: (declaration.games, len(declaration.missed)) for declaration in arm.articles}
        for arm in (quiet, loud)
    ]
    assert (games_and_missed[0]["shout"], games_and_missed[1]["shout"]) == ((0, 1), (25, 0))
    assert games_and_missed[0]["play"] == (25, 1)


def test_arms_are_compared_with_the_true_difference(tmp_path: Path) -> None:
    report_data = report(tmp_path, 200, {"prize": 3}, {"prize": 5})
    [comparison] = report_data.comparisons
    effects = {figure.key: figure for figure in comparison.figures}
    heads = report_data.arms[0].choices[1].taken
    points = effects[MetricKey("points", 0)]
    assert points.effect.value == pytest.approx(2 * heads / 200)
    assert (points.effect.significant, points.main) == (True, False)
    assert points.after - points.before == pytest.approx(points.effect.value)
    # A larger prize wins no additional game: tossing heads won before, too.
    assert [effects[MetricKey("wins", seat)].effect.p for seat in (0, 1)] == [1.0, 1.0]
    assert effects[MetricKey("wins", 0)].main
    assert MetricKey("length") not in effects
    assert comparison.only_before == comparison.only_after == ()


def test_equal_rules_have_no_differences_and_finite_data(tmp_path: Path) -> None:
    report_data = report(tmp_path, 1, {}, {})
    text = str(as_json(report_data)) + as_csv(report_data)
    assert not re.search(r"\b(inf|nan)\b", text)
    assert report_data.comparisons[0].figures == ()
    assert all(not figure.effect.value for figure in report(tmp_path, 30, {}, {}).comparisons[0].figures)

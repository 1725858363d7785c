"""What a report says of sums: held against a game that is so small that everything about it is known."""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic
from typing import TypeVar

import pytest

from tests.small_games import written
from wongar_dsl import library
from wongar_dsl.lab.columns import Key
from wongar_dsl.lab.data import as_csv, as_json
from wongar_dsl.lab.processes import Here
from wongar_dsl.lab.report import Report
from wongar_dsl.lab.reports import SMALLEST, made
from wongar_dsl.lab.running import Run
from wongar_dsl.lab.simulation import Arm, Laboratory, Plan

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


def there(found: T | None) -> T:
    assert found is not None
    return found


def report(folder: Path, games: int, *settings: dict[str, int]) -> Report:
    file = str(written(folder, COIN))
    rules = library.load(file)
    usual = dict(rules.game(2).settings)
    arms = tuple(Arm(file, tuple((usual | own).items())) for own in settings or ({},))
    laboratory = Laboratory(Plan(arms, ("random", "random"), False, "python", 8), (rules,) * len(arms))
    run = Run.new(laboratory, games)
    list(run.go_on(Here(), lambda: None, monotonic))
    return made(run)


def test_a_report_tells_what_a_choice_brings(tmp_path: Path) -> None:
    [arm] = report(tmp_path, 600).arms
    toss, heads, tails, rest = arm.choices
    assert [(one.option, one.thing) for one in arm.choices] == [
        ("toss", ""), ("toss", "heads"), ("toss", "tails"), ("rest", "")
    ]  # fmt: skip
    assert heads.offered == tails.offered == rest.offered == 600
    assert heads.taken + tails.taken == toss.taken == 600 - rest.taken
    # Heads wins, tails loses, and who rests shares.
    assert [there(one.took.wins).value for one in (heads, tails, rest)] == [1.0, 0.0, 0.5]
    assert there(heads.wins).value == pytest.approx(0.75, abs=0.06)
    assert (there(heads.wins).significant, there(rest.wins).significant) == (True, False)
    assert there(heads.points).value == 3.0
    assert (arm.shared, arm.first, arm.seats[0].won) == (rest.taken, 0, heads.taken + rest.taken)
    assert there(arm.starter).wins == arm.seats[0].wins


def test_of_few_players_nothing_is_said(tmp_path: Path) -> None:
    [arm] = report(tmp_path, SMALLEST - 1).arms
    assert all(choice.wins is None and choice.points is None for choice in arm.choices)
    assert arm.choices[0].took.wins is not None


def test_a_report_tells_how_games_went(tmp_path: Path) -> None:
    [arm] = report(tmp_path, 300).arms
    heads, tails, rest = (choice.taken for choice in arm.choices[1:])
    gap, decided, length = there(arm.course.gap), there(arm.course.decided), there(arm.length)
    assert {(one.low, one.count) for one in gap.bins if one.count} == {(0, rest), (1, tails), (3, heads)}
    assert gap.mean.value == pytest.approx((3 * heads + tails) / 300)
    assert (decided.least, arm.course.decided_games) == (1000, heads + tails)
    assert [(one.part, one.right.value) for one in arm.course.lead[::20]] == [(0, 0.0), (1000, 1.0)]
    assert (length.least, length.quartiles, length.deviation) == (1, (1, 1, 1), 0.0)


def test_an_article_that_nobody_came_to_is_told(tmp_path: Path) -> None:
    quiet, loud = report(tmp_path, 25, {"loud": 0}, {"loud": 1}).arms
    found = [{one.name: (one.games, len(one.missed)) for one in arm.articles} for arm in (quiet, loud)]
    assert (found[0]["shout"], found[1]["shout"]) == ((0, 1), (25, 0))
    assert found[0]["play"] == (25, 1)


def test_arms_are_compared_with_what_differs_in_truth(tmp_path: Path) -> None:
    found = report(tmp_path, 200, {"prize": 3}, {"prize": 5})
    [comparison] = found.comparisons
    effects = {one.key: one for one in comparison.figures}
    heads = found.arms[0].choices[1].taken
    points = effects[Key("points", 0)]
    assert points.effect.value == pytest.approx(2 * heads / 200)
    assert (points.effect.significant, points.main) == (True, False)
    assert points.after - points.before == pytest.approx(points.effect.value)
    # A larger prize wins no game more: whoever tossed heads won before.
    assert [effects[Key("wins", seat)].effect.p for seat in (0, 1)] == [1.0, 1.0]
    assert effects[Key("wins", 0)].main
    assert Key("length") not in effects
    assert comparison.only_before == comparison.only_after == ()


def test_no_figure_of_equal_rules_differs_and_data_have_no_infinities(tmp_path: Path) -> None:
    found = report(tmp_path, 1, {}, {})
    text = str(as_json(found)) + as_csv(found)
    assert not re.search(r"\b(inf|nan)\b", text)
    assert found.comparisons[0].figures == ()
    assert all(not one.effect.value for one in report(tmp_path, 30, {}, {}).comparisons[0].figures)

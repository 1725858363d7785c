"""Confidence intervals and tests, compared with published tables and hand calculation."""

from __future__ import annotations

from math import inf

import pytest

from wongar_dsl.lab.inference import (
    DifferenceEstimate,
    holm_corrected,
    mean,
    mean_difference,
    paired_difference,
    quantile,
    share,
    standard_deviation,
    t_tail,
)


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (30, 2.04227), (120, 1.97993), (1e9, 1.95996)],
)
def test_student_quantiles_match_the_tables(freedom: float, expected: float) -> None:
    assert quantile(0.975, freedom) == pytest.approx(expected, abs=5e-6 * expected)
    assert t_tail(quantile(0.975, freedom), freedom) == pytest.approx(0.05, abs=1e-9)


def test_student_tails_match_the_closed_form() -> None:
    for t in (0.1, 1.0, 3.0, 40.0):
        # Closed form for two degrees of freedom.
        assert t_tail(t, 2) == pytest.approx(1 - t / (2 + t * t) ** 0.5, rel=1e-12)
    assert t_tail(inf, 7) == 0.0


def test_interval_of_a_share_is_the_wilson_interval() -> None:
    estimate = share(3 * 6, 6, 10)
    assert (estimate.value, round(estimate.low, 4), round(estimate.high, 4)) == (0.3, 0.1078, 0.6032)
    assert (share(0, 6, 10).low, share(60, 6, 10).high) == (0.0, 1.0)
    assert share(0, 6, 0).half == 0.5


def test_mean_has_a_student_interval() -> None:
    numbers = [3, 5, 8, 1, 5]
    estimate = mean(sum(numbers), sum(n * n for n in numbers), 5)
    assert standard_deviation(sum(numbers), sum(n * n for n in numbers), 5) == pytest.approx(2.6076810)
    assert estimate.half == pytest.approx(2.7764451 * 2.6076810 / 5**0.5)
    assert mean(7, 49, 1).high == inf


def test_deviation_of_large_numbers_is_exact() -> None:
    assert standard_deviation(3 * 10**15 + 3, 3 * 10**30 + 6 * 10**15 + 5, 3) == 1.0


def test_paired_difference_uses_the_student_test() -> None:
    differences = [2, -1, 3, 0, 4, 1]
    effect = paired_difference(sum(differences), sum(d * d for d in differences), 6)
    # By the textbook, t is 1.5 / (1.8708 / sqrt(6)) = 1.964 with 5 degrees of freedom.
    assert (effect.value, round(effect.p, 4)) == (1.5, 0.1067)
    assert not effect.significant
    assert paired_difference(0, 0, 50).p == 1.0


def test_few_equal_differences_are_not_significant() -> None:
    assert paired_difference(4, 8, 2).p == 0.5
    assert paired_difference(40, 80, 20).p == pytest.approx(2**-19)


def test_independent_groups_use_the_welch_test() -> None:
    first_group, second_group = [27, 20, 21, 26, 24], [15, 26, 17, 25, 19, 20, 14]
    summaries = [(len(group), sum(group), sum(n * n for n in group)) for group in (first_group, second_group)]
    effect = mean_difference(summaries[0], summaries[1])
    # By hand: means 23.6 and 19.42857, variances 9.3 and 21.61905; t = 4.17143 / sqrt(9.3 / 5 + 21.61905 / 7).
    assert effect.value == pytest.approx(-4.1714286)
    assert effect.p == pytest.approx(t_tail(1.87522, 9.9757), abs=1e-5)


def test_multiple_comparisons_use_the_holm_correction() -> None:
    effects = holm_corrected([DifferenceEstimate(1, 0, 2, p, p) for p in (0.01, 0.04, 0.03, 0.005)])
    assert [effect.adjusted for effect in effects] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [effect.significant for effect in effects] == [True, False, False, True]
    assert holm_corrected([]) == ()

"""Intervals and tests, held against numbers from tables and from counting by hand."""

from __future__ import annotations

from math import inf

import pytest

from wongar_dsl.lab.inference import Effect, apart, deviation, holm, mean, paired, quantile, share, tail


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (30, 2.04227), (120, 1.97993), (1e9, 1.95996)],
)
def test_quantiles_of_students_distribution_are_those_of_the_tables(freedom: float, expected: float) -> None:
    assert quantile(0.975, freedom) == pytest.approx(expected, abs=5e-6 * expected)
    assert tail(quantile(0.975, freedom), freedom) == pytest.approx(0.05, abs=1e-9)


def test_tails_of_students_distribution_are_those_of_its_closed_forms() -> None:
    for t in (0.1, 1.0, 3.0, 40.0):
        # With two degrees of freedom it can be written down.
        assert tail(t, 2) == pytest.approx(1 - t / (2 + t * t) ** 0.5, rel=1e-12)
    assert tail(inf, 7) == 0.0


def test_an_interval_of_a_share_is_wilsons() -> None:
    found = share(3 * 6, 6, 10)
    assert (found.value, round(found.low, 4), round(found.high, 4)) == (0.3, 0.1078, 0.6032)
    assert (share(0, 6, 10).low, share(60, 6, 10).high) == (0.0, 1.0)
    assert share(0, 6, 0).half == 0.5


def test_a_mean_is_told_with_students_interval() -> None:
    numbers = [3, 5, 8, 1, 5]
    found = mean(sum(numbers), sum(n * n for n in numbers), 5)
    assert deviation(sum(numbers), sum(n * n for n in numbers), 5) == pytest.approx(2.6076810)
    assert found.half == pytest.approx(2.7764451 * 2.6076810 / 5**0.5)
    assert mean(7, 49, 1).high == inf


def test_a_deviation_loses_no_digits_to_large_numbers() -> None:
    assert deviation(3 * 10**15 + 3, 3 * 10**30 + 6 * 10**15 + 5, 3) == 1.0


def test_a_paired_difference_is_students_test() -> None:
    differences = [2, -1, 3, 0, 4, 1]
    found = paired(sum(differences), sum(d * d for d in differences), 6)
    # The textbook's t is 1.5 / (1.8708 / sqrt(6)) = 1.964 with 5 degrees of freedom.
    assert (found.value, round(found.p, 4)) == (1.5, 0.1067)
    assert not found.significant
    assert paired(0, 0, 50).p == 1.0


def test_a_few_differences_that_are_all_alike_prove_little() -> None:
    assert paired(4, 8, 2).p == 0.5
    assert paired(40, 80, 20).p == pytest.approx(2**-19)


def test_groups_apart_are_compared_by_welchs_test() -> None:
    one, other = [27, 20, 21, 26, 24], [15, 26, 17, 25, 19, 20, 14]
    told = [(len(group), sum(group), sum(n * n for n in group)) for group in (one, other)]
    found = apart(told[0], told[1])
    # By hand: means 23.6 and 19.42857, variances 9.3 and 21.61905; t = 4.17143 / sqrt(9.3 / 5 + 21.61905 / 7).
    assert found.value == pytest.approx(-4.1714286)
    assert found.p == pytest.approx(tail(1.87522, 9.9757), abs=1e-5)


def test_many_comparisons_are_corrected_as_holm_did() -> None:
    found = holm([Effect(1, 0, 2, p, p) for p in (0.01, 0.04, 0.03, 0.005)])
    assert [effect.adjusted for effect in found] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [effect.significant for effect in found] == [True, False, False, True]
    assert holm([]) == ()

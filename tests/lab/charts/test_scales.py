"""Axes with round ticks, and values at their scaled positions."""

from __future__ import annotations

import itertools

import pytest

from wongar_dsl.lab.charts import Axis
from wongar_dsl.lab.charts.scales import Scale, ticks

SPANS = [(0.0, 1.0), (0.0, 0.37), (-3.2, 61.0), (12.0, 12.0), (0.0, 0.0), (-0.004, 0.001), (1e6, 3e6), (99.5, 100.5)]


@pytest.mark.parametrize(("low", "high"), SPANS)
@pytest.mark.parametrize("most", [3, 6, 10])
def test_ticks_cover_the_range_of_values(low: float, high: float, most: int) -> None:
    axis = ticks(low, high, most)
    assert axis.values[0] <= low + 1e-9
    assert axis.values[-1] >= high - 1e-9
    assert 2 <= len(axis.values) <= most + 1


@pytest.mark.parametrize(("low", "high"), SPANS)
def test_ticks_are_equidistant_with_the_stated_places(low: float, high: float) -> None:
    axis = ticks(low, high)
    steps = [b - a for a, b in itertools.pairwise(axis.values)]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-6)
    assert all(round(value, axis.places) == pytest.approx(value, abs=1e-12) for value in axis.values)


def test_ticks_are_round() -> None:
    assert ticks(0, 0.37).values == (0.0, 0.1, 0.2, 0.3, 0.4)
    assert ticks(-3.2, 61).values == (-20.0, 0.0, 20.0, 40.0, 60.0, 80.0)
    assert ticks(0, 5).values == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    assert ticks(0, 5).places == 0


def test_counts_have_no_fractions() -> None:
    assert ticks(0, 2, 10, whole=True).values == (0.0, 1.0, 2.0)
    assert ticks(0, 2, 10).places == 1


def test_scale_maps_values_linearly_within_its_ends() -> None:
    scale = Scale(-10, 30, 100, 500)
    assert [scale.at(value) for value in (-10, 0, 30, 99, -99, float("inf"))] == [100, 200, 500, 500, 100, 500]
    upwards = Scale(0, 1, 700, 100)
    assert upwards.at(0.25) == 550


def test_infinite_interval_does_not_stretch_the_axis() -> None:
    axis = Axis("", lambda value, places: f"{value:.{places}f}")
    assert axis.ticks([1.0, float("inf"), 4.0, float("-inf")]).values == axis.ticks([1.0, 4.0]).values

"""Paired comparison of arms, game by game, with tests for significance."""

from __future__ import annotations

from wongar_dsl.lab.reports.report_data import ComparedFigure, Comparison
from wongar_dsl.lab.simulation.simulator import SimulationResult, Simulator
from wongar_dsl.lab.statistics import inference
from wongar_dsl.lab.statistics.accumulators import Tally
from wongar_dsl.lab.statistics.inference import DifferenceEstimate
from wongar_dsl.lab.statistics.metrics import Measure, MetricColumns, MetricKey

#: Main metrics: the win shares, corrected separately from all others.
STARTER: Measure = "starter wins"
MAIN: tuple[Measure, ...] = ("wins", STARTER)
#: All compared metrics; the other columns depend on these.
COMPARED: tuple[Measure, ...] = (
    *MAIN, "drawn", "shared", "points", "starter points", "origin", "length", "gap", "changes", "decided", "offered",
    "taken",
)  # fmt: skip


def compare_arms(simulator: Simulator, result: SimulationResult) -> tuple[Comparison, ...]:
    """Return the comparison of each arm with the baseline arm."""
    baseline = simulator.plan.baseline
    others = [index for index in range(len(simulator.plan.arms)) if index != baseline]
    uncorrected = [
        _effects(simulator, result, number) if result.pairs[number].games > 1 else {} for number in range(len(others))
    ]
    effects = _corrected(uncorrected)
    columns = simulator.columns
    return tuple(
        Comparison(
            baseline,
            other,
            result.pairs[number].games,
            tuple(
                ComparedFigure(key, *_means(simulator, result, (baseline, other), key), effect, key.measure in MAIN)
                for key, effect in effects[number].items()
            ),
            _only(columns[baseline], columns[other]),
            _only(columns[other], columns[baseline]),
        )
        for number, other in enumerate(others)
    )


def _effects(simulator: Simulator, result: SimulationResult, number: int) -> dict[MetricKey, DifferenceEstimate]:
    """Return the effects by column between the baseline and another arm; identical columns only if they are main."""
    columns, pairs = simulator.columns[simulator.plan.baseline], result.pairs[number]
    # If the first decision is simultaneous, there is no starter.
    begun = any(map(_has_starter, simulator.columns, result.tallies))
    main = [measure for measure in MAIN if begun or measure != STARTER]
    effects = {}
    for (index, _), sum_, squares in zip(simulator.common[number], pairs.sums, pairs.squares, strict=True):
        key = columns.keys[index]
        if key.measure in main or (key.measure in COMPARED and squares):
            effects[key] = inference.paired_difference(sum_, squares, pairs.games, _unit_parts(columns, key))
    return effects


def _has_starter(columns: MetricColumns, tally: Tally) -> bool:
    """Return whether any game began with a decision of a single seat."""
    start = columns.sections["starts"]
    return any(tally.sums[start : start + columns.seats])


def _corrected(effects_by_arm: list[dict[MetricKey, DifferenceEstimate]]) -> list[dict[MetricKey, DifferenceEstimate]]:
    """Return the effects with Holm's correction, separately for the main ones and all others."""
    corrected: list[dict[MetricKey, DifferenceEstimate]] = [dict(effects) for effects in effects_by_arm]
    for main in (True, False):
        keys = [(arm, key) for arm, effects in enumerate(effects_by_arm) for key in effects]
        keys = [(arm, key) for arm, key in keys if (key.measure in MAIN) == main]
        effects_in_order = inference.holm_corrected([effects_by_arm[arm][key] for arm, key in keys])
        for (arm, key), effect in zip(keys, effects_in_order, strict=True):
            corrected[arm][key] = effect
    return corrected


def _unit_parts(columns: MetricColumns, key: MetricKey) -> int:
    """Return the number of parts of one unit in a column."""
    return columns.win_parts if key.measure in MAIN else 1000 if key.measure == "decided" else 1


def _means(
    simulator: Simulator, result: SimulationResult, arms: tuple[int, int], key: MetricKey
) -> tuple[float, float]:
    """Return the means of a column in two arms."""
    first, second = (_mean(simulator.columns[arm], result, arm, key) for arm in arms)
    return first, second


def _mean(columns: MetricColumns, result: SimulationResult, arm: int, key: MetricKey) -> float:
    tally = result.tallies[arm]
    if not tally.ended:
        return 0.0
    return tally.sums[columns.places[key]] / (tally.ended * _unit_parts(columns, key))


def _only(one: MetricColumns, other: MetricColumns) -> tuple[MetricKey, ...]:
    """Return the compared columns that only the first set of rules has."""
    return tuple(key for key in one.keys if key.measure in COMPARED and key not in other.places)

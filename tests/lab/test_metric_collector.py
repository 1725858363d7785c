"""Metrics of games: a small game counted by hand, and invariants of any game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import library
from wongar_dsl.lab.metrics import (
    BINS,
    EXACT,
    PARTS,
    TOP,
    GameRow,
    MetricKey,
    Tally,
    bin_of,
    bounds,
    columns,
    common_columns,
    quantile,
)
from wongar_dsl.lab.simulator import Arm, MetricCollector, SimulationPlan, SimulationTask, Simulator

RACE = """
enum colour = red, green
enum origin = early, late
score points by origin
play
    repeat 2 times
        player(2) chooses paint
            dab(c: colour)
                if c is green
                    player(2) gains 2 points for early
            rest
                player(1) gains 1 points for late
    player(1) chooses finish
        stop
            player(1) gains 3 points for late
    end game
winner p
    {extreme} points of p
"""


def counted_game(
    folder: Path, choices: list[tuple[int, ...]], extreme: str = "most"
) -> tuple[GameRow, dict[MetricKey, int]]:
    """Return the row of a game with these choices, and its values by key."""
    rules = library.load(write_rules(folder, RACE.format(extreme=extreme)))
    game = rules.marked(2)
    game_columns = columns(rules.model, game.program)
    counting, cells = MetricCollector(game_columns), game.backend.start(1)
    options = game.backend.advance(cells)
    counting.record_state(cells)
    for choice in choices:
        counting.record_decision(cells, options, choice)
        game.backend.choose(cells, choice)
        options = game.backend.advance(cells)
        counting.record_state(cells)
    row = counting.row(cells, (1, 0), sorted(game.backend.reached_marks))
    return row, dict(zip(game_columns.keys, row.row, strict=True)) if row.finished else {}


def test_metrics_of_a_small_game_match_counting_by_hand(tmp_path: Path) -> None:
    _, values = counted_game(tmp_path, [(0, 1), (1,), (0,)])
    plain = {key.measure: number for key, number in values.items() if key == MetricKey(key.measure)}
    assert plain == {
        "drawn": 0, "shared": 0, "length": 3, "gap": 2, "changes": 1, "decided games": 1, "decided": 1000,
        "starter wins": 0, "starter won": 0, "starter points": 2,
    }  # fmt: skip
    by_seat = {(key.measure, key.seat): number for key, number in values.items() if key.seat >= 0 and not key.origin}
    assert by_seat == {
        ("wins", 0): 2, ("wins", 1): 0, ("won", 0): 1, ("won", 1): 0, ("points", 0): 4, ("points", 1): 2,
        ("starts", 0): 0, ("starts", 1): 1, ("entrant wins", 0): 0, ("entrant wins", 1): 2, ("entrant points", 0): 2,
        ("entrant points", 1): 4,
    }  # fmt: skip
    origins = {(key.seat, key.origin): number for key, number in values.items() if key.measure == "origin"}
    assert origins == {(0, "early"): 0, (0, "late"): 4, (1, "early"): 2, (1, "late"): 0}
    assert [values[MetricKey("starter origin", origin=origin)] for origin in ("early", "late")] == [2, 0]
    assert [values[MetricKey("lead gap", part=part)] for part in (0, 6, 7, 14, PARTS)] == [0, 0, 2, 1, 2]
    assert [values[MetricKey("lead right", part=part)] for part in (0, 7, 19, PARTS)] == [0, 0, 0, 1]


def test_choices_are_counted_by_argument(tmp_path: Path) -> None:
    row, values = counted_game(tmp_path, [(0, 1), (1,), (0,)])
    names = {
        (key.option, key.thing): [values[key._replace(measure=m)] for m in ("offered", "taken", "forced")]
        for key in values
        if key.measure == "offered"
    }
    assert names == {
        ("dab", ""): [2, 1, 0], ("dab", "red"): [2, 0, 0], ("dab", "green"): [2, 1, 0], ("rest", ""): [2, 1, 0],
        ("stop", ""): [1, 1, 1],
    }  # fmt: skip
    # Takers of the option with their win shares and points, and the others: seat 2 lost with 2 points.
    took, declined = [1, 0, 0, 2, 4], [1, 0, 0, 2, 4]
    assert dict(row.groups) == {0: took, 15: declined, 20: took, 30: took, 40: [1, 2, 4, 4, 16]}


def test_lead_follows_the_winning_condition(tmp_path: Path) -> None:
    _, values = counted_game(tmp_path, [(0, 0), (1,), (0,)], "fewest")
    assert (values[MetricKey("wins", 1)], values[MetricKey("decided")], values[MetricKey("gap")]) == (2, 666, 4)
    _, values = counted_game(tmp_path, [(0, 0), (0, 0), (0,)], "fewest")
    assert (values[MetricKey("changes")], values[MetricKey("decided")]) == (0, 1000)


def test_stopped_game_counts_only_its_reached_code(tmp_path: Path) -> None:
    row, _ = counted_game(tmp_path, [(0, 0)])
    assert (row.finished, row.length, row.groups) == (False, 1, {})
    assert row.reached


def test_sums_are_independent_of_the_partition() -> None:
    rules = library.load("goofspiel")
    arms = (Arm("goofspiel", ()), Arm("goofspiel", ()))
    tested = Simulator(SimulationPlan(arms, ("random", "greedy"), True, "python", 4), (rules, rules))
    whole, parts = tested.play(SimulationTask(0, 7, (99, 99))), tested.nothing
    for first, last in ((5, 7), (0, 2), (2, 5)):
        parts.add(tested.play(SimulationTask(first, last, (99, 99))))
    assert (parts.tallies, parts.pairs) == (whole.tallies, whole.pairs)
    # The same rules with the same random numbers have the same figures.
    assert (whole.pairs[0].games, any(whole.pairs[0].squares)) == (7, False)
    [tally, _], schema = whole.tallies, tested.columns[0]
    assert (tally.games, tally.ended, sum(tally.bins[:BINS]), max(tally.marks)) == (7, 7, 7, 7)
    sums = {key: tally.sums[schema.places[key]] for key in schema.keys}

    def total(measure: str) -> int:
        return sum(number for key, number in sums.items() if key.measure == measure)

    assert total("wins") == total("entrant wins") == schema.win_parts * (7 - total("drawn"))
    assert total("points") == total("entrant points")
    assert total("length") == sum(n for key, n in sums.items() if key.measure == "taken" and not key.thing) >= 7
    # With rotation, the bots sit on other seats in the next game.
    assert len({tuple(tested.play(SimulationTask(n, n + 1, (99, 99))).tallies[0].sums) for n in range(3)}) == 3


def test_common_columns_of_two_rule_sets_are_matched() -> None:
    base, variant = (
        columns((rules := library.load(name)).model, rules.game(3).program) for name in ("wongar", "wongar/initiated")
    )
    common = common_columns(base, variant)
    assert all(base.keys[a] == variant.keys[b] for a, b in common)
    assert len(common) > 100
    rules = library.load("wongar")
    assert common_columns(base, columns(rules.model, rules.game(4).program)) == ()


# ---- bins and tallies ----------------------------------------------------------------------------------------------


def test_numbers_lie_in_the_bounds_of_their_bin() -> None:
    numbers = [*range(-300, 300), *(sign * (TOP >> n) + d for n in range(8) for sign in (1, -1) for d in (-1, 0, 1))]
    for number in numbers:
        low, high = bounds(bin_of(number))
        assert low <= number <= high or abs(number) >= TOP
        assert high - low <= max(0, abs(number) // (EXACT // 2))
    assert [bin_of(n) for n in (-(10**9), 10**9)] == [0, BINS - 1]


def test_quantiles_of_bins_are_exact_for_small_numbers() -> None:
    bins = [0] * BINS
    for number in (1, 2, 3, 50):
        bins[bin_of(number)] += 1
    assert [quantile(bins, part, 4) for part in (1, 2, 3, 4)] == [1, 2, 3, 50]
    assert quantile([0] * BINS, 1, 2) == 0


def test_tally_survives_writing_and_reading() -> None:
    rules = library.load("goofspiel")
    tested = Simulator(SimulationPlan((Arm("goofspiel", ()),), ("random", "random"), False, "python", 4), (rules,))
    [tally], [schema] = tested.play(SimulationTask(0, 3, (99,))).tallies, tested.columns
    assert Tally.read(tally.data(), schema) == tally
    for name in ("sums", "bins", "least", "games"):
        with pytest.raises((ValueError, TypeError)):
            Tally.read(tally.data() | {name: ["x"]}, schema)

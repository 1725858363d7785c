"""Metrics of random games on machine code equal those of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import library
from wongar_dsl.lab.simulator import Arm, SimulationPlan, SimulationResult, SimulationTask, Simulator

from ..small_games import write_rules

#: Numbers of games, which Python plays too.
GAMES = {"connect_four": 4, "goofspiel": 5, "kuhn_poker": 5, "tongiaki": 1, "ubongo": 3, "wongar/initiated": 2}

LARGE = """
score points
play
    for each p in player
        p chooses daring
            little
                p gains 1 points
            much
                p gains 900000000 points
    end game
winner p
    most points of p
"""

BRIEF = """
score points
play
    player(2) chooses daring
        little
            player(2) gains 1 points
        much
            player(3) gains 9 points
    end game
winner p
    most points of p
"""

#: Some values are outside of the usual range: below, above, and in the length of the game.
STRAYING = """
score points
play
    repeat 600 times
        for each p in player
            p chooses move
                back
                    p gains -37 points
                on
                    p gains 5 points
                far
                    p gains 140 points
                finish
                    end game
winner p
    most points of p
"""


def laboratory(backend: str, *rules: str, rotate: bool = False) -> Simulator:
    loaded = tuple(library.load(name) for name in rules)
    plan = SimulationPlan(
        tuple(Arm(name, ()) for name in rules), ("random",) * loaded[0].model.players[0], rotate, backend, 7
    )
    made = Simulator(plan, loaded)
    assert bool(made._native_runners) == (backend == "native")
    return made


def result_of_both(task: SimulationTask, *rules: str) -> SimulationResult:
    """Return the result, which Python and machine code must share."""
    python, native = (laboratory(backend, *rules).play(task) for backend in ("python", "native"))
    assert python == native
    return native


@pytest.mark.parametrize("name", GAMES)
def test_single_games_have_the_same_metrics(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.lab.simulator.MIN_NATIVE_GAMES", 1)
    python, native = (laboratory(backend, name, rotate=True) for backend in ("python", "native"))
    for number in range(GAMES[name]):
        task = SimulationTask(number, number + 1, (900,))
        assert python.play(task) == native.play(task)


def test_games_that_are_stopped_count_as_unfinished() -> None:
    [tally] = result_of_both(SimulationTask(0, 40, (12,)), "connect_four").tallies
    assert 0 < tally.ended < tally.games


def test_comparisons_of_rule_sets_are_the_same() -> None:
    pair, *_ = result_of_both(SimulationTask(0, 8, (900, 900, 900)), "ubongo", "ubongo/long", "ubongo").pairs
    assert pair.games == 8
    assert any(pair.squares)


def test_large_points_are_summed_exactly(tmp_path: Path) -> None:
    """The sum of squares of about 1e9 exceeds 64 bits after a few games."""
    [tally] = result_of_both(SimulationTask(0, 60, (900,)), str(write_rules(tmp_path, LARGE))).tallies
    assert max(tally.squares) > 1 << 64


@pytest.mark.parametrize("seats", [2, 7])
def test_unusual_values_are_counted_the_same(tmp_path: Path, seats: int) -> None:
    rules = str(write_rules(tmp_path, STRAYING, players=str(seats)))
    [tally] = result_of_both(SimulationTask(0, 100, (900,)), rules).tallies
    assert tally.least[1] < -64
    assert tally.most[1] > 256


def test_long_games_have_the_same_metrics(tmp_path: Path) -> None:
    endless = STRAYING.replace("finish", "stay").replace("end game", "p gains 0 points")
    [tally] = result_of_both(SimulationTask(0, 6, (3000,)), str(write_rules(tmp_path, endless))).tallies
    assert tally.most[0] > 1024


def test_large_batches_are_split_without_difference(tmp_path: Path) -> None:
    """The result of many games is the sum of its halves.

    With twelve seats, the sums are added up after `OFTEN` = 349,525 games (`counters.c`): within the whole only.
    """
    made = laboratory("native", str(write_rules(tmp_path, BRIEF, players="12")))
    whole, *halves = (
        made.play(SimulationTask(*span, (900,))).tallies[0] for span in ((0, 360_000), (0, 180_000), (180_000, 360_000))
    )
    halves[0].add(halves[1])
    assert whole == halves[0]
    assert whole.games == 360_000

"""Many games: the same ones whoever plays them, and those that go on for ever are stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.lab.simulation import AT_LEAST, MOST_PILOT, PILOT, Task, simulate
from wongar_dsl.lab.statistics import Played, summary

ENDLESS = """game endless
    players 2
    source house rule
remember n: number = 0
play
    let long = random k in 1 to {long}
    repeat until n = 1
        player(1) chooses t
            end if long > 1
                set n to 1
            stay
                set n to 0
    player(1) wins
"""


def task(rules: str, games: int) -> Task:
    return Task(rules, ("random", "random"), (), "python", 3, 0, games)


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    return tmp_path / "endless.rules"


def test_games_without_an_end_are_stopped_and_not_finished(endless: Path) -> None:
    endless.write_text(ENDLESS.format(long=1))
    played = list(simulate(task(str(endless), 2)))
    assert [(p.finished, p.length) for p in played] == [(False, MOST_PILOT)] * 2
    found = summary(played)
    assert (found.games, found.unfinished, found.win_shares) == (2, 2, (0.0, 0.0))


def test_a_game_that_is_much_longer_than_the_others_is_stopped(endless: Path) -> None:
    endless.write_text(ENDLESS.format(long=20))
    played = list(simulate(task(str(endless), 60)))
    stopped = [p for p in played if not p.finished]
    assert 0 < len(stopped) < 20
    assert {p.length for p in stopped} == {AT_LEAST}
    found = summary(played)
    assert found.unfinished == len(stopped)
    assert found.win_shares == (1.0, 0.0)
    assert found.longest < AT_LEAST


def test_a_run_does_not_depend_on_the_number_of_processors() -> None:
    many = task("tictactoe", PILOT + 30)
    assert list(simulate(many, 2)) == list(simulate(many, 1))


def test_who_waits_is_told_now_and_then() -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1

    assert len(list(simulate(task("tictactoe", 3), tick=tick))) == 3
    assert ticks >= 15


def test_a_summary_counts_what_ended() -> None:
    found = summary(
        [Played((1.0, 0.0), (3, 1), 10), Played((0.5, 0.5), (2, 2), 20), Played((0.0, 0.0), (9, 9), 99, False)]
    )
    assert found.data() == {
        "games": 3, "unfinished": 1, "win_shares": [0.75, 0.25], "mean_scores": [2.5, 1.5], "shared_wins": 1,
        "decisions": {"mean": 15.0, "shortest": 10, "longest": 20},
    }  # fmt: skip

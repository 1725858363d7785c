"""What machine code counts of random games are the very numbers that Python counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl import library
from wongar_dsl.lab.simulation import Arm, Laboratory, Plan, Result, Task

from ..small_games import written

#: Few games, since Python plays them; of those where one takes long, fewer.
GAMES = {"tongiaki": 1, "wongar": 2, "wongar/initiated": 2}

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

#: Some numbers are of those that most games have few of, others beyond: below, above, and in how long it lasts.
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


def laboratory(backend: str, *rules: str, rotate: bool = False) -> Laboratory:
    loaded = tuple(library.load(name) for name in rules)
    plan = Plan(tuple(Arm(name, ()) for name in rules), ("random",) * loaded[0].model.players[0], rotate, backend, 7)
    made = Laboratory(plan, loaded)
    assert bool(made._machines) == (backend == "native")
    return made


def played(task: Task, *rules: str) -> list[Result]:
    """By Python, and as machine code."""
    return [laboratory(backend, *rules).play(task) for backend in ("python", "native")]


@pytest.mark.parametrize("name", list(library.shipped_names()))
def test_games_are_counted_the_same_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.lab.simulation.WORTHWHILE", 1)
    python, native = (laboratory(backend, name, rotate=True) for backend in ("python", "native"))
    for number in range(GAMES.get(name, 5)):
        task = Task(number, number + 1, (900,))
        assert python.play(task) == native.play(task)


def test_games_that_are_stopped_count_as_unfinished() -> None:
    found = played(Task(0, 40, (12,)), "connect_four")
    assert found[0] == found[1]
    assert 0 < found[0].tallies[0].ended < found[0].tallies[0].games


def test_sets_of_rules_are_compared_the_same() -> None:
    found = played(Task(0, 8, (900, 900, 900)), "ubongo", "ubongo/long", "ubongo/hard")
    assert found[0] == found[1]
    assert found[0].pairs[0].games == 8
    assert any(found[0].pairs[0].squares)


def test_large_points_are_added_up_exactly(tmp_path: Path) -> None:
    """Squares of a thousand million leave 64 bits after a few games."""
    found = played(Task(0, 60, (900,)), str(written(tmp_path, LARGE)))
    assert found[0] == found[1]
    assert max(found[0].tallies[0].squares) > 1 << 64


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_numbers_that_few_games_have_are_counted_the_same(tmp_path: Path, seats: int) -> None:
    found = played(Task(0, 300, (900,)), str(written(tmp_path, STRAYING, players=str(seats))))
    assert found[0] == found[1]
    tally = found[0].tallies[0]
    assert tally.least[1] < -64
    assert tally.most[1] > 256


def test_long_games_are_counted_the_same(tmp_path: Path) -> None:
    endless = STRAYING.replace("finish", "stay").replace("end game", "p gains 0 points")
    found = played(Task(0, 6, (3000,)), str(written(tmp_path, endless)))
    assert found[0] == found[1]
    assert found[0].tallies[0].most[0] > 1024


def test_more_games_than_are_added_up_at_once() -> None:
    """Two million games are the sum of their halves."""
    made = laboratory("native", "kuhn_poker")
    whole, *halves = (
        made.play(Task(*span, (900,))).tallies[0] for span in ((0, 2_200_000), (0, 1_100_000), (1_100_000, 2_200_000))
    )
    halves[0].add(halves[1])
    assert whole == halves[0]
    assert whole.games == 2_200_000

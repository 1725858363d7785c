"""Classic games, shipped and extra, against their published perft numbers and values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.engine.library import load
from wongar_dsl.lab import histories

SHIPPED = ("tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")
EXTRA = Path(__file__).parent / "extra"


def game(name: str) -> Game:
    rules = load(name if name in SHIPPED else EXTRA / f"{name}.rules")
    return rules.game(rules.model.players[0])


# ---- published numbers ----


def test_tictactoe() -> None:
    made = game("tictactoe")
    levels = list(histories.count(made, 9))
    assert [x.histories for x in levels] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(x.positions for x in levels) == 5478
    assert histories.endings(made) == {(0,): 131_184, (1,): 77_904, (): 46_080}
    assert sum(x.over for x in levels) == 255_168


def test_connect_four() -> None:
    levels = list(histories.count(game("connect_four"), 7))
    assert [x.histories for x in levels] == [1, 7, 49, 343, 2401, 16807, 117649, 823536]
    assert [x.positions for x in levels] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    # With them there are the published 5,673,234 games of eight discs: four are in a line after seven at the earliest.
    assert [x.over for x in levels] == [*7 * [0], 13032]


def test_nim() -> None:
    assert sum(histories.endings(game("nim")).values()) == 182


def test_kuhn_poker() -> None:
    made = game("kuhn_poker")
    levels = list(histories.count(made, 9, chance=True))
    assert [x.histories for x in levels] == [1, 3, 6, 12, 24, 12]
    assert sum(x.histories for x in levels) == 58
    assert sum(x.over for x in levels) == 30
    assert histories.random_play_values(made) == (Fraction(1, 8), Fraction(-1, 8))


def test_goofspiel() -> None:
    made = game("goofspiel")
    first, second = histories.random_play_values(made)
    assert first == second
    first, second = histories.random_play_values(made, lambda state: tuple(int(state.winners == (p,)) for p in (0, 1)))
    assert first == second
    assert sum(histories.endings(made, chance=True).values()) == 6 * 6 * 6


@pytest.mark.parametrize(
    ("name", "chance", "numbers"),
    [
        ("reversi", False, [4, 12, 56, 244, 1396]),
        ("breakthrough", False, [22, 484, 11132]),
        ("draughts", False, [7, 49, 302, 1469]),
        ("hex", False, [9, 72, 504, 3024]),
        ("pig", True, [1, 6, 11]),
    ],
)
def test_other_games(name: str, chance: bool, numbers: list[int]) -> None:
    levels = histories.count(game(name), len(numbers), chance=chance)
    assert [level.histories for level in levels][1:] == numbers


def test_hex_has_no_draws() -> None:
    assert set(histories.endings(game("hex"))) == {(0,), (1,)}


def test_leduc_poker() -> None:
    levels = list(histories.count(game("leduc"), 20, chance=True))
    assert sum(x.histories for x in levels) == 9457
    assert sum(x.over for x in levels) == 5520
    assert sum(histories.random_play_values(game("leduc"))) == 0


def test_classics_are_short_and_name_their_source() -> None:
    for name in SHIPPED:
        rules = load(name)
        assert rules.sources[0].text.count("\n") < 60
        assert rules.model.merged.head.books


def test_perft_command_counts_chance(capsys: pytest.CaptureFixture[str]) -> None:
    from wongar_dsl.cli.main import main

    assert main(["perft", "kuhn_poker", "--chance", "--depth", "5"]) == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert rows == [["1", "3"], ["2", "6"], ["3", "12"], ["4", "24"], ["5", "12"]]

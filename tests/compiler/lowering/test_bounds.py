"""Numbers stay in their ranges: start values, and sums of tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import inspect, load

GAME = """
game bounds
    players 2
    source house rule
enum piece = chip
cards card
    plain
deck pack of card
    2 plain
option low = 2 in 1 to 4
tokens purse holds piece, seen by all
tokens chest holds piece, seen by all
pile own of each player holds card, seen by all
remember far: number = 900000000
remember holder_of: player
{declared}
setup
    fill own of player(1) with pack
play
    {play}
    player(1) chooses
        go_on
            nothing
    nobody wins
"""


def write_rules(folder: Path, declared: str = "", play: str = "nothing") -> Path:
    path = folder / "bounds.rules"
    path.write_text(GAME.format(declared=declared, play=play), encoding="utf-8")
    return path


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize(
    ("bounds", "value"),
    [("1 to 6", 1), ("0 to 6", 0), ("-3 to 6", 0), ("-6 to -2", -6), ("low to 9", 2), ("3 to 6 = 4", 4)],
)
def test_number_starts_in_its_range(tmp_path: Path, bounds: str, value: int, backend: str) -> None:
    declared = f"remember dice of each player: number {bounds}"
    game = load(write_rules(tmp_path, declared, "set far to dice of player(2)")).game(2, backend=backend)
    state, _ = game.start(1)
    assert observe(state, None)["dice"] == {"1": value, "2": value}


def test_start_value_follows_the_settings(tmp_path: Path) -> None:
    path = write_rules(tmp_path, "remember dice: number low to 9", "set far to dice")
    state, _ = load(path).game(2, {"low": 4}).start(1)
    assert observe(state, None)["dice"] == 4


@pytest.mark.parametrize(("written_as", "found"), [("1 to 6 = 0", 0), ("1 to 6 = 7", 7), ("-3 to -1 = 0", 0)])
def test_start_value_out_of_range_is_reported(tmp_path: Path, written_as: str, found: int) -> None:
    _, diagnostics = inspect(write_rules(tmp_path, f"remember dice: number {written_as}", "set far to dice"))
    assert [d.arguments["value"] for d in diagnostics if d.code == "R0305"] == [found]


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize(
    "play",
    [
        "repeat 2 times\n        fill purse with far chip",
        "repeat 2 times\n        fill purse with far chip\n        move far chip from purse to chest",
        "repeat 2 times\n        fill purse with far chip\n        move all of purse to chest",
    ],
)
def test_token_count_beyond_the_number_limit_is_a_fault(tmp_path: Path, play: str, backend: str) -> None:
    with pytest.raises(PlayFault) as caught:
        load(write_rules(tmp_path, "", play)).game(2, backend=backend).start(1)
    assert caught.value.diagnostic.code == "R0603"


def test_many_tokens_are_observed_quickly(tmp_path: Path) -> None:
    state, _ = load(write_rules(tmp_path, "", "fill purse with far chip")).game(2).start(1)
    assert observe(state, None)["purse"] == {"chip": 900_000_000}


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize(
    "value", ["size of own of holder_of", "size of own of left of holder_of", "count of plain in own of holder_of"]
)
def test_zone_of_nobody_is_empty(tmp_path: Path, value: str, backend: str) -> None:
    state, _ = load(write_rules(tmp_path, "", f"set far to {value}")).game(2, backend=backend).start(1)
    assert observe(state, None)["far"] == 0


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_zone_of_a_set_optional_player_is_counted(tmp_path: Path, backend: str) -> None:
    play = "set holder_of to player(1)\n    set far to size of own of holder_of"
    state, _ = load(write_rules(tmp_path, "", play)).game(2, backend=backend).start(1)
    assert observe(state, None)["far"] == 2

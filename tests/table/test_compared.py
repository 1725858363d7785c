"""The end of a game without points: what its ranking compares, and how much of that each player has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.play import names
from tests.small_games import written
from tests.table.test_digest import played
from tests.table.test_ending import to_the_end
from tests.table.test_forecast import match, narrator
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine.determinization import determinize
from wongar_dsl.library import load
from wongar_dsl.table.compared import compared
from wongar_dsl.table.ending import ending, rows_at_the_end

#: Whoever has the most coins wins, then whoever has the fewest debts; what is in the purses nobody else sees.
HOARD = """
cards coin
    gold
    silver
deck coins of coin total 8
    4 gold
    4 silver
pile bank holds coin, seen by all
heap chest of each player holds coin, seen by all
hand purse of each player holds coin, seen by owner
remember debts of each player: number 0 to 9 = 0
setup
    fill bank with coins
play
    repeat 2 times
        for each me in player
            me chooses turn
                earn
                    move top of bank to chest of me
                hide
                    move top of bank to purse of me
                owe
                    set debts of me to debts of me + 1
    end game

define riches(p: player) = size of chest of p

winner p
    most riches(p)
    then most size of purse of p
    then fewest debts of p
"""


def test_what_the_ranking_looks_at_is_told_for_each_player(tmp_path: Path) -> None:
    at = match(written(tmp_path, HOARD), 2, 1, "earn", "hide", "earn", "owe")
    rows = {row.name: row.points for row in ending(at, narrator(at)).rows}
    assert rows == {"Chest": (2, 0), "Purse": (0, 1), "Debts": (0, 1)}


def test_what_is_seen_is_told_kind_by_kind_and_what_is_not_only_as_a_number(tmp_path: Path) -> None:
    rules = written(
        tmp_path, HOARD.replace("    fill bank with coins\n", "    fill bank with coins\n    shuffle bank\n")
    )
    dealt = (match(rules, 2, seed, "earn", "hide", "earn", "hide") for seed in range(1, 30))
    at = next(at for at in dealt if "Gold" in {row.name for row in rows_at_the_end(at.state, narrator(at))})
    rows = {row.name: row for row in ending(at, narrator(at)).rows}
    assert rows["Gold"].points == rows["Silver"].points == (1, 0)
    assert rows["Chest"].total
    assert rows["Purse"].points == (0, 2)
    assert not rows["Purse"].total


def test_the_gems_of_ubongo_are_counted_by_colour_and_grow_round_by_round() -> None:
    at = to_the_end("ubongo", 2, 3)
    found = ending(at, narrator(at))
    *colours, gems = found.rows
    assert gems.total
    assert tuple(map(sum, zip(*(row.points for row in colours), strict=True))) == gems.points
    assert found.course is not None
    assert found.course.points[-1] == gems.points
    assert len(found.course.ends) > 3
    assert "most gems of one colour" in found.rule


def test_what_nobody_sees_is_not_compared_before_everybody(tmp_path: Path) -> None:
    at = match(written(tmp_path, HOARD.replace("hand purse of each player holds coin, seen by owner",
                                               "heap purse of each player holds coin, seen by nobody")), 2, 1,
               "earn", "hide", "earn", "owe")  # fmt: skip
    assert {row.name for row in ending(at, narrator(at)).rows} == {"Chest", "Debts"}


@pytest.mark.parametrize("name", sorted(name for name in names() if load(name).model.code.winner is not None))
def test_what_is_compared_tells_nothing_that_is_hidden(name: str) -> None:
    rules = load(name)
    at = played(name, rules.model.players[0], 3, 3)
    told = compared(at.state, narrator(at))
    for seed in range(3):
        other = determinize(at.state, None, Generator(seed), at.past)
        assert compared(other, narrator(at)) == told


def test_while_a_game_goes_on_it_is_compared_too() -> None:
    at = played("ubongo", 2, 30, 3)
    assert compared(at.state, narrator(at))[-1].name == "Gems"

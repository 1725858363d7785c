"""The end of a game without points: the values that its ranking compares, for each player."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.play import names
from tests.session.test_changes_since import match_after
from tests.session.test_forecast import match, narrator
from tests.session.test_game_summary import finished_match
from tests.small_games import write_rules
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.library import load
from wongar_dsl.session.ending import ending, ranking_values

#: Ranking by coins in the open chest, then by coins in the hidden purse, then by fewest debts.
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


def test_ranking_values_are_listed_for_each_player(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, HOARD), 2, 1, "earn", "hide", "earn", "owe")
    rows = {row.name: row.points for row in ending(sample, narrator(sample)).rows}
    assert rows == {"Chest": (2, 0), "Purse": (0, 1), "Debts": (0, 1)}


def test_visible_zones_are_listed_by_kind_and_hidden_ones_as_totals(tmp_path: Path) -> None:
    fill = "    fill bank with coins\n"
    rules = write_rules(tmp_path, HOARD.replace(fill, f"{fill}    shuffle bank\n"))
    dealt = (match(rules, 2, seed, "earn", "hide", "earn", "hide") for seed in range(1, 30))
    listed = ({row.name: row for row in ending(sample, narrator(sample)).rows} for sample in dealt)
    rows = next(rows for rows in listed if "Gold" in rows)
    assert rows["Gold"].points == rows["Silver"].points == (1, 0)
    assert rows["Chest"].total
    assert (rows["Purse"].points, rows["Purse"].total) == ((0, 2), False)


def test_ubongo_gems_are_counted_by_colour_and_round() -> None:
    sample = finished_match("ubongo", 2, 3)
    summary = ending(sample, narrator(sample))
    *colours, gems = summary.rows
    assert gems.total
    assert tuple(map(sum, zip(*(row.points for row in colours), strict=True))) == gems.points
    assert summary.history is not None
    assert summary.history.points[-1] == gems.points
    assert len(summary.history.ends) > 3
    assert "most gems of one colour" in summary.rule


def test_zones_hidden_from_all_are_not_listed(tmp_path: Path) -> None:
    purse = "{} purse of each player holds coin, seen by {}"
    rules = HOARD.replace(purse.format("hand", "owner"), purse.format("heap", "nobody"))
    sample = match(write_rules(tmp_path, rules), 2, 1, "earn", "hide", "earn", "owe")
    assert {row.name for row in ending(sample, narrator(sample)).rows} == {"Chest", "Debts"}


@pytest.mark.parametrize("name", sorted(name for name in names() if load(name).model.code.winner is not None))
def test_compared_values_do_not_depend_on_hidden_state(name: str) -> None:
    rules = load(name)
    sample = match_after(name, rules.model.players[0], 3, 3)
    rows = ranking_values(sample.state, narrator(sample))
    for seed in range(3):
        resampled = determinize(sample.state, None, Generator(seed), sample.past)
        assert ranking_values(resampled, narrator(sample)) == rows


def test_compared_values_are_available_during_play() -> None:
    sample = match_after("ubongo", 2, 30, 3)
    assert ranking_values(sample.state, narrator(sample))[-1].name == "Gems"

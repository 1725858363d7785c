"""The tables that a player reads: columns below their heads, at any width."""

from __future__ import annotations

import pytest

from tests.cli.command import Command
from wongar_dsl.cli.pictures.players import bands as divided


def test_the_names_of_winners_stand_above_their_points(wongar: Command) -> None:
    seats = ("--seats", "random:Max,random:Anna", "--seed", "2", "--lang", "de")
    lines = wongar("play", "goofspiel", *seats).out.splitlines()
    points = next(line for line in lines if line.startswith("Punkte"))
    rule, head = lines[lines.index(points) - 1], lines[lines.index(points) - 2]
    assert "*" in head
    assert len(head) == len(rule) == len(points)


@pytest.mark.parametrize(
    ("widths", "room", "bands"),
    [
        ([5, 5, 5], 21, [[0, 1, 2]]),
        ([5, 5, 5], 20, [[0, 1], [2]]),
        ([30, 5], 20, [[0], [1]]),
        ([5, 30, 5], 20, [[0], [1], [2]]),
        ([], 20, [[]]),
    ],
)
def test_columns_that_do_not_fit_go_into_a_table_below(widths: list[int], room: int, bands: list[list[int]]) -> None:
    assert divided(widths, room) == bands


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_the_players_of_a_wide_table_stand_below_each_other(wongar: Command, language: str) -> None:
    seats = ("--seats", "human:Lois,random:Max,random:Beatrix", "--seed", "4", "--lang", language)
    out = wongar("play", "wongar/initiated", *seats, answers="1\n").out
    rows = [line for line in out.splitlines() if line.startswith(("▶ Lois  ", "  Max  ", "  Beatrix  "))]
    assert len(rows) >= 6
    columns = {line.rstrip().find("  ", 11) for line in rows[:3]}
    assert len(columns) == 1


def test_behind_the_points_stands_what_everybody_would_have_if_the_game_ended_now(wongar: Command) -> None:
    seats = ("--seats", "human:Lois,random:Max,random:Beatrix", "--seed", "4", "--lang", "de", "--drawn")
    assert "Punkte  Zwischenstand" in wongar("play", "tongiaki", *seats, answers="1\n").out
    # Whose cards are whose nobody knows there.
    assert "Zwischenstand" not in wongar("play", "wongar", *seats, answers="1\n").out

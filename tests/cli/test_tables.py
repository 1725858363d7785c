"""Printed tables: columns aligned with their headings, at any width."""

from __future__ import annotations

import pytest

from tests.cli.command import Command
from wongar_dsl.render.text.players import bands as divided


def test_winner_columns_are_aligned_with_their_points(wongar: Command) -> None:
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
def test_excess_columns_go_into_another_table(widths: list[int], room: int, bands: list[list[int]]) -> None:
    assert divided(widths, room) == bands


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_wide_player_table_has_one_row_per_player(wongar: Command, language: str) -> None:
    seats = ("--seats", "human:Lois,random:Max,random:Beatrix", "--seed", "4", "--lang", language)
    out = wongar("play", "wongar/initiated", *seats, answers="1\n").out
    rows = [line for line in out.splitlines() if line.startswith(("▶ Lois  ", "  Max  ", "  Beatrix  "))]
    assert len(rows) >= 6
    columns = {line.rstrip().find("  ", 11) for line in rows[:3]}
    assert len(columns) == 1


def test_provisional_scores_follow_the_points(wongar: Command) -> None:
    seats = ("--seats", "human:Lois,random:Max,random:Beatrix", "--seed", "4", "--lang", "de", "--drawn")
    assert "Punkte  Zwischenstand" in wongar("play", "tongiaki", *seats, answers="1\n").out
    # In this game the cards of other players are unknown.
    assert "Zwischenstand" not in wongar("play", "wongar", *seats, answers="1\n").out

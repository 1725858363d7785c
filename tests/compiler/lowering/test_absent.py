"""Possibly missing values are tested for `nobody` before they are used as an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import initial_cells, start_fault_code

#: A map on which `b2` stays empty; in memory, `before` is directly in front of `mark`.
ABSENT = """
enum colour = red, blue
board field
    grid 2 by 2
cards tile
    piece(of: colour)
deck box of tile
    1 piece(red), 1 piece(blue)
pile stack holds tile, seen by all
layout map holds tile on field, seen by all
remember before: number = 77
remember mark of each tile: number = 5
remember level of each field: number = 6
remember got: number = 0
score points
setup
    fill stack with box
    lay top of stack on map at a1 turned 0
play
    {}
    player(1) chooses
        go_on
            nothing
    end game
winner p
    most points of p
"""


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize("index", ["mark[map[b2]]", "level[place of piece(red)]"])
def test_read_with_an_absent_index_gives_nothing(tmp_path: Path, index: str, backend: str) -> None:
    assert initial_cells(tmp_path, ABSENT.format(f"set got to {index}"), backend)["got"] == 0


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_assignment_with_an_absent_index_is_a_fault(tmp_path: Path, backend: str) -> None:
    assert start_fault_code(tmp_path, ABSENT.format("set mark[map[b2]] to 9"), backend) == "R0610"

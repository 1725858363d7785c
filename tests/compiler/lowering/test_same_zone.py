"""Moves from a zone into itself lose nothing, under any name of the zone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.library import load

GAME = """
enum piece = chip, ring
board field
    grid 2 by 2
cards card
    one
    two
    three
deck pack of card
    1 one, 2 two, 1 three
tokens bag of each player holds piece, seen by all
pile stack of each player holds at most 4 card, seen by all
heap ground of each player holds at most 4 card, seen by all
layout map holds card on field, seen by all
slot socket of each player holds card, seen by all
hand cards_of of each player holds card, seen by owner
setup
    for each p in player
        fill bag of p with 3 chip
        fill bag of p with 2 ring
        fill stack of p with pack
        fill ground of p with pack
        fill cards_of of p with pack
        fill socket of p with 1 two
    lay top of stack of player(1) on map at b2 turned 3
play
    let here = player(1)
    let there = right of player(2)
{statements}
    player(1) chooses turn
        stop
            nothing
    nobody wins
"""

#: A zone by one name, and by two names that are equal only during play.
ENDS = [("here", "here"), ("here", "there"), ("player(1)", "there")]
STATEMENTS = """
move all of bag of {0} to bag of {1}
move 2 chip from bag of {0} to bag of {1}
move 3 chip from bag of {0} to bag of {1}
move all of stack of {0} to stack of {1}
move top of stack of {0} to stack of {1}
move bottom of stack of {0} to bottom of stack of {1}
move all of ground of {0} to ground of {1}
move two from ground of {0} to ground of {1}
move all of cards_of of {0} to cards_of of {1}
move three from cards_of of {0} to cards_of of {1}
move socket of {0} to socket of {1}
lay three from map on map at place of three turned 3
"""


def zone_cells(folder: Path, statements: str, backend: str) -> dict[str, list[list[int]]]:
    """Return the cells of each copy of each zone at the first decision."""
    indented = "".join(f"    {line}\n" for line in statements.split("\n"))
    game = load(write_rules(folder, GAME.format(statements=indented))).game(2, backend=backend)
    state, _ = game.start(1)
    zones = [field for field in game.program.fields if container(field) is not None]
    return {
        field.name: [state.cells[address : address + field.width] for _, address in copies(field)] for field in zones
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_move_into_the_same_zone_loses_nothing(tmp_path: Path, backend: str) -> None:
    before = zone_cells(tmp_path, "", backend)
    assert before["bag"] == [[3, 2], [3, 2]]
    for ends in ENDS:
        assert zone_cells(tmp_path, STATEMENTS.format(*ends), backend) == before

"""Evaluation order is left to right: no value sees changes by a rule called later."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.engine.library import load

GAME = """
cards card
    one
    two
    three
board field
    grid 3 by 1
remember x: number = 1
remember here: field
remember last: player
remember mark of each player: number = 0
remember found: number = 0
pile stack of each player holds at most 9 card, seen by all
pile gone holds at most 9 card, seen by all
slot socket of each player holds card, seen by all
define both(a: number, b: number) = a * 1000 + b
define row_of(a: number, b: number, c: number) = a * 10000 + b * 100 + c
define wide(a: number, b: number) = sum of a * b for p in player
rule change() gives number
    set x to x + 10
    give 100
rule hop() gives number
    set here to c1
    give 1
rule turn() gives player
    set last to right of last
    give last
play
    set here to a1
    set last to player(1)
    for each p in player
        fill stack of p with 3 one
        fill stack of p with 2 two
        fill socket of p with 1 three
    player(1) chooses which
{cases}
    player(1) chooses turn
        stop
            nothing
    nobody wins
"""

#: Statements, and the value of `found` after them.
CASES = {
    "set found to x + change()": 101,
    "set found to change() + x": 111,
    "set found to x - (x + change()) * x": 1 - 101 * 11,
    "set found to x + change() + x + change()": 1 + 100 + 11 + 100,
    "set found to both(x, change())": 1100,
    "set found to both(change(), x)": 100011,
    "set found to row_of(x, change() - 90, x)": 11011,
    "set found to wide(x, change())": 200,
    "set found to least(x, change())": 1,
    "set found to greatest(x, change() - 95, x)": 11,
    "set found to (x if x < 5 otherwise 7) + change()": 101,
    "set found to 7 + (x + change() if x < 5 otherwise 7)": 108,
    "set found to -x + change()": 99,
    "set found to position of here + hop()": 2,
    "let less = x < change() - 90\n    set found to (1 if less otherwise 2)": 1,
    "let same = x = 1 and change() = 100 and x = 11\n    set found to (1 if same otherwise 2)": 1,
    "let p = step(here, hop() + 1)\n    set found to position of (p if p is not nobody otherwise c1)": 2,
    "set found to size of stack of last + count of one in stack of turn()": 8,
    "set mark of turn() to x + change()\n    set found to mark of player(2)": 101,
    # A rule that gives a zone is called once.
    "move top of stack of turn() to gone\n    set found to position of last * 10 + size of stack of player(2)": 24,
    "move socket of turn() to gone\n    set found to position of last * 10 + size of gone": 21,
    "move top of stack of last to stack of turn()\n    set found to size of stack of player(2)": 6,
    "move top of stack of turn() to stack of turn()\n    set found to size of stack of player(1)": 6,
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_evaluation_is_left_to_right(tmp_path: Path, backend: str) -> None:
    """Each case is an option of one game, since compiling it takes longest."""
    bodies = (statements.replace("\n    ", f"\n{12 * ' '}") for statements in CASES)
    cases = "\n".join(f"        case_{number}\n            {body}" for number, body in enumerate(bodies))
    game = load(write_rules(tmp_path, GAME.replace("{cases}", cases))).game(2, backend=backend)
    found, (start, _) = game.fields["found"].base, game.start(1)
    results = {}
    for statements, move in zip(CASES, start.legal_moves(), strict=True):
        state = start.copy()
        state.apply(move)
        results[statements] = state.cells[found]
    assert results == CASES

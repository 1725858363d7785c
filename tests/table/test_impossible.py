"""Options that are not there, and why."""

from __future__ import annotations

import random
from pathlib import Path

from tests.small_games import written
from tests.table.test_forecast import match, narrator
from wongar_dsl.narration import illegal
from wongar_dsl.table.impossible import closed

LIMITED = """
enum piece = ship
enum room = hall, attic, cellar
tokens crown of each room of each player holds piece, seen by all
tokens own of each player holds piece, seen by all
score points
setup
    for each p in player
        fill own of p with 5 ship
play
    repeat 5 times
        for each me in player
            me chooses turn
                place(there: room where crown[there, me, ship] = 0) if crowned(me) < 1
                    move 1 ship from own of me to crown[there, me]
                nap
                    nothing
    end game

define crowned(p: player) =
    number of there in room where crown[there, p, ship] > 0

winner p
    most points of p
"""


def test_what_a_limit_of_the_rules_takes_away_is_named_with_the_limit(tmp_path: Path) -> None:
    at = match(written(tmp_path, LIMITED))
    assert closed(at.state) == []
    for text in ("place(hall)", "nap"):
        at.play(at.state.read(text))
    ((move, error),) = closed(at.state)
    assert at.state.write(move) == "place(attic)"
    assert illegal.explain(error, at.state, narrator(at), 0)[0]


def test_a_second_royal_island_was_the_last() -> None:
    told = set()
    for seed in range(3, 40):
        at, chance = match("tongiaki", 2, seed), random.Random(seed)
        while not at.state.over:
            moves = at.state.legal_moves()
            assert not {move.option for move, _ in closed(at.state)} & {move.option for move in moves}
            if at.state.decision is not None and at.state.decision.name == "turn":
                for move, error in closed(at.state):
                    if at.state.write(move).startswith("found"):
                        told.add(illegal.explain(error, at.state, narrator(at), at.state.seat)[0])
            founds = [move for move in moves if at.state.write(move).startswith("found")]
            stays = [move for move in moves if not at.state.write(move).startswith("resettle")]
            at.play(chance.choice(founds or stays or moves))
        if told:
            break
    assert told
    assert all("royal" in one for one in told), told

"""A step that brought something hidden to light cannot be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import load

LAID_FROM_A_HIDDEN_PILE = """
game leak
    players 2
    source house rule
enum colour = red, blue, green, white
board field
    grid 5 by 5
cards tile
    piece(of: colour)
deck box of tile
    1 piece(red), 1 piece(blue), 1 piece(green), 1 piece(white)
pile stack holds tile, seen by nobody
layout map holds tile on field, seen by all
score points
setup
    fill stack with box
    shuffle stack
play
    player(1) chooses turn
        put(there: field where map[there] is nobody)
            lay top of stack on map at there turned 0
        stop
            nothing
    player(1) chooses
        go_on
            nothing
    end game
winner p
    most points of p
"""


def test_a_card_laid_from_a_hidden_pile_cannot_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "leak.rules"
    path.write_text(LAID_FROM_A_HIDDEN_PILE, encoding="utf-8")
    match = Match.begin(load(path).game(2), [Seat("human"), Seat("human")], 1, "hash")
    match.play(match.state.read("put(a1)"))
    assert not match.can_undo()


def from_the_dark(game: Game, event: Event) -> bool:
    kind, _ = event.fields()["from"]
    return game.fields[kind.name].seen not in ("all", "owner")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_tile_uncovered_in_play_cannot_be_taken_back(seed: int) -> None:
    match = Match.begin(load("tongiaki").game(2), [Seat("human"), Seat("human")], seed, "hash")
    generator = Generator(seed)
    while moves := match.state.legal_moves():
        step = match.play(moves[generator.below(len(moves))])
        if any(event.spec.kind == "card_laid" and from_the_dark(match.game, event) for event in step.events):
            assert step.final is not None
            assert step.final.reason in ("looked", "chance")
            return
    pytest.fail("no tile was uncovered")

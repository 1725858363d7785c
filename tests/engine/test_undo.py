"""Undo: a step that revealed hidden information is final."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat

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


def test_card_laid_from_a_hidden_pile_cannot_be_undone(tmp_path: Path) -> None:
    path = tmp_path / "leak.rules"
    path.write_text(LAID_FROM_A_HIDDEN_PILE, encoding="utf-8")
    match = Match.begin(load(path).game(2), [Seat("human"), Seat("human")], 1, "hash")
    match.play(match.state.read("put(a1)"))
    assert not match.can_undo()


def from_hidden_zone(game: Game, event: Event) -> bool:
    kind, _ = event.fields()["from"]
    return game.fields[kind.name].seen not in ("all", "owner")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tile_revealed_in_play_cannot_be_undone(seed: int) -> None:
    match = Match.begin(load("tongiaki").game(2), [Seat("human"), Seat("human")], seed, "hash")
    generator = Generator(seed)
    while moves := match.state.legal_moves():
        step = match.play(moves[generator.below(len(moves))])
        if any(event.spec.kind == "card_laid" and from_hidden_zone(match.game, event) for event in step.events):
            assert step.undo_barrier is not None
            assert step.undo_barrier.reason in ("looked", "chance")
            return
    pytest.fail("no tile was uncovered")


# ---- information in bot answers and in decisions -------------------------------------------------------------------


def begin_match(tmp_path: Path, text: str, seats: str = "human human", seed: int = 1) -> Match:
    path = tmp_path / "game.rules"
    path.write_text(text.lstrip("\n"), encoding="utf-8")
    kinds = [Seat(kind) for kind in seats.split()]
    return Match.begin(load(path).game(len(kinds)), kinds, seed, "hash")


def undo_refusal(match: Match) -> str:
    """Return the reason why the last step cannot be undone."""
    final = match.undo()
    assert final is not None
    return final.reason


AT_ONCE = """
game fists
    players 2 to 3
    source house rule
enum shape = rock, paper
remember rounds: number = 0
score points
play
    repeat 3 times
        each p in player chooses shaping at once
            show(s: shape)
                if s is rock
                    p gains 1 points
        tell shown
    end game
winner p
    most points of p
"""


def test_simultaneous_choice_is_final_after_a_bot_choice_is_revealed(tmp_path: Path) -> None:
    match = begin_match(tmp_path, AT_ONCE, "human random")
    match.play(match.state.legal_moves()[0])
    match.play(match.state.legal_moves()[0])
    assert undo_refusal(match) == "looked"
    assert len(match.steps) == 2


def test_unrevealed_bot_choice_keeps_a_step_undoable(tmp_path: Path) -> None:
    match = begin_match(tmp_path, AT_ONCE, "human random human")
    match.play(match.state.legal_moves()[0])
    match.play(match.state.legal_moves()[0])
    assert match.undo() is None
    assert not match.steps


LOOKED_THROUGH = """
game search
    players 2
    source house rule
cards card
    one
    two
    three
deck pack of card total 3
    1 one, 1 two, 1 three
pile stack holds card, seen as a number
hand holding of each player holds card, seen by owner
setup
    fill stack with pack
    shuffle stack
play
    player(1) chooses turn
        search
            player(1) chooses searching
                pick(c: stack)
                    move c from stack to holding of player(1)
                nothing_found
                    nothing
        stop
            nothing
    player(2) chooses
        go_on
            nothing
    end game
winner p
    most size of holding of p
"""


def test_search_of_a_hidden_zone_cannot_be_undone(tmp_path: Path) -> None:
    match = begin_match(tmp_path, LOOKED_THROUGH)
    match.play(match.state.read("search"))
    assert undo_refusal(match) == "looked"
    match = begin_match(tmp_path, LOOKED_THROUGH)
    match.play(match.state.read("stop"))
    assert match.undo() is None


ASKS = """
game asks
    players 2
    source house rule
remember secret: number 0 to 9 = 0, seen by nobody
remember doors: number 1 to 3 = 3
setup
    set secret to random n in 1 to 3
play
    repeat until doors = 1
        player(1) chooses turn
            try
                nothing
            skip
                set doors to doors - 1
        %s
    nobody wins
"""
OWN_QUESTION = """player(1) chooses opening
            open(n: 1 to 3 where n is not secret)
                nothing
            stay
                nothing"""
NO_QUESTION = """player(2) chooses opening
            open if secret = 2
                nothing
            otherwise
                nothing"""
TELLING_NOTHING = """player(1) chooses opening
            open(n: 1 to 3 where n + secret > 0)
                nothing
            stay
                nothing"""


@pytest.mark.parametrize("question", [OWN_QUESTION, NO_QUESTION])
def test_step_is_final_if_the_next_options_depend_on_a_secret(tmp_path: Path, question: str) -> None:
    match = begin_match(tmp_path, ASKS % question)
    match.play(match.state.read("try"))
    assert undo_refusal(match) == "looked"


def test_step_is_undoable_if_the_next_options_reveal_nothing(tmp_path: Path) -> None:
    match = begin_match(tmp_path, ASKS % TELLING_NOTHING)
    match.play(match.state.read("try"))
    assert match.undo() is None


FIRST_COMES_FIRST = """
game first
    players 1
    source house rule
remember secret: number 0 to 9 = 0, seen by nobody
remember seen: number 0 to 9 = 0
setup
    set secret to random n in 1 to 3
play
    repeat 3 times
        player(1) chooses turn
            go_on
                if secret > 1
                    set seen to random n in 1 to 2
                    tell first
                otherwise
                    tell second
    nobody wins
"""


@pytest.mark.parametrize("seed", range(6))
def test_first_cause_of_a_final_step_is_given(tmp_path: Path, seed: int) -> None:
    """A draw that depends on a hidden value would reveal it."""
    match = begin_match(tmp_path, FIRST_COMES_FIRST, "human", seed)
    match.play(match.state.read("go_on"))
    assert undo_refusal(match) == "looked"

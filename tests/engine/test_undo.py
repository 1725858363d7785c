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


# ---- what a bot's answer shows, and what a question shows --------------------------------------------------------


def begun(tmp_path: Path, text: str, seats: str = "human human", seed: int = 1) -> Match:
    path = tmp_path / "game.rules"
    path.write_text(text.lstrip("\n"), encoding="utf-8")
    kinds = [Seat(kind) for kind in seats.split()]
    return Match.begin(load(path).game(len(kinds)), kinds, seed, "hash")


def refused(match: Match) -> str:
    """Why the last step cannot be taken back."""
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


def test_choices_made_at_once_cannot_be_taken_back_once_a_bot_s_was_shown(tmp_path: Path) -> None:
    match = begun(tmp_path, AT_ONCE, "human random")
    match.play(match.state.legal_moves()[0])
    match.play(match.state.legal_moves()[0])
    assert refused(match) == "looked"
    assert len(match.steps) == 2


def test_a_bot_s_choice_that_is_not_yet_shown_leaves_a_step_as_it_was(tmp_path: Path) -> None:
    match = begun(tmp_path, AT_ONCE, "human random human")
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


def test_a_step_that_opens_a_hidden_zone_to_its_maker_cannot_be_taken_back(tmp_path: Path) -> None:
    match = begun(tmp_path, LOOKED_THROUGH)
    match.play(match.state.read("search"))
    assert refused(match) == "looked"
    match = begun(tmp_path, LOOKED_THROUGH)
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
def test_a_question_that_hangs_on_something_hidden_is_not_taken_back(tmp_path: Path, question: str) -> None:
    match = begun(tmp_path, ASKS % question)
    match.play(match.state.read("try"))
    assert refused(match) == "looked"


def test_a_question_that_shows_nothing_of_what_was_looked_at_is_taken_back(tmp_path: Path) -> None:
    match = begun(tmp_path, ASKS % TELLING_NOTHING)
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
def test_what_forbids_an_undo_is_what_came_first(tmp_path: Path, seed: int) -> None:
    """Chance that is drawn or not on account of something hidden would tell it."""
    match = begun(tmp_path, FIRST_COMES_FIRST, "human", seed)
    match.play(match.state.read("go_on"))
    assert refused(match) == "looked"

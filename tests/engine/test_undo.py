"""Undo: a step that revealed hidden information is final, also if a bot's answer or the next decision reveals it.

Moves of cards and tokens of every kind of zone are tested in `tests/properties/test_zone_kinds.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat

AT_ONCE = """
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
LOOKED_THROUGH = """
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
ASKS = """
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
TELLING_NOTHING = OWN_QUESTION.replace("n is not secret", "n + secret > 0")

HIDES = """
enum fist = left_hand, right_hand
remember hidden of each player: fist = left_hand, seen by owner
remember called: number = 0
play
    player(1) chooses calling
        call
            nothing
    player(2) chooses hiding
        %s
    nobody wins
"""
HIDDEN_VALUE = """hide(h: fist)
            set hidden of player(2) to h
    if hidden of player(2) is left_hand
        set called to 1"""
HIDDEN_OPTION = """hide_left(n: 1 to 2)
            set hidden of player(2) to left_hand
            set called to n
        hide_right(n: 1 to 2)
            set hidden of player(2) to right_hand
            set called to n"""
FAULTY_QUESTION = """
remember doors: number 0 to 9 = 3
play
    player(1) chooses turn
        go
            set doors to 0
    player(1) chooses opening
        open(n: 1 to 3 where 6 div doors > n)
            nothing
        stay
            nothing
    nobody wins
"""
SHOWN_BEFORE = """
enum shape = rock, paper
score points
play
    each p in player chooses shaping at once
        show(s: shape)
            if s is rock
                p gains 1 points
            p chooses bonus
                take
                    nothing
                leave
                    nothing
    nobody wins
"""


def match_after(folder: Path, rules: str, seats: str, moves: tuple[str, ...], seed: int = 1) -> Match:
    """Return a match after moves of people; a bot answers at once with its first option."""
    kinds = [Seat(kind) for kind in seats.split()]
    match = Match.begin(load(write_rules(folder, rules, players=str(len(kinds)))).game(len(kinds)), kinds, seed, "hash")
    for move in moves:
        match.play(match.state.read(move))
    return match


@pytest.mark.parametrize(
    ("rules", "seats", "moves"),
    [
        (AT_ONCE, "human random", ("show(rock)", "show(rock)")),
        (LOOKED_THROUGH, "human human", ("search",)),
        (ASKS % OWN_QUESTION, "human human", ("try",)),
        (ASKS % NO_QUESTION, "human human", ("try",)),
        (HIDES % HIDDEN_VALUE, "human random", ("call", "hide(left_hand)")),
        (HIDES % HIDDEN_OPTION, "human random", ("call", "hide_left(2)")),
        # The options of the next question would reveal something, but the question fails.
        (FAULTY_QUESTION, "human human", ("go",)),
    ],
)
def test_revealing_step_cannot_be_undone(rules: str, seats: str, moves: tuple[str, ...], tmp_path: Path) -> None:
    match = match_after(tmp_path, rules, seats, moves)
    final = match.undo()
    assert final is not None
    assert final.reason == "looked"
    assert len(match.steps) == len(moves)


@pytest.mark.parametrize(
    ("rules", "seats", "moves", "left"),
    [
        # A third seat has not chosen yet, so that the choice of the bot is not revealed.
        (AT_ONCE, "human random human", ("show(rock)", "show(rock)"), 0),
        # The choices made at once have been shown before the step.
        (SHOWN_BEFORE, "human human", ("show(rock)", "show(rock)", "take"), 2),
        (LOOKED_THROUGH, "human human", ("stop",), 0),
        (ASKS % TELLING_NOTHING, "human human", ("try",), 0),
    ],
)
def test_step_that_reveals_nothing_can_be_undone(
    rules: str, seats: str, moves: tuple[str, ...], left: int, tmp_path: Path
) -> None:
    match = match_after(tmp_path, rules, seats, moves)
    assert match.undo() is None
    assert len(match.steps) == left


def test_last_event_before_a_revealing_question_is_given(tmp_path: Path) -> None:
    told = "        search\n            tell opened\n            tell searched"
    final = match_after(tmp_path, LOOKED_THROUGH.replace("        search", told, 1), "human human", ("search",)).undo()
    assert final is not None
    assert final.event is not None
    assert final.event.spec.message == "searched"


FIRST_COMES_FIRST = """
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


@pytest.mark.parametrize("seed", range(3))
def test_first_cause_of_a_final_step_is_given(tmp_path: Path, seed: int) -> None:
    """A draw that depends on a hidden value would reveal it."""
    final = match_after(tmp_path, FIRST_COMES_FIRST, "human", ("go_on",), seed).undo()
    assert final is not None
    assert final.reason == "looked"

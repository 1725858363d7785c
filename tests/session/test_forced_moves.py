"""Forced moves: a single legal option, known to all or only to the deciding seat."""

from __future__ import annotations

from pathlib import Path

from tests.session.test_forecast import match
from tests.small_games import write_rules
from wongar_dsl.session.menu import forced_move


def test_real_choice_is_not_forced() -> None:
    assert forced_move(match("nim").state) == ""


def test_last_free_cell_is_forced_publicly() -> None:
    moves = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3")
    assert forced_move(match("tictactoe", 2, 1, *(f"mark({cell})" for cell in moves)).state) == "public"


def test_choice_from_a_hidden_hand_is_forced_secretly(tmp_path: Path) -> None:
    rules = """
cards card
    red
    blue
deck pack of card total 4
    2 red, 2 blue
pile left_over holds card, seen as a number
hand held of each player holds card, seen by owner
heap open holds card, seen by all
setup
    fill left_over with pack
    for each p in player
        move red from left_over to held of p quietly
play
    repeat 9 times
        for each me in player
            me chooses turn
                lay(played: held of me) if size of held of me > 0
                    move played from held of me to open
                otherwise
                    nothing
            me chooses other
                show(shown: held of me)
                    nothing
                pass
                    nothing
    end game

winner p
    most size of held of p
"""
    sample = match(write_rules(tmp_path, rules))
    assert len(sample.state.legal_moves()) == 1
    assert forced_move(sample.state) == "private"
    sample.play(sample.state.legal_moves()[0])
    # The hand is visibly empty, so all players know that nothing can be shown.
    assert sample.state.write(sample.state.legal_moves()[0]) == "pass"
    assert forced_move(sample.state) == "public"


def test_timed_puzzle_is_never_forced() -> None:
    sample = match("ubongo", 2)
    while sample.state.clock is None:
        sample.play(sample.state.legal_moves()[0])
    assert forced_move(sample.state) == ""

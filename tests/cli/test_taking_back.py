"""What `undo` takes back at a table with bots, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from tests.cli.test_outlook import Sitting
from tests.small_games import written


def test_what_bots_did_since_is_taken_back_with_the_own_step(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy,easy", "--seed", "3", "--lang", "it")
    result = wongar("play", "wongar/initiated", *seats, answers="1\nannulla\n")
    assert "Annullato." in result.out
    assert choices_in(wongar.saves()[0]) == []


def test_a_column_is_taken_back_with_the_answer_of_the_bot(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy", "--seed", "3", "--lang", "en")
    result = wongar("play", "connect_four", *seats, answers="drop(d1)\ndrop(d1)\nundo\n")
    assert "Taken back." in result.out
    assert len(choices_in(wongar.saves()[0])) == 2


def test_where_something_hidden_came_out_the_event_is_named(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,random,random", "--seed", "3", "--lang", "de")
    result = wongar("play", "wongar", *seats, answers="3\n4\n1\n6\n6\n6\nundo\n")
    refused = result.out[result.out.rindex("Das lässt sich nicht zurücknehmen") :].splitlines()
    assert "aufgedeckt" in refused[1]


SECRET = """
score points
cards leaves
    red
    blue
deck pack of leaves total 4
    2 red
    2 blue
hand held of each player holds leaves, seen by owner
heap away of each player holds leaves, seen by owner
setup
    for each p in player
        fill held of p with pack
play
    repeat 3 times
        for each me in player
            repeat 1 times
                me chooses turn
                    put(leaf: held of me)
                        move leaf from held of me to away of me quietly
                    shout
                        me gains 1 points
    end game

winner p
    most points of p
"""


def test_nobody_takes_back_the_secret_choice_of_another_who_does_not_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = written(tmp_path, SECRET)
    # The empty lines lift the curtain; no and yes answer the question whether Anna agrees.
    sitting = Sitting(rules, tmp_path, ["", "put(red)", "", "undo", "no", "undo", "yes", "", "put(blue)", ""])
    assert sitting.play() == ["put(blue)"]
    told = capsys.readouterr().out
    asked = [question for question in sitting.questions if "take your last decision back" in question]
    assert asked == ["Anna, may Ben take your last decision back?"] * 2
    assert told.count("The last decision was made by Anna") == 1
    # Both are told, each when they look; and nobody what the card was.
    assert told.count("Anna takes a decision back.") == 2


def test_who_takes_back_their_own_choice_is_not_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = written(tmp_path, SECRET.replace("repeat 1 times", "repeat 2 times"))
    sitting = Sitting(rules, tmp_path, ["", "shout", "undo", "put(blue)"])
    assert sitting.play() == ["put(blue)"]
    assert not any("take your last decision back" in question for question in sitting.questions)
    told = capsys.readouterr().out
    assert "Anna takes a decision back: Anna gains one point." in told


def test_where_nothing_is_hidden_all_are_told_what_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = Sitting("tictactoe", tmp_path, ["mark(a1)", "undo", "mark(b1)"])
    assert sitting.play() == ["mark(b1)"]
    told = capsys.readouterr().out
    assert "Anna takes a decision back: Anna " in told
    assert "take your last decision back" not in " ".join(sitting.questions)

"""`undo` at a table with bots or several players, and the reason if it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from tests.cli.test_forecast import Sitting
from tests.small_games import write_rules


def test_undo_includes_later_bot_moves(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy,easy", "--seed", "3", "--lang", "it")
    result = wongar("play", "wongar/initiated", *seats, answers="1\nannulla\n")
    assert "Annullato." in result.out
    assert choices_in(wongar.saves()[0]) == []


def test_undo_includes_the_reply_of_the_bot(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,easy", "--seed", "3", "--lang", "en")
    result = wongar("play", "connect_four", *seats, answers="drop(d1)\ndrop(d1)\nundo\n")
    assert "Taken back." in result.out
    assert len(choices_in(wongar.saves()[0])) == 2


def test_refused_undo_names_the_revealing_event(wongar: Command) -> None:
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


def test_undo_of_a_secret_choice_needs_the_consent_of_its_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = write_rules(tmp_path, SECRET)
    # The empty lines open the curtain; no and yes answer the question whether Anna agrees.
    sitting = Sitting(rules, tmp_path, ["", "put(red)", "", "undo", "no", "undo", "yes", "", "put(blue)", ""])
    assert sitting.play() == ["put(blue)"]
    output = capsys.readouterr().out
    consent_questions = [question for question in sitting.questions if "take your last decision back" in question]
    assert consent_questions == ["Anna, may Ben take your last decision back?"] * 2
    assert output.count("The last decision was made by Anna") == 1
    # Both players get the message in turn, and neither learns the card.
    assert output.count("Anna takes a decision back.") == 2


def test_undo_of_the_own_choice_needs_no_consent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = write_rules(tmp_path, SECRET.replace("repeat 1 times", "repeat 2 times"))
    sitting = Sitting(rules, tmp_path, ["", "shout", "undo", "put(blue)"])
    assert sitting.play() == ["put(blue)"]
    assert not any("take your last decision back" in question for question in sitting.questions)
    output = capsys.readouterr().out
    assert "Anna takes a decision back: Anna gains one point." in output


def test_undo_in_an_open_game_is_narrated_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitting = Sitting("tictactoe", tmp_path, ["mark(a1)", "undo", "mark(b1)"])
    assert sitting.play() == ["mark(b1)"]
    output = capsys.readouterr().out
    assert "Anna takes a decision back: Anna " in output
    assert "take your last decision back" not in " ".join(sitting.questions)

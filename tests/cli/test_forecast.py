"""At a terminal: forecasts of options, confirmation of costly choices, forced and repeated decisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from tests.small_games import write_rules
from wongar_dsl.cli.play.metacommands import Metacommands
from wongar_dsl.cli.play.terminal_session import LineSession
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.options.menu import Menu

COSTLY = """
score points
play
    repeat 2 times
        for each me in player
            me chooses turn
                pay
                    me loses 7 points
                nap
                    nothing
    end game

winner p
    most points of p
"""


class Sitting:
    """Game at an interactive screen, answered from a list."""

    def __init__(self, name: str | Path, folder: Path, answers: list[str], forecast: bool = True) -> None:
        rules = library.load(name)
        seats = [Seat("human", "Anna"), Seat("human", "Ben")]
        match = Match.begin(rules.game(2), seats, 3, rules.hash)
        self.session = GameSession(rules, match, Translator.load("en"), "", folder / "save.json")
        self.questions: list[str] = []
        self._answers: Iterator[str] = iter(answers)
        self.line_session = LineSession(self.session, Screen(interactive=True), self._read, forecast=forecast)

    def _read(self, question: str, menu: Menu, commands: Metacommands) -> str:
        self.questions.append(question)
        answer = next(self._answers, None)
        if answer is None:
            raise EOFError
        return answer

    def play(self) -> list[str]:
        self.line_session.run()
        return [step.text for step in self.session.match.steps]


def test_forecast_marks_a_winning_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2")]
    Sitting("tictactoe", tmp_path, answers).play()
    assert "so: Anna wins" in capsys.readouterr().out
    Sitting("tictactoe", tmp_path / "other", answers, forecast=False).play()
    assert "so: Anna wins" not in capsys.readouterr().out


def test_forecast_command_toggles_forecasts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2")]
    Sitting("tictactoe", tmp_path, [*answers, "forecast", "forecast"]).play()
    assert capsys.readouterr().out.count("so: Anna wins") == 2


def test_help_shows_the_full_forecast_of_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2")]
    Sitting("tictactoe", tmp_path, [*answers, "? mark(a3)"]).play()
    assert "This happens at once:" in capsys.readouterr().out


def test_costly_choice_needs_confirmation(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, COSTLY)
    sitting = Sitting(rules, tmp_path, ["pay", "no", "pay", "yes", "nap", "nap", "nap"])
    assert sitting.play() == ["pay", "nap", "nap", "nap"]
    assert sum("it would be much less" in question for question in sitting.questions) == 2


def test_no_confirmation_is_asked_without_a_terminal(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, COSTLY)
    result = wongar("play", str(rules), "--seats", "human,human", "--lang", "en", answers="pay\npay\nnap\nnap\n")
    assert result.code == 0
    assert "it would be much less" not in result.out
    assert "so:" not in result.out


def test_forced_move_is_made_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3")
    steps = Sitting("tictactoe", tmp_path, [f"mark({cell})" for cell in cells]).play()
    assert steps == [*(f"mark({cell})" for cell in cells), "mark(c3)"]
    assert "You have only one option" in capsys.readouterr().out


def test_undo_skips_forced_decisions(tmp_path: Path) -> None:
    lonely = """
play
    for each me in player
        me chooses turn
            left
                nothing
            right
                nothing
        me chooses only
            on
                nothing
    player(1) chooses last
        stop
            nothing
        halt
            nothing
    end game

winner p
    most points of p
score points
"""
    rules = write_rules(tmp_path, lonely)
    sitting = Sitting(rules, tmp_path, ["left", "right", "undo", "left", "undo", "undo", "right"])
    assert sitting.play() == ["right", "on"]


def test_forced_move_takes_a_line_without_a_terminal(wongar: Command) -> None:
    cells = "\n".join(f"mark({cell})" for cell in ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3"))
    result = wongar("play", "tictactoe", "--seats", "human,human", "--lang", "en", answers=f"{cells}\n")
    assert "only one option" not in result.out
    assert "draw" not in result.out


LANDING = """
enum piece = ship
enum shore = north, south, west
tokens at_sea holds piece, seen by all
tokens landed of each shore holds piece, seen by all
setup
    fill at_sea with 6 ship
play
    repeat 6 times
        player(1) chooses landing
            land(there: shore)
                move 1 ship from at_sea to landed of there
    player(2) wins
"""


def test_repeated_decisions_accept_a_list_of_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = write_rules(tmp_path, LANDING)
    steps = Sitting(rules, tmp_path, ["9x2, 1", "1x4, 2x9", "3x4, 1x2"]).play()
    out = capsys.readouterr().out
    assert sorted(steps) == ["land(north)"] * 2 + ["land(west)"] * 4
    assert "six times in a row" in out
    assert "1x5, 2" in out
    assert "You are asked this only six times, but you answered 13 times." in out


def test_script_can_answer_repeated_decisions_with_a_list(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, LANDING)
    result = wongar("play", str(rules), "--seats", "human,human", "--lang", "en", answers="2x6\n")
    assert "in a row" not in result.out
    assert "wins" in result.out


def test_answer_list_accepts_words_and_numbers(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, LANDING)
    for number, answers in enumerate(("north, 2x3, west, 1", "1 2x3 3 1")):
        save = tmp_path / f"save{number}.json"
        arguments = ("--seats", "human,human", "--lang", "en", "--save", str(save))
        assert "wins" in wongar("play", str(rules), *arguments, answers=f"{answers}\n").out
        assert sorted(choices_in(save)) == ["land(north)"] * 2 + ["land(south)"] * 3 + ["land(west)"]


def test_changes_are_repeated_below_a_large_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for lines, times in (("12", 2), ("60", 1)):
        monkeypatch.setenv("LINES", lines)
        monkeypatch.setenv("COLUMNS", "80")
        Sitting("tictactoe", tmp_path / lines, ["mark(a1)", "mark(b1)"]).play()
        out = capsys.readouterr().out
        assert out.count("Ben marks b1") == times

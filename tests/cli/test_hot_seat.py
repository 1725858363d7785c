"""Players sharing a keyboard: each has their own language and their own hidden information."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.session.test_game_summary import SECRET
from tests.small_games import write_rules
from wongar_dsl.cli.play.metacommands import Metacommands
from wongar_dsl.cli.play.player_language import load_player_languages
from wongar_dsl.cli.play.terminal_session import LineSession
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves.saves import SaveError, read_save
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.options.menu import Menu
from wongar_dsl.session.seats.seat_spec import read_seats

BOTH = "human:Jan@nl,human:Anna@de"


class Keyboard:
    """Game at an interactive screen that records its questions."""

    def __init__(self, name: str | Path, seats: str, folder: Path, answers: list[str]) -> None:
        rules, sitting = library.load(name), read_seats(seats)
        match = Match.begin(rules.game(len(sitting)), sitting, 7, rules.hash)
        self.session = GameSession(rules, match, Translator.load("en"), "", folder / "save.json")
        load_player_languages(self.session)
        self.questions: list[str] = []
        self._answers: Iterator[str] = iter(answers)
        LineSession(self.session, Screen(interactive=True), self._read).run()

    def _read(self, question: str, menu: Menu, commands: Metacommands) -> str:
        self.questions.append(question)
        answer = next(self._answers, None)
        if answer is None:
            raise EOFError
        return answer


def test_each_player_is_asked_in_their_own_language(wongar: Command) -> None:
    moves = "\n".join(f"mark({cell})" for cell in ("a1", "b1", "a2", "b2", "a3"))
    result = wongar("play", "tictactoe", "--seats", BOTH, "--lang", "en", answers=f"{moves}\n")
    assert result.code == 0
    assert result.out.index("Jan, welk veld") < result.out.index("Anna, welches Feld")
    assert "The winning line" in result.out


def test_languages_are_stored_in_the_save(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    wongar("play", "tictactoe", "--seats", BOTH, "--lang", "en", "--save", str(path), answers="mark(a1)\nlang it\n")
    saved = read_save(path)
    assert [seat.language for seat in saved.seats] == ["nl", "it"]
    assert saved.language == "en"
    result = wongar("resume", str(path), answers="mark(b1)\n")
    assert "Anna, quale casella" in result.out
    assert "Jan, welk veld" in result.out


def test_lang_command_changes_only_the_language_of_its_player(wongar: Command) -> None:
    answers = "lang it\nmark(a1)\nmark(b1)\n"
    result = wongar("play", "tictactoe", "--seats", "human:Jan,human:Anna", "--lang", "en", answers=answers)
    assert "Jan, d’ora in poi questa è la tua lingua: Italiano." in result.out
    assert "Anna, which square" in result.out
    assert result.out.rindex("Jan, quale casella") > result.out.rindex("Anna, which square")


def test_single_human_player_can_have_a_language(wongar: Command) -> None:
    answers = "mark(a1)\nlang de\n"
    result = wongar(
        "play", "tictactoe", "--seats", "human:Jan@nl,random", "--lang", "en", "--seed", "1", answers=answers
    )
    assert "Jan, welk veld" in result.out
    assert "Jan, welches Feld" in result.out


@pytest.mark.parametrize(("seats", "code"), [("human:Jan@xx,human", 2), ("greedy@nl,human", 2)])
def test_unknown_language_is_refused(wongar: Command, seats: str, code: int) -> None:
    result = wongar("play", "tictactoe", "--seats", seats, "--lang", "en")
    assert result.code == code
    assert "Traceback" not in result.err
    assert result.err.strip()
    assert wongar.saves() == []


def test_save_without_languages_is_read(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    seats = ("--seats", "human:Jan,human:Anna")
    wongar("play", "tictactoe", *seats, "--lang", "en", "--save", str(path), answers="mark(a1)\n")
    head = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert head["seats"] == [{"kind": "human", "name": "Jan"}, {"kind": "human", "name": "Anna"}]
    assert [seat.language for seat in read_save(path).seats] == ["", ""]


@pytest.mark.parametrize("tongue", [7, "x" * 99, "\x1b"])
def test_invalid_language_in_a_save_is_an_error(wongar: Command, tmp_path: Path, tongue: object) -> None:
    path = tmp_path / "game.json"
    wongar("play", "tictactoe", "--seats", BOTH, "--lang", "en", "--save", str(path), answers="mark(a1)\n")
    head, *rest = path.read_text(encoding="utf-8").splitlines()
    changed = json.loads(head)
    changed["seats"][0]["language"] = tongue
    path.write_text("\n".join([json.dumps(changed), *rest]) + "\n", encoding="utf-8")
    with pytest.raises(SaveError):
        read_save(path)


def test_missing_language_of_a_save_falls_back_to_the_table(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    wongar("play", "tictactoe", "--seats", BOTH, "--lang", "en", "--save", str(path), answers="mark(a1)\n")
    path.write_text(path.read_text(encoding="utf-8").replace('"de"', '"xx"'), encoding="utf-8")
    result = wongar("resume", str(path), answers="")
    assert result.code == 0
    assert "Anna, which square" in result.out


def test_drawn_card_is_shown_once_before_the_curtain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = Keyboard(write_rules(tmp_path, SECRET), BOTH, tmp_path, ["", "peek", "", ""])
    first, move, seen, passed, *_ = keyboard.questions
    assert first.startswith("Jan, jij bent aan de beurt")
    assert move == ""
    assert seen == "Gezien? Enter dekt alles af."
    assert passed == "Weiter mit Enter, sobald sonst niemand zusieht."
    out = capsys.readouterr().out
    assert "Nieuw, en alleen voor jouw ogen, Jan:" in out
    assert "Anna, du bist an der Reihe. Nimm die Tastatur; was nur Jan sehen darf, ist verdeckt." in out


def test_game_without_secrets_has_no_curtain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = Keyboard("tictactoe", BOTH, tmp_path, [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2", "a3")])
    assert set(keyboard.questions) == {""}
    out = capsys.readouterr().out
    assert "Jan, welk veld" in out
    assert "Anna, welches Feld" in out


@pytest.mark.parametrize("agreed", [True, False])
def test_consent_to_an_undo_is_asked_and_read_in_the_language_of_its_player(
    agreed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rules(tmp_path, SECRET)
    answers = ["", "rest", "", "zurück", "ja" if agreed else "nee"]
    keyboard = Keyboard(path, BOTH, tmp_path, answers)
    assert "Jan, mag Anna je laatste keuze terugnemen?" in "\n".join(keyboard.questions)
    out = capsys.readouterr().out
    assert ("Die letzte Entscheidung hat Jan getroffen" in out) is not agreed
    assert keyboard.session.match.state.seat == (0 if agreed else 1)

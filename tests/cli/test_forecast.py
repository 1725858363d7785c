"""At a terminal: forecasts, hints, costly, forced and repeated decisions, `undo`, and players who share a keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from tests.cli.command import Command
from tests.session.test_ending import SECRET
from tests.small_games import write_rules
from wongar_dsl.cli.play import metacommands as hint
from wongar_dsl.cli.play.metacommands import Metacommands, load_player_languages
from wongar_dsl.cli.play.terminal_session import LineSession
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError, read_save
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.seats import read_seats

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


ANNA_AND_BEN = "human:Anna,human:Ben"


class Sitting:
    """Game at an interactive screen, answered from a list."""

    def __init__(
        self, name: str | Path, folder: Path, answers: list[str], forecast: bool = True, seats: str = ANNA_AND_BEN,
        language: str = "en",
    ) -> None:  # fmt: skip
        rules = library.load(name)
        match = Match.begin(rules.game(2), read_seats(seats), 3, rules.hash)
        self.session = GameSession(rules, match, Translator.load(language), "", folder / "save.json")
        load_player_languages(self.session)
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
    # A command hides and shows forecasts; help is longer.
    Sitting("tictactoe", tmp_path, [*answers, "forecast", "forecast", "? mark(a3)"]).play()
    out = capsys.readouterr().out
    assert out.count("so: Anna wins") == 2
    assert "This happens at once:" in out
    Sitting("tictactoe", tmp_path / "other", answers, forecast=False).play()
    assert "so: Anna wins" not in capsys.readouterr().out


def test_costly_choice_needs_confirmation(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, COSTLY)
    sitting = Sitting(rules, tmp_path, ["pay", "no", "pay", "yes", "nap", "nap", "nap"])
    assert sitting.play() == ["pay", "nap", "nap", "nap"]
    assert sum("it would be much less" in question for question in sitting.questions) == 2


def test_no_confirmation_is_asked_without_a_terminal(wongar: Command, tmp_path: Path) -> None:
    result = wongar.play(write_rules(tmp_path, COSTLY), "pay", "pay", "nap", "nap")
    assert result.code == 0
    assert not re.search("it would be much less|so:", result.out)


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


def test_answer_list_accepts_words_and_numbers(wongar: Command, tmp_path: Path) -> None:
    for answers in ("north, 2x3, west, 1", "1 2x3 3 1"):
        result = wongar.play(write_rules(tmp_path, LANDING), answers)
        assert ("wins" in result.out, "in a row" in result.out) == (True, False)
        assert sorted(result.choices) == ["land(north)"] * 2 + ["land(south)"] * 3 + ["land(west)"]


def test_changes_are_repeated_below_a_large_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for lines, times in (("12", 2), ("60", 1)):
        monkeypatch.setenv("LINES", lines)
        monkeypatch.setenv("COLUMNS", "80")
        Sitting("tictactoe", tmp_path / lines, ["mark(a1)", "mark(b1)"]).play()
        out = capsys.readouterr().out
        assert out.count("Ben marks b1") == times


@pytest.fixture(autouse=True)
def small_search_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "BUDGET", SearchBudget(100))


@pytest.mark.parametrize(
    ("language", "word", "parts"),
    [
        ("de", "tipp", ["Nach allem, was du sehen kannst, sieht das am besten aus:", "– Aussicht auf den Sieg: "]),
        ("nl", "tip", ["Voor zover je kunt zien, ziet dit er het beste uit:", "– kans om te winnen: "]),
        ("it", "consiglio", ["Per quello che puoi vedere, sembra meglio:", "– probabilità di vincere: "]),
        ("en", "hint", ["From what you can see, this looks best:", "– chance of winning: "]),
    ],
)
def test_a_hint_names_options_with_their_numbers(wongar: Command, language: str, word: str, parts: list[str]) -> None:
    cells = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2")]
    answer = wongar.play("tictactoe", *cells, word, "quit", lang=language).replies[4]
    assert all(part in answer for part in parts), answer
    assert re.match(r"[^\n]+:\n  +\d+ .*a3", answer), answer
    # Equal chances are stated once.
    wongar.patch.setattr(hint, "probability_text", lambda words, share, certain: "some")
    head, *options = wongar.play("tictactoe", *cells, word, "quit", lang=language).replies[4].strip().splitlines()
    assert head.endswith("some")
    assert len(options) > 1
    assert not any("some" in option for option in options)


def test_slow_hint_is_announced_to_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output for a program does not depend on how long a search takes."""
    session, search = Sitting("tictactoe", tmp_path, [], language="nl").session, hint.hint
    for interactive, delay, announced in ((True, 0.05, True), (True, 60.0, False), (False, 0.05, False)):
        monkeypatch.setattr(hint, "NOTICE_DELAY_S", delay)
        display = LineSession(session, Screen(interactive=interactive), lambda *_: "").display
        printed, announce = Event(), display.screen.announce
        # The search ends when the notice is there, or long after a notice that must not come.
        seconds = 30.0 if announced else 0.25
        monkeypatch.setattr(display.screen, "announce", lambda text, say=announce, end=printed: (say(text), end.set()))
        monkeypatch.setattr(hint, "hint", lambda *given, end=printed, s=seconds: (end.wait(s), search(*given))[1])
        hint.show_hint(display, Menu.of(session.match.state, session.narrator))
        assert capsys.readouterr().out.startswith("Er wordt een tip gezocht …\n") is announced


def test_bot_levels_are_named(wongar: Command) -> None:
    played = wongar("play", "nim", "--seats", "easy,mcts:20", "--seed", "2", "--lang", "it")
    assert played.code == 0
    assert all(name in played.out for name in ("computer, facile", "computer, ricerca 20")), played.out


def test_undo_needs_no_consent_in_an_open_game_and_is_narrated_in_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = Sitting("tictactoe", tmp_path, ["mark(a1)", "undo", "mark(b1)"])
    assert sitting.play() == ["mark(b1)"]
    assert "Anna takes a decision back: Anna " in capsys.readouterr().out
    assert "take your last decision back" not in " ".join(sitting.questions)


BOTH = "human:Jan@nl,human:Anna@de"


def test_lang_command_changes_only_the_language_of_its_player_and_is_saved(wongar: Command) -> None:
    result = wongar.play("tictactoe", "lang it", "mark(a1)", "mark(b1)", "lang nl", seats="human:Jan,human:Anna@de")
    assert "Jan, d’ora in poi questa è la tua lingua: Italiano." in result.out
    assert "Anna, welches Feld" in result.out
    # In a game without secrets nothing is covered.
    assert "no one else is looking" not in result.out
    saved = read_save(result.save)
    assert ([seat.language for seat in saved.seats], saved.language) == (["nl", "de"], "en")
    resumed = wongar("resume", str(result.save), answers="mark(a2)\n").out
    assert "Jan, welk veld" in resumed
    assert "Anna, welches Feld" in resumed


@pytest.mark.parametrize("seats", ["human:Jan@xx,human", "greedy@nl,human"])
def test_unknown_language_is_refused(wongar: Command, seats: str) -> None:
    result = wongar.play("tictactoe", seats=seats)
    assert (result.code, len(result.err.splitlines()), result.save.exists()) == (2, 1, False)


def test_unusable_language_of_a_save_is_an_error_or_that_of_the_table(wongar: Command) -> None:
    path = wongar.play("tictactoe", "mark(a1)", seats=BOTH).save
    text = path.read_text(encoding="utf-8")
    for tongue in (7, "x" * 99, "\x1b"):
        path.write_text(text.replace('"de"', json.dumps(tongue)), encoding="utf-8")
        with pytest.raises(SaveError):
            read_save(path)
    path.write_text(text.replace('"de"', '"xx"'), encoding="utf-8")
    result = wongar("resume", str(path), answers="")
    assert result.code == 0
    assert "Anna, which square" in result.out


def test_drawn_card_is_shown_once_before_the_curtain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = Sitting(write_rules(tmp_path, SECRET), tmp_path, ["", "peek", "", ""], seats=BOTH)
    keyboard.play()
    first, move, seen, passed, *_ = keyboard.questions
    assert first.startswith("Jan, jij bent aan de beurt")
    assert move == ""
    assert seen == "Gezien? Enter dekt alles af."
    assert passed == "Weiter mit Enter, sobald sonst niemand zusieht."
    out = capsys.readouterr().out
    assert "Nieuw, en alleen voor jouw ogen, Jan:" in out
    assert "Anna, du bist an der Reihe. Nimm die Tastatur; was nur Jan sehen darf, ist verdeckt." in out


@pytest.mark.parametrize("agreed", [True, False])
def test_consent_to_an_undo_is_asked_and_read_in_the_language_of_its_player(
    agreed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rules(tmp_path, SECRET)
    answers = ["", "rest", "", "zurück", "ja" if agreed else "nee"]
    keyboard = Sitting(path, tmp_path, answers, seats=BOTH)
    keyboard.play()
    assert "Jan, mag Anna je laatste keuze terugnemen?" in "\n".join(keyboard.questions)
    out = capsys.readouterr().out
    assert ("Die letzte Entscheidung hat Jan getroffen" in out) is not agreed
    assert keyboard.session.match.state.seat == (0 if agreed else 1)

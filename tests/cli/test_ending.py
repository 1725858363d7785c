"""End of a game at the table: points and their curves, the deciding line, and the rematch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.cli.test_forecast import Sitting
from tests.session.test_forecast import narrator
from tests.session.test_game_summary import RACE
from tests.session.test_tiebreak_values import HOARD
from tests.small_games import write_rules
from wongar_dsl.base.text.width import width as cells_of
from wongar_dsl.cli.play.ending import curves
from wongar_dsl.cli.play.rematch import wants_rematch
from wongar_dsl.cli.play.results import scores
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.board.puzzle import Puzzle
from wongar_dsl.session.ending.game_summary import ScoreHistory, ScoreRow
from wongar_dsl.session.game_session import reopen_save

WON = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2", "a3")]


@pytest.mark.parametrize(
    ("language", "told"),
    [("de", "Punkte, Runde für Runde"), ("nl", "Punten, ronde na ronde"), ("it", "Punti, giro dopo giro"),
     ("en", "Points, round by round")],
)  # fmt: skip
def test_the_points_are_drawn_round_by_round(wongar: Command, tmp_path: Path, language: str, told: str) -> None:
    rules = write_rules(tmp_path, RACE)
    answers = "leap\nwalk\nwalk\nwalk\nwalk\nleap\n"
    result = wongar("play", str(rules), "--seats", "human:Anna,human:Ben", "--lang", language, answers=answers)
    assert result.code == 0
    assert told in result.out
    assert "  Anna 0 ▁▆▇█ 7\n  Ben  0 ▁▂▃█ 7\n" in result.out


def test_curve_is_drawn_with_ascii_characters(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, RACE)
    answers = "leap\nwalk\nwalk\nwalk\nwalk\nleap\n"
    result = wongar.in_ascii("play", str(rules), "--seats", "human:Anna,human:Ben", "--lang", "en", answers=answers)
    assert "  Anna 0 _+*# 7\n  Ben  0 _.:# 7\n" in result.out


def test_a_long_game_has_a_curve_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    match = Sitting("tictactoe", tmp_path, []).session.match
    points = tuple((number, -number) for number in range(401))
    drawn = [line_text(line) for line in curves(ScoreHistory(tuple(range(1, 401)), points), narrator(match), Screen())]
    assert all(len(line) <= 50 for line in drawn)
    assert drawn[0].endswith("  400")
    assert drawn[1].endswith(" -400") or drawn[1].endswith(" −400")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_that_wins_is_named(wongar: Command, language: str) -> None:
    result = wongar("play", "tictactoe", "--seats", "human,human", "--lang", language, answers="\n".join(WON) + "\n")
    assert ": a3, a2 " in result.out


def test_no_rematch_is_offered_without_a_terminal(wongar: Command) -> None:
    result = wongar("play", "tictactoe", "--seats", "human,human", "--lang", "en", answers="\n".join(WON) + "\n\n\n")
    assert "Play again" not in result.out
    assert len(wongar.saves()) == 1


@pytest.mark.parametrize(
    ("answer", "more"), [("", False), ("yes", True), ("Y", True), ("n", False), ("no", False), ("b2", False)]
)
def test_only_yes_starts_a_rematch(tmp_path: Path, answer: str, more: bool) -> None:
    sitting = Sitting("tictactoe", tmp_path, [*WON, answer])
    sitting.play()
    assert wants_rematch(sitting.line_session) is more
    assert "Play again" in sitting.questions[-1]


def test_abandoned_game_offers_no_rematch(tmp_path: Path) -> None:
    sitting = Sitting("tictactoe", tmp_path, [*WON[:2], "quit"])
    sitting.play()
    assert not wants_rematch(sitting.line_session)


def test_rematch_rotates_the_seats_and_keeps_the_old_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Sitting("tictactoe", tmp_path, WON)
    old.play()
    monkeypatch.setattr("wongar_dsl.session.game_session.new_seed", lambda: 77)
    new = old.session.rematch(tmp_path / "rematch.json")
    assert new.names == ("Ben", "Anna")
    assert (new.match.seed, new.match.rules_hash) == (77, old.session.match.rules_hash)
    assert new.words is old.session.words
    new.save()
    new.close()
    assert new.path != old.session.path
    assert read_save(old.session.path).over
    assert not read_save(new.path).choices


def test_yes_at_a_terminal_starts_a_rematch_with_rotated_seats(wongar: Command) -> None:
    seats = ("--seats", "human:Anna,human:Ben", "--lang", "en", "--plain")
    with wongar.terminal("play", "tictactoe", *seats) as terminal:
        for move in WON:
            terminal.prompt()
            terminal.type(f"{move}\r")
        terminal.wait_for("Play again")
        terminal.wait_for("?25h")
        terminal.type("y\r")
        terminal.wait_for("Ben")
        terminal.prompt()
        terminal.type("quit\r")
        terminal.rest()
    assert len(wongar.saves()) == 2
    first, second = (read_save(path) for path in wongar.saves())
    assert sorted([first.over, second.over]) == [False, True]


SOLVED = {
    "de": "so wäre es aufgegangen",
    "nl": "zo had het gekund",
    "it": "ecco come si poteva risolvere",
    "en": "this would have been a solution",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_loser_of_a_puzzle_is_shown_a_solution(wongar: Command, language: str) -> None:
    seats = ("--seats", "human:Jan,random", "--seed", "3")
    result = wongar("play", "ubongo", *seats, "--lang", language, answers="1\ngive_up\n")
    _, shown = result.out.split(f"Jan, {SOLVED[language]}:\n")
    assert shown.startswith("JJJJJJJJJJJJDDDD\nJJJJJJJJJJJJDDDD\n    JJJJJJJJDDDD\n")
    match = reopen_save(wongar.saves()[0], "python", None).match
    lost = next(step.number for step in match.steps if step.text == "give_up")
    puzzle = Puzzle.of(State(match.game, match.state_before(lost)))
    assert puzzle is not None
    assert "JJJD/.JJD/.FFD/.FFD" in puzzle.solutions


def test_no_solution_is_shown_while_the_puzzle_is_repeated(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,human:Anna", "--seed", "3", "--lang", "en")
    once = wongar("play", "ubongo", *seats, answers="1\n1\ngive_up\ngive_up\n")
    assert "The sand timer is turned once more" in once.out
    assert SOLVED["en"] not in once.out
    twice = wongar("play", "ubongo", *seats, answers="1\n1\n" + "give_up\n" * 4)
    assert f"Jan, {SOLVED['en']}" in twice.out


def test_solver_of_a_puzzle_is_shown_no_solution(wongar: Command) -> None:
    seats = ("--seats", "human:Jan,random", "--seed", "3", "--lang", "en")
    result = wongar("play", "ubongo", *seats, answers="1\nsolve(JJJD/.JJD/.FFD/.FFD) @ 12\n")
    assert SOLVED["en"] not in result.out


def test_last_move_is_repeated_below_a_large_picture(
    wongar: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Sitting("tictactoe", tmp_path, WON).play()
    assert "The last move: Anna marks a3." in capsys.readouterr().out
    result = wongar("play", "tictactoe", "--seats", "human,human", "--lang", "en", answers="\n".join(WON) + "\n")
    assert "The last move" not in result.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_of_a_game_without_points_shows_compared_values(wongar: Command, tmp_path: Path, language: str) -> None:
    rules = write_rules(tmp_path, HOARD)
    answers = "earn\nhide\nearn\nowe\n"
    result = wongar("play", str(rules), "--seats", "human:Anna,human:Ben", "--lang", language, answers=answers)
    assert result.code == 0
    lines = [line.split() for line in result.out.splitlines()]
    assert ["Chest", "2", "0"] in lines
    assert ["Debts", "0", "1"] in lines
    (save,) = wongar.saves()
    assert ["Chest", "2", "0"] in [line.split() for line in wongar("log", str(save)).out.splitlines()]


LONG_NAMES = (
    "Maximiliane von Hoch",
    "Bartholomew Nuttall",
    "Konstantin Wittgens",
    "Anna-Lena Fuerchteg",
    "Theodora P",
    "Y",
)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("language", LANGUAGES)
def test_winner_is_seen_at_every_width(language: str, players: int) -> None:
    game = load("tongiaki").game(players)
    told, winner = Narrator(game, Translator.load(language), LONG_NAMES[:players]), players - 1
    rows = [ScoreRow(name, tuple(range(players)), total=name == "Total") for name in ("Origin of points", "Total")]
    for columns in (40, 60, 80, 100):
        lines = [line_text(line) for line in scores(told, rows, (winner,), columns)]
        assert max(map(cells_of, lines)) <= columns
        # The winner is marked in the heading of the table, or has the first paragraph.
        assert f"*{LONG_NAMES[winner]}" in lines[1] or lines[1].startswith(f"{LONG_NAMES[winner]} (")
        assert any(told.words.term("winner") in line for line in lines)

"""End of a game at the table: tables of points and their curves, the deciding line, and the rematch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.cli.test_forecast import Sitting
from tests.session.test_ending import HOARD, RACE
from tests.session.test_forecast import narrator
from tests.small_games import write_rules
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.cli.play.ending import curves, scores
from wongar_dsl.cli.play.terminal_session import wants_rematch
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.engine.saves import read_save
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.ending import ScoreHistory, ScoreRow
from wongar_dsl.session.game_session import reopen_save
from wongar_dsl.session.puzzle import Puzzle

WON = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2", "a3")]


def test_the_points_are_drawn_round_by_round(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, RACE)
    answers = "leap\nwalk\nwalk\nwalk\nwalk\nleap\n"
    for play, drawn in ((wongar, ("▁▆▇█", "▁▂▃█")), (wongar.in_ascii, ("_+*#", "_.:#"))):
        result = play("play", str(rules), "--seats", "human:Anna,human:Ben", "--lang", "nl", answers=answers)
        assert result.code == 0
        assert "Punten, ronde na ronde" in result.out
        assert f"  Anna 0 {drawn[0]} 7\n  Ben  0 {drawn[1]} 7\n" in result.out


def test_a_long_game_has_a_curve_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    match = Sitting("tictactoe", tmp_path, []).session.match
    points = tuple((number, -number) for number in range(401))
    drawn = [line_text(line) for line in curves(ScoreHistory(tuple(range(1, 401)), points), narrator(match), Screen())]
    assert all(len(line) <= 50 for line in drawn)
    assert drawn[0].endswith("  400")
    assert drawn[1].endswith(" -400") or drawn[1].endswith(" −400")


def test_the_line_that_wins_is_named_and_no_rematch_offered_without_a_terminal(wongar: Command) -> None:
    result = wongar("play", "tictactoe", "--seats", "human,human", "--lang", "en", answers="\n".join(WON) + "\n\n\n")
    assert ": a3, a2 " in result.out
    assert "Play again" not in result.out
    # Only at a terminal, the last move is repeated below a large picture.
    assert "The last move" not in result.out
    assert len(wongar.saves()) == 1


@pytest.mark.parametrize(("answer", "more"), [("", False), ("yes", True), ("Y", True), ("no", False), ("b2", False)])
def test_only_yes_starts_a_rematch(tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, more: bool) -> None:
    sitting = Sitting("tictactoe", tmp_path, [*WON, answer])
    sitting.play()
    assert "The last move: Anna marks a3." in capsys.readouterr().out
    assert wants_rematch(sitting.line_session) is more
    assert "Play again" in sitting.questions[-1]


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
    # The seats are rotated.
    assert {tuple(seat.name for seat in save.seats) for save in (first, second)} == {("Anna", "Ben"), ("Ben", "Anna")}


def test_loser_of_a_puzzle_is_shown_a_solution(wongar: Command) -> None:
    seats, solved = {"seats": "human:Jan,random", "seed": 3, "lang": "it"}, "Jan, ecco come si poteva risolvere:\n"
    assert solved not in wongar.play("ubongo", "1", "solve(JJJD/.JJD/.FFD/.FFD) @ 12", **seats).out
    result = wongar.play("ubongo", "1", "give_up", **seats)
    _, shown = result.out.split(solved)
    assert shown.startswith("JJJJJJJJJJJJDDDD\nJJJJJJJJJJJJDDDD\n    JJJJJJJJDDDD\n")
    match = reopen_save(result.save, "python", None).match
    lost = next(step.number for step in match.steps if step.text == "give_up")
    puzzle = Puzzle.of(State(match.game, match.state_before(lost)))
    assert puzzle is not None
    assert "JJJD/.JJD/.FFD/.FFD" in puzzle.solutions
    # The log draws it as well, for those who may know it.
    for viewer, drawn in (("1", True), ("2", False)):
        assert (solved in wongar("log", str(result.save), "--for", viewer, "--lang", "it").out) is drawn


def test_no_solution_is_shown_while_the_puzzle_is_repeated(wongar: Command) -> None:
    seats, solved = {"seats": "human:Jan,human:Anna", "seed": 3}, "this would have been a solution"
    once = wongar.play("ubongo", "1", "1", "give_up", "give_up", **seats)
    assert "The sand timer is turned once more" in once.out
    assert solved not in once.out + wongar("log", str(once.save), "--for", "1", "--lang", "en").out
    assert f"Jan, {solved}" in wongar.play("ubongo", "1", "1", *["give_up"] * 4, **seats).out


def test_end_of_a_game_without_points_shows_compared_values(wongar: Command, tmp_path: Path) -> None:
    result = wongar.play(write_rules(tmp_path, HOARD), "earn", "hide", "earn", "owe", lang="de")
    assert result.code == 0
    lines = [line.split() for line in result.out.splitlines()]
    assert ["Chest", "2", "0"] in lines
    assert ["Debts", "0", "1"] in lines
    assert ["Chest", "2", "0"] in [line.split() for line in wongar("log", str(result.save)).out.splitlines()]


LONG_NAMES = ("Maximiliane von Hoch", "Bartholomew Nuttall", "Konstantin Wittgens", "Anna-Lena F", "Theodora P", "Y")


@pytest.mark.parametrize(("players", "language"), [(2, "de"), (3, "nl"), (4, "it"), (5, "en"), (6, "de")])
def test_winner_is_seen_at_every_width(players: int, language: str) -> None:
    game = load("tongiaki").game(players)
    told, winner = Narrator(game, Translator.load(language), LONG_NAMES[:players]), players - 1
    rows = [ScoreRow(name, tuple(range(players)), total=name == "Total") for name in ("Origin of points", "Total")]
    for columns in (40, 60, 80, 100):
        lines = [line_text(line) for line in scores(told, rows, (winner,), columns)]
        assert max(map(cells_of, lines)) <= columns
        # The winner is marked in the heading of the table, or has the first paragraph.
        assert f"*{LONG_NAMES[winner]}" in lines[1] or lines[1].startswith(f"{LONG_NAMES[winner]} (")
        assert any(told.words.term("winner") in line for line in lines)


def test_winner_columns_are_aligned_with_their_points(wongar: Command) -> None:
    seats = ("--seats", "random:Max,random:Anna", "--seed", "2", "--lang", "de")
    lines = wongar("play", "goofspiel", *seats).out.splitlines()
    points = next(line for line in lines if line.startswith("Punkte"))
    rule, head = lines[lines.index(points) - 1], lines[lines.index(points) - 2]
    assert "*" in head
    assert len(head) == len(rule) == len(points)


def test_wide_player_table_has_one_row_per_player(wongar: Command) -> None:
    out = wongar.play("wongar/initiated", "1", seats="human:Lois,random:Max,random:Beatrix", seed=4, lang="nl").out
    rows = [line for line in out.splitlines() if line.startswith(("▶ Lois  ", "  Max  ", "  Beatrix  "))]
    assert len(rows) >= 6
    columns = {line.rstrip().find("  ", 11) for line in rows[:3]}
    assert len(columns) == 1


def test_provisional_scores_follow_the_points(wongar: Command) -> None:
    # In Wongar the cards of other players are unknown.
    for game, provisional in (("tongiaki", True), ("wongar", False)):
        played = wongar.play(game, "1", seats="human:Lois,random,random", seed=4, lang="de", drawn=True)
        assert ("Punkte  Zwischenstand" in played.out) is provisional
        assert ("Zwischenstand" in played.out) is provisional

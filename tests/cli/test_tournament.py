"""`wongar tournament`: report as text and as data, interruption, and errors."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.lab.tournament import GameResult, TournamentPlan
from wongar_dsl.lab.workers.processes import WorkersLost

from .command import LANGUAGES, Command

NIM = ("tournament", "nim", "--bots", "greedy,random", "--games", "6", "--seed", "2")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Nim, 2 Plätze: Turnier", "in allen Sitzordnungen", "greedy – random: 6 Partien", "% der Siege"]),
        ("nl", ["Nim, 2 plaatsen: toernooi", "in alle volgordes", "greedy – random: 6 partijen", "% van de overwinn"]),
        ("it", ["Nim, 2 posti: torneo", "in tutti gli ordini", "greedy – random: 6 partite", "% delle vittorie"]),
        ("en", ["Nim, 2 seats: tournament", "in every order", "greedy – random: 6 games", "% of the wins"]),
    ],
)
def test_tournament_is_reported_in_every_language(wongar: Command, language: str, parts: list[str]) -> None:
    result = wongar(*NIM, "--lang", language)
    assert (result.code, result.err) == (0, "")
    assert all(part in result.out for part in parts), result.out
    assert re.search(r"\n  (greedy|random)  [+−±]\d+ \(", result.out)


def test_json_has_shares_intervals_and_ratings(wongar: Command) -> None:
    data = json.loads(wongar(*NIM, "--format", "json").out)
    met = data["meetings"][0]
    assert (met["bots"], met["games"], met["even"]) == (["greedy", "random"], 6, [0.5, 0.5])
    assert sum(met["shares"]) == pytest.approx(1)
    assert all(low <= share <= high for share, (low, high) in zip(met["shares"], met["intervals"], strict=True))
    assert data["ratings"].keys() == {"greedy", "random"}


def test_csv_has_one_row_per_game_and_seat(wongar: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(wongar(*NIM, "--format", "csv").out)))
    assert len(rows) == 12
    assert [row["bot"] for row in rows[:4]] == ["greedy", "random", "random", "greedy"]
    assert {row["opening"] for row in rows} == {"1", "2", "3"}


def test_interrupted_tournament_reports_complete_openings(wongar: Command) -> None:
    def play_and_interrupt(plan: TournamentPlan, *_: object) -> Iterator[GameResult]:
        for opening, seating in ((0, (0, 1)), (0, (1, 0)), (1, (0, 1))):
            yield GameResult(opening, 0, seating, (1.0, 0.0), True, True, 5)
        raise KeyboardInterrupt

    wongar.patch.setattr("wongar_dsl.lab.tournament.play", play_and_interrupt)
    result = wongar(*NIM, "--lang", "en")
    assert result.code == 130
    assert "Games played: 3 of 6" in result.err
    assert "greedy – random: 2 games" in result.out
    assert "Not counted, because their opening was not played in every order: one game" in result.out


#: Rules with a run-time error in one of 100 games.
FAULTY = """game faulty
    players 2
    source house rule
remember n: number 0 to 49 = 0
play
    let many = random k in 1 to 50
    player(1) chooses t
        end
            set n to many
        stay
            nothing
    player(1) wins
"""


def test_games_before_a_run_time_error_are_reported(wongar: Command, tmp_path: Path) -> None:
    rules = tmp_path / "faulty.rules"
    rules.write_text(FAULTY)
    failed = wongar("tournament", str(rules), "--bots", "random,quick", "--games", "2000", "--format", "json")
    games = json.loads(failed.out)["games"]
    assert (failed.code, 0 < games < 2000) == (1, True)
    assert "of 2,000." in failed.err
    assert "error R0603" in failed.err


def test_games_before_a_lost_worker_are_reported(wongar: Command) -> None:
    def play_and_lose_workers(plan: TournamentPlan, *_: object) -> Iterator[GameResult]:
        yield from (GameResult(0, 0, seating, (1.0, 0.0), True, True, 5) for seating in ((0, 1), (1, 0)))
        raise WorkersLost

    wongar.patch.setattr("wongar_dsl.lab.tournament.play", play_and_lose_workers)
    lost = wongar(*NIM, "--format", "json")
    assert (lost.code, json.loads(lost.out)["games"]) == (1, 2)
    assert lost.err.endswith("Use --jobs to play fewer games at once.\n")


def test_missing_library_omits_only_the_ratings(wongar: Command) -> None:
    wongar.patch.setitem(sys.modules, "choix", None)
    result = wongar(*NIM, "--lang", "en")
    assert result.code == 0
    assert "pip install 'wongar[ratings]'" in result.err
    assert "of the wins" in result.out
    assert "Ratings" not in result.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("nim", "--bots", "greedy,devil"),
        ("nim", "--bots", "greedy"),
        ("nim", "--bots", "greedy,random,greedy"),
        ("nim", "--bots", ""),
        ("nim",),
        ("ubongo", "--bots", "greedy,random", "--seats", "1"),
        ("nim", "--bots", "greedy,random", "--seats", "7"),
        ("nim", "--bots", "greedy,random", "--games", "0"),
        ("nim", "--bots", "greedy,random", "--format", "xml"),
    ],
)
def test_invalid_arguments_are_reported_in_the_language(wongar: Command, arguments: tuple[str, ...]) -> None:
    results = [wongar("tournament", *arguments, "--lang", language) for language in LANGUAGES]
    assert {result.code for result in results} == {2}
    assert len({result.err for result in results}) == len(LANGUAGES)


def test_time_limited_bot_is_announced(wongar: Command) -> None:
    result = wongar("tournament", "nim", "--bots", "mcts:0.001s,random", "--games", "2", "--lang", "en")
    assert result.code == 0
    assert "mcts:0.001s depends on the clock" in result.err

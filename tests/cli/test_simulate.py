"""The laboratory: `wongar simulate` and `wongar tournament`, also on a Dask cluster and without a C compiler."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import pytest
from distributed import Client, LocalCluster
from distributed.client import ClosedClientError

from tests.cli.command import Command
from wongar_dsl.cli.language import load_translator
from wongar_dsl.compiler.backends.native import compiler
from wongar_dsl.lab.processes import WorkersLost
from wongar_dsl.lab.runner import SimulationRun
from wongar_dsl.lab.tournament import GameResult, TournamentPlan
from wongar_dsl.nlg.words import Text

GO_ON = SimulationRun.resume
GAME = ("simulate", "goofspiel", "--seed", "7", "--jobs", "1")


def act_after(wongar: Command, games: int, act: Callable[[], object]) -> None:
    """Make every run call `act` after each game from number `games` on."""

    def go_on(run: SimulationRun, *arguments: object) -> Iterator[int]:
        for done in GO_ON(run, *arguments):  # type: ignore[arg-type]
            yield done
            if done >= games:
                act()

    wongar.patch.setattr(SimulationRun, "resume", go_on)
    wongar.patch.setattr("wongar_dsl.lab.runner.TASK_DURATION_S", 1e-9)


@pytest.fixture
def stop_after_25_games(wongar: Command) -> None:
    """Interrupt each run after 25 games."""
    act_after(wongar, 25, Mock(side_effect=KeyboardInterrupt))


def stored_simulations(wongar: Command) -> list[Path]:
    return sorted(wongar.home.rglob("simulations/*.json"))


def test_interrupted_simulation_is_stored_and_resumed(wongar: Command, stop_after_25_games: None) -> None:
    stopped = wongar(*GAME, "--games", "40", "--format", "json")
    assert stopped.code == 130
    assert json.loads(stopped.out)["goofspiel"]["games"] == 25
    assert stopped.err.startswith("Stopped. Games played: 25 of 40.\n")
    assert stopped.err.endswith("To continue: wongar simulate --resume\n")
    assert len(stored_simulations(wongar)) == 1
    resumed = wongar("simulate", "--resume", "--lang", "de")
    assert (resumed.code, resumed.err.splitlines()[0]) == (130, "Abgebrochen. Gespielte Partien: 26 von 40.")
    wongar.patch.setattr(SimulationRun, "resume", GO_ON)
    whole = wongar(*GAME, "--games", "40", "--format", "json")
    assert wongar("simulate", "--resume", "--format", "json").out == whole.out
    # A finished simulation is deleted.
    assert not stored_simulations(wongar)


def test_simulation_in_a_file_is_extended_but_not_changed(wongar: Command, tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    assert wongar(*GAME, "--games", "25", "--save", file).code == 0
    extended = wongar("simulate", "--resume", file, "--games", "40", "--format", "json")
    assert extended.out == wongar(*GAME, "--games", "40", "--format", "json").out
    for changes, told in ((("--games", "39"), "40 games"), (("--seed", "1"), "--seed")):
        refused = wongar("simulate", "--resume", file, *changes)
        assert (refused.code, told in refused.err) == (2, True)


#: Rules with a run-time error in one of 200 games.
FAULTY = """game faulty
    players 2
    source house rule
remember n: number 0 to 99 = 0
play
    let many = random k in 1 to 100
    player(1) chooses t
        end
            set n to many
        stay
            nothing
    player(1) wins
"""


def test_games_before_a_run_time_error_are_stored_and_reported(wongar: Command, tmp_path: Path) -> None:
    rules, file = tmp_path / "faulty.rules", str(tmp_path / "run.json")
    rules.write_text(FAULTY)
    wongar.patch.setattr("wongar_dsl.lab.runner.TASK_DURATION_S", 1e-9)
    command = ("simulate", str(rules), "--jobs", "1", "--seed", "5", "--format", "json")
    failed = wongar(*command, "--games", "5000", "--save", file)
    games = json.loads(failed.out)[str(rules)]["games"]
    assert (failed.code, 20 < games < 5000) == (1, True)
    assert f"Stopped. Games played: {games} of 5,000." in failed.err
    assert "error R0603" in failed.err
    assert f"--resume {file} --games {games}\n" in failed.err
    resumed = wongar("simulate", "--resume", file, "--games", str(games), "--format", "json")
    assert (resumed.code, resumed.out) == (0, wongar(*command, "--games", str(games)).out)


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (WorkersLost(), "Use --jobs to play fewer games at once.\n"),
        (OSError("lost"), "OSError: lost. Set the environment variable WONGAR_DEBUG=1 for details.\n"),
    ],
)
def test_games_before_a_lost_worker_are_stored_and_reported(wongar: Command, cause: Exception, told: str) -> None:
    act_after(wongar, 24, Mock(side_effect=cause))
    lost = wongar(*GAME, "--games", "40", "--format", "json")
    assert (lost.code, json.loads(lost.out)["goofspiel"]["games"]) == (1, 24)
    assert "To continue: wongar simulate --resume\n" in lost.err
    assert lost.err.endswith(told)
    assert len(stored_simulations(wongar)) == 1


@pytest.mark.parametrize("stopped", [False, True])
def test_results_are_reported_if_they_cannot_be_stored(
    wongar: Command, tmp_path: Path, stopped: bool, request: pytest.FixtureRequest
) -> None:
    if stopped:
        request.getfixturevalue("stop_after_25_games")
    (tmp_path / "file").write_text("")
    lost = wongar(*GAME, "--games", "30", "--format", "json", "--save", str(tmp_path / "file" / "run.json"))
    assert (lost.code, json.loads(lost.out)["goofspiel"]["games"]) == (1, 25 if stopped else 30)
    assert lost.err.endswith("run.json cannot be written: part of the path is not a folder.\n")
    whole = wongar(*GAME, "--games", "30", "--save", str(tmp_path / "file" / "run.json"))
    assert ("stopped early" in whole.out) == stopped


def test_finished_simulation_is_stored_until_it_is_reported(wongar: Command, stop_after_25_games: None) -> None:
    wongar(*GAME, "--games", "40")
    wongar.patch.setattr(SimulationRun, "resume", GO_ON)

    def fail(*_: object) -> None:
        raise BrokenPipeError

    with wongar.patch.context() as patch:
        patch.setattr("wongar_dsl.cli.commands.simulate.echo_data", fail)
        assert wongar("simulate", "--resume", "--format", "json").code == 1
    assert json.loads(wongar("simulate", "--resume", "--format", "json").out)["goofspiel"]["games"] == 40
    assert not stored_simulations(wongar)


def test_error_messages_quote_the_input(wongar: Command) -> None:
    sweep = wongar("simulate", "wongar", "--sweep", "bonus=1..3")
    assert sweep.err == "These rules have no option “bonus”. They have cards_bonus and sting.\n"
    missing = wongar("simulate", "--resume", "/none/at/all")
    assert missing.err == "/none/at/all cannot be read: no such file or folder.\n"
    place = wongar.home / "file" / "below.json"
    place.parent.write_text("")
    unwritten = wongar("simulate", "nim", "--games", "2", "--save", str(place))
    assert unwritten.err == f"{place} cannot be written: {load_translator('en').say('cli.os.not_folder')}.\n"


def test_csv_has_one_row_per_figure(wongar: Command) -> None:
    sweep = ("--sweep", "cards_bonus=6,8", "--games", "3", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(wongar("simulate", "wongar", *sweep).out)))
    assert {(row["option"], row["option_value"]) for row in rows} == {("cards_bonus", "6"), ("cards_bonus", "8")}
    wins = [row for row in rows if row["figure"] == "wins" and row["seat"] and not row["group"]]
    assert [(row["arm"], row["seat"]) for row in wins] == [(arm, seat) for arm in "12" for seat in "123"]
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in wins)
    # The default value of the rules is the baseline of the comparison.
    assert {row["arm"] for row in rows if row["group"] == "difference from 2"} == {"1"}
    keys = [tuple(row[name] for name in list(row)[:16]) for row in rows]
    assert len(set(keys)) == len(keys)


def test_bots_rotate_through_the_seats(wongar: Command) -> None:
    data = json.loads(wongar("simulate", "nim", "--bots", "greedy,random", "--games", "8", "--format", "json").out)
    first, second = data["nim"]["entrants"]
    assert first["wins"]["value"] > second["wins"]["value"]
    alone = json.loads(wongar("simulate", "wongar", "--bots", "random", "--games", "1", "--format", "json").out)
    assert (alone["wongar"]["bots"], alone["wongar"]["entrants"]) == (["random"] * 3, [])


def test_until_option_stops_at_narrow_intervals(wongar: Command) -> None:
    data = json.loads(wongar("simulate", "nim", "--until", "6 %", "--format", "json", "--jobs", "1").out)["nim"]
    assert data["games"] % 64 == 0
    assert all((seat["wins"]["high"] - seat["wins"]["low"]) / 2 <= 0.06 for seat in data["seats"])
    assert data["games"] < 1000


UNNAMED = """variant unnamed of kuhn_poker
    source house rule

option zorp_limit = 2 in 1 to 3

score zorp_points

enum zorp_tint = zorp_red, zorp_blue

add to choice opening
    zorp_raise(how: zorp_tint, much: 1 to zorp_limit)
        p gains much zorp_points
        if much = 3
            zorp_finale(p)
        showdown()

rule zorp_finale(p: player)
    p gains 1 zorp_points
"""


@pytest.mark.parametrize(
    ("order", "form", "language"),
    [("{0}", "text", "de"), ("{0} --vs kuhn_poker", "html", "nl"), ("kuhn_poker --vs {0}", "text", "it"),
     ("{0}", "html", "en")],
)  # fmt: skip
def test_name_without_a_term_is_quoted_and_never_replaces_the_words_of_an_option(
    wongar: Command, tmp_path: Path, order: str, form: str, language: str
) -> None:
    path = tmp_path / "unnamed.rules"
    path.write_text(UNNAMED, encoding="utf-8")
    quotation = load_translator(language).say("lab.quoted", text=Text("zorp_finale"))
    command = ("simulate", *order.format(path).split(), "--games", "60", "--jobs", "1", "--lang", language)
    output = " ".join(wongar(*command, "--format", form).out.split())
    raw = output.replace(quotation, "")
    assert not [word for word in ("zorp_raise", "zorp_finale", "zorp_points", "zorp_tint") if word in raw]
    assert quotation in output


NIM = ("tournament", "nim", "--bots", "greedy,random", "--games", "6", "--seed", "2")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Nim, 2 Plätze: Turnier", "in allen Sitzordnungen", "greedy – random: 6 Partien", "% der Siege"]),
        ("it", ["Nim, 2 posti: torneo", "in tutti gli ordini", "greedy – random: 6 partite", "% delle vittorie"]),
    ],
)
def test_tournament_is_reported_in_the_language(wongar: Command, language: str, parts: list[str]) -> None:
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

    wongar.patch.setattr("wongar_dsl.cli.commands.tournament.play", play_and_interrupt)
    result = wongar(*NIM, "--lang", "en")
    assert result.code == 130
    assert "Games played: 3 of 6" in result.err
    assert "greedy – random: 2 games" in result.out
    assert "Not counted, because their opening was not played in every order: one game" in result.out


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

    wongar.patch.setattr("wongar_dsl.cli.commands.tournament.play", play_and_lose_workers)
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


@pytest.fixture
def workers() -> Iterator[LocalCluster]:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=60
    ) as cluster:
        yield cluster


def test_killed_worker_does_not_change_the_results(wongar: Command, workers: LocalCluster) -> None:
    game = ("simulate", "goofspiel", "--vs", "goofspiel", "--games", "50", "--format", "json")
    alone = wongar(*game, "--jobs", "1")
    killed: list[int] = []

    def kill_worker() -> None:
        if not killed:
            killed.append(next(iter(workers.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    act_after(wongar, 20, kill_worker)
    together = wongar(*game, "--cluster", workers.scheduler_address)
    assert killed
    assert (together.code, together.out) == (0, alone.out)


def test_killed_scheduler_loses_no_finished_games(wongar: Command) -> None:
    """The scheduler is a separate process, so that its end is not signalled to the client."""
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen([*start, "--no-dashboard"], stderr=subprocess.PIPE, encoding="utf-8") as scheduler:
        assert scheduler.stderr is not None
        address = next(match[0] for line in scheduler.stderr if (match := re.search(r"tcp://\S+:\d+", line)))
        Thread(target=scheduler.stderr.read, daemon=True).start()
        visit = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
        worker = subprocess.Popen(visit, stderr=subprocess.DEVNULL)

        def kill_scheduler(run: SimulationRun, *arguments: object) -> Iterator[int]:
            for done in GO_ON(run, *arguments):  # type: ignore[arg-type]
                if done == 15:
                    scheduler.kill()
                yield done

        wongar.patch.setattr(SimulationRun, "resume", kill_scheduler)
        wongar.patch.setattr("wongar_dsl.lab.runner.TASK_DURATION_S", 1e-9)
        try:
            lost = wongar("simulate", "goofspiel", "--games", "9999", "--format", "json", "--cluster", address)
        finally:
            worker.kill()
            worker.wait()
    games = json.loads(lost.out)["goofspiel"]["games"]
    assert (lost.code, 15 <= games < 9999) == (1, True)
    messages = lost.err.splitlines()
    assert messages[0] == f"Stopped. Games played: {games} of 9,999."
    assert messages[-1].startswith("The cluster has stopped responding")
    assert "Traceback" not in lost.err


@pytest.mark.parametrize("call", ["register_plugin", "submit"])
def test_closed_client_is_a_cluster_that_has_stopped(wongar: Command, workers: LocalCluster, call: str) -> None:
    wongar.patch.setattr(Client, call, Mock(side_effect=ClosedClientError))
    lost = wongar("simulate", "goofspiel", "--games", "50", "--cluster", workers.scheduler_address)
    assert lost.code == 1
    assert lost.err.splitlines()[-1].startswith("The cluster has stopped responding")


@pytest.mark.parametrize("address", ["", "foo://x:1", "127.0.0.1:1"])
def test_unreachable_cluster_is_reported(wongar: Command, address: str) -> None:
    wongar.patch.setattr("wongar_dsl.lab.cluster.CONNECT_TIMEOUT_S", 0.2)
    result = wongar("simulate", "nim", "--cluster", address, "--lang", "en")
    assert (result.code, result.err) == (1, f"No Dask scheduler answers at “{address}”.\n")


def test_missing_library_is_named(wongar: Command) -> None:
    wongar.patch.setitem(sys.modules, "distributed", None)
    wongar.patch.delitem(sys.modules, "wongar_dsl.lab.cluster", raising=False)
    result = wongar("simulate", "nim", "--cluster", "127.0.0.1:1", "--lang", "it")
    assert result.code == 1
    assert "pip install 'wongar[cluster]'" in result.err


@pytest.fixture
def _forget_compiler() -> Iterator[None]:
    """Clear the cached compiler afterwards, so that later tests look for a compiler again."""
    yield
    compiler.compiler.cache_clear()


def remove_compiler(patch: pytest.MonkeyPatch) -> None:
    patch.setenv(compiler.COMPILER_VARIABLE, "/does/not/exist")
    compiler.compiler.cache_clear()


@pytest.mark.parametrize(
    ("command", "backend"),
    [
        (("perft", "nim", "--depth", "2", "--lang", "it"), "native"),
        (("simulate", "nim", "--games", "2", "--jobs", "1"), "auto"),
        (("simulate", "nim", "--games", "1", "--jobs", "1", "--vs", "nim"), "native"),
        (("tournament", "nim", "--bots", "greedy,random", "--games", "2", "--lang", "de"), "auto"),
        (("analyse", "save.json", "--iterations", "1", "--lang", "nl"), "auto"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
@pytest.mark.usefixtures("_forget_compiler")
def test_bulk_commands_without_a_compiler_give_one_notice(
    command: tuple[str, ...], backend: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wongar.home)
    wongar("play", "nim", "--seats", "random,random", "--save", "save.json", "--seed", "1")
    expected = wongar(*command, "--backend", backend)
    assert "ziglang" not in expected.err
    remove_compiler(monkeypatch)
    result = wongar(*command, "--backend", backend)
    assert result.code == 0
    assert command[0] == "perft" or result.out == expected.out
    assert result.err.count("ziglang") == 1
    assert "ziglang" not in wongar(*command, "--backend", "python").err


@pytest.mark.usefixtures("_forget_compiler")
def test_play_gives_the_notice_only_for_the_native_backend(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wongar.home)
    remove_compiler(monkeypatch)
    for backend in ("auto", "native"):
        results = [
            wongar("play", "nim", "--seats", "human,random", "--save", "save.json", "--backend", backend),
            wongar("resume", "save.json", "--backend", backend),
            wongar("play", "--from", "save.json", "--save", f"{backend}.json", "--backend", backend),
        ]
        assert ["ziglang" in result.err for result in results] == [backend == "native"] * 3


def test_variant_is_compared_with_its_base_in_either_order(wongar: Command, tmp_path: Path) -> None:
    """The figures go from the base to the variant, and new lines are those of the variant."""
    path = tmp_path / "unnamed.rules"
    path.write_text(UNNAMED, encoding="utf-8")
    for order in ((str(path), "--vs", "kuhn_poker"), ("kuhn_poker", "--vs", str(path))):
        arguments = ("simulate", *order, "--games", "8", "--seed", "3", "--jobs", "1", "--lang", "en")
        data = json.loads(wongar(*arguments, "--format", "json").out)
        assert data[str(path)]["against"]["rules"] == "kuhn_poker"
        assert "How often the new rules came up" in wongar(*arguments).out

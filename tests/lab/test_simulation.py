"""Simulation runs: reproducible with any number of processes, and endless games are stopped."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterable, Iterator
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic

import pytest

from wongar_dsl.engine import PlayFault, library
from wongar_dsl.lab.processes import ProcessExecutor, WorkersLost
from wongar_dsl.lab.runner import (
    MAX_GAMES,
    MIN_CUTOFF,
    PILOT,
    Checkpoint,
    CheckpointError,
    SimulationRun,
    checksum,
    read_checkpoint,
    write_checkpoint,
)
from wongar_dsl.lab.simulator import Arm, SimulationPlan, SimulationResult, SimulationTask, Simulator, Tick

ENDLESS = """game endless
    players 2
    source house rule
remember n: number = 0
play
    let long = random k in 1 to {long}
    repeat until n = 1
        player(1) chooses t
            end if long > 1
                set n to 1
            stay
                set n to 0
    player(1) wins
"""


def laboratory(*rules: str) -> Simulator:
    plan = SimulationPlan(tuple(Arm(name, ()) for name in rules), ("random", "random"), False, "python", 3)
    return Simulator(plan, tuple(library.load(name) for name in rules))


def play_run(run: SimulationRun, executor: ProcessExecutor | None = None) -> list[int]:
    return list(run.resume(executor or ProcessExecutor(1, lambda: 0.0), lambda: None, monotonic))


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    return tmp_path / "endless.rules"


def test_endless_games_are_stopped_as_unfinished(endless: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.lab.runner.MAX_PILOT_DECISIONS", 4_000)
    endless.write_text(ENDLESS.format(long=1))
    run = SimulationRun.new(laboratory(str(endless)), 2)
    play_run(run)
    [tally] = run.totals.result.tallies
    assert (run.totals.limits, tally.games, tally.ended) == ((4_000,), 2, 0)
    assert not any(tally.sums)
    assert run.widest_interval == 0.5


def test_unusually_long_game_is_stopped(endless: Path) -> None:
    endless.write_text(ENDLESS.format(long=20))
    run = SimulationRun.new(laboratory(str(endless)), 60)
    play_run(run)
    [tally], [columns] = run.totals.result.tallies, run.simulator.columns
    assert run.totals.limits == (MIN_CUTOFF,)
    assert 0 < tally.games - tally.ended < 20
    assert tally.sums[columns.sections["wins"]] == columns.win_parts * tally.ended
    assert tally.most[0] < MIN_CUTOFF
    # Code reached before the stop is still recorded.
    assert max(tally.marks) == 60


@pytest.mark.parametrize("until", [None, 0.06])
def test_run_is_independent_of_the_number_of_processes(until: float | None) -> None:
    game_count = PILOT + 130 if until is None else MAX_GAMES
    tested = laboratory("tictactoe", "tictactoe")
    alone, together = (SimulationRun.new(tested, game_count, until) for _ in range(2))
    play_run(alone)
    with ProcessExecutor(2, monotonic, alone=0) as processes:
        play_run(together, processes)
    assert alone.totals == together.totals
    assert until is None or (alone.widest_interval <= until and alone.totals.games % 64 == 0)


def test_killed_or_interrupted_worker_changes_no_result() -> None:
    tested = laboratory("tictactoe")
    alone, together = SimulationRun.new(tested, 200), SimulationRun.new(tested, 200)
    play_run(alone)
    with ProcessExecutor(2, monotonic, alone=0) as processes:

        def send(what: signal.Signals, to: Iterable[BaseProcess]) -> None:
            for process in to:
                assert process.pid is not None
                os.kill(process.pid, what)

        begun: list[BaseProcess] = []
        for number, _ in enumerate(together.resume(processes, lambda: None, monotonic)):
            if number == 0:
                begun = active_children()
                send(signal.SIGINT, begun)
            elif number == 15:
                assert {*active_children()} == {*begun}
                send(signal.SIGKILL, begun[:1])
        assert begun[0] not in active_children()
    assert alone.totals == together.totals


def test_rule_fault_in_a_worker_is_reported_alike(endless: Path) -> None:
    endless.write_text(
        ENDLESS.format(long=9).replace("number = 0", "number 0 to 1 = 0").replace("set n to 1", "set n to long")
    )
    faults = set()
    with ProcessExecutor(1, monotonic, alone=0) as alone, ProcessExecutor(2, monotonic, alone=0) as together:
        for executor in (alone, together):
            with pytest.raises(PlayFault) as caught:
                play_run(SimulationRun.new(laboratory(str(endless)), 90), executor)
            faults.add((caught.value.diagnostic.code, str(caught.value.diagnostic.span)))
    assert len(faults) == 1


def test_task_that_kills_every_worker_is_given_up() -> None:
    with ProcessExecutor(2, monotonic, alone=0) as processes:

        def kill() -> None:
            for process in active_children():
                process.kill()

        endless = iter([SimulationTask(0, 10**9, (MIN_CUTOFF,))])
        with pytest.raises(WorkersLost):
            list(processes.results(laboratory("tictactoe"), endless, kill))


def test_progress_is_reported_regularly() -> None:
    ticks: list[None] = []
    run = SimulationRun.new(laboratory("tictactoe"), 3)
    assert len(list(run.resume(ProcessExecutor(1, lambda: 0.0), lambda: ticks.append(None), monotonic))) >= 3
    assert len(ticks) >= 15


class Interrupted(ProcessExecutor):
    """Executor that is interrupted after this many tasks."""

    def __init__(self, tasks: int) -> None:
        super().__init__(1, lambda: 0.0)
        self.left = tasks

    def results(
        self, simulator: Simulator, tasks: Iterator[SimulationTask], tick: Tick
    ) -> Iterator[tuple[SimulationTask, SimulationResult]]:
        for task_result in super().results(simulator, tasks, tick):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield task_result


@pytest.mark.parametrize("tasks", [0, PILOT + 4])
def test_interrupted_run_continues_to_the_same_result(tmp_path: Path, tasks: int) -> None:
    tested, file = laboratory("goofspiel", "goofspiel"), tmp_path / "run.json"
    whole, run = SimulationRun.new(tested, 60), SimulationRun.new(tested, 60)
    play_run(whole)
    with pytest.raises(KeyboardInterrupt):
        list(run.resume(Interrupted(tasks), lambda: None, lambda: 0.0))
    assert run.totals.counted == (tasks if tasks < PILOT else PILOT + 4)
    write_checkpoint(Checkpoint(run, "", ("goofspiel", "goofspiel")), file)
    restored = read_checkpoint(file)
    assert (restored.run.totals, restored.run.simulator.plan) == (run.totals, run.simulator.plan)
    play_run(restored.run)
    assert restored.run.totals == whole.totals


def test_extended_run_equals_a_run_of_the_full_length() -> None:
    for few in (5, 40):
        run, whole = SimulationRun.new(laboratory("tictactoe"), few), SimulationRun.new(laboratory("tictactoe"), 90)
        play_run(run)
        play_run(whole)
        more = run.with_games(90)
        play_run(more)
        assert more.totals == whole.totals


INVALID: list[tuple[dict[str, object], str]] = [
    ({"simulation": 99}, "version"), ({"simulation": "1"}, "broken"), ({"games": 10}, "broken"),
    ({"games": -1}, "broken"), ({"bots": ["random"] * 9}, "broken"), ({"until": "x"}, "broken"),
    ({"usual": 5}, "broken"), ({"backend": "fortran"}, "broken"), ({"limits": [1, 2]}, "broken"),
    ({"result": {"tallies": [], "pairs": [], "lengths": []}}, "broken"), ({"asked": 10**12}, "broken"),
    ({"pilots": [[0, {}]]}, "broken"), ({"until": "0.01"}, "broken"), ({"bots": ["nobody"] * 2}, "broken"),
    ({"bots": ["mcts:1s"] * 2}, "broken"), ({"sweep": "speed"}, "broken"),
]  # fmt: skip


def test_invalid_or_changed_run_file_is_refused(tmp_path: Path) -> None:
    run, file = SimulationRun.new(laboratory("tictactoe"), 30), tmp_path / "run.json"
    play_run(run)
    write_checkpoint(Checkpoint(run, "", ("tictactoe",)), file)
    text = file.read_text()
    data = json.loads(text)
    assert data.pop("seal") == checksum(data)
    texts = [(json.dumps(data | change | {"seal": checksum(data | change)}), reason) for change, reason in INVALID]
    assert '"ended":30' in text
    for changed, reason in (*texts, (text.replace('"ended":30', '"ended":31'), "broken")):
        file.write_text(changed)
        with pytest.raises(CheckpointError) as caught:
            read_checkpoint(file)
        assert caught.value.reason == reason, changed


def test_changed_rules_are_detected(endless: Path, tmp_path: Path) -> None:
    endless.write_text(ENDLESS.format(long=20))
    file = tmp_path / "run.json"
    write_checkpoint(Checkpoint(SimulationRun.new(laboratory(str(endless)), 30), "", (str(endless),)), file)
    assert read_checkpoint(file).run.requested == 30
    for text, reason in ((ENDLESS.format(long=3), "rules_changed"), ("game", "rules_gone")):
        endless.write_text(text)
        with pytest.raises(CheckpointError) as caught:
            read_checkpoint(file)
        assert (caught.value.reason, caught.value.rules) == (reason, str(endless))

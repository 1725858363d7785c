"""Simulations on a local Dask cluster: results are identical to a local run, even if a worker is killed."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread

import pytest
from distributed import LocalCluster

from tests.cli.command import Command
from wongar_dsl.lab.simulation.runner import SimulationRun


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
    go_on, killed = SimulationRun.resume, []

    def kill_worker(run: SimulationRun, *arguments: object) -> Iterator[int]:
        for done in go_on(run, *arguments):  # type: ignore[arg-type]
            if done >= 20 and not killed:
                killed.append(next(iter(workers.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)
            yield done

    wongar.patch.setattr(SimulationRun, "resume", kill_worker)
    wongar.patch.setattr("wongar_dsl.lab.simulation.runner.TASK_DURATION_S", 1e-9)
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
        go_on = SimulationRun.resume

        def kill_scheduler(run: SimulationRun, *arguments: object) -> Iterator[int]:
            for done in go_on(run, *arguments):  # type: ignore[arg-type]
                if done == 15:
                    scheduler.kill()
                yield done

        wongar.patch.setattr(SimulationRun, "resume", kill_scheduler)
        wongar.patch.setattr("wongar_dsl.lab.simulation.runner.TASK_DURATION_S", 1e-9)
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


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "127.0.0.1:1"])
def test_unreachable_cluster_is_reported(wongar: Command, address: str) -> None:
    wongar.patch.setattr("wongar_dsl.lab.workers.cluster.CONNECT_TIMEOUT_S", 0.2)
    result = wongar("simulate", "nim", "--cluster", address, "--lang", "en")
    assert (result.code, result.err) == (1, f"No Dask scheduler answers at “{address}”.\n")


def test_missing_library_is_named(wongar: Command) -> None:
    wongar.patch.setitem(sys.modules, "distributed", None)
    result = wongar("simulate", "nim", "--cluster", "127.0.0.1:1", "--lang", "it")
    assert result.code == 1
    assert "pip install 'wongar[cluster]'" in result.err

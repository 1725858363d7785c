"""A real scheduler with two workers over loopback, of which one is killed: the same figures, digit for digit."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from distributed import LocalCluster

from tests.cli.command import Command
from wongar_dsl.lab.running import Run


@pytest.fixture
def workers() -> Iterator[LocalCluster]:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=60
    ) as cluster:
        yield cluster


def test_a_worker_that_is_killed_in_mid_run_changes_no_digit(wongar: Command, workers: LocalCluster) -> None:
    game = ("simulate", "goofspiel", "--vs", "goofspiel", "--games", "50", "--format", "json")
    alone = wongar(*game, "--jobs", "1")
    go_on, killed = Run.go_on, []

    def with_a_death(run: Run, *arguments: object) -> Iterator[int]:
        for done in go_on(run, *arguments):  # type: ignore[arg-type]
            if done >= 20 and not killed:
                killed.append(next(iter(workers.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)
            yield done

    wongar.patch.setattr(Run, "go_on", with_a_death)
    wongar.patch.setattr("wongar_dsl.lab.running.PIECE", 1e-9)
    together = wongar(*game, "--cluster", workers.scheduler_address)
    assert killed
    assert (together.code, together.out) == (0, alone.out)


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "127.0.0.1:1"])
def test_a_cluster_that_is_not_there_is_told(wongar: Command, address: str) -> None:
    wongar.patch.setattr("wongar_dsl.lab.cluster.GREETING", 0.2)
    result = wongar("simulate", "nim", "--cluster", address, "--lang", "en")
    assert (result.code, result.err) == (1, f"No scheduler of a Dask cluster answers at “{address}”.\n")


def test_the_library_is_named_where_it_is_missing(wongar: Command) -> None:
    wongar.patch.setitem(sys.modules, "distributed", None)
    result = wongar("simulate", "nim", "--cluster", "127.0.0.1:1", "--lang", "it")
    assert result.code == 1
    assert "pip install 'wongar[cluster]'" in result.err

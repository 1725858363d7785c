"""Dask worker plugin with a laboratory; imported only if the cluster library is installed."""

from __future__ import annotations

import pickle
from threading import Lock
from typing import TYPE_CHECKING

from distributed import WorkerPlugin

from wongar_dsl.lab.simulation.simulator import SimulationResult, SimulationTask, Simulator

if TYPE_CHECKING:
    from distributed import Worker


class DaskWorkerPlugin(WorkerPlugin):
    """Holds a laboratory, unpickled on first use; one per process, one task at a time despite several threads."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def setup(self, worker: Worker) -> None:
        """Initialise the plugin on a worker; called by the library."""
        self._lock = Lock()
        self._laboratory: Simulator | None = None

    def play(self, task: SimulationTask) -> SimulationResult:
        """Play the games of a task; raise `PlayFault` for a fault in the rules."""
        with self._lock:
            if self._laboratory is None:
                unpacked = pickle.loads(self._packed)
                assert isinstance(unpacked, Simulator)
                self._laboratory = unpacked
            return self._laboratory.play(task)

"""Dask worker plugin that plays simulated games; imported only if Dask is installed."""

from __future__ import annotations

import pickle
from threading import Lock
from typing import TYPE_CHECKING

from distributed import WorkerPlugin

from wongar_dsl.lab.simulation.simulator import SimulationResult, SimulationTask, Simulator

if TYPE_CHECKING:
    from distributed import Worker


class DaskWorkerPlugin(WorkerPlugin):
    """Simulator of a worker process, unpickled on first use; plays one task at a time despite several threads."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def setup(self, worker: Worker) -> None:
        """Initialise the plugin on a worker; called by Dask."""
        self._lock = Lock()
        self._simulator: Simulator | None = None

    def play(self, task: SimulationTask) -> SimulationResult:
        """Play the games of a task; raise `PlayFault` for a fault in the rules."""
        with self._lock:
            if self._simulator is None:
                unpacked = pickle.loads(self._packed)
                assert isinstance(unpacked, Simulator)
                self._simulator = unpacked
            return self._simulator.play(task)

"""What each worker of a cluster has of a laboratory: imported only where the library for clusters is installed."""

from __future__ import annotations

import pickle
from threading import Lock
from typing import TYPE_CHECKING

from distributed import WorkerPlugin

from wongar_dsl.lab.simulation import Laboratory, Result, Task

if TYPE_CHECKING:
    from distributed import Worker


class Visiting(WorkerPlugin):
    """A laboratory, unpacked once it is needed: one for a process, and one task at a time, however many threads."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def setup(self, worker: Worker) -> None:
        """Called where a worker begins, or gets to know this."""
        self._lock = Lock()
        self._laboratory: Laboratory | None = None

    def play(self, task: Task) -> Result:
        """Play the games of a task; raises `PlayFault`."""
        with self._lock:
            if self._laboratory is None:
                unpacked = pickle.loads(self._packed)
                assert isinstance(unpacked, Laboratory)
                self._laboratory = unpacked
            return self._laboratory.play(task)

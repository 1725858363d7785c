"""Executor on the workers of an existing Dask cluster, local or remote.

The checked rules travel to each worker once, as a plugin that the scheduler also gives to later workers. A task is then
a few numbers, and its result sums of integers. The workers need the same version of the program. If a worker dies, its
tasks are played elsewhere, with the same result.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, client, get_worker
from distributed.comm.core import CommClosedError

from wongar_dsl.lab.processes import MAX_PENDING_PER_PROCESS, POLL_INTERVAL_S, WorkersLost
from wongar_dsl.lab.simulator import SimulationResult, SimulationTask, Simulator, Tick

#: Seconds to wait for the scheduler.
CONNECT_TIMEOUT_S = 5
#: Maximum number of attempts at a task whose worker was lost.
ATTEMPTS = 10
#: Errors of a client whose scheduler is gone; all its tasks count as cancelled. Old releases do not have the last one.
_LOST: tuple[type[BaseException], ...] = (
    CommClosedError,
    CancelledError,
    getattr(client, "ClosedClientError", CommClosedError),
)
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?(?:[^\s/:\[\]]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")


class ClusterUnreachable(Exception):
    """No scheduler answers at the address."""


class Cluster:
    """Executor on the cluster with the scheduler at an address.

    Use it as a context manager; leaving it cancels the pending tasks.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler; raise `ClusterUnreachable` on failure."""
        _hush()
        if _ADDRESS.fullmatch(address) is None:
            raise ClusterUnreachable(address)
        try:
            self._client: Client = Client(address, timeout=CONNECT_TIMEOUT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterUnreachable(address) from error
        self._plugin = ""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(*_LOST):
            if self._plugin and self._client.status == "running":
                self._client.unregister_worker_plugin(self._plugin)
        self._client.close()

    @property
    def workers(self) -> int:
        """Number of tasks played at once, one by each process."""
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def results(
        self, simulator: Simulator, tasks: Iterator[SimulationTask], tick: Tick
    ) -> Iterator[tuple[SimulationTask, SimulationResult]]:
        """Yield tasks with their results, as `Executor.results`; raise `WorkersLost`."""
        queue: deque[_RemoteTask] = deque()
        has_more = True
        try:
            self._send(simulator)
            while True:
                while has_more and len(queue) < MAX_PENDING_PER_PROCESS * self.workers:
                    task = next(tasks, None)
                    if task is None:
                        has_more = False
                    else:
                        queue.append(_RemoteTask(task, self._ask(task, 0)))
                if not queue:
                    return
                result = self._result(queue[0])
                tick()
                if result is not None:
                    yield queue.popleft().task, result
        except _LOST as error:
            raise WorkersLost from error
        finally:
            with suppress(*_LOST):
                self._client.cancel([pending.future for pending in queue], force=True)

    def _result(self, remote_task: _RemoteTask) -> SimulationResult | None:
        """Return the result of a task, or None if there is none yet."""
        try:
            result = remote_task.future.result(timeout=POLL_INTERVAL_S)
            assert isinstance(result, SimulationResult)
            return result
        except TimeoutError:
            return None
        except KilledWorker:
            # The task was running when several workers died, which it need not have caused.
            remote_task.attempts += 1
            if remote_task.attempts >= ATTEMPTS:
                raise WorkersLost from None
            remote_task.future = self._ask(remote_task.task, remote_task.attempts)
            return None

    def _send(self, simulator: Simulator) -> None:
        """Send the simulator to every worker, including later ones."""
        # The cache of this machine is of no use on others.
        packed = pickle.dumps(replace(simulator, cache=None))
        name = f"simulation-{hashlib.sha256(packed).hexdigest()[:24]}"
        if name != self._plugin:
            self._client.register_plugin(DaskWorkerPlugin(packed), name=name)
            self._plugin = name

    def _ask(self, task: SimulationTask, attempt: int) -> Future[Any]:
        key = "-".join(map(str, (self._plugin, task.first, task.last, *task.limits, attempt)))
        return self._client.submit(_play, self._plugin, task, key=key, pure=False, retries=ATTEMPTS)


@dataclass(slots=True)
class _RemoteTask:
    task: SimulationTask
    future: Future[Any]
    attempts: int = 0


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


def _hush() -> None:
    """Silence the library's log: it reports problems that are handled here and mean nothing to the user.

    On import the library sets levels for some of its loggers, which the level of a parent logger cannot override.
    """
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _play(plugin: str, task: SimulationTask) -> SimulationResult:
    worker_plugin = get_worker().plugins[plugin]
    assert isinstance(worker_plugin, DaskWorkerPlugin)
    return worker_plugin.play(task)

"""Plays tasks on the workers of a Dask cluster that somebody else has set up, on this machine or on others.

What is played (rules that were read and checked, never files) travels to each worker once, as a plugin that the
scheduler hands to later workers too; a task is a few numbers then, and its result sums of integers.  The program must
be installed on the workers, in the same version.  A worker that dies takes nothing with it: its tasks are played
elsewhere, with the same result.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wongar_dsl.lab.playing import Tick
from wongar_dsl.lab.processes import AHEAD, PATIENCE, WorkersLost
from wongar_dsl.lab.simulation import Laboratory, Result, Task

if TYPE_CHECKING:
    from distributed import Client, Future

#: How long, in seconds, a scheduler is waited for.
GREETING = 5
#: So often a task may be begun anew because what played it was gone.
ATTEMPTS = 10
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?(?:[^\s/:\[\]]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")


class ClusterMissing(Exception):
    """The library that speaks with clusters is not installed."""


class NoCluster(Exception):
    """Nobody answers at an address."""


class Cluster:
    """Plays tasks on the cluster with a scheduler at an address.  A context: with it ends what was asked for."""

    def __init__(self, address: str) -> None:
        """Raises `ClusterMissing`, `NoCluster`."""
        try:
            from distributed import Client
        except ImportError as error:
            raise ClusterMissing from error
        _hush()
        if _ADDRESS.fullmatch(address) is None:
            raise NoCluster(address)
        try:
            self._client: Client = Client(address, timeout=GREETING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise NoCluster(address) from error
        self._plugin = ""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._plugin and self._client.status == "running":
            self._client.unregister_worker_plugin(self._plugin)
        self._client.close()

    @property
    def workers(self) -> int:
        """How many tasks are played at once: one by each process."""
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def results(self, laboratory: Laboratory, tasks: Iterator[Task], tick: Tick) -> Iterator[tuple[Task, Result]]:
        """See `Executor.results`.  Raises `WorkersLost`."""
        self._send(laboratory)
        row: deque[_Asked] = deque()
        more = True
        try:
            while True:
                while more and len(row) < AHEAD * self.workers:
                    task = next(tasks, None)
                    if task is None:
                        more = False
                    else:
                        row.append(_Asked(task, self._ask(task, 0)))
                if not row:
                    return
                result = self._result(row[0])
                tick()
                if result is not None:
                    yield row.popleft().task, result
        finally:
            self._client.cancel([asked.future for asked in row], force=True)

    def _result(self, asked: _Asked) -> Result | None:
        """The result of a task, None while there is none."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            found = asked.future.result(timeout=PATIENCE)
            assert isinstance(found, Result)
            return found
        except TimeoutError:
            return None
        except KilledWorker:
            # It was there when several workers died; that need not be its fault.
            asked.attempts += 1
            if asked.attempts >= ATTEMPTS:
                raise WorkersLost from None
            asked.future = self._ask(asked.task, asked.attempts)
            return None
        except (CommClosedError, CancelledError) as error:
            # Where the scheduler is gone, all that it was asked for counts as cancelled.
            raise WorkersLost from error

    def _send(self, laboratory: Laboratory) -> None:
        """Hand a laboratory to every worker, those that come later too."""
        from wongar_dsl.lab.visiting import Visiting

        # What is kept on this machine is of no use on others.
        packed = pickle.dumps(replace(laboratory, cache=None))
        name = f"simulation-{hashlib.sha256(packed).hexdigest()[:24]}"
        if name != self._plugin:
            self._plugin = name
            self._client.register_plugin(Visiting(packed), name=name)

    def _ask(self, task: Task, attempt: int) -> Future[Any]:
        key = "-".join(map(str, (self._plugin, task.first, task.last, *task.limits, attempt)))
        return self._client.submit(_play, self._plugin, task, key=key, pure=False, retries=ATTEMPTS)


@dataclass(slots=True)
class _Asked:
    task: Task
    future: Future[Any]
    attempts: int = 0


def _hush() -> None:
    """Have the library say nothing of its own: what goes wrong there and is mended is nothing that a player can read.

    When it is imported it gives levels to some of its loggers, which no other level overrules.
    """
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _play(plugin: str, task: Task) -> Result:
    """What a worker does."""
    from distributed import get_worker

    from wongar_dsl.lab.visiting import Visiting

    visiting = get_worker().plugins[plugin]
    assert isinstance(visiting, Visiting)
    return visiting.play(task)

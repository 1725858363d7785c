"""Executors on this machine: in this process, or in a pool of processes.

With a pool, the first games are still played in this process: a short run is over before other processes have started.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol, TypeVar

from wongar_dsl.lab.simulation.bot_game import Tick

#: Seconds during which games are played in this process only.
ALONE_S = 1.5
#: Seconds between calls of `tick` while waiting for results.
POLL_INTERVAL_S = 0.2
#: Number of processes that may die on the same task before giving up.
ATTEMPTS = 3
#: Maximum number of pending tasks per process.
MAX_PENDING_PER_PROCESS = 4


Task = TypeVar("Task")
Result = TypeVar("Result")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class TaskRunner(Protocol[Task_contra, Result_co]):
    """Object whose `play` runs one task; used directly, or pickled and sent to another process."""

    def play(self, task: Task_contra, tick: Tick = lambda: None) -> Result_co:
        """Return the result of a task; `tick` is called regularly. Raise `PlayFault` for a fault in the rules."""


class InProcessExecutor:
    """Executor in this process."""

    workers = 1

    def results(
        self, player: TaskRunner[Task, Result], tasks: Iterator[Task], tick: Tick
    ) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with their results in order, taking each task as late as possible; raise `PlayFault`."""
        for task in tasks:
            yield task, player.play(task, tick)


class WorkersLost(Exception):
    """The workers for a task keep dying."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection
    task: _PendingTask | None = None

    def start_player(self, player: TaskRunner[Any, Any]) -> None:
        """Send the player; a process that died at once is detected when it gets a task."""
        with suppress(OSError):
            self.connection.send(player)


@dataclass(slots=True)
class _PendingTask:
    """Pending task: number of attempts, and its result or error."""

    task: Any
    attempts: int = 0
    result: Any = None


@dataclass
class ProcessExecutor:
    """Executor with `jobs` processes, started after `alone` seconds on `clock`.

    Use it as a context manager; leaving it ends the processes.
    """

    jobs: int
    clock: Callable[[], float]
    alone: float = ALONE_S
    _workers: list[_Worker] = field(default_factory=list, init=False)
    _began: float | None = field(default=None, init=False)

    def __enter__(self) -> ProcessExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
        self._workers = []

    @property
    def workers(self) -> int:
        """Number of tasks played at once."""
        return len(self._workers) or 1

    def results(
        self, player: TaskRunner[Task, Result], tasks: Iterator[Task], tick: Tick
    ) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with their results, as `InProcessExecutor.results`; raise `WorkersLost`."""
        if self._began is None:
            self._began = self.clock()
        for task in tasks:
            if self._workers or (self.jobs > 1 and self.clock() - self._began >= self.alone):
                yield from self._shared(player, chain((task,), tasks), tick)
                return
            yield task, player.play(task, tick)

    def _shared(
        self, player: TaskRunner[Task, Result], tasks: Iterator[Task], tick: Tick
    ) -> Iterator[tuple[Task, Result]]:
        # All processes start in parallel, as each takes a while to get ready.
        new = [_started() for _ in range(self.jobs - len(self._workers))]
        self._workers += new
        for worker in new:
            worker.start_player(player)
        # Pending tasks in order; below, tasks that a dead process left unfinished.
        queue: deque[_PendingTask] = deque()
        retries: list[_PendingTask] = []
        has_more = True
        while True:
            for worker in list(self._workers):
                if worker.task is not None:
                    continue
                task = retries.pop(0) if retries else None
                if task is None and has_more and len(queue) < MAX_PENDING_PER_PROCESS * self.jobs:
                    following = next(tasks, None)
                    has_more = following is not None
                    if following is not None:
                        task = _PendingTask(following)
                        queue.append(task)
                if task is not None:
                    worker.task = task
                    try:
                        worker.connection.send(task.task)
                    except OSError:
                        self._replace(player, worker, retries)
            full = len(queue)
            while queue and queue[0].result is not None:
                first = queue.popleft()
                if isinstance(first.result, BaseException):
                    raise first.result
                yield first.task, first.result
            if not queue and not has_more:
                return
            # A process that waited for space in the queue gets its next task before results are awaited.
            if len(queue) == full:
                self._receive(player, retries, tick)

    def _receive(self, player: TaskRunner[Any, Any], retries: list[_PendingTask], tick: Tick) -> None:
        """Wait briefly for results."""
        busy = {worker.connection: worker for worker in self._workers if worker.task is not None}
        tick()
        for ready in wait(list(busy), POLL_INTERVAL_S):
            assert isinstance(ready, Connection)
            worker = busy[ready]
            try:
                result = ready.recv()
            except (EOFError, OSError):
                self._replace(player, worker, retries)
                continue
            if worker.task is not None:
                worker.task.result, worker.task = result, None

    def _replace(self, player: TaskRunner[Any, Any], worker: _Worker, retries: list[_PendingTask]) -> None:
        """Replace a process that died, and schedule its task again."""
        worker.connection.close()
        worker.process.join()
        self._workers.remove(worker)
        if worker.task is not None:
            worker.task.attempts += 1
            if worker.task.attempts >= ATTEMPTS:
                raise WorkersLost
            retries.append(worker.task)
        self._workers.append(_started())
        self._workers[-1].start_player(player)


def _started() -> _Worker:
    context = get_context("spawn")
    parent_end, child_end = context.Pipe()
    process = context.Process(target=_serve, args=(child_end,), daemon=True)
    with _not_interrupted():
        process.start()
    child_end.close()
    return _Worker(process, parent_end)


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Block interrupts from the terminal in processes started here; the parent handles them and ends the children."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The resource tracker starts with the first process, and would unblock interrupts.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection) -> None:
    """Play tasks in a child process until the connection closes."""
    try:
        player: TaskRunner[Any, Any] = connection.recv()
        while True:
            task = connection.recv()
            try:
                result = player.play(task)
            except Exception as error:
                result = error
            connection.send(result)
    except (EOFError, OSError):
        return

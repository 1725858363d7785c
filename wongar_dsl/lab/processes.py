"""Executor on this machine: in this process, or in a pool of processes.

With a pool, the first games are still played in this process: a short run is over before other processes have started.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import active_children, get_context, resource_tracker
from typing import Any, Generic, Protocol, TypeVar

from wongar_dsl.lab.simulator import Tick

#: Seconds during which games are played in this process only.
ALONE_S = 1.5
#: Seconds between calls of `tick` while waiting for results.
POLL_INTERVAL_S = 0.2
#: Number of times that processes may die before the same result, before giving up.
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


class WorkersLost(Exception):
    """The workers for a task keep dying."""


@dataclass(slots=True)
class _PendingTask(Generic[Task, Result]):
    """A task, and its result once it has been given to the processes."""

    task: Task
    future: Future[Result] | None = None


@dataclass
class ProcessExecutor:
    """Executor with `jobs` processes, started after `alone` seconds on `clock`, for the tasks of one runner.

    Use it as a context manager; leaving it ends the processes.
    """

    jobs: int
    clock: Callable[[], float]
    alone: float = ALONE_S
    _pool: ProcessPoolExecutor | None = field(default=None, init=False)
    _began: float | None = field(default=None, init=False)

    def __enter__(self) -> ProcessExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            for process in active_children():
                process.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    @property
    def workers(self) -> int:
        """Number of tasks played at once."""
        return self.jobs if self._pool is not None else 1

    def results(
        self, player: TaskRunner[Task, Result], tasks: Iterator[Task], tick: Tick
    ) -> Iterator[tuple[Task, Result]]:
        """Yield tasks with their results in order, taking each task as late as possible.

        Raise `PlayFault` and `WorkersLost`.
        """
        if self._began is None:
            self._began = self.clock()
        for task in tasks:
            if self._pool is not None or (self.jobs > 1 and self.clock() - self._began >= self.alone):
                yield from self._shared(player, chain((task,), tasks), tick)
                return
            yield task, player.play(task, tick)

    def _shared(
        self, player: TaskRunner[Task, Result], tasks: Iterator[Task], tick: Tick
    ) -> Iterator[tuple[Task, Result]]:
        queue: deque[_PendingTask[Task, Result]] = deque()
        losses = 0
        while True:
            queue += map(_PendingTask, islice(tasks, MAX_PENDING_PER_PROCESS * self.jobs - len(queue)))
            if not queue:
                return
            tick()
            try:
                first = self._submitted(player, queue)
                if not wait([first], POLL_INTERVAL_S).done:
                    continue
                result = first.result()
            except BrokenProcessPool:
                losses += 1
                if losses == ATTEMPTS:
                    raise WorkersLost from None
                self._pool = None
                for pending in queue:
                    if pending.future is not None and isinstance(pending.future.exception(), BrokenProcessPool):
                        pending.future = None
                continue
            losses = 0
            yield queue.popleft().task, result

    def _submitted(self, player: TaskRunner[Task, Result], queue: deque[_PendingTask[Task, Result]]) -> Future[Result]:
        """Give the tasks that have no result yet to the processes; return the result of the first one."""
        with _not_interrupted():
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _prepare, (player,))
            for pending in queue:
                pending.future = pending.future or self._pool.submit(_play, pending.task)
        assert queue[0].future is not None
        return queue[0].future


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


#: The task runner of a child process.
_runner: TaskRunner[Any, Any]


def _prepare(runner: TaskRunner[Any, Any]) -> None:
    """Keep the task runner of a child process."""
    global _runner
    _runner = runner


def _play(task: Any) -> Any:
    """Return the result of a task, in a child process."""
    return _runner.play(task)

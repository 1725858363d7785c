"""Plays tasks in processes of this machine: in this one, or in others.

With others, the first games are played right here: a short run is over before other processes would have begun.
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

from wongar_dsl.lab.playing import Tick

#: How long, in seconds, games are played here before others are asked to help.
ALONE = 1.5
#: How often, in seconds, somebody who waits is told that nothing has come yet.
PATIENCE = 0.2
#: So many processes may end before their time, one after the other, with the same task.
ATTEMPTS = 3
#: So many results for each process are waited for while the first of them has not come.
AHEAD = 4


Task = TypeVar("Task")
Result = TypeVar("Result")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class Player(Protocol[Task_contra, Result_co]):
    """What plays tasks, in this process or in another one that it has travelled to."""

    def play(self, task: Task_contra, tick: Tick = lambda: None) -> Result_co:
        """What comes of a task; `tick` is called every now and then.  Raises `PlayFault`."""


class Here:
    """Plays in this process."""

    workers = 1

    def results(self, player: Player[Task, Result], tasks: Iterator[Task], tick: Tick) -> Iterator[tuple[Task, Result]]:
        """The results, in the order of the tasks, which are taken as late as may be.  Raises `PlayFault`."""
        for task in tasks:
            yield task, player.play(task, tick)


class WorkersLost(Exception):
    """Whatever plays some task ends before it has done so."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection
    task: _Open | None = None

    def tell(self, player: Player[Any, Any]) -> None:
        """Say what will be played; a process that has died at once is noticed when it shall play."""
        with suppress(OSError):
            self.connection.send(player)


@dataclass(slots=True)
class _Open:
    """A task that is played or waits for it, how often that was tried, and what came of it, or the error."""

    task: Any
    attempts: int = 0
    result: Any = None


@dataclass
class Processes:
    """Lets one player play tasks in so many processes, once `clock` has gone on by `ALONE`.

    A context: its processes end with it.
    """

    jobs: int
    clock: Callable[[], float]
    alone: float = ALONE
    _workers: list[_Worker] = field(default_factory=list, init=False)
    _began: float | None = field(default=None, init=False)

    def __enter__(self) -> Processes:
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
        """How many tasks are played at once."""
        return len(self._workers) or 1

    def results(self, player: Player[Task, Result], tasks: Iterator[Task], tick: Tick) -> Iterator[tuple[Task, Result]]:
        """See `Here.results`.  Raises `WorkersLost`."""
        if self._began is None:
            self._began = self.clock()
        for task in tasks:
            if self._workers or (self.jobs > 1 and self.clock() - self._began >= self.alone):
                yield from self._shared(player, chain((task,), tasks), tick)
                return
            yield task, player.play(task, tick)

    def _shared(self, player: Player[Task, Result], tasks: Iterator[Task], tick: Tick) -> Iterator[tuple[Task, Result]]:
        # All begin at once; each takes some time until it listens.
        new = [_started() for _ in range(self.jobs - len(self._workers))]
        self._workers += new
        for worker in new:
            worker.tell(player)
        # In the order of the tasks; `again` are those that a process has left undone.
        row: deque[_Open] = deque()
        again: list[_Open] = []
        more = True
        while True:
            for worker in list(self._workers):
                if worker.task is not None:
                    continue
                task = again.pop(0) if again else None
                if task is None and more and len(row) < AHEAD * self.jobs:
                    following = next(tasks, None)
                    more = following is not None
                    if following is not None:
                        task = _Open(following)
                        row.append(task)
                if task is not None:
                    worker.task = task
                    try:
                        worker.connection.send(task.task)
                    except OSError:
                        self._replace(player, worker, again)
            full = len(row)
            while row and row[0].result is not None:
                first = row.popleft()
                if isinstance(first.result, BaseException):
                    raise first.result
                yield first.task, first.result
            if not row and not more:
                return
            # Who had to wait until there is room in the row goes on before anybody is waited for.
            if len(row) == full:
                self._receive(player, again, tick)

    def _receive(self, player: Player[Any, Any], again: list[_Open], tick: Tick) -> None:
        """Wait a moment for results."""
        busy = {worker.connection: worker for worker in self._workers if worker.task is not None}
        tick()
        for ready in wait(list(busy), PATIENCE):
            assert isinstance(ready, Connection)
            worker = busy[ready]
            try:
                result = ready.recv()
            except (EOFError, OSError):
                self._replace(player, worker, again)
                continue
            if worker.task is not None:
                worker.task.result, worker.task = result, None

    def _replace(self, player: Player[Any, Any], worker: _Worker, again: list[_Open]) -> None:
        """A process has ended before its time: another one takes its place, and its task is done again."""
        worker.connection.close()
        worker.process.join()
        self._workers.remove(worker)
        if worker.task is not None:
            worker.task.attempts += 1
            if worker.task.attempts >= ATTEMPTS:
                raise WorkersLost
            again.append(worker.task)
        self._workers.append(_started())
        self._workers[-1].tell(player)


def _started() -> _Worker:
    context = get_context("spawn")
    own, other = context.Pipe()
    process = context.Process(target=_serve, args=(other,), daemon=True)
    with _not_interrupted():
        process.start()
    other.close()
    return _Worker(process, own)


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """What is started here never hears of an interrupt at the terminal: who starts it does, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It is started with the first process, and would let interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection) -> None:
    """What a process does: play task after task, until nobody is there any more to ask for it."""
    try:
        player: Player[Any, Any] = connection.recv()
        while True:
            task = connection.recv()
            try:
                result = player.play(task)
            except Exception as error:
                result = error
            connection.send(result)
    except (EOFError, OSError):
        return

"""Process pool that renders pages and computes bot moves, so that the event loop stays free."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_all_start_methods, get_context, parent_process
from typing import Any, TypeVar

from .render_worker import GameSnapshot, RenderedPage, RenderRequest, WorkerSettings, choose, render, warm_up

T = TypeVar("T")

#: Niceness of bot processes relative to the render processes.
NICE_INCREMENT = 10


class WorkerPools:
    """Workers that render pages and workers that play bots; each caches the tables it has worked on."""

    def __init__(self, worker_settings: WorkerSettings, processes: int) -> None:
        """Start the workers; with 0 `processes`, threads are used instead."""
        self.worker_settings, self._processes = worker_settings, processes
        if processes:
            # If the server is killed, the resource tracker frees its semaphores; this warning is suppressed.
            sys.warnoptions.append("ignore:resource_tracker:UserWarning")
        count = max(1, processes)
        self._drawing = [self._new(False) for _ in range(count)]
        self._thinking = [self._new(True) for _ in range(count)]
        self._busy, self._closed = [0] * count, False

    def _new(self, thinks: bool) -> Executor:
        if self._processes == 0:
            return ThreadPoolExecutor(1)
        can_fork = "forkserver" in get_all_start_methods()
        context = get_context("forkserver" if can_fork else "spawn")
        if can_fork:
            # Workers are forked from a process that has imported this module.
            context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(thinks,))

    @property
    def has_processes(self) -> bool:
        """True if pages are rendered in worker processes."""
        return self._processes > 0

    def close(self) -> None:
        """Stop all workers."""
        self._closed = True
        for executor in (*self._drawing, *self._thinking):
            # A bot's running search is not waited for.
            for process in list((getattr(executor, "_processes", None) or {}).values()):
                process.terminate()
            executor.shutdown(wait=self.has_processes, cancel_futures=True)

    def _worker_of(self, table: str) -> int:
        """Return the worker that renders the options of a table: always the same, since it remembers their numbers."""
        return zlib.crc32(table.encode()) % len(self._drawing)

    async def draw(self, snapshot: GameSnapshot, request: RenderRequest) -> RenderedPage:
        """Render a page of a table."""
        number = self._worker_of(snapshot.table)
        if not request.is_deciding:
            number = min(range(len(self._busy)), key=lambda index: (self._busy[index], index != number))
        hurried = sum(self._busy) >= len(self._busy)
        self._busy[number] += 1
        try:
            return await self._run(self._drawing, number, render, self.worker_settings, snapshot, request, hurried)
        finally:
            self._busy[number] -= 1

    async def think(self, snapshot: GameSnapshot) -> tuple[tuple[int, ...], int]:
        """Return a bot's move and its time in ms."""
        return await self._run(self._thinking, self._worker_of(snapshot.table), choose, self.worker_settings, snapshot)

    async def warm_up(self, snapshot: GameSnapshot, request: RenderRequest) -> None:
        """Prepare all render workers for a table by rendering a page of it."""
        workers = range(len(self._drawing))
        await asyncio.gather(
            *(self._run(self._drawing, number, warm_up, self.worker_settings, snapshot, request) for number in workers)
        )

    async def _run(self, row: list[Executor], number: int, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(row[number], work, *arguments)
        except BrokenExecutor:
            # The worker was killed or crashed, and is replaced.
            if self._closed:
                raise
            with contextlib.suppress(Exception):
                row[number].shutdown(wait=False)
            row[number] = self._new(row is self._thinking)
            return await loop.run_in_executor(row[number], work, *arguments)


def _begin(thinks: bool) -> None:
    """Initialise a worker process: ignore Ctrl-C, exit with the server, and lower the priority of bots."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if thinks and hasattr(os, "nice"):
        os.nice(NICE_INCREMENT)


def _end_with_server() -> None:
    """Exit as soon as the server process has ended, even if it was killed."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)

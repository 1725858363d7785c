"""Who works out pages and bots' decisions: processes of their own, so that the server has time for everybody."""

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
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from .rendering import Course, Program, Rendered, Wanted, choose, make_ready, render

T = TypeVar("T")

#: How much less urgent a bot is than a page.
NICER = 10


class Workers:
    """Some that draw pages and some that think for bots; each knows the tables that it was asked about."""

    def __init__(self, program: Program, processes: int) -> None:
        """With no processes, threads of this one do it."""
        self.program, self._processes = program, processes
        if processes:
            # Where the server is killed, the tracker of its processes frees their semaphores; it need not report that.
            sys.warnoptions.append("ignore:resource_tracker:UserWarning")
        count = max(1, processes)
        self._drawing = [self._new(False) for _ in range(count)]
        self._thinking = [self._new(True) for _ in range(count)]
        self._busy = [0] * count
        self._closed = False

    def _new(self, thinks: bool) -> Executor:
        if self._processes == 0:
            return ThreadPoolExecutor(1)
        return ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin, initargs=(thinks,))

    @property
    def apart(self) -> bool:
        """Whether processes of their own draw."""
        return self._processes > 0

    def close(self) -> None:
        """End them."""
        self._closed = True
        for one in (*self._drawing, *self._thinking):
            # What a bot still thinks about is not waited for.
            for process in list((getattr(one, "_processes", None) or {}).values()):
                process.terminate()
            one.shutdown(wait=self.apart, cancel_futures=True)

    def _home(self, table: str) -> int:
        """Who draws the options of a table: always the same, for it remembers their numbers."""
        return zlib.crc32(table.encode()) % len(self._drawing)

    async def draw(self, course: Course, wanted: Wanted) -> Rendered:
        """A page of a table."""
        number = self._home(course.table)
        if not wanted.asked:
            number = min(range(len(self._busy)), key=lambda one: (self._busy[one], one != number))
        hurried = sum(self._busy) >= len(self._busy)
        self._busy[number] += 1
        try:
            return await self._run(self._drawing, number, render, self.program, course, wanted, hurried)
        finally:
            self._busy[number] -= 1

    async def think(self, course: Course) -> tuple[tuple[int, ...], int]:
        """What a bot decides, and in which time."""
        return await self._run(self._thinking, self._home(course.table), choose, self.program, course)

    async def make_ready(self, course: Course, wanted: Wanted) -> None:
        """Let all that draw get to know a table, by a page of it that nobody is shown."""
        every = range(len(self._drawing))
        await asyncio.gather(
            *(self._run(self._drawing, one, make_ready, self.program, course, wanted) for one in every)
        )

    async def _run(self, row: list[Executor], number: int, work: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(row[number], work, *arguments)
        except BrokenExecutor:
            # It has been ended from outside, or by what it did: another one takes its place.
            if self._closed:
                raise
            with contextlib.suppress(Exception):
                row[number].shutdown(wait=False)
            row[number] = self._new(row is self._thinking)
            return await loop.run_in_executor(row[number], work, *arguments)


def _begin(thinks: bool) -> None:
    """What a new process does first: it hears no interrupt at the terminal, and a bot lets others go first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if thinks and hasattr(os, "nice"):
        os.nice(NICER)


def _end_with_server() -> None:
    """End as soon as the server is there no more, also where it was killed."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)

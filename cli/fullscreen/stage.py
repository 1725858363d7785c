"""A conversation in a thread of its own, before a screen that is never held up by it.

The screen runs in the main thread, where signals arrive; the conversation puts a question and waits for the answer.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ..terminal.ending import given_back
from ..terminal.timed import Terminal
from .table_app import TableApp
from .view import View

#: How often somebody who waits for an answer looks for something else to do, in seconds.
IDLE = 0.02
#: So long a conversation has to come to its end where the program is told to end, in seconds.
PATIENCE = 10.0

#: That some work is done; nobody can type that.
DONE = "\x00"

T = TypeVar("T")


class Stage:
    """The full screen and the thread before it."""

    def __init__(self, terminal: Terminal, view: View) -> None:
        self._inbox: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        self.app = TableApp(terminal, view, lambda answer: self._inbox.put(answer))
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._running = threading.Event()
        self._closed = threading.Event()
        self._failure: BaseException | None = None
        self._code = 0

    # ---- in the thread of the conversation ----

    def show(self, view: View) -> None:
        """Show something."""
        self.app.show(view)

    def ask(self, view: View, meanwhile: Callable[[], View | None] = lambda: None) -> str:
        """What is answered to a view; raises what somebody leaves with.

        `meanwhile` is called again and again for a little more work, and gives a view that tells more.
        """
        self.show(view)
        while True:
            with contextlib.suppress(queue.Empty):
                return self._read(self._inbox.get(timeout=IDLE))
            more = meanwhile()
            if more is not None:
                self.show(more)

    def await_(self, work: Callable[[], T]) -> T:
        """What some work gives; the screen can be left meanwhile."""
        results: list[T] = []

        def do() -> None:
            try:
                results.append(work())
            except BaseException as error:
                self._inbox.put(error)
            else:
                self._inbox.put(DONE)

        threading.Thread(target=do, daemon=True).start()
        while self._read(self._inbox.get()) != DONE:
            pass
        return results[0]

    def elsewhere(self, work: Callable[[], T]) -> T:
        """What another screen gives, which is shown in the place of this one."""
        results: list[T] = []
        over: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

        def do() -> None:
            try:
                results.append(work())
            except BaseException as error:
                over.put(error)
            else:
                over.put(None)

        self._go_on(do)
        error = over.get()
        if error is not None:
            raise error
        return results[0]

    def close(self) -> None:
        """Give the terminal back."""
        if not self._closed.is_set():
            self._go_on(self._closed.set)
            self._closed.wait()

    def _go_on(self, task: Callable[[], None] | None) -> None:
        """Have the main thread leave the screen for something else."""
        self._tasks.put(task)
        self._running.wait()
        loop = self.app.app.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # It may have ended already.
                loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        if self.app.app.is_running and not self.app.app.is_done:
            self.app.app.exit()

    @staticmethod
    def _read(answer: str | BaseException) -> str:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    # ---- in the main thread ----

    def run(self, conversation: Callable[[], int]) -> int:
        """Have a conversation; gives its exit code, and raises what it raises."""
        thread = threading.Thread(target=self._converse, args=(conversation,), daemon=True)
        thread.start()
        try:
            self._screens()
        except BaseException as stopped:
            self._closed.set()
            self._running.set()
            self._inbox.put(stopped)
            thread.join(PATIENCE)
            raise
        thread.join()
        if self._failure is not None:
            raise self._failure
        return self._code

    def _converse(self, conversation: Callable[[], int]) -> None:
        try:
            self._code = conversation()
        except BaseException as failure:
            self._failure = failure
        finally:
            if not self._closed.is_set():
                self._go_on(None)

    def _screens(self) -> None:
        """Show the screen, and what comes in its place, until it is closed."""
        while True:
            if self._tasks.empty():
                with given_back(self.app.app):
                    self.app.app.run(pre_run=self._begin, handle_sigint=False)
            self._running.clear()
            task = self._tasks.get()
            if task is None:
                self._closed.set()
                return
            task()
            if self._closed.is_set():
                return

    def _begin(self) -> None:
        self._running.set()
        if not self._tasks.empty():
            self.app.app.create_background_task(self._leave_at_once())

    async def _leave_at_once(self) -> Any:
        self._leave()

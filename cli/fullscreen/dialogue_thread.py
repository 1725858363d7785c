"""The dialogue in its own thread, so that it never blocks the screen.

The screen runs in the main thread, where signals arrive. The dialogue puts questions and waits for answers.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ..terminal.signals import restored_screen
from ..terminal.terminal_io import Terminal
from .table_app import FullscreenApp
from .view import ScreenView

#: Seconds between two calls of the background work while waiting for an answer.
BACKGROUND_INTERVAL_S = 0.02
#: Seconds that the dialogue has to finish after a request to end the program.
SHUTDOWN_TIMEOUT_S = 10.0

#: Answer that marks finished work; users cannot type it.
DONE = "\x00"

T = TypeVar("T")


class DialogueThread:
    """The full screen and the dialogue thread."""

    def __init__(self, terminal: Terminal, view: ScreenView) -> None:
        self._inbox: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        self.app = FullscreenApp(terminal, view, lambda answer: self._inbox.put(answer))
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._running = threading.Event()
        self._closed = threading.Event()
        self._failure: BaseException | None = None
        self._code = 0

    # ---- in the dialogue thread ----

    def show(self, view: ScreenView) -> None:
        """Show a view."""
        self.app.show(view)

    def ask(self, view: ScreenView, meanwhile: Callable[[], ScreenView | None] = lambda: None) -> str:
        """Show a view and return the answer; raise the exception that the user quits with.

        While waiting, `meanwhile` is called repeatedly for background work. It may return an updated view.
        """
        self.show(view)
        while True:
            with contextlib.suppress(queue.Empty):
                return self._read(self._inbox.get(timeout=BACKGROUND_INTERVAL_S))
            update = meanwhile()
            if update is not None:
                self.show(update)

    def run_in_worker(self, work: Callable[[], T]) -> T:
        """Run a function in another thread and return its result; the user can quit meanwhile."""
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

    def run_other_screen(self, work: Callable[[], T]) -> T:
        """Run a function with another screen in place of this one, and return its result."""
        results: list[T] = []
        over: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

        def do() -> None:
            try:
                results.append(work())
            except BaseException as error:
                over.put(error)
            else:
                over.put(None)

        self._run_in_main_thread(do)
        error = over.get()
        if error is not None:
            raise error
        return results[0]

    def close(self) -> None:
        """Restore the terminal."""
        if not self._closed.is_set():
            self._run_in_main_thread(self._closed.set)
            self._closed.wait()

    def _run_in_main_thread(self, task: Callable[[], None] | None) -> None:
        """Make the main thread leave the screen and run a task."""
        self._tasks.put(task)
        self._running.wait()
        loop = self.app.app.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # The loop may have ended already.
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
        """Run a dialogue; return its exit code or raise its exception."""
        thread = threading.Thread(target=self._converse, args=(conversation,), daemon=True)
        thread.start()
        try:
            self._screens()
        except BaseException as stopped:
            self._closed.set()
            self._running.set()
            self._inbox.put(stopped)
            thread.join(SHUTDOWN_TIMEOUT_S)
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
                self._run_in_main_thread(None)

    def _screens(self) -> None:
        """Show the screen, and the tasks that replace it, until it is closed."""
        while True:
            if self._tasks.empty():
                with restored_screen(self.app.app):
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

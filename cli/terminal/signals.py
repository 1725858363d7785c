"""Handling of SIGTERM: the program exits in an orderly way, as after Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from ..errors import INTERRUPTED, TERMINATED

if TYPE_CHECKING:
    from prompt_toolkit.application import Application


#: File descriptor of the keyboard input.
STDIN_FD = 0


class Terminated(KeyboardInterrupt):
    """Request by the system or another program to exit.

    Since it is a KeyboardInterrupt, it restores the terminal as Ctrl-C does.
    """


def interrupt_code(interrupt: KeyboardInterrupt) -> int:
    """Return the exit code after Ctrl-C or SIGTERM."""
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED


@contextlib.contextmanager
def restored_screen(app: Application[Any]) -> Iterator[None]:
    """Restore the terminal if an application is interrupted while it draws, before it can do so itself."""
    try:
        yield
    except KeyboardInterrupt:
        app.renderer.reset()
        app.output.enable_autowrap()
        app.output.flush()
        raise


@contextlib.contextmanager
def _restored_modes() -> Iterator[None]:
    """Restore the modes of the terminal if the program is interrupted while it changes them."""
    try:
        import termios
    except ImportError:  # No terminal modes on this platform.
        yield
        return
    modes = None
    with contextlib.suppress(OSError, termios.error):  # There may be no terminal.
        modes = termios.tcgetattr(STDIN_FD)
    try:
        yield
    except KeyboardInterrupt:
        with contextlib.suppress(OSError, termios.error):
            if modes is not None:
                termios.tcsetattr(STDIN_FD, termios.TCSANOW, modes)
        raise


def await_input_or_signal(stream: TextIO) -> None:
    """Block until a terminal has input or a signal has arrived; return at once on other streams.

    A signal that arrives just before a read does not interrupt it, and its handler would run only after the next line.
    The wake-up descriptor of Python is therefore watched together with the terminal.
    """
    # Elsewhere than in the main thread and on Unix, there are no such signals or descriptors.
    with contextlib.suppress(OSError, ValueError), contextlib.ExitStack() as stack:
        if stream.isatty():
            arrived, sent = os.pipe()
            stack.callback(os.close, arrived)
            stack.callback(os.close, sent)
            os.set_blocking(sent, False)
            stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(sent))
            select.select([stream.fileno(), arrived], [], [])


@contextlib.contextmanager
def raise_on_signal() -> Iterator[None]:
    """Raise `Terminated` on SIGTERM within the context."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # A second signal must not interrupt the exit.
        raise Terminated

    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL:  # Another handler is installed.
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        with _restored_modes():
            yield
    finally:
        if signal.getsignal(signal.SIGTERM) is end:
            signal.signal(signal.SIGTERM, before)

"""A program that is told to end leaves in good order, as if somebody had pressed Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from prompt_toolkit.application import Application


#: Where keys come from.
KEYS = 0


class Ended(KeyboardInterrupt):
    """The system, or another program, tells this one to end.

    Whatever lets Ctrl-C through, and gives the terminal back as it was, does the same with this.
    """


@contextlib.contextmanager
def given_back(app: Application[Any]) -> Iterator[None]:
    """Leave an application's screen also where it is ended while it is drawn, before it sees to that itself."""
    try:
        yield
    except KeyboardInterrupt:
        app.renderer.reset()
        app.output.enable_autowrap()
        app.output.flush()
        raise


@contextlib.contextmanager
def _modes_kept() -> Iterator[None]:
    """Give the terminal its modes back also where the program is ended just while it changes them."""
    try:
        import termios
    except ImportError:  # Terminals have no modes here.
        yield
        return
    modes = None
    with contextlib.suppress(OSError, termios.error):  # There may be no terminal.
        modes = termios.tcgetattr(KEYS)
    try:
        yield
    except KeyboardInterrupt:
        with contextlib.suppress(OSError, termios.error):
            if modes is not None:
                termios.tcsetattr(KEYS, termios.TCSANOW, modes)
        raise


@contextlib.contextmanager
def told_to_end() -> Iterator[None]:
    """Raise `Ended` where the program is told to end meanwhile."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # Once is enough: leaving is not to be disturbed.
        raise Ended

    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL:  # Somebody else sees to it.
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        with _modes_kept():
            yield
    finally:
        if signal.getsignal(signal.SIGTERM) is end:
            signal.signal(signal.SIGTERM, before)

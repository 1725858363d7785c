"""Signals that arrive while a line is read at a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys

import pytest

from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.cli.terminal.signals import Terminated, raise_on_signal


def test_signal_just_before_the_wait_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler that has run before the system call does not interrupt the wait, but its wake-up byte ends it."""
    ready: list[int] = []

    def select_after_signal(read: list[int], write: list[int], other: list[int]) -> object:
        os.kill(os.getpid(), signal.SIGUSR1)
        found = wait(read, write, other, 5)
        ready.extend(found[0])
        os.write(controller, b"a line\n")
        return found

    wait = select.select
    controller, terminal = pty.openpty()
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    monkeypatch.setattr(select, "select", select_after_signal)
    try:
        with os.fdopen(terminal, encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert Screen().ask("?") == "a line"
            assert len(ready) == 1
            assert stream.fileno() not in ready
    finally:
        signal.signal(signal.SIGUSR1, before)
        os.close(controller)
    assert signal.set_wakeup_fd(-1) == -1


def test_termination_at_a_terminal_ends_the_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def terminated(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    controller, terminal = pty.openpty()
    monkeypatch.setattr(select, "select", terminated)
    with os.fdopen(terminal, encoding="utf-8") as stream, raise_on_signal():
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(Terminated):
            Screen().ask("?")
    os.close(controller)


def test_end_of_input_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(EOFError):
            Screen().ask("?")

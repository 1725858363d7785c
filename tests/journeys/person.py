"""A person at a terminal: reads the screen as it is drawn, types, and knows only what the screen shows."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pyte

from tests.cli.command import START, Terminal, surroundings

#: The locale of each language, as a system sets it.
LOCALES = {"de": "de_DE.UTF-8", "nl": "nl_NL.UTF-8", "it": "it_IT.UTF-8", "en": "en_GB.UTF-8"}
COLUMNS, ROWS = 80, 24
#: Seconds that a person waits before giving up, and seconds without new output after which a screen has settled.
PATIENCE, SETTLED = 60.0, 0.8
#: An option on the screen: a number at the beginning of a line, and its words up to the next pane.
OPTION = re.compile(r"^[▸* ]{0,3}(\d{1,3}) ([^\s│].*?)(?: *│.*)?$")


class Person:
    """A person with a home folder, a language set by the system, and a terminal of 80 by 24.

    Keeps nothing of the program: each command is a process of its own, as when it is typed into a shell.  `program` is
    the folder of another copy of it.
    """

    def __init__(self, home: Path, language: str, program: Path | None = None) -> None:
        self.home = home
        self._environment = surroundings(home) | {
            "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": LOCALES[language],
        }  # fmt: skip
        if program is not None:
            self._environment["PYTHONPATH"] = str(program)
        self._terminal: Terminal | None = None

    def runs(self, *words: str) -> None:
        """Type a command into the shell."""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)
        self.scrolled = ""
        self._terminal = Terminal([*START, *words], self._environment, self.home, COLUMNS, ROWS)

    def sees(self, *texts: str) -> str:
        """Wait until the screen shows all of these texts and nothing more comes; return the screen."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            moving = self._read(SETTLED)
            shown = self.screen()
            if not moving and all(text in shown for text in texts):
                return shown
            if self._over() and not moving:
                break
        raise AssertionError(f"{texts} not on the screen:\n{self.screen()}")

    def is_asked(self) -> dict[int, str]:
        """Wait until the screen shows options and nothing more comes; return them."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self._over():
            if not self._read(SETTLED) and self.options():
                return self.options()
        raise AssertionError(f"no options on the screen:\n{self.screen()}")

    def answers(self, text: str) -> dict[int, str]:
        """Type an answer, and wait for the options of the next question, which may be the same; return them."""
        before = self.screen()
        self.types(text)
        end = time.monotonic() + PATIENCE
        while self.is_asked() and self.screen() == before and time.monotonic() < end:
            pass
        assert self.screen() != before
        # A computer may still think before the next question is there.
        while self._read(3 * SETTLED):
            pass
        return self.is_asked()

    def types(self, text: str) -> None:
        """Type a line and press Enter."""
        self.presses(text + "\r")

    def settles(self) -> str:
        """Wait until something has come and nothing more comes; return the screen."""
        end = time.monotonic() + PATIENCE
        while not self._read(SETTLED) and time.monotonic() < end and not self._over():
            pass
        while self._read(SETTLED):
            pass
        return self.screen()

    def presses(self, keys: str) -> None:
        """Press keys, once the screen has settled."""
        while self._read(SETTLED):
            pass
        assert self._terminal is not None
        self._terminal.type(keys)

    def options(self) -> dict[int, str]:
        """The numbered options on the screen, by number."""
        return {
            int(number): text.strip() for line in self._screen.display for number, text in OPTION.findall(line.rstrip())
        }

    def screen(self) -> str:
        """What is on the screen, without the spaces at the end of lines."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def leaves(self) -> int:
        """Wait until the command has ended; return its exit code."""
        assert self._terminal is not None
        end = time.monotonic() + PATIENCE
        while not self._over() and time.monotonic() < end:
            self._read(SETTLED)
        while self._read(0.0):
            pass
        self._terminal.process.wait(timeout=PATIENCE)
        return self._terminal.process.returncode

    def cuts_the_power(self) -> None:
        """Kill the command without notice."""
        assert self._terminal is not None
        self._terminal.process.send_signal(signal.SIGKILL)
        self._terminal.process.wait()

    def close(self) -> None:
        """End whatever still runs."""
        if self._terminal is not None:
            self._terminal.__exit__()
            self._terminal = None

    def _over(self) -> bool:
        return self._terminal is None or self._terminal.process.poll() is not None

    def _read(self, seconds: float) -> bool:
        """Draw what comes within some seconds; return whether anything came."""
        assert self._terminal is not None
        more = self._terminal._more(time.monotonic() + seconds)
        text, self._terminal.text = self._terminal.text, ""
        self.scrolled += text
        self._stream.feed(text)
        return more

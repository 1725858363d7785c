"""Simulated person at a terminal who reads the drawn screen and types, without other knowledge."""

from __future__ import annotations

import os
import re
import signal
import time
from functools import partial
from pathlib import Path

import pyte

from tests.cli.command import START, Terminal, isolated_environment, start_process

#: Value of `LANG` for each language.
LOCALES = {"de": "de_DE.UTF-8", "nl": "nl_NL.UTF-8", "it": "it_IT.UTF-8", "en": "en_GB.UTF-8"}
COLUMNS, ROWS = 80, 24
#: Seconds until a person gives up, and seconds without output after which a screen has settled; if the command is seen
#: to work, up to `BUSY_S`.
TIMEOUT_S, SETTLED, BUSY_S = 60.0, 0.8, 10.0
#: Seconds of one look at a command, and how many looks in a row must find it resting: more than its grace for keys.
GLANCE_S, RESTED = 0.05, 8
#: True if the system shows the processor time of processes, and their children.
WORK_IS_SEEN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
#: An option on the screen: a number at the start of a line, and its text up to an arrow or the next pane.
OPTION = re.compile(r"^[▸* ]{0,3}(\d{1,3}) ([^\s│].*?)(?: *[↑↓])?(?: *│.*)?$")


class Person:
    """A person with a home folder, a system language, and a terminal of 80 by 24.

    Each command runs in a separate process, as if typed into a shell.  `program` is the folder of another copy of the
    program.
    """

    def __init__(self, home: Path, language: str, program: Path | None = None) -> None:
        self.home = home
        self._environment = isolated_environment(home) | {
            "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": LOCALES[language],
        }  # fmt: skip
        if program is not None:
            self._environment["PYTHONPATH"] = str(program)
        self._terminal: Terminal | None = None
        self._typed = ""
        #: True if the screen has settled since keys were pressed.
        self._settled = False

    def runs(self, *words: str) -> None:
        """Type a command into the shell."""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)
        self.scrolled, self._settled = "", False
        self._terminal = Terminal(partial(start_process, [*START, *words]), self._environment, self.home, COLUMNS, ROWS)

    def sees(self, *texts: str) -> str:
        """Wait until the screen has settled and shows all texts; return the screen."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            moving = self._read(SETTLED)
            shown = self.screen()
            if not moving and all(text in shown for text in texts):
                return shown
            if self._over() and not moving:
                break
        raise AssertionError(f"{texts} not on the screen:\n{self.screen()}")

    def is_asked(self) -> dict[int, str]:
        """Wait until the screen has settled and shows options; return them."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end and not self._over():
            if not self._read(SETTLED) and self.options():
                return self.options()
        raise AssertionError(f"no options on the screen:\n{self.screen()}")

    def answers(self, text: str) -> dict[int, str]:
        """Type an answer, wait for the next question, and return its options, which may be the same."""
        before = self.screen()
        self.types(text)
        end = time.monotonic() + TIMEOUT_S
        while self.is_asked() and self.screen() == before and time.monotonic() < end:
            pass
        assert self.screen() != before
        # A bot may still be thinking before the next question.
        while self._read(3 * SETTLED):
            pass
        return self.options() or self.is_asked()

    def types(self, text: str) -> None:
        """Type a line and press Enter."""
        self._typed = text
        self.presses(text + "\r")

    def settles(self) -> str:
        """Wait for output and until the screen has settled; return the screen."""
        end = time.monotonic() + TIMEOUT_S
        while not self._read(SETTLED) and time.monotonic() < end and not self._over():
            pass
        while self._read(SETTLED):
            pass
        return self.screen()

    def presses(self, keys: str) -> None:
        """Press keys, once the screen has settled."""
        while not self._settled and self._read(SETTLED):
            pass
        assert self._terminal is not None
        self._terminal.type(keys)
        self._settled = False

    def options(self) -> dict[int, str]:
        """Return the numbered options on the screen, by number."""
        return {
            int(number): text.strip() for line in self._screen.display for number, text in OPTION.findall(line.rstrip())
        }

    def screen(self) -> str:
        """Return the text of the screen without trailing spaces."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def leaves(self) -> int:
        """Wait until the command has ended; return its exit code.

        Enter is pressed again if the last answer still stands at the prompt, since the question had just changed.
        """
        assert self._terminal is not None
        end = time.monotonic() + TIMEOUT_S
        while not self._over() and time.monotonic() < end:
            resting = not self._read(SETTLED)
            if resting and self._typed and f"> {self._typed}" in (line.rstrip() for line in self._screen.display):
                self.presses("\r")
        while self._read(0.0):
            pass
        self._terminal.process.wait(timeout=TIMEOUT_S)
        return self._terminal.process.returncode

    def cuts_the_power(self) -> None:
        """Kill the command without notice."""
        assert self._terminal is not None
        self._terminal.process.send_signal(signal.SIGKILL)
        self._terminal.process.wait()

    def close(self) -> None:
        """End the running command, if any."""
        if self._terminal is not None:
            self._terminal.__exit__()
            self._terminal = None

    def _over(self) -> bool:
        return self._terminal is None or self._terminal.process.poll() is not None

    def _read(self, seconds: float) -> bool:
        """Draw the output of the next seconds; return whether there was any.

        Where the work of the command can be seen, it is enough that it rests for a moment, and while it works the time
        is longer.
        """
        assert self._terminal is not None
        end, rested, work = time.monotonic() + seconds, 0, None
        longest = end + BUSY_S * bool(seconds) * WORK_IS_SEEN
        while not (more := self._terminal._more(min(end, time.monotonic() + GLANCE_S))) and time.monotonic() < end:
            before, work = work, work_of(self._terminal.process.pid)
            rested = rested + 1 if work is not None and work == before else 0
            if rested == RESTED or self._over():
                break
            if not rested:
                end = max(end, min(longest, time.monotonic() + seconds))
        text, self._terminal.text = self._terminal.text, ""
        self.scrolled += text
        self._stream.feed(text)
        self._settled = not more and seconds > 0
        return more


def work_of(process: int) -> int | None:
    """Return the processor time of a process and its descendants in clock ticks; None if one works or it is unknown.

    A thread that waits for a processor, or for a disk, works as well.
    """
    total, numbers = 0, [process] if WORK_IS_SEEN else []
    # Without `Path`, which takes several times longer: this is called 20 times a second.
    for number in numbers:
        try:
            for task in os.listdir(f"/proc/{number}/task"):
                with open(f"/proc/{number}/task/{task}/stat", "rb") as file:
                    state, *fields = file.read().rpartition(b")")[2].split()
                if state in (b"R", b"D"):
                    return None
                total += int(fields[10]) + int(fields[11])
                with open(f"/proc/{number}/task/{task}/children", "rb") as file:
                    numbers += map(int, file.read().split())
        except OSError:
            continue
    return total or None

"""Running the command for tests: in this process, in another one, and in a terminal."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from wongar_dsl.engine.saves import read_save

LANGUAGES = ("de", "nl", "it", "en")
#: Starts the command in a process of its own, wherever the script of that name may be.
START = [sys.executable, "-c", "import sys; from wongar_dsl.cli.main import main; sys.exit(main())"]
CACHE = Path(__file__).resolve().parents[2] / ".pytest_cache" / "wongar"


def choices_in(save: Path) -> list[str]:
    """The choices that a save holds."""
    return [text for text, _ in read_save(save).choices]


@dataclass(frozen=True)
class Result:
    """What came of a command."""

    code: int
    out: str
    err: str


@dataclass
class Command:
    """The command in surroundings of its own: settings, saves and language come from nowhere else."""

    home: Path
    patch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str, answers: str = "") -> Result:
        """Run it in this process."""
        from wongar_dsl.cli.main import main

        self.capture.readouterr()
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(answers))
            code = main(list(arguments))
        out, err = self.capture.readouterr()
        return Result(code, out, err)

    def in_ascii(self, *arguments: str, answers: str = "") -> Result:
        """Run it in this process, with streams that take nothing but ASCII."""
        from wongar_dsl.cli.main import main

        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2))
        with self.patch.context() as patch:
            for name, stream in (("stdin", io.StringIO(answers)), ("stdout", out), ("stderr", err)):
                patch.setattr(sys, name, stream)
            code = main(list(arguments))
        for stream in (out, err):
            stream.seek(0)
        return Result(code, out.read(), err.read())

    def saves(self) -> list[Path]:
        """The saves that lie at the usual place."""
        return sorted((self.home / "data" / "wongar" / "saves").glob("*.json"))

    def environment(self, **more: str) -> dict[str, str]:
        """What another process is given."""
        return surroundings(self.home) | {"PATH": os.environ["PATH"]} | more

    def process(self, *arguments: str, answers: str = "", **environment: str) -> Result:
        """Run it in another process."""
        done = subprocess.run(
            [*START, *arguments],
            input=answers,
            env=self.environment(**environment),
            cwd=self.home,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def terminal(self, *arguments: str, columns: int = 80, rows: int = 24, **environment: str) -> Terminal:
        """Run it in a terminal."""
        more = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **environment}
        return Terminal([*START, *arguments], self.environment(**more), self.home, columns, rows)


def surroundings(home: Path) -> dict[str, str]:
    """The variables that say where settings, saves and simulations lie, and no language."""
    return {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(CACHE),
        "PYTHONIOENCODING": "utf-8",
    }


class Terminal:
    """A command that believes to sit at a terminal."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], folder: Path, columns: int, rows: int
    ) -> None:
        import fcntl
        import struct
        import termios

        own, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=environment, cwd=folder, start_new_session=True
        )
        os.close(other)
        self._own = own
        self.text = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._own)

    def modes(self) -> list[object]:
        """How the terminal takes what is typed: echoed, line by line, and so on."""
        import termios

        return termios.tcgetattr(self._own)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._own, text.encode())

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """Everything shown since the last wait, once `text` is there."""
        end = time.monotonic() + seconds
        while text not in self.text:
            if not self._more(end):
                raise AssertionError(f"{text!r} did not come, but {self.text[-2000:]!r}")
        at = self.text.index(text) + len(text)
        shown, self.text = self.text[:at], self.text[at:]
        return shown

    def prompt(self) -> str:
        """Everything shown until a line can be edited: pasting was allowed, and the cursor is shown again."""
        return self.wait_for("\x1b[?2004h") + self.wait_for("\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h")

    def rest(self, seconds: float = 20) -> str:
        """Everything shown until the command ends."""
        end = time.monotonic() + seconds
        while self._more(end):
            pass
        self.process.wait(timeout=5)
        return self.text

    def _more(self, end: float) -> bool:
        if not select.select([self._own], [], [], max(0.0, end - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._own, 65536)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

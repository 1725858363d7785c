"""Runners for the command line: in this process, in a subprocess, and at a pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import NoReturn

import pytest

from wongar_dsl.engine.saves import read_save

LANGUAGES = ("de", "nl", "it", "en")
#: Command line that starts `wongar` in a subprocess, without relying on the installed script.
START = [sys.executable, "-c", "import sys; from wongar_dsl.cli.main import main; sys.exit(main())"]
CACHE = Path(__file__).resolve().parents[2] / ".pytest_cache" / "wongar"


def choices_in(save: Path) -> list[str]:
    """Return the choices recorded in a save."""
    return [text for text, _ in read_save(save).choices]


@dataclass(frozen=True)
class Result:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Played(Result):
    """Exit code and output of `wongar play`, and the save of the game."""

    save: Path

    @property
    def choices(self) -> list[str]:
        return choices_in(self.save)

    @property
    def replies(self) -> list[str]:
        """The output after each answer."""
        return [part.partition("\n")[2] for part in self.out.split("\n> ")[1:]]


@dataclass
class Command:
    """The command with isolated settings, saves and language."""

    home: Path
    patch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str, answers: str = "") -> Result:
        """Run the command in this process."""
        from wongar_dsl.cli.main import main

        self.capture.readouterr()
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(answers))
            code = main(list(arguments))
        out, err = self.capture.readouterr()
        return Result(code, out, err)

    def play(self, game: str | Path, *answers: str, seats: str = "human:Anna,human:Ben", **options: object) -> Played:
        """Play a game with these answers, and with options as keywords; by default in English, with the seed 1."""
        options = {"seed": 1, "lang": "en", "save": self.home / "save.json"} | options
        given = [f"--{name}" if value is True else f"--{name}={value}" for name, value in options.items()]
        typed = "".join(f"{answer}\n" for answer in answers)
        result = self("play", str(game), "--seats", seats, *given, answers=typed)
        return Played(result.code, result.out, result.err, Path(str(options["save"])))

    def in_ascii(self, *arguments: str, answers: str = "") -> Result:
        """Run the command in this process, with streams that accept only ASCII."""
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
        """Return the saves in the default folder."""
        return sorted((self.home / "data" / "wongar" / "saves").glob("*.json"))

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment variables of a subprocess."""
        return isolated_environment(self.home) | {"PATH": os.environ["PATH"]} | more

    def process(self, *arguments: str, answers: str = "", **environment: str) -> Result:
        """Run the command in a subprocess."""
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
        """Start the command at a pseudo-terminal, in a fork of this process, which has imported the program."""
        more = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **environment}
        return Terminal(partial(ForkedCommand, arguments), self.environment(**more), self.home, columns, rows)


def isolated_environment(home: Path) -> dict[str, str]:
    """Return environment variables with the paths of settings, saves and simulations, and without a language."""
    return {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(CACHE),
        "PYTHONIOENCODING": "utf-8",
    }


class ForkedCommand:
    """The command in a fork of this process, with the part of the interface of `Popen` that `Terminal` uses."""

    def __init__(self, arguments: Sequence[str], terminal: int, environment: dict[str, str], folder: Path) -> None:
        self.returncode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            try:
                _become_command(arguments, terminal, environment, folder)
            finally:
                os._exit(70)

    def poll(self) -> int | None:
        """Return the exit code, negative after a signal; None while the command runs."""
        if self.returncode is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.returncode = os.waitstatus_to_exitcode(ended[1])
        return self.returncode

    def wait(self, timeout: float = 60) -> int:
        """Wait until the command has ended; return its exit code."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            assert time.monotonic() < end
            time.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal to the command if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command."""
        self.send_signal(signal.SIGKILL)


def _become_command(arguments: Sequence[str], terminal: int, environment: dict[str, str], folder: Path) -> NoReturn:
    """Run the command at a terminal, in a process that has just been forked."""
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_input
    from prompt_toolkit.output import create_output

    from wongar_dsl.cli.main import main

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in range(3):
        os.dup2(terminal, number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode, encoding="utf-8") for n, mode in enumerate("rww"))
    with create_app_session(create_input(), create_output()):
        code = main(list(arguments))
    sys.stdout.flush()
    os._exit(code)


def start_process(command: Sequence[str], terminal: int, environment: dict[str, str], folder: Path) -> Popen[bytes]:
    """Start a command at a terminal."""
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    return Popen(command, **streams, env=environment, cwd=folder, start_new_session=True)


class Terminal:
    """A command attached to a pseudo-terminal, which `start` starts in an environment and a folder."""

    def __init__(
        self,
        start: Callable[[int, dict[str, str], Path], ForkedCommand | Popen[bytes]],
        environment: dict[str, str],
        folder: Path,
        columns: int,
        rows: int,
    ) -> None:
        import fcntl
        import struct
        import termios

        controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes_before = termios.tcgetattr(controller)
        self.process = start(terminal, environment, folder)
        os.close(terminal)
        self._controller = controller
        self.text = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._controller)

    def modes(self) -> list[object]:
        """Return the terminal attributes: echo, line buffering and so on."""
        import termios

        return termios.tcgetattr(self._controller)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._controller, text.encode())

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """Return the output since the last wait, as soon as it contains `text`."""
        end = time.monotonic() + seconds
        while text not in self.text:
            if not self._more(end):
                raise AssertionError(f"{text!r} did not come, but {self.text[-2000:]!r}")
        stop = self.text.index(text) + len(text)
        shown, self.text = self.text[:stop], self.text[stop:]
        return shown

    def prompt(self) -> str:
        """Return the output until a line can be edited: bracketed paste is on and the cursor is visible."""
        return self.wait_for("\x1b[?2004h") + self.wait_for("\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h")

    def rest(self, seconds: float = 20) -> str:
        """Return the output until the command ends."""
        end = time.monotonic() + seconds
        while self._more(end):
            pass
        self.process.wait(timeout=5)
        return self.text

    def _more(self, end: float) -> bool:
        if not select.select([self._controller], [], [], max(0.0, end - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._controller, 65536)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

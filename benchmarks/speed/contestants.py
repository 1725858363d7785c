"""Those who are measured against each other: each is a process that answers a line of JSON with a line of JSON.

They take turns, so what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wongar_dsl.backends.native.compiler import compiler

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: The commit whose `python` backend is the baseline.
BASELINE = "c1369e1"
#: Folders that an installation has inside of the package.
_INSIDE = ("rules", "locales", "cli")


class Contestant:
    """A process that is asked for figures."""

    def __init__(self, tasks: str, *paths: Path) -> None:
        """A module of tasks beside this one, with folders that Python looks for others in first."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
        self._process = subprocess.Popen(
            [sys.executable, HERE / "answering.py", tasks],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment,
        )  # fmt: skip

    def ask(self, task: str, **arguments: Any) -> dict[str, Any]:
        """The answer to a request; raises RuntimeError where the process has ended instead."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"no answer to {task} {arguments}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()


@contextmanager
def baseline() -> Iterator[Contestant | None]:
    """The program as it was at `BASELINE`; None where the history does not reach so far back."""
    command = ["git", "-C", str(ROOT), "archive", "--format=tar", BASELINE]
    try:
        archive = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        print(f"commit {BASELINE} cannot be had: its column stays empty", file=sys.stderr)
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="baseline-") as name:
        folder = Path(name)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
        for inside in _INSIDE:
            (folder / "wongar_dsl" / inside).symlink_to(folder / inside, target_is_directory=True)
        with _opened(Contestant("baseline_worker", folder)) as contestant:
            yield contestant


@contextmanager
def openspiel() -> Iterator[Contestant | None]:
    """OpenSpiel; None where the extra `bench` is not installed."""
    with _opened(Contestant("openspiel_worker")) as contestant:
        if contestant.ask("there")["there"]:
            yield contestant
        else:
            print("open_spiel is not installed (extra: bench): its columns stay empty", file=sys.stderr)
            yield None


@contextmanager
def this() -> Iterator[Contestant]:
    """This program."""
    with _opened(Contestant("worker", ROOT)) as contestant:
        yield contestant


@contextmanager
def _opened(contestant: Contestant) -> Iterator[Contestant]:
    try:
        yield contestant
    finally:
        contestant.close()


class HandWritten:
    """Connect Four in C by hand, compiled like what the program generates; `style` is one of those in the source."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError or SubprocessError where it cannot be compiled."""
        self.program = folder / "connect_four"
        source = HERE.parent / "connect_four.c"
        subprocess.run([*compiler(), "-std=c11", "-O2", "-o", self.program, source], check=True)

    def rate(self, style: str, games: int, seed: int) -> float:
        """Decisions a second of processor time."""
        command = [self.program, style, str(games), str(seed)]
        told = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
        return int(told[0]) / float(told[1])


@contextmanager
def by_hand() -> Iterator[HandWritten | None]:
    """The hand-written program; None where there is no compiler."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = HandWritten(Path(folder)) if compiler() else None
        except (OSError, subprocess.SubprocessError):
            made = None
        yield made

"""Contestants of the benchmark: worker processes that answer JSON requests line by line.

They take turns, so that other load on the machine affects all of them equally.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wongar_dsl.compiler.backends.native.compiler import compiler

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Contestant:
    """Worker process that measures figures on request."""

    def __init__(self, tasks: str, *paths: Path) -> None:
        """Start a worker with a module of tasks, and folders that come first in Python's path."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
        self._process = subprocess.Popen(
            [sys.executable, HERE / "json_worker.py", tasks],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment,
        )  # fmt: skip

    def ask(self, task: str, **arguments: Any) -> dict[str, Any]:
        """Return the response to a request; raise RuntimeError if the process has ended."""
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
def openspiel() -> Iterator[Contestant | None]:
    """Yield OpenSpiel; None if the extra `bench` is not installed."""
    with _opened(Contestant("openspiel_worker")) as contestant:
        if contestant.ask("there")["there"]:
            yield contestant
        else:
            print("open_spiel is not installed (extra: bench): its columns stay empty", file=sys.stderr)
            yield None


@contextmanager
def this() -> Iterator[Contestant]:
    """Yield this program."""
    with _opened(Contestant("worker", ROOT)) as contestant:
        yield contestant


@contextmanager
def _opened(contestant: Contestant) -> Iterator[Contestant]:
    try:
        yield contestant
    finally:
        contestant.close()


class HandWritten:
    """Hand-written C version of Connect Four, compiled like generated code; `style` selects a variant in the source."""

    def __init__(self, folder: Path) -> None:
        """Compile the program; raise OSError or SubprocessError on failure."""
        self.program = folder / "connect_four"
        source = HERE.parent / "connect_four.c"
        subprocess.run([*compiler(), "-std=c11", "-O2", "-o", self.program, source], check=True)

    def rate(self, style: str, games: int, seed: int) -> float:
        """Return the decisions per second of processor time."""
        command = [self.program, style, str(games), str(seed)]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
        return int(output[0]) / float(output[1])


@contextmanager
def by_hand() -> Iterator[HandWritten | None]:
    """Yield the hand-written program; None without a compiler."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = HandWritten(Path(folder)) if compiler() else None
        except (OSError, subprocess.SubprocessError):
            made = None
        yield made

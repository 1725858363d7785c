"""Runs the command in a child process and measures exit code, output, processor time and memory.

The children are forked from a server process that has imported all modules, loaded the words and built the parser, so
that a start takes a few hundredths of a second.  They share a cache, in which shipped games are read only once.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Wall-clock limit of a process in seconds; ends a process that blocks forever.
PROCESS_TIMEOUT_S = 240
SPACE = 3 << 30
#: Processor time of the fixed work on the machine for which time limits are written, in seconds.
FIXED_WORK_S = 0.08
#: Modules not to preload: they import large optional dependencies, which would add to the measured memory.
NOT_PRELOADED = {"__main__", "adapters", "cluster", "editor", "lsp"}
LARGE_DEPENDENCIES = {"distributed", "gymnasium", "numpy", "pygls"}


@dataclass(frozen=True)
class Measured:
    """Result of a command; the code is negative if a signal ended it.

    `seconds` is processor time. For a run of more than a second it is divided by how much slower this machine is at the
    moment than the one for which limits are written: shared processors vary by a factor of two.
    """

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float


class Measuring:
    """Client of the server process; runs one command at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._cache = tempfile.TemporaryDirectory()

    def close(self) -> None:
        """Stop the server process."""
        self._process.communicate(timeout=30)
        self._cache.cleanup()

    def run(
        self,
        arguments: list[str],
        folder: Path,
        answers: str = "",
        seconds: int = 30,
        streams: Mapping[str, str] | None = None,
        **environment: str | None,
    ) -> Measured:
        """Run the command in a folder that is also its home; `seconds` limits its processor time.

        `streams` maps `in`, `out` and `err` to files; the empty string closes a stream.  `environment` sets variables,
        or removes those with the value None; without `XDG_CACHE_HOME`, the cache is in the home.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.TemporaryDirectory() as place:
            names = {name: str(Path(place) / name) for name in ("in", "out", "err")}
            Path(names["in"]).write_text(answers, encoding="utf-8", errors="surrogateescape")
            request = {
                "arguments": arguments,
                "folder": str(folder),
                "seconds": seconds,
                "environment": {"XDG_CACHE_HOME": self._cache.name} | environment,
                "streams": names | dict(streams or {}),
            }
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            code, used, megabytes = json.loads(self._process.stdout.readline())
            out, err = (_read(Path(names[name])) for name in ("out", "err"))
        return Measured(code, out, err, used, megabytes)


def _read(path: Path) -> str:
    return path.read_text("utf-8", "replace") if path.exists() else ""


def _serve() -> None:
    import wongar_dsl
    import wongar_dsl.cli
    from wongar_dsl.base.span import Source
    from wongar_dsl.base.storage.cache import Cache
    from wongar_dsl.cli.main import main
    from wongar_dsl.language.parser import parse
    from wongar_dsl.nlg.words import Translator, available

    for package in (wongar_dsl, wongar_dsl.cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not NOT_PRELOADED & set(module.name.split(".")):
                importlib.import_module(module.name)
    assert not LARGE_DEPENDENCIES & set(sys.modules), "the memory of each command would contain a large dependency"
    for language in available():
        Translator.load(language)
    parse(Source("", "game g\n"))
    Cache(Path()).has()  # It computes the fingerprint of the program.
    gc.freeze()
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(_run(main, request))
        _, status, used = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        print(json.dumps([code, seconds / _slowness() if seconds > 1 else seconds, used.ru_maxrss / 1024]), flush=True)


def _slowness() -> float:
    """Return how many times slower this machine is than the one for which limits are written; at least 1."""
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number * number % 7
    return max(1.0, (time.process_time() - began) / FIXED_WORK_S)


def _run(main: Callable[[list[str]], int], asked: dict[str, Any]) -> int:
    os.chdir(asked["folder"])
    for name in [n for n in os.environ if n.startswith(("WONGAR", "LC_", "LANG", "XDG_", "COLUMNS"))]:
        del os.environ[name]
    os.environ |= {"HOME": asked["folder"], "LANG": "en_GB.UTF-8", "COLUMNS": "100"}
    for name, value in asked["environment"].items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    opened: list[Any] = []
    modes = (("in", os.O_RDONLY, "r"), ("out", os.O_WRONLY | os.O_CREAT, "w"), ("err", os.O_WRONLY | os.O_CREAT, "w"))
    for number, (name, how, mode) in enumerate(modes):
        path = asked["streams"][name]
        os.close(number)
        # If a lower descriptor is closed, the file gets that number and must be moved.
        if path and (handle := os.open(path, how, 0o600)) != number:
            os.dup2(handle, number)
            os.close(handle)
        # Python too sets a closed standard stream to None.
        opened.append(open(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False) if path else None)  # noqa: SIM115
    sys.stdin, sys.stdout, sys.stderr = opened
    seconds = asked["seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(PROCESS_TIMEOUT_S)
    try:
        return main(asked["arguments"])
    except BaseException as error:
        os.write(2, f"Traceback: {error!r}".encode())
        return 99
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.flush()


if __name__ == "__main__":
    _serve()

"""Fixtures for tests in a real browser: the browser and a server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

#: Seconds to wait for a server to stop.
START_TIMEOUT_S = 60


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Yield the browser found by `make test-browser`."""
    with sync_playwright() as started:
        path = os.environ["WONGAR_CHROMIUM"]
        instance = started.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        yield instance
        instance.close()


class Server:
    """A `wongar serve` process with the links for players and for the host."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [str(Path(sys.executable).with_name("wongar")), "serve", *arguments, "--lang", "en"]
        environment = os.environ | {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        self.saves = home / "saves"
        self.process = subprocess.Popen(
            [*command, "--save-dir", str(self.saves)], env=environment, text=True, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.output: list[str] = []
        for line in self.process.stdout:
            self.output.append(line)
            if "Ctrl-C" in line:
                break
        self.links = re.findall(r"http://\S+", "".join(self.output))

    def stop(self) -> None:
        """Stop the server with SIGTERM."""
        self.process.terminate()
        self.process.wait(START_TIMEOUT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


Serve = Callable[..., Server]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Yield a function that starts servers; stop them at the end of the test."""
    with ExitStack() as running:

        def start(*arguments: str) -> Server:
            server = Server(tmp_path, *arguments)
            running.callback(server.stop)
            return server

        yield start

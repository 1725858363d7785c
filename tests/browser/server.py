"""A browser, and a server for it, both as people have them: fixtures for tests in a real browser."""

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

#: So long a server may take to begin, in seconds, until it says where it is.
PATIENCE = 60


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser that `make test-browser` has found."""
    with sync_playwright() as started:
        path = os.environ["WONGAR_CHROMIUM"]
        found = started.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        yield found
        found.close()


class Server:
    """`wongar serve`, with the link for those who play and the one of who hosts."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [str(Path(sys.executable).with_name("wongar")), "serve", *arguments, "--lang", "en"]
        surroundings = os.environ | {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        self.saves = home / "saves"
        self.process = subprocess.Popen(
            [*command, "--save-dir", str(self.saves)], env=surroundings, text=True, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line)
            if "Ctrl-C" in line:
                break
        self.links = re.findall(r"http://\S+", "".join(self.said))

    def stop(self) -> None:
        """End it, as Ctrl-C does."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


Serve = Callable[..., Server]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers, which end with the test."""
    with ExitStack() as running:

        def start(*arguments: str) -> Server:
            server = Server(tmp_path, *arguments)
            running.callback(server.stop)
            return server

        yield start

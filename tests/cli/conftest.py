from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.command import Command, surroundings


@pytest.fixture
def wongar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    for name in ("WONGAR_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "WONGAR_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in surroundings(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "80")
    # Nobody pulls the plug on tests in this process; the disk would be most of their time.
    monkeypatch.setattr("os.fsync", lambda _: None)
    return Command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """What a test types at a full screen."""
    with create_pipe_input() as pipe:
        yield pipe

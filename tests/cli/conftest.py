from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.command import Command, isolated_environment


@pytest.fixture
def wongar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    for name in ("WONGAR_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "WONGAR_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in isolated_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "80")
    return Command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """Yield the pipe through which a test presses keys on a full screen."""
    with create_pipe_input() as pipe:
        yield pipe

"""Where there is no C compiler, whoever asks for speed is told so, once, and gets the same in Python."""

from __future__ import annotations

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl.backends.native import compiler


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_wants_speed_is_told_once_that_there_is_none(
    language: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = wongar("--lang", language, "perft", "nim", "--depth", "2")
    assert wanted.err == ""
    monkeypatch.setenv(compiler.CHOSEN, "/does/not/exist")
    compiler.compiler.cache_clear()
    for backend in ("auto", "native"):
        found = wongar("--lang", language, "perft", "nim", "--depth", "2", "--backend", backend)
        assert found.code == 0
        assert numbers(found.out) == numbers(wanted.out)
        [notice] = found.err.splitlines()
        assert "ziglang" in notice
    monkeypatch.undo()
    compiler.compiler.cache_clear()


def numbers(table: str) -> list[list[str]]:
    """The columns without the seconds."""
    return [line.split()[:-1] for line in table.splitlines()[1:4]]

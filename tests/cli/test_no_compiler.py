"""Without a C compiler, commands give one notice and the same results with the Python backend."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl.compiler.backends.native import compiler


@pytest.fixture(autouse=True)
def forget_compiler() -> Iterator[None]:
    """Clear the cached compiler afterwards, so that later tests find the real one."""
    yield
    compiler.compiler.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_perft_without_a_compiler_gives_one_notice(
    language: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = wongar("--lang", language, "perft", "nim", "--depth", "2")
    assert expected.err == ""
    remove_compiler(monkeypatch)
    for backend in ("auto", "native"):
        result = wongar("--lang", language, "perft", "nim", "--depth", "2", "--backend", backend)
        assert result.code == 0
        assert numbers(result.out) == numbers(expected.out)
        [notice] = result.err.splitlines()
        assert "ziglang" in notice


def remove_compiler(patch: pytest.MonkeyPatch) -> None:
    patch.setenv(compiler.COMPILER_VARIABLE, "/does/not/exist")
    compiler.compiler.cache_clear()


@pytest.mark.parametrize("backend", ["auto", "native"])
@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "nim", "--games", "2", "--jobs", "1"),
        ("simulate", "ubongo", "--games", "1", "--jobs", "1", "--sweep", "sandglass=60,90"),
        ("tournament", "nim", "--bots", "easy,random", "--games", "2"),
        ("analyse", "save.json", "--iterations", "1"),
    ],
    ids=" ".join,
)
def test_bulk_commands_without_a_compiler_give_one_notice(
    command: tuple[str, ...], backend: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wongar.home)
    wongar("play", "nim", "--seats", "random,random", "--save", "save.json", "--seed", "1")
    remove_compiler(monkeypatch)
    result = wongar(*command, "--backend", backend)
    assert result.code == 0
    assert result.err.count("ziglang") == 1
    assert "ziglang" not in wongar(*command, "--backend", "python").err


@pytest.mark.parametrize("backend", ["auto", "native"])
def test_play_gives_the_notice_only_for_the_native_backend(
    backend: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wongar.home)
    remove_compiler(monkeypatch)
    results = [
        wongar("play", "nim", "--seats", "human,random", "--save", "save.json", "--seed", "1", "--backend", backend),
        wongar("resume", "save.json", "--backend", backend),
        wongar("play", "--from", "save.json", "--save", "other.json", "--backend", backend),
    ]
    assert ["ziglang" in result.err for result in results] == [backend == "native"] * 3


def numbers(table: str) -> list[list[str]]:
    """Return the first two rows of the table without the column of seconds."""
    return [line.split()[:-1] for line in table.splitlines()[1:3]]

"""Where there is no C compiler, whoever asks for speed is told so, once, and gets the same in Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl.backends.native import compiler


@pytest.fixture(autouse=True)
def looked_for_again() -> Iterator[None]:
    """A compiler is looked for once; the tests that follow have the one that is there."""
    yield
    compiler.compiler.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_wants_speed_is_told_once_that_there_is_none(
    language: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = wongar("--lang", language, "perft", "nim", "--depth", "2")
    assert wanted.err == ""
    without_a_compiler(monkeypatch)
    for backend in ("auto", "native"):
        found = wongar("--lang", language, "perft", "nim", "--depth", "2", "--backend", backend)
        assert found.code == 0
        assert numbers(found.out) == numbers(wanted.out)
        [notice] = found.err.splitlines()
        assert "ziglang" in notice


def without_a_compiler(patch: pytest.MonkeyPatch) -> None:
    patch.setenv(compiler.CHOSEN, "/does/not/exist")
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
def test_whatever_plays_much_tells_it_once(
    command: tuple[str, ...], backend: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wongar.home)
    wongar("play", "nim", "--seats", "random,random", "--save", "save.json", "--seed", "1")
    without_a_compiler(monkeypatch)
    found = wongar(*command, "--backend", backend)
    assert found.code == 0
    assert found.err.count("ziglang") == 1
    assert "ziglang" not in wongar(*command, "--backend", "python").err


@pytest.mark.parametrize("backend", ["auto", "native"])
def test_at_the_table_only_who_asks_for_machine_code_is_told(
    backend: str, wongar: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wongar.home)
    without_a_compiler(monkeypatch)
    told = [
        wongar("play", "nim", "--seats", "human,random", "--save", "save.json", "--seed", "1", "--backend", backend),
        wongar("resume", "save.json", "--backend", backend),
        wongar("play", "--from", "save.json", "--save", "other.json", "--backend", backend),
    ]
    assert ["ziglang" in found.err for found in told] == [backend == "native"] * 3


def numbers(table: str) -> list[list[str]]:
    """The columns without the seconds, of two steps."""
    return [line.split()[:-1] for line in table.splitlines()[1:3]]

"""Saves removed during play: the program never reports a game as saved if it is not."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl.base.storage import cache
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.cli.language import load_translator

GAME = ("play", "connect_four", "--seats", "human,human", "--lang", "en", "--save")


class Typing(io.StringIO):
    """Standard input that runs a callback before a given line is read."""

    def __init__(self, text: str, happens: dict[int, Callable[[], object]]) -> None:
        super().__init__(text)
        self._happens, self._line = happens, 0

    def readline(self, size: int | None = -1) -> str:
        self._line += 1
        self._happens.get(self._line, lambda: None)()
        return super().readline() if size is None else super().readline(size)


def run_with_callbacks(
    wongar: Command, save: Path, text: str, happens: dict[int, Callable[[], object]]
) -> tuple[int, str]:
    from wongar_dsl.cli.main import main

    wongar.capture.readouterr()
    with wongar.patch.context() as patch:
        patch.setattr(sys, "stdin", Typing(text, happens))
        code = main([*GAME, str(save)])
    out, err = wongar.capture.readouterr()
    return code, out + err


@pytest.fixture
def save(wongar: Command) -> Path:
    folder = wongar.home / "mine"
    folder.mkdir()
    return folder / "save.json"


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_removed_save_is_rewritten(line: int, wongar: Command, save: Path) -> None:
    for harm in (save.unlink, lambda: save.rename(save.with_name("x")), lambda: shutil.rmtree(save.parent)):
        code, output = run_with_callbacks(wongar, save, "1\n1\n1\nquit\n", {line: harm})
        assert (code, "The game has been saved" in output) == (0, True)
        assert len(choices_in(save)) == 3


def test_failed_save_is_reported_as_an_error(wongar: Command, save: Path) -> None:
    def replace_folder_by_file() -> None:
        shutil.rmtree(save.parent)
        save.parent.write_text("")

    for line in (2, 4):
        code, output = run_with_callbacks(wongar, save, "1\n1\n1\nquit\n", {line: replace_folder_by_file})
        assert code == 1
        assert "The game has not been saved." in output
        assert "has been saved" not in output
        save.parent.unlink()


def test_end_of_a_game_reports_a_failed_save(wongar: Command, save: Path) -> None:
    def replace_folder_by_file() -> None:
        shutil.rmtree(save.parent)
        save.parent.write_text("")

    code, output = run_with_callbacks(wongar, save, "1\n2\n" * 4, {3: replace_folder_by_file})
    assert code == 1
    assert "has not been saved" in output
    save.parent.unlink()
    code, output = run_with_callbacks(wongar, save, "1\n2\n" * 4, {3: save.unlink if save.exists() else lambda: None})
    assert code == 0
    assert save.exists()


def test_cache_is_not_written_on_a_nearly_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(tmp_path / "kept")
    store.put(b"first", "one")
    monkeypatch.setattr(cache, "_free_bytes", lambda folder: cache.MIN_FREE_BYTES)
    store.put(b"second", "two")
    assert (store.get("one"), store.get("two")) == (b"first", None)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_reasons_of_the_system_are_translated(language: str) -> None:
    from wongar_dsl.cli.errors import os_error_text

    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "ENAMETOOLONG", "ENOTDIR", "EISDIR"):
        number = getattr(errno, name)
        reason = os_error_text(OSError(number, os.strerror(number)), load_translator(language))
        assert reason
        assert reason != os.strerror(number)

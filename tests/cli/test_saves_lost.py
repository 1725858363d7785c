"""What becomes of a save while a game is played at the terminal: nothing is said to be saved that is not."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl import cache
from wongar_dsl.cache import Cache

GAME = ("play", "connect_four", "--seats", "human,human", "--lang", "en", "--save")


class Typing(io.StringIO):
    """What is typed, and what happens before the line of a number is read."""

    def __init__(self, text: str, happens: dict[int, Callable[[], object]]) -> None:
        super().__init__(text)
        self._happens, self._line = happens, 0

    def readline(self, size: int | None = -1) -> str:
        self._line += 1
        self._happens.get(self._line, lambda: None)()
        return super().readline() if size is None else super().readline(size)


def typed(wongar: Command, save: Path, text: str, happens: dict[int, Callable[[], object]]) -> tuple[int, str]:
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
def test_a_save_that_is_taken_away_is_written_anew(line: int, wongar: Command, save: Path) -> None:
    for harm in (save.unlink, lambda: save.rename(save.with_name("x")), lambda: shutil.rmtree(save.parent)):
        code, said = typed(wongar, save, "1\n1\n1\nquit\n", {line: harm})
        assert (code, "The game has been saved" in said) == (0, True)
        assert len(choices_in(save)) == 3


def test_what_is_not_saved_is_said_and_is_an_error(wongar: Command, save: Path) -> None:
    def harm() -> None:
        shutil.rmtree(save.parent)
        save.parent.write_text("")

    for line in (2, 4):
        code, said = typed(wongar, save, "1\n1\n1\nquit\n", {line: harm})
        assert code == 1
        assert "The game has not been saved." in said
        assert "has been saved" not in said
        save.parent.unlink()


def test_the_end_of_a_game_says_only_what_is_so(wongar: Command, save: Path) -> None:
    def harm() -> None:
        shutil.rmtree(save.parent)
        save.parent.write_text("")

    code, said = typed(wongar, save, "1\n2\n" * 4, {3: harm})
    assert code == 1
    assert "has not been saved" in said
    save.parent.unlink()
    code, said = typed(wongar, save, "1\n2\n" * 4, {3: save.unlink if save.exists() else lambda: None})
    assert code == 0
    assert save.exists()


def test_a_nearly_full_disk_is_left_to_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Cache(tmp_path / "kept")
    kept.put(b"first", "one")
    monkeypatch.setattr(cache, "_free", lambda folder: cache.SPARE)
    kept.put(b"second", "two")
    assert (kept.get("one"), kept.get("two")) == (b"first", None)

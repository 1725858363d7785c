"""Saves that are moved, removed or changed during play are rewritten, or reported as not saved."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves.save_files import SaveFile
from wongar_dsl.engine.saves.saves import SaveError, read_save


def removed(path: Path) -> None:
    path.unlink()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.json"))


def replaced_by_a_copy(path: Path) -> None:
    copy = path.with_name("copy.json")
    shutil.copy(path, copy)
    copy.replace(path)


def replaced_by_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.json"))


def folder_removed(path: Path) -> None:
    shutil.rmtree(path.parent)


def folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def shortened(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 20)


def overwritten(path: Path) -> None:
    path.write_bytes(b"x" * path.stat().st_size)


def written_to(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n{}\n")


def replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def folder_replaced_by_a_file(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_text("")


MENDED = [
    removed, moved, replaced_by_a_copy, replaced_by_a_link, folder_removed, folder_moved, emptied, shortened,
    overwritten, written_to,
]  # fmt: skip
NOT_MENDED = [replaced_by_a_folder, folder_replaced_by_a_file]


def begin_match(path: Path) -> tuple[Match, SaveFile]:
    rules = load("nim")
    match = Match.begin(rules.game(2), [Seat("human", "A"), Seat("human", "B")], 1, rules.hash)
    return match, SaveFile(path)


def decide(match: Match) -> None:
    match.play(match.state.legal_moves()[0])


def saved_choice_count(path: Path) -> int:
    return len(read_save(path).choices)


@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize("harm", MENDED)
def test_damaged_save_is_rewritten_after_the_next_decision(
    harm: Callable[[Path], None], after: int, tmp_path: Path
) -> None:
    path = tmp_path / "saves" / "save.json"
    match, save = begin_match(path)
    save.write(match)
    for _ in range(after):
        decide(match)
        save.write(match)
    harm(path)
    assert save.lost
    decide(match)
    save.write(match)
    assert not save.lost
    assert saved_choice_count(path) == after + 1
    decide(match)
    save.write(match)
    save.close()
    assert saved_choice_count(path) == after + 2


@pytest.mark.parametrize("harm", MENDED)
def test_damaged_save_is_rewritten_without_a_new_decision(harm: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "saves" / "save.json"
    match, save = begin_match(path)
    decide(match)
    save.write(match)
    harm(path)
    save.write(match)
    save.close()
    assert saved_choice_count(path) == 1


@pytest.mark.parametrize("harm", NOT_MENDED)
def test_unwritable_save_is_reported(harm: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "saves" / "save.json"
    match, save = begin_match(path)
    save.write(match)
    harm(path)
    opened = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for _ in range(3):
        decide(match)
        with pytest.raises((OSError, SaveError)):
            save.write(match)
    if opened:
        assert len(os.listdir("/proc/self/fd")) <= opened
    (path if path.is_dir() else path.parent).rename(tmp_path / "away")
    save.write(match)
    save.close()
    assert saved_choice_count(path) == 3


def test_moved_save_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "saves" / "save.json"
    match, save = begin_match(path)
    save.write(match)
    moved(path)
    elsewhere = path.with_name("elsewhere.json")
    before = elsewhere.read_bytes()
    decide(match)
    save.write(match)
    save.close()
    assert elsewhere.read_bytes() == before


def test_untouched_save_grows_in_place(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    match, save = begin_match(path)
    save.write(match)
    number = path.stat().st_ino
    for _ in range(3):
        decide(match)
        save.write(match)
    save.close()
    assert path.stat().st_ino == number

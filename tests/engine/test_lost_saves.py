"""Saves after kills, lost folders and failed writes, and saves of older versions."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.properties.play import game
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveError, SaveFile, head_of, lines_of, read_save, replay


def moved(path: Path) -> object:
    return path.rename(path.with_name("elsewhere.json"))


def replaced_by_a_copy(path: Path) -> object:
    return Path(shutil.copy(path, path.with_name("copy.json"))).replace(path)


def replaced_by_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.json"))


def written_to(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n{}\n")


def replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def folder_replaced_by_a_file(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_text("")


Harm = Callable[[Path], object]
MENDED: dict[str, Harm] = {
    "removed": Path.unlink,
    "moved": moved,
    "replaced by a copy": replaced_by_a_copy,
    "replaced by a link": replaced_by_a_link,
    "folder removed": lambda path: shutil.rmtree(path.parent),
    "folder moved": lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
    "emptied": lambda path: path.write_bytes(b""),
    "shortened": lambda path: os.truncate(path, path.stat().st_size - 20),
    "overwritten": lambda path: path.write_bytes(b"x" * path.stat().st_size),
    "written to": written_to,
}


def begin_match(path: Path) -> tuple[Match, SaveFile]:
    rules = load("nim")
    match = Match.begin(rules.game(2), [Seat("human", "A"), Seat("human", "B")], 1, rules.hash)
    return match, SaveFile(path)


def decide(match: Match) -> None:
    match.play(match.state.legal_moves()[0])


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize("harm", MENDED.values(), ids=MENDED)
def test_damaged_save_is_rewritten_after_the_next_decision(harm: Harm, after: int, tmp_path: Path) -> None:
    """Also without a new decision, at the start."""
    path = tmp_path / "saves" / "save.json"
    match, save = begin_match(path)
    save.write(match)
    for _ in range(after):
        decide(match)
        save.write(match)
    harm(path)
    assert save.lost
    if after:
        decide(match)
    save.write(match)
    assert not save.lost
    assert len(read_save(path).choices) == len(match.steps)
    decide(match)
    save.write(match)
    save.close()
    assert len(read_save(path).choices) == len(match.steps)


@pytest.mark.parametrize("harm", [replaced_by_a_folder, folder_replaced_by_a_file])
def test_unwritable_save_is_reported(harm: Harm, tmp_path: Path) -> None:
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
    assert len(read_save(path).choices) == 3


def test_moved_save_is_not_written_to_and_an_untouched_one_grows_in_place(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    match, save = begin_match(path)
    save.write(match)
    number = path.stat().st_ino
    decide(match)
    save.write(match)
    assert path.stat().st_ino == number
    before = path.read_bytes()
    moved(path)
    decide(match)
    save.write(match)
    save.close()
    assert path.with_name("elsewhere.json").read_bytes() == before


@pytest.mark.parametrize(("chance", "prizes"), [(1, "two one three"), (2, "two one three"), (3, "two three one")])
def test_older_save_continues_its_random_stream(tmp_path: Path, chance: int, prizes: str) -> None:
    played, path = game("goofspiel", 2), tmp_path / "save.json"
    match = Match.begin(played, [Seat("human"), Seat("human")], 20_001, "hash")
    path.write_text(json.dumps(head_of(match, path) | {"chance": chance}) + "\n", encoding="utf-8")
    prizes_drawn = []
    for _ in range(3):
        match = replay(played, "hash", read_save(path), path)
        prizes_drawn.append(observe(match.state, None)["prize"])
        for _ in range(2):
            match.play(match.state.legal_moves()[0])
        lines = (head_of(match, path), *lines_of(match))
        assert lines[0]["chance"] == chance
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert " ".join(map(str, prizes_drawn)) == prizes

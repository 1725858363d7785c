"""List of saved games: without reading or replaying more than necessary."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.session.test_forecast import match_after
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError, remove_finished, write_save
from wongar_dsl.session import game_session
from wongar_dsl.session.game_session import GameProgress, list_saves, read_progress, save_files, store_progress


@pytest.fixture
def match() -> Match:
    return match_after("tictactoe", 2, 3)


def write_game(folder: Path, match: Match, name: str = "game", age: int = 0) -> Path:
    path = folder / f"{name}.json"
    write_save(path, match)
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def fail_on_read(*_: object) -> None:
    raise AssertionError("read, or played again")


def standing(folder: Path, cache: Cache | None = None) -> GameProgress:
    """Return the standing of the only save."""
    (entry,) = list_saves(folder)
    assert entry.over == (read_progress(entry, cache).seat is None)
    return read_progress(entry, cache)


def test_saves_are_numbered_without_reading_them(match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write_game(tmp_path, match, name, age) for name, age in (("b", 0), ("c", 5), ("a", 10))]
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "note.txt").write_text("no save")
    monkeypatch.setattr(game_session, "read_save", fail_on_read)
    assert [path for _, path in save_files(tmp_path)] == paths
    assert save_files(tmp_path / "nowhere") == []


@pytest.mark.parametrize("steps", [0, 3, 9])
def test_standing_of_a_save_equals_its_replay(tmp_path: Path, steps: int) -> None:
    match = match_after("tictactoe", 2, 0)
    while len(match.steps) < steps and not match.state.over:
        match.play(match.state.legal_moves()[0])
    write_game(tmp_path, match)
    state = match.state
    assert standing(tmp_path) == GameProgress(None if state.over else state.seat, state.winners)


def test_noted_standing_avoids_a_replay_if_the_save_is_the_same(
    match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, path = Cache(tmp_path / "cache"), write_game(tmp_path, match)
    behind = match_after("tictactoe", 2, 3)
    behind.play(behind.state.legal_moves()[0])
    store_progress(path, behind, cache)
    assert standing(tmp_path, cache) == GameProgress(1, ())
    store_progress(path, match, cache)
    monkeypatch.setattr(game_session, "reopen_save", fail_on_read)
    assert standing(tmp_path, cache) == GameProgress(1, ())


def test_save_of_changed_rules_is_reported(match: Match, tmp_path: Path) -> None:
    path = write_game(tmp_path, match)
    path.write_text(path.read_text().replace(match.rules_hash, "0" * 64))
    with pytest.raises(SaveError) as raised:
        standing(tmp_path)
    assert raised.value.reason == "other_rules"


def test_only_finished_saves_are_removed(match: Match, tmp_path: Path) -> None:
    while not match.state.over:
        match.play(match.state.legal_moves()[0])
    path = write_game(tmp_path, match)
    for line, removed in (('{"undo": 2}', False), ('{"over": true}', True)):
        with path.open("a") as file:
            file.write(f"{line}\n")
        assert bool(remove_finished(path)) == removed
        assert path.exists() != removed

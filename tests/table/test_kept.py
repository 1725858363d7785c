"""What is said of the games that are kept, and what need not be read or played again for that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.table.test_digest import played
from wongar_dsl.cache import Cache
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.save_files import remove_finished, write_save
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.table import kept
from wongar_dsl.table.kept import Kept, Standing, kept_files, kept_games, note_standing, standing


def saved(folder: Path, match: Match, name: str = "game", age: int = 0) -> Path:
    path = folder / f"{name}.json"
    write_save(path, match)
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def no_reading(*_: object) -> None:
    raise AssertionError("read, or played again")


def the_only(folder: Path) -> Kept:
    (found,) = kept_games(folder)
    return found


def test_the_numbers_of_games_are_known_without_reading_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("tictactoe", 2, 3)
    paths = [saved(tmp_path, match, name, age) for name, age in (("b", 0), ("c", 5), ("a", 10))]
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "note.txt").write_text("no save")
    monkeypatch.setattr(kept, "read_save", no_reading)
    assert [path for _, path in kept_files(tmp_path)] == paths
    assert kept_files(tmp_path / "nowhere") == []


@pytest.mark.parametrize("steps", [0, 3, 9])
def test_how_far_a_game_has_come_is_what_playing_it_again_shows(tmp_path: Path, steps: int) -> None:
    match = played("tictactoe", 2, 0)
    while len(match.steps) < steps and not match.state.over:
        match.play(match.state.legal_moves()[0])
    saved(tmp_path, match)
    state = match.state
    assert standing(the_only(tmp_path), None) == Standing(None if state.over else state.seat, state.winners)


def test_a_game_that_was_left_is_not_played_again_to_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, cache = played("tictactoe", 2, 3), Cache(tmp_path / "cache")
    path = saved(tmp_path, match, "left")
    note_standing(path, match, cache)
    monkeypatch.setattr(kept, "reopened", no_reading)
    assert standing(the_only(tmp_path), cache) == Standing(1, ())


def test_nothing_is_noted_of_a_save_that_is_not_as_the_match(tmp_path: Path) -> None:
    match, cache = played("tictactoe", 2, 3, seed=8), Cache(tmp_path / "cache")
    path = saved(tmp_path, match, "behind")
    match.play(match.state.legal_moves()[0])
    note_standing(path, match, cache)
    assert standing(the_only(tmp_path), cache) == Standing(1, ())


def test_a_save_of_rules_that_have_changed_says_so(tmp_path: Path) -> None:
    match = played("tictactoe", 2, 3)
    path = saved(tmp_path, match, "changed")
    path.write_text(path.read_text().replace(match.rules_hash, "0" * 64))
    with pytest.raises(SaveError) as raised:
        standing(the_only(tmp_path), None)
    assert raised.value.reason == "other_rules"


def test_a_game_that_is_over_no_longer_is_not_removed(tmp_path: Path) -> None:
    match = played("tictactoe", 2, 0)
    while not match.state.over:
        match.play(match.state.legal_moves()[0])
    path = saved(tmp_path, match)
    assert the_only(tmp_path).over
    with path.open("a") as file:
        file.write('{"undo": 2}\n')
    assert not remove_finished(path)
    assert path.exists()
    with path.open("a") as file:
        file.write('{"over": true}\n')
    assert remove_finished(path)
    assert not path.exists()

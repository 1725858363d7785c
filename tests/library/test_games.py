"""Rules that were read before are taken from the cache only while their files are what they were."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from wongar_dsl.library import Cache, Rules, load
from wongar_dsl.library.naming import with_own_folders
from wongar_dsl.text.diagnostics import RulesError


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forgets all that this process has at hand."""

    def begin() -> None:
        monkeypatch.setattr("wongar_dsl.library.games._at_hand", {})
        monkeypatch.setattr("wongar_dsl.cache._remembered", {})

    begin()
    return begin


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text("variant mine of nim\n")
    return path


def test_a_file_that_has_become_a_pipe_is_not_waited_for(rules: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert load(rules, cache).name == "nim/mine"
    assert list((tmp_path / "cache").iterdir())
    rules.unlink()
    os.mkfifo(rules)
    with pytest.raises(RulesError):
        load(rules, cache)


def test_rules_are_read_where_the_folder_is_gone(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for _ in range(2):
        assert load(rules, Cache(tmp_path / "cache")).name == "nim/mine"


@pytest.mark.usefixtures("new_process")
def test_what_reading_has_made_ready_is_played_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("goofspiel")
    fewest = rules.model.players[0]
    monkeypatch.delattr("wongar_dsl.lower.lower")  # Whoever would make it again cannot.
    assert rules.game(fewest).start(1)[0].legal_moves()
    with pytest.raises(ImportError):
        rules.game(fewest + 1)


def test_rules_from_the_cache_are_made_ready_like_those_that_were_read(
    tmp_path: Path, new_process: Callable[[], None]
) -> None:
    cache = Cache(tmp_path / "cache")
    read = load("goofspiel", cache)
    seats = read.model.players[0]
    program = read.program(seats, {})
    new_process()
    kept = load("goofspiel", cache)
    assert kept.smallest is None
    assert kept.program(seats, {}) is not program
    assert repr(kept.program(seats, {})) == repr(program)


def test_a_game_from_the_cache_is_played_without_a_look_at_its_code(
    tmp_path: Path, new_process: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    _course(load("wongar", cache), 3, cache)
    read = _course(load("wongar", cache), 4, cache)
    new_process()
    for gone in ("lower.lower", "backends.python.generator.generate", "ir.code.Block"):
        monkeypatch.delattr(f"wongar_dsl.{gone}")
    kept = load("wongar", cache)
    assert _course(kept, 4, cache) == read
    with pytest.raises(AttributeError, match="Block"):  # Only now it is read.
        _ = kept.program(4, {}).blocks


def _course(rules: Rules, seats: int, cache: Cache) -> list[list[int]]:
    """The states of the first turns, where the first option is chosen."""
    state, _ = rules.game(seats, cache=cache).start(1)
    course = []
    for _ in range(20):
        state.apply(state.legal_moves()[0])
        course.append(state.cells.copy())
    return course


def test_what_is_shipped_is_kept_for_every_folder_but_one_with_a_file_of_that_name(
    tmp_path: Path, new_process: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    for folder in ("one", "other"):
        new_process()
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        assert load("nim", cache).name == "nim"
        assert len(list((tmp_path / "cache").iterdir())) == 1
    Path("nim").write_text("variant mine of nim\n")
    assert load("nim", cache).name == "nim/mine"


@pytest.mark.usefixtures("new_process")
def test_what_is_shipped_is_read_once_in_a_process_while_its_file_is_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "toy.rules"
    shipped.write_text("game toy\n    players 2\n    source house rule\nplay\n    nobody wins\n")
    monkeypatch.setattr(sys.modules["wongar_dsl.library.shipped"], "_files", lambda: {"toy": shipped})
    rules = load("toy")
    assert load("toy") is rules
    assert rules.game(2).program is rules.game(2, backend="reference").program
    shipped.write_text(shipped.read_text().replace("players 2", "players 3"))
    assert load("toy").model.players == (3, 3)


def test_a_folder_that_cannot_be_read_holds_no_variants(tmp_path: Path) -> None:
    assert [*with_own_folders(tmp_path / "gone")] == []

"""Games by name: shipped ones, files, variants beside them, and names that join several."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.information_flow import InformationFlow, information_flow
from wongar_dsl.engine.library import Cache, Rules, game_ids, inspect, load
from wongar_dsl.engine.library.game_ids import rule_files_in_own_folders
from wongar_dsl.engine.saves import MAX_FILES


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Function that clears everything cached in this process."""

    def begin() -> None:
        monkeypatch.setattr("wongar_dsl.engine.library._shipped_rules", {})
        monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})

    begin()
    return begin


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text("variant mine of nim\n")
    return path


def test_rule_file_replaced_by_a_pipe_is_not_read(rules: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert load(rules, cache).name == "nim/mine"
    assert list((tmp_path / "cache").iterdir())
    rules.unlink()
    os.mkfifo(rules)
    with pytest.raises(RulesError):
        load(rules, cache)


def test_rules_are_read_from_a_removed_working_folder(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for _ in range(2):
        assert load(rules, Cache(tmp_path / "cache")).name == "nim/mine"


def test_program_is_lowered_once_and_the_cached_one_is_the_same(
    tmp_path: Path, new_process: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    read = load("goofspiel", cache)
    seats = read.model.players[0]
    with monkeypatch.context() as patch:
        patch.delattr("wongar_dsl.compiler.lowering.lower")  # Lowering again would fail.
        program = read.program(seats, {})
        with pytest.raises(NameError):
            read.game(seats + 1)
    new_process()
    cached = load("goofspiel", cache)
    assert cached.min_seats_program is None
    assert cached.program(seats, {}) is not program
    assert repr(cached.program(seats, {})) == repr(program)


def test_cached_game_is_played_without_loading_its_code(
    tmp_path: Path, new_process: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    _first_states(load("wongar", cache), 3, cache)
    read = _first_states(load("wongar", cache), 4, cache)
    new_process()
    for gone in (
        "compiler.lowering.lower",
        "compiler.backends.python_generator.generate",
        "compiler.ir.instructions.Block",
    ):
        monkeypatch.delattr(f"wongar_dsl.{gone}")
    cached = load("wongar", cache)
    assert _first_states(cached, 4, cache) == read
    with pytest.raises(AttributeError, match="Block"):  # The code is loaded only now.
        _ = cached.program(4, {}).blocks


def _first_states(rules: Rules, seats: int, cache: Cache) -> list[list[int]]:
    """Return the states after each of the first turns, with the first option chosen in each."""
    state, _ = rules.game(seats, cache=cache).start(1)
    states = []
    for _ in range(20):
        state.apply(state.legal_moves()[0])
        states.append(state.cells.copy())
    return states


def test_information_flow_is_analysed_once(
    tmp_path: Path, new_process: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, analysed_seats = Cache(tmp_path), []

    def analysed(program: ir.Program) -> InformationFlow:
        analysed_seats.append(program.seats)
        return information_flow(program)

    monkeypatch.setattr("wongar_dsl.compiler.ir.information_flow.information_flow", analysed)
    flows = []
    for seats in (2, 2, 3):
        new_process()
        game = load("goofspiel", cache).game(seats, cache=cache)
        assert game.knowledge.flow == information_flow(game.program)
        flows.append(game.knowledge.flow)
    assert analysed_seats == [2, 3]
    assert flows[0] is not flows[1]


def test_shipped_game_is_cached_for_folders_without_such_a_file(
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
def test_shipped_game_is_read_once_until_its_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "toy.rules"
    shipped.write_text("game toy\n    players 2\n    source house rule\nplay\n    nobody wins\n")
    monkeypatch.setattr(sys.modules["wongar_dsl.engine.library.game_ids"], "_files", lambda: {"toy": shipped})
    rules = load("toy")
    assert load("toy") is rules
    assert rules.game(2).program is rules.game(2, backend="reference").program
    shipped.write_text(shipped.read_text().replace("players 2", "players 3"))
    assert load("toy").model.players == (3, 3)


def test_unreadable_folder_has_no_variants(tmp_path: Path) -> None:
    assert [*rule_files_in_own_folders(tmp_path / "gone")] == []


def test_limit_of_parts_equals_the_limit_of_saves() -> None:
    assert game_ids.MAX_NAME_PIECES == MAX_FILES


@pytest.mark.parametrize("pieces", [51, 5_000, 100_000])
def test_too_many_parts_are_refused_without_file_lookups(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[object] = []
    is_file = game_ids.is_file
    monkeypatch.setattr(game_ids, "is_file", lambda path: lookups.append(path) or is_file(path))
    rules, diagnostics = inspect("+".join(["nim", *["x"] * (pieces - 1)]))
    assert rules is None
    assert [(d.code, d.arguments["found"], d.arguments["limit"]) for d in diagnostics] == [("R0414", pieces, 50)]
    assert len(lookups) < 10


def test_allowed_number_of_parts_is_looked_up() -> None:
    assert [d.code for d in inspect("+".join(["nim", *["x"] * 49]))[1]] == ["R0004"]

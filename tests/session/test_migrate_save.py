"""Migration of a saved position to changed rules, and the incompatibilities reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import CACHE
from tests.engine.rule_cases.test_cases import GAME
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.position_writer import full_position, position_difference
from wongar_dsl.engine.saves import VERSION_FROM_POSITION, read_save, replay, write_save
from wongar_dsl.session.migrate_save import IncompatibleSaveError, lay_out_position, migrate

MOVES = ("draw", "pay(red)", "rest", "draw", "rest")


def game_of(folder: Path, name: str, *changes: tuple[str, str]) -> Rules:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


def match_after(rules: Rules, moves: tuple[str, ...] = MOVES) -> Match:
    match = Match.begin(rules.game(2), (Seat("human"),) * 2, 7, rules.hash)
    for move in moves:
        match.play(match.state.read(move))
    return match


def migrated(match: Match, rules: Rules, folder: Path, knowing: bool = True) -> Match:
    """Save the match and migrate it to other rules."""
    path = folder / "save.json"
    write_save(path, match)
    game = rules.game(match.game.seats, cache=Cache(CACHE))
    return migrate(game, rules.hash, read_save(path), match.seats, match if knowing else None)


def misfits(match: Match, rules: Rules, folder: Path, knowing: bool = True) -> list[tuple[str, str, str]]:
    with pytest.raises(IncompatibleSaveError) as caught:
        migrated(match, rules, folder, knowing)
    return [(m.reason, m.name, m.failure.code if m.failure is not None else "") for m in caught.value.misfits]


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "goofspiel", "connect_four"])
def test_migration_to_equal_rules_keeps_the_position(name: str, tmp_path: Path) -> None:
    rules, luck = load(name, Cache(CACHE)), Generator(3)
    game = rules.game(rules.model.players[0], cache=Cache(CACHE))
    match = Match.begin(game, (Seat("human"),) * game.seats, 2**63 + 5, rules.hash)
    for _ in range(3 if name in ("connect_four", "goofspiel") else 30):
        moves = match.state.legal_moves()
        match.play(moves[luck.below(len(moves))])
    migrated_match = migrated(match, rules, tmp_path)
    assert not position_difference(game, migrated_match.state.cells, match.state.cells)
    assert migrated_match.state.options() == match.state.options()
    assert migrated_match.state.cells[ir.AT_CHANCE] == match.state.cells[ir.AT_CHANCE]
    assert (migrated_match.steps, list(migrated_match.history())) == ([], [])


MORE_POINTS = ("gains 2 points", "gains 3 points")


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Return a match in the middle of the unchanged game."""
    return match_after(game_of(tmp_path, "old"))


def position(match: Match) -> object:
    return full_position(match.game, match.state.cells)


def test_migrated_values_stay_and_new_numbers_apply(match: Match, tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", MORE_POINTS)
    migrated_match = migrated(match, rules, tmp_path)
    assert position(migrated_match) == position(match)
    for move in ("rest", "draw"):
        migrated_match.play(migrated_match.state.read(move))
    assert migrated_match.state.scores == (5, 2)
    # Without the old rules, the choices are replayed.
    assert migrated(match, rules, tmp_path, knowing=False).state.scores == (3, 3)


def test_save_of_a_migrated_match_is_restored(match: Match, tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", MORE_POINTS)
    migrated_match = migrated(match, rules, tmp_path)
    migrated_match.play(migrated_match.state.read("rest"))
    path = tmp_path / "new.json"
    write_save(path, migrated_match)
    saved = read_save(path)
    assert (saved.version, len(saved.choices)) == (VERSION_FROM_POSITION, 1)
    loaded = replay(migrated_match.game, rules.hash, saved, path, lay_out_position)
    assert loaded.state.cells == migrated_match.state.cells
    assert loaded.resume_point == migrated_match.resume_point
    twice = migrate(migrated_match.game, rules.hash, saved, migrated_match.seats, loaded)
    assert not position_difference(migrated_match.game, twice.state.cells, migrated_match.state.cells)
    assert migrated_match.undo() is None
    assert migrated_match.undo() is not None


def test_additional_decisions_of_new_rules_are_answered(match: Match, tmp_path: Path) -> None:
    pad = " " * 16
    more = f"{pad}rest\n{pad}    p chooses sure\n{pad}        certainly\n{pad}        never\n"
    migrated_match = migrated(match, game_of(tmp_path, "new", ("                rest\n", more)), tmp_path)
    assert position(migrated_match) == position(match)
    assert migrated_match.state.seat == match.state.seat


def test_migration_works_around_forbidden_moves(match: Match, tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("where stock[p, kind] > 0)", "where stock[p, kind] > 4)"))
    migrated_match = migrated(match, rules, tmp_path)
    assert position(migrated_match) == position(match)
    assert "pay(red)" not in [migrated_match.state.write(move) for move in migrated_match.state.legal_moves()]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([("mine", "yours")], ("place", "mine", "cases.unknown_place")),
        ([("done", "finished")], ("place", "done", "cases.unknown_place")),
        ([("    plain\n", "    simple\n"), ("2 plain", "2 simple")], ("place", "heap_of_cards", "cases.unknown_value")),
        ([("done: number", "done of each player: number"), ("set done to done + 1", "set done of p to 0")],
         ("place", "done", "cases.shape")),
    ],
)  # fmt: skip
def test_values_without_a_field_are_reported(
    match: Match, tmp_path: Path, changes: list[tuple[str, str]], told: tuple[str, str, str]
) -> None:
    assert told in misfits(match, game_of(tmp_path, "new", *changes), tmp_path)


def test_removed_empty_zone_is_compatible(tmp_path: Path) -> None:
    match = match_after(game_of(tmp_path, "old"), ("rest", "pay(red)"))
    migrated_match = migrated(match, game_of(tmp_path, "new", ("mine", "yours")), tmp_path)
    assert migrated_match.state.write(migrated_match.state.legal_moves()[0]) == "pay(red)"


def test_all_incompatibilities_are_reported_together(match: Match, tmp_path: Path) -> None:
    reported = misfits(match, game_of(tmp_path, "new", ("chooses turn", "chooses go"), ("mine", "yours")), tmp_path)
    assert reported[0] == ("never_asked", "turn", "")
    assert ("place", "mine", "cases.unknown_place") in reported


def test_choice_that_cannot_be_replayed_is_reported(match: Match, tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("with 2 red", "with 2 blue"))
    assert misfits(match, rules, tmp_path, knowing=False) == [("choice", "pay(red)", "")]


def test_finished_game_cannot_be_migrated(tmp_path: Path) -> None:
    match = match_after(game_of(tmp_path, "old"), ("draw",) * 4)
    while not match.state.over:
        match.play(match.state.legal_moves()[0])
    assert misfits(match, game_of(tmp_path, "old"), tmp_path) == [("over", "", "")]

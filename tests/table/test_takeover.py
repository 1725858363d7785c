"""A saved position under other rules: what is taken over value by value, and what is told where it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.test_cases import GAME
from tests.cli.command import CACHE
from wongar_dsl import ir
from wongar_dsl.backends.chance import Generator
from wongar_dsl.cache import Cache
from wongar_dsl.cases.descriptions import laid_over, whole
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import write_save
from wongar_dsl.engine.saves import IN_THE_MIDDLE, read_save, replay
from wongar_dsl.library import Rules, load, shipped_names
from wongar_dsl.table.takeover import MisfitError, lay, take_over

MOVES = ("draw", "pay(red)", "rest", "draw", "rest")


def game_of(folder: Path, name: str, *changes: tuple[str, str]) -> Rules:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


def played(rules: Rules, moves: tuple[str, ...] = MOVES) -> Match:
    match = Match.begin(rules.game(2), (Seat("human"),) * 2, 7, rules.hash)
    for move in moves:
        match.play(match.state.read(move))
    return match


def moved(match: Match, rules: Rules, folder: Path, knowing: bool = True) -> Match:
    """The match under other rules, after a save."""
    path = folder / "save.json"
    write_save(path, match)
    game = rules.game(match.game.seats, cache=Cache(CACHE))
    return take_over(game, rules.hash, read_save(path), match.seats, match if knowing else None)


def misfits(match: Match, rules: Rules, folder: Path, knowing: bool = True) -> list[tuple[str, str, str]]:
    with pytest.raises(MisfitError) as caught:
        moved(match, rules, folder, knowing)
    return [(m.reason, m.name, m.failure.code if m.failure is not None else "") for m in caught.value.misfits]


@pytest.mark.parametrize("name", [n for n in shipped_names() if n != "kuhn_poker"])
def test_under_the_same_rules_it_is_the_same_position(name: str, tmp_path: Path) -> None:
    rules, luck = load(name, Cache(CACHE)), Generator(3)
    game = rules.game(rules.model.players[0], cache=Cache(CACHE))
    match = Match.begin(game, (Seat("human"),) * game.seats, 2**63 + 5, rules.hash)
    for _ in range(3 if name in ("nim", "tictactoe", "connect_four", "goofspiel") else 30):
        moves = match.state.legal_moves()
        match.play(moves[luck.below(len(moves))])
    again = moved(match, rules, tmp_path)
    assert not laid_over(game, again.state.cells, match.state.cells)
    assert again.state.options() == match.state.options()
    assert again.state.cells[ir.AT_CHANCE] == match.state.cells[ir.AT_CHANCE]
    assert (again.steps, list(again.history())) == ([], [])


def test_values_stay_and_new_numbers_hold_from_now_on(tmp_path: Path) -> None:
    match = played(game_of(tmp_path, "old"))
    again = moved(match, game_of(tmp_path, "new", ("gains 2 points", "gains 3 points")), tmp_path)
    assert whole(again.game, again.state.cells) == whole(match.game, match.state.cells)
    again.play(again.state.read("rest"))
    again.play(again.state.read("draw"))
    assert again.state.scores == (5, 2)


def test_where_the_old_rules_are_gone_the_choices_are_made_again(tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("gains 2 points", "gains 3 points"))
    again = moved(played(game_of(tmp_path, "old")), rules, tmp_path, knowing=False)
    assert again.state.scores == (3, 3)


def test_a_save_of_it_leads_there_again(tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("gains 2 points", "gains 3 points"))
    again = moved(played(game_of(tmp_path, "old")), rules, tmp_path)
    again.play(again.state.read("rest"))
    path = tmp_path / "new.json"
    write_save(path, again)
    saved = read_save(path)
    assert (saved.version, len(saved.choices)) == (IN_THE_MIDDLE, 1)
    loaded = replay(again.game, rules.hash, saved, path, lay)
    assert loaded.state.cells == again.state.cells
    assert loaded.begun == again.begun
    twice = take_over(again.game, rules.hash, saved, again.seats, loaded)
    assert not laid_over(again.game, twice.state.cells, again.state.cells)
    assert again.undo() is None
    assert again.undo() is not None


def test_what_the_new_rules_ask_beside_is_answered(tmp_path: Path) -> None:
    pad = " " * 16
    more = f"{pad}rest\n{pad}    p chooses sure\n{pad}        certainly\n{pad}        never\n"
    rules = game_of(tmp_path, "new", ("                rest\n", more))
    match = played(game_of(tmp_path, "old"))
    again = moved(match, rules, tmp_path)
    assert whole(again.game, again.state.cells) == whole(match.game, match.state.cells)
    assert again.state.seat == match.state.seat


def test_what_the_new_rules_forbid_is_done_in_another_way(tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("where stock[p, kind] > 0)", "where stock[p, kind] > 4)"))
    match = played(game_of(tmp_path, "old"))
    again = moved(match, rules, tmp_path)
    assert whole(again.game, again.state.cells) == whole(match.game, match.state.cells)
    assert "pay(red)" not in [again.state.write(move) for move in again.state.legal_moves()]


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
def test_what_has_no_place_is_named(tmp_path: Path, changes: list[tuple[str, str]], told: tuple[str, str, str]) -> None:
    match = played(game_of(tmp_path, "old"))
    assert told in misfits(match, game_of(tmp_path, "new", *changes), tmp_path)


def test_an_empty_zone_that_is_gone_is_no_loss(tmp_path: Path) -> None:
    match = played(game_of(tmp_path, "old"), ("rest", "pay(red)"))
    again = moved(match, game_of(tmp_path, "new", ("mine", "yours")), tmp_path)
    assert again.state.write(again.state.legal_moves()[0]) == "pay(red)"


def test_a_decision_that_never_comes_and_all_that_has_no_place_are_told_together(tmp_path: Path) -> None:
    match = played(game_of(tmp_path, "old"))
    rules = game_of(tmp_path, "new", ("chooses turn", "chooses go"), ("mine", "yours"))
    found = misfits(match, rules, tmp_path)
    assert found[0] == ("never_asked", "turn", "")
    assert ("place", "mine", "cases.unknown_place") in found


def test_a_choice_that_cannot_be_made_again_is_told(tmp_path: Path) -> None:
    rules = game_of(tmp_path, "new", ("with 2 red", "with 2 blue"))
    assert misfits(played(game_of(tmp_path, "old")), rules, tmp_path, knowing=False) == [("choice", "pay(red)", "")]


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    match = played(game_of(tmp_path, "old"), ("draw",) * 4)
    match.play(match.state.legal_moves()[0]) if not match.state.over else None
    assert match.state.over
    assert misfits(match, game_of(tmp_path, "old"), tmp_path) == [("over", "", "")]

"""Combinations of independent variants: played together unless they change the same part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.language.variants.test_mistakes import BASE
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.engine.library import inspect, load, resolved_pieces
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import head_of
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.session.game_session import reopen_save

SMALL = {
    "small": BASE,
    "rich": "variant rich of small\n    source house rule\nset bonus to 9\n",
    "poor": "variant poor of small\n    source house rule\nset bonus to 0\n",
    "tired": "variant tired of small\n    source house rule\nremove walk from choice turn\n",
    "still": "variant still of tired\n    source house rule\nset row red of worth to 4\n",
    "other": "game other\n    players 2\n    source house rule\nplay\n    nobody wins\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in SMALL.items():
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")


def diagnostics_of_changes(*changes: str, name: str = "small.rules+first+second") -> list[Diagnostic]:
    for file, change in zip(("first", "second"), changes, strict=False):
        text = f"variant {file} of small\n    source house rule\n{change}\n"
        Path(f"{file}.rules").write_text(text, encoding="utf-8")
    return list(inspect(name)[1])


def merged_names(name: str) -> tuple[str, ...]:
    return load(name).model.merged.names


def test_variants_are_applied_after_their_bases() -> None:
    assert merged_names("small.rules+rich+still") == ("small", "rich", "tired", "still")
    settings = load("small.rules+rich+still").model.settings
    assert settings["bonus"].start == 9
    turn = load("small.rules+rich+still").model.decisions["turn"]
    assert [option for option, _ in turn.options] == ["put", "drop", "pass"]


def test_shared_variant_is_applied_once() -> None:
    assert merged_names("small.rules+tired+still") == ("small", "tired", "still")
    assert merged_names("still.rules+tired") == ("small", "tired", "still")


def test_named_combination_may_have_more_changes() -> None:
    text = "variant party of small with rich, still\n    source house rule\nset bonus to 4\n"
    Path("party.rules").write_text(text, encoding="utf-8")
    assert merged_names("party.rules") == ("small", "rich", "tired", "still", "party")
    assert load("party.rules").model.settings["bonus"].start == 4


def test_base_may_be_a_combination() -> None:
    text = "variant party of small+rich+still\n    source house rule\n"
    Path("party.rules").write_text(text, encoding="utf-8")
    assert merged_names("party.rules") == ("small", "rich", "tired", "still", "party")


def test_shipped_variants_combine() -> None:
    combined = load("ubongo+hard+long")
    assert [combined.model.settings[name].start for name in ("hard_side", "long_game")] == [1, 1]
    assert load(combined.name).hash == load("ubongo/hard+long").hash == combined.hash


CLASHES = {
    "option": ("set bonus to 3", "set bonus to 4"),
    "cell and row": ("set worth[red] to 3", "set row red of worth to 4"),
    "row and table": ("set worth[red] to 3", "replace table worth\n    red 4\n    green 5\n    blue 6"),
    "table and row": ("replace table worth\n    red 4\n    green 5\n    blue 6", "set worth[red] to 3"),
    "cards": ("set joker in pictures to 2", "add to deck pictures\n    1 joker"),
    "players": ("set players to 2", "set players to 3"),
    "age": ("set age to 8", "set age to 9"),
    "new article": ("rule extra()\n    nothing", "rule extra()\n    nothing"),
    "new value": ("add to cards extra\n    hail", "add to cards extra\n    hail"),
    "option of a choice": ("remove walk from choice turn", "allow walk in choice turn only if rounds > 1"),
    "option in a rule replaced": ("replace rule turn(me: player)\n    scored(me)", "remove walk from choice turn"),
    "rule with an option": (
        "allow walk in choice turn only if rounds > 1",
        "replace rule turn(me: player)\n    scored(me)",
    ),
    "offer": ("set there of walk in choice turn to meadow", "set there of walk in choice turn to meadow"),
    "same place": ("after put in rule turn\n    nothing", "after put in rule turn\n    nothing"),
    "step that is gone": ("remove put from rule turn", "after put in rule turn\n    nothing"),
    "step inside of one that is gone": ("remove turn from rule turn", "after put in rule turn\n    nothing"),
    "value of a step": ("set tried in rule scored to 3", "set tried in rule scored to 4"),
    "tie": ("add to winner\n    then most size of supply of p", "add to winner\n    then fewest size of supply of p"),
    "article that is gone": (
        "remove drop from choice turn\nremove zone discards",
        "replace heap discards holds picture, seen by nobody",
    ),
}


@pytest.mark.parametrize("clash", CLASHES)
def test_conflict_is_reported_with_both_changes(clash: str) -> None:
    clashes = [d for d in diagnostics_of_changes(*CLASHES[clash]) if d.code == "R0214"]
    assert clashes
    for diagnostic in clashes:
        assert diagnostic.span is not None
        assert diagnostic.span.source.name.endswith("second.rules")
        assert [label.span.source.name.endswith("first.rules") for label in diagnostic.labels] == [True]


TOGETHER = {
    "other cells": ("set worth[red] to 3", "set worth[green] to 4"),
    "new rows and new columns": ("set wide[red, late] to 3", "set row green of wide to 5 6"),
    "other cards": ("set plain(red) in pictures to 1", "set joker in pictures to 2"),
    "other options": ("remove walk from choice turn", "allow drop in choice turn only if rounds > 1"),
    "new options": ("add to choice turn\n    wait", "add to choice turn\n    sleep"),
    "condition and offer": (
        "allow walk in choice turn only if rounds > 1",
        "set there of walk in choice turn to meadow",
    ),
    "both sides of a step": ("before put in rule turn\n    nothing", "after put in rule turn\n    nothing"),
    "parts of one rule": ("set tried in rule scored to 2", "after rule scored\n    nothing"),
}


@pytest.mark.parametrize("together", TOGETHER)
def test_independent_changes_are_combined(together: str) -> None:
    assert [d.code for d in diagnostics_of_changes(*TOGETHER[together]) if d.severity.value == "error"] == []


def test_variant_may_override_a_change_of_its_base() -> None:
    first = "variant first of small\n    source house rule\nset bonus to 3\n"
    Path("first.rules").write_text(first, encoding="utf-8")
    Path("second.rules").write_text(
        first.replace("first of small", "second of first").replace("3", "4"), encoding="utf-8"
    )
    assert load("small.rules+first+second").model.settings["bonus"].start == 4


def test_words_of_each_variant_are_in_scope() -> None:
    assert scopes("chess/blitz/atomic") == ("chess/blitz/atomic", "chess/atomic", "chess/blitz", "chess")


def test_unknown_step_is_reported_beside_a_removal() -> None:
    diagnostics = diagnostics_of_changes("remove put from rule turn", "after putt in rule turn\n    nothing")
    assert [(d.code, dict(d.arguments)) for d in diagnostics] == [("R0213", {"name": "putt", "what": "turn"})]


def test_variant_of_another_game_is_refused() -> None:
    diagnostic = diagnostics_of_changes("nothing", name="small.rules+other")[-1]
    assert (diagnostic.code, dict(diagnostic.arguments)) == ("R0008", {"name": "other", "what": "small"})


def test_missing_variant_is_named() -> None:
    diagnostics = diagnostics_of_changes(name="ubongo+hrd")
    assert [(d.code, dict(d.arguments), d.suggestion) for d in diagnostics] == [("R0004", {"name": "hrd"}, "hard")]


def test_cyclic_variants_are_refused() -> None:
    Path("a.rules").write_text("variant a of small with b\n", encoding="utf-8")
    Path("b.rules").write_text("variant b of small with a\n", encoding="utf-8")
    assert [d.code for d in inspect("a.rules")[1]] == ["R0005"]


def test_plus_signs_in_a_path_do_not_combine(tmp_path: Path) -> None:
    folder = tmp_path / "a+b"
    folder.mkdir()
    for name in ("small", "rich", "still", "tired"):
        (folder / f"{name}.rules").write_text(SMALL[name], encoding="utf-8")
    name = f"{folder}/rich.rules+{folder}/still.rules"
    assert merged_names(name) == ("small", "rich", "tired", "still")
    assert resolved_pieces(name) == (str(folder / "rich.rules"), str(folder / "still.rules"))


def test_save_finds_moved_rules_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "small.rules+rich+still"
    rules = load(name)
    match = Match.begin(rules.game(2), [Seat("human", "")] * 2, 1, rules.hash)
    save, new_folder = tmp_path / "game.json", tmp_path / "there"
    save.write_text(json.dumps(head_of(match, save, "\n".join(resolved_pieces(name)))) + "\n", encoding="utf-8")
    assert reopen_save(save, "python", None).rules.hash == rules.hash
    new_folder.mkdir()
    for file in (save, *tmp_path.glob("*.rules")):
        file.rename(new_folder / file.name)
    monkeypatch.chdir("/")
    assert reopen_save(new_folder / "game.json", "python", None).rules.hash == rules.hash

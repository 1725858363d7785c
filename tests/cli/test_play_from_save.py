"""`wongar play --from SAVE`: it continues a saved position under other rules, or reports why that is impossible."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command, choices_in
from tests.engine.rule_cases.test_cases import GAME

SEATS = ("--seats", "human:Ada,human:Ben", "--seed", "7", "--lang", "en")
VARIANT = "variant rich of tiny\n\nreplace winner p\n    fewest points of p\n    source house rule\n"


@pytest.fixture
def save(wongar: Command, tmp_path: Path) -> Path:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "rich.rules").write_text(VARIANT, encoding="utf-8")
    answers = "draw\npay(red)\nrest\nquit\n"
    path = tmp_path / "save.json"
    assert wongar("play", str(tmp_path / "tiny.rules"), *SEATS, "--save", str(path), answers=answers).code == 0
    assert len(choices_in(path)) == 3
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_game_continues_under_other_rules(wongar: Command, save: Path, language: str) -> None:
    before = save.read_bytes()
    new = save.with_name(f"new_{language}.json")
    rules = str(save.with_name("rich.rules"))
    more = ("--save", str(new), "--lang", language)
    result = wongar("play", rules, "--from", str(save), *more, answers="rest\nquit\n")
    assert (result.code, result.err) == (0, "")
    assert str(save) in result.out.splitlines()[0]
    assert "cli." not in result.out
    assert "Ada" in result.out
    assert save.read_bytes() == before
    assert choices_in(new) == ["rest"]
    resumed = wongar("resume", str(new), "--lang", language, answers="draw\nquit\n")
    assert resumed.code == 0
    assert choices_in(new) == ["rest", "draw"]
    assert len(wongar("log", str(new), "--lang", language).out.splitlines()) >= 2


def test_current_rules_of_the_save_are_the_default(wongar: Command, save: Path) -> None:
    rules = save.with_name("tiny.rules")
    rules.write_text(GAME.replace("gains 2 points", "gains 7 points"), encoding="utf-8")
    result = wongar("play", "--from", str(save), "--lang", "en", answers="quit\n")
    assert result.code == 0
    assert "were replayed with the new rules" in result.out


def test_settings_chosen_by_the_player_are_kept(wongar: Command, tmp_path: Path) -> None:
    options = "option dear_ones = 2 in 0 to 9\n    source house rule\noption rough = no\n    source house rule\n"
    text = GAME.replace("score points\n", f"{options}score points\n").replace(
        "gains 2 points", "gains dear_ones points"
    )
    (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
    variant = tmp_path / "quick.rules"
    variant.write_text("variant quick of tiny\n\nset dear_ones to 3\n", encoding="utf-8")
    path, rules = tmp_path / "save.json", str(tmp_path / "tiny.rules")
    wongar("play", rules, *SEATS, "--set", "rough=yes", "--save", str(path), answers="quit\n")
    command = ("play", str(variant), "--from", str(path), "--lang", "en")
    result = wongar(*command, answers="quit\n")
    assert (result.code, "dear_ones was 2 in the save and is 3 now." in result.out) == (0, True)
    assert "rough" not in result.out
    assert "rough was yes in the save and is no now." in wongar(*command, "--set", "rough=no", answers="quit\n").out
    assert "rough" in wongar("play", "nim", *command[2:]).err


@pytest.mark.parametrize("language", LANGUAGES)
def test_incompatible_rules_are_reported_and_the_save_is_unchanged(wongar: Command, save: Path, language: str) -> None:
    before = save.read_bytes()
    other_rules = save.with_name("other.rules")
    changes = (("game tiny", "game other"), ("mine", "yours"), ("    dear(", "    costly("), (" dear(", " costly("))
    text = GAME
    for old, new in changes:
        text = text.replace(old, new)
    other_rules.write_text(text, encoding="utf-8")
    result = wongar("play", str(other_rules), "--from", str(save), "--lang", language, answers="quit\n")
    assert result.code == 1
    lines = result.err.splitlines()
    assert str(save) in lines[0]
    assert any(line.strip().startswith("mine: ") for line in lines)
    assert any("heap_of_cards" in line and "dear" in line for line in lines)
    assert "cli." not in result.err
    assert save.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--seed", "3"), 2),
        (("--seats", "human,human,human"), 2),
        (("--save", "{save}"), 2),
        (("--set", "no_such=1"), 2),
        (("--from", "{save}x"), 1),
        (("--from", "{rules}"), 1),
    ],
)
def test_contradictory_arguments_are_refused(
    wongar: Command, save: Path, arguments: tuple[str, ...], code: int
) -> None:
    before = save.read_bytes()
    rules = save.with_name("rich.rules")
    formatted = [text.format(save=save, rules=rules) for text in arguments]
    result = wongar("play", str(rules), "--from", str(save), *formatted, "--lang", "en")
    assert (result.code, result.out) == (code, "")
    assert result.err
    assert save.read_bytes() == before


def test_resumed_game_keeps_the_option_numbers(wongar: Command, tmp_path: Path) -> None:
    save, seats = tmp_path / "save.json", ("--seats", "human,random,random", "--seed", "3", "--lang", "en")
    answers = "\n".join([*map(str, range(1, 13))] * 39)[:117]
    shown = wongar("play", "tongiaki", *seats, "--plain", "--save", str(save), answers=answers).out.splitlines()
    last = [line.strip() for line in shown if line.strip().endswith("Make Atiu a royal island")][-1]
    assert last.startswith("8 ")
    resumed = wongar("resume", str(save)).out.splitlines()
    assert last in [line.strip() for line in resumed]

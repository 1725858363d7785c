"""`wongar play --from SAVE`: the position of a save under other rules, and what is told where it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.test_cases import GAME
from tests.cli.command import LANGUAGES, Command, choices_in

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
def test_a_game_goes_on_by_other_rules(wongar: Command, save: Path, language: str) -> None:
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


def test_without_a_game_the_rules_of_the_save_are_meant_as_they_are_now(wongar: Command, save: Path) -> None:
    rules = save.with_name("tiny.rules")
    rules.write_text(GAME.replace("gains 2 points", "gains 7 points"), encoding="utf-8")
    result = wongar("play", "--from", str(save), "--lang", "en", answers="quit\n")
    assert result.code == 0
    assert "were replayed with the new rules" in result.out


def test_options_are_kept_where_somebody_set_them(wongar: Command, tmp_path: Path) -> None:
    options = "option dear_ones = 2 in 0 to 9\n    source house rule\noption rough = no\n    source house rule\n"
    text = GAME.replace("score points\n", f"{options}score points\n").replace(
        "gains 2 points", "gains dear_ones points"
    )
    (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
    variant = tmp_path / "quick.rules"
    variant.write_text("variant quick of tiny\n\nset dear_ones to 3\n", encoding="utf-8")
    path, rules = tmp_path / "save.json", str(tmp_path / "tiny.rules")
    wongar("play", rules, *SEATS, "--set", "rough=yes", "--save", str(path), answers="quit\n")
    again = ("play", str(variant), "--from", str(path), "--lang", "en")
    result = wongar(*again, answers="quit\n")
    assert (result.code, "dear_ones was 2 in the save and is 3 now." in result.out) == (0, True)
    assert "rough" not in result.out
    assert "rough was yes in the save and is no now." in wongar(*again, "--set", "rough=no", answers="quit\n").out
    assert "rough" in wongar("play", "nim", *again[2:]).err


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_not_fit_is_told_and_the_save_is_left(wongar: Command, save: Path, language: str) -> None:
    before = save.read_bytes()
    other = save.with_name("other.rules")
    changes = (("game tiny", "game other"), ("mine", "yours"), ("    dear(", "    costly("), (" dear(", " costly("))
    text = GAME
    for old, new in changes:
        text = text.replace(old, new)
    other.write_text(text, encoding="utf-8")
    result = wongar("play", str(other), "--from", str(save), "--lang", language, answers="quit\n")
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
def test_what_makes_no_sense_is_refused(wongar: Command, save: Path, arguments: tuple[str, ...], code: int) -> None:
    before = save.read_bytes()
    rules = save.with_name("rich.rules")
    given = [text.format(save=save, rules=rules) for text in arguments]
    result = wongar("play", str(rules), "--from", str(save), *given, "--lang", "en")
    assert (result.code, result.out) == (code, "")
    assert result.err
    assert save.read_bytes() == before


def test_options_have_the_numbers_that_they_had_before(wongar: Command, tmp_path: Path) -> None:
    save, seats = tmp_path / "save.json", ("--seats", "human,random,random", "--seed", "3", "--lang", "en")
    answers = "\n".join([*map(str, range(1, 13))] * 39)[:117]
    asked = wongar("play", "tongiaki", *seats, "--plain", "--save", str(save), answers=answers).out.splitlines()
    last = [line.strip() for line in asked if line.strip().endswith("Make Atiu a royal island")][-1]
    assert last.startswith("8 ")
    again = wongar("resume", str(save)).out.splitlines()
    assert last in [line.strip() for line in again]

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
    assert "have been made again" in result.out


def test_options_are_kept_where_somebody_set_them(wongar: Command, tmp_path: Path) -> None:
    variant = tmp_path / "quick.rules"
    variant.write_text("variant quick of ubongo\n\nset sandglass to 30\n", encoding="utf-8")
    path, seats = tmp_path / "save.json", ("--seats", "random,random", "--seed", "3", "--lang", "en")
    hard = ("--set", "hard_side=yes")
    wongar("play", "ubongo", "--seats", "human,human", *seats[2:], *hard, "--save", str(path), answers="quit\n")
    result = wongar("play", str(variant), "--from", str(path), "--lang", "en", answers="quit\n")
    assert result.code == 0
    assert "sandglass was 60 in the save and is 30 now." in result.out
    assert "hard_side" not in result.out
    other = wongar("play", str(variant), "--from", str(path), "--set", "hard_side=no", "--lang", "en", answers="quit\n")
    assert "hard_side was yes in the save and is no now." in other.out
    assert "hard_side" in wongar("play", "nim", "--from", str(path), "--lang", "en").err


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

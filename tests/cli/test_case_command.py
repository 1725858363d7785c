"""`case` command at the table: it appends the last step as a test case to a file, and reports where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.engine.rule_cases.test_cases import GAME
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.nlg.words import Translator

WORDS = {"en": "case", "de": "testfall", "nl": "testgeval", "it": "caso"}
SEATS = ("--seats", "human,human", "--seed", "7")
OPEN = GAME.replace("seen as a number", "seen by all").replace("seen by owner", "seen by all")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_case_command_has_a_name_in_each_language(wongar: Command, rules: Path, language: str) -> None:
    result = wongar("play", str(rules), *SEATS, "--lang", language, answers=f"draw\n{WORDS[language]}\n?\n")
    path = rules.with_name("tiny.cases.yaml")
    assert f"wongar test {path}" in result.out
    assert Translator.load(language).say("cli.command.case.does") in " ".join(result.out.split())
    (case,) = read(path).cases
    assert "draw" in case.name
    assert wongar("test", str(path)).code == 0


def test_cases_are_appended_under_unique_names(wongar: Command, rules: Path) -> None:
    path = rules.with_name("tiny.cases.yaml")
    text = "# mine\nplayers: 2\nposition: {done: 3}\ncases:  # one\n  [{name: 'step 1, draw', moves: [draw]}]\n"
    path.write_text(text, encoding="utf-8")
    result = wongar("play", str(rules), *SEATS, "--lang", "en", answers="draw\ncase\ncase\nrest\ncase\nquit\n")
    assert path.read_text(encoding="utf-8") == text
    assert "begin with a dash" in result.out
    text = text.replace("[{name: 'step 1, draw', moves: [draw]}]", "- name: step 1, draw   # good\n    moves: [draw]")
    path.write_text(text, encoding="utf-8")
    wongar("play", str(rules), *SEATS, "--lang", "en", answers="draw\ncase\ncase\nrest\ncase\nquit\n")
    assert path.read_text(encoding="utf-8").startswith(text)
    names = [case.name for case in read(path).cases]
    assert names == ["step 1, draw", "step 1, draw (2)", "step 1, draw (3)", "step 2, rest"]
    assert wongar("test", str(path)).code == 0


def test_line_number_is_reported_if_nothing_is_hidden(wongar: Command, tmp_path: Path) -> None:
    (tmp_path / "open.rules").write_text(OPEN.replace("game tiny", "game open"), encoding="utf-8")
    result = wongar("play", str(tmp_path / "open.rules"), *SEATS, "--lang", "en", answers="draw\ncase\n")
    assert f"The case is in {tmp_path / 'open.cases.yaml'}, line 2." in " ".join(result.out.split())
    wongar.patch.chdir(tmp_path)
    result = wongar("play", "open.rules", *SEATS, "--lang", "en", answers="draw\ncase\n")
    message = r"^The case is in open\.cases\.yaml, line \d+\.\nTo run it: wongar test open\.cases\.yaml$"
    assert re.search(message, result.out, re.M)


@pytest.mark.parametrize("name", ["x", "x.yaml", "x.cases.yaml"])
def test_file_may_be_named_without_its_suffix(name: str, wongar: Command, tmp_path: Path) -> None:
    wongar("play", "goofspiel", *SEATS, answers=f"case {tmp_path}/{name}\nquit\n")
    assert [path.name for path in tmp_path.glob("x*")] == ["x.cases.yaml"]


def test_message_reveals_no_hidden_choice(wongar: Command, tmp_path: Path) -> None:
    answers = [f"play({card})\ncase {tmp_path}/x\nquit\n" for card in ("one", "three")]
    outputs = [wongar("play", "goofspiel", *SEATS, "--lang", "en", answers=text).out for text in answers]
    after = [text.partition(f"case {tmp_path}/x\n")[2].partition("> quit")[0] for text in outputs]
    assert after[0] == after[1]
    assert "hidden from you" in after[0]
    assert [case.name for case in read(tmp_path / "x.cases.yaml").cases] == ["step 1, play(one)", "step 1, play(three)"]
    assert wongar("test", str(tmp_path / "x.cases.yaml")).code == 0


def test_cases_of_shipped_games_are_stored_beside_the_saves(wongar: Command) -> None:
    wongar("play", "nim", *SEATS, "--lang", "en", answers="case\n1\ncase\nquit\n")
    path = wongar.home / "data" / "wongar" / "cases" / "nim.cases.yaml"
    assert read(path).cases[0].name == "the first decision"
    assert len(read(path).cases) == 2
    assert wongar("test", str(path)).code == 0


def test_read_only_rules_folder_falls_back_to_another_path(
    wongar: Command, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    result = wongar("play", str(rules), *SEATS, "--lang", "en", answers="draw\ncase\nrest\ncase\nquit\n")
    path = wongar.home / "data" / "wongar" / "cases" / "tiny.cases.yaml"
    assert "Put the file there" in result.out
    assert not rules.with_name("tiny.cases.yaml").exists()
    assert len(path.read_text(encoding="utf-8").split("- name")) == 3
    path.rename(rules.with_name("tiny.cases.yaml"))
    assert wongar("test", str(rules.with_name("tiny.cases.yaml"))).code == 0


@pytest.mark.parametrize(
    ("name", "holds", "told"),
    [
        ("there.cases.yaml", "game: nim\nplayers: 2\ncases:\n  - name: a\n", "for other rules"),
        ("there.cases.yaml", "cases: {\n", "not valid YAML"),
        ("there.cases.yaml", "game: nim\nplayers: 2\ncases: [{name: a}]\n", "for other rules"),
        ("there.cases.yaml/x", "", "could not name its rules"),
        ("there", "", "could not name its rules"),
    ],
)
def test_unsuitable_case_file_is_reported_and_left_unchanged(
    wongar: Command, rules: Path, tmp_path: Path, name: str, holds: str, told: str
) -> None:
    folder = tmp_path / "other" if name == "there" else tmp_path
    path = folder / "there.cases.yaml"
    folder.mkdir(exist_ok=True)
    path.write_text(holds, encoding="utf-8")
    result = wongar("play", str(rules), *SEATS, "--lang", "en", answers=f"draw\ncase {folder / name}\nquit\n")
    assert told in " ".join(result.out.split())
    assert path.read_text(encoding="utf-8") == holds


def test_case_file_names_combined_variants(wongar: Command, rules: Path, tmp_path: Path) -> None:
    variant = tmp_path / "poor.rules"
    text = "variant poor of tiny\n\nreplace winner p\n    fewest points of p\n    source house rule\n"
    variant.write_text(text, encoding="utf-8")
    wongar("play", f"{rules}+{variant}", *SEATS, "--lang", "en", answers="draw\ncase\nquit\n")
    path = tmp_path / "tiny+poor.cases.yaml"
    assert path.read_text(encoding="utf-8").startswith("game: tiny.rules+poor.rules\n")
    assert wongar("test", str(path)).code == 0

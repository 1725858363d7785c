"""`wongar test` and the command `case`: copied and written cases, and the report of coverage."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.engine.rule_cases import test_coverage
from tests.engine.rule_cases.test_cases import GAME
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.nlg.words import Translator

RULES = Path(__file__).parents[2] / "rules"


def test_copied_cases_detect_errors_in_the_copied_game(wongar: Command, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(RULES / "classics", copy)
    file = copy / "nim.rules"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^play\n(    source .*\n)*", r"\g<0>    nobody wins\n", text), encoding="utf-8")
    result = wongar("test", str(copy / "nim.cases.yaml"), "--lang", "en")
    assert f"(rules: {copy}" in result.out
    assert result.code == 1


def test_cases_beside_a_renamed_copy_test_the_copy(wongar: Command, tmp_path: Path) -> None:
    shutil.copy(RULES / "classics" / "nim.cases.yaml", tmp_path)
    copy = tmp_path / "my_nim.rules"
    shutil.copy(RULES / "classics" / "nim.rules", copy)
    for asked in (copy, tmp_path):
        assert f"(rules: {copy})" in wongar("test", str(asked), "--lang", "en").out
    # Of two files with this name in their first line neither is meant, and the shipped game is not tested instead.
    shutil.copy(copy, tmp_path / "your_nim.rules")
    assert wongar("test", str(tmp_path / "nim.cases.yaml"), "--lang", "en").code == 1


NIM_CASE = "game: {game}\nplayers: 2\ncases:\n  - name: a match is taken\n    moves: ['take(heap_a, 1)']\n"


@pytest.mark.parametrize(
    ("game", "place", "language"),
    [("nim", "my_nim.rules", "de"), ("old_nim", "my_nim.cases.yaml", "nl"), ("nim", "", "it"), ("old_nim", "", "en")],
)
def test_cases_of_a_fully_renamed_copy_test_the_copy_with_a_warning(
    wongar: Command, tmp_path: Path, game: str, place: str, language: str
) -> None:
    rules = (RULES / "classics" / "nim.rules").read_text(encoding="utf-8")
    copy = tmp_path / "my_nim.rules"
    copy.write_text(rules.replace("game nim", "game my_nim"), encoding="utf-8")
    (tmp_path / "my_nim.cases.yaml").write_text(NIM_CASE.format(game=game), encoding="utf-8")
    result = wongar("test", str(tmp_path / place), "--lang", language)
    assert result.code == 0, result
    assert re.search(rf"\(\w+: {copy}\)", result.out)
    (warning,) = result.err.splitlines()
    assert re.search(rf"my_nim\.cases\.yaml:1: .*\W{game}\W.*: {copy}$", warning)
    (tmp_path / "my_nim.cases.yaml").write_text(NIM_CASE.format(game="my_nim"), encoding="utf-8")
    assert wongar("test", str(tmp_path)).err == ""


def test_other_cases_beside_a_fully_renamed_copy_test_the_named_game_with_a_warning(
    wongar: Command, tmp_path: Path
) -> None:
    rules = (RULES / "classics" / "nim.rules").read_text(encoding="utf-8")
    copy, cases = tmp_path / "my_nim.rules", tmp_path / "nim.cases.yaml"
    copy.write_text(rules.replace("game nim", "game my_nim"), encoding="utf-8")
    cases.write_text(NIM_CASE.format(game="nim"), encoding="utf-8")
    result = wongar("test", str(copy))
    assert result.code == 0, result
    assert re.search(r"\(\w+: nim\)", result.out)
    assert re.search(rf"nim\.cases\.yaml:1: .*\Wnim\W.*: {copy}$", result.err.strip())
    cases.write_text(NIM_CASE.format(game="nim").partition("\n")[2], encoding="utf-8")
    result = wongar("test", str(copy))
    assert result.code == 1, result
    assert "my_nim.rules" in result.err


@pytest.mark.parametrize("within", [True, False], ids=["named in the folder", "with a path"])
def test_copied_variants_build_on_the_copied_game(
    wongar: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, within: bool
) -> None:
    shipped, few = "ubongo", "3 to 4"
    copy = tmp_path / "copy"
    shutil.copytree(RULES / shipped, copy)
    base = copy / f"{shipped}.rules"
    text = re.sub(r"players \d to \d", f"players {few}", base.read_text(encoding="utf-8"), count=1)
    base.write_text(text, encoding="utf-8")
    monkeypatch.chdir(copy if within else tmp_path)
    for variant in sorted(file.stem for file in copy.glob("*.rules") if file != base):
        result = wongar("validate", f"{shipped}+{variant if within else f'copy/{variant}.rules'}", "--lang", "en")
        assert result.code == 0, result
        assert f"for {few} players" in result.out


@pytest.mark.parametrize(
    ("folder", "game"),
    [(".", "game: ubongo/hard\n"), ("cases", ""), ("cases", "game: hard\n"), ("tests/cases", "game: ubongo+hard\n")],
)
def test_cases_beside_or_below_copied_rules_find_their_game(
    wongar: Command, tmp_path: Path, folder: str, game: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(RULES / "ubongo", copy)
    inside = copy / folder
    inside.mkdir(parents=True, exist_ok=True)
    case = f"{game}players: 2\ncases:\n  - name: nothing\n    moves: []\n"
    (inside / "hard.cases.yaml").write_text(case, encoding="utf-8")
    result = wongar("test", str(inside / "hard.cases.yaml"), "--lang", "en")
    assert result.code == 0, result
    assert f"{copy / 'hard.rules'})" in result.out


WORDS = {"en": "case", "de": "testfall", "nl": "testgeval", "it": "caso"}
OPEN = GAME.replace("seen as a number", "seen by all").replace("seen by owner", "seen by all")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_case_command_has_a_name_in_each_language(wongar: Command, rules: Path, language: str) -> None:
    result = wongar.play(rules, "draw", WORDS[language], "?", lang=language)
    path = rules.with_name("tiny.cases.yaml")
    assert f"wongar test {path}" in result.out
    assert Translator.load(language).say("cli.command.case.does") in " ".join(result.out.split())
    (case,) = read(path).cases
    assert "draw" in case.name
    assert wongar("test", str(path)).code == 0


def test_cases_are_appended_under_unique_names(wongar: Command, rules: Path) -> None:
    path = rules.with_name("tiny.cases.yaml")
    text = "# mine\nplayers: 2\ncases:  # one\n  - name: step 1, draw   # good\n    moves: [draw]\n"
    path.write_text(text, encoding="utf-8")
    wongar.play(rules, "draw", "case", "case", "rest", "case", "quit")
    assert path.read_text(encoding="utf-8").startswith(text)
    names = [case.name for case in read(path).cases]
    assert names == ["step 1, draw", "step 1, draw (2)", "step 1, draw (3)", "step 2, rest"]
    assert wongar("test", str(path)).code == 0


def test_line_number_is_reported_if_nothing_is_hidden(wongar: Command, tmp_path: Path) -> None:
    (tmp_path / "open.rules").write_text(OPEN.replace("game tiny", "game open"), encoding="utf-8")
    result = wongar.play(tmp_path / "open.rules", "draw", "case")
    assert f"The case is in {tmp_path / 'open.cases.yaml'}, line 2." in " ".join(result.out.split())
    wongar.patch.chdir(tmp_path)
    result = wongar.play("open.rules", "draw", "case")
    message = r"^The case is in open\.cases\.yaml, line \d+\.\nTo run it: wongar test open\.cases\.yaml$"
    assert re.search(message, result.out, re.M)


def test_file_may_be_named_without_its_suffix(wongar: Command, tmp_path: Path) -> None:
    wongar.play("goofspiel", *(f"case {tmp_path}/{name}" for name in ("x", "x.yaml", "x.cases.yaml")), "quit")
    assert [path.name for path in tmp_path.glob("x*")] == ["x.cases.yaml"]


def test_message_reveals_no_hidden_choice(wongar: Command, tmp_path: Path) -> None:
    def told(card: str) -> str:
        out = wongar.play("goofspiel", f"play({card})", f"case {tmp_path}/x", "quit").out
        return out.partition(f"case {tmp_path}/x\n")[2].partition("> quit")[0]

    first = told("one")
    assert "hidden from you" in first
    assert told("three") == first
    assert [case.name for case in read(tmp_path / "x.cases.yaml").cases] == ["step 1, play(one)", "step 1, play(three)"]
    assert wongar("test", str(tmp_path / "x.cases.yaml")).code == 0


def test_cases_of_shipped_games_are_stored_beside_the_saves(wongar: Command) -> None:
    wongar.play("nim", "case", "1", "case", "quit")
    path = wongar.home / "data" / "wongar" / "cases" / "nim.cases.yaml"
    assert read(path).cases[0].name == "the first decision"
    assert len(read(path).cases) == 2
    assert wongar("test", str(path)).code == 0


def test_read_only_rules_folder_falls_back_to_another_path(
    wongar: Command, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    result = wongar.play(rules, "draw", "case", "rest", "case", "quit")
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
    result = wongar.play(rules, "draw", f"case {folder / name}", "quit")
    assert told in " ".join(result.out.split())
    assert path.read_text(encoding="utf-8") == holds


def test_case_file_names_combined_variants(wongar: Command, rules: Path, tmp_path: Path) -> None:
    variant = tmp_path / "poor.rules"
    text = "variant poor of tiny\n\nreplace winner p\n    fewest points of p\n    source house rule\n"
    variant.write_text(text, encoding="utf-8")
    wongar.play(f"{rules}+{variant}", "draw", "case", "quit")
    path = tmp_path / "tiny+poor.cases.yaml"
    assert path.read_text(encoding="utf-8").startswith("game: tiny.rules+poor.rules\n")
    assert wongar("test", str(path)).code == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.rules").write_text(test_coverage.GAME, encoding="utf-8")
    (tmp_path / "small.cases.yaml").write_text(test_coverage.CASES, encoding="utf-8")
    return tmp_path


def test_coverage_of_cases_and_playouts_is_reported(wongar: Command, folder: Path) -> None:
    result = wongar("test", str(folder), "--coverage", "--playouts", "12")
    assert (result.code, result.err) == (0, "")
    cases, games = result.out.split("\n\n")[1:]
    assert [line.split()[0] for line in cases.splitlines()[2:]] == ["10", "20–21", "26", "30–31"]
    assert [line.split()[0] for line in games.splitlines()[2:]] == ["26"]
    none = wongar("test", str(folder), "--coverage", "--playouts", "0").out
    assert len(none.split("\n\n")) == 2
    (folder / "small.cases.yaml").write_text(test_coverage.CASES.replace("winners: 1", "winners: 2"), encoding="utf-8")
    assert wongar("test", str(folder), "--coverage", "--playouts", "1").code == 1


def test_coverage_of_a_variant_counts_rules_but_no_settings(wongar: Command, folder: Path) -> None:
    head = "variant calm of small\n    source house rule\n\n"
    changes = {
        "set rough to yes\n": [],
        "replace rule double(p: player)\n    set left_over to 0\n": ["5"],
        "allow pass in choice turn only if left_over > 1\n": [],
        "allow double in choice turn only if left_over > 1\n": ["4"],
        "set left_over in rule double to 1 - 1\n": ["4"],
        "set left_over in play to left_over - 1\nafter double in play\n    p gains 1 points\n": ["6"],
    }
    (folder / "calm.cases.yaml").write_text(test_coverage.CASES, encoding="utf-8")
    for change, missed in changes.items():
        (folder / "calm.rules").write_text(head + change, encoding="utf-8")
        out = wongar("test", str(folder / "calm.cases.yaml"), "--coverage", "--playouts", "1", "--lang", "en").out
        reports = out.split("\n\n")[1:]
        assert [line.split()[0] for line in reports[0].splitlines()[2:]] == missed, change
        assert ("only changes values" in out, len(reports)) == ((True, 1) if "rough" in change else (False, 2))
        assert ("all of it" in out) is ("replace" in change)


def test_rule_file_selects_the_cases_beside_it(wongar: Command, folder: Path) -> None:
    result = wongar("test", str(folder / "small.rules"))
    assert (result.code, result.err, result.out) == (0, "", wongar("test", str(folder)).out)
    (folder / "small.cases.yaml").unlink()
    assert wongar("test", str(folder / "small.rules")).code == 2
    assert "nim.cases.yaml" in wongar("test", "nim").out

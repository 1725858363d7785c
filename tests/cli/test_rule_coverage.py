"""`wongar test --coverage`: the report in each language; the result of the cases is unaffected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.engine.rule_cases.test_coverage import CASES, GAME


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "small.cases.yaml").write_text(CASES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("language", LANGUAGES)
def test_coverage_of_cases_and_playouts_is_reported(wongar: Command, folder: Path, language: str) -> None:
    result = wongar("test", str(folder), "--coverage", "--playouts", "12", "--lang", language)
    assert (result.code, result.err) == (0, "")
    cases, games = result.out.split("\n\n")[1:]
    assert " 11 " in cases.splitlines()[0]
    assert "12 " in games.splitlines()[0]
    assert [line.split()[0] for line in cases.splitlines()[2:]] == ["10", "20–21", "26", "30–31"]
    assert [line.split()[0] for line in games.splitlines()[2:]] == ["26"]
    assert "coverage." not in result.out
    assert "\n\n" not in wongar("test", str(folder), "--lang", language).out
    none = wongar("test", str(folder), "--coverage", "--playouts", "0", "--lang", language).out
    assert len(none.split("\n\n")) == 2


def test_failing_case_makes_the_command_fail(wongar: Command, folder: Path) -> None:
    path = folder / "small.cases.yaml"
    path.write_text(CASES.replace("winners: 1", "winners: 2"), encoding="utf-8")
    assert wongar("test", str(path), "--coverage", "--playouts", "1").code == 1


def test_report_of_a_variant_lists_only_its_own_lines(wongar: Command, folder: Path) -> None:
    text = "variant calm of small\n\nreplace rule double(p: player)\n    source house rule\n    set left_over to 0\n"
    (folder / "calm.rules").write_text(text, encoding="utf-8")
    (folder / "calm.cases.yaml").write_text(CASES, encoding="utf-8")
    result = wongar("test", str(folder / "calm.cases.yaml"), "--coverage", "--playouts", "0", "--lang", "en")
    assert [line.split()[0] for line in result.out.split("\n\n")[1].splitlines()[2:]] == ["5"]


def test_coverage_of_a_variant_counts_rules_but_no_settings(wongar: Command, folder: Path) -> None:
    head = "variant calm of small\n    source house rule\n\n"
    changes = {
        "set rough to yes\n": [],
        "allow pass in choice turn only if left_over > 1\n": [],
        "allow double in choice turn only if left_over > 1\n": ["4"],
        "set left_over in rule double to 1 - 1\n": ["4"],
        "set left_over in play to left_over - 1\nafter double in play\n    p gains 1 points\n": ["6"],
    }
    (folder / "calm.cases.yaml").write_text(CASES, encoding="utf-8")
    for change, missed in changes.items():
        (folder / "calm.rules").write_text(head + change, encoding="utf-8")
        out = wongar("test", str(folder / "calm.cases.yaml"), "--coverage", "--playouts", "1", "--lang", "en").out
        reports = out.split("\n\n")[1:]
        assert [line.split()[0] for line in reports[0].splitlines()[2:]] == missed, change
        assert ("only changes values" in out, len(reports)) == ((True, 1) if "rough" in change else (False, 2))
        assert "all of it" not in out


def test_playouts_without_coverage_are_refused(wongar: Command, folder: Path) -> None:
    assert wongar("test", str(folder), "--playouts", "3").code == 2


def test_rule_file_selects_the_cases_beside_it(wongar: Command, folder: Path) -> None:
    result = wongar("test", str(folder / "small.rules"))
    assert (result.code, result.err, result.out) == (0, "", wongar("test", str(folder)).out)
    (folder / "small.cases.yaml").unlink()
    assert wongar("test", str(folder / "small.rules")).code == 2
    assert "nim.cases.yaml" in wongar("test", "nim").out

"""`wongar fmt`: which files it writes, which it only names, and which it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import LANGUAGES, Command

GOOD = "game small  # ✓\n    players 2\n\nplay\n    nobody wins\n"
OTHER = "game   small # ✓\n  players 2\nplay\n  nobody wins"
WRONG = "game   small\n  players\nplay\n  nobody wins\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "small.rules"
    path.write_text(OTHER, encoding="utf-8")
    return path


def test_a_file_is_put_into_the_layout_once(wongar: Command, rules: Path) -> None:
    rules.chmod(0o640)
    result = wongar("fmt", str(rules))
    assert (result.code, result.out, result.err) == (0, f"{rules}: reformatted\n", "")
    assert rules.read_text(encoding="utf-8") == GOOD
    assert rules.stat().st_mode & 0o777 == 0o640
    before = rules.stat()
    result = wongar("fmt", str(rules))
    assert (result.code, result.out) == (0, "There is nothing to change.\n")
    assert (rules.stat().st_ino, rules.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_names_what_would_change_and_changes_nothing(wongar: Command, rules: Path, language: str) -> None:
    good = rules.with_name("good.rules")
    good.write_text(GOOD, encoding="utf-8")
    result = wongar("fmt", "--check", str(rules.parent), "--lang", language)
    assert result.code == 1
    assert [str(rules) in line for line in result.out.splitlines()] == [True]
    assert rules.read_text(encoding="utf-8") == OTHER
    assert wongar("fmt", "--check", str(good), "--lang", language).code == 0


def test_a_file_with_mistakes_is_left_alone_and_the_others_are_not(wongar: Command, rules: Path) -> None:
    wrong = rules.with_name("wrong.rules")
    wrong.write_text(WRONG, encoding="utf-8")
    result = wongar("fmt", str(wrong), str(rules), str(rules.with_name("absent.rules")))
    assert result.code == 1
    assert "R0107" in result.err
    assert "R0001" in result.err
    assert wrong.read_text(encoding="utf-8") == WRONG
    assert rules.read_text(encoding="utf-8") == GOOD


def test_a_link_goes_on_leading_to_its_file(wongar: Command, rules: Path) -> None:
    link = rules.with_name("link.rules")
    link.symlink_to(rules.name)
    assert wongar("fmt", str(link)).code == 0
    assert link.is_symlink()
    assert rules.read_text(encoding="utf-8") == GOOD


def test_a_file_that_cannot_be_written_is_told_and_stays(
    wongar: Command, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("os.replace", full)
    result = wongar("fmt", str(rules))
    assert (result.code, result.err) == (1, f"{rules} cannot be written to.\n")
    assert rules.read_text(encoding="utf-8") == OTHER
    assert [path.name for path in rules.parent.iterdir() if path.is_file()] == [rules.name]


def test_the_standard_input_goes_to_the_standard_output(wongar: Command) -> None:
    result = wongar.process("fmt", "-", answers=OTHER, PYTHONIOENCODING="ascii")
    assert (result.code, result.out, result.err) == (0, GOOD, "")
    result = wongar.process("fmt", "-", answers=WRONG)
    assert (result.code, result.out) == (1, "")
    assert "R0107" in result.err
    result = wongar.process("fmt", "--check", "-", answers=OTHER)
    assert (result.code, result.out) == (1, "- would be reformatted\n")


def test_a_folder_without_rules_is_told(wongar: Command, tmp_path: Path) -> None:
    result = wongar("fmt", str(tmp_path))
    assert result.code == 2
    assert str(tmp_path) in result.err


def test_a_file_with_nothing_to_lay_out_is_told_by_its_name(wongar: Command, rules: Path) -> None:
    rules.write_text("", encoding="utf-8")
    large, gone = rules.with_name("large.rules"), rules.with_name("gone.rules")
    large.write_text("# \n" * 100_001, encoding="utf-8")
    told = wongar("fmt", str(rules), str(large), str(gone))
    assert told.code == 1
    assert f"--> {rules}:1:1\n" in told.err
    assert f"--> {large}" in told.err
    assert told.err.count(str(gone)) == 1
    for command in ("play", "show"):
        assert f"--> {rules}:1:1\n" in wongar(command, str(rules)).err

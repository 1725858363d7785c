"""`wongar fmt`: rewritten files, files only named by `--check`, and files left unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..attacks.measured import Measuring
from .command import LANGUAGES, Command

GOOD = "game small  # ✓\n    players 2\n\nplay\n    nobody wins\n"
OTHER = "game   small # ✓\n  players 2\nplay\n  nobody wins"
WRONG = "game   small\n  players\nplay\n  nobody wins\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "small.rules"
    path.write_text(OTHER, encoding="utf-8")
    return path


def test_formatted_file_is_not_written_again(wongar: Command, rules: Path) -> None:
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
def test_check_names_files_without_writing_them(wongar: Command, rules: Path, language: str) -> None:
    good = rules.with_name("good.rules")
    good.write_text(GOOD, encoding="utf-8")
    result = wongar("fmt", "--check", str(rules.parent), "--lang", language)
    assert result.code == 1
    assert [str(rules) in line for line in result.out.splitlines()] == [True]
    assert rules.read_text(encoding="utf-8") == OTHER
    assert wongar("fmt", "--check", str(good), "--lang", language).code == 0


def test_invalid_file_does_not_stop_the_others(wongar: Command, rules: Path) -> None:
    wrong = rules.with_name("wrong.rules")
    wrong.write_text(WRONG, encoding="utf-8")
    result = wongar("fmt", str(wrong), str(rules), str(rules.with_name("absent.rules")))
    assert result.code == 1
    assert "R0107" in result.err
    assert "R0001" in result.err
    assert wrong.read_text(encoding="utf-8") == WRONG
    assert rules.read_text(encoding="utf-8") == GOOD


def test_symbolic_link_is_preserved(wongar: Command, rules: Path) -> None:
    link = rules.with_name("link.rules")
    link.symlink_to(rules.name)
    assert wongar("fmt", str(link)).code == 0
    assert link.is_symlink()
    assert rules.read_text(encoding="utf-8") == GOOD


def test_unwritable_file_is_reported_and_unchanged(
    wongar: Command, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("os.replace", fail)
    result = wongar("fmt", str(rules))
    assert (result.code, result.err) == (1, f"{rules} cannot be written to.\n")
    assert rules.read_text(encoding="utf-8") == OTHER
    assert [path.name for path in rules.parent.iterdir() if path.is_file()] == [rules.name]


def test_the_standard_input_goes_to_the_standard_output(wongar: Command, measuring: Measuring) -> None:
    result = wongar.process("fmt", "-", answers=OTHER, PYTHONIOENCODING="ascii")
    assert (result.code, result.out, result.err) == (0, GOOD, "")
    refused = measuring.run(["fmt", "-"], wongar.home, WRONG)
    assert (refused.code, refused.out) == (1, "")
    assert "R0107" in refused.err
    checked = measuring.run(["fmt", "--check", "-"], wongar.home, OTHER)
    assert (checked.code, checked.out) == (1, "- would be reformatted\n")


def test_folder_without_rules_is_reported(wongar: Command, tmp_path: Path) -> None:
    result = wongar("fmt", str(tmp_path))
    assert result.code == 2
    assert str(tmp_path) in result.err


def test_empty_large_and_missing_files_are_reported_by_name(wongar: Command, rules: Path) -> None:
    rules.write_text("", encoding="utf-8")
    large, gone = rules.with_name("large.rules"), rules.with_name("gone.rules")
    large.write_text("# \n" * 100_001, encoding="utf-8")
    result = wongar("fmt", str(rules), str(large), str(gone))
    assert result.code == 1
    assert f"--> {rules}:1:1\n" in result.err
    assert f"--> {large}" in result.err
    assert result.err.count(str(gone)) == 1
    for command in ("play", "show"):
        assert f"--> {rules}:1:1\n" in wongar(command, str(rules)).err

"""Hostile case files: no file outside of their folder is read, and a fault in one case does not affect the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.cli.commands.test import run_file
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.words import Translator

SECRET = "the secret of another file"
GAME = """
game fault
    players 2
    source house rule
cards card
    one
pile stack holds card
deck pack of card
    1 one
remember n: number = 0
setup
{setup}
play
    player(1) chooses turn
        take(k: 1 to 5 div n)
            nothing
        stop
            nothing
    nobody wins
"""


def run_cases(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str]:
    path = folder / "some.cases.yaml"
    path.write_text(text, encoding="utf-8")
    good = run_file(path, Translator.load("en"))
    output = capsys.readouterr()
    return good, output.out + output.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text(SECRET, encoding="utf-8")
    (tmp_path / "secret.rules").write_text(SECRET, encoding="utf-8")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.rules").symlink_to(tmp_path / "secret.rules")
    (inside / "other.rules").symlink_to(tmp_path / "secret")
    return inside


@pytest.mark.parametrize(
    "game", ["../secret.rules", "../secret", "link.rules", ".", '"x\\0y.rules"', "{folder}/../secret.rules"]
)
def test_file_outside_of_the_folder_is_not_read(game: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"game: {game.format(folder=folder)}\nplayers: 2\ncases:\n  - name: x\n"
    good, output = run_cases(folder, text, capsys)
    assert not good
    assert "some.cases.yaml:1:" in output
    assert "secret of another" not in output


def test_symbolic_link_is_refused_as_case_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.cases.yaml").symlink_to(folder.parent / "secret")
    assert not run_file(folder / "link.cases.yaml", Translator.load("en"))
    assert "The file cannot be read." in capsys.readouterr().err


def test_symbolic_link_is_refused_as_rule_file(folder: Path) -> None:
    _, diagnostics = inspect(folder / "other.rules")
    assert [d.code for d in diagnostics] == ["R0001"]


@pytest.mark.parametrize(
    ("setup", "code", "line"),
    [("    move top of stack to stack\n    fill stack with pack", "R0605", "move top of stack to stack"),
     ("    nothing", "R0608", "take(k: 1 to 5 div n)")],
)  # fmt: skip
def test_rule_fault_ends_only_its_case_and_is_reported_with_its_line(
    setup: str, code: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "some.rules").write_text(GAME.format(setup=setup), encoding="utf-8")
    cases = "players: 2\ncases:\n  - name: x\n    moves: [stop]\n  - name: y\n    expect: {options: [stop]}\n"
    good, output = run_cases(tmp_path, cases, capsys)
    assert not good
    assert output.count(f"The rules cause an error: {code}.") == 2
    assert line in output

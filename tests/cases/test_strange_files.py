"""Cases files of every sort: nothing outside of their folder is read, and a fault in one ends no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from wongar_dsl.cli.commands.test import run_file

from wongar_dsl.library import inspect
from wongar_dsl.words import Words

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


def run(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str]:
    path = folder / "some.cases.yaml"
    path.write_text(text, encoding="utf-8")
    good = run_file(path, Words.load("en"))
    said = capsys.readouterr()
    return good, said.out + said.err


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
def test_a_file_outside_of_the_folder_is_not_read(game: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"game: {game.format(folder=folder)}\nplayers: 2\ncases:\n  - name: x\n"
    good, said = run(folder, text, capsys)
    assert not good
    assert "some.cases.yaml:1:" in said
    assert "secret of another" not in said


def test_a_link_to_another_file_is_no_cases_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.cases.yaml").symlink_to(folder.parent / "secret")
    assert not run_file(folder / "link.cases.yaml", Words.load("en"))
    assert "The file cannot be read." in capsys.readouterr().err


def test_a_link_to_another_file_is_no_rule_file(folder: Path) -> None:
    _, found = inspect(folder / "other.rules")
    assert [d.code for d in found] == ["R0001"]


@pytest.mark.parametrize(
    ("setup", "code"), [("    move top of stack to stack\n    fill stack with pack", "R0605"), ("    nothing", "R0608")]
)
def test_a_fault_in_the_rules_ends_its_case_only(
    setup: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "some.rules").write_text(GAME.format(setup=setup), encoding="utf-8")
    cases = "players: 2\ncases:\n  - name: x\n    moves: [stop]\n  - name: y\n    expect: {options: [stop]}\n"
    good, said = run(tmp_path, cases, capsys)
    assert not good
    assert f"The rules cause an error: {code}." in said


def test_a_fault_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "some.rules").write_text(GAME.format(setup="    move top of stack to stack"), encoding="utf-8")
    _, said = run(tmp_path, "players: 2\ncases:\n  - name: x\n", capsys)
    assert "move top of stack to stack" in said

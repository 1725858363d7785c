"""Examples in the README and in `docs/cases.md` work."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from wongar_dsl.cli.main import main
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import library
from wongar_dsl.engine.bots.protocol import playout
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.engine.rule_cases.runner import CaseRunner

README = Path(__file__).parents[2] / "README.md"


def first_variant() -> str:
    block = re.search(r"```rules\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return block[1]


def test_first_variant_takes_five_lines_validates_and_plays(tmp_path: Path) -> None:
    text = first_variant()
    assert len(text.splitlines()) == 5
    path = tmp_path / "generous.rules"
    path.write_text(text, encoding="utf-8")
    rules, diagnostics = library.inspect(path)
    assert not diagnostics
    assert rules is not None
    assert rules.model.settings["cards_bonus"][1] == 10
    state, _ = rules.game(4).start(1)
    assert playout(state, Generator(1)) > 0
    assert state.over


def test_files_in_the_table_exist() -> None:
    for name in re.findall(r"^\| `([^`]+)`", README.read_text(encoding="utf-8"), re.MULTILINE):
        assert (README.parent / name).exists(), name


def test_readme_is_short_and_in_the_usual_order() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
        "Install", "Try it", "What it can do", "The rule language", "Documentation", "Development", "Licence",
    ]  # fmt: skip


def test_commands_to_try_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    block = re.search(r"## Try it\n\n```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    commands = block[1].splitlines()
    assert len(commands) == 3
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command


def test_the_turn_of_nim_is_that_of_its_rules() -> None:
    block = re.search(r"```\n(play\n.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    assert len(block[1].splitlines()) == 10
    rules = (README.parent / "rules/classics/nim.rules").read_text(encoding="utf-8")
    assert block[1] in rules.replace(" as taken(player: p, n, token, stack)", "")


PAGE = Path(__file__).parents[2] / "docs" / "cases.md"


def test_example_passes(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    path = tmp_path / "generous.cases.yaml"
    path.write_text(block[1], encoding="utf-8")
    (tmp_path / "generous.rules").write_text(first_variant(), encoding="utf-8")
    file = read(path)
    assert file.cases
    rules = library.load(tmp_path / "generous.rules")
    bench = CaseRunner(rules.model, rules.game)
    for case in file.cases:
        outcome = bench.run(case)
        assert outcome.passed, outcome.findings

"""`wongar validate` and `wongar explain`: arguments, output and exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import CODES
from wongar_dsl.cli.main import main
from wongar_dsl.engine.library import builtin_names, inspect
from wongar_dsl.nlg.words import Translator

SMALL = (Path(__file__).parent / "small.rules").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WONGAR_LANG", "en")
    Path("good.rules").write_text(SMALL)
    Path("bad").mkdir()
    Path("bad/bad.rules").write_text(SMALL.replace("shuffle stack", "shuffle stak"))
    Path("bad/warned.rules").write_text(SMALL.replace("worth[kind]", "1"))
    Path("bad/loop").symlink_to(".")
    return tmp_path


def test_valid_files_and_games_are_accepted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "good.rules", "nim", "ubongo/long"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "good.rules: OK, for 2 to 3 players"
    assert len(out) == 3


def shipped_games() -> Iterator[str]:
    """Yield the shipped games, their variants, and all variants of a game together."""
    names = builtin_names()
    yield from names
    for game in names:
        variants = [name.partition("/")[2] for name in names if name.startswith(f"{game}/")]
        if len(variants) > 1:
            yield "+".join((game, *variants))


@pytest.mark.parametrize("name", [*shipped_games()])
def test_shipped_games_have_no_warning(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", name, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_all_files_of_a_folder_are_validated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "."]) == 1
    out = capsys.readouterr().out
    assert "bad/bad.rules:52:13" in out
    assert "did you mean “stack”?" in out
    assert "good.rules: OK" in out


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "in Ordnung, für 2 bis 3"), ("nl", "in orde, voor 2 tot en met 3"), ("it", "in ordine, da 2 a 3")],
)
def test_result_is_reported_in_each_language(
    folder: Path, capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    assert main(["--lang", language, "validate", "good.rules"]) == 0
    assert said in capsys.readouterr().out
    # Names that were shown before their games had words for them are not missing.
    assert "tied" in Translator.load(language).term("tied", "goofspiel")
    assert "royal" in Translator.load(language).term("royal", "tongiaki")


def test_json_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "bad", "--format", "json"]) == 1
    output = json.loads(capsys.readouterr().out)
    assert output["errors"] == 1
    assert output["diagnostics"][0]["code"] == "R0201"
    assert output["diagnostics"][0]["place"]["line"] == 52
    assert main(["validate", "good.rules", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"diagnostics": [], "errors": 0, "warnings": 0}


def test_github_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "bad/bad.rules", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=bad/bad.rules,line=52,col=13,title=R0201::unknown name")


def test_inherited_error_is_reported_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad/faster.rules").write_text("variant faster of bad\n    source house rule\n\nset bonus to 3\n")
    assert main(["validate", "bad", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["errors"] == 1


@pytest.mark.parametrize("arguments", [["validate"], ["validate", "x", "--format", "xml"], ["explain", "R9999"]])
def test_wrong_usage_has_exit_code_2(folder: Path, arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_missing_rules_are_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert main(["validate", "empty"]) == 2
    assert main(["validate", "wongaar"]) == 1
    assert "did you mean “wongar”?" in capsys.readouterr().out


def test_explain_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "r0405"]) == 0
    assert "R0405" in capsys.readouterr().out
    assert main(["explain"]) == 0
    assert sum(line.startswith("R0") for line in capsys.readouterr().out.splitlines()) == len(CODES)


def test_base_with_a_very_long_name_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "long.rules"
    path.write_text(f"variant t of {'a' * 300}\n", encoding="utf-8")
    _, diagnostics = inspect(str(path))
    assert [d.code for d in diagnostics] == ["R0006"]


def test_rule_file_with_suffix_is_suggested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.rules").write_text("game mine\n", encoding="utf-8")
    _, diagnostics = inspect("mine")
    assert [(d.code, d.suggestion) for d in diagnostics] == [("R0004", "mine.rules")]

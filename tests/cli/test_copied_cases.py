"""Cases copied together with their game: they test the copy and report which rules they tested."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command

RULES = Path(__file__).parents[2] / "rules"
FOLDERS = sorted({file.parent for file in RULES.rglob("*.cases.yaml")})


@pytest.mark.parametrize("shipped", FOLDERS, ids=lambda folder: folder.name)
def test_copied_cases_detect_errors_in_the_copied_game(wongar: Command, tmp_path: Path, shipped: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shipped, copy)
    for file in copy.glob("*.rules"):
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r"(?m)^play\n(    source .*\n)*", r"\g<0>    nobody wins\n", text), encoding="utf-8")
    for file in sorted(copy.glob("*.cases.yaml")):
        result = wongar("test", str(file), "--lang", "en")
        assert f"(rules: {copy}" in result.out, file.name
        # The case of this variant ends before the first decision.
        assert result.code == (0 if file.name == "hard.cases.yaml" else 1), file.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases_without_rules_beside_them_use_the_shipped_game(wongar: Command, tmp_path: Path, language: str) -> None:
    text = "game: nim\nplayers: 2\ncases:\n  - name: a match is taken\n    moves: [take(heap_a)]\n"
    (tmp_path / "other.cases.yaml").write_text(text.replace("take(heap_a)", "'take(heap_a, 1)'"), encoding="utf-8")
    result = wongar("test", str(tmp_path / "other.cases.yaml"), "--lang", language)
    assert result.code == 0, result
    assert re.search(r"other\.cases\.yaml \(\w+: nim\)", result.out)


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["nim", "old_nim"])
@pytest.mark.parametrize("place", ["my_nim.rules", "my_nim.cases.yaml", ""])
def test_cases_of_a_fully_renamed_copy_test_the_copy_with_a_warning(
    wongar: Command, tmp_path: Path, language: str, game: str, place: str
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_cases_beside_a_fully_renamed_copy_test_the_named_game_with_a_warning(
    wongar: Command, tmp_path: Path, language: str
) -> None:
    rules = (RULES / "classics" / "nim.rules").read_text(encoding="utf-8")
    copy, cases = tmp_path / "my_nim.rules", tmp_path / "nim.cases.yaml"
    copy.write_text(rules.replace("game nim", "game my_nim"), encoding="utf-8")
    cases.write_text(NIM_CASE.format(game="nim"), encoding="utf-8")
    result = wongar("test", str(copy), "--lang", language)
    assert result.code == 0, result
    assert re.search(r"\(\w+: nim\)", result.out)
    assert re.search(rf"nim\.cases\.yaml:1: .*\Wnim\W.*: {copy}$", result.err.strip())
    cases.write_text(NIM_CASE.format(game="nim").partition("\n")[2], encoding="utf-8")
    result = wongar("test", str(copy), "--lang", language)
    assert result.code == 1, result
    assert "my_nim.rules" in result.err


@pytest.mark.parametrize("game", ["my_nim", "my_nim.rules"])
def test_cases_that_name_the_rules_beside_them_give_no_warning(wongar: Command, tmp_path: Path, game: str) -> None:
    rules = (RULES / "classics" / "nim.rules").read_text(encoding="utf-8")
    (tmp_path / "my_nim.rules").write_text(rules.replace("game nim", "game my_nim"), encoding="utf-8")
    (tmp_path / "my_nim.cases.yaml").write_text(NIM_CASE.format(game=game), encoding="utf-8")
    assert wongar("test", str(tmp_path), "--lang", "en").err == ""


def test_copied_variant_is_found_beside_its_base(wongar: Command, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(RULES / "ubongo", copy)
    (copy / "more.cases.yaml").write_text(
        "game: ubongo/hard\nplayers: 2\ncases:\n  - name: nothing\n    moves: []\n", encoding="utf-8"
    )
    assert f"(rules: {copy / 'hard.rules'})" in wongar("test", str(copy / "more.cases.yaml"), "--lang", "en").out


@pytest.mark.parametrize(("shipped", "few"), [("ubongo", "3 to 4"), ("wongar", "4 to 5")])
@pytest.mark.parametrize("within", [True, False], ids=["named in the folder", "with a path"])
def test_copied_variants_build_on_the_copied_game(
    wongar: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped: str, few: str, within: bool
) -> None:
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


@pytest.mark.parametrize("game", ["", "game: hard\n", "game: ubongo/hard\n", "game: ubongo+hard\n"])
@pytest.mark.parametrize("folder", ["cases", "tests/cases"])
def test_cases_in_a_subfolder_find_their_game(wongar: Command, tmp_path: Path, folder: str, game: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(RULES / "ubongo", copy)
    inside = copy / folder
    inside.mkdir(parents=True)
    case = f"{game}players: 2\ncases:\n  - name: nothing\n    moves: []\n"
    (inside / "hard.cases.yaml").write_text(case, encoding="utf-8")
    result = wongar("test", str(inside), "--lang", "en")
    assert result.code == 0, result
    assert f"{copy / 'hard.rules'})" in result.out

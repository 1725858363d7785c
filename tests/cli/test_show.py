"""Rules as text, C or stages: `wongar rulebook`, `show`, `fmt`, `compile` and `explain --pipeline`."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.measured import Measuring
from tests.cli.command import LANGUAGES, START, Command
from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.engine import library

VARIANT = "variant five of nim\n    source house rule\n\nset first_matches[heap_a] to 5\n"


@pytest.fixture
def variant_file(tmp_path: Path) -> Path:
    path = tmp_path / "five.rules"
    path.write_text(VARIANT, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_margin_shows_the_origin_of_every_line(wongar: Command, variant_file: Path, language: str) -> None:
    result = wongar("show", str(variant_file), "--lang", language)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert any(line.split() == ["nim.rules:15", "+", "five.rules:4", "heap_a", "5"] for line in lines)
    assert any(line.split() == ["nim.rules:16", "heap_b", "2"] for line in lines)
    assert len({line.index(line.split("  ")[-1].split()[0]) for line in lines if line.startswith("nim.rules:3 ")}) == 1


def test_plain_output_is_an_equivalent_rule_file(wongar: Command, variant_file: Path) -> None:
    merged = variant_file.with_name("merged.rules")
    plain = wongar("show", "--plain", str(variant_file))
    assert plain.code == 0
    merged.write_text(plain.out, encoding="utf-8")
    played = [
        wongar("play", str(path), "--seats", "random,random", "--seed", "3", "--lang", "en")
        for path in (variant_file, merged)
    ]
    logs = [[line for line in result.out.splitlines() if " takes " in line] for result in played]
    assert len(logs[0]) > 3
    assert logs[0] == logs[1]
    assert wongar("fmt", "--check", str(merged)).code == 0


def test_invalid_rules_are_reported(wongar: Command, variant_file: Path) -> None:
    variant_file.write_text(VARIANT.replace("heap_a", "heap_z"), encoding="utf-8")
    result = wongar("show", str(variant_file))
    assert (result.code, result.out) == (1, "")
    assert "R0213" in result.err


def test_page_is_utf_8_on_an_ascii_terminal(wongar: Command) -> None:
    page = wongar.process("rulebook", "kuhn_poker", "--format", "html", "--lang", "de", PYTHONIOENCODING="ascii")
    assert "für 2 Spieler" in page.out
    assert "Karten zum Ausschneiden" in page.out
    assert page_faults(page.out) == []
    assert parse_page(page.out).get("lang") == "de"


def test_markdown_has_tables_and_all_footnotes(wongar: Command) -> None:
    out = wongar("rulebook", "kuhn_poker", "--style", "reference", "--format", "md", "--lang", "en").out
    assert "\n| --- | --- | --- | --- | --- |\n" in out
    assert out.count("[^1]: ") == 1
    assert "[^2]" not in out


def test_rulebook_can_be_restricted_to_a_player_count(wongar: Command) -> None:
    out = wongar("rulebook", "ubongo", "--players", "3", "--lang", "en").out
    assert "for 3 players" in out
    table = out[out.index("Boards that go back into the box") :].splitlines()
    assert table[1].split() == ["3", "players", "9"]
    assert table[2] == ""


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
    rules.write_text(OTHER, encoding="utf-8")
    link = rules.with_name("link.rules")
    link.symlink_to(rules.name)
    assert wongar("fmt", str(link)).code == 0
    assert link.is_symlink()
    assert rules.read_text(encoding="utf-8") == GOOD


def test_check_names_files_without_writing_them(wongar: Command, rules: Path) -> None:
    good = rules.with_name("good.rules")
    good.write_text(GOOD, encoding="utf-8")
    result = wongar("fmt", "--check", str(rules.parent), "--lang", "it")
    assert result.code == 1
    assert [str(rules) in line for line in result.out.splitlines()] == [True]
    assert rules.read_text(encoding="utf-8") == OTHER
    assert wongar("fmt", "--check", str(good), "--lang", "it").code == 0


def test_invalid_file_does_not_stop_the_others(wongar: Command, rules: Path) -> None:
    wrong = rules.with_name("wrong.rules")
    wrong.write_text(WRONG, encoding="utf-8")
    result = wongar("fmt", str(wrong), str(rules), str(rules.with_name("absent.rules")))
    assert result.code == 1
    assert "R0107" in result.err
    assert "R0001" in result.err
    assert wrong.read_text(encoding="utf-8") == WRONG
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
    result = measuring.run(["fmt", "-"], wongar.home, OTHER)
    assert (result.code, result.out, result.err) == (0, GOOD, "")
    refused = measuring.run(["fmt", "-"], wongar.home, WRONG)
    assert (refused.code, refused.out) == (1, "")
    assert "R0107" in refused.err
    checked = measuring.run(["fmt", "--check", "-"], wongar.home, OTHER)
    assert (checked.code, checked.out) == (1, "- would be reformatted\n")


def test_empty_large_and_missing_files_are_reported_by_name(wongar: Command, rules: Path) -> None:
    rules.write_text("", encoding="utf-8")
    large, gone = rules.with_name("large.rules"), rules.with_name("gone.rules")
    large.write_text("# \n" * 100_001, encoding="utf-8")
    result = wongar("fmt", str(rules), str(large), str(gone))
    assert result.code == 1
    assert f"--> {rules}:1:1\n" in result.err
    assert f"--> {large}" in result.err
    assert result.err.count(str(gone)) == 1
    rules.with_name("none").mkdir()
    result = wongar("fmt", str(rules.with_name("none")))
    assert (result.code, str(rules.with_name("none")) in result.err) == (2, True)
    for command in ("play", "show"):
        assert f"--> {rules}:1:1\n" in wongar(command, str(rules)).err


EXAMPLE = Path(__file__).parents[2] / "examples" / "c"


def test_source_and_header_are_written(wongar: Command, working_directory: Path) -> None:
    done = wongar("compile", "nim", "--seats", "2", "--out", "own.c", "--prefix", "nim")
    assert (done.code, done.err) == (0, "")
    assert sorted(path.name for path in working_directory.iterdir()) == ["own.c", "own.h"]
    source, header = ((working_directory / name).read_text(encoding="utf-8") for name in ("own.c", "own.h"))
    assert source.startswith(header)
    assert "int32_t nim_start(" in header
    streamed = wongar("compile", "nim", "--seats", "2", "--out", "-", "--prefix", "nim")
    assert (streamed.code, streamed.out, streamed.err) == (0, source, "")


def test_default_file_name_is_that_of_the_game(wongar: Command, working_directory: Path) -> None:
    assert wongar("compile", "wongar/initiated", "--seats", "3").code == 0
    assert sorted(path.name for path in working_directory.iterdir()) == ["wongar_initiated.c", "wongar_initiated.h"]
    # Files generated by an earlier run may be overwritten.
    assert wongar("compile", "wongar/initiated", "--seats", "4").code == 0
    assert "for 4" in (working_directory / "wongar_initiated.h").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("there", ["nim.c", "nim.h"])
def test_existing_files_are_not_overwritten(wongar: Command, working_directory: Path, there: str) -> None:
    (working_directory / there).write_text("mine", encoding="utf-8")
    done = wongar("compile", "nim")
    assert (done.code, done.out) == (2, "")
    assert there in done.err
    assert [path.name for path in working_directory.iterdir()] == [there]
    assert (working_directory / there).read_text(encoding="utf-8") == "mine"


def test_example_is_built_by_its_makefile(wongar: Command, working_directory: Path) -> None:
    for name in ("main.c", "Makefile"):
        shutil.copy(EXAMPLE / name, working_directory)
    make = ["make", "GAME=nim", "SEATS=2", "CFLAGS=-O0", f"WONGAR={shlex.join(START)}"]
    subprocess.run(make, check=True, capture_output=True, env=wongar.environment())
    output = subprocess.run(["./play", "perft", "2"], check=True, capture_output=True, encoding="utf-8").stdout
    shown = wongar("perft", "nim", "--seats", "2", "--depth", "2").out.splitlines()[1:3]
    assert [line.split()[1] for line in output.splitlines()] == [line.split()[1] for line in shown]
    subprocess.run(["make", "clean"], check=True, capture_output=True)
    assert sorted(path.name for path in working_directory.iterdir()) == ["Makefile", "main.c"]


STAGES = ["read", "parse", "apply variants", "resolve names", "check types", "lower", "passes", "load backend"]


def table(text: str) -> list[tuple[str, str, int]]:
    """The rows of the table: stage, unit, number; a stage is repeated in each of its rows."""
    rows, stage = [], ""
    for line in text.splitlines()[1:]:
        first, unit, number = re.fullmatch(r"(.*?) {2,}(\S.*?) {2,}([\d,]+)", line).groups()  # type: ignore[union-attr]
        stage = first or stage
        rows.append((stage, unit, int(number.replace(",", ""))))
    return rows


def test_all_stages_are_shown_in_their_order(wongar: Command) -> None:
    rows = table(wongar("explain", "--pipeline", "nim").out)
    shown = list(dict.fromkeys(stage for stage, _, _ in rows))
    assert shown == STAGES
    assert all(number > 0 for _, _, number in rows)
    program = library.load("nim").game(2).program
    assert ("lower", "basic blocks", len(program.blocks)) in rows
    assert ("lower", "state cells", program.size) in rows
    assert wongar("explain", "--pipeline", "nim", "--lang", "it").out.startswith("Fase")


def test_a_variant_has_the_files_of_its_base_and_other_statements(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "draw.rules"
    path.write_text(
        "variant draw of connect_four\n    source house rule\n\nreplace play\n    nobody wins\n", encoding="utf-8"
    )
    base, variant = (table(wongar("explain", "--pipeline", name).out) for name in ("connect_four", str(path)))
    assert ("read", "rule files", 1) in base
    assert ("read", "rule files", 2) in variant
    parsed, applied = ({s: n for s, unit, n in variant if unit == "statements"}[s] for s in STAGES[1:3])
    assert parsed > applied


def test_a_broken_file_gives_its_diagnostics(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(
        "game broken\n    players 2\n    source house rule\n\nplay\n    absent()\n    nobody wins\n", encoding="utf-8"
    )
    result = wongar("explain", "--pipeline", str(path))
    assert result.code == 1
    assert result.out == ""
    assert "error R0201" in result.err

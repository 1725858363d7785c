"""`wongar watch`: report after each saved change, independent of how an editor writes files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from .command import Command, Result

RULES = "variant short of nim\n    source house rule\n\nset first_matches[heap_a] to 2\n"
CASES = "players: 2\ncases:\n  - name: more\n    expect: {position: {matches: {heap_a: 2}}}\n"
CATALOG = """
msgctxt "nim.taken"
msgid "{player} [grabs|grab] {token:num} from {stack:def}."
msgstr ""
"""
Edit = Callable[[], object]


@pytest.fixture
def rules(wongar: Command) -> Path:
    """Return a variant in the working directory of the command."""
    wongar.patch.chdir(wongar.home)
    path = wongar.home / "short.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def run_with_edits(wongar: Command, edits: Sequence[Edit], *arguments: str) -> Result:
    """Run the command, make one edit whenever it is idle, interrupt it at the end, and return its result."""
    waiting: list[Edit | None] = [step for edit in edits for step in (edit, None)]

    def edit_or_interrupt(_: float) -> None:
        if not waiting:
            raise KeyboardInterrupt
        edit = waiting.pop(0)
        if edit is not None:
            edit()

    with wongar.patch.context() as patch:
        patch.setattr("wongar_dsl.cli.commands.rules.watch.time", SimpleNamespace(sleep=edit_or_interrupt))
        return wongar("watch", "short.rules", *arguments)


def reports_of(result: Result) -> list[str]:
    """Return the first report and the report after each edit."""
    return result.out.split("\n\n")


def test_each_save_is_reported_with_the_changed_rules(wongar: Command, rules: Path) -> None:
    def replace_file() -> None:
        copy = rules.with_name("short.rules~")
        copy.write_text(RULES.replace("to 2", "to 4") + "set first_matches[heap_c] to 1\n", encoding="utf-8")
        os.replace(copy, rules)

    longer = RULES + "\nreplace play\n    repeat\n        nobody wins\n"
    reports = reports_of(
        run_with_edits(
            wongar,
            [
                replace_file,
                lambda: rules.write_text(RULES.replace("to 2", "to") + "# remark", encoding="utf-8"),
                lambda: rules.write_text(RULES.replace("to 2", "to 4 # remark"), encoding="utf-8"),
                lambda: rules.write_text(RULES.replace("to 2", "to 4"), encoding="utf-8"),
                lambda: rules.unlink(),
                lambda: rules.write_text(longer.replace("to 2", "to 4"), encoding="utf-8"),
            ],
        )
    )
    assert reports[0] == "No errors.\nWatching short.rules; press Ctrl-C to stop."
    assert reports[1] == (
        "Saved: short.rules\nNo errors.\nTables\n"
        "~ Initial size, heap A: 4 instead of 2\n~ Initial size, heap C: 1 instead of 3"
    )
    assert "error R0107" in "".join(reports[2:])
    assert "Initial size, heap C: 3 instead of 1" in "".join(reports)
    assert "Removed: short.rules\nerror R0001" in "".join(reports)
    gone = [line for line in reports[-1].splitlines() if line.startswith("- ")]
    new = [line for line in reports[-1].splitlines() if line.startswith("+ ")]
    assert any("match" in line for line in gone)
    assert new


def test_base_words_and_cases_are_watched(wongar: Command, rules: Path) -> None:
    base, catalog = rules.with_name("base.rules"), rules.parent / "locales" / "en" / "messages.po"
    base.write_text(RULES.replace("short", "base"), encoding="utf-8")
    rules.write_text("variant short of base\n", encoding="utf-8")
    catalog.parent.mkdir(parents=True)
    cases = rules.with_name("short.cases.yaml")
    reports = reports_of(
        run_with_edits(
            wongar,
            [
                lambda: base.write_text(RULES.replace("short", "base").replace("to 2", "to 3"), encoding="utf-8"),
                lambda: cases.write_text("cases: [\n", encoding="utf-8"),
                lambda: cases.write_text(CASES, encoding="utf-8"),
                lambda: catalog.write_text(CATALOG, encoding="utf-8"),
            ],
        )
    )
    assert "Saved: base.rules" in reports[1]
    assert "Initial size, heap A: 3 instead of 2" in reports[1]
    rest = "\n".join(reports[2:])
    assert "Saved: short.cases.yaml" in rest
    assert "Failed: more (short.cases.yaml:3)" in rest
    # A read error is reported once.
    assert rest.count("not valid YAML") == rest.count("error R0701") == 1
    assert "Saved: messages.po" in rest
    assert "+" in rest.partition("Saved: messages.po")[2]


@pytest.mark.parametrize("language", ["de", "it"])
def test_interruption_gives_no_message(wongar: Command, rules: Path, language: str) -> None:
    result = run_with_edits(wongar, [], "--lang", language)
    assert (result.code, result.err) == (130, "")
    assert "cli." not in result.out
    assert result.out.count("\n") == 2


@pytest.mark.parametrize(("name", "code"), [("nim", 2), ("wongar/initiated", 2), ("absent.rules", 1), ("nimm", 1)])
def test_shipped_or_missing_rules_are_refused(wongar: Command, name: str, code: int) -> None:
    result = wongar("watch", name, "--lang", "de")
    assert (result.code, result.out) == (code, "")
    assert result.err

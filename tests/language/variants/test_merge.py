"""Merged variants: added and replaced declarations count as written in the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import inspect

BASE = """
game base
    players 2
setup
    source house rule
    nothing
play
    source house rule
    nobody wins
"""

VARIANT = """
variant changed of base
{source}
replace setup
    nothing
define twice(n: number) = n + n
rule added()
    tell said(n: twice(2))
replace play
    added()
    nobody wins
"""


@pytest.mark.parametrize(
    ("source", "unsourced"),
    [("", {"setup", "twice", "added", "play"}), ("    source house rule", set())],
)
def test_source_of_a_variant_covers_its_declarations(tmp_path: Path, source: str, unsourced: set[str]) -> None:
    (tmp_path / "base.rules").write_text(BASE, encoding="utf-8")
    path = tmp_path / "changed.rules"
    path.write_text(VARIANT.format(source=source), encoding="utf-8")
    rules, diagnostics = inspect(path)
    assert rules is not None
    assert {d.arguments["article"] for d in diagnostics if d.code == "R0411"} == unsourced
    assert not inspect(tmp_path / "base.rules")[1]


@pytest.mark.parametrize("change", ["set tries to 4", "set worth[1] to 5", "set row 2 of worth to 6"])
def test_source_of_a_change_replaces_the_base_source(tmp_path: Path, change: str) -> None:
    things = "option tries = 3\n    source house rule\ntable worth\n    1 2\n    2 3\n    source house rule\n"
    (tmp_path / "base.rules").write_text(f"{BASE}{things}", encoding="utf-8")
    path = tmp_path / "changed.rules"
    text = f'variant changed of base\n    book sheet "The sheet"\n{change}\n    source sheet "Tips"\n'
    path.write_text(text, encoding="utf-8")
    rules, _ = inspect(path)
    assert rules is not None
    changed_name = "tries" if "tries" in change else "worth"
    (changed_declaration,) = (article for article in rules.model.merged.articles if article.name.text == changed_name)
    assert [citation.book for citation in changed_declaration.sources] == ["sheet"]

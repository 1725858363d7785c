"""What can be declared, and what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.library import inspect


@pytest.mark.parametrize(
    "declared", ["remember kept of each number: player", "pile kept of each number holds tile, seen by all"]
)
def test_of_each_needs_values_that_can_be_counted(tmp_path: Path, declared: str) -> None:
    path = tmp_path / "example.rules"
    head = "game example\n    players 2\n    source house rule\ncards tile\n    plain\n"
    path.write_text(f"{head}{declared}\nplay\n    nobody wins\n", encoding="utf-8")
    _, found = inspect(path)
    assert [(d.code, d.arguments["name"]) for d in found if d.code == "R0203"] == [("R0203", "number")]

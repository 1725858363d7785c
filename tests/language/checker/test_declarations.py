"""Valid and invalid declarations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostics_of


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("remember kept of each number: player", "number"),
        ("pile kept of each number holds tile, seen by all", "number"),
        ("pile kept of each figure holds tile", "figure"),
    ],
)
def test_of_each_requires_a_countable_type(tmp_path: Path, declared: str, name: str) -> None:
    wrong = diagnostics_of(tmp_path, f"cards tile\n    plain\n{declared}\nplay\n    nobody wins\n")
    (error,) = [d for d in wrong if d.code == "R0203"]
    assert (error.arguments["name"], error.arguments["expected"]) == (name, ("player", "enum", "board", "cards"))

"""Valid and invalid declarations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import diagnostics_of


@pytest.mark.parametrize(
    "declared", ["remember kept of each number: player", "pile kept of each number holds tile, seen by all"]
)
def test_of_each_requires_a_countable_type(tmp_path: Path, declared: str) -> None:
    wrong = diagnostics_of(tmp_path, f"cards tile\n    plain\n{declared}\nplay\n    nobody wins\n")
    assert [(d.code, d.arguments["name"]) for d in wrong if d.code == "R0203"] == [("R0203", "number")]

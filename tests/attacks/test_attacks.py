"""Commands from reviews that revealed faults, with their expected results; `table.py` describes the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.attacks.generated import MADE
from tests.attacks.measured import Measuring
from tests.attacks.table import FILES, HERE, KEYS, TABLES, deviations, rows

#: All findings of the reviews.
FINDINGS = {
    "attack": [f"H{n}" for n in range(1, 7)]
    + [f"M{n}" for n in range(1, 13)]
    + [f"L{n}" for n in range(1, 11)]
    + [f"third {n}" for n in (1, 2, 5, 8, 9, 11, 15, 16)]
    + ["corpus"],
    "architecture": [f"A{n}" for n in range(1, 7)],
    "language": [f"first {n}" for n in range(1, 13)] + [f"second {n}" for n in range(1, 12)],
    "player": [f"B{n}" for n in range(1, 12)],
    "variants": [f"m{n:02}" for n in range(1, 53)] + [f"finding {n}" for n in range(1, 16)],
}


LIGHT = rows(heavy=False)


@pytest.mark.parametrize("name", LIGHT)
def test_command_of_a_review_gives_the_expected_result(name: str, measuring: Measuring, tmp_path: Path) -> None:
    assert deviations(LIGHT[name], measuring, tmp_path) == ""


@pytest.mark.parametrize("review", FINDINGS)
def test_every_finding_has_a_row(review: str) -> None:
    named = {str(finding) for row in TABLES[review] for finding in row["of"]}
    assert named == set(FINDINGS[review])


def test_every_file_is_used() -> None:
    used: set[str] = set()
    for table in TABLES.values():
        for row in table:
            used |= set(row["files"]) if isinstance(row.get("files"), list) else set()
    assert used == {path.name for path in FILES.iterdir()} | set(MADE)


def test_row_has_a_command_or_existing_tests() -> None:
    for table in TABLES.values():
        for row in table:
            check_row(row)


def check_row(row: dict[str, Any]) -> None:
    """Check that a row has either a command or existing tests, and no unknown keys."""
    assert set(row) <= KEYS if "run" in row else set(row) == {"of", "claim", "tests"}, row
    for test in row.get("tests", []):
        path, _, name = test.partition("::")
        assert f"def {name}(" in (HERE.parents[1] / path).read_text(encoding="utf-8"), test

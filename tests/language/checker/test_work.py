"""Work budget of the checker: one limit per file on everything computed before play."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.small_games import diagnostics_of

TAIL = "    player(1) wins\n"
#: Maximum processor time per file in seconds.
MAX_CPU_S = 10


def rules_with_board(size: str, lines: list[str]) -> str:
    return f"board sq\n    grid {size}\nplay\n" + "".join(f"    {line}\n" for line in lines) + TAIL


def rules_with_coverings(copies: int) -> str:
    dominoes = "".join(f"    D{i} xx\n" for i in range(32))
    square = " xxxxxxxx" * 8
    names = " ".join(f"D{i}" for i in range(32))
    tables = "".join(f"coverings all{n} of garden by part\n    A {names}\n" for n in range(copies))
    return f"shapes part\n{dominoes}shapes garden\n    A{square}\n{tables}play\n{TAIL}"


def rules_with_cards(sorts: int) -> str:
    values = ", ".join(f"v{i}" for i in range(60))
    declared = "".join(f"cards c{n}\n    f{n}(a: v, b: v)\n" for n in range(sorts))
    return f"enum v = {values}\n{declared}play\n{TAIL}"


HEAVY = {
    "cards": rules_with_cards(200),
    "rays": rules_with_board("4000 by 1", ["for each s in sq along east from a1", "    nothing"]),
    "distances": rules_with_board(
        "63 by 63", [line for n in range(1, 62) for line in (f"for each s in sq within {n} of a1", "    nothing")]
    ),
    "lines": rules_with_board(
        "63 by 63", [x for n in range(2, 41) for x in (f"for each l in lines of {n} through a1", "    nothing")]
    ),
    "coverings": rules_with_coverings(1),
    "many coverings": rules_with_coverings(20),
}


@pytest.mark.parametrize("name", HEAVY)
def test_too_much_work_is_reported_once_and_in_time(tmp_path: Path, name: str) -> None:
    began = time.process_time()
    wrong = diagnostics_of(tmp_path, HEAVY[name])
    assert time.process_time() - began < MAX_CPU_S
    assert [d.code for d in wrong if d.severity.value == "error"] == ["R0426"]


def test_repeated_lookups_are_computed_once(tmp_path: Path) -> None:
    uses = ["for each s in sq within 5 of a1", "    nothing", "for each s in sq along east from a1", "    nothing"] * 60
    assert [
        d.code for d in diagnostics_of(tmp_path, rules_with_board("30 by 30", uses)) if d.severity.value == "error"
    ] == []

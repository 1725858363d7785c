"""Work budget of the checker: one limit per file on everything computed before play."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

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
    # The first of them exceeds the budget, and the others are not searched.
    "coverings": rules_with_coverings(20),
}


def rules_with_effects(effects: int) -> str:
    kinds = range(effects)
    faces = "".join(f"    f{n}\n" for n in kinds)
    copies = "".join(f"    1 f{n}\n" for n in kinds)
    cards = f"cards c\n{faces}deck d of c\n{copies}pile stack holds c, seen by all\nscore points\n"
    done = "".join(f"effect f{n} for p\n    p gains {n + 1} points as t{n}(player: p)\n" for n in kinds)
    return f"{cards}setup\n    fill stack with d\nplay\n    perform top of stack for player(1)\n{TAIL}{done}"


def calls(run: Callable[[], object]) -> int:
    """Return the number of calls of functions while something runs."""
    number = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return number


def test_work_is_proportional_to_the_number_of_effects(tmp_path: Path) -> None:
    counts = []
    for effects in (30, 90, 150):
        text = rules_with_effects(effects)
        # The first run fills the caches, such as that of parse trees.
        diagnostics_of(tmp_path, text)
        counts.append(calls(lambda text=text: diagnostics_of(tmp_path, text)))  # type: ignore[misc]
    few, more, many = counts
    assert abs((many - more) - (more - few)) < 0.01 * many


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

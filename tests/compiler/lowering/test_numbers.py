"""Numbers stay in their range when passed on, so that sums cannot grow without limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import start_fault_code, write_rules
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.engine.library import load

GAME = """
remember q: number = 0
score points
{articles}
play
    let start = {value}
    tell done(n: start)
    player(1) chooses
        go_on
            nothing
    player(1) wins
"""
DOUBLING = "\n".join(f"{{0}}f{i}(n: number){{1}}f{i - 1}(f{i - 1}(n))" for i in range(1, 9))
RULES = "rule f0(n: number) gives number\n    give n + n\n" + DOUBLING.format("rule ", " gives number\n    give ")
DEFINES = "define f0(n: number) = n + n\n" + DOUBLING.format("define ", " = ")
NESTED = "sum of 1000000000 for a in 1 to 100"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("articles", "value"),
    [(RULES, "f8(1)"), (DEFINES, "f8(1)"), ("", NESTED)],
    ids=["rules", "definitions", "sums"],
)
def test_sum_out_of_range_stops_the_rules(tmp_path: Path, articles: str, value: str, backend: str) -> None:
    assert start_fault_code(tmp_path, GAME.format(articles=articles, value=value), backend) == "R0603"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("articles", [RULES, DEFINES], ids=["rules", "definitions"])
def test_sum_within_the_range_is_exact(tmp_path: Path, articles: str, backend: str) -> None:
    path = write_rules(tmp_path, GAME.format(articles=articles, value="f4(7)"))
    _, events = load(path).game(2, backend=backend).start(1)
    (event_told,) = [event for event in events if event.spec.kind == "told"]
    assert [value for _, value in event_told.slots().values()] == [7 << 16]

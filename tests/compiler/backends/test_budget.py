"""Step budget: on every backend the same runs end and the others stop in the same rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends import BACKENDS, RuleFault, interpreter, python
from wongar_dsl.compiler.backends.interpreter import ReferenceBackend
from wongar_dsl.compiler.backends.native import generator
from wongar_dsl.compiler.ir.program import BUDGET
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import load

#: A loop of `turns` iterations, each with a decision without available options.
LOOP = """
option turns = {turns} in 1 to 10000000
remember n: number 0 to 10000000 = 0
remember here: yes or no = no
score points
rule work(k: number)
    {work}
play
    repeat until n >= turns
        set n to n + 1
        work(n)
        player(1) chooses step
            go_on if here
                nothing
            otherwise
                nothing
    player(1) chooses
        done
            nothing
    player(1) wins
"""
NO_EVENTS = "set here to (some z in 1 to 200 where z = 999)"
EVENTS = "tell worked(k: sum of j for j in 1 to k)"
IDLE = "repeat 10000000 times\n        repeat turns - 100000 times\n            nothing"
DOUBLING = "\n".join(f"rule f{i}()\n    f{i - 1}()\n    f{i - 1}()" for i in range(1, 24))
#: Rules that call others twice.
CALLS = f"""
remember n: number 0 to 1000000000 = 0
score points
rule f0()
    set n to n + 1
{DOUBLING}
play
    f23()
    player(1) wins
"""
NESTED = "".join(f"{'    ' * (i + 1)}for each x{i} in 1 to 1\n" for i in range(21))
#: Loops that are too deep for Python.
DEEP = f"""
remember n: number = 0
score points
play
{NESTED}{"    " * 22}set n to n + 1
    player(1) chooses
        go_on
            nothing
    player(1) wins
"""


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the budget, so that it is used up a hundred times faster."""
    for module in (interpreter, python, generator):
        monkeypatch.setattr(module, "BUDGET", BUDGET // 100)


def outcomes(path: Path) -> set[tuple[str, str]]:
    """Return how a run ends on all backends, with and without a listener: the rule of the fault, or all cells."""
    found = set()
    for backend in BACKENDS:
        game = load(path).game(2, backend=backend)
        for listening in (False, True):
            cells = game.backend.start(1)
            try:
                for _ in range(2):
                    game.backend.run(cells, [] if listening else None)
                found.add(("ended", str(cells)))
            except RuleFault as fault:
                found.add((fault.fault.code, fault.fault.rule))
    return found


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    ("rules", "stopped_in"),
    [
        (LOOP.format(work="nothing", turns=100), None),
        (LOOP.format(work="nothing", turns=10_000), "play"),
        # A condition is paid for even if it leaves no option.
        (LOOP.format(work="nothing", turns=1000), None),
        (LOOP.format(work="nothing", turns=1000).replace("if here", f"if here{' or n = 0' * 25}"), "play"),
        (LOOP.format(work=NO_EVENTS, turns=30), None),
        (LOOP.format(work=NO_EVENTS, turns=600), "work"),
        (LOOP.format(work=EVENTS, turns=60), None),
        (LOOP.format(work=EVENTS, turns=600), "work"),
        # Loops with zero iterations use up the budget too.
        (LOOP.format(work=IDLE, turns=1), "work"),
        (CALLS, "f"),
        (DEEP, None),
    ],
)  # fmt: skip
def test_backends_end_or_stop_a_run_alike(tmp_path: Path, rules: str, stopped_in: str | None) -> None:
    [(kind, rule)] = outcomes(write_rules(tmp_path, rules))
    assert kind == ("ended" if stopped_in is None else "R0601")
    assert stopped_in is None or rule.startswith(stopped_in)


def test_deeply_nested_loops_are_not_generated_in_python(tmp_path: Path) -> None:
    assert isinstance(load(write_rules(tmp_path, DEEP)).game(2, backend="python").backend, ReferenceBackend)


def test_told_events_of_a_move_are_limited(tmp_path: Path) -> None:
    for n, statement, code in (
        (49_000, "tell worked(k)", "ended"), (51_000, "tell worked(k)", "R0611"), (51_000, "set n to n + 1", "ended"),
    ):  # fmt: skip
        path = write_rules(tmp_path, LOOP.format(work=f"repeat {n} times\n        {statement}", turns=1))
        for backend in BACKENDS if code == "R0611" else ("python", "native"):
            found = "ended"
            try:
                load(path).game(2, backend=backend).start(1)
            except PlayFault as fault:
                found = fault.diagnostic.code
            assert found == code

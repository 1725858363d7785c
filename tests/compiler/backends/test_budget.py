"""Step budget: on every backend the same runs end and the others stop in the same rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.compiler.backends import BACKENDS, RuleFault, interpreter
from wongar_dsl.compiler.backends.interpreter import ReferenceBackend
from wongar_dsl.compiler.backends.native import emit_tables
from wongar_dsl.compiler.backends.python import runtime
from wongar_dsl.compiler.ir.program import BUDGET
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import load

#: A loop of `turns` iterations, each with a decision without available options.
LOOP = """
game loop
    players 2
    source house rule
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


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the budget, so that it is used up a hundred times faster."""
    for module in (interpreter, runtime, emit_tables):
        monkeypatch.setattr(module, "BUDGET", BUDGET // 100)


def outcome(path: Path, backend: str, listening: bool) -> tuple[str, str]:
    game = load(path).game(2, backend=backend)
    cells = game.backend.start(1)
    try:
        for _ in range(2):
            game.backend.run(cells, [] if listening else None)
    except RuleFault as fault:
        return fault.fault.code, fault.fault.rule
    return "ended", str(cells)


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    ("work", "turns"),
    [
        ("nothing", 100),
        ("nothing", 10_000),
        ("set here to (some z in 1 to 200 where z = 999)", 30),
        ("set here to (some z in 1 to 200 where z = 999)", 600),
        ("tell worked(k: sum of j for j in 1 to k)", 60),
        ("tell worked(k: sum of j for j in 1 to k)", 600),
    ],
)
def test_backends_end_or_stop_a_run_alike(tmp_path: Path, work: str, turns: int) -> None:
    path = tmp_path / "loop.rules"
    path.write_text(LOOP.format(work=work, turns=turns), encoding="utf-8")
    seen = {outcome(path, backend, listening) for backend in BACKENDS for listening in (False, True)}
    assert len(seen) == 1


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("backend", BACKENDS)
def test_loops_with_zero_iterations_use_up_the_budget(tmp_path: Path, backend: str) -> None:
    path = tmp_path / "loop.rules"
    idle = "repeat 10000000 times\n        repeat turns - 100000 times\n            nothing"
    path.write_text(LOOP.format(work=idle, turns=1), encoding="utf-8")
    assert outcome(path, backend, False) == ("R0601", "work")


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("backend", BACKENDS)
def test_endless_run_is_stopped_in_its_rule(tmp_path: Path, backend: str) -> None:
    check_endless_run_is_stopped(tmp_path, backend)


def test_endless_run_is_stopped_by_the_full_budget(tmp_path: Path) -> None:
    """Run on the fast backend only; `python -m benchmarks.soak --only attacks` runs more."""
    check_endless_run_is_stopped(tmp_path, "python")


def check_endless_run_is_stopped(folder: Path, backend: str) -> None:
    path = folder / "loop.rules"
    path.write_text(LOOP.format(work="nothing", turns=10_000_000), encoding="utf-8")
    with pytest.raises(PlayFault) as caught:
        load(path).game(2, backend=backend).start(1)
    assert (caught.value.diagnostic.code, caught.value.diagnostic.arguments["rule"]) == ("R0601", "play")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("n", "statement", "code"),
    [(49_000, "tell worked(k)", None), (51_000, "tell worked(k)", "R0611"), (51_000, "set n to n + 1", None)],
)
def test_told_events_of_a_move_are_limited(
    tmp_path: Path, backend: str, n: int, statement: str, code: str | None
) -> None:
    path = tmp_path / "loop.rules"
    path.write_text(LOOP.format(work=f"repeat {n} times\n        {statement}", turns=1), encoding="utf-8")
    game = load(path).game(2, backend=backend)
    if code is None:
        game.start(1)
        return
    with pytest.raises(PlayFault) as caught:
        game.start(1)
    assert caught.value.diagnostic.code == code


@pytest.mark.usefixtures("small_budget")
def test_rules_that_call_twice_stop_in_the_same_rule(tmp_path: Path) -> None:
    doubling = "\n".join(f"rule f{i}()\n    f{i - 1}()\n    f{i - 1}()" for i in range(1, 24))
    text = f"""
game doubling
    players 2
    source house rule
remember n: number 0 to 1000000000 = 0
score points
rule f0()
    set n to n + 1
{doubling}
play
    f23()
    player(1) wins
"""
    path = tmp_path / "doubling.rules"
    path.write_text(text, encoding="utf-8")
    assert len({outcome(path, backend, False) for backend in BACKENDS}) == 1


def test_deeply_nested_loops_play_alike(tmp_path: Path) -> None:
    loops = "".join(f"{'    ' * (i + 1)}for each x{i} in 1 to 1\n" for i in range(21))
    text = f"""
game nested
    players 2
    source house rule
remember n: number = 0
score points
play
{loops}{"    " * 22}set n to n + 1
    player(1) chooses
        go_on
            nothing
    player(1) wins
"""
    path = tmp_path / "nested.rules"
    path.write_text(text, encoding="utf-8")
    results = {outcome(path, backend, False) for backend in BACKENDS}
    assert {kind for kind, _ in results} == {"ended"}
    assert len(results) == 1
    assert isinstance(load(path).game(2, backend="python").backend, ReferenceBackend)

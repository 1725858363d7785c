"""Rule coverage: lines of statements, options and definitions reached by cases and random games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.rule_cases.coverage import coverage, play_random_games, reached_marks

GAME = """\
game small
    players 2 to 3
    source house rule
option rough = no
    source house rule
score points
remember left_over: number = 3
define near(n: number) = n < 2
    source house rule
define unused_by_cases(n: number) = n + 1
    source house rule
play
    source house rule
    repeat until left_over is 0
        for each p in player
            p chooses turn
                gain
                    p gains 1 points
                    set left_over to left_over - 1
                double if near(left_over)
                    double(p)
                pass
                otherwise
                    impossible
    if rough
        nobody wins
    end game
rule double(p: player)
    source house rule
    p gains unused_by_cases(1) points
    set left_over to 0
winner p
    most points of p
    source house rule
"""
CASES = """\
players: 2
cases:
  - name: one gains
    moves: [gain, pass, gain, gain]
    expect: {winners: 1}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    (tmp_path / "small.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "small.cases.yaml").write_text(CASES, encoding="utf-8")
    return load(tmp_path / "small.rules")


@pytest.mark.parametrize("backend", BACKENDS)
def test_reached_lines_are_recorded(rules: Rules, backend: str) -> None:
    game = rules.marked(2, backend=backend)
    assert coverage(rules.model, rules.sources[0], reached_marks([game])).reached == 0
    state, _ = game.start(1)
    for move in ("gain", "pass", "gain", "gain"):
        state.apply(state.read(move))
    report = coverage(rules.model, rules.sources[0], reached_marks([game]))
    missed = [(run.first, run.last, run.whole, run.article.text) for run in report.missed]
    assert missed == [
        (10, 10, True, "define unused_by_cases(n: number) = n + 1"),
        (20, 21, False, "play"),
        (26, 26, False, "play"),
        (30, 31, True, "rule double(p: player)"),
    ]
    assert (report.lines, report.reached) == (17, 11)


def test_unreachable_lines_count_as_missed(rules: Rules) -> None:
    games, count = play_random_games(rules.marked, (2, 3), 20, lambda: False)
    assert (count, [game.seats for game in games]) == (20, [2, 3])
    (missed,) = coverage(rules.model, rules.sources[0], reached_marks(games)).missed
    assert (missed.first, missed.last) == (26, 26)
    rough = rules.marked(2, {"rough": 1})
    play_random_games(lambda _: rough, (2, 2), 20, lambda: False)
    assert coverage(rules.model, rules.sources[0], reached_marks([*games, rough])).missed == ()


def test_random_games_are_reproducible_and_stop_on_time(rules: Rules) -> None:
    assert play_random_games(rules.marked, (2, 3), 20, lambda: True) == ([], 0)
    first, second = (play_random_games(rules.marked, (2, 3), 2, lambda: False)[0] for _ in range(2))
    assert reached_marks(first) == reached_marks(second)


def test_marks_leave_the_program_otherwise_unchanged(rules: Rules) -> None:
    plain, marked = rules.game(2).program, rules.marked(2).program
    assert not plain.marks
    assert marked.marks
    assert replace(marked, marks=()) != plain

    def bare(body: ir.Body) -> list[str]:
        return [type(part).__name__ for part in statements(body) if not isinstance(part, ir.CoverageMark)]

    for ours, theirs in zip(plain.blocks, marked.blocks, strict=True):
        assert bare(ours.body) == bare(theirs.body)
        charges = ([p for p in statements(b.body) if isinstance(p, ir.Charge)] for b in (ours, theirs))
        assert next(charges) == next(charges)

"""Conditions and values without side effects, in all places and through any call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import codes_except, diagnostics_of

GAME = """
enum colour = red, blue
cards card
    plain
deck pack of card
    4 plain
pile stack holds card, seen by all
pile off holds card, seen by all
tokens stock holds colour, seen by all
figure walker held by player
remember n: number = 0
score points
rule changing(k: number) gives yes or no
    {change}
    give k > 0
rule by_way(k: number) gives yes or no
    give changing(k)
define defined(k: number) = k > {define}
setup
    fill stack with pack
play
    let me_first = player(1)
    {statement}
    me_first chooses
        take(k: {domain})
            nothing
        leave_it if {condition}
            nothing
        go_on
            nothing
    end game
winner p
    most points of p
"""
PURE = {
    "change": "nothing",
    "define": "0",
    "statement": "let r = random k in 1 to 6",
    "domain": "1 to 3",
    "condition": "defined(2)",
}
CHANGES = [
    "set n to 1",
    "move top of stack to off",
    "shuffle stack",
    "let d = random m in 1 to 6",
    "tell something(n: k)",
    "end game",
    "forget choices",
    "player(2) wins",
    "player(1) gains 1 points",
    "player(1) takes walker",
    "fill stock with 1 red",
]


def reported_codes(tmp_path: Path, **parts: str) -> list[str]:
    return codes_except(tmp_path, GAME.format(**(PURE | parts)), "R0204", "R0410", "R0427")


def test_game_with_pure_conditions_is_valid(tmp_path: Path) -> None:
    assert reported_codes(tmp_path) == []


@pytest.mark.parametrize("change", CHANGES)
def test_condition_with_side_effects_is_refused(tmp_path: Path, change: str) -> None:
    assert reported_codes(tmp_path, change=change, condition="changing(2)") == ["R0420"]


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("condition", "by_way(2)"),
        ("condition", "(random m in 1 to 6) > 3"),
        ("domain", "1 to 3 where changing(k)"),
        ("domain", "1 to (2 if changing(1) otherwise 3)"),
        ("define", "(1 if changing(1) otherwise 0)"),
        ("define", "(random m in 1 to 6)"),
        ("statement", "if changing(1)\n        nothing"),
        ("statement", "repeat until changing(1)\n        leave loop"),
        ("statement", "for each k in 1 to (random m in 1 to 6)\n        nothing"),
        ("statement", "let s = sum of (1 if changing(k) otherwise 0) for k in 1 to 3"),
        ("statement", "tell something(n: (random m in 1 to 6))"),
    ],
)
def test_side_effects_are_refused_in_every_value(tmp_path: Path, where: str, text: str) -> None:
    assert "R0420" in reported_codes(tmp_path, change="set n to 1", **{where: text})


def test_let_may_call_a_rule_with_side_effects(tmp_path: Path) -> None:
    assert reported_codes(tmp_path, change="set n to 1", statement="let s = changing(1)") == []


def test_second_label_marks_the_condition(tmp_path: Path) -> None:
    text = GAME.format(**(PURE | {"change": "set n to 1", "condition": "by_way(2)"}))
    (wrong,) = [d for d in diagnostics_of(tmp_path, text) if d.code == "R0420"]
    assert wrong.span is not None
    assert wrong.span.text == "set n to 1"
    (label,) = wrong.labels
    assert "by_way(2)" in label.span.source.line(label.span.line)

"""Statements that can end a loop, found through all rules that the loop calls."""

from __future__ import annotations

from pathlib import Path

from wongar_dsl.engine.library import inspect

GAME = """
game loops
    players 2
    source house rule
remember log: number = 0
rule stop()
    end game
rule last_of_all()
    stop()
rule climbed() gives number
    let n = 1
    set n to n + 1
    give n
play
BODY
    player(1) wins
"""


def codes(folder: Path, *body: str) -> list[str]:
    path = folder / "loops.rules"
    used = ("if log = 1", "    last_of_all()", "set log to climbed()")
    path.write_text(GAME.replace("BODY", "\n".join("    " + line for line in (*used, *body))), encoding="utf-8")
    return [d.code for d in inspect(path)[1] if d.code != "R0204"]


def test_loop_is_ended_by_an_indirectly_called_rule(tmp_path: Path) -> None:
    assert codes(tmp_path, "repeat", "    set log to log + 1", "    last_of_all()") == []


def test_local_variable_of_a_called_rule_does_not_end_a_loop(tmp_path: Path) -> None:
    assert codes(tmp_path, "repeat until climbed() > 3", "    let m = climbed()", "    set log to m") == ["R0407"]


def test_loop_is_ended_by_a_change_to_its_condition(tmp_path: Path) -> None:
    assert codes(tmp_path, "repeat until log > 3", "    set log to log + 1") == []

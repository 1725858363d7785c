"""Checks of the game as a whole: size and termination."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import codes_except, diagnostic_codes, diagnostics_of
from wongar_dsl.language.checker.game_checks import MAX_NESTED, MAX_STATE

LAYOUT = """
enum mark = {names}
board field
    grid 40 by 40
cards tile
    piece(of: mark, by: mark, to: mark)
deck box of tile
    1 piece(n1, n1, n1)
layout map of each player holds tile on field, seen by all
score points
setup
    player(1) gains 0 points
play
    end game
winner p
    most points of p
"""


def test_layout_size_includes_area_and_rotation_of_each_card(tmp_path: Path) -> None:
    many = next(n for n in range(10, 90) if 2 * (1 + n**3) < MAX_STATE < 2 * (1 + 2 * n**3))
    names = ", ".join(f"n{i}" for i in range(1, many + 1))
    assert diagnostic_codes(tmp_path, LAYOUT.format(names=names)).count("R0414") == 1


CHAIN = """
remember q: number = 1
{definitions}
play
    if f{last}(q) = 3
        nothing
    nobody wins
"""


@pytest.mark.parametrize("body", ["(q - (q - (q - {inner})))", "(sum of {inner} for k{i} in 1 to 3)", "{inner}"])
def test_definitions_nested_too_deep_are_reported_at_the_deepest(body: str, tmp_path: Path) -> None:
    inner = ["n", *(f"f{i}(n)" for i in range(60))]
    lines = [f"define f{i}(n: number) = {body.format(inner=inner[i], i=i)}" for i in range(60)]
    result = diagnostics_of(tmp_path, CHAIN.format(definitions="\n".join(lines), last=59))
    assert [(d.code, d.arguments) for d in result] == [("R0104", {"limit": MAX_NESTED})]
    span = result[0].span
    assert span is not None
    # Without this definition and two more, which the inlined rule uses up, the rules are valid.
    last = inner.index(f"{span.text}(n)") - 3
    assert last > 5
    assert diagnostic_codes(tmp_path, CHAIN.format(definitions="\n".join(lines[:last]), last=last - 1)) == []


GAME = """
score points
remember over: yes or no = no
enum stage = opening, middle, closing
remember stage_now: stage = opening
remember last_one: player
remember done: yes or no
remember left_over of each player: number = 1
remember first_one: player
remember rounds of each player: number 0 to 9 = 0
winner p
    most points of p
rule finish()
    end game
rule turn(p: player)
    p gains 1 points
rule roll() gives number
    set over to yes
    give 1
"""


def reported_codes(play: str, folder: Path) -> list[str]:
    lines = "".join(f"    {line}\n" for line in play.split("\n"))
    return codes_except(folder, f"{GAME}play\n{lines}", "R0204", "R0408")


@pytest.mark.parametrize(
    "play",
    [
        "repeat\n    turn(player(1))\n    if over\n        finish()",
        "repeat\n    turn(player(1))\n    if rounds of player(1) > 3 or over\n        leave loop",
        "repeat\n    turn(player(1))\n    if over\n        player(1) wins",
        "repeat\n    turn(player(1))\n    if stage_now is closing\n        end game",
        "repeat\n    turn(player(1))\n    if done or last_one is not nobody\n        end game",
        "repeat\n    if not over\n        turn(player(1))\n    otherwise\n        end rule",
        "repeat\n    for each p in player\n        leave loop\n    if over\n        end game",
        "repeat\n    player(1) chooses turn\n"
        "        go\n            nothing\n        stop if over\n            end game",
        # Variables that are set, but never to a value that would end the game.
        "repeat\n    turn(player(1))\n    set over to no\n    if over\n        finish()",
        "repeat until rounds of player(1) = 1\n    turn(player(1))\n    set rounds of player(1) to 0",
        "repeat\n    turn(player(1))\n    set stage_now to middle\n    if stage_now >= closing\n        end game",
        "repeat\n    turn(player(1))\n    set over to done\n    set done to over\n    if over\n        finish()",
    ],
)
def test_unreachable_end_is_reported(play: str, tmp_path: Path) -> None:
    assert reported_codes(play, tmp_path) == ["R0422"]


@pytest.mark.parametrize(
    "play",
    [
        "turn(player(1))",
        "repeat\n    turn(player(1))\n    set over to yes\n    if over\n        finish()",
        "repeat\n    player(1) gains roll() points\n    if over\n        finish()",
        "repeat\n    let n = roll()\n    player(1) gains n points\n    if over\n        leave loop",
        "repeat\n    turn(player(1))\n    set last_one to player(1)\n    if last_one is not nobody\n        end game",
        "repeat\n    turn(player(1))\n    set stage_now to closing\n    if stage_now >= closing\n        end game",
        "repeat\n    if done\n        finish()\n    set done to over\n    turn(player(1))\n    set over to yes",
        "repeat until rounds of player(1) = 9\n    set rounds of player(1) to rounds of player(1) + 1",
        "repeat\n    turn(player(1))\n    if first_one is nobody and stage_now is opening\n        end game",
        "repeat\n    turn(player(1))\n    if left_over of last_one = 0\n        end game",
        "repeat until points of player(1) = 9\n    turn(player(1))",
        "repeat\n    turn(player(1))\n    if points of player(1) > 3\n        end rule",
        "repeat\n    player(1) chooses turn\n"
        "        go\n            set over to yes\n        stop if over\n            end game",
    ],
)
def test_reachable_end_is_not_reported(play: str, tmp_path: Path) -> None:
    assert reported_codes(play, tmp_path) == []


# ---- loops that nothing ends ---------------------------------------------------------------------------------------

LOOPS = """
remember log: number = 0
enum colour = red, blue
cards tile
    piece(of: colour)
deck box of tile
    5 piece(red), 5 piece(blue)
pile stack holds tile, seen by all
slot shown holds tile, seen by all
pile old holds tile, seen by all
setup
    fill stack with box
    move top of stack to shown
rule stop()
    end game
rule last_of_all()
    stop()
rule climbed() gives number
    let n = 1
    set n to n + 1
    give n
rule rule_red() gives yes or no
    give shown is piece(red)
define shown_red() = shown is piece(red)
define old_red() = top of old is piece(red)
play
    {}
    player(1) wins
"""
MOVES = "\n    move shown to old\n    move top of stack to shown"


@pytest.mark.parametrize(
    ("loop", "ends"),
    [
        ("repeat\n    set log to log + 1\n    last_of_all()", True),
        ("repeat until log > 3\n    set log to log + 1", True),
        # A local variable of a called rule is no part of the condition.
        ("repeat until climbed() > 3\n    let m = climbed()\n    set log to m", False),
        (f"repeat until rule_red(){MOVES}", True),
        (f"repeat until shown_red(){MOVES}", True),
        ("repeat until old_red()\n    shuffle stack", False),
    ],
)
def test_loop_is_ended_by_called_rules_and_changes_of_what_its_condition_reads(
    loop: str, ends: bool, tmp_path: Path
) -> None:
    codes = diagnostic_codes(tmp_path, LOOPS.format(loop.replace("\n", "\n    ")))
    assert ("R0407" not in codes) == ends
    assert "R0422" not in codes

"""Control flow has the same effect as structured code and as blocks interrupted by decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import load

#: `PAUSE` is a decision with one option in one game, and `nothing` in the other.
GAME = """
game flow
    players 2
    source house rule
enum colour = red, green, blue, grey
cards coin
    small
    large(hue: colour)
deck box of coin
    2 small, 1 large(green), 1 large(blue)
heap hoard holds coin, seen by all
remember log: number = 0
remember amount of each colour: number = 0
score points
setup
    fill hoard with box
    set amount[green] to 3
    set amount[blue] to 3
rule note(n: number)
    set log to log * 7 + n
    set log to log mod 1000003
rule visit(n: number)
    if n = 2
        note(5)
        PAUSE
        end rule
    note(n)
    PAUSE
    note(6)
effect small for p
    PAUSE
    note(1)
effect large(hue) for p
    note(position of hue)
    PAUSE
play
BODY
    end game
winner p
    most points of p
"""

BODIES = {
    "if": ["if log = 1", "    note(1)", "otherwise if log = 0", "    PAUSE", "    note(2)", "otherwise", "    note(3)"],
    "else": ["if log = 1", "    PAUSE", "otherwise if log = 2", "    note(2)", "otherwise", "    PAUSE", "    note(3)"],
    "times": ["repeat 3 times", "    note(1)", "    PAUSE", "    note(2)"],
    "while": ["repeat while log < 50", "    note(3)", "    PAUSE"],
    "until": ["repeat until log > 50", "    PAUSE", "    note(4)"],
    "leave": [
        "repeat until log = 1",
        "    note(1)",
        "    PAUSE",
        "    if log > 9",
        "        leave loop",
        "    note(2)",
    ],
    "let": ["let n = log + 2", "repeat 3 times", "    set n to n + n", "    PAUSE", "    note(n)"],
    "enum": ["for each c in colour", "    note(position of c)", "    PAUSE"],
    "where": ["for each c in colour where amount[c] > 0", "    PAUSE", "    note(position of c)"],
    "most": ["for each c in colour with most amount[c]", "    PAUSE", "    note(position of c)"],
    "span": ["for each n in 2 to 4", "    for each k in 1 to n", "        PAUSE", "        note(k)"],
    "from": [
        "for each p in player clockwise after player(1)",
        "    PAUSE",
        "    note(1)",
        "    if p = player(1)",
        "        note(2)",
    ],
    "heap": ["for each c in hoard where not c is small", "    PAUSE", "    note(position of hue of c)"],
    "span set": ["let n = 1", "for each k in n to 4", "    PAUSE", "    note(k)", "    set n to 9"],
    "from set": [
        "let q = player(1)",
        "for each p in player clockwise from q",
        "    PAUSE",
        "    note(position of p)",
        "    set q to player(2)",
    ],
    "heap set": [
        "for each c in hoard",
        "    PAUSE",
        "    if c is small",
        "        note(1)",
        "    otherwise",
        "        note(2)",
        "    set c to large(blue)",
    ],
    "call": ["for each n in 1 to 3", "    visit(n)"],
    "perform": ["for each c in hoard", "    perform c for player(2)"],
}


def play_flow(folder: Path, body: list[str], waits: bool) -> tuple[int, int]:
    """Return the value of `log` at the end, and the number of decisions."""
    lines = []
    for line in GAME.replace("BODY", "\n".join("    " + line for line in body)).splitlines():
        inside, word, _ = line.partition("PAUSE")
        if not word:
            lines.append(line)
        elif waits:
            lines += [f"{inside}player(1) chooses", f"{inside}    go_on", f"{inside}        nothing"]
        else:
            lines.append(f"{inside}nothing")
    path = folder / f"flow_{waits}.rules"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    game = load(path).game(2)
    state, _ = game.start(1)
    decisions = 0
    while not state.over:
        state.apply(*state.legal_moves())
        decisions += 1
    return state.cells[game.fields["log"].base], decisions


@pytest.mark.parametrize("name", BODIES)
def test_control_flow_is_the_same_with_and_without_decisions(tmp_path: Path, name: str) -> None:
    log_without, decisions_without = play_flow(tmp_path, BODIES[name], waits=False)
    log_with, decisions_with = play_flow(tmp_path, BODIES[name], waits=True)
    assert log_without > 0
    assert log_with == log_without
    assert decisions_without == 0
    assert decisions_with > 0


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("name", "log"), [("span set", 466), ("from set", 9), ("heap set", 8 * 49 + 2 * 7 + 2)])
def test_loop_domain_is_evaluated_once_at_the_start(tmp_path: Path, name: str, log: int, waits: bool) -> None:
    assert play_flow(tmp_path, BODIES[name], waits)[0] == log


def test_frames_are_cleared_when_the_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "flow_True.rules"
    play_flow(tmp_path, BODIES["let"], waits=True)
    game = load(path).game(2)
    state, _ = game.start(1)
    used_addresses = set()
    while not state.over:
        used_addresses |= {
            address for address, value in enumerate(state.cells) if address >= game.program.frames and value
        }
        state.apply(*state.legal_moves())
    assert used_addresses
    assert not any(state.cells[game.program.frames :])

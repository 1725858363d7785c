"""Control flow has the same effect as structured code and as blocks interrupted by decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import Game, Move
from wongar_dsl.engine.library import load

#: `PAUSE` is a decision with one option in one game, and `nothing` in the other.
GAME = """
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
{rules}
play
    player(1) chooses which
{options}
    end game
winner p
    most points of p
"""
BODIES = {
    "if": "if log = 1\n    note(1)\notherwise if log = 0\n    PAUSE\n    note(2)\notherwise\n    note(3)",
    "else": "if log = 1\n    PAUSE\notherwise if log = 2\n    note(2)\notherwise\n    PAUSE\n    note(3)",
    "times": "repeat 3 times\n    note(1)\n    PAUSE\n    note(2)",
    "while": "repeat while log < 50\n    note(3)\n    PAUSE",
    "until": "repeat until log > 50\n    PAUSE\n    note(4)",
    "leave": "repeat until log = 1\n    note(1)\n    PAUSE\n    if log > 9\n        leave loop\n    note(2)",
    "let": "let n = log + 2\nrepeat 3 times\n    set n to n + n\n    PAUSE\n    note(n)",
    "enum": "for each c in colour\n    note(position of c)\n    PAUSE",
    "where": "for each c in colour where amount[c] > 0\n    PAUSE\n    note(position of c)",
    "most": "for each c in colour with most amount[c]\n    PAUSE\n    note(position of c)",
    "span": "for each n in 2 to 4\n    for each k in 1 to n\n        PAUSE\n        note(k)",
    "from": "for each p in player clockwise after player(1)\n    PAUSE\n    note(1)\n    if p = player(1)\n"
            "        note(2)",
    "heap": "for each c in hoard where not c is small\n    PAUSE\n    note(position of hue of c)",
    "span set": "let n = 1\nfor each k in n to 4\n    PAUSE\n    note(k)\n    set n to 9",
    "from set": "let q = player(1)\nfor each p in player clockwise from q\n    PAUSE\n    note(position of p)\n"
                "    set q to player(2)",
    "heap set": "for each c in hoard\n    PAUSE\n    if c is small\n        note(1)\n    otherwise\n"
                "        note(2)\n    set c to large(blue)",
    "call": "for each n in 1 to 3\n    visit(n)",
    "perform": "for each c in hoard\n    perform c for player(2)",
}  # fmt: skip
#: Values of `log` after loops whose domain changes on the way.
DOMAINS = {"span set": 466, "from set": 9, "heap set": 8 * 49 + 2 * 7 + 2}


def flow(folder: Path, waits: bool) -> Game:
    """Return the game in which each of the bodies is a rule, called by an option."""
    rules = "\n".join(f"rule body_{n}()\n    " + body.replace("\n", "\n    ") for n, body in enumerate(BODIES.values()))
    options = "".join(f"        case_{n}\n            body_{n}()\n" for n in range(len(BODIES)))
    lines = []
    for line in GAME.format(rules=rules, options=options).splitlines():
        inside, word, _ = line.partition("PAUSE")
        asked = [f"{inside}player(1) chooses", f"{inside}    go_on", f"{inside}        nothing"]
        lines += [line] if not word else asked if waits else [f"{inside}nothing"]
    return load(write_rules(folder, "\n".join(lines))).game(2)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Game]:
    return {waits: flow(tmp_path_factory.mktemp("flow"), waits) for waits in (False, True)}


def play_flow(game: Game, name: str) -> tuple[int, int]:
    """Return the value of `log` at the end, and the number of decisions, after which the frames are cleared."""
    state, _ = game.start(1)
    state.apply(Move(list(BODIES).index(name), ()))
    decisions = 0
    while not state.over:
        decisions += 1
        assert any(state.cells[game.program.frames :]) or name != "let"
        state.apply(*state.legal_moves())
    assert not any(state.cells[game.program.frames :])
    return state.cells[game.fields["log"].base], decisions


@pytest.mark.parametrize("name", BODIES)
def test_control_flow_is_the_same_with_and_without_decisions(games: dict[bool, Game], name: str) -> None:
    log_without, decisions_without = play_flow(games[False], name)
    log_with, decisions_with = play_flow(games[True], name)
    assert log_without > 0
    assert log_with == log_without == DOMAINS.get(name, log_without)
    assert decisions_without == 0
    assert decisions_with > 0

"""Numbers that grow beyond all bounds stop the rules, on every backend at the same place, before 64 bits are full."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.backends import BACKENDS, RuleFault
from wongar_dsl.library import load

MOST = 1_000_000_000
GAME = """
game large
    players 2
    source house rule
enum colour = red, green, blue, white, black
enum bulk = small, big
cards thing
    it(c: colour, b: bulk)
remember what: colour
remember q: number = 0
score points
enum season = early
track years
    early 5 spaces
tokens chest holds colour
table worth 1
    red 1000000000
    green 1000000000
    blue 1000000000
    white 1000000000
    black 1000000000
define more(n: number) = n + 1000000000
rule much() gives number
    give 1000000000 + 1000000000
play
    player(1) chooses first
        begin
            nothing
{lines}
    player(1) chooses last
        done
            nothing
    player(1) wins
"""
#: The line before points double.
GAINING = "player(1) gains 1 points"


def times(text: str, n: int) -> str:
    """A long sum."""
    return f"({' + '.join([text] * n)})"


def doubling(new: str) -> str:
    """A number that is given a new value again and again, so that it would come to 0 in 64 bits."""
    return f"let x = {1 << 29}\nrepeat 70 times\n    set x to {new}\nif x < 5\n    end game"


#: Rules that leave the range of numbers, each with the line where that is found out, counted from the first.
BEYOND = {
    "a product of sums": (f"set q to {1 << 29}\nlet x = {times('q', 40)} * {times('q', 40)}", 2),
    "a product that comes to 0": (f"set q to {1 << 28}\nlet x = {times('q', 32)} * {times('q', 32)}", 2),
    "a product of constants": (f"let x = {times(str(MOST), 20)} * {times(str(MOST), 20)}", 1),
    "a product of a table": (f"let c = red\nlet x = {times('worth[c, 1]', 9)} * {times('worth[c, 1]', 9)}", 2),
    "a product below 0": (f"set q to {MOST}\nlet x = (q - {times('q', 9)}) * {times('q', 9)}", 2),
    "one of two": (doubling("(x + x if q = 0 otherwise 3)"), 3),
    "signs": (doubling("-(-(x + x))"), 3),
    "the greater one": (doubling("greatest(x + x, x)"), 3),
    "the highest": (doubling("(highest x + x for p in player)"), 3),
    "what a definition adds": (doubling("more(x)"), 3),
    "what is handed on": (f"let y = more({MOST} + 1)", 1),
    "points that double": (f"{GAINING}\nrepeat 70 times\n    player(1) gains points of player(1) points", 3),
    "points that are lost": (f"repeat 5 times\n    player(1) loses {MOST} points", 2),
    "many tokens": (f"for each c in colour\n    fill chest with {MOST} c\nset q to number of c in chest", 3),
    "heavy weights": ("let c = random c in colour weighted by worth[c, 1]\nset q to position of c", 1),
    "weights that come to 0": (f"let c = random n in 1 to 16 weighted by {1 << 28}\nset q to c", 1),
    "the ends of a domain": (f"set q to {MOST}\nfor each n in q + q + q to q + q + q + 2\n    set q to 1", 2),
    "what is given": ("set q to much()", None),
}
#: Rules that stay within it, though what they work out on the way does not, with what comes of them.
WITHIN = {
    "a long sum": (f"set q to {MOST}\nlet x = {times('q', 40)} - {times('q', 39)}\nset q to x - 7", MOST - 7),
    "a product of sums": (f"set q to 2\nlet x = {times('q', 40)} * {times('q', 40)}\nset q to x", 6400),
    "the largest": (f"set q to {MOST}\nset q to -q", -MOST),
    "a rest": (f"set q to {MOST}\nset q to {times('q', 40)} mod {times('q', 39)}", MOST),
    "a quotient": (f"set q to {MOST}\nset q to -{times('q', 40)} div 41", -(40 * MOST // 41) - 1),
    "steps beyond the end": (f"advance years by {MOST}\nset q to space of years", 5),
    "weights": ("let n = random n in 1 to 2 weighted by 500000000\nset q to 4", 4),
}


def played(folder: Path, lines: str, backend: str) -> tuple[object, ...]:
    """The cells at the end of a game, or the fault that it ends in."""
    path = folder / "large.rules"
    path.write_text(GAME.format(lines="".join(f"    {line}\n" for line in lines.split("\n"))), encoding="utf-8")
    run = load(path).game(2, backend=backend).backend
    cells = run.start(1)
    try:
        while options := run.advance(cells):
            run.choose(cells, options[0])
    except RuleFault as fault:
        return fault.fault.code, fault.fault.rule, fault.fault.span.line
    return tuple(cells)


@pytest.mark.parametrize("name", BEYOND)
def test_what_leaves_the_range_of_numbers_is_a_fault_on_every_backend(name: str, tmp_path: Path) -> None:
    lines, wanted = BEYOND[name]
    outcomes = {played(tmp_path, lines, backend) for backend in BACKENDS}
    first = GAME[: GAME.index("{lines}")].count("\n")
    assert {outcome[0] for outcome in outcomes} == {"R0603"}
    assert len(outcomes) == 1
    [(_, rule, line)] = outcomes
    if wanted is None:
        assert rule == "much"
    elif rule == "play":
        assert line == first + wanted


@pytest.mark.parametrize("name", WITHIN)
def test_what_stays_in_the_range_of_numbers_is_the_same_on_every_backend(name: str, tmp_path: Path) -> None:
    lines, wanted = WITHIN[name]
    outcomes = {played(tmp_path, lines, backend) for backend in BACKENDS}
    assert len(outcomes) == 1
    remembered = load(tmp_path / "large.rules").game(2).program.fields
    [cell] = [field.base for field in remembered if field.name == "q"]
    assert next(iter(outcomes))[cell] == wanted


def test_an_argument_is_no_larger_than_a_number(tmp_path: Path) -> None:
    """Where options are listed, too."""
    choice = "player(1) chooses several\n    take(n: q + q + q to q + q + q + 2)\n        set q to n - q - q\n    stop"
    lines = f"set q to {MOST}\n{choice}\n        nothing"
    assert {played(tmp_path, lines, backend)[0] for backend in BACKENDS} == {"R0603"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_there_is_no_card_of_nobody(backend: str, tmp_path: Path) -> None:
    """Its number would lie before the first one."""
    assert played(tmp_path, "let x = it(what, small)\nset q to position of b of x", backend)[0] == "R0610"
    assert (
        played(tmp_path, "set what to red\nlet x = it(what, big)\nset q to position of b of x", backend)[0] != "R0610"
    )

"""Number range: results beyond the limits stop the rules at the same place on every backend, before 64 bits
overflow."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from wongar_dsl.compiler.backends import BACKENDS, RuleFault
from wongar_dsl.engine.library import load

MAX_NUMBER = 1_000_000_000
BEGIN = "        begin\n            nothing\n{lines}"
GAME = f"""
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
{BEGIN}
    player(1) chooses last
        done
            nothing
    player(1) wins
"""
#: The line before doubles the points.
GAINING = "player(1) gains 1 points"


def long_sum(text: str, n: int) -> str:
    """Return a sum of `n` equal terms."""
    return f"({' + '.join([text] * n)})"


def doubling_loop(new: str) -> str:
    """Return a loop that assigns a number repeatedly, so that it would become 0 in 64 bits."""
    return f"let x = {1 << 29}\nrepeat 70 times\n    set x to {new}\nif x < 5\n    end game"


#: Rules that leave the range of numbers, each with the line of the fault, counted from the first.
BEYOND = {
    "a product of sums": (f"set q to {1 << 29}\nlet x = {long_sum('q', 40)} * {long_sum('q', 40)}", 2),
    "a product that comes to 0": (f"set q to {1 << 28}\nlet x = {long_sum('q', 32)} * {long_sum('q', 32)}", 2),
    "a product of constants": (f"let x = {long_sum(str(MAX_NUMBER), 20)} * {long_sum(str(MAX_NUMBER), 20)}", 1),
    "a product of a table": (f"let c = red\nlet x = {long_sum('worth[c, 1]', 9)} * {long_sum('worth[c, 1]', 9)}", 2),
    "a product below 0": (f"set q to {MAX_NUMBER}\nlet x = (q - {long_sum('q', 9)}) * {long_sum('q', 9)}", 2),
    "one of two": (doubling_loop("(x + x if q = 0 otherwise 3)"), 3),
    "signs": (doubling_loop("-(-(x + x))"), 3),
    "the greater one": (doubling_loop("greatest(x + x, x)"), 3),
    "the highest": (doubling_loop("(highest x + x for p in player)"), 3),
    "what a definition adds": (doubling_loop("more(x)"), 3),
    "what is handed on": (f"let y = more({MAX_NUMBER} + 1)", 1),
    "points that double": (f"{GAINING}\nrepeat 70 times\n    player(1) gains points of player(1) points", 3),
    "points that are lost": (f"repeat 5 times\n    player(1) loses {MAX_NUMBER} points", 2),
    "many tokens": (f"for each c in colour\n    fill chest with {MAX_NUMBER} c\nset q to number of c in chest", 3),
    "heavy weights": ("let c = random c in colour weighted by worth[c, 1]\nset q to position of c", 1),
    "weights that come to 0": (f"let c = random n in 1 to 16 weighted by {1 << 28}\nset q to c", 1),
    "the ends of a domain": (f"set q to {MAX_NUMBER}\nfor each n in q + q + q to q + q + q + 2\n    set q to 1", 2),
    "what is given": ("set q to much()", None),
}
#: Rules whose results stay in range although intermediate values do not, each with its result.
WITHIN = {
    "a long sum": (
        f"set q to {MAX_NUMBER}\nlet x = {long_sum('q', 40)} - {long_sum('q', 39)}\nset q to x - 7",
        MAX_NUMBER - 7,
    ),
    "a small product of sums": (f"set q to 2\nlet x = {long_sum('q', 40)} * {long_sum('q', 40)}\nset q to x", 6400),
    "the largest": (f"set q to {MAX_NUMBER}\nset q to -q", -MAX_NUMBER),
    "a rest": (f"set q to {MAX_NUMBER}\nset q to {long_sum('q', 40)} mod {long_sum('q', 39)}", MAX_NUMBER),
    "a quotient": (f"set q to {MAX_NUMBER}\nset q to -{long_sum('q', 40)} div 41", -(40 * MAX_NUMBER // 41) - 1),
    "steps beyond the end": (f"advance years by {MAX_NUMBER}\nset q to space of years", 5),
    "weights": ("let n = random n in 1 to 2 weighted by 500000000\nset q to 4", 4),
}


def play_lines(folder: Path, lines: str, backend: str) -> tuple[object, ...]:
    """Return the cells at the end of a game, or the fault that ended it."""
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


#: Each of these rules is an option of one game, since compiling it takes longest.
TOLD = {name: lines for name, (lines, _) in (BEYOND | WITHIN).items()}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[object, ...]]]:
    """Return for each of them code, rule and line of its fault, or `q` and all cells at the end, on all backends."""
    heads = [f"        case_{number}\n" for number in range(len(TOLD))]
    bodies = (textwrap.indent(f"{lines}\n", 12 * " ") for lines in TOLD.values())
    options = "".join(head + body for head, body in zip(heads, bodies, strict=True))
    path, text = tmp_path_factory.mktemp("large") / "large.rules", GAME.replace(BEGIN, options)
    path.write_text(text, encoding="utf-8")
    found: dict[str, set[tuple[object, ...]]] = {name: set() for name in TOLD}
    for backend in BACKENDS:
        game = load(path).game(2, backend=backend)
        start = game.backend.start(1)
        for name, head, option in zip(TOLD, heads, game.backend.advance(start), strict=True):
            cells = start.copy()
            try:
                game.backend.choose(cells, option)
                while following := game.backend.advance(cells):
                    game.backend.choose(cells, following[0])
                found[name].add((cells[game.fields["q"].base], *cells))
            except RuleFault as fault:
                line = fault.fault.span.line - text[: text.index(head)].count("\n") - 1
                found[name].add((fault.fault.code, fault.fault.rule, line))
    return found


@pytest.mark.parametrize("name", BEYOND)
def test_number_out_of_range_is_a_fault_on_every_backend(
    name: str, outcomes: dict[str, set[tuple[object, ...]]]
) -> None:
    [(code, rule, line)] = outcomes[name]
    assert code == "R0603"
    if BEYOND[name][1] is None:
        assert rule == "much"
    elif rule != "more":
        assert (rule, line) == ("play", BEYOND[name][1])


@pytest.mark.parametrize("name", WITHIN)
def test_number_in_range_is_the_same_on_every_backend(name: str, outcomes: dict[str, set[tuple[object, ...]]]) -> None:
    [(value, *_)] = outcomes[name]
    assert value == WITHIN[name][1]


def test_argument_out_of_range_is_a_fault(tmp_path: Path) -> None:
    """Also when the options are listed."""
    choice = "player(1) chooses several\n    take(n: q + q + q to q + q + q + 2)\n        set q to n - q - q\n    stop"
    lines = f"set q to {MAX_NUMBER}\n{choice}\n        nothing"
    assert {play_lines(tmp_path, lines, backend)[0] for backend in BACKENDS} == {"R0603"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_card_of_no_colour_is_a_fault(backend: str, tmp_path: Path) -> None:
    """Its number would be below that of the first card."""
    assert play_lines(tmp_path, "let x = it(what, small)\nset q to position of b of x", backend)[0] == "R0610"
    assert (
        play_lines(tmp_path, "set what to red\nlet x = it(what, big)\nset q to position of b of x", backend)[0]
        != "R0610"
    )

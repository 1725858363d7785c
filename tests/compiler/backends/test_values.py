"""Values on every backend: results beyond the limits stop the rules at the same place, before 64 bits overflow; others
are exact, start in their range, and are 0 where there is nobody.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.small_games import diagnostics_of, write_rules
from wongar_dsl.compiler.backends import BACKENDS, RuleFault
from wongar_dsl.engine.library import load

MAX_NUMBER = 1_000_000_000
#: Start values by the bounds of a number.
STARTS = {"1 to 6": 1, "0 to 6": 0, "-3 to 6": 0, "-6 to -2": -6, "low to 9": 2, "3 to 6 = 4": 4}
NUMBERS = "\n".join(f"remember start{n} of each player: number {bounds}" for n, bounds in enumerate(STARTS))
#: `b2` stays empty; in memory, `before` is directly in front of `mark`.
GAME = f"""
enum colour = red, green, blue, white, black
enum bulk = small, big
cards thing
    it(c: colour, b: bulk)
deck pack of thing
    2 it(red, small)
board field
    grid 2 by 2
option low = 2 in 1 to 4
remember what: colour
remember keeper: player
remember q: number = 0
remember before: number = 77
remember mark of each thing: number = 5
remember level of each field: number = 6
{NUMBERS}
score points
enum season = early
track years
    early 5 spaces
tokens chest holds colour
tokens purse holds colour
pile own of each player holds thing, seen by all
layout map holds thing on field, seen by all
table worth 1
    red 1000000000
    green 1000000000
    blue 1000000000
    white 1000000000
    black 1000000000
define more(n: number) = n + 1000000000
define twice(n: number) = n + n
rule doubled(n: number) gives number
    give twice(n)
rule much() gives number
    give 1000000000 + 1000000000
setup
    fill own of player(1) with pack
    lay top of own of player(1) on map at a1 turned 0
play
    player(1) chooses first
{{lines}}
    player(1) chooses last
        done
            nothing
    player(1) wins
"""
#: The line before doubles the points.
GAINING = "player(1) gains 1 points"
CHOICE = """player(1) chooses several
    take(n: q + q + q to q + q + q + 2)
        set q to n - q - q
    stop
        nothing"""


def long_sum(text: str, n: int) -> str:
    """Return a sum of `n` equal terms."""
    return f"({' + '.join([text] * n)})"


def doubling_loop(new: str) -> str:
    """Return a loop that assigns a number repeatedly, so that it would become 0 in 64 bits."""
    return f"let x = {1 << 29}\nrepeat 70 times\n    set x to {new}\nif x < 5\n    end game"


#: Rules that stop, each with the line of the fault, counted from the first, and its code if the range is not left.
BEYOND: dict[str, tuple[str, int | None] | tuple[str, int | None, str]] = {
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
    "a sum of many": ("set q to sum of 1000000000 for a in 1 to 100", 1),
    "rules that double": (doubling_loop("doubled(x)"), None),
    "an argument": (f"set q to {MAX_NUMBER}\n{CHOICE}", None),
    "moved tokens": ("fill chest with 900000000 red\nfill purse with 900000000 red\n"
                     "move 900000000 red from chest to purse", 3),
    "all tokens": ("fill chest with 900000000 red\nfill purse with 900000000 red\nmove all of chest to purse", 3),
    "more tokens than there are": ("fill chest with 5 red\nmove 6 red from chest to purse", 2, "R0602"),
    "fewer tokens than none": ("fill chest with 5 red\nset q to -2\nmove q red from chest to purse", 3, "R0602"),
    "a filling with fewer than none": ("set q to -2\nfill chest with q red", 2),
    # Its number would be below that of the first card.
    "a card of no colour": ("let x = it(what, small)\nset q to position of b of x", 1, "R0610"),
    "an assignment at nobody": ("set mark[map[b2]] to 9", 1, "R0610"),
}  # fmt: skip
#: Rules whose results stay in range although intermediate values do not, and other values, each with its result.
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
    "definitions that double": ("set q to twice(twice(twice(7)))", 56),
    "rules that double": ("set q to doubled(doubled(7))", 28),
    "a card of a colour": ("set what to red\nlet x = it(what, big)\nset q to position of b of x", 2),
    "the zone of nobody": ("set q to 9\nset q to size of own of keeper", 0),
    "the zone beside nobody": ("set q to 9\nset q to size of own of left of keeper", 0),
    "cards in the zone of nobody": ("set q to 9\nset q to count of it(red, small) in own of keeper", 0),
    "the zone of somebody": ("set keeper to player(1)\nset q to size of own of keeper", 1),
    "an index at nobody": ("set q to 9\nset q to mark[map[b2]]", 0),
    "the level of nowhere": ("set q to 9\nset q to level[place of it(blue, big)]", 0),
}
#: Each of these rules is an option of one game, since compiling it takes longest.
TOLD = {f"{kind}: {name}": lines for kind, table in (("beyond", BEYOND), ("within", WITHIN))
        for name, (lines, *_) in table.items()}  # fmt: skip
Outcomes = dict[str, set[tuple[object, ...]]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Return for each of them code, rule and line of its fault, or `q` and all cells at the end, on all backends."""
    heads = [f"        case_{number}\n" for number in range(len(TOLD))]
    bodies = (textwrap.indent(f"{lines}\n", 12 * " ") for lines in TOLD.values())
    options = "".join(head + body for head, body in zip(heads, bodies, strict=True))
    rules = load(path := write_rules(tmp_path_factory.mktemp("values"), GAME.replace("{lines}", options)))
    text = path.read_text(encoding="utf-8")
    found: Outcomes = {name: set() for name in (*TOLD, "starts")}
    for backend in BACKENDS:
        game = rules.game(2, backend=backend)
        start = game.backend.start(1)
        offered = game.backend.advance(start)
        found["starts"].add(
            tuple(start[game.fields[f"start{n}"].at(seat)] for n in range(len(STARTS)) for seat in (0, 1))
        )
        for name, head, option in zip(TOLD, heads, offered, strict=True):
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
def test_number_out_of_range_is_a_fault_on_every_backend(name: str, outcomes: Outcomes) -> None:
    [(code, rule, line)] = outcomes[f"beyond: {name}"]
    _, expected, *other = BEYOND[name]
    assert code == (other[0] if other else "R0603")
    if name == "what is given":
        assert rule == "much"
    elif expected is not None and rule != "more":
        assert (rule, line) == ("play", expected)


@pytest.mark.parametrize("name", WITHIN)
def test_number_in_range_is_the_same_on_every_backend(name: str, outcomes: Outcomes) -> None:
    [(value, *_)] = outcomes[f"within: {name}"]
    assert value == WITHIN[name][1]


def test_number_starts_in_its_range(outcomes: Outcomes, tmp_path: Path) -> None:
    [values] = outcomes["starts"]
    assert values == tuple(value for value in STARTS.values() for _ in range(2))
    game = load(write_rules(tmp_path, GAME.replace("{lines}", "        go_on\n            nothing"))).game(
        2, {"low": 4}
    )
    assert game.start(1)[0].cells[game.fields["start4"].base] == 4


@pytest.mark.parametrize(("written_as", "found"), [("1 to 6 = 0", 0), ("1 to 6 = 7", 7), ("-3 to -1 = 0", 0)])
def test_start_value_out_of_range_is_reported(tmp_path: Path, written_as: str, found: int) -> None:
    diagnostics = diagnostics_of(tmp_path, f"remember dice: number {written_as}\nplay\n    nobody wins\n")
    assert [d.arguments["value"] for d in diagnostics if d.code == "R0305"] == [found]

"""A loop whose steps depend on each other is told with its order, and its variable before it is used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

import pytest

from .books import LANGUAGES, assert_told, small, told

GAME = """
enum stack = heap_a, heap_b, heap_c
enum chip = red, blue
board square
    grid 4 by 4
track road
    red 2 spaces
    blue 3 spaces
tokens purse of each player holds chip, seen by all
tokens bank holds chip, seen by all
tokens chest of each square holds chip, seen by all
figure crown held by player
figure mule on square held by player
remember height of each square: number 0 to 9
remember strength of each stack: number 0 to 9
remember owner of each stack: player
remember owned of each player of each stack: number 0 to 9
remember gold of each player: number 0 to 9
remember chief: player
score points

define next_gold(x: player) = gold of left of x
define own_gold(x: player) = gold of x + 1

rule hand_on(x: player)
    move all of purse of x to purse of left of x

rule finish()
    end game

rule hand_in(x: player)
    move all of purse of x to bank

play
    for each q in player where q is not chief and holder of crown is not q
        q gains height of a1 + strength of heap_a + gold of q + owned[q, heap_a] points
    {loop}
        {effect}
    end game

winner q
    most points of q
"""
PLAYERS, NUMBERS, STACKS = "for each p in player", "for each n in 1 to 3", "for each a in stack"
HERE = "height of spot(square, 1, n)"
ORDER = {
    "en": "(?i)in order|in turn", "de": "(?i)der Reihe nach", "nl": "(?i)achtereenvolgens|om de beurt",
    "it": "(?i)in ordine|a turno",
}  # fmt: skip


def loop_lines(loop: str, effect: str, language: str) -> list[str]:
    """Return the lines of a loop in the play."""
    rules = small(GAME.format(loop=loop, effect=effect.replace("\n", "\n        ")), "3")
    _, *lines, _ = told(rules, "play", language)
    return lines


def assert_loop_told(loop: str, effect: str, patterns: Mapping[str, str], expected: bool = True) -> None:
    """Assert for every language whether its pattern occurs in the text of a loop."""
    for language, pattern in patterns.items():
        text = " ".join(loop_lines(loop, effect, language))
        assert bool(re.search(pattern, text)) is expected, text


@pytest.mark.parametrize(
    ("loop", "effect", "ordered"),
    [
        (NUMBERS, f"set {HERE} to height of spot(square, 1, n + 1)", True),
        (NUMBERS, f"set {HERE} to height of a1", True),
        (NUMBERS, f"set {HERE} to n", False),
        (NUMBERS, f"set {HERE} to {HERE} + 1", False),
        (STACKS, "set strength of a to strength of heap_b", True),
        (STACKS, "set strength of a to 4", False),
        (PLAYERS, "set gold of p to gold of left of p", True),
        (f"{PLAYERS} where gold of left of p > 3", "set gold of p to gold of p + 1", True),
        (f"{PLAYERS} where gold of p > 3", "set gold of p to gold of p + 1", False),
        (f"{PLAYERS} where gold of p > 3", "set gold of left of p to 9", True),
        (f"{PLAYERS} where gold of p = highest gold of q for q in player", "set gold of p to 9", True),
        (f"{PLAYERS} where gold of p > 3", "if strength of heap_a < 4\n    set strength of heap_a to 9", True),
        (
            "for each a in square where height of a > 3",
            "for each b in square touching a\n    set height of b to 9",
            True,
        ),
        (PLAYERS, "let next = left of p\nset gold of next to gold of p", True),
        # Moves, gains and called rules
        (PLAYERS, "move all of purse of p to purse of left of p", True),
        (PLAYERS, "let next = left of p\nmove all of purse of p to purse of next", True),
        (PLAYERS, "move 1 red from purse of p to purse of left of p", True),
        (PLAYERS, "move all of purse of p to bank", False),
        (PLAYERS, "p gains points of left of p points", True),
        (PLAYERS, "p gains points of p points", False),
        (PLAYERS, "p gains gold of left of p points", False),
        (PLAYERS, "set chief to p", True),
        (PLAYERS, "let next = left of p\nset chief to next", True),
        (PLAYERS, "set chief to player(1)", False),
        (PLAYERS, "p takes crown", True),
        (PLAYERS, "player(1) takes crown", False),
        (PLAYERS, "if gold of p > 3\n    leave loop", True),
        (PLAYERS, "if gold of p > 3\n    p wins", True),
        (PLAYERS, "if gold of p > 3\n    nobody wins", False),
        (PLAYERS, "if gold of p > 3\n    p gains 2 points\n    nobody wins", True),
        (PLAYERS, "p gains 2 points\nend game", True),
        (PLAYERS, "p gains 2 points\nfinish()", True),
        (PLAYERS, "if gold of p > 3\n    finish()", False),
        (PLAYERS, "p gains 2 points\nend rule", True),
        (PLAYERS, "p gains 2 points", False),
        (PLAYERS, "hand_on(p)", True),
        (PLAYERS, "hand_in(p)", False),
        (PLAYERS, "set gold of p to least(9, next_gold(p))", True),
        (PLAYERS, "set gold of p to least(9, own_gold(p))", False),
    ],
)
def test_the_order_of_dependent_steps_is_told(loop: str, effect: str, ordered: bool) -> None:
    assert_loop_told(loop, effect, ORDER, ordered)


#: The beginning of a condition that is tested in turn.
TESTED = {
    "en": "^In turn, every player does the following: If", "de": "^Der Reihe nach tut jeder Spieler Folgendes: Wenn",
    "nl": "^Om de beurt doet elke speler het volgende: Als", "it": "^A turno ogni giocatore fa quanto segue: Se",
}  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "effect", "tested"),
    [
        ("gold of p > 3", "set gold of left of p to 9", True),
        ("points of p > 3", "left of p gains 2 points", True),
        ("purse of p is empty", "hand_on(right of p)", True),
        ("holder of crown is p", "left of p takes crown", True),
        ("bank is not empty", "move all of bank to purse of p", True),
        ("points of p = (lowest points of q for q in player)", "p gains 1 points", True),
        ("points of p > 3", "p gains 2 points", False),
        ("purse of p is empty", "left of p gains 2 points", False),
        ("gold of p > 3", "player(1) takes crown", False),
    ],
)
def test_a_condition_that_steps_change_is_told_as_tested_in_turn(condition: str, effect: str, tested: bool) -> None:
    """*Every player who has most gains one* would give one to all of them."""
    assert_loop_told(f"{PLAYERS} where {condition}", effect, TESTED, tested)


CASE = ("If ", "Wenn ", "Als ", "Se ", "Rich ", "Der Spieler", "De speler", "The player", "Il giocatore")


@pytest.mark.parametrize(
    ("loop", "effect"),
    [
        ("a in stack", "if points of owner of a < 2\n    owner of a gains 1 points"),
        ("a in stack where points of owner of a < 2", "owner of a gains 1 points"),
        ("a in stack", "if holder of mule is not owner of a\n    owner of a takes mule"),
        ("a in stack", "if gold of owner of a < 2\n    set gold of owner of a to 5"),
        ("a in stack", "let rich = owner of a\nif gold of rich < 2\n    set gold of rich to 5"),
        ("c in square", "if place of mule is c\n    move mule to step(c, east)"),
        ("c in square where place of mule is c", "move mule to step(c, east)"),
        ("c in square", "if chest[c, red] > 1\n    fill chest of step(c, east) with 2 red"),
        ("c in square", "if chest of c is not empty and space of road < 3\n    advance road by 1"),
    ],
)
def test_a_condition_that_an_earlier_step_changes_selects_nothing(loop: str, effect: str) -> None:
    """*For every square where the mule stands* would be one square, although the mule moves on."""
    for language in LANGUAGES:
        lead, first, *_ = loop_lines(f"for each {loop}", effect, language)
        assert re.search(ORDER[language], lead), lead
        assert lead.endswith(":"), lead
        assert first.startswith(CASE), first


#: The lead of a loop over heaps.
FOR_EVERY = {"en": "^For every stack", "de": "^Für jede", "nl": "^Voor elk", "it": "^Per ogni stack"}
RICH = "let rich = first q in player"


@pytest.mark.parametrize(
    "effect",
    [
        f"{RICH} with most owned[q, a]\nrich gains 1 points",
        f"{RICH} with fewest owned[q, a]\nrich gains 1 points",
        f"{RICH} clockwise after player(1) with most owned[q, a]\nrich gains 1 points",
        f"{RICH} where owned[q, a] > 2\nrich gains 1 points",
        f"{RICH} with most owned[q, a]\nmove all of purse of rich to bank",
        f"{RICH} where owned[q, a] > 2\nlet next = left of rich\nnext gains 1 points",
        "let lucky = random q in player weighted by owned[q, a]\nlucky gains 1 points",
        "for each q in player with most owned[q, a]\n    q gains 1 points",
        "for each q in player where owned[q, a] > 2\n    q gains 1 points",
    ],
)
def test_a_loop_is_told_before_what_is_selected_in_it(effect: str) -> None:
    """*The player who has most of every kind* is another player than *for every kind, the one who has most of it*."""
    assert_loop_told(STACKS, effect, FOR_EVERY)


#: The beginning of the remark that a superlative compares only what meets the other conditions.
COMPARED = {
    "en": r"\(comparing only", "de": r"\(verglichen werden nur", "nl": r"\(alleen", "it": r"\(si confrontano solo",
}  # fmt: skip
DOMAINS = (
    ("q in player where gold of q > 3 with most owned[q, heap_a]", True),
    ("q in player where gold of q > 3 with fewest points of q", True),
    ("q in player where gold of q > 3 and points of q < 7 with most size of purse of q", True),
    ("q in player clockwise after player(1) where purse of q is empty with fewest points of q", True),
    ("q in player clockwise from player(1) where gold of q > 3 with most points of q", True),
    ("q in player with most points of q", False),
    ("q in player clockwise after player(1) with most points of q", False),
    ("q in player where gold of q > 3", False),
)
BEST, EACH = "let best = first {}\nbest gains 1 points", "for each {}\n    q gains 1 points"
USES = (
    ("repeat 2 times", BEST),
    ("repeat 2 times", "player(1) gains number of {} points"),
    ("repeat 2 times", "if some {}\n    player(1) gains 1 points"),
    ("for each {}", "q gains 1 points"),
)
#: *Every other player who has the most* is an empty set if the excluded player has the most.
OF_THE_OTHERS = [
    (PLAYERS, effect.format(f"q in player where q is not p with {measure}"), True)
    for measure in ("most points of q", "fewest owned[q, heap_a]", "most size of purse of q")
    for effect in (BEST, EACH)
]
OF_ALL = [(loop.format(of), effect.format(of), told) for (loop, effect), (of, told) in product(USES, DOMAINS)]


@pytest.mark.parametrize(("loop", "effect", "compared"), OF_ALL + OF_THE_OTHERS)
def test_what_a_superlative_compares_is_told(loop: str, effect: str, compared: bool) -> None:
    """No player has a card and the fewest points if one without a card has fewer."""
    for language in LANGUAGES:
        text = " ".join(loop_lines(loop, effect, language))
        assert len(re.findall(COMPARED[language], text)) == int(compared), text
        assert "number of" in effect or "some" in effect or ") (" not in text


#: The number of the loop where it is introduced and later.
NUMBER = {
    "en": "number from 1 to 3.* this number", "de": "Zahl von 1 bis 3.* diese[r]? Zahl",
    "nl": "getal van 1 tot en met 3.* dit getal", "it": "da 1 a 3.* questo numero",
}  # fmt: skip
#: *In row 2* names a row, unlike *in row this number*.
ROWS = {
    "en": "as its row.*and row 2", "de": "als Reihe.*und Reihe 2", "nl": "als rij.*en rij 2",
    "it": "come riga.*nella riga 2",
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("n", NUMBER),
        ("n + 1", NUMBER),
        ("height of spot(square, n, 2)", NUMBER),
        ("height of spot(square, 1, n + 1)", NUMBER),
        ("height of spot(square, 1, 2)", ROWS),
    ],
)
def test_the_number_of_a_loop_is_introduced_first_and_no_name_of_a_row(value: str, pattern: dict[str, str]) -> None:
    assert_loop_told(NUMBERS, f"set {HERE} to {value}", pattern)


#: The start of the order, in parentheses behind the clause about the player.
COUNTED = {"en": "clockwise", "de": "Uhrzeigersinn", "nl": "klok mee", "it": "senso orario"}


@pytest.mark.parametrize("order", ["from", "after"])
@pytest.mark.parametrize(
    "clause",
    [
        "with most gold of q",
        "with fewest gold of q",
        "where gold of q > 3",
        "where gold of q > 3 with most points of q",
    ],
)
@pytest.mark.parametrize("use", ["set chief to {}", "if ({}) is not chief\n    set chief to player(1)"])
def test_a_clause_about_a_player_does_not_follow_another_player(use: str, clause: str, order: str) -> None:
    found = f"first q in player clockwise {order} chief {clause.format('gold of q')}"
    behind = {language: rf"\w \([^()]*{order}[^()]*chief[^()]*\)" for language, order in COUNTED.items()}
    assert_loop_told("repeat 3 times", use.format(found), behind)


@pytest.mark.parametrize(
    ("later", "apart"),
    [("points of p", True), ("points of left of p", True), ("gold of p", False), ("size of purse of p", False)],
)
def test_an_amount_that_an_earlier_step_changes_has_a_sentence_of_its_own(later: str, apart: bool) -> None:
    """*She gains 3 points and as many as she has* would count those she had before."""
    for language in LANGUAGES:
        text = " ".join(loop_lines(PLAYERS, f"p gains 3 points\np gains {later} points", language))
        assert text.count(".") == (2 if apart else 1), text


ACTORS = """
remember gold of each player: number 0 to 9
score points
play
    for each p in player
        hand_out(p)
    player(1) wins
rule hand_out(p: player)
    for each q in {players}
        {condition}{who} chooses gift
            {indent}give
            {indent}    q gains 1 points
            {indent}    p loses 1 points
            {indent}keep
            {indent}    p loses 2 points
"""
DOES = {"de": "Folgendes", "nl": "het volgende", "it": "fa quanto segue", "en": "does the following"}


@pytest.mark.parametrize("who", ["p", "q"])
@pytest.mark.parametrize("condition", ["", "if gold of q > 3\n            "])
@pytest.mark.parametrize("players", ["player where q is not p", "player clockwise from p", "player clockwise after p"])
def test_a_loop_over_players_says_that_they_act_only_if_they_do(who: str, condition: str, players: str) -> None:
    indent = "    " if condition else ""
    rules = small(ACTORS.format(players=players, condition=condition, who=who, indent=indent), "3 to 4")
    assert_told(rules, "hand_out", DOES, who == "q")

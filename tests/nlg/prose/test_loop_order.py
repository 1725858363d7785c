"""A loop whose steps depend on each other is told with its order, and its variable before it is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .books import LANGUAGES, rules_in, rules_of
from .test_antecedents import lines

GAME = """game steps
    players 3
    source house rule

enum stack = heap_a, heap_b, heap_c
board square
    grid 4 by 4
remember height of each square: number 0 to 9
remember strength of each stack: number 0 to 9
remember gold of each player: number 0 to 9
score points

play
    for each q in player
        q gains height of a1 + strength of heap_a + gold of q points
    {loop}
        {effect}

winner q
    most points of q
"""
SEATS = """game seats
    players 3
    source house rule

remember gold of each player: number 0 to 9
remember bonus of each player: number 0 to 9
remember chief: player
score points

play
    repeat 3 times
        {use}
        chief gains 1 points
    end game

winner q
    most points of q
"""
PURSES = """game purses
    players 3
    source house rule

enum stack = heap_a, heap_b, heap_c
enum chip = red, blue
tokens purse of each player holds chip, seen by all
tokens bank holds chip, seen by all
remember owned of each player of each stack: number 0 to 9
remember gold of each player: number 0 to 9
remember chief: player
figure crown held by player
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
        q gains gold of q + owned[q, heap_a] points
    {loop}
        {effect}
    end game

winner q
    most points of q
"""
ORDER = {"en": ("in order", "in turn"), "de": ("der Reihe nach",), "nl": ("achtereenvolgens", "om de beurt"),
         "it": ("in ordine", "a turno")}  # fmt: skip
NUMBERS = "for each n in 1 to 3"
HERE = "height of spot(square, 1, n)"
#: The number of the loop where it is introduced, and later.
FIRST = {"en": "number from 1 to 3", "de": "Zahl von 1 bis 3", "nl": "getal van 1 tot en met 3", "it": "da 1 a 3"}
LATER = {"en": "this number", "de": "diese[r]? Zahl", "nl": "dit getal", "it": "questo numero"}

AS_ROW = {"en": "as its row", "de": "als Reihe", "nl": "als rij", "it": "come riga"}
IN_ROW = {"en": "and row 2", "de": "und Reihe 2", "nl": "en rij 2", "it": "nella riga 2"}


def told(place: Path, loop: str, effect: str, language: str) -> str:
    path = place / "steps.rules"
    path.write_text(GAME.format(loop=loop, effect=effect), encoding="utf-8")
    _, *loop_lines = lines(rules_in(path), "play", language)
    return " ".join(loop_lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("loop", "effect", "ordered"),
    [
        (NUMBERS, f"set {HERE} to height of spot(square, 1, n + 1)", True),
        (NUMBERS, f"set {HERE} to height of a1", True),
        (NUMBERS, f"set {HERE} to n", False),
        (NUMBERS, f"set {HERE} to {HERE} + 1", False),
        ("for each a in stack", "set strength of a to strength of heap_b", True),
        ("for each a in stack", "set strength of a to 4", False),
        ("for each p in player", "set gold of p to gold of left of p", True),
        ("for each p in player where gold of left of p > 3", "set gold of p to gold of p + 1", True),
        ("for each p in player where gold of p > 3", "set gold of p to gold of p + 1", False),
        ("for each p in player where gold of p > 3", "set gold of left of p to 9", True),
        ("for each p in player where gold of p = highest gold of q for q in player", "set gold of p to 9", True),
        (
            "for each p in player where gold of p > 3",
            "if strength of heap_a < 4\n            set strength of heap_a to 9",
            True,
        ),
        (
            "for each a in square where height of a > 3",
            "for each b in square touching a\n            set height of b to 9",
            True,
        ),
        ("for each p in player", "let next = left of p\n        set gold of next to gold of p", True),
    ],
)
def test_the_order_of_dependent_steps_is_told(
    tmp_path: Path, loop: str, effect: str, ordered: bool, language: str
) -> None:
    text = told(tmp_path, loop, effect, language)
    assert any(words in text[0].lower() + text[1:] for words in ORDER[language]) == ordered, text


def told_of_purses(place: Path, loop: str, effect: str, language: str) -> str:
    path = place / "purses.rules"
    path.write_text(PURSES.format(loop=loop, effect=effect.replace("\n", "\n        ")), encoding="utf-8")
    _, *loop_lines, _ = lines(rules_in(path), "play", language)
    return " ".join(loop_lines)


#: The beginning of a condition that is tested in turn.
TESTED = {"en": "In turn, every player does the following: If",
          "de": "Der Reihe nach tut jeder Spieler Folgendes: Wenn",
          "nl": "Om de beurt doet elke speler het volgende: Als",
          "it": "A turno ogni giocatore fa quanto segue: Se"}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
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
def test_a_condition_that_steps_change_is_told_as_tested_in_turn(
    tmp_path: Path, condition: str, effect: str, tested: bool, language: str
) -> None:
    """*Every player who has most gains one* would give one to all of them."""
    text = told_of_purses(tmp_path, f"for each p in player where {condition}", effect, language)
    assert text.startswith(TESTED[language]) == tested, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("effect", "ordered"),
    [
        ("move all of purse of p to purse of left of p", True),
        ("let next = left of p\nmove all of purse of p to purse of next", True),
        ("move 1 red from purse of p to purse of left of p", True),
        ("move all of purse of p to bank", False),
        ("p gains points of left of p points", True),
        ("p gains points of p points", False),
        ("p gains gold of left of p points", False),
        ("set chief to p", True),
        ("let next = left of p\nset chief to next", True),
        ("set chief to player(1)", False),
        ("p takes crown", True),
        ("player(1) takes crown", False),
        ("if gold of p > 3\n    leave loop", True),
        ("if gold of p > 3\n    p wins", True),
        ("if gold of p > 3\n    nobody wins", False),
        ("if gold of p > 3\n    p gains 2 points\n    nobody wins", True),
        ("p gains 2 points\nend game", True),
        ("p gains 2 points\nfinish()", True),
        ("if gold of p > 3\n    finish()", False),
        ("p gains 2 points\nend rule", True),
        ("p gains 2 points", False),
        ("hand_on(p)", True),
        ("hand_in(p)", False),
        ("set gold of p to least(9, next_gold(p))", True),
        ("set gold of p to least(9, own_gold(p))", False),
    ],
)
def test_the_order_of_moves_gains_and_called_rules_is_told(
    tmp_path: Path, effect: str, ordered: bool, language: str
) -> None:
    text = told_of_purses(tmp_path, "for each p in player", effect, language)
    assert any(words in text[0].lower() + text[1:] for words in ORDER[language]) == ordered, text


#: Heaps that can have the same owner; a square whose figure moves on.
SHARED = """game shared
    players 3
    source house rule

enum stack = heap_a, heap_b, heap_c
enum chip = red, blue
board square
    grid 3 by 1
track road
    red 2 spaces
    blue 3 spaces
tokens chest of each square holds chip, seen by all
figure mule on square held by player
remember owner of each stack: player
remember gold of each player: number 0 to 9
score points

play
    for each {loop}
        {effect}
    player(1) wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("loop", "effect"),
    [
        ("a in stack", "if points of owner of a < 2\n            owner of a gains 1 points"),
        ("a in stack where points of owner of a < 2", "owner of a gains 1 points"),
        ("a in stack", "if holder of mule is not owner of a\n            owner of a takes mule"),
        ("a in stack", "if gold of owner of a < 2\n            set gold of owner of a to 5"),
        ("a in stack", "let rich = owner of a\n        if gold of rich < 2\n            set gold of rich to 5"),
        ("c in square", "if place of mule is c\n            move mule to step(c, east)"),
        ("c in square where place of mule is c", "move mule to step(c, east)"),
        ("c in square", "if chest[c, red] > 1\n            fill chest of step(c, east) with 2 red"),
        ("c in square", "if chest of c is not empty and space of road < 3\n            advance road by 1"),
    ],
)
def test_a_condition_that_an_earlier_step_changes_selects_nothing(loop: str, effect: str, language: str) -> None:
    """*For every square where the mule stands* would be one square, although the mule moves on."""
    changed = rules_of("shared.rules", SHARED.format(loop=loop, effect=effect))
    lead, *rest = lines(changed, "play", language)
    assert any(words in lead[0].lower() + lead[1:] for words in ORDER[language]), lead
    assert lead.endswith(":"), lead
    assert rest[0].startswith(("If ", "Wenn ", "Als ", "Se ", "Rich ", "Der Spieler", "De speler", "The player",
                               "Il giocatore")), rest  # fmt: skip


#: The lead of a loop over heaps.
FOR_EVERY = {"en": "For every stack", "de": "Für jede", "nl": "Voor elk", "it": "Per ogni stack"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "effect",
    [
        "let rich = first q in player with most owned[q, a]\nrich gains 1 points",
        "let rich = first q in player with fewest owned[q, a]\nrich gains 1 points",
        "let rich = first q in player clockwise after player(1) with most owned[q, a]\nrich gains 1 points",
        "let rich = first q in player where owned[q, a] > 2\nrich gains 1 points",
        "let rich = first q in player with most owned[q, a]\nmove all of purse of rich to bank",
        "let rich = first q in player where owned[q, a] > 2\nlet next = left of rich\nnext gains 1 points",
        "let lucky = random q in player weighted by owned[q, a]\nlucky gains 1 points",
        "for each q in player with most owned[q, a]\n    q gains 1 points",
        "for each q in player where owned[q, a] > 2\n    q gains 1 points",
    ],
)
def test_a_loop_is_told_before_what_is_selected_in_it(tmp_path: Path, effect: str, language: str) -> None:
    """*The player who has most of every kind* is another player than *for every kind, the one who has most of it*."""
    text = told_of_purses(tmp_path, "for each a in stack", effect, language)
    assert text.startswith(FOR_EVERY[language]), text


#: The beginning of the remark that a superlative compares only what meets the other conditions.
COMPARED = {"en": "(comparing only", "de": "(verglichen werden nur", "nl": "(alleen", "it": "(si confrontano solo"}
DOMAINS = [
    ("q in player where gold of q > 3 with most owned[q, heap_a]", True),
    ("q in player where gold of q > 3 with fewest points of q", True),
    ("q in player where gold of q > 3 and points of q < 7 with most size of purse of q", True),
    ("q in player clockwise after player(1) where purse of q is empty with fewest points of q", True),
    ("q in player clockwise from player(1) where gold of q > 3 with most points of q", True),
    ("q in player with most points of q", False),
    ("q in player clockwise after player(1) with most points of q", False),
    ("q in player where gold of q > 3", False),
]
USES = {
    "let": ("repeat 2 times", "let best = first {}\nbest gains 1 points"),
    "number": ("repeat 2 times", "player(1) gains number of {} points"),
    "some": ("repeat 2 times", "if some {}\n    player(1) gains 1 points"),
    "loop": ("for each {}", "q gains 1 points"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("domain", "compared"), DOMAINS)
def test_what_a_superlative_compares_is_told(
    tmp_path: Path, domain: str, compared: bool, use: str, language: str
) -> None:
    """No player has a card and the fewest points if one without a card has fewer."""
    loop, effect = (part.format(domain) for part in USES[use])
    text = told_of_purses(tmp_path, loop, effect, language)
    assert text.count(COMPARED[language]) == int(compared), text
    assert use in ("number", "some") or ") (" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("measure", ["most points of q", "fewest owned[q, heap_a]", "most size of purse of q"])
@pytest.mark.parametrize("effect", ["for each {}\n    q gains 1 points", "let best = first {}\nbest gains 1 points"])
def test_a_superlative_of_the_others_compares_only_them(
    tmp_path: Path, effect: str, measure: str, language: str
) -> None:
    """*Every other player who has the most* is an empty set if the excluded player has the most."""
    domain = f"q in player where q is not p with {measure}"
    text = told_of_purses(tmp_path, "for each p in player", effect.format(domain), language)
    assert text.count(COMPARED[language]) == 1, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("condition", "compared"), [("", False), (" where points of q > 3", True)])
def test_words_of_a_game_for_a_superlative_do_not_hide_what_is_compared(
    condition: str, compared: bool, language: str
) -> None:
    head = "variant bids of goofspiel\n    source house rule\n\nbefore tied in play\n"
    changed = rules_of(
        "bids.rules", f"{head}    for each q in player{condition} with most offer(q)\n        q gains 1 points\n"
    )
    assert (COMPARED[language] in " ".join(lines(changed, "play", language))) == compared


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", ["n", "n + 1", "height of spot(square, n, 2)", "height of spot(square, 1, n + 1)"])
def test_the_number_of_a_loop_is_introduced_first(tmp_path: Path, value: str, language: str) -> None:
    text = told(tmp_path, NUMBERS, f"set {HERE} to {value}", language)
    later = re.search(LATER[language], text)
    assert later is not None
    assert 0 <= text.find(FIRST[language]) < later.start(), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_computed_coordinate_is_no_name_of_a_row(tmp_path: Path, language: str) -> None:
    """*In row 2* names a row, unlike *in row this number*."""
    text = told(tmp_path, NUMBERS, f"set {HERE} to height of spot(square, 1, 2)", language)
    assert AS_ROW[language] in text
    assert IN_ROW[language] in text


#: The start of the order, in parentheses behind the clause about the player.
COUNTED = {"en": "clockwise", "de": "Uhrzeigersinn", "nl": "klok mee", "it": "senso orario"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("order", ["from", "after"])
@pytest.mark.parametrize("clause", ["with most gold of q", "with fewest gold of q", "where gold of q > 3",
                                    "where gold of q > 3 with most bonus of q"])  # fmt: skip
@pytest.mark.parametrize(
    "use", ["set chief to {found}", "if ({found}) is not chief\n            set chief to player(1)"]
)
def test_a_clause_about_a_player_does_not_follow_another_player(
    use: str, clause: str, order: str, language: str
) -> None:
    found = f"first q in player clockwise {order} chief {clause}"
    changed = rules_of("seats.rules", SEATS.format(use=use.format(found=found)))
    text = " ".join(lines(changed, "play", language))
    assert re.search(rf"\w \([^()]*{COUNTED[language]}[^()]*chief[^()]*\)", text), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("later", "apart"),
    [("points of p", True), ("points of left of p", True), ("gold of p", False), ("size of purse of p", False)],
)
def test_an_amount_that_an_earlier_step_changes_has_a_sentence_of_its_own(
    tmp_path: Path, later: str, apart: bool, language: str
) -> None:
    """*She gains 3 points and as many as she has* would count those she had before."""
    text = told_of_purses(tmp_path, "for each p in player", f"p gains 3 points\np gains {later} points", language)
    assert text.count(".") == (2 if apart else 1), text


ACTORS = """game actors
    players 3 to 4
    source house rule

remember gold of each player: number 0 to 9
score points

play
    repeat 3 times
        for each p in player
            hand_out(p)
    end game

rule hand_out(p: player)
    for each q in {players}
        {condition}{who} chooses gift
            {indent}give
            {indent}    q gains 1 points
            {indent}    p loses 1 points
            {indent}keep
            {indent}    p loses 2 points

winner q
    most points of q
"""
DOES = {"de": "Folgendes", "nl": "het volgende", "it": "fa quanto segue", "en": "does the following"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("who", ["p", "q"])
@pytest.mark.parametrize("condition", ["", "if gold of q > 3\n            "])
@pytest.mark.parametrize("players", ["player where q is not p", "player clockwise from p", "player clockwise after p"])
def test_a_loop_over_players_says_that_they_act_only_if_they_do(
    language: str, who: str, condition: str, players: str
) -> None:
    indent = "    " if condition else ""
    rules = ACTORS.format(players=players, condition=condition, who=who, indent=indent)
    changed = rules_of("actors.rules", rules)
    text = " ".join(lines(changed, "hand_out", language))
    assert (DOES[language] in text) is (who == "q"), text

"""A rulebook keeps a stored value if its expression changes later, and a message if it shows a secret."""

from __future__ import annotations

import re
from itertools import product

import pytest

from wongar_dsl.language.semantics import Model

from .books import LANGUAGES, small, text_of_book

GAME = """
board corner
    row here there
    here touches there
    there touches here
figure pawn on corner
figure crown held by player
cards leaf
    red
    green
deck leaves of leaf total 4
    2 red, 2 green
enum ore = nugget
pile stock holds leaf, seen by nobody
heap gone holds leaf, seen by all
tokens vein holds ore, seen by all
tokens sack of each player holds ore, seen by all
enum part = low, high
track trail
    low 4 spaces
    high 4 spaces
remember luck of each player: number 0 to 20
remember bold of each player: yes or no
remember king: player
remember seat of each player: corner
score points

setup
    fill vein with 20 nugget
    fill stock with leaves
    shuffle stock quietly

play
    repeat 2 times
        for each p in player
{body}
    end game

define wealth(p: player) = luck of p + sack[p, nugget]

rule work(p: player)
    {change}

rule compare(p: player, before: {type})
    {change}
    if {value} = before
        p gains 2 points

winner p
    most points of p
"""
#: Expression to store, its type, and a statement that changes it.
KEPT = {
    "luck of p": ("number", "set luck of p to luck of p + 1"),
    "wealth(p)": ("number", "set luck of p to luck of p + 1"),
    "sack[p, nugget]": ("number", "move 1 nugget from vein to sack of p quietly"),
    "size of stock": ("number", "move top of stock to gone quietly"),
    "space of trail": ("number", "advance trail by 1 quietly"),
    "number of q in player where luck of q > 0": ("number", "set luck of p to luck of p + 1"),
    "king": ("player", "set king to left of p"),
    "holder of crown": ("player", "p takes crown quietly"),
    "place of pawn": ("corner", "move pawn to there quietly"),
    "seat of p": ("corner", "set seat of p to there"),
}
#: Place of the change.
CHANGED = {
    "at once": "{change}",
    "on a condition": "if luck of p > 1\n    {change}",
    "in a loop": "repeat 2 times\n    {change}",
    "in a rule": "work(p)",
    "by a choice": "p chooses\n    dig\n        {change}\n    rest\n        nothing",
}
QUOTED = {"en": "“before”", "de": "„before“", "nl": "“before”", "it": "«before»"}
#: *If X is more than Y,*
COMPARED = re.compile(r"[Ii]f ([^.]+) (?:is|are) (?:not |more than |less than |at least |at most )?(.+?),")


def storing(value: str, body: str) -> Model:
    kind, change = KEPT[value]
    lines = "\n".join(" " * 12 + line for line in body.format(change=change, value=value).splitlines())
    return small(GAME.format(body=lines, change=change, type=kind, value=value), "2 to 3")


def mentions(rules: Model) -> set[int]:
    """Return how often the languages tell the name of the stored value."""
    return {text_of_book(rules, language).count(quoted) for language, quoted in QUOTED.items()}


@pytest.mark.parametrize(("value", "how"), list(product(KEPT, CHANGED)))
def test_changed_expression_does_not_replace_the_stored_value(value: str, how: str) -> None:
    rules = storing(value, f"let before = {{value}}\n{CHANGED[how]}\nif {{value}} = before\n    p gains 2 points")
    assert mentions(rules) == {2}
    # No value is compared with itself.
    pairs = COMPARED.findall(" ".join(text_of_book(rules, "en").split()))
    assert any("before" in left + right for left, right in pairs)
    assert not [pair for pair in pairs if pair[0] == pair[1]]


@pytest.mark.parametrize("value", KEPT)
def test_argument_is_stored_if_the_rule_changes_it(value: str) -> None:
    assert mentions(storing(value, "compare(p, {value})")) == {2}


@pytest.mark.parametrize("value", KEPT)
@pytest.mark.parametrize(
    "body",
    [
        # The change comes after the use, only on a path without the use, or the game ends after the change.
        "let before = {value}\nif {value} = before\n    p gains 2 points\n{change}",
        "let before = {value}\nif luck of p > 3\n    {change}\notherwise if {value} = before\n    p gains 2 points",
        "let before = {value}\nif luck of p > 3\n    {change}\n    end game\nif {value} = before\n    p gains 2 points",
    ],
)
def test_unchanged_value_is_written_out(value: str, body: str) -> None:
    assert "before" not in text_of_book(storing(value, body), "en")


@pytest.mark.parametrize("value", ["king", "holder of crown", "left of king", "first q in player with most luck of q"])
def test_stored_player_is_distinguished_after_a_change(value: str) -> None:
    change = "set king to left of p\nset luck of p to 3\nleft of p takes crown quietly"
    body = f"let before = {value}\nbefore gains 3 points\n{change}\nbefore gains 2 points"
    assert mentions(storing("luck of p", body)) == {3}


def test_value_used_only_in_a_message_is_omitted() -> None:
    rules = storing("luck of p", "let before = {value}\n{change}\ntell grown(player: p, n: before)")
    assert mentions(rules) == {0}


def test_boolean_values_are_stored() -> None:
    body = "let before = bold of p\nset bold of p to yes\nif before\n    p gains 2 points"
    text = text_of_book(storing("luck of p", body), "en")
    assert "What counts is this moment: “before” is “yes” if" in " ".join(text.split())


SECRETS = """
enum suit = cup, coin
cards tarot
    arcane(of: suit)
deck arcana of tarot
    4 arcane(cup), 4 arcane(coin)
pile well holds tarot, seen {common}
hand held of each player holds tarot, seen {seen}
heap gone holds tarot, seen {common}
tokens purse of each player holds suit, seen {owned}
remember plan of each player: suit, seen {owned}
setup
    fill well with arcana
    for each p in player
        move top of well to held of p
        set plan of p to cup
play
    for each p in player
        p chooses act
            ask(c: held of p)
                {moved}
                tell answered(player: p, value: {value})
            pass
                tell passes(player: p)
        tell went_on(player: p, n: size of held of p)
    nobody wins
"""
HIDDEN = ("by owner", "by nobody", "as a number")
KNOWN = {"de": "allen Spielern bekannt", "nl": "bekendgemaakt", "it": "conoscono ora", "en": "known to all players"}
VALUES = (
    "c", "of of c", "top of well", "plan of p", "purse[left of p, cup]", "count of arcane(cup) in held of left of p",
    "(number of q in player where plan of q is coin)", "highest purse[q, coin] for q in player",
)  # fmt: skip


def known(seen: str, value: str = "c", moved: str = "nothing") -> set[str]:
    """Return the languages whose rulebook says that a message makes something known."""
    # Only the owner of a zone of a player sees it, and only zones have a size.
    common, owned = ("by nobody" if seen == "by owner" else seen), ("by owner" if seen == "as a number" else seen)
    rules = small(SECRETS.format(seen=seen, common=common, owned=owned, value=value, moved=moved))
    return {language for language, words in KNOWN.items() if words in text_of_book(rules, language, "play")}


@pytest.mark.parametrize("seen", [*HIDDEN, "by all"])
@pytest.mark.parametrize("value", VALUES)
def test_only_a_message_with_something_hidden_is_told(value: str, seen: str) -> None:
    assert known(seen, value) == ({*LANGUAGES} if seen in HIDDEN else set())


@pytest.mark.parametrize("value", ["size of held of p", "p", "3"])
def test_size_of_a_zone_is_only_hidden_if_nobody_sees_it(value: str) -> None:
    assert known("by owner", value) | known("as a number", value) == set()


def test_card_that_is_moved_shows_itself_where_it_goes() -> None:
    assert known("by owner", "c", "move c from held of p to gone") == set()

"""Counts in sentences: the verb agrees with the counted noun, and ranges of numbers have no article or preposition."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import rules_in, rules_of, text_of_book, units_of

GAME = """
board cell
    grid 3 by 3
remember used of each cell: yes or no = no
score points
play
    repeat
        for each p in player
            p chooses turn
                take(n: 1 to 3)
                    p gains n points
                    if (number of c in cell where used[c]) {sign} {number}
                        p wins
                otherwise
                    nobody wins
"""

#: Singular, plural and the range from 1 to 3.
WORDS = {
    "en": ("there is", "there are", "from 1 to 3"),
    "de": ("gibt", "gibt", "von 1 bis 3"),
    "it": ("c’è", "ci sono", "da 1 a 3"),
    "nl": ("cel", "zijn", "van 1 tot en met 3"),
}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize(("sign", "number"), [(">", 1), ("<=", 1), (">", 3), (">=", 3), ("<=", 3)])
def test_verb_agrees_with_a_counted_noun(language: str, sign: str, number: int, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, GAME.format(sign=sign, number=number))), language).casefold()
    one, several, span = WORDS[language]
    assert (several if number > 1 else one) in text
    assert span in text


COPIES = """
cards card
    fox
    owl
deck pack of card
    9 fox, 9 owl
hand held of each player holds card, seen by owner
heap out holds card, seen by all
score points
setup
    for each p in player
        fill held of p with pack
play
    repeat 3 times
        for each p in player
            p chooses turn
                drop(c: held of p)
                    move c from held of p to out
                    let other = random x in out
                    if count of {card} in {zone} {sign} {number}
                        p gains 1 points
                otherwise
                    impossible
    end game
winner p
    most points of p
"""
#: No copy, one copy and several copies.
COPY = {
    "en": ("no copy of", "one copy of", "copies of"), "de": ("kein Exemplar", "ein Exemplar", "Exemplare "),
    "it": ("nessuna copia", "una copia", "copie d"), "nl": ("geen exemplaar", "één exemplaar", "exemplaren van"),
}  # fmt: skip


@pytest.mark.parametrize("card", ["c", "other"])
@pytest.mark.parametrize("zone", ["out", "held of left of p"])
def test_copies_of_a_chosen_card_are_told_with_their_number(card: str, zone: str, tmp_path: Path) -> None:
    signs = (("<", 1), ("=", 1), ("=", 2), (">", 2), ("<=", 2), ("!=", 2))
    for language, words in COPY.items():
        told = set[str]()
        for sign, number in signs:
            rules = COPIES.format(card=card, zone=zone, sign=sign, number=number)
            text = text_of_book(rules_in(write_rules(tmp_path, rules)), language, "play")
            kind = words[0] if sign == "<" else words[1] if number == 1 else f"{number} {words[2]}"
            assert kind in text, (language, sign, number, text)
            told.add(text)
        assert len(told) == len(signs)


#: A variant of a game with a noun for kinds of its cards.
KINDS_HAVE_A_NOUN = """variant counted of wongar
    source house rule
after rule elder_privilege
    for each p in player
        p chooses offering
            offer(mine: rituals_held of p)
                move mine from rituals_held of p to discards
                let other = random x in discards
{conditions}            decline
                nothing
"""


@pytest.mark.parametrize("card", ["mine", "other"])
@pytest.mark.parametrize("owner", ["p", "left of p"])
def test_a_chosen_card_is_counted_as_a_card_also_where_its_kind_has_a_noun(card: str, owner: str) -> None:
    # The number of points tells in which line a condition is.
    counts = {51: (">=", 2), 52: ("=", 3), 53: ("<=", 1), 54: (">", 2)}
    conditions = "".join(
        f"{' ' * 16}if count of {card} in rituals_held of {owner} {sign} {number}\n"
        f"{' ' * 20}p gains {points} points for scorpions\n"
        for points, (sign, number) in counts.items()
    )
    rules = rules_of("counted.rules", KINDS_HAVE_A_NOUN.format(conditions=conditions))
    for language, words in COPY.items():
        told = [unit.text for unit in units_of(rules, "elder_privilege", language)]
        for points, (sign, number) in counts.items():
            [line] = (line for line in told if str(points) in line)
            assert (words[1] if number == 1 else f"{number} {words[2]}") in line, (language, sign, line)


#: Alternatives that can both hold, after another condition.
INCLUSIVE = (
    "n > 1 and (points of p > 2 or used[c])",
    "n > 1 and not (points of p > 2 and used[c])",
    "n > 1 and points of p > 0 and (used[c] or points of p > 2 or n = 3)",
    "not (n = 1 or (points of p < 2 and used[c]))",
    "(n = 1 or used[c]) and (points of p > 2 or n = 3)",
)
#: Words that exclude the case of both, and the conjunction repeated before alternatives.
EXCLUSIVE = {"en": "either", "de": "entweder", "nl": "ofwel", "it": " e o "}
AND_IF = {"en": "and if ", "de": "und wenn ", "nl": "en als ", "it": "e se "}
LEADS = ("if {}\n    p wins", "repeat while {}\n    p gains 1 points\n    set used[c] to no")


@pytest.mark.parametrize("language", EXCLUSIVE)
@pytest.mark.parametrize("lead", [*LEADS, ""])
@pytest.mark.parametrize("condition", INCLUSIVE)
def test_alternatives_do_not_exclude_each_other(condition: str, lead: str, language: str, tmp_path: Path) -> None:
    body = lead.format(condition).replace("\n", "\n                    ") or "p gains 1 points"
    allowed = "" if lead else f" if {condition}"
    rules = GAME.replace("take(n: 1 to 3)", f"take(n: 1 to 3, c: cell){allowed}")
    rules = (
        rules.partition("p gains n points")[0] + body + "\n                otherwise\n                    nobody wins\n"
    )
    text = text_of_book(rules_in(write_rules(tmp_path, rules)), language)
    assert EXCLUSIVE[language] not in text.casefold(), text
    grouped = re.search(r"\([^()→]{20,}\)", text)
    # A condition on the chosen number alone is part of its range.
    assert grouped or AND_IF[language] in text or not lead, text

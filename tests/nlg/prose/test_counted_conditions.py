"""Counts in sentences: the verb agrees with the counted noun, and ranges of numbers have no article or preposition."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.library import load

from .books import text_of_book

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
    text = text_of_book(load(write_rules(tmp_path, GAME.format(sign=sign, number=number))).model, language).casefold()
    one, several, span = WORDS[language]
    assert (several if number > 1 else one) in text
    assert span in text


#: Alternatives of which both can hold, after another condition.
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
    text = text_of_book(load(write_rules(tmp_path, rules)).model, language)
    assert EXCLUSIVE[language] not in text.casefold(), text
    grouped = re.search(r"\([^()→]{20,}\)", text)
    # A condition on the chosen number alone is part of its range.
    assert grouped or AND_IF[language] in text or not lead, text

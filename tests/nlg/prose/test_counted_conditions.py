"""Counts in sentences: the verb agrees with the counted noun, and ranges of numbers have no article or preposition."""

from __future__ import annotations

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

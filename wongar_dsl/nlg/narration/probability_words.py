"""Win probabilities in words."""

from __future__ import annotations

from wongar_dsl.nlg.words import Text, Translator

#: Shares closer than this to 0 or 1 are described in words instead of tenths.
EDGE = 0.05


def probability_text(words: Translator, share: float, certain: bool = False) -> Text:
    """Describe an expected share of the win, as words after a colon; `certain`: the result is decided."""
    if certain:
        return Text(words.say("chance.won" if share >= 1 else "chance.shared" if share > 0 else "chance.lost"))
    if share < EDGE or share > 1 - EDGE:
        return Text(words.say("chance.hardly" if share < EDGE else "chance.nearly"))
    return Text(words.say("chance.tenths", tenths=min(9, max(1, round(share * 10)))))

"""How likely somebody is to win, in words."""

from __future__ import annotations

from wongar_dsl.words import Text, Words

#: So near to nothing and to everything no tenths are told.
EDGE = 0.05


def chance(words: Words, share: float, certain: bool = False) -> Text:
    """A share of the win that somebody can expect, as words that follow a colon; `certain`: nothing else can come."""
    if certain:
        return Text(words.say("chance.won" if share >= 1 else "chance.shared" if share > 0 else "chance.lost"))
    if share < EDGE or share > 1 - EDGE:
        return Text(words.say("chance.hardly" if share < EDGE else "chance.nearly"))
    return Text(words.say("chance.tenths", tenths=min(9, max(1, round(share * 10)))))

"""Local names that are assigned more than once are mentioned by name."""

from __future__ import annotations

import pytest

from .books import rules_of
from .test_mentions import rule_lines

GAME = """game again
    players 2

score points

play
    for each p in player
        let left_over = points of p
        let favoured = p
        let twice = no
        repeat while left_over > 2
            set left_over to left_over - 1
            set twice to yes
        p chooses going
            far
                set favoured to left of p
            near
                nothing
        if twice
            favoured gains left_over points
    end game

winner p
    most points of p
"""
LINES = {
    "en": (
        "The number “left over” is at first their points.",
        "The player “favoured” is at first the player “p”.",
        "“twice” is “no”.",
        "As long as the number “left over” is more than 2:",
        "The number “left over” falls by 1.",
        "“twice” becomes “yes”.",
        "The player “favoured” is now the left-hand neighbour of the player “p”.",
        "If “twice” is “yes”, the player “favoured” gains",
    ),
    "de": (
        "Der Spieler „favoured“ ist zuerst der Spieler „p“.",
        "„twice“ steht auf „nein“.",
        "„twice“ wird auf „ja“ gesetzt.",
        "Wenn „twice“ auf „ja“ steht, erhält der Spieler „favoured“",
    ),
}


@pytest.mark.parametrize(("language", "line"), [(language, line) for language in LINES for line in LINES[language]])
def test_reassigned_value_is_mentioned_by_name(language: str, line: str) -> None:
    changed = rules_of("again.rules", GAME)
    lines = rule_lines(changed, "play", language)
    assert any(text.lstrip().startswith(line) for text in lines), lines

"""What is different between two rulebooks, on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.prose.summary import MOST, summary
from wongar_dsl.words import Text, Words

from .terminal.screen import Screen

if TYPE_CHECKING:
    from wongar_dsl.library import Rules
    from wongar_dsl.prose.differences import Part
    from wongar_dsl.prose.reading import Reading

#: What stands before a line, and its style where there are colours.
MARKS = {
    "new": ("+ ", "number"),
    "gone": ("- ", "faint"),
    "changed": ("~ ", "number"),
    "moved": ("> ", ""),
    "kept": ("  ", "faint"),
}


def reading(rules: Rules, words: Words, players: int | None = None) -> Reading:
    """The rulebook of a game in a language, for any number of players or for one."""
    from wongar_dsl.narration.narrator import title
    from wongar_dsl.prose.outline import rulebook
    from wongar_dsl.prose.reading import Reading

    return Reading(rulebook(rules.model, words, players), words, title(words, rules.name))


def in_short(parts: Sequence[Part], words: Words, most: int = MOST) -> list[str]:
    """The changes that tell most, a sentence or so for each, with the heading under which it stands."""
    told = []
    for part, change in summary(parts, most):
        heading, sentence = Text(part.heading), Text(change.alone or change.text)
        gone = change.sort == "gone"
        told.append(words.say("cli.games.gone" if gone else "cli.games.now", heading=heading, sentence=sentence))
    return told


def show_part(part: Part, screen: Screen, words: Words) -> None:
    """What is different under one heading; where lines were brought from is said above the first of them."""
    heading = Text(part.heading)
    screen.text(words.say(f"diff.{part.whole}", heading=heading) if part.whole else part.heading, "strong")
    source = ""
    for change in part.changes:
        mark, style = MARKS[change.sort]
        sign = mark + "  " * change.depth
        if change.source and change.source != source:
            screen.text(sign + words.say("diff.moved", heading=Text(change.source)), "faint", " " * len(sign))
        source = change.source
        screen.text(sign + change.text, style, " " * len(sign))

"""Terminal output of the differences between two rulebooks."""

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

#: Prefix of a line by sort of change, and its style where the terminal has colours.
MARKS = {
    "new": ("+ ", "number"),
    "gone": ("- ", "faint"),
    "changed": ("~ ", "number"),
    "moved": ("> ", ""),
    "kept": ("  ", "faint"),
}


def reading(rules: Rules, words: Words, players: int | None = None) -> Reading:
    """Return the rulebook of a game in a language, for any number of players or for one."""
    from wongar_dsl.narration.narrator import title
    from wongar_dsl.prose.outline import rulebook
    from wongar_dsl.prose.reading import Reading

    return Reading(rulebook(rules.model, words, players), words, title(words, rules.name))


def in_short(parts: Sequence[Part], words: Words, most: int = MOST) -> list[str]:
    """Return the most important changes, each about a sentence with its heading."""
    lines = []
    for part, change in summary(parts, most):
        heading, sentence = Text(part.heading), Text(change.alone or change.text)
        gone = change.sort == "gone"
        lines.append(words.say("cli.games.gone" if gone else "cli.games.now", heading=heading, sentence=sentence))
    return lines


def show_part(part: Part, screen: Screen, words: Words) -> None:
    """Print the differences under one heading.

    The origin of moved lines is printed above the first of them.
    """
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

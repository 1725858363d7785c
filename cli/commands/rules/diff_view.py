"""Terminal output of the differences between two rulebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.nlg.prose.render.change_summary import MAX_SENTENCES, summary
from wongar_dsl.nlg.words import Text, Translator

from ...terminal.screen import Screen

if TYPE_CHECKING:
    from wongar_dsl.engine.library import Rules
    from wongar_dsl.nlg.prose.render.differences import ChangedSection
    from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

#: Prefix of a line by sort of change, and its style where the terminal has colours.
MARKS = {
    "new": ("+ ", "number"),
    "gone": ("- ", "faint"),
    "changed": ("~ ", "number"),
    "moved": ("> ", ""),
    "kept": ("  ", "faint"),
}


def rulebook_reading(rules: Rules, words: Translator, players: int | None = None) -> RealisedRulebook:
    """Return the rulebook of a game in a language, for any number of players or for one."""
    from wongar_dsl.nlg.narration.narrator import title
    from wongar_dsl.nlg.prose.document.outline import rulebook
    from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

    return RealisedRulebook(rulebook(rules.model, words, players), words, title(words, rules.name))


def summary_of_changes(parts: Sequence[ChangedSection], words: Translator, most: int = MAX_SENTENCES) -> list[str]:
    """Return the most important changes, each about a sentence with its heading."""
    lines = []
    for part, change in summary(parts, most):
        heading, sentence = Text(part.heading), Text(change.alone or change.text)
        removed = change.sort == "gone"
        lines.append(words.say("cli.games.gone" if removed else "cli.games.now", heading=heading, sentence=sentence))
    return lines


def show_part(part: ChangedSection, screen: Screen, words: Translator) -> None:
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

"""What somebody beside the table explains, and how that is told line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.table.places import Place

from .display import Display

#: A text with its style.
Paragraph = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Something explained: what has to be read, and the `small_print`, what the rules say of it and where; `places`
    are worth a look.  `suggested` is what to try, below all that."""

    said: tuple[Paragraph, ...]
    small_print: tuple[Paragraph, ...] = ()
    suggested: tuple[Paragraph, ...] = ()
    places: tuple[Place, ...] = ()


def tell(display: Display, explained: Sequence[Explanation], above: bool) -> None:
    """Tell explanations, each with an empty line `above` it, else below it."""
    screen = display.screen
    mark = "" if display.aloud else "▌ " if screen.unicode else "| "
    for one in explained:
        if above:
            screen.line()
        for style, text in (*one.said, *one.small_print, *one.suggested):
            # What is folded stands below the first word.
            screen.text(f"{mark}{text}", style, mark + " " * indented(text))
        if not above:
            screen.line()


def indented(text: str) -> int:
    """How far the further lines of a text stand in."""
    return len(text) - len(text.lstrip(" –"))

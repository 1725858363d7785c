"""Explanations by an observer, and their output line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.session.scene import BoardArea

from ..display import Display

#: A text with its style.
Paragraph = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An explanation: main text, `small_print` with the rules and their source, and areas to highlight.

    `suggested` are things to try, shown last.
    """

    said: tuple[Paragraph, ...]
    small_print: tuple[Paragraph, ...] = ()
    suggested: tuple[Paragraph, ...] = ()
    places: tuple[BoardArea, ...] = ()


def show_explanations(display: Display, explained: Sequence[Explanation], above: bool) -> None:
    """Print explanations, each with an empty line before it (`above`) or after it."""
    screen = display.screen
    mark = "" if display.screen_reader else "▌ " if screen.unicode else "| "
    for explanation in explained:
        if above:
            screen.line()
        for style, text in (*explanation.said, *explanation.small_print, *explanation.suggested):
            # Continuation lines are aligned with the first word.
            screen.text(f"{mark}{text}", style, mark + " " * indented(text))
        if not above:
            screen.line()


def indented(text: str) -> int:
    """Return the indentation of a text's continuation lines."""
    return len(text) - len(text.lstrip(" –"))

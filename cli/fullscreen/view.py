"""What is to be seen on a full screen at one time: values that a conversation makes, and that a screen draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wongar_dsl.engine import Move
from wongar_dsl.table.digest import Digest
from wongar_dsl.table.menu import Entry, Menu
from wongar_dsl.words import Words

from ..pictures.scene import Place, Scene
from ..terminal.screen import Line

#: What is wanted: a choice, a yes or no, that nobody else looks, Enter, or nothing while others decide.
Kind = Literal["choice", "agree", "curtain", "pause", "wait"]

#: The panes, in the order in which Tab goes through them.
PANES = ("options", "story", "table", "board")


class Paragraph(NamedTuple):
    """A text with its style; `indent` is how far it and its further lines stand in."""

    style: str
    text: str
    indent: str = ""


@dataclass(frozen=True)
class View:
    """What is shown; `asked` is the number of the question, another one for each.

    `scene` is what may be seen, None where a curtain hides it.  The `story` is told up to now; what is `fresh` of it
    (from that paragraph on) the viewer has not been shown when they decided last, and the `digest` is the short of
    that.  `notes` answer what was typed last, `touched` are the areas that an option touches, by its number.
    """

    asked: int
    kind: Kind
    words: Words
    question: str = ""
    hint: str = ""
    menu: Menu = field(default_factory=lambda: Menu(()))
    scene: Scene | None = None
    story: tuple[Paragraph, ...] = ()
    fresh: int = 0
    digest: Digest | None = None
    notes: tuple[Paragraph, ...] = ()
    touched: Mapping[int, frozenset[Place]] = field(default_factory=dict)
    completions: tuple[str, ...] = ()
    #: Whether a part of the choice has been made already, so that there is a way back.
    begun: bool = False
    #: The parts of the picture that were drawn already, by what they were drawn for.
    drawn: dict[tuple[object, ...], list[Line]] = field(default_factory=dict, compare=False, repr=False)

    def entry(self, number: int) -> Entry | None:
        """The option of a number."""
        return next((entry for entry in self.menu.entries if entry.number == number), None)


def yes_or_no(words: Words) -> Menu:
    """The menu of a question that is answered with yes or no."""
    move = Move(0)
    said = [words.say(f"screen.{name}") for name in ("yes", "no")]
    return Menu(tuple(Entry(number, move, text, text) for number, text in enumerate(said, 1)))

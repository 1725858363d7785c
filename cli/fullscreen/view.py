"""What is to be seen on a full screen at one time: values that a conversation makes, and that a screen draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from wongar_dsl.engine import Move
from wongar_dsl.table.digest import Digest
from wongar_dsl.table.menu import Entry, Menu
from wongar_dsl.words import Words

from ..pictures.scene import Place, Scene
from ..terminal.screen import Line

if TYPE_CHECKING:
    from wongar_dsl.table.aims import Aim

#: What is wanted: a choice, a yes or no, that nobody else looks, Enter, that something explained is read, or nothing
#: while others decide.
Kind = Literal["choice", "agree", "curtain", "pause", "lesson", "wait"]

#: The panes, in the order in which Tab goes through them.
PANES = ("options", "lesson", "story", "table", "board", "list", "ways")


class Light(NamedTuple):
    """What lights up on the boards: the areas that an option touches, those to which it could lead, and how a card
    that it lays would lie."""

    lit: frozenset[Place] = frozenset()
    led: frozenset[Place] = frozenset()
    laying: Aim | None = None

    @property
    def focus(self) -> frozenset[Place]:
        """The areas that are to be seen first."""
        return frozenset({(self.laying.board, self.laying.area)}) if self.laying is not None else self.lit


#: No option is pointed at.
DARK = Light()


class Paragraph(NamedTuple):
    """A text with its style; `indent` is how far it and its further lines stand in."""

    style: str
    text: str
    indent: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What somebody beside the table explains: what is to be read, below it the `small_print`; `places` are worth a
    look."""

    said: tuple[Paragraph, ...] = ()
    small_print: tuple[Paragraph, ...] = ()
    places: frozenset[Place] = frozenset()


@dataclass(frozen=True)
class View:
    """What is shown; `asked` is the number of the question, another one for each.

    `scene` is what may be seen, None where a curtain hides it.  The `story` is told up to now; what is `fresh` of it
    (from that paragraph on) the viewer has not been shown when they decided last, and the `digest` is the short of
    that.  `notes` answer what was typed last, `touched` are the areas that an option touches, by its number, and `led`
    those to which it could lead, and a `lesson` is for who does not know the game yet.
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
    led: Mapping[int, frozenset[Place]] = field(default_factory=dict)
    completions: tuple[str, ...] = ()
    lesson: Lesson = field(default_factory=Lesson)
    #: Whose eyes it is for, and how many steps there were when their turn began.
    viewer: int | None = None
    since: int = 0
    #: After what could not be understood: the option that was probably meant, 0 for none.
    meant: int | None = None
    #: Whether a part of the choice has been made already, so that there is a way back.
    begun: bool = False
    #: The parts of the picture that were drawn already, by what they were drawn for.
    drawn: dict[tuple[object, ...], list[Line]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def bare(self) -> bool:
        """Whether nothing of the table is seen: before a curtain, and as long as the game is being made ready."""
        return self.kind == "curtain" or not self.asked

    def entry(self, number: int) -> Entry | None:
        """The option of a number."""
        return next((entry for entry in self.menu.entries if entry.number == number), None)


def yes_or_no(words: Words) -> Menu:
    """The menu of a question that is answered with yes or no."""
    move = Move(0)
    said = [words.say(f"screen.{name}") for name in ("yes", "no")]
    return Menu(tuple(Entry(number, move, text, text) for number, text in enumerate(said, 1)))

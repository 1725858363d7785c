"""View model of the full screen: created by the dialogue, drawn by the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.changes import Digest
from wongar_dsl.session.menu import Menu, MenuEntry
from wongar_dsl.session.scene import BoardArea

if TYPE_CHECKING:
    from wongar_dsl.session.decisions import OptionTarget

#: Expected input: `choice` of an option, `confirm` with yes or no, Enter at the `privacy` screen or in a `pause`,
#: Enter after an explanation (`lesson`), or none while others decide (`wait`).
Kind = Literal["choice", "confirm", "privacy", "pause", "lesson", "wait"]

#: The panes in the order of Tab; `story` is the log, `list` and `ways` are pages of the board with lists and paths.
PANES = ("options", "lesson", "story", "table", "board", "list", "ways")


class BoardHighlight(NamedTuple):
    """Highlighting on the boards: areas that an option affects (`lit`), areas it could lead to, and the card it would
    place.
    """

    lit: frozenset[BoardArea] = frozenset()
    reachable: frozenset[BoardArea] = frozenset()
    placement: OptionTarget | None = None

    @property
    def focus(self) -> frozenset[BoardArea]:
        """The areas to scroll to."""
        return frozenset({(self.placement.board, self.placement.area)}) if self.placement is not None else self.lit


#: No highlighting.
DARK = BoardHighlight()


class StyledParagraph(NamedTuple):
    """A text with its style; `indent` is the indentation of all its lines."""

    style: str
    text: str
    indent: str = ""


@dataclass(frozen=True, slots=True)
class TutorialPane:
    """An explanation by an observer: main text, `small_print` shown below it, and areas to highlight."""

    said: tuple[StyledParagraph, ...] = ()
    small_print: tuple[StyledParagraph, ...] = ()
    places: frozenset[BoardArea] = frozenset()


@dataclass(frozen=True)
class ScreenView:
    """Content of the screen; `question_number` identifies the question, 0 if there is none.

    `scene` is the visible position, None while the privacy screen is shown. `story` is the log so far; from paragraph
    `first_new` on it is new since the viewer's last decision, and `digest` summarises that part. `notes` reply to the
    last input. `touched` maps option numbers to the areas they affect, `reachable` to the areas they could lead to.
    `lesson` is an explanation for beginners.
    """

    question_number: int
    kind: Kind
    words: Translator
    question: str = ""
    hint: str = ""
    menu: Menu = field(default_factory=lambda: Menu(()))
    scene: TextScene | None = None
    story: tuple[StyledParagraph, ...] = ()
    first_new: int = 0
    digest: Digest | None = None
    notes: tuple[StyledParagraph, ...] = ()
    touched: Mapping[int, frozenset[BoardArea]] = field(default_factory=dict)
    reachable: Mapping[int, frozenset[BoardArea]] = field(default_factory=dict)
    completions: tuple[str, ...] = ()
    lesson: TutorialPane = field(default_factory=TutorialPane)
    #: The viewer, and the number of steps at the end of their previous turn.
    viewer: int | None = None
    since: int = 0
    #: After an input that was not understood: number of the probable option, 0 if there is none.
    suggested: int | None = None
    #: True if part of the choice has been made, so that Esc can go back.
    is_partial: bool = False
    #: Cache of drawn parts of the picture, by part, size and highlighting.
    drawn: dict[tuple[object, ...], list[Line]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def hides_table(self) -> bool:
        """True if the table is hidden: at the privacy screen, and before the first question."""
        return self.kind == "privacy" or not self.question_number

    def entry(self, number: int) -> MenuEntry | None:
        """Return the option with a number."""
        return next((entry for entry in self.menu.entries if entry.number == number), None)


def yes_or_no(words: Translator) -> Menu:
    """Return the menu of a yes/no question."""
    move = Move(0)
    texts = [words.say(f"screen.{name}") for name in ("yes", "no")]
    return Menu(tuple(MenuEntry(number, move, text, text) for number, text in enumerate(texts, 1)))

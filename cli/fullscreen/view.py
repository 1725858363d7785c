"""View model of the full screen: created by the dialogue, drawn by the screen; its state and its cached pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text import position
from wongar_dsl.render.text.lines import Line, Piece, line_width, pad_line
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.changes import Digest
from wongar_dsl.session.menu import Menu, MenuEntry
from wongar_dsl.session.scene import BoardArea

from ..play.display import Explanation, Paragraph

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
    story: tuple[Paragraph, ...] = ()
    first_new: int = 0
    digest: Digest | None = None
    notes: tuple[Paragraph, ...] = ()
    touched: Mapping[int, frozenset[BoardArea]] = field(default_factory=dict)
    reachable: Mapping[int, frozenset[BoardArea]] = field(default_factory=dict)
    completions: tuple[str, ...] = ()
    lesson: Explanation = field(default_factory=Explanation)
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


#: Number of new paragraphs from which the log is brought to the front.
MIN_PAGED_PARAGRAPHS = 3


@dataclass
class UiState:
    """State of the full screen that belongs to the user rather than the game.

    `cursor` is the number of an option. `shown_options` are the options left after a click on an area or a typed word
    (None: all). `tab` is the visible one of the panes that share a box, `page` the visible page of the board. `reader`
    is a long text that covers the panes, `note` a short one below the options. `reply_dismissed` is set when the user
    has closed the reply to an input. Scroll positions count lines from the top; in the log, from the end.
    """

    cursor: int = 0
    shown_options: frozenset[int] | None = None
    focus: str = "options"
    tab: str = "story"
    page: str = "board"
    #: The current viewer, the page at which each viewer left the board, the step at which the current turn began, and
    #: the length of the log at the last question.
    viewer: int | None = None
    pages: dict[int | None, str] = field(default_factory=dict)
    turn: int | None = None
    log_length: int = 0
    scrolled: dict[str, int] = field(default_factory=dict)
    reader: tuple[Paragraph, ...] = ()
    note: tuple[Paragraph, ...] = ()
    reply_dismissed: bool = False
    #: The most lines that a pane has needed, by pane and screen size.
    lines_needed: dict[tuple[object, ...], int] = field(default_factory=dict)

    def max_lines_needed(self, pane: tuple[object, ...], lines: int) -> int:
        """Return the most lines that a pane has needed so far: panes do not shrink, so that nothing jumps."""
        self.lines_needed[pane] = max(lines, self.lines_needed.get(pane, 0))
        return self.lines_needed[pane]

    def scroll(self, pane: str, lines: int) -> None:
        """Scroll a pane by `lines`; the end is found when drawing."""
        self.scrolled[pane] = max(0, self.scrolled.get(pane, 0) + lines)

    def begin_question(self, viewer: int | None, turn: int, log_length: int) -> None:
        """Prepare the screen for a question to a viewer; `log_length` is the number of paragraphs in the log.

        The log is brought to the front in a new turn or if it has grown much. A viewer finds the board page they left.
        """
        another = viewer != self.viewer
        if another:
            self.pages[self.viewer] = self.page
            self.viewer, self.page = viewer, self.pages.get(viewer, "board")
            for pane in ("board", "list", "ways", "table"):
                self.scrolled.pop(pane, None)
        if another or turn != self.turn or log_length - self.log_length >= MIN_PAGED_PARAGRAPHS:
            self.tab = "story"
        self.turn, self.log_length = turn, log_length

    def next_question(self, cursor: int) -> None:
        """Reset for a new question: cursor on an option, all options shown, scrolled to the end of the log."""
        self.cursor, self.shown_options, self.focus, self.note = cursor, None, "options", ()
        for pane in ("options", "story", "reader", "lesson"):
            self.scrolled.pop(pane, None)


@dataclass(frozen=True)
class RenderCache:
    """The picture of a view, for a terminal with Unicode or ASCII only."""

    view: ScreenView
    unicode: bool = True

    def part(self, part: str, width: int, height: int = 0, highlight: BoardHighlight = DARK) -> list[Line]:
        """Return a part of the picture by its name in `position`, drawn once for a size.

        A height of 0 means unlimited. Empty while the privacy screen is shown.
        """
        if self.view.scene is None:
            return []
        key = (part, width, height, highlight)
        if key not in self.view.drawn:
            self.view.drawn[key] = getattr(position, part)(scene_of(self.view, width, height, highlight))
        return self.view.drawn[key]

    def clip(self, lines: Sequence[Line], first: int, height: int, width: int) -> list[Line]:
        """Return the lines that fit, with arrows at the edge if there are more."""
        shown = list(lines[first : first + height])
        for index, more, sign in ((0, first > 0, "↑^"), (-1, first + height < len(lines), "↓v")):
            if more and shown:
                shown[index] = [
                    *pad_line(_trimmed(shown[index]), width - 1),
                    ("number", sign[0] if self.unicode else sign[1]),
                ]
        return shown

    def shorten(self, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """Return the first lines; the last one ends with an ellipsis if there are more."""
        if len(lines) <= height or height <= 0:
            return list(lines[: max(0, height)])
        last = _trimmed(lines[height - 1])
        more: Line = [*last, ("faint", "…")] if line_width(last) < width else pad_line(last, width - 1)
        return [*lines[: height - 1], more]


def scene_of(view: ScreenView, width: int, height: int, highlight: BoardHighlight = DARK) -> TextScene:
    """Return the scene of a view for a size in columns and rows (height 0: unlimited)."""
    assert view.scene is not None
    scene = replace(
        view.scene,
        width=width,
        height=height,
        lit=highlight.lit,
        reachable=highlight.reachable,
        placement=highlight.placement,
        pointing=True,
        focus=highlight.focus,
    )
    # The targets of the options are the same at any size and slow to compute, so they are shared.
    vars(scene)["aims"] = view.scene.aims
    return scene


def paragraphs(texts: Sequence[Paragraph], width: int) -> list[Line]:
    """Wrap paragraphs into lines of a width."""
    return [
        [(paragraph.style, line)]
        for paragraph in texts
        for line in fold(paragraph.text, width, paragraph.indent)
    ]  # fmt: skip


def _trimmed(line: Line) -> list[Piece]:
    """Remove the spaces at the end of a line."""
    pieces = list(line)
    while pieces and not pieces[-1][1].strip(" "):
        pieces.pop()
    return [*pieces[:-1], (pieces[-1][0], pieces[-1][1].rstrip(" "))] if pieces else []

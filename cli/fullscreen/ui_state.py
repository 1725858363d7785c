"""User interface state of the full screen: cursor, scroll positions, focused pane."""

from __future__ import annotations

from dataclasses import dataclass, field

from .view import StyledParagraph

#: Number of new paragraphs from which the log is brought to the front.
MIN_PAGED_PARAGRAPHS = 3


@dataclass
class UiState:
    """State of the full screen that belongs to the user rather than the game.

    `cursor` is the number of an option; `only` are the options shown after a click on an area. `tab` is the visible one
    of the panes that share a box, `page` the visible page of the board. `reader` is a long text that covers the panes,
    `note` a short one above the options. `put_away` is set when the reply to a user's input has been dismissed.

    Scroll positions count lines from the top; in the log, from the end.
    """

    cursor: int = 0
    only: frozenset[int] | None = None
    focus: str = "options"
    tab: str = "story"
    page: str = "board"
    #: The current viewer, the page at which each viewer left the board, the step at which the current turn began, and
    #: the length of the log at the last question.
    viewer: int | None = None
    pages: dict[int | None, str] = field(default_factory=dict)
    turn: int | None = None
    told: int = 0
    scrolled: dict[str, int] = field(default_factory=dict)
    reader: tuple[StyledParagraph, ...] = ()
    note: tuple[StyledParagraph, ...] = ()
    put_away: bool = False
    #: The most lines that a pane has needed, by pane and screen size.
    wanted: dict[tuple[object, ...], int] = field(default_factory=dict)

    def max_wanted_lines(self, pane: tuple[object, ...], lines: int) -> int:
        """Return the most lines that a pane has needed so far: panes do not shrink, so that nothing jumps."""
        self.wanted[pane] = max(lines, self.wanted.get(pane, 0))
        return self.wanted[pane]

    def scroll(self, pane: str, lines: int, most: int) -> None:
        """Scroll a pane by `lines`, at most to `most`."""
        self.scrolled[pane] = max(0, min(self.scrolled.get(pane, 0) + lines, most))

    def begin_question(self, viewer: int | None, turn: int, told: int) -> None:
        """Prepare the screen for a question to a viewer; `told` is the number of paragraphs in the log.

        The log is brought to the front in a new turn or if it has grown much. A viewer finds the board page they left.
        """
        another = viewer != self.viewer
        if another:
            self.pages[self.viewer] = self.page
            self.viewer, self.page = viewer, self.pages.get(viewer, "board")
            for pane in ("board", "list", "ways", "table"):
                self.scrolled.pop(pane, None)
        if another or turn != self.turn or told - self.told >= MIN_PAGED_PARAGRAPHS:
            self.tab = "story"
        self.turn, self.told = turn, told

    def next_question(self, cursor: int) -> None:
        """Reset for a new question: cursor on an option, all options shown, scrolled to the end of the log."""
        self.cursor, self.only, self.focus, self.note = cursor, None, "options", ()
        for pane in ("options", "story", "reader", "lesson"):
            self.scrolled.pop(pane, None)

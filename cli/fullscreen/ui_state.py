"""User interface state of the full screen: cursor, scroll positions, focused pane."""

from __future__ import annotations

from dataclasses import dataclass, field

from .view import StyledParagraph

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
    reader: tuple[StyledParagraph, ...] = ()
    note: tuple[StyledParagraph, ...] = ()
    reply_dismissed: bool = False
    #: The most lines that a pane has needed, by pane and screen size.
    lines_needed: dict[tuple[object, ...], int] = field(default_factory=dict)

    def max_lines_needed(self, pane: tuple[object, ...], lines: int) -> int:
        """Return the most lines that a pane has needed so far: panes do not shrink, so that nothing jumps."""
        self.lines_needed[pane] = max(lines, self.lines_needed.get(pane, 0))
        return self.lines_needed[pane]

    def scroll(self, pane: str, lines: int, most: int) -> None:
        """Scroll a pane by `lines`, at most to `most`."""
        self.scrolled[pane] = max(0, min(self.scrolled.get(pane, 0) + lines, most))

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

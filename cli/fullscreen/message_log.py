"""Message log of the full screen: one log per viewer, and the replies to the last input."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wongar_dsl.render.text.lines import Line, line_text

from ..terminal.screen import Screen
from .view import StyledParagraph


class MessageLog(Screen):
    """A screen that stores output for the panes; once `closed`, it prints to the terminal."""

    scrolls = True

    def __init__(self, screen: Screen) -> None:
        """`screen` is the underlying terminal."""
        super().__init__(interactive=screen.interactive)
        self.stream, self.colour, self.unicode = screen.stream, screen.colour, screen.unicode
        self.closed = False
        #: Returns the viewer whose log is written; `answering` is set while output is a reply to an input.
        self.current_viewer: Callable[[], int | None] = lambda: None
        self.answering = False
        #: Shows a text in place of the question.
        self.show_wait: Callable[[str], None] = lambda text: None
        #: True while the table must not be visible.
        self.is_hidden = False
        #: Number of steps made so far, stored with each paragraph to find out what is new to a viewer.
        self.steps = 0
        self.notes: list[StyledParagraph] = []
        self._stories: dict[int | None, list[tuple[int, StyledParagraph]]] = {}
        self._begun: set[int | None] = set()

    def text(self, text: str, style: str = "", indent: str = "") -> None:
        """See `Screen.text`."""
        if self.closed:
            super().text(text, style, indent)
        elif self.answering:
            self.notes.append(StyledParagraph(style, text, indent))
        else:
            self._log().append((self.steps, StyledParagraph(style, text, "  ")))

    def announce(self, text: str) -> None:
        """See `Screen.announce`."""
        (super().announce if self.closed else self.show_wait)(text)

    def story(self, text: str, style: str = "") -> None:
        """See `Screen.story`."""
        if self.closed:
            super().story(text, style)
        else:
            self._begun.add(self.current_viewer())
            self._log().append((self.steps, StyledParagraph(style, text, "  ")))

    def line(self, pieces: Line = ()) -> None:
        """See `Screen.line`."""
        if self.closed:
            super().line(pieces)
        elif line_text(pieces).strip():
            self.text(line_text(pieces).rstrip())

    def lines(self, lines: Iterable[Line]) -> None:
        """See `Screen.lines`."""
        if self.closed:
            super().lines(lines)
            return
        for line in lines:
            self.text(line_text(line).rstrip())

    def clear(self) -> None:
        """Hide all output.

        Nothing has to be erased: the panes leave nothing in the terminal's scrollback.
        """
        self.is_hidden = True
        self.notes.clear()

    def begin_message_area(self) -> None:
        """Start a message area for the current viewer, until it is cleared."""
        self.is_hidden, self.answering = False, True
        self.notes.clear()

    # ---- for the panes ----

    def _log(self) -> list[tuple[int, StyledParagraph]]:
        return self._stories.setdefault(self.current_viewer(), [])

    def story_and_first_new(self, since: int) -> tuple[tuple[StyledParagraph, ...], int]:
        """Return the log of the current viewer, and the index of the first paragraph written after step `since`."""
        story = self._log()
        first = next((n for n, (steps, _) in enumerate(story) if steps > since), len(story))
        return tuple(paragraph for _, paragraph in story), first

    def has_heard(self, viewer: int | None) -> bool:
        """Return whether a viewer's log contains any events."""
        return viewer in self._begun

    def rebuild_story(self, viewer: int | None, story: Iterable[tuple[str, str]]) -> None:
        """Append the events so far (style, sentence) to the current log, and store it for a viewer."""
        self._begun.add(viewer)
        self._stories[viewer] = [*self._log(), *((0, StyledParagraph(style, text, "  ")) for style, text in story)]

    def reset_stories(self) -> None:
        """Discard all logs, because steps were undone."""
        self._stories.clear()
        self._begun.clear()

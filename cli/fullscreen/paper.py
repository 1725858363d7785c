"""What is said at a full screen, kept for its panes: to each viewer their story, and what answers somebody's typing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..terminal.screen import Line, Screen, plain
from .view import Paragraph


class Paper(Screen):
    """A screen that keeps what is written; once it is `closed`, it writes on the terminal like any other."""

    scrolls = True

    def __init__(self, screen: Screen) -> None:
        """`screen` is the terminal below."""
        super().__init__(interactive=screen.interactive)
        self.stream, self.colour, self.unicode = screen.stream, screen.colour, screen.unicode
        self.closed = False
        #: Whose story is told, and whether what is said answers what was typed.
        self.looking: Callable[[], int | None] = lambda: None
        self.answering = False
        #: Whether nobody is to see anything of the table.
        self.covered = False
        #: How many steps had been made whenever something is told, for what is new to somebody.
        self.steps = 0
        self.notes: list[Paragraph] = []
        self._stories: dict[int | None, list[tuple[int, Paragraph]]] = {}
        self._begun: set[int | None] = set()

    def text(self, text: str, style: str = "", indent: str = "") -> None:
        """See `Screen.text`."""
        if self.closed:
            super().text(text, style, indent)
        elif self.answering:
            self.notes.append(Paragraph(style, text, indent))
        else:
            self._told().append((self.steps, Paragraph(style, text, "  ")))

    def story(self, text: str, style: str = "") -> None:
        """See `Screen.story`."""
        if self.closed:
            super().story(text, style)
        else:
            self._begun.add(self.looking())
            self._told().append((self.steps, Paragraph(style, text, "  ")))

    def line(self, pieces: Line = ()) -> None:
        """See `Screen.line`."""
        if self.closed:
            super().line(pieces)
        elif plain(pieces).strip():
            self.text(plain(pieces).rstrip())

    def lines(self, lines: Iterable[Line]) -> None:
        """See `Screen.lines`."""
        if self.closed:
            super().lines(lines)
            return
        for line in lines:
            self.text(plain(line).rstrip())

    def clear(self) -> None:
        """What was said is not to be seen any more; nothing is on the terminal that could be, by scrolling back."""
        self.covered = True
        self.notes.clear()

    def begin_anew(self) -> None:
        """What is said now is for who still looks, until it is cleared."""
        self.covered, self.answering = False, True
        self.notes.clear()

    # ---- for the panes ----

    def _told(self) -> list[tuple[int, Paragraph]]:
        return self._stories.setdefault(self.looking(), [])

    def told(self, since: int) -> tuple[tuple[Paragraph, ...], int]:
        """The story of whoever looks, and from which paragraph on it was told later than after so many steps."""
        story = self._told()
        first = next((n for n, (steps, _) in enumerate(story) if steps > since), len(story))
        return tuple(paragraph for _, paragraph in story), first

    def knows(self, viewer: int | None) -> bool:
        """Whether somebody has been told anything of what happened."""
        return viewer in self._begun

    def tell_again(self, viewer: int | None, story: Iterable[tuple[str, str]]) -> None:
        """Begin somebody's story anew with what they know, styles and sentences."""
        self._begun.add(viewer)
        self._stories[viewer] = [*self._told(), *((0, Paragraph(style, text, "  ")) for style, text in story)]

    def forget(self) -> None:
        """Something was taken back: nobody's story holds any more."""
        self._stories.clear()
        self._begun.clear()

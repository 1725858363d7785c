"""What somebody has done to a full screen: where the cursor is, what is scrolled, which pane has the keys."""

from __future__ import annotations

from dataclasses import dataclass, field

from .view import Paragraph

#: So many paragraphs that are told at once are to be read.
MUCH = 3


@dataclass
class Desk:
    """`cursor` is the number of an option, `only` are the options shown where an area was pointed at; `tab` is the pane
    that is seen of those that share a place, `page` that of the board; `reader` is a long text over the panes; what
    answers somebody's typing is not seen any more once it was `put_away`.

    What is scrolled down is counted in lines from the top; the story from its end upwards.
    """

    cursor: int = 0
    only: frozenset[int] | None = None
    focus: str = "options"
    tab: str = "story"
    page: str = "board"
    #: Whose screen it is, the page that each of them left the board at, since how many steps their turn goes on, and
    #: how much of the story was there when they were asked last.
    viewer: int | None = None
    pages: dict[int | None, str] = field(default_factory=dict)
    turn: int | None = None
    told: int = 0
    scrolled: dict[str, int] = field(default_factory=dict)
    reader: tuple[Paragraph, ...] = ()
    note: tuple[Paragraph, ...] = ()
    put_away: bool = False
    #: The most lines that a pane has ever wanted, by the pane and the size of the screen.
    wanted: dict[tuple[object, ...], int] = field(default_factory=dict)

    def most_wanted(self, pane: tuple[object, ...], lines: int) -> int:
        """The most lines that a pane has wanted up to now: what has grown stays, so that nothing jumps."""
        self.wanted[pane] = max(lines, self.wanted.get(pane, 0))
        return self.wanted[pane]

    def scroll(self, pane: str, lines: int, most: int) -> None:
        """Scroll a pane, but no further than `most`."""
        self.scrolled[pane] = max(0, min(self.scrolled.get(pane, 0) + lines, most))

    def meet(self, viewer: int | None, turn: int, told: int) -> None:
        """Begin with a question to somebody: what has happened is in front in another turn, or where it is much, and
        the screen is as they left it themselves."""
        another = viewer != self.viewer
        if another:
            self.pages[self.viewer] = self.page
            self.viewer, self.page = viewer, self.pages.get(viewer, "board")
            for pane in ("board", "list", "ways", "table"):
                self.scrolled.pop(pane, None)
        if another or turn != self.turn or told - self.told >= MUCH:
            self.tab = "story"
        self.turn, self.told = turn, told

    def again(self, cursor: int) -> None:
        """Begin with another question: the cursor on an option, all options to be seen, the end of the story."""
        self.cursor, self.only, self.focus, self.note = cursor, None, "options", ()
        for pane in ("options", "story", "reader", "lesson"):
            self.scrolled.pop(pane, None)

"""The boards in their pane: where not all fits, the maps, what is listed below them and where ways lead are pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..pictures import position
from ..pictures.scene import Place
from ..terminal.screen import Line, Piece, measure, padded, plain
from .desk import Desk
from .drawn import Drawing, scene_of
from .pointing import pointed
from .view import DARK, Light, View

#: The pages, by the names of their panes.
PAGES = ("board", "list", "ways")
#: Of so many rows of a map one is given up for what is listed of the areas that light up.
SHARE = 5
#: What stands between two columns.
GAP = "   "


@dataclass(frozen=True)
class BoardPane:
    """The boards in a place of so many columns and rows, without its title; they are drawn for the rows that they could
    have `most`, so that they stay as they were measured."""

    view: View
    desk: Desk
    drawing: Drawing
    width: int
    height: int
    most: int
    light: Light = DARK
    paged: bool = False

    @property
    def whole(self) -> list[Line]:
        """The boards with all that is listed, and the legend where there is room for it."""
        lines, legend = self.drawing.part("board", self.width, self.most, self.light), self.legend
        return [*lines, *legend] if self._has_room(lines) else lines

    @property
    def legend(self) -> list[Line]:
        """What the signs on the boards mean."""
        return self.drawing.part("legend", self.width, self.most)

    @property
    def lists(self) -> list[Line]:
        """What is listed below the boards."""
        return self.drawing.part("lists", self.width, self.most, self.light)

    @property
    def parted(self) -> bool:
        """Whether there is not room for the boards and for what is listed below them."""
        if not self.lists:
            return False
        return len(self.drawing.part("board", self.width, self.most)) > self.height

    def _has_room(self, lines: Sequence[Line]) -> bool:
        return not self.most or len(lines) + len(self.legend) <= self.most

    @property
    def left_out(self) -> bool:
        """Whether there is a legend that is not seen with the boards."""
        if not self.legend:
            return False
        lines = self.drawing.part("board", self.width, self.most)
        return self.paged or len(lines) + len(self.legend) > self.height or not self._has_room(lines)

    def page(self, pane: str) -> list[Line]:
        """All that is on a page."""
        if not self.paged:
            return self.whole
        if pane == "board":
            return self.drawing.part("maps", self.width, self.most, self.light)
        return self.lists if pane == "list" else self.ways

    @property
    def ways(self) -> list[Line]:
        """Where ways lead, two beside each other where there is room."""
        lines = self.drawing.part("ways", self.width)
        half = (self.width - len(GAP)) // 2
        shown: list[list[Piece]] = []
        alone = False
        for number, line in enumerate(lines):
            # A line that goes on below stands alone, as the heading does.
            more = any(plain(other).startswith(" ") for other in lines[number : number + 2]) or not number
            if alone and not more and measure(line) <= half:
                shown[-1] = [*padded(shown[-1], half), ("", GAP), *line]
                alone = False
            else:
                shown.append([*line])
                alone = not more and measure(line) <= half
        return [[*line] for line in shown]

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages that there are."""
        return PAGES if self.drawing.part("ways", self.width) else PAGES[:-1]

    @property
    def _pinned(self) -> list[Line]:
        """Of what is listed on the other page that of the areas that light up, below the map."""
        if not self.paged or self.view.scene is None:
            return []
        scene = scene_of(self.view, self.width, self.most, self.light)
        room = self.height // SHARE
        both = position.lists(scene, self.light.lit | self.light.led)
        return both if len(both) <= room else position.lists(scene, self.light.lit)[:room]

    def lines(self, pane: str) -> list[Line]:
        """What can be seen."""
        lines, pinned = self.page(pane), self._pinned if pane == "board" else []
        room = self.height - len(pinned)
        shown = self.drawing.clipped(lines, self._first(pane, lines, room), room, self.width)
        return [*shown, *([[]] * (room - len(shown))), *pinned] if pinned else shown

    def _first(self, pane: str, lines: Sequence[Line], height: int) -> int:
        """The first line that can be seen; what lights up is seen, unless somebody scrolls the pane now."""
        most = max(0, len(lines) - height)
        first = min(self.desk.scrolled.get(pane, 0), most)
        if most and self.light.lit and self.desk.focus != pane:
            lit = [n for n, line in enumerate(lines) if any(style == "lit" for style, _ in line)]
            # What is too far below need not be seen too.
            around = [n for at in lit if at < lit[0] + height for n in (at - 1, at, at + 1) if 0 <= n < len(lines)]
            if around and not first <= around[0] <= max(around) < first + height:
                first = max(0, min((around[0] + max(around) - height) // 2 + 1, most, around[0]))
        self.desk.scrolled[pane] = first
        return first

    def areas_at(self, pane: str, column: int, row: int, among: Sequence[Place]) -> list[Place]:
        """The areas at a spot of the pane: those whose picture changes nearest to it when they light up."""
        if self.view.scene is None:
            return []
        room = self.height - (len(self._pinned) if pane == "board" else 0)
        if row >= room:
            return []
        row += self._first(pane, self.page(pane), room)
        draw = getattr(position, {"board": "maps", "list": "lists"}.get(pane, pane) if self.paged else "board")
        return pointed(scene_of(self.view, self.width, self.most, self.light), column, row, among, draw)

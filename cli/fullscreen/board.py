"""The board pane: the boards and what is listed below them, on several pages if they do not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wongar_dsl.render.text import position
from wongar_dsl.render.text.lines import Line, Piece, line_text, line_width, pad_line
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session.scene import BoardArea

from .view import DARK, BoardHighlight, RenderCache, ScreenView, UiState, scene_of

#: Maximum distance of a click from the highlighted cells of an area, in columns and rows.
MAX_CLICK_COLUMNS, MAX_CLICK_ROWS = 12, 3
#: Height of a row in columns.
ROW = 2


def nearest_areas(
    scene: TextScene, column: int, row: int, among: Sequence[BoardArea], draw: Callable[[TextScene], list[Line]]
) -> list[BoardArea]:
    """Return the areas nearest to a position of a drawn picture; none if all are too far away."""
    scene = replace(scene, lit=frozenset(), reachable=frozenset(), placement=None)
    dark = _cells(draw(scene))
    nearest_distance: dict[BoardArea, int] = {}
    for place in among:
        bright = _cells(draw(replace(scene, lit=frozenset({place}))))
        distances = [
            abs(x - column) + ROW * abs(y - row)
            for y, (old, new) in enumerate(zip(dark, bright, strict=False))
            for x in range(max(len(old), len(new)))
            if old[x : x + 1] != new[x : x + 1]
            and abs(x - column) <= MAX_CLICK_COLUMNS
            and abs(y - row) <= MAX_CLICK_ROWS
        ]
        if distances:
            nearest_distance[place] = min(distances)
    nearest = min(nearest_distance.values(), default=0)
    return [place for place, distance in nearest_distance.items() if distance == nearest]


def _cells(lines: Sequence[Line]) -> list[list[tuple[str, str]]]:
    """Return each character of the lines with its style."""
    return [[(style, letter) for style, text in line for letter in text] for line in lines]


#: The pages by the names of their panes: maps, lists below them, and paths from the viewer's pieces.
PAGES = ("board", "list", "ways")
#: One row in this many is used below a map for the list entries of highlighted areas, if the lists are on another page.
PINNED_SHARE = 5
#: Separator between two columns.
GAP = "   "


@dataclass(frozen=True)
class BoardPane:
    """The boards in a pane of the given columns and rows, without its title.

    They are drawn for `max_rows`, the height that the pane could have, so that they keep their layout.
    """

    view: ScreenView
    ui: UiState
    drawing: RenderCache
    width: int
    height: int
    max_rows: int
    highlight: BoardHighlight = DARK
    paged: bool = False

    @property
    def whole(self) -> list[Line]:
        """The boards with everything listed, and the legend if there is room for it."""
        lines = self.drawing.part("board", self.width, self.max_rows, self.highlight)
        return [*lines, *self.legend] if self._has_room(lines) else lines

    @property
    def legend(self) -> list[Line]:
        """The legend of the symbols on the boards."""
        return self.drawing.part("legend", self.width, self.max_rows)

    @property
    def lists(self) -> list[Line]:
        """The lists below the boards."""
        return self.drawing.part("lists", self.width, self.max_rows, self.highlight)

    @property
    def is_split(self) -> bool:
        """True if the boards and the lists below them do not fit into the pane together."""
        return bool(self.lists) and len(self.drawing.part("board", self.width, self.max_rows)) > self.height

    def _has_room(self, lines: Sequence[Line]) -> bool:
        return not self.max_rows or len(lines) + len(self.legend) <= self.max_rows

    @property
    def legend_hidden(self) -> bool:
        """True if there is a legend that is not shown with the boards."""
        lines, legend = self.drawing.part("board", self.width, self.max_rows), self.legend
        is_shown = not self.paged and len(lines) + len(legend) <= self.height and self._has_room(lines)
        return bool(legend) and not is_shown

    def page(self, pane: str) -> list[Line]:
        """Return all lines of a page."""
        if not self.paged:
            return self.whole
        if pane == "board":
            return self.drawing.part("maps", self.width, self.max_rows, self.highlight)
        return self.lists if pane == "list" else self.ways

    @property
    def ways(self) -> list[Line]:
        """The paths from the viewer's pieces (see `position.ways`), in two columns where they fit."""
        lines = self.drawing.part("ways", self.width)
        half = (self.width - len(GAP)) // 2
        shown: list[list[Piece]] = []
        alone = False
        for number, line in enumerate(lines):
            # A line that is continued takes the full width, as does the heading.
            more = any(line_text(following).startswith(" ") for following in lines[number : number + 2]) or not number
            if alone and not more and line_width(line) <= half:
                shown[-1] = [*pad_line(shown[-1], half), ("", GAP), *line]
                alone = False
            else:
                shown.append([*line])
                alone = not more and line_width(line) <= half
        return [[*line] for line in shown]

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages available."""
        return PAGES if self.drawing.part("ways", self.width) else PAGES[:-1]

    @property
    def _pinned(self) -> list[Line]:
        """The list entries of the highlighted areas, repeated below the map if the lists are on another page."""
        if not self.paged or self.view.scene is None:
            return []
        scene = scene_of(self.view, self.width, self.max_rows, self.highlight)
        room = self.height // PINNED_SHARE
        entries = position.lists(scene, self.highlight.lit | self.highlight.reachable)
        return entries if len(entries) <= room else position.lists(scene, self.highlight.lit)[:room]

    def lines(self, pane: str) -> list[Line]:
        """Return the visible lines of a page."""
        lines, pinned = self.page(pane), self._pinned if pane == "board" else []
        room = self.height - len(pinned)
        shown = self.drawing.clip(lines, self._first(pane, lines, room), room, self.width)
        return [*shown, *([[]] * (room - len(shown))), *pinned] if pinned else shown

    def _first(self, pane: str, lines: Sequence[Line], height: int) -> int:
        """Return the first visible line: scroll to highlighted lines unless the pane has the focus."""
        most = max(0, len(lines) - height)
        first = min(self.ui.scrolled.get(pane, 0), most)
        if most and self.highlight.lit and self.ui.focus != pane:
            lit = [n for n, line in enumerate(lines) if any(style == "lit" for style, _ in line)]
            # Highlighted lines more than a page below the first are ignored.
            around = [n for row in lit if row < lit[0] + height for n in (row - 1, row, row + 1) if 0 <= n < len(lines)]
            if around and not first <= around[0] <= max(around) < first + height:
                first = max(0, min((around[0] + max(around) - height) // 2 + 1, most, around[0]))
        self.ui.scrolled[pane] = first
        return first

    def areas_at(self, pane: str, column: int, row: int, among: Sequence[BoardArea]) -> list[BoardArea]:
        """Return the areas at a position of the pane.

        These are the areas whose highlighting changes the picture nearest to it.
        """
        if self.view.scene is None:
            return []
        room = self.height - (len(self._pinned) if pane == "board" else 0)
        if row >= room:
            return []
        row += self._first(pane, self.page(pane), room)
        draw = getattr(position, {"board": "maps", "list": "lists"}.get(pane, pane) if self.paged else "board")
        return nearest_areas(scene_of(self.view, self.width, self.max_rows, self.highlight), column, row, among, draw)

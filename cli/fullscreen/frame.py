"""Layout of a full screen: panes drawn into their boxes, and the element at each screen position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.text.lines import Line, Piece, line_width, pad_line
from wongar_dsl.session.changes import Digest
from wongar_dsl.session.scene import BoardArea

from .board_pane import PAGES, BoardPane
from .layout import PaneBox, PaneLayout, arrange
from .option_grid import OptionGrid
from .option_pane import OptionPane
from .render_cache import RenderCache, paragraphs, scene_of
from .score_line import score_line
from .ui_state import UiState
from .view import DARK, BoardHighlight, ScreenView, StyledParagraph


@dataclass
class ScreenFrame:
    """One screen of the given columns and rows."""

    view: ScreenView
    ui: UiState
    columns: int
    rows: int
    unicode: bool = True
    #: The rows that the boards are drawn for: the maximum they could have, so that they keep their layout.
    _max_board_rows: int = 0

    # ---- layout ----

    @cached_property
    def drawing(self) -> RenderCache:
        """The cached parts of the picture."""
        return RenderCache(self.view, self.unicode)

    @cached_property
    def arrangement(self) -> PaneLayout:
        """The boxes of the panes."""
        arrangement = arrange(self.columns, self.rows, self._lines_needed)
        box = arrangement.boxes.get("board")
        if box is None:
            return arrangement
        pane = BoardPane(self.view, self.ui, self.drawing, box.width, box.height - 1, self._max_board_rows)
        if not self._paged and pane.is_split:
            self.ui.max_lines_needed(("pages", self.columns, self.rows), 1)
            # Lists on a page of their own need no room in another pane.
            arrangement = arrange(self.columns, self.rows, self._lines_needed)
        return arrangement.with_pages(pane.pages) if self._paged else arrangement

    @property
    def _paged(self) -> bool:
        """True if the boards need several pages; once they did, they keep them at this screen size."""
        visible = self.view.scene is not None
        return visible and bool(self.ui.max_lines_needed(("pages", self.columns, self.rows), 0))

    def _lines_needed(self, pane: str, width: int, most: int) -> int:
        match pane:
            case "board" if not most:
                scene = self.view.scene
                return len(scene.state.game.model.boards) if scene is not None else 1
            case "board":
                # The panes keep their place while the cursor moves between options.
                self._max_board_rows = max(1, most)
                whole = BoardPane(self.view, self.ui, self.drawing, width, most, self._max_board_rows).whole
                return self._max_lines(pane, width, len(whole))
            case "table":
                name = f"{pane} without ways" if self._paged else pane
                return self._max_lines(name, width, len(self._table_lines(width, not self._paged)))
            case "lesson":
                return len(paragraphs(self.view.lesson.said, width - 1)) if self.view.kind == "choice" else 0
            case _:
                return OptionPane(self.view, self.ui, self.drawing, width, 10_000).lines_needed

    def _max_lines(self, pane: str, width: int, lines: int) -> int:
        """Return the lines of a pane, at least as many as it has had at this screen size."""
        return self.ui.max_lines_needed((pane, width, self.columns, self.rows), lines)

    def box(self, pane: str) -> PaneBox:
        """Return the box of a pane."""
        return self.arrangement.boxes[pane]

    def tabbed_panes(self, pane: str) -> tuple[str, ...]:
        """Return the panes that share a box with a pane, including it."""
        arrangement = self.arrangement
        return next((group for group in (arrangement.tabs, arrangement.pages) if pane in group), (pane,))

    def is_visible(self, pane: str) -> bool:
        """Return whether a pane is visible."""
        group = self.tabbed_panes(pane)
        front = self.ui.page if group == self.arrangement.pages else self.ui.tab
        return pane == (front if front in group else group[0])

    def pane_at(self, column: int, row: int) -> str | None:
        """Return the pane at a screen position."""
        boxes = self.arrangement.boxes.items()
        return next((pane for pane, box in boxes if self.is_visible(pane) and box.contains(column, row)), None)

    def option_at(self, column: int, row: int) -> int | None:
        """Return the number of the option at a screen position."""
        box = self.box("options")
        return self.options.option_at(column - box.left, row - box.top - 1)

    def areas_at(self, column: int, row: int, among: Sequence[BoardArea]) -> list[BoardArea]:
        """Return the areas at a screen position."""
        pane = self.pane_at(column, row)
        if pane not in PAGES:
            return []
        box = self.box(pane)
        return self.boards.areas_at(pane, column - box.left, row - box.top - 1, among)

    @property
    def touched(self) -> frozenset[BoardArea]:
        """The areas affected by the option under the cursor."""
        return self.view.touched.get(self.ui.cursor, frozenset())

    @property
    def highlight(self) -> BoardHighlight:
        """The highlighting for the option under the cursor, or for the tutorial's explanation."""
        view, scene, touched = self.view, self.view.scene, self.touched
        entry = view.entry(self.ui.cursor)
        if view.kind == "lesson":
            return BoardHighlight(touched)
        if scene is None or entry is None or view.kind != "choice":
            return DARK
        aim = scene.aims.get(entry.move) if view.menu.part is None else None
        placement = aim if aim is not None and aim.laid is not None else None
        return BoardHighlight(touched, view.reachable.get(entry.number, frozenset()), placement)

    # ---- panes ----

    @cached_property
    def options(self) -> OptionPane:
        """The pane with the question."""
        box = self.box("options")
        return OptionPane(self.view, self.ui, self.drawing, box.width, box.height - 1)

    @property
    def choices(self) -> OptionGrid:
        """The options in their pane."""
        return self.options.choices

    @cached_property
    def boards(self) -> BoardPane:
        """The boards in their pane."""
        box, most = self.box("board"), self._max_board_rows
        return BoardPane(
            self.view, self.ui, self.drawing, box.width, box.height - 1, most, self.highlight, self._paged
        )  # fmt: skip

    def legend(self, width: int) -> list[Line]:
        """Return the legend of the symbols on the boards."""
        return self.drawing.part("legend", width)

    def _table_lines(self, width: int, ways: bool = True) -> list[Line]:
        # Players look for their own hand first, and a low pane shows few lines.
        parts = ("hands", "players", "status", *(("ways",) if ways else ()))
        return [line for part in parts for line in self.drawing.part(part, width)]

    def _lesson_lines(self, width: int) -> list[Line]:
        """Return the explanation, with the rules on it below."""
        lesson = self.view.lesson
        return paragraphs((*lesson.said, *lesson.small_print), width - 1)

    @property
    def cramped(self) -> bool:
        """True if an explanation before a question does not fit into its pane."""
        box = self.box("options")
        lines = paragraphs(self.view.lesson.said, box.width - 1)
        return self.view.kind == "lesson" and len(lines) >= box.height

    def _story_lines(self, width: int, height: int) -> list[Line]:
        """Return the whole log, followed by a digest of the news if these alone would not fit."""
        view = self.view
        # Leave room for the scroll arrow, so that it does not cut off a word.
        width -= 1
        lines = paragraphs(view.story, width)
        fresh = paragraphs(view.story[view.first_new :], width)
        if len(fresh) > height and view.digest is not None and view.digest.sentences:
            lines += [[], *self._digest_lines(view.digest, width, height)]
        return lines

    def _digest_lines(self, digest: Digest, width: int, height: int) -> list[Line]:
        """Return the digest, reduced to the most important lines that fit."""
        say = self.view.words.say
        while True:
            short = [StyledParagraph("strong", say("screen.until_now" if digest.new else "screen.since"))]
            short += [StyledParagraph("", text, "  ") for text in digest.lines]
            if digest.omitted_count:
                short.append(StyledParagraph("faint", say("screen.left_out", n=digest.omitted_count)))
            lines = paragraphs(short, width)
            if len(lines) <= height or len(digest.sentences) == 1:
                return lines
            digest = digest.shorter()

    # ---- screen ----

    def lines(self) -> list[Line]:
        """Return the lines of the screen."""
        if self.view.hides_table or self.ui.reader:
            return self._covering_lines()
        grid: list[list[tuple[int, Line]]] = [[] for _ in range(self.rows)]
        for pane, box in sorted(self.arrangement.boxes.items(), key=lambda item: item[1].left):
            if self.is_visible(pane):
                for row, line in enumerate([self._title(pane, box), *self._content(pane, box)]):
                    if row < box.height and box.top + row < self.rows:
                        grid[box.top + row].append((box.left, pad_line(line, box.width)))
        return [self._joined(parts) for parts in grid]

    def _joined(self, parts: Sequence[tuple[int, Line]]) -> Line:
        line: list[Piece] = []
        for column, part in parts:
            gap = column - line_width(line)
            bar = "│" if self.unicode else "|"
            line += [("faint", " " * (gap - 1) + bar)] if gap > 0 else []
            line += part
        return line

    def _heading(self, pane: str, box: PaneBox) -> list[Piece]:
        """Return the title of a pane, with the panes that share its box and key hints."""
        say, dash = self.view.words.say, self._dash
        tabs = self.arrangement.tabs if pane in self.arrangement.tabs else (pane,)
        line: list[Piece] = [("faint", dash)]
        for name in tabs:
            chosen = self.ui.focus == name
            style = "number" if chosen else "strong" if name == pane else "faint"
            shown = say(f"screen.pane.{'lesson' if name == 'options' and self.view.kind == 'lesson' else name}")
            # Symbols mark the focused and the hidden panes too, for terminals without colours.
            before = ("▸" if self.unicode else "*") if chosen else " "
            line += [(style, f"{before}{shown} " if name == pane else f" ({shown})")]
        if len(tabs) > 1 and pane != tabs[-1]:
            line.append(("faint", " "))
        if pane in self.arrangement.pages:
            next_page = self.arrangement.next_page(pane)
            line += [("faint", dash), ("faint", f" {say('screen.page', pane=Text(say(f'screen.pane.{next_page}')))} ")]
        if pane in PAGES and self.boards.legend_hidden:
            line += [("faint", dash), ("faint", f" {say('screen.signs')} ")]
        return line

    @property
    def _dash(self) -> str:
        return "─" if self.unicode else "-"

    @cached_property
    def _placed_score_line(self) -> tuple[str, list[Piece]]:
        """The pane whose title has most room for the score line, and that line.

        Empty if the players' table has a pane of its own.
        """
        candidates: list[tuple[str, list[Piece]]] = [("", [])]
        if self.view.scene is not None and "table" in self.arrangement.tabs:
            boxes = sorted(self.arrangement.boxes.items(), key=lambda item: (item[1].top, item[1].left))
            for pane, box in boxes:
                room = box.width - line_width(self._heading(pane, box)) - 1
                if self.is_visible(pane) and room > 0:
                    candidates.append((pane, score_line(scene_of(self.view, box.width, 0), room)))
        return max(candidates, key=lambda one: line_width(one[1]))

    def _title(self, pane: str, box: PaneBox) -> Line:
        line, (place, stand) = self._heading(pane, box), self._placed_score_line
        if stand and place == pane:
            fill = box.width - line_width(line) - line_width(stand) - 1
            line += [("faint", self._dash * (fill - 1) + " ")] if fill > 0 else []
            line += [*stand, ("", " ")]
        return [*line, ("faint", self._dash * max(0, box.width - line_width(line)))]

    def _content(self, pane: str, box: PaneBox) -> list[Line]:
        height = box.height - 1
        match pane:
            case "options" if self.view.kind == "lesson":
                return self._scrolled("lesson", self._lesson_lines(box.width), height, box.width)
            case "options":
                return self.options.lines()
            case "board" | "list" | "ways":
                return self.boards.lines(pane)
            case "table":
                return self._scrolled(pane, self._table_lines(box.width, not self._paged), height, box.width)
            case "lesson":
                return self._scrolled(pane, self._lesson_lines(box.width), height, box.width)
            case _:
                lines = self._story_lines(box.width, height)
        # The log is scrolled from its end upwards.
        most = max(0, len(lines) - height)
        self.ui.scrolled[pane] = min(self.ui.scrolled.get(pane, 0), most)
        return self.drawing.clip(lines, most - self.ui.scrolled[pane], height, box.width)

    def _scrolled(self, pane: str, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """Return the visible lines of a pane at its scroll position."""
        first = min(self.ui.scrolled.get(pane, 0), max(0, len(lines) - height))
        self.ui.scrolled[pane] = first
        return self.drawing.clip(lines, first, height, width)

    def _covering_lines(self) -> list[Line]:
        """Return the lines of a long text, or of a message while the table is hidden."""
        if self.view.hides_table:
            lines: list[Line] = [[("question", text)] for text in fold(self.view.question, self.columns - 2)]
            above = self.rows // 3
            return [*([[]] * above), *lines, *([[]] * (self.rows - above - len(lines)))]
        lines = paragraphs(self.ui.reader, self.columns - 1)
        shown = self._scrolled("reader", lines, self.rows, self.columns)
        return [*shown, *([[]] * (self.rows - len(shown)))]

"""Layout of a full screen: panes drawn into their boxes, and the element at each screen position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.text.lines import Line, Piece, line_width, pad_line, seat_style
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.status import held_figures
from wongar_dsl.session.changes import Digest
from wongar_dsl.session.scene import BoardArea, copies_of

from ..play.display import Paragraph
from .board import PAGES, BoardPane
from .options import OptionPane
from .view import DARK, BoardHighlight, RenderCache, ScreenView, UiState, paragraphs, scene_of

#: Minimum number of columns for two columns of panes.
WIDE = 140
#: Minimum columns and rows for every pane to have its own box.
MEDIUM, TALL = 90, 34
#: With fewer columns, all panes are stacked.
NARROW = 64
#: With fewer rows, the board shares a box with other panes.
LOW = 17
#: Minimum rows including the title: options pane, other panes.
MIN_OPTION_ROWS, MIN_PANE_ROWS = 7, 4
#: Rows of the options pane beyond two fifths of a small screen: enough for a question, six options and details of one.
EXTRA_OPTION_ROWS = 2
#: Maximum rows, including the title, of an explanation above the options; and beside other panes on a narrow screen.
MAX_LESSON_ROWS, MAX_NARROW_LESSON_ROWS = 9, 6

#: Function (pane, width, maximum height) that returns the number of lines a pane needs without its title. With a
#: maximum of 0, it returns whether there is any content.
LinesNeeded = Callable[[str, int, int], int]


@dataclass(frozen=True, slots=True)
class PaneBox:
    """A rectangle of the screen; its first row is the title."""

    left: int
    top: int
    width: int
    height: int

    def contains(self, column: int, row: int) -> bool:
        """Return whether a screen position is inside."""
        return 0 <= column - self.left < self.width and 0 <= row - self.top < self.height


@dataclass(frozen=True, slots=True)
class PaneLayout:
    """The box of each pane.

    Panes in `tabs` share a box and are shown one at a time; panes in `pages` share the box of the board.
    """

    boxes: Mapping[str, PaneBox]
    tabs: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def with_pages(self, pages: tuple[str, ...]) -> PaneLayout:
        """Return a copy with several pages in the box of the board."""
        boxes = {**self.boxes, **dict.fromkeys(pages, self.boxes["board"])}
        if "board" in self.tabs:
            return PaneLayout(boxes, (*self.tabs, *(page for page in pages if page not in self.tabs)))
        return replace(self, boxes=boxes, pages=pages)


def arrange(columns: int, rows: int, lines_needed: LinesNeeded) -> PaneLayout:
    """Return the layout for a screen of the given columns and rows."""

    def high(pane: str, width: int, most: int) -> int:
        """Return the rows of a pane including its title, between the pane's minimum and `most`."""
        least = MIN_OPTION_ROWS if pane == "options" else MIN_PANE_ROWS
        return max(least, min(lines_needed(pane, width, most - 1) + 1, most))

    def lesson_rows(width: int) -> int:
        """Return the rows for the explanation including its title; 0 if there is none."""
        lines = lines_needed("lesson", width, 0)
        return min(MAX_LESSON_ROWS, lines + 1) if lines else 0

    def beside(left: str, right: str, top: int, wide: int) -> dict[str, PaneBox]:
        """Return two panes beside each other down to the end of the screen, the left one with `wide` columns."""
        height = rows - top
        return {left: PaneBox(0, top, wide, height), right: PaneBox(wide + 1, top, columns - wide - 1, height)}

    has_board = bool(lines_needed("board", columns, 0))
    lesson = ("lesson",) if lines_needed("lesson", columns, 0) else ()
    is_narrow, wide = columns < NARROW, columns * 11 // 20
    if rows < LOW:
        # Options beside or below the other panes, which are tabs.
        tabs = (*lesson, "story", "table", *(("board",) if has_board else ()))
        low = _stacked(0, 0, columns, tabs=rows - rows // 2, options=rows // 2)
        return _tabbed(low if is_narrow else beside("options", "tabs", 0, columns // 2), tabs)
    if not has_board:
        # Table above the options and the log.
        explained = min(lesson_rows(columns), rows // 3)
        table = high("table", columns, (rows - explained) // 2)
        above, top = _stacked(0, 0, columns, table=table, lesson=explained), table + explained
        if not is_narrow:
            return PaneLayout({**above, **beside("options", "story", top, wide)})
        options = high("options", columns, rows - top - MIN_PANE_ROWS)
        return PaneLayout({**above, **_stacked(0, top, columns, story=rows - top - options, options=options)})
    if columns >= WIDE:
        # Board and table on the left, log and options on the right.
        wide = max(wide, 80)
        table, right = high("table", wide, rows // 2), columns - wide - 1
        board = high("board", wide, rows - table)
        explained, options = lesson_rows(right), max(MIN_OPTION_ROWS, rows // 2)
        story = rows - options - explained
        beside_board = _stacked(wide + 1, 0, right, story=story, lesson=explained, options=options)
        return PaneLayout({**_stacked(0, 0, wide, board=board, table=rows - board), **beside_board})
    if columns >= MEDIUM and rows >= TALL:
        # Board and table over the full width, options and log below.
        explained = lesson_rows(columns)
        lower_rows = 2 * MIN_OPTION_ROWS - 2 + explained
        table = high("table", columns, (rows - lower_rows) * 2 // 5)
        board = high("board", columns, rows - lower_rows - table)
        table = high("table", columns, rows - lower_rows - board)
        above = _stacked(0, 0, columns, board=board, table=table, lesson=explained)
        return PaneLayout({**above, **beside("options", "story", board + table + explained, columns * 3 // 5)})
    # Board over the full width; below it the options, and log, table or explanation as tabs.
    options = max(MIN_OPTION_ROWS, rows * 2 // 5 + EXTRA_OPTION_ROWS)
    shared = 0 if not is_narrow else MAX_NARROW_LESSON_ROWS if lesson else MIN_PANE_ROWS
    board = high("board", columns, rows - options - shared)
    boxes = _stacked(0, 0, columns, board=board, tabs=rows - options - board, options=options)
    if not is_narrow:
        boxes = {"board": boxes["board"], **beside("options", "tabs", board, wide)}
    return _tabbed(boxes, (*lesson, "story", "table"))


def _stacked(left: int, top: int, width: int, **heights: int) -> dict[str, PaneBox]:
    """Return panes of the given heights below each other; an explanation without rows is left out."""
    boxes = {}
    for pane, height in heights.items():
        if height or pane != "lesson":
            boxes[pane] = PaneBox(left, top, width, height)
        top += height
    return boxes


def _tabbed(boxes: dict[str, PaneBox], tabs: tuple[str, ...]) -> PaneLayout:
    """Return a layout in which the panes `tabs` share the box of that name."""
    shared = boxes.pop("tabs")
    return PaneLayout({**dict.fromkeys(tabs, shared), **boxes}, tabs)


def score_line(scene: TextScene, room: int) -> list[Piece]:
    """Return the points and pieces of each seat, in at most `room` cells.

    The provisional score is added in brackets. If there is too little room, the piece counts are omitted first, then
    letters replace names; a number is never cut. The result is empty if nothing fits, or if the game has no public
    points.
    """
    score = next((place for place in scene.fields if place.kind == "score"), None)
    if score is None:
        return []
    number = scene.narrator.words.number
    points = [number(scene.value(copy) or 0) for copy in copies_of(score)]
    if (now := provisional_scores(scene.position, scene.viewer)) is not None:
        points = [f"{sure} ({number(provisional)})" for sure, provisional in zip(points, now, strict=True)]
    figures = held_figures(scene) or [""] * len(points)
    between = scene.sign(" · ", " | ")
    forms = ((scene.names, figures, between), (scene.names, None, between), (scene.letters, None, " "))
    for names, held, gap in forms:
        pieces = [*_score_pieces(scene, names, points, held, gap)]
        if line_width(pieces) <= room:
            return pieces
    return []


def _score_pieces(
    scene: TextScene, names: Sequence[str], points: Sequence[str], figures: Sequence[str] | None, gap: str
) -> Iterator[Piece]:
    for seat, (name, number) in enumerate(zip(names, points, strict=True)):
        if seat:
            yield "faint", gap
        turn = scene.sign("▶", ">") if seat == scene.state.seat else ""
        yield seat_style(seat), f"{turn}{name} "
        yield "strong", number
        if figures is not None and figures[seat]:
            yield "figure", f" {figures[seat]}"


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
            short = [Paragraph("strong", say("screen.until_now" if digest.new else "screen.since"))]
            short += [Paragraph("", text, "  ") for text in digest.lines]
            if digest.omitted_count:
                short.append(Paragraph("faint", say("screen.left_out", n=digest.omitted_count)))
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
            pages = self.arrangement.pages
            next_page = pages[(pages.index(pane) + 1) % len(pages)]
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
                return self._scrolled(pane, self._story_lines(box.width, height), height, box.width)

    def _scrolled(self, pane: str, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """Return the visible lines of a pane at its scroll position; the log is scrolled from its end upwards."""
        most = max(0, len(lines) - height)
        scrolled = self.ui.scrolled[pane] = min(self.ui.scrolled.get(pane, 0), most)
        return self.drawing.clip(lines, most - scrolled if pane == "story" else scrolled, height, width)

    def _covering_lines(self) -> list[Line]:
        """Return the lines of a long text, or of a message while the table is hidden."""
        if self.view.hides_table:
            lines: list[Line] = [[("question", text)] for text in fold(self.view.question, self.columns - 2)]
            above = self.rows // 3
            return [*([[]] * above), *lines, *([[]] * (self.rows - above - len(lines)))]
        lines = paragraphs(self.ui.reader, self.columns - 1)
        shown = self._scrolled("reader", lines, self.rows, self.columns)
        return [*shown, *([[]] * (self.rows - len(shown)))]

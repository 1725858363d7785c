"""A full screen as lines: the panes of a view, drawn into their places, and what lies at each spot of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl.table.digest import Digest
from wongar_dsl.text.width import folded

from ..pictures import position
from ..pictures.scene import Place, Scene
from ..terminal.screen import Line, Piece, measure, padded
from .choices import Choices
from .desk import END, Desk
from .layout import Arrangement, Box, arranged
from .view import Paragraph, View

#: So many rows below the options say more of the one under the cursor.
DETAILS = 2
#: So many rows of options stay where much is to be said of one.
STAYING = 3


@dataclass
class Frame:
    """One screen of so many columns and rows."""

    view: View
    desk: Desk
    columns: int
    rows: int
    unicode: bool = True
    #: The rows that the boards are drawn for: as many as they could have had, so that they stay as they were measured.
    _most: int = 0

    # ---- what is where ----

    @cached_property
    def arrangement(self) -> Arrangement:
        """Where the panes stand."""
        return arranged(self.columns, self.rows, self._wanted)

    def _wanted(self, pane: str, width: int, most: int) -> int:
        match pane:
            case "board" if not most:
                scene = self.view.scene
                return len(scene.state.game.model.boards) if scene is not None else 1
            case "board":
                # The panes stay where they are while the cursor goes from option to option.
                self._most = max(1, most)
                return len(self._board(width, self._most, frozenset()))
            case "table":
                return len(self._table(width))
            case _:
                question = len(self._question(width)) + (len(self.view.notes) if self.view.kind == "pause" else 0)
                rows = Choices(self.view.menu, self.view.words, width, 10_000, self.unicode).rows
                return question + len(rows) + DETAILS

    def box(self, pane: str) -> Box:
        """Where a pane stands."""
        return self.arrangement.boxes[pane]

    def seen(self, pane: str) -> bool:
        """Whether a pane can be seen."""
        tabs = self.arrangement.tabs
        return pane not in tabs or pane == (self.desk.tab if self.desk.tab in tabs else tabs[0])

    def pane_at(self, column: int, row: int) -> str | None:
        """The pane at a spot of the screen."""
        boxes = self.arrangement.boxes.items()
        return next((pane for pane, box in boxes if self.seen(pane) and box.holds(column, row)), None)

    def option_at(self, column: int, row: int) -> int | None:
        """The number of the option at a spot of the screen."""
        box = self.box("options")
        row -= box.top + 1 + len(self._question(box.width))
        return self.choices.at(row + self._first_option, column - box.left) if 0 <= row < self._room else None

    def areas_at(self, column: int, row: int, among: Sequence[Place]) -> list[Place]:
        """The areas at a spot of the screen: those whose picture changes nearest to it when they light up."""
        from .pointing import pointed

        scene, box = self.view.scene, self.box("board")
        if scene is None:
            return []
        lines = self._board(box.width, self._most, self.touched)
        row += self._first_line(lines, box.height - 1) - box.top - 1
        return pointed(scene_of(self.view, box.width, self._most), lines, column - box.left, row, among)

    @property
    def touched(self) -> frozenset[Place]:
        """What the option under the cursor touches."""
        return self.view.touched.get(self.desk.cursor, frozenset())

    # ---- the options ----

    def _question(self, width: int) -> list[Line]:
        lines: list[Line] = [[("question", text)] for text in folded(self.view.question, width)]
        if self.view.hint:
            lines += [[("faint", text)] for text in folded(self.view.hint, width)]
        return lines

    @cached_property
    def _below(self) -> list[Line]:
        """What stands below the options: the answer to what was typed, else more of the option under the cursor."""
        width, notes = self.box("options").width, self.desk.note or self.view.notes
        if notes:
            room = self.box("options").height - 1
            return paragraphs(notes, width)[: max(DETAILS, room // 2 if self.view.menu.entries else room - 1)]
        entry = self.view.entry(self.desk.cursor)
        if entry is None:
            return []
        lines: list[Line] = []
        if not self.choices.shows_text(entry):
            lines += [[("", text)] for text in folded(entry.text, width)]
        if entry.outlook and not self.choices.shows_outlook(entry):
            lines += [[("outlook", text)] for text in folded(entry.outlook, width)]
        # All of it is said, as long as some options can be seen above.
        return lines[: max(DETAILS, self.box("options").height - 1 - len(self._question(width)) - STAYING)]

    @cached_property
    def choices(self) -> Choices:
        """The options in their pane."""
        box = self.box("options")
        room = box.height - 1 - len(self._question(box.width))
        return Choices(self.view.menu, self.view.words, box.width, room, self.unicode, self.desk.only)

    @property
    def _room(self) -> int:
        """The rows that there are for options."""
        box = self.box("options")
        return max(1, box.height - 1 - len(self._question(box.width)) - len(self._below))

    @property
    def _first_option(self) -> int:
        """The first row of the options that can be seen: such that the cursor can be seen."""
        at, total = self.choices.spot(self.desk.cursor)[0], len(self.choices.rows)
        first = min(self.desk.scrolled.get("options", 0), max(0, total - self._room))
        if self.desk.cursor:
            first = max(at - self._room + 1, min(first, at - (1 if at else 0)))
        self.desk.scrolled["options"] = max(0, first)
        return max(0, first)

    def _options(self, height: int) -> list[Line]:
        box = self.box("options")
        lines = self._question(box.width)
        first, room = self._first_option, self._room
        rows = self.choices.lines(self.desk.cursor if self.view.kind in ("choice", "agree") else 0)
        lines += self._clipped(rows, first, room, box.width)
        fill = height - len(lines) - len(self._below)
        return [*lines, *([[]] * fill), *self._below][:height]

    # ---- the other panes ----

    def _board(self, width: int, height: int, lit: frozenset[Place]) -> list[Line]:
        """The boards, with the legend where there is room for it."""
        if self.view.scene is None:
            return []
        lines, legend = self._boards(width, height, lit), self.legend(width, height)
        return [*lines, *legend] if self._has_room(lines, legend, height) else lines

    def legend(self, width: int, height: int = 0) -> list[Line]:
        """What the signs on the boards mean."""
        return self._drawn("legend", width, height) if self.view.scene is not None else []

    @staticmethod
    def _has_room(lines: Sequence[Line], legend: Sequence[Line], height: int) -> bool:
        return not height or len(lines) + len(legend) <= height

    def _left_out(self, box: Box) -> bool:
        """Whether there is a legend that is not seen with the boards."""
        legend = self.legend(box.width, self._most)
        if not legend:
            return False
        lines = self._boards(box.width, self._most, frozenset())
        return len(lines) + len(legend) >= box.height or not self._has_room(lines, legend, self._most)

    def _boards(self, width: int, height: int, lit: frozenset[Place]) -> list[Line]:
        return self._drawn("board", width, height, lit)

    def _drawn(self, part: str, width: int, height: int = 0, lit: frozenset[Place] = frozenset()) -> list[Line]:
        """A part of the picture, which is drawn once."""
        key = (part, width, height, lit)
        if key not in self.view.drawn:
            self.view.drawn[key] = getattr(position, part)(scene_of(self.view, width, height, lit))
        return self.view.drawn[key]

    def _first_line(self, lines: Sequence[Line], height: int) -> int:
        """The first line of the board that can be seen; what the option under the cursor touches is seen."""
        most = max(0, len(lines) - height)
        first = min(self.desk.scrolled.get("board", 0), most)
        if most and self.touched and self.desk.focus != "board":
            before = self._boards(self.box("board").width, self._most, frozenset())
            lit = [n for n, (a, b) in enumerate(zip(before, lines, strict=False)) if a != b]
            if lit and not first <= lit[0] <= lit[-1] < first + height:
                first = max(0, min((lit[0] + lit[-1] - height) // 2 + 1, most, lit[0]))
        self.desk.scrolled["board"] = first
        return first

    def _table(self, width: int) -> list[Line]:
        if self.view.scene is None:
            return []
        parts = (self._drawn(part, width) for part in ("players", "hands", "status", "ways"))
        return [line for part in parts for line in part if line]

    def _story(self, width: int, height: int) -> list[Line]:
        """The whole story; behind it the digest of what is new, where the new part alone would not fit."""
        view = self.view
        lines = paragraphs(view.story, width)
        fresh = paragraphs(view.story[view.fresh :], width)
        if len(fresh) > height and view.digest is not None and view.digest.told:
            lines += [[], *self._short(view.digest, width, height)]
        return lines

    def _short(self, digest: Digest, width: int, height: int) -> list[Line]:
        """The digest, with what matters most of it where there is no room for more."""
        say = self.view.words.say
        while True:
            short = [Paragraph("strong", say("screen.until_now" if digest.new else "screen.since"))]
            short += [Paragraph("", text, "  ") for text in digest.lines]
            if digest.left_out:
                short.append(Paragraph("faint", say("screen.left_out", n=digest.left_out)))
            lines = paragraphs(short, width)
            if len(lines) <= height or len(digest.told) == 1:
                return lines
            digest = digest.shorter()

    # ---- the whole ----

    def lines(self) -> list[Line]:
        """The screen."""
        if self.view.kind == "curtain" or self.desk.reader:
            return self._alone()
        grid: list[list[tuple[int, Line]]] = [[] for _ in range(self.rows)]
        for pane, box in sorted(self.arrangement.boxes.items(), key=lambda item: item[1].left):
            if self.seen(pane):
                for row, line in enumerate([self._title(pane, box), *self._content(pane, box)]):
                    if row < box.height and box.top + row < self.rows:
                        grid[box.top + row].append((box.left, padded(line, box.width)))
        return [self._joined(parts) for parts in grid]

    def _joined(self, parts: Sequence[tuple[int, Line]]) -> Line:
        line: list[Piece] = []
        for left, part in parts:
            gap = left - measure(line)
            bar = "│" if self.unicode else "|"
            line += [("faint", " " * (gap - 1) + bar)] if gap > 0 else []
            line += part
        return line

    def _title(self, pane: str, box: Box) -> Line:
        say, dash = self.view.words.say, "─" if self.unicode else "-"
        tabs = self.arrangement.tabs if pane in self.arrangement.tabs else (pane,)
        line: list[Piece] = [("faint", dash)]
        for name in tabs:
            chosen = self.desk.focus == name
            style = "number" if chosen else "strong" if name == pane else "faint"
            line += [(style, f" {say(f'screen.pane.{name}')} ")]
        if pane == "board" and self._left_out(box):
            line += [("faint", dash), ("faint", f" {say('screen.signs')} ")]
        return [*line, ("faint", dash * max(0, box.width - measure(line)))]

    def _content(self, pane: str, box: Box) -> list[Line]:
        height = box.height - 1
        match pane:
            case "options":
                return self._options(height)
            case "board":
                lines = self._board(box.width, self._most, self.touched)
                return self._clipped(lines, self._first_line(lines, height), height, box.width)
            case "table":
                lines = self._table(box.width)
            case _:
                lines = self._story(box.width, height)
        most = max(0, len(lines) - height)
        up = self.desk.scrolled.get(pane, END if pane == "table" else 0)
        if pane == "table":
            first = min(self.desk.scrolled.get(pane, 0), most)
            self.desk.scrolled[pane] = first
        else:
            self.desk.scrolled[pane] = min(up, most)
            first = most - self.desk.scrolled[pane]
        return self._clipped(lines, first, height, box.width)

    def _clipped(self, lines: Sequence[Line], first: int, height: int, width: int) -> list[Line]:
        """As much of lines as there is room for; arrows at the edge say that there is more."""
        shown = list(lines[first : first + height])
        for at, there, sign in ((0, first > 0, "↑^"), (-1, first + height < len(lines), "↓v")):
            if there and shown:
                shown[at] = [*padded(_trimmed(shown[at]), width - 1), ("number", sign[0] if self.unicode else sign[1])]
        return shown

    def _alone(self) -> list[Line]:
        """A long text, or the question before which nothing may be seen."""
        if self.view.kind == "curtain":
            lines: list[Line] = [[("question", text)] for text in folded(self.view.question, self.columns - 2)]
            above = self.rows // 3
            return [*([[]] * above), *lines, *([[]] * (self.rows - above - len(lines)))]
        lines = paragraphs(self.desk.reader, self.columns - 1)
        first = min(self.desk.scrolled.get("reader", 0), max(0, len(lines) - self.rows))
        self.desk.scrolled["reader"] = first
        shown = self._clipped(lines, first, self.rows, self.columns)
        return [*shown, *([[]] * (self.rows - len(shown)))]


def scene_of(view: View, width: int, height: int, lit: frozenset[Place] = frozenset()) -> Scene:
    """The scene of a view for a place of so many columns and rows (0: as many as it takes)."""
    assert view.scene is not None
    scene = replace(view.scene, width=width, height=height, lit=lit)
    # Where the options do something is the same at any size, and takes its time.
    vars(scene)["aims"] = view.scene.aims
    return scene


def _trimmed(line: Line) -> list[Piece]:
    """A line without the blanks at its end."""
    pieces = list(line)
    while pieces and not pieces[-1][1].strip(" "):
        pieces.pop()
    return [*pieces[:-1], (pieces[-1][0], pieces[-1][1].rstrip(" "))] if pieces else []


def paragraphs(texts: Sequence[Paragraph], width: int) -> list[Line]:
    """Paragraphs in lines of a width."""
    return [
        [(paragraph.style, line)]
        for paragraph in texts
        for line in folded(paragraph.text, width, paragraph.indent)
    ]  # fmt: skip

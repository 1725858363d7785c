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
from .desk import Desk
from .layout import Arrangement, Box, arranged
from .standing import standing
from .view import DARK, Light, Paragraph, View

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
                return self._at_its_highest(pane, width, len(self._board(width, self._most, DARK)))
            case "table":
                return self._at_its_highest(pane, width, len(self._table(width)))
            case "lesson":
                return len(paragraphs(self.view.lesson.said, width - 1)) if self.view.kind == "choice" else 0
            case _:
                question = len(self._question(width)) + (len(self.view.notes) if self.view.kind == "pause" else 0)
                rows = Choices(self.view.menu, self.view.words, width, 10_000, self.unicode).rows
                return question + len(rows) + DETAILS

    def _at_its_highest(self, pane: str, width: int, lines: int) -> int:
        """The lines of a pane, and no fewer than it had on a screen of this size."""
        return self.desk.most_wanted((pane, width, self.columns, self.rows), lines)

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
        lines = self._board(box.width, self._most, self.light)
        row += self._first_line(lines, box.height - 1) - box.top - 1
        return pointed(scene_of(self.view, box.width, self._most, self.light), column - box.left, row, among)

    @property
    def touched(self) -> frozenset[Place]:
        """What the option under the cursor touches."""
        return self.view.touched.get(self.desk.cursor, frozenset())

    @property
    def light(self) -> Light:
        """What lights up for the option under the cursor, or for what a lesson explains."""
        view, scene = self.view, self.view.scene
        entry = view.entry(self.desk.cursor)
        if view.kind == "lesson":
            return Light(self.touched)
        if scene is None or entry is None or view.kind != "choice":
            return DARK
        aim = scene.aims.get(entry.move) if view.menu.part is None else None
        laying = aim if aim is not None and aim.laid is not None else None
        return Light(self.touched, view.led.get(entry.number, frozenset()), laying)

    # ---- the options ----

    def _question(self, width: int) -> list[Line]:
        lines: list[Line] = [[("question", text)] for text in folded(self.view.question, width)]
        if self.view.hint:
            lines += [[("faint", text)] for text in folded(self.view.hint, width)]
        return lines

    @property
    def notes(self) -> tuple[Paragraph, ...]:
        """What is said of what was typed, as long as nobody has put it away."""
        away = self.desk.put_away and self.view.kind != "pause"
        return self.desk.note or (() if away else self.view.notes)

    @cached_property
    def _below(self) -> list[Line]:
        """What stands below the options: the answer to what was typed, else more of the option under the cursor."""
        width, notes = self.box("options").width, self.notes
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
        if self.view.kind == "lesson":
            return self._scrolled("lesson", self._lesson(box.width), height, box.width)
        lines = self._question(box.width)
        first, room = self._first_option, self._room
        rows = self.choices.lines(self.desk.cursor if self.view.kind in ("choice", "agree") else 0)
        lines += self._clipped(rows, first, room, box.width)
        fill = height - len(lines) - len(self._below)
        return [*lines, *([[]] * fill), *self._below][:height]

    # ---- the other panes ----

    def _board(self, width: int, height: int, light: Light) -> list[Line]:
        """The boards, with the legend where there is room for it."""
        if self.view.scene is None:
            return []
        lines, legend = self._boards(width, height, light), self.legend(width, height)
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
        lines = self._boards(box.width, self._most, DARK)
        return len(lines) + len(legend) >= box.height or not self._has_room(lines, legend, self._most)

    def _boards(self, width: int, height: int, light: Light) -> list[Line]:
        return self._drawn("board", width, height, light)

    def _drawn(self, part: str, width: int, height: int = 0, light: Light = DARK) -> list[Line]:
        """A part of the picture, which is drawn once."""
        key = (part, width, height, light)
        if key not in self.view.drawn:
            self.view.drawn[key] = getattr(position, part)(scene_of(self.view, width, height, light))
        return self.view.drawn[key]

    def _first_line(self, lines: Sequence[Line], height: int) -> int:
        """The first line of the board that can be seen; what the option under the cursor touches is seen."""
        most = max(0, len(lines) - height)
        first = min(self.desk.scrolled.get("board", 0), most)
        if most and self.touched and self.desk.focus != "board":
            lit = [n for n, line in enumerate(lines) if any(style == "lit" for style, _ in line)]
            # What is too far below need not be seen too.
            around = [n for at in lit if at < lit[0] + height for n in (at - 1, at + 1) if 0 <= n < len(lines)]
            if around and not first <= around[0] <= max(around) < first + height:
                first = max(0, min((around[0] + max(around) - height) // 2 + 1, most, around[0]))
        self.desk.scrolled["board"] = first
        return first

    def _table(self, width: int) -> list[Line]:
        if self.view.scene is None:
            return []
        parts = (self._drawn(part, width) for part in ("players", "hands", "status", "ways"))
        return [line for part in parts for line in part if line]

    def _lesson(self, width: int) -> list[Line]:
        """What is explained, and below it what the rules say of that."""
        lesson = self.view.lesson
        return paragraphs((*lesson.said, *lesson.small_print), width - 1)

    @property
    def cramped(self) -> bool:
        """Whether what is explained before a question needs the whole screen to be read."""
        box = self.box("options")
        said = paragraphs(self.view.lesson.said, box.width - 1)
        return self.view.kind == "lesson" and len(said) >= box.height

    def _story(self, width: int, height: int) -> list[Line]:
        """The whole story; behind it the digest of what is new, where the new part alone would not fit."""
        view = self.view
        # Where an arrow says that there is more, no word is cut for it.
        width -= 1
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

    def _heading(self, pane: str, box: Box) -> list[Piece]:
        """What a pane is called, with those that share its place, and the key for what does not fit."""
        say, dash = self.view.words.say, self._dash
        tabs = self.arrangement.tabs if pane in self.arrangement.tabs else (pane,)
        line: list[Piece] = [("faint", dash)]
        for name in tabs:
            chosen = self.desk.focus == name
            style = "number" if chosen else "strong" if name == pane else "faint"
            shown = "lesson" if name == "options" and self.view.kind == "lesson" else name
            line += [(style, f" {say(f'screen.pane.{shown}')} ")]
        if pane == "board" and self._left_out(box):
            line += [("faint", dash), ("faint", f" {say('screen.signs')} ")]
        return line

    @property
    def _dash(self) -> str:
        return "─" if self.unicode else "-"

    @cached_property
    def _standing(self) -> tuple[str, list[Piece]]:
        """How everybody stands, where the table of the players is not seen for itself, and the pane whose title has
        most room for it."""
        found: list[tuple[str, list[Piece]]] = [("", [])]
        if self.view.scene is not None and "table" in self.arrangement.tabs:
            boxes = sorted(self.arrangement.boxes.items(), key=lambda item: (item[1].top, item[1].left))
            for pane, box in boxes:
                room = box.width - measure(self._heading(pane, box)) - 1
                if self.seen(pane) and room > 0:
                    found.append((pane, standing(scene_of(self.view, box.width, 0), room)))
        return max(found, key=lambda one: measure(one[1]))

    def _title(self, pane: str, box: Box) -> Line:
        line, (place, stand) = self._heading(pane, box), self._standing
        if stand and place == pane:
            fill = box.width - measure(line) - measure(stand) - 1
            line += [("faint", self._dash * (fill - 1) + " ")] if fill > 0 else []
            line += [*stand, ("", " ")]
        return [*line, ("faint", self._dash * max(0, box.width - measure(line)))]

    def _content(self, pane: str, box: Box) -> list[Line]:
        height = box.height - 1
        match pane:
            case "options":
                return self._options(height)
            case "board":
                lines = self._board(box.width, self._most, self.light)
                return self._clipped(lines, self._first_line(lines, height), height, box.width)
            case "table":
                return self._scrolled(pane, self._table(box.width), height, box.width)
            case "lesson":
                return self._scrolled(pane, self._lesson(box.width), height, box.width)
            case _:
                lines = self._story(box.width, height)
        # The story is scrolled from its end upwards.
        most = max(0, len(lines) - height)
        self.desk.scrolled[pane] = min(self.desk.scrolled.get(pane, 0), most)
        return self._clipped(lines, most - self.desk.scrolled[pane], height, box.width)

    def _scrolled(self, pane: str, lines: Sequence[Line], height: int, width: int) -> list[Line]:
        """As much of lines as there is room for, from where a pane is scrolled to."""
        first = min(self.desk.scrolled.get(pane, 0), max(0, len(lines) - height))
        self.desk.scrolled[pane] = first
        return self._clipped(lines, first, height, width)

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
        shown = self._scrolled("reader", lines, self.rows, self.columns)
        return [*shown, *([[]] * (self.rows - len(shown)))]


def scene_of(view: View, width: int, height: int, light: Light = DARK) -> Scene:
    """The scene of a view for a place of so many columns and rows (0: as many as it takes)."""
    assert view.scene is not None
    scene = replace(
        view.scene, width=width, height=height, lit=light.lit, led=light.led, laying=light.laying,
        pointing=True, focus=light.focus,
    )  # fmt: skip
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

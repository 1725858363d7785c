"""Text rendering of a board of squares with coordinates at the edges.

A player's piece has the colour and letter of the player, and a shape of its own for terminals without colours. Option
numbers are shown in the free squares, or above the columns if each column has one option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.language.semantics.boards import SQUARE, Graph
from wongar_dsl.session.scene import FieldCopy, copies_of

from . import area_board
from .lines import Line, Piece, clip, line_width, pad_line, seat_style
from .scene import TextScene

#: Shapes of pieces by seat, with the letter inside; further seats start again. Large shapes, and shapes of one line.
LARGE = (
    ("╭───╮", "│ {} │", "╰───╯"), ("┏━━━┓", "┃ {} ┃", "┗━━━┛"),
    ("╱───╲", "│ {} │", "╲───╱"), ("╔═══╗", "║ {} ║", "╚═══╝"),
)  # fmt: skip
PLAIN_LARGE = (
    (".---.", "| {} |", "'---'"), ("#####", "# {} #", "#####"),
    ("/---\\", "< {} >", "\\---/"), ("+===+", "[ {} ]", "+===+"),
)  # fmt: skip
SMALL = ("●{}", "■{}", "◆{}", "▲{}", "○{}", "□{}", "◇{}", "△{}")
PLAIN_SMALL = ("({})", "#{}#", "<{}>", "^{}^")
#: Marks for remembered yes/no values of a square, by position of the value; further values are named.
YES = "+!'"
#: Cells and lines of a square with a large piece.
WIDE, HIGH = 7, 3


@dataclass(frozen=True)
class Square:
    """The contents of a square: owner of the piece, marks, and other texts."""

    owner: int | None
    marks: str
    texts: tuple[Line, ...]

    @property
    def empty(self) -> bool:
        """True if the square has no piece and no text."""
        return self.owner is None and not self.texts


def can_draw(scene: TextScene, board: Graph) -> bool:
    """Return whether the board can be drawn by this module: squares, and not too wide for the screen."""
    return board.directions == SQUARE and len(board.rows[0]) * 4 + 4 <= scene.width


def squares(scene: TextScene, name: str, board: Graph) -> list[Square]:
    """Return the contents of each area of a lattice."""
    return _GridPicture(scene, name, board).squares


def draw(scene: TextScene, name: str, board: Graph) -> list[Line]:
    """Draw the board as lines."""
    return _GridPicture(scene, name, board).lines()


def mark_names(scene: TextScene, name: str) -> dict[str, str]:
    """Return the name of the yes/no value that each mark on a board stands for."""
    return {mark: scene.name(place) for mark, place in zip(YES, _drawn(scene, name)[1], strict=False)}


def _drawn(scene: TextScene, name: str) -> tuple[ir.Field | None, Sequence[ir.Field]]:
    """Return the value drawn as a piece of a player, and the yes/no values drawn as marks.

    Beside things on the board, whose signs a piece or a mark could be taken for, every value is named.
    """
    kind = Type("board", name)
    fields = [place for place in scene.fields if kind in place.indices]
    if any(place.kind != "remember" for place in fields):
        return None, ()
    values = [place for place in fields if place.indices == (kind,)]
    owners = [place for place in values if place.type == PLAYER]
    questions = [place for place in values if place.type.kind == "truth"] if scene.draws_marks else []
    return owners[0] if len(owners) == 1 else None, questions[: len(YES)]


class _GridPicture:
    def __init__(self, scene: TextScene, name: str, board: Graph) -> None:
        self.scene, self.name, self.board = scene, name, board
        kind = Type("board", name)
        #: The values remembered for each square, the one drawn as a piece of a player, and those drawn as marks.
        self.values = [place for place in scene.fields if place.kind == "remember" and place.indices == (kind,)]
        self.pieces, self.questions = _drawn(scene, name)
        self.squares = [self._square(area) for area in range(len(board.areas))]
        self.numbers = scene.numbers(name)
        self.above = self._by_column()
        self.side = max(len(f"{y}") for _, y in board.spots) + 1

    # ---- contents ----

    def _square(self, area: int) -> Square:
        owner, marks, texts = None, "", list[Line]()
        for place in self.values:
            copy = FieldCopy(place, (area,))
            value = self.scene.value(copy)
            if place == self.pieces:
                owner = value if value is not None and value >= 0 else None
            elif place in self.questions:
                marks += YES[self.questions.index(place)] if value else ""
            elif place.type.kind != "number" or (value and not self._counted(place)):
                texts += area_board.remembered(self.scene, copy)
        lying = area_board.visible_contents(self.scene, self.name, area, [place.name for place in self.values])
        piles: list[Line] = [[("faint", "".join(lying.piles))]] if lying.piles else []
        return Square(owner, marks, (*texts, *piles, *lying.cards, *lying.items))

    def _counted(self, field: ir.Field) -> bool:
        """Return whether a number is visible from the board: the length of the row of pieces from its square."""
        numbers = {copy.indices[0]: number for copy in copies_of(field) if (number := self.scene.value(copy))}
        occupied = self._taken()
        return any(
            all(number == _run(self.board, occupied, area, direction) for area, number in numbers.items())
            for direction in range(self.board.directions)
        )

    def _taken(self) -> set[int]:
        """Return the squares with a player's piece."""
        owners = [place for place in self.values if place.type == PLAYER]
        return {
            copy.indices[0]
            for place in owners
            for copy in copies_of(place)
            if (owner := self.scene.value(copy)) is not None and owner >= 0
        }

    def _by_column(self) -> dict[int, int]:
        """Return option numbers by column, if each column has at most one and the squares cannot show them."""
        spots = {area: self.board.spots[area] for area in self.numbers}
        if len({y for _, y in spots.values()}) != 1 or any(len(n) > 1 for n in self.numbers.values()):
            return {}
        ends = {y for _, y in self.board.spots}
        others = [a for a, square in enumerate(self.squares) if square.empty and a not in self.numbers]
        if next(iter(spots.values()))[1] not in (min(ends), max(ends)):
            return {}
        if not others and all(self.squares[area].empty for area in self.numbers):
            return {}
        return {x: self.numbers[area][0] for area, (x, _) in spots.items()}

    # ---- drawing ----

    def lines(self) -> list[Line]:
        """See `draw`."""
        rows = len(self.board.rows)
        room = self.scene.height
        large = 4 * rows + 3 <= room and self.side + (WIDE + 1) * len(self.board.rows[0]) < self.scene.width
        if large and all(len(s.texts) == 0 and len(s.marks) < 2 for s in self.squares):
            return self._framed(WIDE, HIGH)
        widest = max([3, *(line_width(line) + 2 for s in self.squares for line in self._contents(s))])
        most = (self.scene.width - 1 - self.side) // len(self.board.rows[0]) - 1
        wide = max(3, min(widest, most))
        high = max([1, *(len(self._contents(square)) for square in self.squares)])
        return self._framed(wide, high, dense=bool(room) and high == 1 and 2 * rows + 3 > room)

    def _framed(self, wide: int, high: int, dense: bool = False) -> list[Line]:
        """Return the framed squares with coordinates; `dense` omits the lines between rows."""
        bar, dash = self.scene.sign("│", "|"), self.scene.sign("─", "-")
        columns = len(self.board.rows[0])

        def rule(left: str, between: str, right: str) -> Line:
            ends = (left, between, right) if self.scene.unicode else ("+", "+", "+")
            return [("faint", " " * self.side + ends[0] + ends[1].join([dash * wide] * columns) + ends[2])]

        index = {area: number for number, area in enumerate(self.board.areas)}
        lines: list[Line] = [self._heads(self.above, wide)] if self.above else []
        lines.append(rule("┌", "┬", "┐"))
        for number, row in enumerate(self.board.rows):
            if number and not dense:
                lines.append(rule("├", "┼", "┤"))
            boxes = [self._box(index[area], wide, high) for area in row]
            for k in range(high):
                label = f"{self.board.spots[index[row[0]]][1]} " if k == (high - 1) // 2 else ""
                line: list[Piece] = [("faint", f"{label:>{self.side}}"), ("faint", bar)]
                for box in boxes:
                    line += [*box[k], ("faint", bar)]
                lines.append(line)
        lines.append(rule("└", "┴", "┘"))
        letters = {self.board.spots[index[a]][0]: a.rstrip("0123456789") for a in self.board.rows[-1]}
        lines.append(self._heads(letters, wide))
        return lines

    def _heads(self, texts: dict[int, int] | dict[int, str], wide: int) -> Line:
        """Return the line above or below the columns."""
        style = "number" if texts is self.above else "faint"
        line: list[Piece] = [("", " " * self.side)]
        for x in sorted({x for x, _ in self.board.spots}):
            line += [("", " "), (style, f"{texts.get(x, '')!s:^{wide}}")]
        return line

    def _box(self, area: int, wide: int, high: int) -> list[Line]:
        """Return the lines of a square."""
        square, place = self.squares[area], (self.name, area)
        numbers = [] if self.above or not square.empty else self.numbers.get(area, [])
        contents = self._large(square) if (wide, high) == (WIDE, HIGH) and not square.texts else self._contents(square)
        if numbers:
            text = clip("|".join(map(str, numbers)), wide - 2)
            contents = [*([[]] * ((high - 1) // 2)), [("number", text)]]
        elif not contents and Type("board", self.name) in self.scene.hiding:
            contents = [*([[]] * ((high - 1) // 2)), [("faint", self.scene.hidden_sign)]]
        highlight, changed = self.scene.highlight(*place), place in self.scene.marked
        around = self.scene.brackets(highlight) if highlight else (" ", "*")
        box: list[Line] = []
        for k in range(high):
            content = (
                area_board.with_short_title(self.scene, contents[k], wide) if k < len(contents) and contents[k] else []
            )
            before = max(0, (wide - line_width(content)) // 2)
            line: Line = pad_line([("", " " * before), *content], wide)
            if highlight or changed:
                edges = (around[0], "*" if changed else around[1])
                line = self._highlighted(line, highlight, edges if k == (high - 1) // 2 else None)
            box.append(line)
        return box

    @staticmethod
    def _highlighted(line: Line, highlight: str, edges: tuple[str, str] | None) -> Line:
        """Mark a line of a highlighted or changed square by its colour and by symbols at its `edges`."""
        text = "".join(piece for _, piece in line)
        if edges is not None and text[:1] == " " and text[-1:] == " ":
            return [(highlight or "changed", edges[0]), *_inside(line), (highlight or "changed", edges[1])]
        return [(highlight, text)] if highlight else line

    def _large(self, square: Square) -> list[Line]:
        if square.owner is None:
            return []
        forms = LARGE if self.scene.unicode else PLAIN_LARGE
        style, letter = seat_style(square.owner), self.scene.letters[square.owner]
        rows = [row.format(letter) for row in forms[square.owner % len(forms)]]
        rows[1] = rows[1].replace(f"{letter} ", f"{letter}{square.marks}") if square.marks else rows[1]
        return [[(style, row)] for row in rows]

    def _contents(self, square: Square) -> list[Line]:
        """Return the contents of a square in their smallest form."""
        forms = SMALL if self.scene.unicode else PLAIN_SMALL
        lines: list[Line] = []
        if square.owner is not None:
            text = forms[square.owner % len(forms)].format(self.scene.letters[square.owner])
            lines.append([(seat_style(square.owner), text + square.marks)])
        elif square.marks:
            lines.append([("", square.marks)])
        return [*lines, *square.texts]


def _inside(line: Line) -> list[Piece]:
    """Return a line without its first and last cell, which are blank."""
    pieces = [piece for piece in line if piece[1]]
    pieces[0] = (pieces[0][0], pieces[0][1][1:])
    pieces[-1] = (pieces[-1][0], pieces[-1][1][:-1])
    return pieces


def _run(board: Graph, taken: set[int], area: int, way: int) -> int:
    """Return the number of consecutive occupied squares from a square in a direction."""
    count = 0
    while area >= 0 and area in taken:
        count, area = count + 1, board.steps[area][way]
    return count

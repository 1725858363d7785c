"""A board of squares as its players know it: coordinates at the edges, in the squares nothing but what stands there.

A player's piece has the player's colour and letter in a form of its own, so that it is told from others without
colours.  Numbers of options stand in the free squares; where each column has one option, above the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.model import Type
from wongar_dsl.model.boards import SQUARE, Graph

from ..terminal.screen import Line, Piece, clipped, measure, padded, seat_style
from . import area_board
from .scene import Scene

PLAYER = Type("player")
#: How a seat's piece is drawn around its letter, for further seats from the beginning: large, and in one line.
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
#: What a yes to a question about a square adds to its piece, for further questions from the beginning.
YES = "+!°'"
#: The cells of a square with a large piece, and its lines.
WIDE, HIGH = 7, 3


@dataclass(frozen=True)
class Square:
    """What stands in a square: whose piece, and what else."""

    owner: int | None
    marks: str
    texts: tuple[Line, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return self.owner is None and not self.texts


def suits(scene: Scene, board: Graph) -> bool:
    """Whether a board can be drawn so: squares, not too many for the screen."""
    return board.directions == SQUARE and len(board.rows[0]) * 4 + 4 <= scene.width


def squares(scene: Scene, name: str, board: Graph) -> list[Square]:
    """What stands in each area of a lattice."""
    return _Grid(scene, name, board).squares


def draw(scene: Scene, name: str, board: Graph) -> list[Line]:
    """The board as lines."""
    return _Grid(scene, name, board).lines()


class _Grid:
    def __init__(self, scene: Scene, name: str, board: Graph) -> None:
        self.scene, self.name, self.board = scene, name, board
        self.squares = [self._square(area) for area in range(len(board.areas))]
        self.numbers = scene.numbers(name)
        self.above = self._by_column()
        self.side = max(len(f"{y}") for _, y in board.spots) + 1

    # ---- what stands where ----

    def _square(self, area: int) -> Square:
        owner, marks, texts = None, "", list[Line]()
        for place in self._places():
            at = place.at(area)
            value = self.scene.state.cells[at]
            if place.kind == "remember" and place.type == PLAYER and owner is None:
                owner = value if value >= 0 else None
            elif place.kind == "remember" and place.type.kind == "truth":
                marks += YES[self._questions().index(place.name) % len(YES)] if value else ""
            elif place.kind == "remember" and place.type.kind == "number":
                if value and not self._counted(place):
                    texts.append([("", str(value))])
            elif place.kind == "remember" and value >= 0:
                texts.append([("", self.scene.short(place.type, value))])
        lying = area_board.content(self.scene, self.name, area, remembered=False)
        piles: list[Line] = [[("faint", "".join(lying.piles))]] if lying.piles else []
        return Square(owner, marks, (*texts, *piles, *lying.cards, *lying.items))

    def _places(self) -> Iterator[ir.Field]:
        """What is remembered of each square."""
        kind = Type("board", self.name)
        for place in self.scene.places:
            if place.kind == "remember" and place.indices == (kind,):
                yield place

    def _questions(self) -> list[str]:
        return [place.name for place in self._places() if place.type.kind == "truth"]

    def _counted(self, place: ir.Field) -> bool:
        """Whether the board shows what a number says: how many squares in a row are taken from its square on."""
        cells = self.scene.state.cells
        numbers = {area: cells[at] for (area,), at in copies(place) if cells[at]}
        taken = self._taken()
        return any(
            all(number == _run(self.board, taken, area, way) for area, number in numbers.items())
            for way in range(self.board.directions)
        )

    def _taken(self) -> set[int]:
        """The squares on which a piece of a player stands."""
        owners = [place for place in self._places() if place.type == PLAYER]
        cells = self.scene.state.cells
        return {area for place in owners for (area,), at in copies(place) if cells[at] >= 0}

    def _by_column(self) -> dict[int, int]:
        """The number of the option for each column, where each has one at most and a square cannot show it."""
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

    # ---- the picture ----

    def lines(self) -> list[Line]:
        """See `draw`."""
        rows = len(self.board.rows)
        room = self.scene.height
        large = 4 * rows + 3 <= room and self.side + (WIDE + 1) * len(self.board.rows[0]) < self.scene.width
        if large and all(len(s.texts) == 0 and len(s.marks) < 2 for s in self.squares):
            return self._framed(WIDE, HIGH)
        widest = max([3, *(measure(line) + 2 for s in self.squares for line in self._contents(s))])
        most = (self.scene.width - 1 - self.side) // len(self.board.rows[0]) - 1
        wide = max(3, min(widest, most))
        high = max([1, *(len(self._contents(square)) for square in self.squares)])
        return self._framed(wide, high, dense=bool(room) and high == 1 and 2 * rows + 3 > room)

    def _framed(self, wide: int, high: int, dense: bool = False) -> list[Line]:
        """The squares in a frame, unless it is `dense` with a line between two rows, and the coordinates around."""
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
        """What stands above or below the columns."""
        style = "number" if texts is self.above else "faint"
        line: list[Piece] = [("", " " * self.side)]
        for x in sorted({x for x, _ in self.board.spots}):
            line += [("", " "), (style, f"{texts.get(x, '')!s:^{wide}}")]
        return line

    def _box(self, area: int, wide: int, high: int) -> list[Line]:
        """The lines of a square."""
        square, place = self.squares[area], (self.name, area)
        numbers = [] if self.above or not square.empty else self.numbers.get(area, [])
        contents = self._large(square) if (wide, high) == (WIDE, HIGH) and not square.texts else self._contents(square)
        if numbers:
            text = clipped("|".join(map(str, numbers)), wide - 2)
            contents = [*([[]] * ((high - 1) // 2)), [("number", text)]]
        highlight, changed = self.scene.highlight(*place), place in self.scene.marked
        around = self.scene.brackets(highlight) if highlight else (" ", "*")
        box: list[Line] = []
        for k in range(high):
            content = contents[k] if k < len(contents) else []
            before = max(0, (wide - measure(content)) // 2)
            line: Line = padded([("", " " * before), *content], wide)
            if highlight or changed:
                edges = (around[0], "*" if changed else around[1])
                line = self._highlighted(line, highlight, edges if k == (high - 1) // 2 else None)
            box.append(line)
        return box

    @staticmethod
    def _highlighted(line: Line, highlight: str, edges: tuple[str, str] | None) -> Line:
        """A line of a square that is highlighted or changed: by its colour, and with signs at its `edges`."""
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
        """What stands in a square, as small as can be."""
        forms = SMALL if self.scene.unicode else PLAIN_SMALL
        found: list[Line] = []
        if square.owner is not None:
            text = forms[square.owner % len(forms)].format(self.scene.letters[square.owner])
            found.append([(seat_style(square.owner), text + square.marks)])
        elif square.marks:
            found.append([("", square.marks)])
        return [*found, *square.texts]


def _inside(line: Line) -> list[Piece]:
    """A line without its first and its last cell, which are blank."""
    pieces = [piece for piece in line if piece[1]]
    pieces[0] = (pieces[0][0], pieces[0][1][1:])
    pieces[-1] = (pieces[-1][0], pieces[-1][1][:-1])
    return pieces


def _run(board: Graph, taken: set[int], area: int, way: int) -> int:
    """How many squares in a row are taken, from one on in a direction."""
    count = 0
    while area >= 0 and area in taken:
        count, area = count + 1, board.steps[area][way]
    return count

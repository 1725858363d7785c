"""A puzzle as lines: what is asked, and the pieces as they lie."""

from __future__ import annotations

from wongar_dsl.model.shapes import LETTERS
from wongar_dsl.table.puzzle import Laying, Puzzle
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, measure, padded

#: The cells of a square, and on small screens.
WIDE, HIGH = 4, 2
SIZES = ((WIDE, HIGH), (2, 1))
#: The cells of the wall at each side of a board, between the board and the pieces, and between these.
WALL, BETWEEN, APART = 2, 4, 2
PALETTE = ("piece0", "piece1", "piece2", "piece3", "piece4", "piece5")


def asked(puzzle: Puzzle, area: str, pieces: str) -> list[Line]:
    """The area and the pieces beside it, under their headings, for who answers in writing."""
    height = max(puzzle.area.height, *(p.height for p in puzzle.pieces.values()))
    width = max(2 * puzzle.area.width, cells_of(area)) + 4
    lines: list[Line] = [[*padded([("strong", area)], width), ("strong", pieces)]]
    for r in range(height):
        row = puzzle.area.rows[r] if r < puzzle.area.height else ""
        line = padded([("", "".join("[]" if sign == "x" else "  " for sign in row))], width)
        for number, piece in puzzle.pieces.items():
            letter = LETTERS[number]
            shown = piece.rows[r] if r < piece.height else ""
            cells = "".join(2 * letter if s == "x" else "  " for s in shown)
            line += padded([("strong", cells)], 2 * piece.width + 3)
        lines.append(line)
    return lines


def solved(puzzle: Puzzle) -> list[Line]:
    """The area with all pieces as they lie in a solution."""
    return lying(Laying.of(puzzle, next(iter(puzzle.solutions))))


def lying(laying: Laying) -> list[Line]:
    """The area with the pieces as they lie."""
    area = laying.puzzle.area
    lines = _squares(laying, area.height, area.width, " ", " ", (WIDE, HIGH))
    return [padded(line, WIDE * area.width + BETWEEN) for line in lines]


def laid(laying: Laying, free: str, wall: str, placed: str, columns: int = 80, rows: int = 24) -> list[Line]:
    """The area with what lies there inside its wall, and the pieces beside it, or below it where there is no room for
    them: `free` fills squares, `wall` what is around them, `placed` marks a piece.

    It is as large as it fits into so many columns and rows; where anything stands is the same for the whole puzzle.
    """
    pieces = _pieces(laying, placed)
    ways = ((size, beside) for size in SIZES for beside in (True, False))
    fitting = (way for way in ways if _fits(_side(laying), pieces, *way, columns, rows))
    size, beside = next(fitting, (SIZES[-1], False))
    board = _walled(laying, free, wall, size)
    if not beside:
        return [*board, [], *pieces]
    tall = max(len(board), len(pieces))
    blank: list[Line] = [[]]
    pairs = zip([*board, *blank * (tall - len(board))], [*pieces, *blank * (tall - len(pieces))], strict=True)
    return [[*padded(left, measure(board[0]) + BETWEEN), *right] for left, right in pairs]


def _fits(side: int, pieces: list[Line], size: tuple[int, int], beside: bool, columns: int, rows: int) -> bool:
    """Whether a board of so many squares fits with the pieces beside or below it."""
    (wide, high), room = (side * size[0] + 2 * WALL, side * size[1] + 2), measure(pieces[0])
    if beside:
        return wide + BETWEEN + room < columns and max(high, len(pieces)) <= rows
    return max(wide, room) < columns and high + 1 + len(pieces) <= rows


def _side(laying: Laying) -> int:
    """The squares at a side of the board: so many that each piece can be turned on it."""
    shapes = (laying.puzzle.area, *laying.puzzle.pieces.values())
    return max(max(shape.width, shape.height) for shape in shapes)


def _walled(laying: Laying, free: str, wall: str, size: tuple[int, int]) -> list[Line]:
    """The board, in whose wall the area is left open."""
    side = _side(laying)
    edge: Line = [("", wall * (side * size[0] + 2 * WALL))]
    inside = _squares(laying, side, side, free, wall, size)
    return [edge, *([("", wall * WALL), *line, ("", wall * WALL)] for line in inside), edge]


def _squares(
    laying: Laying, height: int, width: int, free: str, outside: str, size: tuple[int, int]
) -> list[list[Piece]]:
    """The squares with what lies there and what is held over them."""
    area, taken = laying.puzzle.area, {s: n for n, spots in laying.placed.items() for s in spots}
    held = set(laying.spots)
    order = list(laying.puzzle.pieces)
    wide, high = size
    lines: list[list[Piece]] = []
    for r in range(height):
        for _ in range(high):
            line: list[Piece] = []
            for c in range(width):
                spot = (r, c)
                inside, number = spot in area.spots, taken.get(spot)
                if spot in held and laying.held is not None:
                    good = inside and number is None
                    letter = LETTERS[laying.held].lower()
                    text = letter * wide if good else f"{letter}!" * (wide // 2)
                    line.append(("held" if good else "blocked", text))
                elif number is not None:
                    line.append((PALETTE[order.index(number) % len(PALETTE)], LETTERS[number] * wide))
                else:
                    line.append(("faint", free * wide) if inside else ("", outside * wide))
            lines.append(line)
    return lines


def _pieces(laying: Laying, placed: str) -> list[Line]:
    """The pieces as they are turned, under what they are held with; each has its place, however it is turned."""
    tall = max(max(piece.width, piece.height) for piece in laying.puzzle.pieces.values())
    rows: list[list[Piece]] = [[] for _ in range(tall + 1)]
    for i, (number, piece) in enumerate(laying.puzzle.pieces.items()):
        way, letter = laying.ways[number], LETTERS[number]
        room = max(2 * max(piece.width, piece.height), cells_of(placed), 5) + APART
        style = PALETTE[i % len(PALETTE)]
        head = f"[{i + 1} {letter}]" if number == laying.held else f" {i + 1} {letter}"
        rows[0] += padded([("strong", head)], room)
        for r in range(tall):
            cells = way.rows[r] if r < way.height and number not in laying.placed else ""
            small: list[Piece] = [(style if s == "x" else "", 2 * letter if s == "x" else "  ") for s in cells]
            if number in laying.placed and r == 0:
                small = [("faint", placed)]
            rows[r + 1] += padded(small, room)
    return [[*row] for row in rows]

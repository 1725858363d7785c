"""Text rendering of a puzzle: the target area and the pieces."""

from __future__ import annotations

from itertools import zip_longest

from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.language.semantics.shapes import LETTERS
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout

from .lines import Line, Piece, line_width, pad_line

#: Cells of a square: columns and lines, on large and on small screens.
WIDE, HIGH = 4, 2
SIZES = ((WIDE, HIGH), (2, 1))
#: Width in cells of the wall around the board, of the gap to the pieces, and of the gap between pieces.
WALL, BOARD_GAP, PIECE_GAP = 2, 4, 2
PALETTE = ("piece0", "piece1", "piece2", "piece3", "piece4", "piece5")


def puzzle_lines(puzzle: Puzzle, area: str, pieces: str) -> list[Line]:
    """Return the area with the pieces beside it under headings, for answers typed as text."""
    height = max(puzzle.area.height, *(p.height for p in puzzle.pieces.values()))
    width = max(2 * puzzle.area.width, cells_of(area)) + 4
    lines: list[Line] = [[*pad_line([("strong", area)], width), ("strong", pieces)]]
    for r in range(height):
        row = puzzle.area.rows[r] if r < puzzle.area.height else ""
        line = pad_line([("", "".join("[]" if sign == "x" else "  " for sign in row))], width)
        for number, piece in puzzle.pieces.items():
            letter = LETTERS[number]
            shown = piece.rows[r] if r < piece.height else ""
            cells = "".join(2 * letter if s == "x" else "  " for s in shown)
            line += pad_line([("strong", cells)], 2 * piece.width + 3)
        lines.append(line)
    return lines


def solution_lines(puzzle: Puzzle) -> list[Line]:
    """Return the area with all pieces as in a solution."""
    return layout_lines(PuzzleLayout.of(puzzle, next(iter(puzzle.solutions))))


def layout_lines(layout: PuzzleLayout) -> list[Line]:
    """Return the area with the pieces as placed."""
    area = layout.puzzle.area
    lines = _squares(layout, area.height, area.width, " ", " ", (WIDE, HIGH))
    return [pad_line(line, WIDE * area.width + BOARD_GAP) for line in lines]


def board_lines(
    layout: PuzzleLayout, free: str, wall: str, placed: str, columns: int = 80, rows: int = 24
) -> list[Line]:
    """Return the walled area with the placed pieces, and the other pieces beside or below it.

    `free` fills squares, `wall` the surroundings, and `placed` marks a piece that is on the board. The size is the
    largest that fits the given columns and rows. It is the same for the whole puzzle, so that nothing moves.
    """
    pieces = _pieces(layout, placed)
    arrangements = ((size, beside) for size in SIZES for beside in (True, False))
    fitting = (arrangement for arrangement in arrangements if _fits(_side(layout), pieces, *arrangement, columns, rows))
    size, beside = next(fitting, (SIZES[-1], False))
    board = _walled(layout, free, wall, size)
    if not beside:
        return [*board, [], *pieces]
    pairs = zip_longest(board, pieces, fillvalue=())
    return [[*pad_line(board_line, line_width(board[0]) + BOARD_GAP), *right] for board_line, right in pairs]


def _fits(side: int, pieces: list[Line], size: tuple[int, int], beside: bool, columns: int, rows: int) -> bool:
    """Return whether a board of `side` squares fits with the pieces beside or below it."""
    (wide, high), room = (side * size[0] + 2 * WALL, side * size[1] + 2), line_width(pieces[0])
    if beside:
        return wide + BOARD_GAP + room < columns and max(high, len(pieces)) <= rows
    return max(wide, room) < columns and high + 1 + len(pieces) <= rows


def _side(layout: PuzzleLayout) -> int:
    """Return the squares per side of the board, large enough to rotate every piece on it."""
    shapes = (layout.puzzle.area, *layout.puzzle.pieces.values())
    return max(max(shape.width, shape.height) for shape in shapes)


def _walled(layout: PuzzleLayout, free: str, wall: str, size: tuple[int, int]) -> list[Line]:
    """Return the board with its wall, in which the area is open."""
    side = _side(layout)
    edge: Line = [("", wall * (side * size[0] + 2 * WALL))]
    inside = _squares(layout, side, side, free, wall, size)
    return [edge, *([("", wall * WALL), *line, ("", wall * WALL)] for line in inside), edge]


def _squares(
    layout: PuzzleLayout, height: int, width: int, free: str, outside: str, size: tuple[int, int]
) -> list[list[Piece]]:
    """Return the squares with placed pieces and the piece held over them."""
    area, occupied = layout.puzzle.area, {s: n for n, spots in layout.placed.items() for s in spots}
    held = set(layout.spots)
    order = list(layout.puzzle.pieces)
    wide, high = size
    lines: list[list[Piece]] = []
    for r in range(height):
        for _ in range(high):
            line: list[Piece] = []
            for c in range(width):
                spot = (r, c)
                inside, number = spot in area.spots, occupied.get(spot)
                if spot in held and layout.held is not None:
                    good = inside and number is None
                    letter = LETTERS[layout.held].lower()
                    text = letter * wide if good else f"{letter}!" * (wide // 2)
                    line.append(("held" if good else "blocked", text))
                elif number is not None:
                    line.append((PALETTE[order.index(number) % len(PALETTE)], LETTERS[number] * wide))
                else:
                    line.append(("faint", free * wide) if inside else ("", outside * wide))
            lines.append(line)
    return lines


def _pieces(layout: PuzzleLayout, placed: str) -> list[Line]:
    """Return the unplaced pieces in their orientation, under their keys; rotation does not change the layout."""
    tall = max(max(piece.width, piece.height) for piece in layout.puzzle.pieces.values())
    rows: list[list[Piece]] = [[] for _ in range(tall + 1)]
    for i, (number, piece) in enumerate(layout.puzzle.pieces.items()):
        oriented, letter = layout.orientations[number], LETTERS[number]
        room = max(2 * max(piece.width, piece.height), cells_of(placed), 5) + PIECE_GAP
        style = PALETTE[i % len(PALETTE)]
        head = f"[{i + 1} {letter}]" if number == layout.held else f" {i + 1} {letter}"
        rows[0] += pad_line([("strong", head)], room)
        for r in range(tall):
            cells = oriented.rows[r] if r < oriented.height and number not in layout.placed else ""
            small: list[Piece] = [(style if s == "x" else "", 2 * letter if s == "x" else "  ") for s in cells]
            if number in layout.placed and r == 0:
                small = [("faint", placed)]
            rows[r + 1] += pad_line(small, room)
    return [[*row] for row in rows]

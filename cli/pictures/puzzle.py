"""A puzzle as lines: what is asked, and the pieces as they lie."""

from __future__ import annotations

from wongar_dsl.model.shapes import LETTERS
from wongar_dsl.table.puzzle import Laying, Puzzle
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, padded

WIDE, HIGH = 4, 2
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
    return _area(laying, " ")


def laid(laying: Laying, free: str, placed: str) -> list[Line]:
    """The area with what lies there, and the pieces beside it: `free` fills squares, `placed` marks a piece."""
    return _beside(laying, _area(laying, free), placed)


def _area(laying: Laying, free: str) -> list[Line]:
    """The area with what lies there and what is held over it."""
    area, taken = laying.puzzle.area, {s: n for n, spots in laying.placed.items() for s in spots}
    held = set(laying.spots)
    height = max([area.height, *(r + 1 for r, _ in held)])
    width = max([area.width, *(c + 1 for _, c in held)])
    order = list(laying.puzzle.pieces)
    lines: list[Line] = []
    for r in range(height):
        for _ in range(HIGH):
            line: list[Piece] = []
            for c in range(width):
                spot = (r, c)
                inside, number = spot in area.spots, taken.get(spot)
                if spot in held and laying.held is not None:
                    good = inside and number is None
                    letter = LETTERS[laying.held].lower()
                    text = letter * WIDE if good else f"{letter}!" * (WIDE // 2)
                    line.append(("held" if good else "blocked", text))
                elif number is not None:
                    line.append((PALETTE[order.index(number) % len(PALETTE)], LETTERS[number] * WIDE))
                else:
                    line.append(("faint", free * WIDE) if inside else ("", " " * WIDE))
            lines.append(padded(line, WIDE * max(width, area.width) + 4))
    return lines


def _beside(laying: Laying, lines: list[Line], placed: str) -> list[Line]:
    """The lines with the pieces at their right."""
    column = len("".join(text for _, text in lines[0])) if lines else 0
    rows: list[list[Piece]] = [[] for _ in range(6)]
    for i, number in enumerate(laying.puzzle.pieces):
        way, letter = laying.ways[number], LETTERS[number]
        room = max(2 * way.width, cells_of(placed), 5) + 2
        style = PALETTE[i % len(PALETTE)]
        head = f"[{i + 1} {letter}]" if number == laying.held else f" {i + 1} {letter}"
        rows[0] += padded([("strong", head)], room)
        for r in range(4):
            cells = way.rows[r] if r < way.height and number not in laying.placed else ""
            small: list[Piece] = [(style if s == "x" else "", 2 * letter if s == "x" else "  ") for s in cells]
            if number in laying.placed and r == 0:
                small = [("faint", placed)]
            rows[r + 1] += padded(small, room)
    result: list[Line] = []
    for i in range(max(len(lines), len(rows))):
        left = list(lines[i]) if i < len(lines) else [("", " " * column)]
        result.append([*left, *(rows[i] if i < len(rows) else [])])
    return result

"""Lines of text for a terminal: pieces, each with its own style."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.terminal_text import width as cells_of

#: Name of a style, and text.
Piece = tuple[str, str]
Line = Sequence[Piece]


def seat_style(seat: int) -> str:
    """Return the style of a seat."""
    return f"seat{seat % 8}"


def line_width(line: Line) -> int:
    """Return the width of a line in cells."""
    return sum(cells_of(text) for _, text in line)


def line_text(line: Line) -> str:
    """Return the text of a line without styles."""
    return "".join(text for _, text in line)


def pad_line(line: Line, width: int) -> list[Piece]:
    """Pad a line with spaces to `width`, or cut it there."""
    result: list[Piece] = []
    room = width
    for style, text in line:
        cut = clip(text, room)
        room -= cells_of(cut)
        result.append((style, cut))
        if cut != text:
            break
    if room > 0:
        result.append(("", " " * room))
    return result


def clip(text: str, width: int) -> str:
    """Cut a text to `width` cells, with an ellipsis."""
    if cells_of(text) <= width:
        return text
    prefix = ""
    for letter in text:
        if cells_of(prefix + letter) > width - 1:
            break
        prefix += letter
    return prefix + "…" if width > 0 else ""

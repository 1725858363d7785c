"""Line wrapping of styled items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.width import width as cells_of

from .lines import Line, Piece, line_text, line_width
from .scene import TextScene


def wrap_items(scene: TextScene, items: Sequence[Line], between: str) -> Iterator[Line]:
    """Wrap items into as few lines as possible, joined by a separator."""
    line: list[Piece] = []
    for item in items:
        if line and line_width(line) + len(between) + line_width(item) > scene.width - 1:
            yield line
            line = []
        line = [*line, ("", between), *item] if line else list(item)
        while line_width(line) > scene.width - 1:
            head, rest = _broken(line, scene.width - 1)
            if not rest:
                break
            yield head
            line = [("", "  "), *rest]
    if line:
        yield line


def _broken(line: Line, width: int) -> tuple[list[Piece], list[Piece]]:
    """Split a line to fit `width` cells, after the last comma, otherwise before a word.

    The rest is empty if there is no such place.
    """
    text = line_text(line)
    # Do not cut within the leading spaces.
    begin, cut = len(text) - len(text.lstrip(" ")), 0
    for end in (", ", " "):
        places = (
            index
            for index in range(begin, len(text))
            if text.startswith(end, index) and cells_of(text[: index + 1]) <= width
        )
        cut = cut or max((index + len(end) for index in places), default=0)
    head: list[Piece] = []
    rest: list[Piece] = []
    for style, piece in line:
        head += [(style, piece[:cut])] if cut > 0 else []
        rest += [(style, piece[max(cut, 0) :])] if cut < len(piece) else []
        cut -= len(piece)
    return (head, rest) if head else (list(line), [])

"""Items one after the other in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, measure, plain
from .scene import Scene


def flow(scene: Scene, items: Sequence[Line], between: str) -> Iterator[Line]:
    """Items one after the other, in as few lines as they fit."""
    line: list[Piece] = []
    for item in items:
        if line and measure(line) + len(between) + measure(item) > scene.width - 1:
            yield line
            line = []
        line = [*line, ("", between), *item] if line else list(item)
        while measure(line) > scene.width - 1:
            head, rest = _broken(line, scene.width - 1)
            if not rest:
                break
            yield head
            line = [("", "  "), *rest]
    if line:
        yield line


def _broken(line: Line, width: int) -> tuple[list[Piece], list[Piece]]:
    """What of a line fits into `width` cells, cut after the last comma, else before a word, and the rest; no rest
    if there is neither."""
    text = plain(line)
    # The blanks at its beginning are no place to cut it.
    begin, cut = len(text) - len(text.lstrip(" ")), 0
    for end in (", ", " "):
        places = (
            at for at in range(begin, len(text)) if text.startswith(end, at) and cells_of(text[: at + 1]) <= width
        )
        cut = cut or max((at + len(end) for at in places), default=0)
    head: list[Piece] = []
    rest: list[Piece] = []
    for style, piece in line:
        head += [(style, piece[:cut])] if cut > 0 else []
        rest += [(style, piece[max(cut, 0) :])] if cut < len(piece) else []
        cut -= len(piece)
    return (head, rest) if head else (list(line), [])

"""Width of text in terminal cells, padding and line wrapping."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

#: Unicode categories without a cell: combining marks, format and control characters.
_NO_CELL = {"Mn", "Me", "Cf", "Cc"}


def width(text: str) -> int:
    """Return the number of terminal cells of `text`: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text) if text.isprintable() else sum(32 <= ord(char) < 127 for char in text)
    return sum(map(_cells, text))


@lru_cache(maxsize=1000)
def _cells(char: str) -> int:
    if unicodedata.category(char) in _NO_CELL and char != "\u00ad":
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def pad(text: str, cells: int, align: Literal["left", "right", "centre"] = "left") -> str:
    """Return `text` padded to `cells` cells; wider text is unchanged."""
    missing = max(0, cells - width(text))
    before = {"left": 0, "right": missing, "centre": missing // 2}[align]
    return " " * before + text + " " * (missing - before)


def fold(text: str, room: int, indent: str = "") -> list[str]:
    """Return `text` wrapped at spaces into lines of at most `room` cells; a longer word gets a line of its own.

    All lines of a paragraph except the first begin with `indent`.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, *words = paragraph.split(" ")
        for word in words:
            longer = f"{line} {word}"
            if line.strip() and width(longer) > room:
                lines.append(line)
                longer = indent + word
            line = longer
        lines.append(line)
    return lines

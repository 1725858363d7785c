"""How wide text is on a terminal, in cells."""

from __future__ import annotations

import unicodedata
from typing import Literal

#: What joins with the character before it, or only steers the direction of writing.
_NO_CELL = {"Mn", "Me", "Cf", "Cc"}


def width(text: str) -> int:
    """The number of terminal cells that `text` takes: two for wide characters, none for accents of their own."""
    if text.isascii():
        return len(text) if text.isprintable() else sum(32 <= ord(letter) < 127 for letter in text)
    return sum(
        0
        if unicodedata.category(letter) in _NO_CELL and letter != "\u00ad"
        else 2
        if unicodedata.east_asian_width(letter) in {"W", "F"}
        else 1
        for letter in text
    )


def pad(text: str, cells: int, align: Literal["left", "right", "centre"] = "left") -> str:
    """`text` with spaces up to `cells` cells; text that is wider stays as it is."""
    missing = max(0, cells - width(text))
    before = {"left": 0, "right": missing, "centre": missing // 2}[align]
    return " " * before + text + " " * (missing - before)


def folded(text: str, room: int, indent: str = "") -> list[str]:
    """The text in lines of at most `room` cells, cut at spaces; all but the first, which stays, are indented."""
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

"""What is shown, and how: width, colours, characters.  Text is made of pieces, each with a style of its own."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from wongar_dsl.text.escapes import printable
from wongar_dsl.text.width import folded
from wongar_dsl.text.width import width as cells_of

from .output import Output, output

Piece = tuple[str, str]
"""A style and a text; the styles are the keys of `STYLES`."""
Line = Sequence[Piece]

#: How each style looks, in the codes of terminals.
STYLES = {
    "": "",
    "strong": "1",
    "faint": "2",
    "question": "1;36",
    "number": "1;33",
    "card": "33",
    "figure": "1;35",
    "outlook": "36",
    "wrong": "31",
    "seat0": "32",
    "seat1": "31",
    "seat2": "34",
    "seat3": "35",
    "seat4": "36",
    "seat5": "33",
    "seat6": "92",
    "seat7": "94",
    "held": "7;1",
    "lit": "30;103",
    "led": "30;47",
    "changed": "1;4;33",
    "code": "97;40",
    "blocked": "1;31",
    "piece0": "30;42",
    "piece1": "30;43",
    "piece2": "97;44",
    "piece3": "30;46",
    "piece4": "97;45",
    "piece5": "97;41",
}
#: The colours that the last digit of a code stands for.
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
NARROWEST, WIDEST = 40, 240
#: Longer lines of prose are hard to read.
LONGEST_LINE = 120


def terminal_width() -> int:
    """The columns that there are."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def dumb() -> bool:
    """Whether the terminal says that it can do nothing but show letters."""
    return os.environ.get("TERM", "") in ("dumb", "unknown", "")


def colours(stream: TextIO | Output) -> bool:
    """Whether colours are welcome: on a terminal that has them, unless NO_COLOR says otherwise."""
    return bool(stream.isatty()) and not dumb() and not os.environ.get("NO_COLOR")


def echo(text: str = "", err: bool = False, painted: bool = False) -> None:
    """One or more lines on the standard output, or the standard error; `painted` ones bring their own colours."""
    stream = output(sys.stderr if err else sys.stdout)
    (stream.codes if painted else stream.write)(text + "\n")
    stream.flush()


def echo_data(text: str) -> None:
    """JSON on the standard output, with what a terminal would obey as JSON escapes it."""
    safe = "".join(c if c.isprintable() or c in "\n\t " else json.dumps(c)[1:-1] for c in text)
    output(sys.stdout).codes(safe + "\n")


def encoding_of(stream: TextIO | Output) -> str:
    """The encoding of a stream (`utf-8`); ASCII if it does not say."""
    return str(getattr(stream, "encoding", None) or "ascii").lower()


def seat_style(seat: int) -> str:
    """The style of a seat."""
    return f"seat{seat % 8}"


def measure(line: Line) -> int:
    """The cells that a line takes."""
    return sum(cells_of(text) for _, text in line)


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(text for _, text in line)


def padded(line: Line, width: int) -> list[Piece]:
    """The line with spaces up to `width`, or cut there."""
    result: list[Piece] = []
    room = width
    for style, text in line:
        cut = clipped(text, room)
        room -= cells_of(cut)
        result.append((style, cut))
        if cut != text:
            break
    if room > 0:
        result.append(("", " " * room))
    return result


def clipped(text: str, width: int) -> str:
    """The text, or as much of it as `width` cells hold."""
    if cells_of(text) <= width:
        return text
    kept = ""
    for letter in text:
        if cells_of(kept + letter) > width - 1:
            break
        kept += letter
    return kept + "…" if width > 0 else ""


class Screen:
    """Where the game is shown."""

    #: Whether what happened can be read from its beginning at any time.
    scrolls = False

    def __init__(self, stream: TextIO | None = None, interactive: bool | None = None) -> None:
        self.stream = output(stream if stream is not None else sys.stdout)
        self.colour = colours(self.stream)
        # A conversation needs both ends at a terminal.
        self.interactive = sys.stdin.isatty() and self.stream.isatty() if interactive is None else interactive
        self.unicode = encoding_of(self.stream).startswith(("utf", "cp65001"))

    @property
    def width(self) -> int:
        """The columns that there are now."""
        return terminal_width()

    @property
    def height(self) -> int:
        """The lines that there are now."""
        return shutil.get_terminal_size((80, 24)).lines

    def text(self, text: str, style: str = "", indent: str = "") -> None:
        """A paragraph, folded to the width where somebody sits at a terminal."""
        for line in (
            folded(text, min(self.width - 1, LONGEST_LINE), indent) if self.stream.isatty() else text.split("\n")
        ):
            self.line([(style, line)])

    def story(self, text: str, style: str = "") -> None:
        """A sentence of what happened."""
        self.text(text, style, "  ")

    def line(self, pieces: Line = ()) -> None:
        """One line."""
        self.stream.codes(self.painted(pieces).rstrip(" ") + "\n")

    def lines(self, lines: Iterable[Line]) -> None:
        """Several lines."""
        for line in lines:
            self.line(line)
        self.stream.flush()

    def painted(self, pieces: Line) -> str:
        """A line with the codes of its colours, if they are welcome, and no others."""
        if not self.unicode:
            # What is cut must not become longer again by the dots that say so.
            pieces = [(style, f"{text[:-1]}." if text.endswith("…") else text) for style, text in pieces]
        if not self.colour:
            return printable(plain(pieces))
        codes = ((STYLES.get(style, ""), printable(text)) for style, text in pieces)
        return "".join(f"\x1b[{code}m{text}\x1b[0m" if code and text.strip() else text for code, text in codes)

    def clear(self) -> None:
        """Nothing that was shown can be seen any more, not even by scrolling back."""
        if self.stream.isatty():
            self.stream.codes("\n" * 60 if dumb() else "\x1b[H\x1b[2J\x1b[3J")
            self.stream.flush()


def echo_file(text: str) -> None:
    """The text of a file on the standard output: as UTF-8 and as it is, but for what a terminal would obey."""
    stream = output(sys.stdout)
    if stream.isatty():
        stream.write(text)
    else:
        stream.data(text.encode())
    stream.flush()

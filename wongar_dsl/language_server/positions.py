"""Places in a text: as editors count them, and where they went while somebody typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.text.span import Source, Span

#: What a column counts: bytes of UTF-8, units of UTF-16, or characters.
Encoding = Literal["utf-8", "utf-16", "utf-32"]
_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two characters: lines count from 1, `column` characters stand before it in its line, plus 1."""

    line: int
    column: int


def units(line: str, column: int, encoding: Encoding) -> int:
    """How many units stand before the character with this column, from 1; behind the end all that there are."""
    code, size = _WIDTHS[encoding]
    return len(line[: max(column - 1, 0)].encode(code, "replace")) // size


def column_at(line: str, count: int, encoding: Encoding) -> int:
    """The column before which so many units stand; a place inside of a character is that before it."""
    code, size = _WIDTHS[encoding]
    passed = 0
    for number, character in enumerate(line):
        passed += len(character.encode(code, "replace")) // size
        if passed > count:
            return number + 1
    return len(line) + 1


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends."""
    return [line.rstrip("\r") for line in text.split("\n")]


def part(source: Source, line: int, column: int, length: int) -> Span:
    """So many characters of a line."""
    return Span(source, line, column, line, column + length)


def holds(span: Span, at: Position) -> bool:
    """Whether a place lies in a span, or right behind it."""
    return (span.line, span.column) <= (at.line, at.column) <= (span.end_line, span.end_column)


@dataclass(frozen=True, slots=True)
class Shift:
    """Where the lines of an older text are in a newer one: those above and below what was typed stayed the same."""

    above: int
    below: int
    old: int
    new: int

    @classmethod
    def between(cls, old: Sequence[str], new: Sequence[str]) -> Shift:
        """The shift from old lines to new ones."""
        most = min(len(old), len(new))
        above = next((i for i in range(most) if old[i] != new[i]), most)
        most -= above
        below = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
        return cls(above, below, len(old), len(new))

    def newer(self, line: int) -> int:
        """The number of a line in the newer text; of one that has changed, what stands where it was."""
        if line <= self.above:
            return line
        if line > self.old - self.below:
            return line + self.new - self.old
        return max(1, min(line, self.new - self.below))

    def older(self, line: int) -> int:
        """The number of a line in the older text, as `newer`."""
        return Shift(self.above, self.below, self.new, self.old).newer(line)

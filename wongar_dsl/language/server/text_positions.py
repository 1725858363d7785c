"""Text positions: conversion to the units of editors, and tracking across edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.base.span import Source, Span

#: Unit of columns: bytes of UTF-8, code units of UTF-16, or characters.
Encoding = Literal["utf-8", "utf-16", "utf-32"]
_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A position between two characters, with line and column counted from 1."""

    line: int
    column: int


def units(line: str, column: int, encoding: Encoding) -> int:
    """Return the number of units before a column (from 1); the length of the line for a column after its end."""
    code, size = _WIDTHS[encoding]
    return len(line[: max(column - 1, 0)].encode(code, "replace")) // size


def column_at(line: str, count: int, encoding: Encoding) -> int:
    """Return the column after `count` units; a position inside a character is moved before it."""
    code, size = _WIDTHS[encoding]
    passed = 0
    for number, character in enumerate(line):
        passed += len(character.encode(code, "replace")) // size
        if passed > count:
            return number + 1
    return len(line) + 1


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without line ends."""
    return [line.rstrip("\r") for line in text.split("\n")]


def part(source: Source, line: int, column: int, length: int) -> Span:
    """Return the span of `length` characters of a line."""
    return Span(source, line, column, line, column + length)


def holds(span: Span, at: TextPosition) -> bool:
    """Return whether a position is in a span, or right after it."""
    return (span.line, span.column) <= (at.line, at.column) <= (span.end_line, span.end_column)


@dataclass(frozen=True, slots=True)
class LineShift:
    """Line mapping between two texts of `old` and `new` lines that are equal in the first `above` and last `below`."""

    above: int
    below: int
    old: int
    new: int

    @classmethod
    def between(cls, old: Sequence[str], new: Sequence[str]) -> LineShift:
        """Return the mapping from old to new lines."""
        most = min(len(old), len(new))
        above = next((i for i in range(most) if old[i] != new[i]), most)
        most -= above
        below = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
        return cls(above, below, len(old), len(new))

    def newer(self, line: int) -> int:
        """Return the number of a line in the newer text; for a changed line, the one now at its place."""
        if line <= self.above:
            return line
        if line > self.old - self.below:
            return line + self.new - self.old
        return max(1, min(line, self.new - self.below))

    def older(self, line: int) -> int:
        """Return the number of a line in the older text; the inverse of `newer`."""
        return LineShift(self.above, self.below, self.new, self.old).newer(line)

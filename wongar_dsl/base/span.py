"""Rule files, source spans, and keys with line numbers.

A `Source` is the text of one rule file, a `Span` a range in it.  Every syntax node and every diagnostic has a span, so
that a message can show the source line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


@dataclass(frozen=True, slots=True)
class Source:
    """Rule file: display name and text."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its line end; empty past the end of the file."""
        lines = _lines(self.text)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(slots=True, unsafe_hash=True)
class Span:
    """Range in a source.  Lines and columns count from 1; the end column is exclusive.

    It is not frozen, since most objects of a parsed file are spans, and making a frozen one takes four times as long.
    """

    source: Source = field(repr=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """Source text of the span, up to the end of its first line."""
        end = self.end_column - 1 if self.end_line == self.line else None
        return self.source.line(self.line)[self.column - 1 : end].strip()

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


class LocatedKey(str):
    """Key of a mapping, with its line number."""

    __slots__ = ("line",)

    line: int

    def __new__(cls, text: str, line: int) -> LocatedKey:  # noqa: D102
        key = super().__new__(cls, text)
        key.line = line
        return key

    def __reduce__(self) -> tuple[type[LocatedKey], tuple[str, int]]:
        return LocatedKey, (str(self), self.line)

"""Rule text and places in it.

A `Source` is one rule file as text; a `Span` is a stretch of it.  Every syntax node and every diagnostic
carries a span, so that each message can show the line that it speaks of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    """The lines of a text, which is asked for many of them."""
    return text.split("\n")


@dataclass(frozen=True, slots=True)
class Source:
    """One rule file: the name that it is shown under, and its text."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its end; empty past the end of the file."""
        lines = _lines(self.text)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: lines and columns count from 1, the end column is the one after the last."""

    source: Source = field(repr=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """What stands there, as far as its first line goes."""
        end = self.end_column - 1 if self.end_line == self.line else None
        return self.source.line(self.line)[self.column - 1 : end].strip()

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)

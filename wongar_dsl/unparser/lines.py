"""Lines of rules, with what each is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.text.span import Span


@dataclass(frozen=True, slots=True)
class Line:
    """A line of rules: how many blocks it lies in, its text, where it stands, and the parts that it is made of."""

    depth: int
    text: str
    span: Span
    parts: tuple[s.Node, ...]

    def places(self) -> Iterator[Span]:
        """Where the line stands, and where its parts stand."""
        yield self.span
        yield from (node.span for node in s.walk(self.parts))


def line(depth: int, text: str, node: s.Node, *parts: s.Node | None) -> Line:
    """A line of a node, which is made of the parts that are there."""
    return Line(depth, text, node.span, tuple(part for part in parts if part is not None))


def beside(at: Line, word: str, step: int) -> Line:
    """A line that no node stands for, in the place of the nearest line of the file that begins with a word: above
    where it seems to stand (`step` -1), or below (1), in the same article."""
    source, number = at.span.source, at.span.line
    lines = source.text.split("\n")
    while 0 < number + step <= len(lines):
        number += step
        text = lines[number - 1]
        if text.lstrip().startswith(word):
            return replace(at, span=Span(source, number, 1, number, len(text) + 1))
        if text[:1].strip() not in ("", "#"):
            break
    return at

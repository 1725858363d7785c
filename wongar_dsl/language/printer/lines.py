"""Printed lines, with the syntax-tree nodes that they consist of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A printed line: its nesting depth, its text, its source span, and its nodes."""

    depth: int
    text: str
    span: Span
    parts: tuple[s.Node, ...]

    def places(self) -> Iterator[Span]:
        """Yield the source spans of the line and of its parts."""
        yield self.span
        yield from (node.span for node in s.walk(self.parts))


def line(depth: int, text: str, node: s.Node, *parts: s.Node | None) -> RuleLine:
    """Return the line of a node, made of those parts that are not None."""
    return RuleLine(depth, text, node.span, tuple(part for part in parts if part is not None))


def unattached_line(at: RuleLine, word: str, step: int) -> RuleLine:
    """Return a line without a node of its own at the nearest source line that begins with `word`.

    The search runs upwards (`step` -1) or downwards (1) within the article.
    """
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

"""Listing of merged rules: the text of a game with its variants, and the origin of each line, for `wongar show`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.base.span import Source
from wongar_dsl.language import ast as s
from wongar_dsl.language.printer.formatter import INDENT, format_lines
from wongar_dsl.language.printer.unparser import RuleLine, unparse
from wongar_dsl.language.variants.merge import MergedRules

_STRING = re.compile(r'"[^"\n]*"')


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a rule file."""

    source: Source
    line: int


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of merged rules in the standard layout, with its origins: one line per file, base first.

    A blank line has no origin.
    """

    text: str
    places: tuple[SourceLine, ...]


def merged_lines(rules: MergedRules, sources: Sequence[Source]) -> Iterator[ShownLine]:
    """Yield all lines of merged rules; `sources` are the files that they were merged from."""
    written = [line for article in (rules.head, *rules.articles) for line in _article(article, sources)]
    text = "".join(line.text + "\n" for line in written)
    for formatted, number in format_lines(text):
        yield ShownLine(formatted, written[number - 1].places if formatted else ())


def _article(article: s.Declaration, sources: Sequence[Source]) -> Iterator[ShownLine]:
    """Yield the lines of an article with the comments above, behind, inside and below them."""
    shown: set[SourceLine] = set()
    #: For each file: pairs of a line's indentation in the file and its depth in the listing.
    depths: dict[Source, list[tuple[int, int]]] = {}

    def listed(comments: Iterable[_ListedComment], depth: int) -> Iterator[ShownLine]:
        for comment in comments:
            if comment.place not in shown:
                shown.add(comment.place)
                yield ShownLine(_indented(depth, comment.text), (comment.place,) if comment.text else ())

    for number, line in enumerate(unparse(article)):
        places = _places(line, sources)
        origin = SourceLine(line.span.source, line.span.line)
        last = _last_line(origin)
        yield from listed(_heading(origin) if number == 0 else _above(origin), line.depth)
        inside = [
            c
            for line_number in range(origin.line, last + 1)
            if (c := _comment(SourceLine(origin.source, line_number))).text
        ]
        behind = inside if len(places) == 1 else [c for c in inside if c.place.line > origin.line]
        if len(behind) > 1:
            yield from listed(behind, line.depth)
        trailing = f"  {behind[0].text}" if len(behind) == 1 and behind[0].place not in shown else ""
        yield ShownLine(_indented(line.depth, line.text + trailing), places)
        above = [deep for deep in depths.get(origin.source, ()) if deep[1] < line.depth]
        depths[origin.source] = [*above, (_indent(origin), line.depth)]
        for comment in _below(SourceLine(origin.source, last)):
            fitting = [deep for indent, deep in depths[origin.source] if indent <= comment.indent]
            yield from listed([comment], max(fitting, default=0))


@dataclass(frozen=True, slots=True)
class _ListedComment:
    """A comment with its position and indentation; a blank line is an empty comment."""

    place: SourceLine
    indent: int
    text: str


def _indented(depth: int, text: str) -> str:
    return " " * INDENT * depth + text


def _places(line: RuleLine, sources: Sequence[Source]) -> tuple[SourceLine, ...]:
    """Return the origins of a line: one position in each file."""
    origins: dict[Source, SourceLine] = {}
    for span in line.places():
        origins.setdefault(span.source, SourceLine(span.source, span.line))
    if line.text.startswith("players ") and line.depth == 1:
        # The number of players has no node; its origin is the last file that sets it.
        for source in sources:
            for number, text in enumerate(source.text.split("\n"), 1):
                if " ".join(text.split("#")[0].split()) == f"set {line.text.replace(' ', ' to ', 1)}":
                    origins = {source: SourceLine(source, number)}
    order = {source: number for number, source in enumerate(sources)}
    return tuple(sorted(origins.values(), key=lambda place: order.get(place.source, len(order))))


def _heading(place: SourceLine) -> Iterator[_ListedComment]:
    """Yield the comments in the first column above an article, including those above a blank line."""
    number = place.line
    while number > 1 and (not (text := place.source.line(number - 1)).strip() or text.startswith("#")):
        number -= 1
    for above in range(number, place.line):
        yield _ListedComment(SourceLine(place.source, above), 0, place.source.line(above).strip())


def _above(place: SourceLine) -> Iterator[_ListedComment]:
    """Yield the comment lines above a line, except those that end a preceding block."""
    first = place.line
    while first > 1 and _is_blank_or_comment(SourceLine(place.source, first - 1)):
        first -= 1
    most = _indent(place)
    for above in (SourceLine(place.source, number) for number in range(first, place.line)):
        if _indent(above) <= most and (comment := _comment(above)).text:
            yield comment


def _below(place: SourceLine) -> Iterator[_ListedComment]:
    """Yield the comment lines below a line that are indented more than the next line: they end a block."""
    end, lines = place.line, place.source.text.count("\n") + 1
    while end < lines and _is_blank_or_comment(SourceLine(place.source, end + 1)):
        end += 1
    least = _indent(SourceLine(place.source, end + 1)) if end < lines else -1
    for below in (SourceLine(place.source, number) for number in range(place.line + 1, end + 1)):
        if _indent(below) > least and (comment := _comment(below)).text:
            yield comment


def _is_blank_or_comment(place: SourceLine) -> bool:
    """Return whether a line is blank or only a comment."""
    return place.source.line(place.line).strip()[:1] in ("", "#")


def _indent(place: SourceLine) -> int:
    text = place.source.line(place.line)
    return len(text) - len(text.lstrip())


def _bare(place: SourceLine) -> str:
    """Return a line with its strings masked."""
    return _STRING.sub(lambda string: "-" * len(string[0]), place.source.line(place.line))


def _last_line(place: SourceLine) -> int:
    """Return the last line of the logical line that begins at a position, continued by brackets."""
    depth, number, lines = 0, place.line, place.source.text.count("\n") + 1
    while True:
        code = _bare(SourceLine(place.source, number)).partition("#")[0]
        depth += sum((sign in "([") - (sign in ")]") for sign in code)
        if depth <= 0 or number >= lines:
            return number
        number += 1


def _comment(place: SourceLine) -> _ListedComment:
    """Return the comment at the end of a line."""
    text, start = place.source.line(place.line), _bare(place).find("#")
    return _ListedComment(place, _indent(place), text[start:].rstrip() if start >= 0 else "")

"""The rules of a game with its variants as one text, and where each line comes from: what `wongar show` shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.editor.breaking import INDENT
from wongar_dsl.editor.formatter import format_lines
from wongar_dsl.text.span import Source
from wongar_dsl.unparser import Line, unparse
from wongar_dsl.variants.merge import MergedRules

_STRING = re.compile(r'"[^"\n]*"')


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a rule file."""

    source: Source
    line: int


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of merged rules in the one layout, and where it and its parts come from, a place in each file, base first.
    A blank line comes from nowhere."""

    text: str
    places: tuple[Place, ...]


def merged_lines(rules: MergedRules, sources: Sequence[Source]) -> Iterator[ShownLine]:
    """All lines of merged rules; `sources` are the files that they were made of."""
    written = [line for article in (rules.head, *rules.articles) for line in _article(article, sources)]
    text = "".join(line.text + "\n" for line in written)
    for laid, number in format_lines(text):
        yield ShownLine(laid, written[number - 1].places if laid else ())


def _article(article: s.Article, sources: Sequence[Source]) -> Iterator[ShownLine]:
    """The lines of an article with the comments that stand above and behind them."""
    for number, line in enumerate(unparse(article)):
        places = _places(line, sources)
        own = Place(line.span.source, line.span.line)
        yield from (replace(shown, text=_indented(line.depth, shown.text)) for shown in _above(own, number == 0))
        behind = _comment_behind(own) if len(places) == 1 else ""
        yield ShownLine(_indented(line.depth, line.text + behind), places)


def _indented(depth: int, text: str) -> str:
    return " " * INDENT * depth + text


def _places(line: Line, sources: Sequence[Source]) -> tuple[Place, ...]:
    """Where a line comes from: one place in each file."""
    found: dict[int, Place] = {}
    for span in line.places():
        found.setdefault(id(span.source), Place(span.source, span.line))
    if line.text.startswith("players ") and line.depth == 1:
        # How many play stands in no node of its own; the last file that sets it has it.
        for source in sources:
            for number, text in enumerate(source.text.split("\n"), 1):
                if " ".join(text.split("#")[0].split()) == f"set {line.text.replace(' ', ' to ', 1)}":
                    found = {id(source): Place(source, number)}
    order = {id(source): number for number, source in enumerate(sources)}
    return tuple(sorted(found.values(), key=lambda place: order.get(id(place.source), len(order))))


def _above(place: Place, headings: bool) -> Iterator[ShownLine]:
    """The comments on lines of their own right above a line; with `headings` also those above a blank line."""
    number = place.line
    while number > 1:
        text = place.source.line(number - 1)
        heading = headings and (not text.strip() or text.startswith("#"))
        if not heading and (headings or not text.lstrip().startswith("#")):
            break
        number -= 1
    for above in range(number, place.line):
        text = place.source.line(above).strip()
        yield ShownLine(text, (Place(place.source, above),) if text else ())


def _comment_behind(place: Place) -> str:
    """The comment behind a line, with two spaces before it."""
    text = place.source.line(place.line)
    bare = _STRING.sub(lambda string: "-" * len(string[0]), text)
    at = bare.find("#")
    return f"  {text[at:].rstrip()}" if at >= 0 else ""

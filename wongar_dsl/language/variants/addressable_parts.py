"""Parts of an article that a variant can change: their names and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk

#: Field of each sort of article that holds its parts.
_FIELDS: Mapping[str, str] = {
    "enum": "values", "cards": "faces", "deck": "copies", "track": "phases", "table": "rows", "winner": "ranking",
}  # fmt: skip

Deciding = s.Choose | s.ChooseSimultaneously


def part_text(e: s.Expression) -> str:
    """Return the source form of a key of a table or a card of a deck: `early`, `3`, `card(a, b)`."""
    match e:
        case s.Number(value=value):
            return str(value)
        case s.Truth(value=holds):
            return "yes" if holds else "no"
        case s.Nobody():
            return "nobody"
        case s.Name(text=text):
            return text
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(part_text(a) for a in arguments)})"
    return "?"


def part_name(part: s.Part) -> str:
    """Return the name that identifies a part in its article; empty for a line of `winner`."""
    match part:
        case s.Word(text=text):
            return text
        case s.Copies(face=face):
            return part_text(face)
        case s.TableRow(key=key):
            return part_text(key)
        case s.TrackPhase(name=name) | s.Face(name=name) | s.Option(name=name):
            return name.text
        case s.RankingLine():
            return ""


def part_place(part: s.Part) -> s.Node:
    """Return the node that names a part."""
    match part:
        case s.Copies(face=place) | s.TableRow(key=place):
            return place
        case s.TrackPhase(name=place) | s.Face(name=place) | s.Option(name=place):
            return place
        case s.Word() | s.RankingLine():
            return part


def parts_of(article: s.Declaration) -> tuple[s.Part, ...]:
    """Return the parts of an article; an empty tuple if it has none."""
    field = _FIELDS.get(article.keyword)
    parts: tuple[s.Part, ...] = getattr(article, field) if field is not None else ()
    return parts


def names_in(article: s.Declaration) -> tuple[s.Word, ...]:
    """Return the names that an article declares in addition to its own."""
    match article:
        case s.Enumeration(values=values):
            return values
        case s.Cards(faces=faces):
            return tuple(face.name for face in faces)
        case s.Board(rows=rows):
            return tuple(area for row in rows for area in row)
    return ()


def with_parts(article: s.Declaration, parts: tuple[s.Part, ...]) -> s.Declaration:
    """Return an article with its parts replaced; the total of a deck is adjusted."""
    fields: dict[str, Any] = {_FIELDS[article.keyword]: parts}
    if isinstance(article, s.Deck) and article.total is not None:
        fields["total"] = article.total + _size(parts) - _size(article.copies)
    return replace(article, **fields)


def named_choices(article: s.Declaration) -> Iterator[tuple[str, Deciding]]:
    """Yield the named choices in an article, each with the name of its decision."""
    for node in walk(article):
        if isinstance(node, Deciding) and node.name is not None:
            yield node.name.text, node


def _size(parts: tuple[s.Part, ...]) -> int:
    return sum(part.count for part in parts if isinstance(part, s.Copies))

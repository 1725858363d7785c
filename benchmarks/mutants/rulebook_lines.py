"""Lines of a rulebook in every language, each with the nodes that it verbalises.

Each line is worded only once for all rulebooks that contain it: most mutants differ in one or two lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Block, BookTable, CountList, PicturePlace, Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.micro.plan_text import SentenceFrame, frames
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Mention
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import drawing
from wongar_dsl.nlg.words import Translator, Value

Say = Callable[[RealisedRulebook], str]

#: Fields that do not affect the text of a line.
SILENT = frozenset({"entity", "origin", "key", "notes", "picture"})


@dataclass(frozen=True, slots=True)
class Line:
    """Line of a rulebook: its block, its nodes, its text in each language, and whether it has no text yet."""

    block: str
    origins: tuple[s.Node, ...]
    texts: tuple[str, ...]
    unsaid: bool = False


class Pages:
    """Rulebooks of one game and of its mutants, in some languages."""

    def __init__(self, languages: tuple[Translator, ...]) -> None:
        self.languages = languages
        self._said: dict[object, tuple[str, ...]] = {}

    def of(self, model: Model) -> tuple[tuple[Line, ...], Rulebook]:
        """Return the lines of a game's rulebook, and the rulebook."""
        book = rulebook(model, self.languages[0])
        readings = tuple(RealisedRulebook(book, words, model.name) for words in self.languages)
        return tuple(self._lines(book, readings)), book

    def _lines(self, book: Rulebook, readings: tuple[RealisedRulebook, ...]) -> Iterator[Line]:
        for level, section in book.walk():
            heading = section.heading
            texts = self._texts(
                ("heading", level, shape(heading)), lambda r, target=heading: r.heading(target), readings
            )
            yield Line(section.key, (), texts)
            for block in section.blocks:
                for origins, key, say in _said(block):
                    unsaid = key[0] == "line" and key[-1] is None
                    yield Line(block.key, origins, self._texts(key, say, readings), unsaid)

    def _texts(self, key: object, say: Say, readings: tuple[RealisedRulebook, ...]) -> tuple[str, ...]:
        if key not in self._said:
            self._said[key] = tuple(say(reading) for reading in readings)
        return self._said[key]


def _said(block: Block) -> Iterator[tuple[tuple[s.Node, ...], tuple[object, ...], Say]]:
    """Yield the lines of a block: their nodes, a cache key, and a function that words them."""
    match block:
        case Prose(plans=plans):
            for frame in frames(plans):
                yield frame.origins, ("line", frame.message, frame.depth, shape(frame.sentence)), _framed(frame)
        case CountList(items=items, title=title, columns=columns, origin=origin):
            if title is not None:
                yield (origin,), ("title", shape(title)), lambda reading: reading.heading(title)
            for item in items:
                key = ("item", shape(item.thing), item.counts if columns else item.count, item.each)
                yield (
                    (item.origin,),
                    key,
                    lambda r, entry=item: " ".join(
                        [*(r.counts(entry) if columns else [r.number(entry)]), r.thing(entry)]
                    ),
                )
        case BookTable(title=title, corner=corner, columns=heads, rows=rows, origin=origin):
            head = (title, corner, *heads)
            yield (origin,), ("head", shape(head)), _cells(head)
            for row in rows:
                cells = (row.heading, *row.cells)
                yield (row.origin,), ("row", shape(cells)), _cells(cells)
        case PicturePlace(origin=origin):
            # Boards and shapes are drawn as in the rules.
            yield (origin,), ("picture", origin), lambda reading: "\n".join(drawing(reading, block))


def _framed(frame: SentenceFrame) -> Say:
    def say(reading: RealisedRulebook) -> str:
        if frame.sentence is None:
            return f"[{frame.origins[0].span.line}]"
        return "  " * frame.depth + reading.say(frame.message, said=frame.sentence)

    return say


def _cells(cells: tuple[Value | None, ...]) -> Say:
    return lambda reading: " | ".join(map(reading.cell, cells))


def shape(value: object, beyond: frozenset[Entity] | None = None) -> object:
    """Return a key of everything that determines the text of a value; equal keys mean equal texts.

    With `beyond`, referring expressions are not chosen yet: each entity counts as its thing, except those in `beyond`.
    """
    match value:
        case tuple():
            return tuple(shape(inner, beyond) for inner in value)
        case Mapping():
            return tuple((name, shape(inner, beyond)) for name, inner in sorted(value.items()))
        case Mention(entity=Entity() as entity) if beyond is not None and entity not in beyond:
            return (Mention, shape(entity.thing, beyond | {entity}), shape(value.modifiers, beyond))
    names = _parts(type(value))
    return (type(value), *(shape(getattr(value, name), beyond) for name in names)) if names is not None else value


@cache
def _parts(sort: type) -> tuple[str, ...] | None:
    return tuple(part.name for part in fields(sort) if part.name not in SILENT) if is_dataclass(sort) else None

"""Rulebook output as GitHub-flavoured Markdown, with tables and footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wongar_dsl.nlg.prose.document.document_model import Block, BookTable, CountList, Prose
from wongar_dsl.nlg.prose.render.realised_rulebook import EMPTY, RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import Shown, drawings, with_pictures_joined

#: The deepest heading level of Markdown.
MAX_HEADING_LEVEL = 6
#: Characters with a meaning in Markdown anywhere, and at the beginning of a line.
_SIGNS = re.compile(r"([\\`*_\[\]<>|~#&])")
_START = re.compile(r"^(\s*)(\d*)([-+=.)])")


def markdown(reading: RealisedRulebook) -> Iterator[str]:
    """Yield the lines of the rulebook."""
    yield f"# {escaped(reading.title)}"
    yield ""
    yield escaped(reading.players)
    for level, section in reading.book.walk():
        yield ""
        yield f'<a id="{_anchor(section.key)}"></a>'
        yield ""
        yield f"{'#' * min(level + 1, MAX_HEADING_LEVEL)} {escaped(reading.heading(section.heading))}"
        for block in with_pictures_joined(section.blocks):
            lines = list(_block(reading, block))
            yield from ["", *lines] if lines else []
    if reading.footnotes:
        yield ""
        yield f"## {escaped(reading.say('rulebook.sources'))}"
    for note in reading.footnotes:
        yield ""
        yield f"[^{note.number}]: {escaped(note.text)}"


def escaped(text: str) -> str:
    """Return a text with all Markdown characters escaped."""
    one_line = _SIGNS.sub(r"\\\1", " ".join(text.split("\n")))
    return _START.sub(r"\1\2\\\3", one_line)


def _anchor(key: str) -> str:
    return re.sub(r"[^\w.-]", "_", key)


def _marks(reading: RealisedRulebook, block: Block) -> str:
    notes = reading.marks(block)
    return "".join(f"[^{note.number}]" + (f" ({escaped(note.mark)})" if note.mark else "") for note in notes)


def _block(reading: RealisedRulebook, block: Shown) -> Iterator[str]:
    match block:
        case Prose():
            yield from _prose(reading, block)
        case CountList():
            yield from _items(reading, block)
        case BookTable():
            block = block.filled()
            if block.title is not None:
                yield f"**{escaped(reading.heading(block.title))}**{_marks(reading, block)}"
                yield ""
            corner = reading.heading(block.corner) if block.corner is not None else ""
            heads = [corner, *(reading.heading(column) for column in block.columns)]
            yield from _table(heads, reading.rows(block))
            if block.title is None and block.notes:
                yield ""
                yield _marks(reading, block)
        case tuple():
            lines = list(drawings(reading, block, None))
            yield from ["```text", *lines, "```"] if lines else []


def _prose(reading: RealisedRulebook, prose: Prose) -> Iterator[str]:
    sentences = list(reading.sentences(prose))
    for number, sentence in enumerate(sentences):
        text = escaped(sentence.text)
        if sentence.refers is not None:
            text += f" [{escaped(reading.cross_reference(sentence.refers))}](#{_anchor(sentence.refers)})"
        if number == len(sentences) - 1:
            text += _marks(reading, prose)
        if sentence.depth:
            yield f"{'  ' * (sentence.depth - 1)}- {text}"
            continue
        if number:
            yield ""
        yield text
        if number + 1 < len(sentences) and sentences[number + 1].depth:
            yield ""


def _items(reading: RealisedRulebook, items: CountList) -> Iterator[str]:
    if items.title is not None:
        yield f"**{escaped(reading.heading(items.title))}**{_marks(reading, items)}"
        yield ""
    if not items.columns:
        for number, thing in reading.items(items):
            yield f"- {number} {escaped(thing)}" if number else f"- {escaped(thing)}"
        return
    heads = ["", *(reading.say("rulebook.players.column", n=column) for column in items.columns)]
    rows = [[reading.thing(item), *(reading.counts(item) or [EMPTY] * len(items.columns))] for item in items.items]
    yield from _table(heads, rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    most = max(map(len, (heads, *rows)))
    for number, row in enumerate((heads, *rows)):
        cells = [*map(escaped, row), *[""] * (most - len(row))]
        yield f"| {' | '.join(cells)} |"
        if not number:
            yield "|" + " --- |" * most

"""Rulebook output as plain text: headings recognisable without colours, lists, and aligned tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import Block, BookTable, CountList, PicturePlace, Prose
from wongar_dsl.nlg.prose.micro.plan_text import BULLET, STEP
from wongar_dsl.nlg.prose.render.realised_rulebook import EMPTY, RealisedRulebook

#: The underline character of headings, by level.
RULES = {0: "=", 1: "=", 2: "-", 3: "~"}
#: The characters for filled and empty cells of drawings.
SQUARE, GAP = "■", "·"
#: The space between columns, and the maximum width of adjacent drawings without a line limit.
GUTTER, WIDTH = "   ", 100

#: A displayed unit: a block, or adjacent pictures.
Shown = Prose | CountList | BookTable | tuple[PicturePlace, ...]


@dataclass(frozen=True, slots=True)
class TextParagraph:
    """A paragraph: its text, its style, and the indentation of its continuation lines."""

    text: str = ""
    style: str = ""
    indent: str = ""


def render_text(reading: RealisedRulebook, room: int | None = None) -> Iterator[TextParagraph]:
    """Yield the paragraphs of the rulebook; `room` is the line width in cells, None for unlimited."""
    yield from _heading(reading, 0, reading.title)
    yield TextParagraph(reading.players)
    for level, section in reading.book.walk():
        yield TextParagraph()
        yield from _heading(reading, level, reading.heading(section.heading))
        before: Shown | None = None
        for block in with_pictures_joined(section.blocks):
            lines = list(render_block(reading, block, room))
            if before is not None and lines and not (isinstance(before, Prose) and isinstance(block, Prose)):
                yield TextParagraph()
            before = block if lines else before
            yield from lines
    if reading.footnotes:
        yield TextParagraph()
        yield from _heading(reading, 1, reading.say("rulebook.sources"))
    digits = len(str(len(reading.footnotes)))
    for note in reading.footnotes:
        number = f"[{note.number}]".rjust(digits + 2)
        yield TextParagraph(f"{number} {note.text}", "", " " * (digits + 3))


def _heading(reading: RealisedRulebook, level: int, text: str) -> Iterator[TextParagraph]:
    yield TextParagraph(text, "strong")
    if level in RULES:
        yield TextParagraph(RULES[level] * reading.words.width(text))


def marks(reading: RealisedRulebook, block: Block) -> str:
    """Return the footnote marks of a block."""
    notes = reading.marks(block)
    return "".join(f" [{reading.words.chain([str(note.number), *filter(None, [note.mark])])}]" for note in notes)


def render_block(reading: RealisedRulebook, block: Shown, room: int | None = None) -> Iterator[TextParagraph]:
    """Yield the paragraphs of a block without its heading."""
    match block:
        case Prose():
            yield from _prose(reading, block)
        case CountList():
            yield from _items(reading, block)
        case BookTable():
            yield from _table(reading, block.filled(), room)
        case tuple():
            yield from map(TextParagraph, drawings(reading, block, room))


def _prose(reading: RealisedRulebook, prose: Prose) -> Iterator[TextParagraph]:
    sentences = list(reading.sentences(prose))
    for number, sentence in enumerate(sentences):
        text = sentence.text
        if sentence.refers is not None:
            text += " " + reading.cross_reference(sentence.refers)
        if number == len(sentences) - 1:
            text += marks(reading, prose)
        bullet = BULLET if sentence.depth else ""
        start = STEP * max(sentence.depth - 1, 0) + bullet
        yield TextParagraph(start + text, "faint" if sentence.unsaid else "", " " * len(start))


def _items(reading: RealisedRulebook, items: CountList) -> Iterator[TextParagraph]:
    if items.title is not None:
        yield TextParagraph(reading.heading(items.title) + marks(reading, items), "strong")
    if items.columns:
        heads = ["", *(reading.say("rulebook.players.column", n=column) for column in items.columns)]
        numbers = [reading.counts(item) or [EMPTY] * len(heads[1:]) for item in items.items]
        rows = [[reading.thing(item), *cells] for item, cells in zip(items.items, numbers, strict=True)]
        yield from map(TextParagraph, _columns(reading, [heads, *rows]))
        return
    lines = list(reading.items(items))
    most = max((reading.words.width(number) for number, _ in lines), default=0)
    for number, thing in lines:
        start = reading.words.pad(number, most, "right") + STEP if number else ""
        yield TextParagraph(start + thing, "", " " * len(start))


def _table(reading: RealisedRulebook, table: BookTable, room: int | None) -> Iterator[TextParagraph]:
    title = reading.heading(table.title) if table.title is not None else ""
    if title:
        yield TextParagraph(title + marks(reading, table), "strong")
    corner = reading.heading(table.corner) if table.corner is not None else ""
    heads = [corner, *(reading.heading(column) for column in table.columns)]
    rows = reading.rows(table)
    lines = _columns(reading, ([heads] if any(heads[1:]) else []) + rows)
    if room is None or max(map(reading.words.width, lines), default=0) <= room:
        yield from map(TextParagraph, lines)
    else:
        yield from _stacked(reading, heads, rows)
    if not title and marks(reading, table):
        yield TextParagraph(marks(reading, table).strip())


def _columns(reading: RealisedRulebook, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with aligned columns, numbers right-aligned."""
    most = max(map(len, rows), default=0)
    widths = [
        max((reading.words.width(row[index]) for row in rows if index < len(row)), default=0) for index in range(most)
    ]
    numeric = [
        all(row[index].isdigit() or row[index] == EMPTY for row in rows[1:] if index < len(row))
        for index in range(most)
    ]
    return [
        GUTTER.join(
            reading.words.pad(cell, width, "right" if right and index else "left")
            for index, (cell, width, right) in enumerate(zip(row, widths, numeric, strict=False))
        ).rstrip()
        for row in rows
    ]


def _stacked(reading: RealisedRulebook, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[TextParagraph]:
    """Yield a table that is too wide as one paragraph per row, with labelled cells."""
    if len(heads) == 2:
        # The name of a single column is not repeated in every row.
        yield TextParagraph(reading.words.label(heads[0]) + "".join(heads[1:]) if heads[0] else "".join(heads[1:]))
        heads = heads[:1]
    for row in rows:
        cells = [
            reading.words.label(head) + cell if head else cell
            for head, cell in zip([*heads[1:], *[""] * len(row)], row[1:], strict=False)
            if cell != EMPTY
        ]
        text = reading.words.label(row[0]) + "; ".join(cells)
        yield TextParagraph(text, "", STEP)


def with_pictures_joined(blocks: Iterable[Block]) -> Iterator[Shown]:
    """Yield the blocks of a section, with consecutive pictures as one unit to be drawn side by side."""
    for pictures, group in groupby(blocks, lambda block: isinstance(block, PicturePlace)):
        if pictures:
            yield tuple(block for block in group if isinstance(block, PicturePlace))
        else:
            yield from (block for block in group if not isinstance(block, PicturePlace))


def drawings(reading: RealisedRulebook, pictures: Iterable[PicturePlace], room: int | None) -> Iterator[str]:
    """Yield the lines of pictures that text can show, side by side within the line width."""
    words, row, used = reading.words, list[list[str]](), 0
    for lines in (*(drawing(reading, picture) for picture in pictures), [""]):
        if not lines:
            continue
        width = max(map(words.width, lines))
        if row and (used + len(GUTTER) + width > (room or WIDTH) or not width):
            for line in zip_longest(*row, fillvalue=""):
                widths = [max(map(words.width, cell)) for cell in row]
                cells = (words.pad(cell, wide) for cell, wide in zip(line, widths, strict=True))
                yield GUTTER.join(cells).rstrip()
            if width:
                yield ""
            row, used = [], 0
        row.append(lines)
        used += width + len(GUTTER)


def drawing(reading: RealisedRulebook, picture: PicturePlace) -> list[str]:
    """Return a board or a shape as lines of text; empty for a picture that a table replaces."""
    words = reading.words
    match picture.origin:
        case s.ShapeDrawing(name=name, rows=rows):
            drawn = (row.replace("x", SQUARE).replace(".", GAP) for row in rows)
            scope = reading.book.scope
            title = words.term(name.text, scope) if words.has_term(name.text, scope) else name.text
            return [title, *(" ".join(row) for row in drawn)]
        case s.Board(lattice=None, rows=rows):
            names = [[words.term(word.text, reading.book.scope, "short") for word in row] for row in rows]
            cell = max(map(words.width, (name for row in names for name in row)), default=0) + 2
            lines = ["".join(words.pad(name, cell, "centre") for name in row) for row in names]
            most = max(map(words.width, lines), default=0)
            return [words.pad(line, most, "centre").rstrip() for line in lines]
    return []

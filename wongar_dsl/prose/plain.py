"""A rulebook as plain text: headings that stand out without colours, lists, and tables with their cells in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from wongar_dsl import syntax as s
from wongar_dsl.prose.book import Block, Items, Picture, Prose, Table
from wongar_dsl.prose.reading import EMPTY, Reading

#: What stands before each line below a lead, and how far that is moved to the right.
BULLET, STEP = "– ", "  "
#: What headings are underlined with, by their level.
RULES = {0: "=", 1: "=", 2: "-", 3: "~"}
#: What fills squares of drawings, and what stands in their gaps.
SQUARE, GAP = "■", "·"
#: The space between columns, and how wide drawings get beside each other where lines can be as long as they like.
GUTTER, WIDTH = "   ", 100

#: What is shown as one: a block, or pictures side by side.
Shown = Prose | Items | Table | tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: what is said, what else of it is folded stands so far to the right, and how it looks."""

    text: str = ""
    style: str = ""
    indent: str = ""


def plain(reading: Reading, room: int | None = None) -> Iterator[Paragraph]:
    """The rulebook from top to bottom; `room` are the cells of a line, None where lines can be as long as they like."""
    yield from _heading(reading, 0, reading.title)
    yield Paragraph(reading.players)
    for level, section in reading.book.walk():
        yield Paragraph()
        yield from _heading(reading, level, reading.heading(section.heading))
        before: Shown | None = None
        for block in with_pictures_joined(section.blocks):
            lines = list(shown(reading, block, room))
            if before is not None and lines and not (isinstance(before, Prose) and isinstance(block, Prose)):
                yield Paragraph()
            before = block if lines else before
            yield from lines
    if reading.footnotes:
        yield Paragraph()
        yield from _heading(reading, 1, reading.say("rulebook.sources"))
    digits = len(str(len(reading.footnotes)))
    for note in reading.footnotes:
        number = f"[{note.number}]".rjust(digits + 2)
        yield Paragraph(f"{number} {note.text}", "", " " * (digits + 3))


def _heading(reading: Reading, level: int, text: str) -> Iterator[Paragraph]:
    yield Paragraph(text, "strong")
    if level in RULES:
        yield Paragraph(RULES[level] * reading.words.width(text))


def marks(reading: Reading, block: Block) -> str:
    """The footnote marks behind what a block says."""
    found = reading.marks(block)
    return "".join(f" [{reading.words.chain([str(one.number), *filter(None, [one.mark])])}]" for one in found)


def shown(reading: Reading, block: Shown, room: int | None = None) -> Iterator[Paragraph]:
    """One block without its heading."""
    match block:
        case Prose():
            yield from _prose(reading, block)
        case Items():
            yield from _items(reading, block)
        case Table():
            yield from _table(reading, block.filled(), room)
        case tuple():
            yield from map(Paragraph, drawings(reading, block, room))


def _prose(reading: Reading, prose: Prose) -> Iterator[Paragraph]:
    sentences = list(reading.sentences(prose))
    for number, sentence in enumerate(sentences):
        text = sentence.text
        if sentence.refers is not None:
            text += " " + reading.see(sentence.refers)
        if number == len(sentences) - 1:
            text += marks(reading, prose)
        bullet = BULLET if sentence.depth else ""
        start = STEP * max(sentence.depth - 1, 0) + bullet
        yield Paragraph(start + text, "faint" if sentence.unsaid else "", " " * len(start))


def _items(reading: Reading, items: Items) -> Iterator[Paragraph]:
    if items.title is not None:
        yield Paragraph(reading.heading(items.title) + marks(reading, items), "strong")
    if items.columns:
        heads = ["", *(reading.say("rulebook.players.column", n=column) for column in items.columns)]
        numbers = [reading.counts(item) or [EMPTY] * len(heads[1:]) for item in items.items]
        rows = [[reading.thing(item), *cells] for item, cells in zip(items.items, numbers, strict=True)]
        yield from map(Paragraph, _columns(reading, [heads, *rows]))
        return
    lines = list(reading.items(items))
    most = max((reading.words.width(number) for number, _ in lines), default=0)
    for number, thing in lines:
        start = reading.words.pad(number, most, "right") + STEP if number else ""
        yield Paragraph(start + thing, "", " " * len(start))


def _table(reading: Reading, table: Table, room: int | None) -> Iterator[Paragraph]:
    title = reading.heading(table.title) if table.title is not None else ""
    if title:
        yield Paragraph(title + marks(reading, table), "strong")
    corner = reading.heading(table.corner) if table.corner is not None else ""
    heads = [corner, *(reading.heading(column) for column in table.columns)]
    rows = [[reading.heading(row.heading), *(reading.cell(cell) for cell in row.cells)] for row in table.rows]
    lines = _columns(reading, ([heads] if any(heads[1:]) else []) + rows)
    if room is None or max(map(reading.words.width, lines), default=0) <= room:
        yield from map(Paragraph, lines)
    else:
        yield from _stacked(reading, heads, rows)
    if not title and marks(reading, table):
        yield Paragraph(marks(reading, table).strip())


def _columns(reading: Reading, rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below each other, numbers at the right of their column."""
    most = max(map(len, rows), default=0)
    widths = [max((reading.words.width(row[at]) for row in rows if at < len(row)), default=0) for at in range(most)]
    numeric = [all(row[at].isdigit() or row[at] == EMPTY for row in rows[1:] if at < len(row)) for at in range(most)]
    return [
        GUTTER.join(
            reading.words.pad(cell, width, "right" if right and at else "left")
            for at, (cell, width, right) in enumerate(zip(row, widths, numeric, strict=False))
        ).rstrip()
        for row in rows
    ]


def _stacked(reading: Reading, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Paragraph]:
    """A table that is too wide, one paragraph a row: each cell behind what its column is called."""
    if len(heads) == 2:
        # What the only column is called need not be said in every row.
        yield Paragraph(reading.words.label(heads[0]) + "".join(heads[1:]) if heads[0] else "".join(heads[1:]))
        heads = heads[:1]
    for row in rows:
        cells = [
            reading.words.label(head) + cell if head else cell
            for head, cell in zip([*heads[1:], *[""] * len(row)], row[1:], strict=False)
            if cell != EMPTY
        ]
        text = reading.words.label(row[0]) + "; ".join(cells)
        yield Paragraph(text, "", STEP)


def with_pictures_joined(blocks: Iterable[Block]) -> Iterator[Shown]:
    """The blocks of a section, pictures that follow each other as one: they are drawn side by side."""
    for pictures, group in groupby(blocks, lambda block: isinstance(block, Picture)):
        if pictures:
            yield tuple(block for block in group if isinstance(block, Picture))
        else:
            yield from (block for block in group if not isinstance(block, Picture))


def drawings(reading: Reading, pictures: Iterable[Picture], room: int | None) -> Iterator[str]:
    """What pictures show, where letters can show it, as many beside each other as there is room for."""
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


def drawing(reading: Reading, picture: Picture) -> list[str]:
    """A board in rows, or a shape, as lines of text; nothing for what a table says as well."""
    words = reading.words
    match picture.origin:
        case s.Drawing(name=name, rows=rows):
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

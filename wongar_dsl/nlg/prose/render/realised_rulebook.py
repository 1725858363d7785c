"""Rulebooks in a language, and their output as plain text and as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, groupby, zip_longest

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.context import parts
from wongar_dsl.nlg.prose.document.document_model import (
    ENDING,
    GLANCE,
    Block,
    BookTable,
    CountItem,
    CountList,
    Note,
    PicturePlace,
    Prose,
    Rulebook,
    Section,
    paths,
)
from wongar_dsl.nlg.prose.document.short_rules import section_of
from wongar_dsl.nlg.prose.micro.sentence_plan import BULLET, STEP, Message, SentenceUnit, frames, text_of
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Term, Text, Translator, Value, quoted
from wongar_dsl.nlg.words.box_facts import box_facts, players_fact

#: Minimum number of components with equal counts that are combined in one line.
MIN_COUNT_LIST = 9
#: Minimum length of a numbered sequence shown as *the first to the last*.
MIN_RUN_LENGTH = 4
#: A name that ends in a number.
_NUMBERED = re.compile(r"(.*\D)([0-9]+)", re.DOTALL)
#: The content of an empty cell.
EMPTY = "–"
#: Separates the parts of the line under the title.
FACT_SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class RulebookSentence:
    """A line of a rulebook: its key, text and depth, and a cross-reference.

    `refers` is the section key of a called rule in another place, or the key of a table. An `unsaid` line could not be
    verbalised; its text quotes the rule with its position. `step` is the number of a step of a procedure, 0 for other
    lines.
    """

    key: str
    text: str
    depth: int
    refers: str | None = None
    unsaid: bool = False
    step: int = 0


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its number, its text, and its mark in the text if it is no mere citation."""

    number: int
    note: Note
    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ExampleText:
    """A worked example in words: a title, which may be empty, and paragraphs."""

    title: str
    paragraphs: tuple[str, ...]


class RealisedRulebook:
    """A rulebook in the language of `words`; `title` is the title of the game with its variants.

    `examples` are shown below the section with a key; above them, in text, a drawing in characters with its caption
    (`drawings`).
    """

    def __init__(self, book: Rulebook, words: Translator, title: str) -> None:
        self.book, self.words, self.title = book, words.without_outdated(book.scope, book.model.changes), title
        self.examples: dict[str, list[ExampleText]] = {}
        self.drawings: dict[str, tuple[str, Sequence[str]]] = {}

    def say(self, message: str, **values: Value) -> str:
        """Render a message in the words of this game."""
        return self.words.say(message, self.book.scope, **values)

    def text(self, value: Value) -> str:
        """Render a value on its own, as in a table cell."""
        match value:
            case Term(name=name, game=game, count=count):
                return self.words.term(name, game or self.book.scope, count=count)
            case Sentence(message=message, values=values):
                return self.say(message, **values)
            case Listing(items=items):
                return self.words.chain([self.text(item) for item in items])
        return self.words.value(value, self.book.scope)

    def cell(self, value: Value | None) -> str:
        """Render a cell, a dash if it is empty."""
        return EMPTY if value is None else self.text(value)

    def example_title(self, example: ExampleText) -> str:
        """Return the line above an example."""
        if not example.title:
            return self.say("rulebook.example.untitled")
        return self.say("rulebook.example", title=Text(example.title))

    def heading(self, value: Value) -> str:
        """Render a value as a heading; verbatim text is unchanged."""
        return value.text if isinstance(value, Text) else self.words.capital(self.text(value))

    @cached_property
    def players(self) -> str:
        """The range of players that the rulebook covers, as text."""
        return players_fact(self.words, self.book.players[0], self.book.players[-1])

    @cached_property
    def facts(self) -> dict[str, str]:
        """What else the box of the game says, as text: `age`, `minutes`."""
        return box_facts(self.words, self.book.model.box)

    @cached_property
    def title_line(self) -> str:
        """The line under the title: players, age and length."""
        return FACT_SEPARATOR.join((self.players, *self.facts.values()))

    # ---- sentences ----

    def sentences(self, prose: Prose) -> Iterator[RulebookSentence]:
        """Yield the sentences of a block, one per line."""
        node_paths, steps = paths(prose.article), count(1)
        for unit in self.units(prose):
            key = f"{prose.key}/{node_paths.get(unit.origin, '')}".rstrip("/")
            refers = None if unit.unsaid else self._reference(unit.origin, prose.key) or self._table_in(unit.sentence)
            step = next(steps) if prose.numbered and not unit.depth else 0
            yield RulebookSentence(key, unit.text, unit.depth, refers, unit.unsaid, step)

    def units(self, prose: Prose) -> Iterator[SentenceUnit]:
        """Yield the lines of a block, with their origins."""
        return text_of(prose.plans, self.words, self.book.scope)

    def _reference(self, origin: s.Node, here: str) -> str | None:
        if here == ENDING:
            key = s.key_text(origin) if isinstance(origin, s.Declaration) else ""
            return key if key in self._headings else None
        if here == GLANCE and isinstance(origin, s.Declaration):
            return section_of(self.book, s.key_text(origin))
        if not isinstance(origin, s.Call) or not isinstance(origin.call, s.Called):
            return None
        key = f"rule.{origin.call.name}"
        follows = self._parents.get(key) == here and not self.book.teaching
        return key if key in self._parents and not follows else None

    def _table_in(self, sentence: Sentence | None) -> str | None:
        """Return the key of the first table off which a sentence counts without a mention of the table."""
        phrases = (v for v in parts(sentence) if isinstance(v, NounPhrase)) if self.book.teaching else ()
        counts = (m.values for phrase in phrases for m in phrase.modifiers if m.message.startswith(Message.AS_MANY))
        unnamed = (v for values in counts if "table" not in values for v in values.values())
        amounts = (v.head.name for v in unnamed if isinstance(v, NounPhrase))
        return next((table_key(self._tables[name]) for name in amounts if name in self._tables), None)

    @cached_property
    def _tables(self) -> dict[str, BookTable]:
        """The tables in the section on tables, by their names in the rules."""
        shown = (block for _, section in self.book.walk() if section.key == "tables" for block in section.blocks)
        tables = ((block.origin, block) for block in shown if isinstance(block, BookTable))
        return {origin.name.text: table for origin, table in tables if isinstance(origin, s.LookupTable)}

    @cached_property
    def _parents(self) -> dict[str, str]:
        """The parent section of each section."""
        return {inner.key: section.key for _, section in self.book.walk() for inner in section.sections}

    @cached_property
    def missing_line_count(self) -> int:
        """Number of lines that could not be verbalised."""
        prose = (block for block in self._blocks if isinstance(block, Prose))
        return sum(frame.sentence is None for block in prose for frame in frames(block.plans))

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return tuple(block for _, section in self.book.walk() for block in section.blocks)

    def cross_reference(self, key: str) -> str:
        """Return a cross-reference to the heading of another section."""
        return self.say("rulebook.see", heading=Text(self._headings[key]))

    def without_mark(self, sentence: RulebookSentence) -> tuple[str, str]:
        """Return a sentence and the mark at its end, if a reference in a book that teaches stands before that mark."""
        within = self.book.teaching and sentence.refers is not None and sentence.text.endswith((";", ":"))
        return (sentence.text[:-1], sentence.text[-1]) if within else (sentence.text, "")

    @cached_property
    def _headings(self) -> dict[str, str]:
        tables = {
            table_key(table): self.heading(table.title) for table in self._tables.values() if table.title is not None
        }
        return {**tables, **{section.key: self.heading(section.heading) for _, section in self.book.walk()}}

    # ---- lists ----

    def items(self, items: CountList) -> Iterator[tuple[str, str]]:
        """Yield the lines of a list as (count, thing); many things with an equal count share a line."""
        same = Counter(item.count for item in items.items if item.each is None)
        listed: set[int] = set()
        for item in items.items:
            many = item.count if item.each is None else None
            if many is None or same[many] < MIN_COUNT_LIST:
                yield self.number(item), self.thing(item)
            elif many not in listed:
                listed.add(many)
                others = [peer for peer in items.items if peer.each is None and peer.count == many]
                yield from self._as_often(many, others)

    def _as_often(self, many: int, items: Sequence[CountItem]) -> Iterator[tuple[str, str]]:
        """Yield things with equal counts: single cards grouped by kind, else all in one line."""
        kinds = dict.fromkeys(item.kind for item in items)
        if many == 1 and None not in kinds and len(items) >= MIN_RUN_LENGTH * len(kinds):
            for kind in filter(None, kinds):
                these = [item for item in items if item.kind == kind]
                names = [self.words.chain([self.text(value) for value in item.values]) for item in these]
                title = self.words.label(self.text(replace(kind, count=len(these))))
                yield self.words.number(len(these)), title + self.words.chain(names)
            return
        things = Text(self.words.chain(list(self._runs([self.thing(item, 1) for item in items]))))
        yield "", self.words.capital(self.say("rulebook.item.of_each", n=many, things=things))

    def rows(self, table: BookTable) -> list[list[str]]:
        """Return the headings and cells of a table as text; *no. 1 to 36* stands for rows that only count on."""
        rows = [[self.heading(row.heading), *map(self.cell, row.cells)] for row in table.rows]
        if table.alphabetical:
            rows.sort(key=lambda row: unicodedata.normalize("NFKD", row[0]).casefold())
        return [run for part in _counting_on(rows) for run in self._as_run(part)]

    def _runs(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the names, with numbered sequences as *no. 1 to 36*."""
        for part in _counting_on([[name] for name in names]):
            yield from (name for [name] in self._as_run(part))

    def _as_run(self, rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """Yield rows that count on as one row, or as they are if they are few."""
        if len(rows) < MIN_RUN_LENGTH:
            yield from map(list, rows)
            return
        ends = zip(rows[0], rows[-1], strict=True)
        yield [self.say("rulebook.item.run", first=Text(name), last=_numbered(last)[1]) for name, last in ends]

    def number(self, item: CountItem) -> str:
        """Return the count of a component, empty if it varies or is unknown."""
        n = item.count if item.each is None else item.each
        return "" if n is None else self.words.number(n)

    def counts(self, item: CountItem) -> list[str]:
        """Return the counts by number of players, or the count per player."""
        return [self.words.number(n if item.each is None else item.each) for n in item.counts]

    def thing(self, item: CountItem, count: int | None = None) -> str:
        """Return the name of a component in the grammatical number of its count."""
        n = item.count if item.each is None else item.each
        n = count or n or max(item.counts, default=2)
        text = self.text(replace(item.thing, count=n) if isinstance(item.thing, Term) else item.thing)
        return text if item.each is None else self.say("rulebook.for_each", what=Text(text))

    def heads(self, table: BookTable) -> list[str]:
        """Return the headings of the corner and the columns of a table."""
        corner = self.heading(table.corner) if table.corner is not None else ""
        return [corner, *map(self.heading, table.columns)]

    def columns(self, items: CountList) -> list[list[str]]:
        """Return the headings and rows of a list whose counts depend on the number of players."""
        heads = ["", *(self.say("rulebook.players.column", n=column) for column in items.columns)]
        counts = ((item, self.counts(item) or [EMPTY] * len(items.columns)) for item in items.items)
        return [heads, *([self.thing(item), *numbers] for item, numbers in counts)]

    # ---- footnotes ----

    def marks(self, block: Block) -> tuple[Footnote, ...]:
        """Return the footnotes of a block."""
        return () if isinstance(block, PicturePlace) else tuple(self._footnotes[note] for note in block.notes)

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """All footnotes in order."""
        return tuple(self._footnotes.values())

    @cached_property
    def _footnotes(self) -> dict[Note, Footnote]:
        notes = dict.fromkeys(n for block in self._blocks if not isinstance(block, PicturePlace) for n in block.notes)
        return {note: self._footnote(number, note) for number, note in enumerate(notes, 1)}

    def _footnote(self, number: int, note: Note) -> Footnote:
        mark = "" if note.trust == "text" else self.say(f"rulebook.mark.{note.trust}")
        title = quoted(self.book.books.get(note.book, note.book))
        headings = Listing(tuple(Text(self.say("engine.quoted", text=quoted(heading))) for heading in note.headings))
        how = ".headings" if note.headings else ".book" if note.book else ""
        text = self.say(f"rulebook.note.{note.trust}{how}", book=title, headings=headings)
        return Footnote(number, note, text, mark)


def _counting_on(rows: Sequence[Sequence[str]]) -> Iterator[Sequence[Sequence[str]]]:
    """Yield the rows in groups of which each cell counts on from the row before."""
    start = 0
    for end in range(1, len(rows) + 1):
        numbered = [_numbered(name) for name in rows[end - 1]]
        expected = [(head, number + 1) for head, number in numbered]
        if end == len(rows) or not all(head for head, _ in numbered) or [*map(_numbered, rows[end])] != expected:
            yield rows[start:end]
            start = end


def _numbered(name: str) -> tuple[str, int]:
    """Split a name into its text and final number; empty if it has none."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match is not None else ("", 0)


#: The underline character of headings, by level.
RULES = {0: "=", 1: "=", 2: "-", 3: "~"}
#: The characters for filled and empty cells of drawings.
SQUARE, GAP = "■", "·"
#: The space between columns, and the maximum width of adjacent drawings without a line limit.
GUTTER, WIDTH = "   ", 100

#: The width of a step number with its full stop and a space, in columns.
NUMBER_WIDTH = 4

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
    yield TextParagraph(reading.title_line)
    for level, section in reading.book.walk():
        yield TextParagraph()
        yield from _heading(reading, level, reading.heading(section.heading))
        yield from section_text(reading, section, room)
    if reading.footnotes:
        yield TextParagraph()
        yield from _heading(reading, 1, reading.say("rulebook.sources"))
    digits = len(str(len(reading.footnotes)))
    for note in reading.footnotes:
        number = f"[{note.number}]".rjust(digits + 2)
        yield TextParagraph(f"{number} {note.text}", "", " " * (digits + 3))


def section_text(reading: RealisedRulebook, section: Section, room: int | None = None) -> Iterator[TextParagraph]:
    """Yield the paragraphs of a section with its examples, without its heading and the sections below it."""
    before: Shown | None = None
    for block in with_pictures_joined(section.blocks):
        lines = list(render_block(reading, block, room))
        if before is not None and lines and not (isinstance(before, Prose) and isinstance(block, Prose)):
            yield TextParagraph()
        before = block if lines else before
        yield from lines
    if section.key in reading.drawings:
        caption, drawn = reading.drawings[section.key]
        yield from (TextParagraph(), TextParagraph(reading.words.label(caption)), TextParagraph())
        yield from map(TextParagraph, drawn)
    for example in reading.examples.get(section.key, ()):
        yield TextParagraph()
        yield TextParagraph(reading.example_title(example), "strong")
        yield from (TextParagraph(STEP + text, "", STEP) for text in example.paragraphs)


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
        text, mark = reading.without_mark(sentence)
        if sentence.refers is not None:
            text += f" {reading.cross_reference(sentence.refers)}{mark}"
        if number == len(sentences) - 1:
            text += marks(reading, prose)
        start = STEP * max(sentence.depth - 1, 0) + BULLET if sentence.depth else ""
        if prose.numbered:
            start = f"{sentence.step}.".ljust(NUMBER_WIDTH) if sentence.step else " " * NUMBER_WIDTH + start
        yield TextParagraph(start + text, "faint" if sentence.unsaid else "", " " * len(start))


def _items(reading: RealisedRulebook, items: CountList) -> Iterator[TextParagraph]:
    if items.title is not None:
        yield TextParagraph(reading.heading(items.title) + marks(reading, items), "strong")
    if items.columns:
        yield from map(TextParagraph, _columns(reading, reading.columns(items)))
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
    heads, rows = reading.heads(table), reading.rows(table)
    lines = _columns(reading, ([heads] if any(heads[1:]) else []) + rows)
    if room is None or max(map(reading.words.width, lines), default=0) <= room:
        yield from map(TextParagraph, lines)
    else:
        yield from _stacked(reading, heads, rows)
    if not title and marks(reading, table):
        yield TextParagraph(marks(reading, table).strip())


def _columns(reading: RealisedRulebook, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with aligned columns, numbers right-aligned."""
    width, columns = reading.words.width, [*zip_longest(*rows)]
    widths = [max(width(cell) for cell in column if cell is not None) for column in columns]
    numeric = [all(cell is None or cell.isdigit() or cell == EMPTY for cell in column[1:]) for column in columns]
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
        yield TextParagraph(reading.words.label(row[0]) + "; ".join(cells), "", STEP)


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
    words, scope, origin = reading.words, reading.book.scope, picture.origin
    if isinstance(origin, s.ShapeDrawing):
        title = words.term(name, scope) if words.has_term(name := origin.name.text, scope) else name
        return [title, *(" ".join(row.replace("x", SQUARE).replace(".", GAP)) for row in origin.rows)]
    if not isinstance(origin, s.Board) or origin.lattice is not None:
        return []
    names = [[words.term(word.text, scope, "short") for word in row] for row in origin.rows]
    cell = max(map(words.width, chain.from_iterable(names)), default=0) + 2
    lines = ["".join(words.pad(name, cell, "centre") for name in row) for row in names]
    most = max(map(words.width, lines), default=0)
    return [words.pad(line, most, "centre").rstrip() for line in lines]


#: The deepest heading level of Markdown.
MAX_HEADING_LEVEL = 6
#: Characters with a meaning in Markdown anywhere, and at the beginning of a line.
_SIGNS = re.compile(r"([\\`*_\[\]<>|~#&])")
_START = re.compile(r"^(\s*)(\d*)([-+=.)])")


#: Beginning and end of a part of Markdown that keeps its spaces.
FENCE = "```"


def markdown(reading: RealisedRulebook) -> Iterator[str]:
    """Yield the lines of the rulebook."""
    yield f"# {escaped(reading.title)}"
    yield ""
    yield escaped(reading.title_line)
    for level, section in reading.book.walk():
        yield ""
        yield f'<a id="{_anchor(section.key)}"></a>'
        yield ""
        yield f"{'#' * min(level + 1, MAX_HEADING_LEVEL)} {escaped(reading.heading(section.heading))}"
        for block in with_pictures_joined(section.blocks):
            lines = list(_markdown_block(reading, block))
            yield from ["", *lines] if lines else []
        if section.key in reading.drawings:
            caption, drawn = reading.drawings[section.key]
            yield from ("", escaped(reading.words.label(caption)), "", FENCE, *drawn, FENCE)
        for example in reading.examples.get(section.key, ()):
            yield from ("", f"> **{escaped(reading.example_title(example))}**")
            yield from (line for text in example.paragraphs for line in (">", f"> {escaped(text)}"))
    if reading.footnotes:
        yield ""
        yield f"## {escaped(reading.say('rulebook.sources'))}"
    for note in reading.footnotes:
        yield ""
        yield f"[^{note.number}]: {escaped(note.text)}"


def table_key(table: BookTable | CountList) -> str:
    """Return the key of a table among those of sections."""
    return f"table {table.key}"


def escaped(text: str) -> str:
    """Return a text with all Markdown characters escaped."""
    return _START.sub(r"\1\2\\\3", _SIGNS.sub(r"\\\1", " ".join(text.split("\n"))))


def _anchor(key: str) -> str:
    return re.sub(r"[^\w.-]", "_", key)


def _markdown_marks(reading: RealisedRulebook, block: Block) -> str:
    notes = reading.marks(block)
    return "".join(f"[^{note.number}]" + (f" ({escaped(note.mark)})" if note.mark else "") for note in notes)


def _markdown_block(reading: RealisedRulebook, block: Shown) -> Iterator[str]:
    match block:
        case Prose():
            yield from _markdown_prose(reading, block)
        case CountList():
            yield from _markdown_items(reading, block)
        case BookTable():
            block = block.filled()
            if block.title is not None:
                anchor = f'<a id="{_anchor(table_key(block))}"></a>' if reading.book.teaching else ""
                yield f"{anchor}**{escaped(reading.heading(block.title))}**{_markdown_marks(reading, block)}"
                yield ""
            yield from _markdown_table([reading.heads(block), *reading.rows(block)])
            if block.title is None and block.notes:
                yield ""
                yield _markdown_marks(reading, block)
        case tuple():
            lines = list(drawings(reading, block, None))
            yield from ["```text", *lines, "```"] if lines else []


def _markdown_prose(reading: RealisedRulebook, prose: Prose) -> Iterator[str]:
    sentences = list(reading.sentences(prose))
    inner = " " * NUMBER_WIDTH if prose.numbered else ""
    for number, sentence in enumerate(sentences):
        text, mark = map(escaped, reading.without_mark(sentence))
        if sentence.refers is not None:
            text += f" [{escaped(reading.cross_reference(sentence.refers))}](#{_anchor(sentence.refers)}){mark}"
        if number == len(sentences) - 1:
            text += _markdown_marks(reading, prose)
        if sentence.depth:
            yield f"{inner}{'  ' * (sentence.depth - 1)}- {text}"
            continue
        if sentence.step:
            yield f"{sentence.step}.".ljust(NUMBER_WIDTH) + text
            continue
        if number:
            yield ""
        yield text
        if number + 1 < len(sentences) and sentences[number + 1].depth:
            yield ""


def _markdown_items(reading: RealisedRulebook, items: CountList) -> Iterator[str]:
    if items.title is not None:
        yield f"**{escaped(reading.heading(items.title))}**{_markdown_marks(reading, items)}"
        yield ""
    if not items.columns:
        for number, thing in reading.items(items):
            yield f"- {number} {escaped(thing)}" if number else f"- {escaped(thing)}"
        return
    yield from _markdown_table(reading.columns(items))


def _markdown_table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    most = max(map(len, rows))
    for number, row in enumerate(rows):
        cells = [*map(escaped, row), *[""] * (most - len(row))]
        yield f"| {' | '.join(cells)} |"
        if not number:
            yield "|" + " --- |" * most

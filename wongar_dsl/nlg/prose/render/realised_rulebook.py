"""A rulebook rendered in a language: headings, sentences, counts and footnotes as text for every output format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import (
    ENDING,
    Block,
    BookTable,
    CountItem,
    CountList,
    Note,
    PicturePlace,
    Prose,
    Rulebook,
    paths,
)
from wongar_dsl.nlg.prose.micro.plan_text import SentenceUnit, frames, text_of
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text, Translator, Value, quoted

#: Minimum number of components with equal counts that are combined in one line.
MIN_COUNT_LIST = 9
#: Minimum length of a numbered sequence shown as *the first to the last*.
MIN_RUN_LENGTH = 4
#: A name that ends in a number.
_NUMBERED = re.compile(r"(.*\D)([0-9]+)", re.DOTALL)
#: The content of an empty cell.
EMPTY = "–"


@dataclass(frozen=True, slots=True)
class RulebookSentence:
    """A line of a rulebook: its key, text and depth, and a cross-reference.

    `refers` is the section key of a called rule in another place. An `unsaid` line could not be verbalised; its text
    quotes the rule with its position.
    """

    key: str
    text: str
    depth: int
    refers: str | None = None
    unsaid: bool = False


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its number, its text, and its mark in the text if it is no mere citation."""

    number: int
    note: Note
    text: str
    mark: str = ""


class RealisedRulebook:
    """A rulebook in the language of `words`; `title` is the title of the game with its variants."""

    def __init__(self, book: Rulebook, words: Translator, title: str) -> None:
        self.book, self.words, self.title = book, words.without_outdated(book.scope, book.model.changes), title

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

    def heading(self, value: Value) -> str:
        """Render a value as a heading; verbatim text is unchanged."""
        return value.text if isinstance(value, Text) else self.words.capital(self.text(value))

    @cached_property
    def players(self) -> str:
        """The range of players that the rulebook covers, as text."""
        low, high = self.book.players[0], self.book.players[-1]
        if low == high:
            return self.say("rulebook.players.exact", n=low)
        return self.say("rulebook.players", low=low, high=high)

    # ---- sentences ----

    def sentences(self, prose: Prose) -> Iterator[RulebookSentence]:
        """Yield the sentences of a block, one per line."""
        node_paths = paths(prose.article)
        for unit in self.units(prose):
            key = f"{prose.key}/{node_paths.get(unit.origin, '')}".rstrip("/")
            refers = None if unit.unsaid else self._reference(unit.origin, prose.key)
            yield RulebookSentence(key, unit.text, unit.depth, refers, unit.unsaid)

    def units(self, prose: Prose) -> Iterator[SentenceUnit]:
        """Yield the lines of a block, with their origins."""
        return text_of(prose.plans, self.words, self.book.scope)

    def _reference(self, origin: s.Node, here: str) -> str | None:
        if here == ENDING:
            key = s.key_text(origin) if isinstance(origin, s.Declaration) else ""
            return key if key in self._headings else None
        if not isinstance(origin, s.Call) or not isinstance(origin.call, s.Called):
            return None
        key = f"rule.{origin.call.name}"
        return key if key in self._parents and self._parents[key] != here else None

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

    @cached_property
    def _headings(self) -> dict[str, str]:
        return {section.key: self.heading(section.heading) for _, section in self.book.walk()}

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

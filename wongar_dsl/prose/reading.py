"""A rulebook in a language: its headings, sentences, numbers and footnotes as texts, for whoever prints or shows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl import syntax as s
from wongar_dsl.prose.book import ENDING, Block, Item, Items, Note, Picture, Prose, Rulebook, key_of, paths
from wongar_dsl.prose.document import Unit, text_of
from wongar_dsl.words import Listing, Said, Term, Text, Value, Words, quoted

#: From how many things on, of which there are as many, they stand in one line.
MOST_ALONE = 9
#: From how many on things that are counted on stand as *the first to the last*.
SHORTEST_RUN = 4
#: A name that ends in a number.
_NUMBERED = re.compile(r"(.*\D)([0-9]+)", re.DOTALL)
#: What stands in an empty cell.
EMPTY = "–"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of a rulebook: its key, its text, how deep it stands under leads, and where to read on.

    `refers` is the key of the section of a rule that it calls, which does not stand below it.  What is `unsaid` has no
    words yet; its text shows where it stands in the rules.
    """

    key: str
    text: str
    depth: int
    refers: str | None = None
    unsaid: bool = False


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its number, its text, and what marks it in the text where it is more than a book."""

    number: int
    note: Note
    text: str
    mark: str = ""


class Reading:
    """A rulebook in the language of `words`; `title` is what the game is called with its variants."""

    def __init__(self, book: Rulebook, words: Words, title: str) -> None:
        self.book, self.words, self.title = book, words, title

    def say(self, message: str, **values: Value) -> str:
        """A sentence in the words of this game."""
        return self.words.say(message, self.book.scope, **values)

    def text(self, value: Value) -> str:
        """A value on its own, as it stands in a cell."""
        match value:
            case Term(name=name, game=game, count=count):
                return self.words.term(name, game or self.book.scope, count=count)
            case Said(message=message, values=values):
                return self.say(message, **values)
            case Listing(items=items):
                return self.words.chain([self.text(item) for item in items])
        return self.words.value(value, self.book.scope)

    def cell(self, value: Value | None) -> str:
        """What stands in a cell, a dash where it is empty."""
        return EMPTY if value is None else self.text(value)

    def heading(self, value: Value) -> str:
        """A value as a heading; what is written as it is in the rules stays so."""
        return value.text if isinstance(value, Text) else self.words.capital(self.text(value))

    @cached_property
    def players(self) -> str:
        """For how many players the rulebook is."""
        low, high = self.book.players[0], self.book.players[-1]
        if low == high:
            return self.say("rulebook.players.exact", n=low)
        return self.say("rulebook.players", low=low, high=high)

    # ---- sentences ----

    def sentences(self, prose: Prose) -> Iterator[Sentence]:
        """The sentences of a block, one a line."""
        known = paths(prose.article)
        for unit in self.units(prose):
            key = f"{prose.key}/{known.get(unit.origin, '')}".rstrip("/")
            refers = None if unit.unsaid else self._reference(unit.origin, prose.key)
            yield Sentence(key, self.line(unit), unit.depth, refers, unit.unsaid)

    def units(self, prose: Prose) -> Iterator[Unit]:
        """The lines of a block, with what they were made of."""
        return text_of(prose.plans, self.words, self.book.scope)

    def line(self, unit: Unit) -> str:
        """The text of a line; what there are no words for is shown as it is written, with where it stands."""
        if not unit.unsaid:
            return unit.text
        span = unit.origin.span
        rule = s.whole_line(replace(span, column=1))
        return self.say("rulebook.unsaid", rule=quoted(rule), place=quoted(f"{span.source.name}:{span.line}"))

    def _reference(self, origin: s.Node, here: str) -> str | None:
        if here == ENDING and isinstance(origin, s.Article):
            return key if (key := key_of(origin)) in self._parents else None
        if not isinstance(origin, s.Call) or not isinstance(origin.call, s.Called):
            return None
        key = f"rule.{origin.call.name}"
        return key if key in self._parents and self._parents[key] != here else None

    @cached_property
    def _parents(self) -> dict[str, str]:
        """The section that each section stands in."""
        return {inner.key: section.key for _, section in self.book.walk() for inner in section.sections}

    @cached_property
    def unsaid(self) -> int:
        """How many lines have no words yet."""
        return sum(
            sentence.unsaid for block in self._blocks if isinstance(block, Prose) for sentence in self.sentences(block)
        )

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return tuple(block for _, section in self.book.walk() for block in section.blocks)

    def see(self, key: str) -> str:
        """Where to read on: the heading of another section."""
        return self.say("rulebook.see", heading=Text(self._headings[key]))

    @cached_property
    def _headings(self) -> dict[str, str]:
        return {section.key: self.heading(section.heading) for _, section in self.book.walk()}

    # ---- lists ----

    def items(self, items: Items) -> Iterator[tuple[str, str]]:
        """The lines of a list: how many there are, and of what; many of which there are as many stand in one line."""
        same = Counter(item.count for item in items.items if item.each is None)
        told: set[int] = set()
        for item in items.items:
            many = item.count if item.each is None else None
            if many is None or same[many] < MOST_ALONE:
                yield self.number(item), self.thing(item)
            elif many not in told:
                told.add(many)
                others = [other for other in items.items if other.each is None and other.count == many]
                yield from self._as_often(many, others)

    def _as_often(self, many: int, items: Sequence[Item]) -> Iterator[tuple[str, str]]:
        """Things of which there are as many each: single cards below their kind, else all in one line."""
        kinds = dict.fromkeys(item.kind for item in items)
        if many == 1 and None not in kinds and len(items) >= SHORTEST_RUN * len(kinds):
            for kind in filter(None, kinds):
                these = [item for item in items if item.kind == kind]
                names = [self.words.chain([self.text(value) for value in item.values]) for item in these]
                title = self.words.label(self.text(replace(kind, count=len(these))))
                yield self.words.number(len(these)), title + self.words.chain(names)
            return
        things = Text(self.words.chain(list(self._runs([self.thing(item, 1) for item in items]))))
        yield "", self.words.capital(self.say("rulebook.item.of_each", n=many, things=things))

    def _runs(self, names: Sequence[str]) -> Iterator[str]:
        """The same names, those that only count on as *no. 1 to 36*."""
        at = 0
        while at < len(names):
            head, first = _numbered(names[at])
            end = at + 1
            while end < len(names) and _numbered(names[end]) == (head, first + end - at):
                end += 1
            if head and end - at >= SHORTEST_RUN:
                yield self.say("rulebook.item.run", first=Text(names[at]), last=first + end - at - 1)
            else:
                yield from names[at:end]
            at = end

    def number(self, item: Item) -> str:
        """How many there are of something, nothing where that differs or is not known."""
        n = item.count if item.each is None else item.each
        return "" if n is None else self.words.number(n)

    def counts(self, item: Item) -> list[str]:
        """How many there are with each number of players; of what each player has, how many that player has."""
        return [self.words.number(n if item.each is None else item.each) for n in item.counts]

    def thing(self, item: Item, count: int | None = None) -> str:
        """What there is so often, in the form that goes with the number."""
        n = item.count if item.each is None else item.each
        n = count or n or max(item.counts, default=2)
        text = self.text(replace(item.thing, count=n) if isinstance(item.thing, Term) else item.thing)
        return text if item.each is None else self.say("rulebook.for_each", what=Text(text))

    # ---- footnotes ----

    def marks(self, block: Block) -> tuple[Footnote, ...]:
        """The footnotes of a block."""
        return () if isinstance(block, Picture) else tuple(self._footnotes[note] for note in block.notes)

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """All footnotes in their order."""
        return tuple(self._footnotes.values())

    @cached_property
    def _footnotes(self) -> dict[Note, Footnote]:
        notes = dict.fromkeys(n for block in self._blocks if not isinstance(block, Picture) for n in block.notes)
        return {note: self._footnote(number, note) for number, note in enumerate(notes, 1)}

    def _footnote(self, number: int, note: Note) -> Footnote:
        mark = "" if note.trust == "text" else self.say(f"rulebook.mark.{note.trust}")
        title = quoted(self.book.books.get(note.book, note.book))
        headings = Listing(tuple(Text(self.say("engine.quoted", text=quoted(heading))) for heading in note.headings))
        how = ".headings" if note.headings else ".book" if note.book else ""
        text = self.say(f"rulebook.note.{note.trust}{how}", book=title, headings=headings)
        return Footnote(number, note, text, mark)


def _numbered(name: str) -> tuple[str, int]:
    """What stands before the number at the end of a name, and that number; nothing where there is none."""
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found is not None else ("", 0)

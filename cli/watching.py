"""What a game says and how it is set, as lines that can be compared: what a change of its rules comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal

from wongar_dsl.words import Words

if TYPE_CHECKING:
    from wongar_dsl.library import Rules

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Told:
    """The sentences of the rules, each with the heading above it, and the values that a variant can set, by name."""

    sentences: tuple[tuple[str, str], ...]
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A line that is new, one that is gone, or a heading above such lines."""

    sort: Literal["heading", "gone", "new", "value"]
    text: str


def told(rules: Rules, words: Words) -> Told:
    """What the rules of a game say in a language, and their options, tables and decks."""
    return Told(tuple(_sentences(rules, words)), dict(_values(rules)))


def changes(before: Told, after: Told, words: Words) -> Iterator[Change]:
    """What is different: values first, then the sentences that are gone and new, under their headings."""
    for name in dict.fromkeys((*before.values, *after.values)):
        old, new = before.values.get(name), after.values.get(name)
        if old is None and new is not None:
            yield Change("new", words.label(name) + new)
        elif old is not None and new is None:
            yield Change("gone", words.label(name) + old)
        elif old != new:
            yield Change("value", words.label(name) + f"{old} → {new}")
    heading = ""
    for sort, above, line in _lines(before.sentences, after.sentences):
        if above != heading:
            heading = above
            yield Change("heading", above)
        yield Change(sort, line)


def _lines(
    before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]
) -> Iterator[tuple[Literal["gone", "new"], str, str]]:
    """The lines that differ with their headings, at each place first those that are gone."""
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (("gone", above, line) for above, line in before[a:b])
            yield from (("new", above, line) for above, line in after[c:d])


def _sentences(rules: Rules, words: Words) -> Iterator[tuple[str, str]]:
    """The sentences of the rulebook.  Where something has no words, there is nothing to compare."""
    from wongar_dsl.narration.narrator import title
    from wongar_dsl.prose.book import Prose
    from wongar_dsl.prose.outline import rulebook
    from wongar_dsl.prose.reading import Reading

    reading = Reading(rulebook(rules.model, words), words, title(words, rules.name))
    for _, section in reading.book.walk():
        heading = reading.heading(section.heading)
        for block in section.blocks:
            for sentence in reading.sentences(block) if isinstance(block, Prose) else ():
                if not sentence.unsaid:
                    yield heading, f"{INDENT * sentence.depth}{sentence.text}"


def _values(rules: Rules) -> Iterator[tuple[str, str]]:
    """What a variant can set, each under the name that it has there."""
    from wongar_dsl.variants.contents import contents

    found = contents(rules.model.merged)
    low, high = rules.model.players
    yield "players", str(low) if low == high else f"{low} to {high}"
    yield from ((option.name, option.value) for option in found.options)
    for table in found.tables:
        for key, *cells in table.rows:
            columns = table.columns or ("",)
            for column, cell in zip(columns, cells, strict=False):
                yield f"{table.name}[{', '.join(filter(None, (key, column)))}]", cell
    for deck in found.decks:
        yield from ((f"{face} in {deck.name}", str(count)) for count, face in deck.copies)

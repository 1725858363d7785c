"""Menu in groups: similar options together, with their common words in a heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.options.menu import MenuEntry

#: Groups of more than MAX_PLAIN_GROUP entries get a heading; options with more than MIN_GROUPED_OPTIONS split.
MAX_PLAIN_GROUP = 4
MIN_GROUPED_OPTIONS = 12


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options shown together.

    `heading` holds their common words (empty if there are none); `texts` the remaining words of each option, with the
    open card that it concerns.
    """

    heading: str
    entries: tuple[MenuEntry, ...]
    texts: tuple[str, ...]


def group_options(all_entries: Sequence[MenuEntry], words: Translator) -> Iterator[OptionGroup]:
    """Yield the groups of a menu."""
    for entries in _groups(all_entries):
        # Common words of different options or effects are accidental.
        several = len({e.move.option for e in entries}) > 1 or any(e.several for e in entries)
        texts = [e.text for e in entries]
        head, short = common_text(texts) if len(entries) > MAX_PLAIN_GROUP and not several else ("", texts)
        labelled = (words.label(s) + e.card if e.card else s for e, s in zip(entries, short, strict=True))
        yield OptionGroup(_heading(head, words) if head else "", tuple(entries), tuple(labelled))


def _heading(common: str, words: Translator) -> str:
    """Return the common words as a heading that ends with the label mark, added only if missing."""
    mark = words.label("").strip()
    # A gap behind a final comma is clear without a sign, which a screen reader would read aloud.
    common = common.removesuffix(", …")
    return common if common.removesuffix("…").rstrip().endswith(mark) else words.label(common).rstrip()


def _groups(all_entries: Sequence[MenuEntry]) -> Iterator[list[MenuEntry]]:
    """Yield the entries by option; an option with many moves is split by all arguments except the last.

    If no group gets a heading and the numbers would not ascend, all entries form one group.
    """
    groups = list(_by_option(all_entries))
    numbers = [entry.number for group in groups for entry in group]
    if numbers != sorted(numbers) and all(len(group) <= MAX_PLAIN_GROUP for group in groups):
        groups = [list(all_entries)]
    yield from groups


def _by_option(all_entries: Sequence[MenuEntry]) -> Iterator[list[MenuEntry]]:
    options: dict[int, list[MenuEntry]] = {}
    for entry in all_entries:
        options.setdefault(entry.move.option, []).append(entry)
    for entries in options.values():
        if len(entries) <= MIN_GROUPED_OPTIONS:
            yield entries
            continue
        parts: dict[tuple[int, ...], list[MenuEntry]] = {}
        for entry in entries:
            parts.setdefault(entry.move.arguments[:-1], []).append(entry)
        yield from parts.values()


def common_text(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Return the common words of the texts, with a gap (*Take the card from … .*), and the words that fill each gap.

    Cuts are made only between words. A sign stays with the word before it, and brackets and quotation marks stay
    paired. A gap begins with a word, because the option's number stands before it.
    """
    tokens = [_TOKEN.findall(text) for text in texts]
    first, shortest = tokens[0], min(map(len, tokens))
    before = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    while before and not first[before - 1].isspace():
        before -= 1
    room = shortest - before
    after = next((i for i in range(room) if len({t[-1 - i] for t in tokens}) > 1), room)

    def gaps() -> list[list[str]]:
        return [t[before : len(t) - after] for t in tokens]

    while after and not (first[-after].isspace() or first[-after] in _FOLLOWING):
        after -= 1
    if not all(map(_is_balanced, gaps())):
        after = 0
    while before and not (
        first[before - 1].isspace() and all(_is_balanced(g) and _begins_with_word(g) for g in gaps())
    ):
        before -= 1
    if not before or any(gap[-1] in _FOLLOWING for gap in gaps()):
        after = 0
    head, tail = "".join(first[:before]), "".join(first[len(first) - after :])
    if not any(map(str.isalpha, head)):
        return "", list(texts)  # Texts with only a common ending read better in one piece.
    return f"{head}…{tail}", ["".join(gap) for gap in gaps()]


#: Tokens: words with inner signs, white space, and single other characters.
_TOKEN = re.compile(r"\w+(?:[’'.-]\w+)*|\s+|\S")
#: Signs that may follow a gap.
_FOLLOWING = frozenset(",;:.!?…")


def _begins_with_word(gap: Sequence[str]) -> bool:
    """Return whether a gap begins with a word, perhaps in brackets or quotation marks."""
    first = next((token for token in gap if not token.isspace()), " ")
    return first[0].isalpha() or unicodedata.category(first[0]) in ("Ps", "Pi")


def _is_balanced(gap: Sequence[str]) -> bool:
    """Return whether brackets and quotation marks are balanced within a gap."""
    return sum(unicodedata.category(token[0]) in ("Ps", "Pe", "Pi", "Pf") for token in gap) % 2 == 0

"""A menu in groups: options that are alike stand together, with what they have in common said once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.table.menu import Entry
from wongar_dsl.words import Words

#: Longer groups are shown with what their options have in common said once.
FEW = 4
MANY = 12


@dataclass(frozen=True, slots=True)
class Group:
    """Options that stand together: `heading` is what they have in common (empty: nothing), `texts` what each says
    under it, with the open card that it is about."""

    heading: str
    entries: tuple[Entry, ...]
    texts: tuple[str, ...]


def grouped(every: Sequence[Entry], words: Words) -> Iterator[Group]:
    """The groups of a menu."""
    for entries in _groups(every):
        # What several options have in common by chance is none of their own.
        several = len({e.move.option for e in entries}) > 1
        texts = [e.text for e in entries]
        head, short = factored(texts) if len(entries) > FEW and not several else ("", texts)
        said = (words.label(s) + e.card if e.card else s for e, s in zip(entries, short, strict=True))
        yield Group(_heading(head, words) if head else "", tuple(entries), tuple(said))


def _heading(common: str, words: Words) -> str:
    """What options have in common, above them, with the mark of a label if it does not end with one already."""
    mark = words.label("").strip()
    # A gap behind a comma at the end is seen without a sign, and would be read aloud.
    common = common.removesuffix(", …")
    return common if common.removesuffix("…").rstrip().endswith(mark) else words.label(common).rstrip()


def _groups(every: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries by option; where these are many, by all arguments but the last as well.

    Where no group has a heading and their numbers would not go up, they are one group.
    """
    groups = list(_alike(every))
    numbers = [entry.number for group in groups for entry in group]
    if numbers != sorted(numbers) and all(len(group) <= FEW for group in groups):
        groups = [list(every)]
    yield from groups


def _alike(every: Sequence[Entry]) -> Iterator[list[Entry]]:
    options: dict[int, list[Entry]] = {}
    for entry in every:
        options.setdefault(entry.move.option, []).append(entry)
    for entries in options.values():
        if len(entries) <= MANY:
            yield entries
            continue
        parts: dict[tuple[int, ...], list[Entry]] = {}
        for entry in entries:
            parts.setdefault(entry.move.arguments[:-1], []).append(entry)
        yield from parts.values()


def factored(texts: Sequence[str]) -> tuple[str, list[str]]:
    """What the texts have in common, with a gap (*Take the card from … .*), and what stands in the gap of each.

    Cut is only between words: a sign that follows a word stays with what it closes, brackets and quotation marks stay
    in pairs, and a gap begins with a word, since it stands behind the number of its option.
    """
    tokens = [_TOKEN.findall(text) for text in texts]
    one, shortest = tokens[0], min(map(len, tokens))
    before = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    while before and not one[before - 1].isspace():
        before -= 1
    room = shortest - before
    after = next((i for i in range(room) if len({t[-1 - i] for t in tokens}) > 1), room)

    def gaps() -> list[list[str]]:
        return [t[before : len(t) - after] for t in tokens]

    while after and not (one[-after].isspace() or one[-after] in _FOLLOWING):
        after -= 1
    if not all(map(_paired, gaps())):
        after = 0
    while before and not (one[before - 1].isspace() and all(map(_paired, gaps())) and all(map(_opens, gaps()))):
        before -= 1
    if not before or any(gap[-1] in _FOLLOWING for gap in gaps()):
        after = 0
    head, tail = "".join(one[:before]), "".join(one[len(one) - after :])
    if not any(map(str.isalpha, head)):
        return "", list(texts)  # What only ends alike reads better in one piece.
    return f"{head}…{tail}", ["".join(gap) for gap in gaps()]


#: Words with what is inside of them, blanks, and each other sign on its own.
_TOKEN = re.compile(r"\w+(?:[’'.-]\w+)*|\s+|\S")
#: Signs that a text can go on with behind a gap.
_FOLLOWING = frozenset(",;:.!?…")


def _opens(gap: Sequence[str]) -> bool:
    """Whether a gap begins with what can stand behind a number: a word, also in brackets or quotation marks."""
    first = next((token for token in gap if not token.isspace()), " ")
    return first[0].isalpha() or unicodedata.category(first[0]) in ("Ps", "Pi")


def _paired(gap: Sequence[str]) -> bool:
    """Whether brackets and quotation marks open and close within a gap."""
    return sum(unicodedata.category(token[0]) in ("Ps", "Pe", "Pi", "Pf") for token in gap) % 2 == 0

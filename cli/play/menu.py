"""A menu as lines: in columns, with what options have in common said once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from wongar_dsl.table.menu import Entry, Menu
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words import Words

from ..terminal.screen import Line, Piece, clipped

#: How near a misspelt word must be to one of an option (1 would be the same).
NEAR = 0.75

#: Longer groups are shown with what their options have in common said once.
FEW = 4
MANY = 12


def lines(menu: Menu, words: Words, width: int) -> list[Line]:
    """The menu in columns, each group of options on lines of its own."""
    digits = max((len(str(e.number)) for e in menu.entries), default=1)
    shown: list[Line] = []
    for entries in _groups(menu.entries):
        head, short = factored([e.text for e in entries]) if len(entries) > FEW else ("", [e.text for e in entries])
        if head:
            shown.append([("strong", _heading(head, words))])
        short = [words.label(s) + e.card if e.card else s for e, s in zip(entries, short, strict=True)]
        cell = min(width - 1, max(map(cells_of, short)) + digits + 4)
        columns = max(1, (width - 1) // cell)
        rows = -(-len(entries) // columns)
        for row in range(rows):
            line: list[Piece] = []
            for entry, said in list(zip(entries, short, strict=True))[row::rows]:
                text = clipped(said, cell - digits - 3)
                line += [("number", f"{entry.number:>{digits}} "), ("", pad(text, cell - digits - 1))]
            shown.append(line)
    return shown


def _heading(common: str, words: Words) -> str:
    """What options have in common, above them, with the mark of a label if it does not end with one already."""
    mark = words.label("").strip()
    return common if common.removesuffix("…").rstrip().endswith(mark) else words.label(common).rstrip()


def _groups(every: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries by option; where these are many, by all arguments but the last as well."""
    for _, group in groupby(every, key=lambda e: e.move.option):
        entries = list(group)
        if len(entries) <= MANY:
            yield entries
            continue
        for _, part in groupby(entries, key=lambda e: e.move.arguments[:-1]):
            yield list(part)


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
    said = ["".join(gap) for gap in gaps()]
    ending = _common_tail(said)
    return f"{head}…{ending}{tail}", [text.removesuffix(ending) for text in said]


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


def _common_tail(gaps: Sequence[str]) -> str:
    """What all gaps end with from their last hyphen on (*-Gebiet*), or nothing."""
    tails = {gap[gap.rfind("-") :] if "-" in gap[1:] else "" for gap in gaps}
    return tails.pop() if len(tails) == 1 else ""

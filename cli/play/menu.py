"""A menu as lines: in columns, with what options have in common said once, and what each would bring."""

from __future__ import annotations

from wongar_dsl.table.grouping import Group, grouped
from wongar_dsl.table.menu import Menu
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words import Listing, Text, Words

from ..terminal.screen import Line, Piece, clipped

#: So many rows of numbers are told, of more the first and the last.
MOST_ROWS = 12


def numbers(menu: Menu, words: Words) -> Listing:
    """The numbers of a menu, rows of them as the first and the last."""
    rows = [Text(words.say("cli.from_to_short", low=a, high=b) if a < b else str(a)) for a, b in menu.ranges()]
    if len(rows) > MOST_ROWS:
        rows = [*rows[: MOST_ROWS - 1], rows[-1]]
    return Listing(tuple(rows))


def listed(menu: Menu, words: Words) -> list[str]:
    """The menu to be heard: each option below the one before it, uncut, with what it would bring."""
    shown: list[str] = []
    for group in grouped(menu.entries, words):
        shown += [group.heading] if group.heading else []
        for entry, said in zip(group.entries, group.texts, strict=True):
            shown.append(f"{entry.number} {_foreseen(said, entry.outlook, words)}")
    return shown


def _foreseen(said: str, outlook: str, words: Words) -> str:
    """An option with what it would bring, and no second colon behind one that has a colon itself."""
    if not outlook:
        return said
    if words.label("").strip() in said:
        return words.say("drawing.apart", None, one=Text(said), other=Text(outlook))
    return words.label(said) + outlook


def lines(menu: Menu, words: Words, width: int) -> list[Line]:
    """The menu in columns; each group on lines of its own."""
    digits = max((len(str(e.number)) for e in menu.entries), default=1)
    shown: list[Line] = []
    for group in grouped(menu.entries, words):
        if group.heading:
            shown.append([("strong", group.heading)])
        if any(entry.outlook for entry in group.entries):
            shown += _outlooks(group, digits, width)
            continue
        cell = min(width - 1, max(map(cells_of, group.texts)) + digits + 4)
        columns = max(1, (width - 1) // cell)
        rows = -(-len(group.entries) // columns)
        for row in range(rows):
            line: list[Piece] = []
            for entry, said in list(zip(group.entries, group.texts, strict=True))[row::rows]:
                text = clipped(said, cell - digits - 3)
                line += [("number", f"{entry.number:>{digits}} "), ("", pad(text, cell - digits - 1))]
            shown.append(line)
    return shown


def _outlooks(group: Group, digits: int, width: int) -> list[Line]:
    """The options of a group below each other, what each would bring beside it, or under it where there is no room."""
    shown: list[Line] = []
    texts = max(map(cells_of, group.texts))
    beside = digits + 4 + texts + max(cells_of(entry.outlook) for entry in group.entries) < width
    for entry, said in zip(group.entries, group.texts, strict=True):
        number: Piece = ("number", f"{entry.number:>{digits}} ")
        if beside:
            shown.append([number, ("", pad(said, texts + 2)), ("outlook", entry.outlook)])
            continue
        shown.append([number, ("", clipped(said, width - digits - 2))])
        if entry.outlook:
            shown.append([("", " " * (digits + 3)), ("outlook", clipped(entry.outlook, width - digits - 4))])
    return shown

"""A menu as lines: in columns, with what options have in common said once."""

from __future__ import annotations

from wongar_dsl.table.grouping import grouped
from wongar_dsl.table.menu import Menu
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words import Words

from ..terminal.screen import Line, Piece, clipped


def lines(menu: Menu, words: Words, width: int, beside: bool = True) -> list[Line]:
    """The menu in columns, or unless they may stand `beside` each other, in one; each group on lines of its own."""
    digits = max((len(str(e.number)) for e in menu.entries), default=1)
    shown: list[Line] = []
    for group in grouped(menu.entries, words):
        if group.heading:
            shown.append([("strong", group.heading)])
        cell = min(width - 1, max(map(cells_of, group.texts)) + digits + 4)
        columns = max(1, (width - 1) // cell) if beside else 1
        rows = -(-len(group.entries) // columns)
        for row in range(rows):
            line: list[Piece] = []
            for entry, said in list(zip(group.entries, group.texts, strict=True))[row::rows]:
                text = clipped(said, cell - digits - 3)
                line += [("number", f"{entry.number:>{digits}} "), ("", pad(text, cell - digits - 1))]
            shown.append(line)
    return shown

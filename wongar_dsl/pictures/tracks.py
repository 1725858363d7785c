"""Tracks: their spaces one after the other, in phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.pictures.lettering import ELLIPSIS, centred
from wongar_dsl.pictures.naming import Names
from wongar_dsl.pictures.svg import WASHES, Picture, box
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Listing, Text

SIDE, GAP, EDGE, TITLE = 100, 30, 10, 70
#: So many spaces go into a row; of a phase with more spaces than `MOST` only the first and the last are shown.
IN_A_ROW, MOST, FIRST, LAST = 16, 64, 13, 2
WIDEST = 1700
_SIZES = (40, 36, 32, 28, 24, 20)


def track(names: Names, name: str) -> Picture:
    """A track of a game.  Raises KeyError for a name that is no track."""
    phases = names.model.tracks[name]
    titles = [names.words.capital(names.term(phase)) for phase, _ in phases]
    end = sum(spaces for _, spaces in phases)
    parts: list[Tag] = []
    left, top, right = EDGE, EDGE, 0
    for number, numbers in _runs(phases):
        width = max(len(numbers), 2) * SIDE
        if left > EDGE and left + width > WIDEST:
            left, top = EDGE, top + TITLE + SIDE + GAP
        parts.append(centred(titles[number], (left, top, width, TITLE - 5), _SIZES, bold=True))
        for at, text in enumerate(numbers):
            x, y = left + at * SIDE, top + TITLE
            parts.append(box(x, y, SIDE, SIDE, f"wash-{number % len(WASHES)}" if text else "paper"))
            if text == str(end):
                parts.append(box(x + 15, y + 15, SIDE - 30, SIDE - 30, f"wash-{number % len(WASHES)}"))
            parts.append(centred(text or ELLIPSIS, (x + 20, y, SIDE - 40, SIDE), _SIZES))
        right = max(right, left + width)
        left += width + GAP
    told = [names.say("phase", phase=Text(title), n=n) for title, (_, n) in zip(titles, phases, strict=True)]
    about = names.say("track", n=end, phases=Listing(tuple(map(Text, told))))
    return Picture(right + EDGE, top + TITLE + SIDE + EDGE, names.title(name), about, tuple(parts))


def _runs(phases: Sequence[tuple[str, int]]) -> Iterator[tuple[int, list[str]]]:
    """Spaces that lie in one row: the number of their phase, and what stands in them."""
    first = 1
    for number, (_, spaces) in enumerate(phases):
        numbers = list(_numbers(first, spaces))
        first += spaces
        for start in range(0, len(numbers), IN_A_ROW):
            yield number, numbers[start : start + IN_A_ROW]


def _numbers(first: int, spaces: int) -> Iterator[str]:
    """What stands in the spaces of a phase; nothing stands for those that are left out."""
    every = [str(first + i) for i in range(spaces)]
    yield from every if spaces <= MOST else [*every[:FIRST], "", *every[-LAST:]]

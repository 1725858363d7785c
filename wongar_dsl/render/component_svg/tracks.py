"""Pictures of tracks: their spaces in order, by phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import WASHES, Picture, box
from wongar_dsl.render.component_svg.text_metrics import ELLIPSIS, centred_text

SIDE, GAP, EDGE, TITLE = 100, 30, 10, 70
#: Spaces in a row; a phase of more than MAX_SPACES_PER_PHASE shows only the first and the last ones.
IN_A_ROW, MAX_SPACES_PER_PHASE, FIRST, LAST = 16, 64, 13, 2
WIDEST = 1700
_SIZES = (40, 36, 32, 28, 24, 20)


def track(names: PictureNames, name: str) -> Picture:
    """Return the picture of a track; raise KeyError for an unknown name."""
    phases = names.model.tracks[name]
    titles = [names.words.capital(names.term(phase)) for phase, _ in phases]
    end = sum(spaces for _, spaces in phases)
    parts: list[Tag] = []
    left, top, right = EDGE, EDGE, 0
    for number, numbers in _runs(phases):
        width = max(len(numbers), 2) * SIDE
        if left > EDGE and left + width > WIDEST:
            left, top = EDGE, top + TITLE + SIDE + GAP
        parts.append(centred_text(titles[number], (left, top, width, TITLE - 5), _SIZES, bold=True))
        for column, text in enumerate(numbers):
            x, y = left + column * SIDE, top + TITLE
            parts.append(box(x, y, SIDE, SIDE, f"wash-{number % len(WASHES)}" if text else "paper"))
            if text == str(end):
                parts.append(box(x + 15, y + 15, SIDE - 30, SIDE - 30, f"wash-{number % len(WASHES)}"))
            parts.append(centred_text(text or ELLIPSIS, (x + 20, y, SIDE - 40, SIDE), _SIZES))
        right = max(right, left + width)
        left += width + GAP
    phase_texts = [names.say("phase", phase=Text(title), n=n) for title, (_, n) in zip(titles, phases, strict=True)]
    description = names.say("track", n=end, phases=Listing(tuple(map(Text, phase_texts))))
    return Picture(right + EDGE, top + TITLE + SIDE + EDGE, names.title(name), description, tuple(parts))


def _runs(phases: Sequence[tuple[str, int]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the spaces of each row: the index of their phase, and their labels."""
    first = 1
    for number, (_, spaces) in enumerate(phases):
        numbers = list(_numbers(first, spaces))
        first += spaces
        for start in range(0, len(numbers), IN_A_ROW):
            yield number, numbers[start : start + IN_A_ROW]


def _numbers(first: int, spaces: int) -> Iterator[str]:
    """Yield the labels of a phase's spaces; "" stands for omitted ones."""
    labels = [str(first + i) for i in range(spaces)]
    yield from labels if spaces <= MAX_SPACES_PER_PHASE else [*labels[:FIRST], "", *labels[-LAST:]]

"""The colours of series, each with a pattern of its own, so that nobody needs the colours.

Each has a contrast of 4.5 with the paper, by day and by night: what is written on it is written in the colour of paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wongar_dsl.pictures.svg import PAPER, THIN, Point
from wongar_dsl.text.markup import Tag, tag

DAY = ("#0f4c8a", "#c04e00", "#128574", "#701a5a", "#4a4a4a", "#3a2e00")
NIGHT = ("#6aa5f0", "#ffab66", "#a6f0de", "#d57ab8", "#8a9098", "#fff0a8")
#: How far the lines of a pattern are from each other.
STEP = 22
#: The patterns in their order: none, and lines this way, that way, both ways, along and across.
_PATTERNS = ("", "/", "\\", "/\\", "-", "|")


class Box(NamedTuple):
    """A rectangle in a picture."""

    left: int
    top: int
    width: int
    height: int


def colours(hues: tuple[str, ...]) -> Mapping[str, str]:
    """The colours by the names that a page gives them."""
    return {f"hue-{number}": colour for number, colour in enumerate(hues)}


def styles() -> str:
    """The rules of a page that colour charts; the colours are named `--hue-0` ... there."""
    rules = [
        f".hue-{n} {{ fill: var(--hue-{n}); }}\n.line-{n} {{ stroke: var(--hue-{n}); }}\n" for n in range(len(DAY))
    ]
    return "".join(rules) + ".on-hue { fill: var(--paper); }\n.pattern { stroke: var(--paper); }\n"


def block(box: Box, series: int) -> Iterator[Tag]:
    """A rectangle in the colour and the pattern of a series."""
    n = series % len(DAY)
    yield tag(
        "rect", x=box.left, y=box.top, width=box.width, height=box.height, class_=f"hue-{n}", fill=DAY[n], stroke="none"
    )  # fmt: skip
    lines = " ".join(_lines(box, _PATTERNS[n]))
    if lines:
        yield tag("path", d=lines, class_="pattern", stroke=PAPER, stroke_width=THIN, stroke_linecap="butt")


def _lines(box: Box, pattern: str) -> Iterator[str]:
    left, top, width, height = box
    if "-" in pattern:
        yield from (f"M{left} {y}h{width}" for y in range(top + STEP // 2, top + height, STEP // 2))
    if "|" in pattern:
        # All patterns begin at the same places of the picture, so that neighbours look alike.
        yield from (f"M{x} {top}v{height}" for x in range(left - left % STEP + STEP, left + width, STEP))
    for sign in "/\\":
        if sign not in pattern:
            continue
        for foot in range((left - height) // STEP * STEP, left + width, STEP):
            begin, end = max(foot, left), min(foot + height, left + width)
            if begin < end:
                near, far = begin - foot, end - foot
                rising = sign == "/"
                start: Point = (begin, top + height - near if rising else top + near)
                stop: Point = (end, top + height - far if rising else top + far)
                yield f"M{start[0]} {start[1]}L{stop[0]} {stop[1]}"


def stroke(series: int) -> dict[str, str]:
    """The attributes of a line in the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"line-{n}", "stroke": DAY[n]}


def fill(series: int) -> dict[str, str]:
    """The attributes of what is filled with the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"hue-{n}", "fill": DAY[n]}

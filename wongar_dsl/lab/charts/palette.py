"""Colours of series, each with its own pattern, so that charts are readable without colours.

Each colour has a contrast of 4.5 with the paper, in the light and the dark scheme: text on it has the colour of the
paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.render.component_svg.svg import PAPER, THIN, Point

DAY = ("#0f4c8a", "#c04e00", "#128574", "#701a5a", "#4a4a4a", "#3a2e00")
NIGHT = ("#6aa5f0", "#ffab66", "#a6f0de", "#d57ab8", "#8a9098", "#fff0a8")
#: Distance between the lines of a pattern.
STEP = 22
#: Patterns of the series: none, rising, falling, crossed, horizontal, vertical lines.
_PATTERNS = ("", "/", "\\", "/\\", "-", "|")


class Rectangle(NamedTuple):
    """Rectangle in a picture."""

    left: int
    top: int
    width: int
    height: int


def colours(hues: tuple[str, ...]) -> Mapping[str, str]:
    """Return the colours by the names of their CSS variables."""
    return {f"hue-{number}": colour for number, colour in enumerate(hues)}


def styles() -> str:
    """Return the CSS rules that colour charts, using the variables `--hue-0` and so on."""
    rules = [
        f".hue-{n} {{ fill: var(--hue-{n}); }}\n.line-{n} {{ stroke: var(--hue-{n}); }}\n" for n in range(len(DAY))
    ]
    return "".join(rules) + ".on-hue { fill: var(--paper); }\n.pattern { stroke: var(--paper); }\n"


def block(box: Rectangle, series: int) -> Iterator[Tag]:
    """Yield a rectangle in the colour and pattern of a series."""
    n = series % len(DAY)
    yield tag(
        "rect", x=box.left, y=box.top, width=box.width, height=box.height, class_=f"hue-{n}", fill=DAY[n], stroke="none"
    )  # fmt: skip
    lines = " ".join(_lines(box, _PATTERNS[n]))
    if lines:
        yield tag("path", d=lines, class_="pattern", stroke=PAPER, stroke_width=THIN, stroke_linecap="butt")


def _lines(box: Rectangle, pattern: str) -> Iterator[str]:
    left, top, width, height = box
    if "-" in pattern:
        yield from (f"M{left} {y}h{width}" for y in range(top + STEP // 2, top + height, STEP // 2))
    if "|" in pattern:
        # Patterns are aligned to the picture, so that adjacent blocks look alike.
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
    """Return the attributes of a line in the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"line-{n}", "stroke": DAY[n]}


def fill(series: int) -> dict[str, str]:
    """Return the attributes of an area in the colour of a series."""
    n = series % len(DAY)
    return {"class_": f"hue-{n}", "fill": DAY[n]}

"""Picture value and its SVG primitives.

Lengths are integers in tenths of a millimetre, so that the same rules always give the same bytes. Lines and letters
have the colour of the surrounding text. A page may style the classes `paper`, `wash`, `wash-0` and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.render.component_svg.text_metrics import FAMILY

INK = "currentColor"
PAPER, WASH = "#ffffff", "#eeeae0"
#: Faint colours for adjacent components; they carry no meaning on their own.
WASHES = ("#cfe3f5", "#f6dfb8", "#d5ecd0", "#f3d3d6", "#e3d8f2", "#cdeae8")
#: Line widths: outlines, and inner lines.
THICK, THIN = 6, 3

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """Picture: width, height, title, description in words, and SVG elements."""

    width: int
    height: int
    title: str
    description: str
    parts: tuple[Tag, ...]

    def tag(self, xmlns: str | None = None, **attributes: str | int | None) -> Tag:
        """Return the picture as an element of a page, with title and description for screen readers."""
        return tag(
            "svg", tag("title", self.title), tag("desc", self.description), *self.parts,
            xmlns=xmlns, role="img", width=_millimetres(self.width), height=_millimetres(self.height),
            viewBox=f"0 0 {self.width} {self.height}", fill="none", stroke=INK, stroke_width=THICK,
            stroke_linejoin="round", stroke_linecap="round", font_family=FAMILY, text_anchor="middle", **attributes,
        )  # fmt: skip


def svg(picture: Picture) -> str:
    """Return the picture as a separate SVG file."""
    return str(picture.tag("http://www.w3.org/2000/svg")) + "\n"


def _millimetres(length: int) -> str:
    return f"{length // 10}.{length % 10}mm" if length % 10 else f"{length // 10}mm"


# ---- primitives ----------------------------------------------------------------------------------------------------


def box(left: int, top: int, width: int, height: int, wash: str = "paper", radius: int = 0) -> Tag:
    """Return a rectangle filled with a colour class."""
    return tag(
        "rect", x=left, y=top, width=width, height=height, rx=radius or None, class_=wash, fill=class_colour(wash)
    )


def circle(centre: Point, radius: int, wash: str = "paper") -> Tag:
    """Return a circle filled with a colour class."""
    return tag("circle", cx=centre[0], cy=centre[1], r=radius, class_=wash, fill=class_colour(wash))


def polygon(points: Sequence[Point], wash: str = "paper") -> Tag:
    """Return a polygon filled with a colour class."""
    return tag("polygon", points=" ".join(f"{x},{y}" for x, y in points), class_=wash, fill=class_colour(wash))


def line(start: Point, end: Point, width: int | None = None) -> Tag:
    """Return a straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke_width=width)


def path(data: str, wash: str | None = None, width: int | None = None) -> Tag:
    """Return a path; without a colour class it is not filled."""
    return tag("path", d=data, class_=wash, fill=class_colour(wash) if wash else None, stroke_width=width)


def translate(parts: Sequence[Tag], right: int, down: int) -> Tag:
    """Return elements translated by an offset."""
    return tag("g", *parts, transform=f"translate({right} {down})")


def class_colour(wash: str) -> str:
    """Return the default colour of a class, used if the page does not style it."""
    if wash == "ink":
        return INK
    if wash in ("paper", "wash"):
        return PAPER if wash == "paper" else WASH
    return WASHES[int(wash.removeprefix("wash-"))]

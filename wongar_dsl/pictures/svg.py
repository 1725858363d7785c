"""A picture as a value, and the few things that pictures are made of.

Lengths are tenths of a millimetre, and whole, so that the same rules always give the same bytes.  Lines and letters
have the colour of the text around the picture; a page may give the classes `paper`, `wash` and `wash-0` ... others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.pictures.lettering import FAMILY
from wongar_dsl.text.markup import Tag, tag

INK = "currentColor"
PAPER, WASH = "#ffffff", "#eeeae0"
#: Faint colours for things that lie side by side; none says anything by itself.
WASHES = ("#cfe3f5", "#f6dfb8", "#d5ecd0", "#f3d3d6", "#e3d8f2", "#cdeae8")
#: How thick lines are: those around things, and those inside.
THICK, THIN = 6, 3

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: how wide and high it is, its name, what it shows in words, and what it is made of."""

    width: int
    height: int
    title: str
    description: str
    parts: tuple[Tag, ...]

    def tag(self, xmlns: str | None = None, **attributes: str | int | None) -> Tag:
        """The picture as an element of a page: a title and a description tell those who do not see it what it is."""
        return tag(
            "svg", tag("title", self.title), tag("desc", self.description), *self.parts,
            xmlns=xmlns, role="img", width=_millimetres(self.width), height=_millimetres(self.height),
            viewBox=f"0 0 {self.width} {self.height}", fill="none", stroke=INK, stroke_width=THICK,
            stroke_linejoin="round", stroke_linecap="round", font_family=FAMILY, text_anchor="middle", **attributes,
        )  # fmt: skip


def svg(picture: Picture) -> str:
    """The picture as a file of its own."""
    return str(picture.tag("http://www.w3.org/2000/svg")) + "\n"


def _millimetres(length: int) -> str:
    return f"{length // 10}.{length % 10}mm" if length % 10 else f"{length // 10}mm"


# ---- what pictures are made of -------------------------------------------------------------------------------------


def box(left: int, top: int, width: int, height: int, wash: str = "paper", radius: int = 0) -> Tag:
    """A rectangle filled with a class of colour."""
    return tag("rect", x=left, y=top, width=width, height=height, rx=radius or None, class_=wash, fill=filling(wash))


def circle(centre: Point, radius: int, wash: str = "paper") -> Tag:
    """A circle filled with a class of colour."""
    return tag("circle", cx=centre[0], cy=centre[1], r=radius, class_=wash, fill=filling(wash))


def polygon(points: Sequence[Point], wash: str = "paper") -> Tag:
    """A polygon filled with a class of colour."""
    return tag("polygon", points=" ".join(f"{x},{y}" for x, y in points), class_=wash, fill=filling(wash))


def line(start: Point, end: Point, width: int | None = None) -> Tag:
    """A straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke_width=width)


def path(data: str, wash: str | None = None, width: int | None = None) -> Tag:
    """A path; without a class of colour it is not filled."""
    return tag("path", d=data, class_=wash, fill=filling(wash) if wash else None, stroke_width=width)


def moved(parts: Sequence[Tag], right: int, down: int) -> Tag:
    """Things, moved."""
    return tag("g", *parts, transform=f"translate({right} {down})")


def filling(wash: str) -> str:
    """The colour of a class where no page gives it another."""
    if wash == "ink":
        return INK
    if wash in ("paper", "wash"):
        return PAPER if wash == "paper" else WASH
    return WASHES[int(wash.removeprefix("wash-"))]

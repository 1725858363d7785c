"""Picture value and its SVG primitives: shapes, lettering, and names in the language of the viewer.

Lengths are integers in tenths of a millimetre, so that the same rules always give the same bytes. Lines and letters
have the colour of the surrounding text. A page may style the classes `paper`, `wash`, `wash-0` and so on. The
font of the viewer is unknown, so letters count with the widths of a wide font (DejaVu Sans): text may take less room
than estimated, never more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.words import Translator, Value

FAMILY = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
#: Letters by their width in hundredths of the font size; below, the maximum for all others.
_CLASSES = {
    28: "'ijl", 32: " ,.IJ", 36: "/:;\\f|", 40: "()-[]t", 44: "!r", 48: '"', 52: "*_`", 57: "?Lcsz„“”", 60: "Fkvxy",
    64: "$0123456789EPSTYabdeghnopqu{}ß«»", 68: "K", 72: "ABCRVXZ", 76: "HNU", 80: "&DGOQ", 84: "#+<=>^w~×", 88: "M",
    96: "%", 102: "@Wm", 50: "–", 34: "’‘‚·",
}  # fmt: skip
_WIDTHS = {letter: width for width, letters in _CLASSES.items() for letter in letters}
_WIDEST, _FULL_WIDTH, _BOLDER = 105, 130, 9
#: Line height, and distance from the top of a line to its baseline, in hundredths of the font size.
LEADING, ASCENT = 128, 95
ELLIPSIS = "…"
#: Number of cached texts; pictures of a game repeat the same ones.
MAX_CACHED_TEXTS = 20_000


class FittedText(NamedTuple):
    """Text broken into lines that fit, and its font size."""

    lines: tuple[str, ...]
    size: int

    @property
    def height(self) -> int:
        """Height of all lines."""
        return len(self.lines) * self.size * LEADING // 100


@lru_cache(MAX_CACHED_TEXTS)
def text_width(text: str, size: int, bold: bool = False) -> int:
    """Return the maximum width of a line of text."""
    return -(-sum(_width(letter) + (_BOLDER if bold else 0) for letter in text) * size // 100)


def _width(letter: str) -> int:
    width = _WIDTHS.get(letter)
    if width is not None:
        return width
    if unicodedata.combining(letter):
        return 0
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain in _WIDTHS:
        return _WIDTHS[plain]
    return _FULL_WIDTH if unicodedata.east_asian_width(letter) in ("W", "F") else _WIDEST


@lru_cache(MAX_CACHED_TEXTS)
def wrap_text(text: str, size: int, room: int, bold: bool = False) -> tuple[str, ...]:
    """Return the text in lines of at most `room`, broken at spaces, and within a word only if that alone is wider.

    A newline in the text starts a new line.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        begun = False
        for word in paragraph.split():
            longer = f"{lines[-1]} {word}" if begun else word
            if begun and text_width(longer, size, bold) <= room:
                lines[-1] = longer
            else:
                lines += _parts(word, size, room, bold)
            begun = True
    return tuple(lines)


def _parts(word: str, size: int, room: int, bold: bool) -> list[str]:
    """Return a word in pieces that fit, each of at least one letter."""
    if text_width(word, size, bold) <= room:
        return [word]
    parts = [""]
    for letter in word:
        if parts[-1] and text_width(parts[-1] + letter + "-", size, bold) > room:
            hyphen = parts[-1][-1].isalpha() and text_width(parts[-1] + "-", size, bold) <= room
            parts[-1] += "-" if hyphen else ""
            parts.append("")
        parts[-1] += letter
    return parts


def fit_text(text: str, room: int, height: int, sizes: Sequence[int], bold: bool = False) -> FittedText:
    """Return the text at the largest of the descending `sizes` that fits the box without splitting a word.

    If there is none, the smallest size is used, words are split, and text beyond the box is cut.
    """
    for size in sizes:
        lines = wrap_text(text, size, room, bold)
        fits_words = all(text_width(word, size, bold) <= room for word in text.split())
        if fits_words and FittedText(lines, size).height <= height:
            return FittedText(lines, size)
    size = sizes[-1]
    lines = wrap_text(text, size, room, bold)
    most = max(1, height * 100 // (size * LEADING))
    if len(lines) > most:
        lines = (*lines[: most - 1], _cut(lines[most - 1], size, room, bold))
    return FittedText(lines, size)


def _cut(line: str, size: int, room: int, bold: bool) -> str:
    while line and text_width(line + ELLIPSIS, size, bold) > room:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS


def text_lines(text: FittedText, middle: int, top: int, bold: bool = False) -> Tag:
    """Return lines of text, each centred at `middle`, from `top` down."""
    return _lines(text, middle, top, "bold" if bold else None)


def left_aligned_lines(text: FittedText, left: int, room: int, top: int, leftwards: bool = False) -> Tag:
    """Return lines of text aligned at `left`, or at the right end of the room for a right-to-left script."""
    start, direction = (left + room, "rtl") if leftwards else (left, None)
    return _lines(text, start, top, text_anchor="start", direction=direction)


def right_aligned_lines(text: FittedText, right: int, top: int) -> Tag:
    """Return lines of text that end at `right`, from `top` down."""
    return _lines(text, right, top, text_anchor="end")


def _lines(text: FittedText, x: int, top: int, weight: str | None = None, **attributes: str | None) -> Tag:
    step = text.size * LEADING // 100
    first = top + text.size * ASCENT // 100
    spans = (tag("tspan", row, x=x, y=first + i * step) for i, row in enumerate(text.lines))
    return tag(
        "text", *spans, class_="letters", fill="currentColor", stroke="none", font_size=text.size, font_weight=weight,
        **attributes,
    )  # fmt: skip


def centred_text(text: str, box: tuple[int, int, int, int], sizes: Sequence[int], bold: bool = False) -> Tag:
    """Return text in the middle of a box (left, top, width, height), as large as possible."""
    left, top, width, height = box
    lines = fit_text(text, width, height, sizes, bold)
    return text_lines(lines, left + width // 2, top + max(0, height - lines.height) // 2, bold)


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


@dataclass(frozen=True)
class PictureNames:
    """Names of one game in one language."""

    model: Model
    words: Translator

    @property
    def scope(self) -> str:
        """Scope of the game with its variants, for the lookup of words."""
        return self.model.scope

    def term(self, name: str, spec: str = "") -> str:
        """Return the displayed term for a name of the rules."""
        return self.words.term(name, self.scope, spec)

    def title(self, name: str) -> str:
        """Return the term for a name of the rules, capitalised."""
        return self.words.capital(self.term(name))

    def short(self, kind: Type, value: int) -> str:
        """Return the short name of a value; a drawn value without a term keeps its name in the rules."""
        name = self.model.value_name(kind, value)
        drawn = kind.name in self.model.shapes or (kind.kind == "board" and bool(self.model.boards[kind.name].steps))
        named = not drawn or self.words.has_term(name, self.scope)
        return self.term(name, "short") if named else name

    def say(self, message: str, **arguments: Value) -> str:
        """Return a sentence about a picture."""
        return self.words.say(f"picture.{message}", None, **arguments)
